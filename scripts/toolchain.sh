#!/usr/bin/env bash
# Chooses (and installs if needed) the one Rust toolchain that builds both native code and wasm32.
# Usage: scripts/toolchain.sh          make sure there is one; installs what is missing
#        scripts/toolchain.sh --lint   the same, with rustfmt and clippy
#        scripts/toolchain.sh [--lint] --missing   print the commands for what is missing; installs nothing
#        scripts/toolchain.sh --env    print the shell assignments that select it; installs nothing
#
# SOFTBODY_WASM_TOOLCHAIN=rustup|debian|auto (default auto):
#   rustup  the rustc found on PATH, with its wasm32-unknown-unknown target
#   debian  rustc-web, cargo-web and the std source from Debian's archive, for machines where
#           `rustup target add` cannot reach its server; the standard library is built once
#   auto    rustup if it has the target or can get it within 60 s, otherwise debian

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TARGET=wasm32-unknown-unknown
DEBIAN_BIN="$TOOL_CACHE/debian-rust/bin"
# What root runs for a user who may not; -H, so that root's files stay out of the user's cache.
DEBIAN_AS_ROOT="sudo -H env SOFTBODY_INSTALL=1 SOFTBODY_WASM_TOOLCHAIN=debian scripts/toolchain.sh"
MODE="${SOFTBODY_WASM_TOOLCHAIN:-auto}"
case "$MODE" in
  auto | rustup | debian) ;;
  *) fail "SOFTBODY_WASM_TOOLCHAIN is '$MODE'; it must be auto, rustup or debian" ;;
esac

# A compile of an empty library tells more than a list of installed targets: it also finds a standard
# library that is there but was made by another compiler version.
can_build_wasm() {
  local rustc="$1" scratch status=0
  command -v "$rustc" >/dev/null || return 1
  scratch="$(mktemp -d)"
  printf '\n' >"$scratch/probe.rs"
  "$rustc" --target "$TARGET" --crate-type lib --emit metadata -o "$scratch/probe.rmeta" \
    "$scratch/probe.rs" >/dev/null 2>&1 || status=1
  rm -rf "$scratch"
  return "$status"
}

wasm_linker() {
  local linker
  linker="$(compgen -c wasm-ld- | sort -t- -k3 -n | tail -n 1 || true)"
  printf '%s\n' "$linker"
}

debian_is_ready() { can_build_wasm /usr/bin/rustc && [ -x /usr/bin/cargo ] && [ -n "$(wasm_linker)" ]; }

# Links rather than /usr/bin in front of PATH, which would also put Debian's node and python first.
link_debian_tools() {
  local tool
  mkdir -p "$DEBIAN_BIN"
  for tool in cargo rustc rustdoc rustfmt cargo-fmt cargo-clippy clippy-driver; do
    if [ -x "/usr/bin/$tool" ]; then
      ln -sfn "/usr/bin/$tool" "$DEBIAN_BIN/$tool"
    fi
  done
}

# Cargo builds std from Debian's source for an empty crate; the rlibs, copied to where rustc looks for a target's
# std, make wasm32 an ordinary target of this compiler, for cargo and wasm-pack alike.
build_debian_std() {
  local scratch lib
  lib="$(/usr/bin/rustc --print sysroot)/lib/rustlib/$TARGET/lib"
  scratch="$(mktemp -d)"
  mkdir -p "$scratch/src"
  printf '[package]\nname = "std-for-wasm"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n' >"$scratch/Cargo.toml"
  printf '#![no_std]\n' >"$scratch/src/lib.rs"
  # RUSTC_BOOTSTRAP: -Z build-std is not a stable flag, and Debian has no wasm32 std package for this compiler.
  if ! with_progress "build the wasm32 standard library" "$TOOL_CACHE/debian-std.log" \
    env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build --release \
    --manifest-path "$scratch/Cargo.toml" --target-dir "$scratch/target" \
    -Z build-std=std,test,panic_abort --target "$TARGET"; then
    rm -rf "$scratch"
    return 1
  fi
  rm -f "$scratch/target/$TARGET/release/deps/"libstd_for_wasm-*
  rm -rf "$lib"
  mkdir -p "$lib"
  cp "$scratch/target/$TARGET/release/deps/"*.rlib "$lib/"
  rm -rf "$scratch"
}

# The compiler's folder for the target's standard library must be ours to write, and whole minutes of building are
# a bad way to find out that it is not.
check_std_folder() {
  local folder
  folder="$(/usr/bin/rustc --print sysroot)/lib/rustlib/$TARGET"
  until [ -d "$folder" ]; do folder="$(dirname "$folder")"; done
  [ -w "$folder" ] || fail "the wasm32 standard library for Debian's compiler goes below $folder, which user '$(id -un)' \
cannot write. Run this, then try again, or use rustup's compiler (https://rustup.rs):
  $DEBIAN_AS_ROOT"
}

# Names of the Debian packages that are missing, on one line.
missing_debian() {
  local names=()
  [ -x /usr/bin/rustc ] || names+=(rustc-web)
  [ -x /usr/bin/cargo ] || names+=(cargo-web)
  [ -n "$(wasm_linker)" ] || names+=(lld-22)
  # The source is needed only to build std, rustfmt and clippy only for the checks.
  can_build_wasm /usr/bin/rustc || [ -d /usr/lib/rustlib/src/rust/library ] || names+=(rust-web-src)
  if [ "$WANT_LINT" = yes ]; then
    [ -x /usr/bin/cargo-fmt ] || names+=(rustfmt-web)
    [ -x /usr/bin/cargo-clippy ] || names+=(rust-web-clippy)
  fi
  [ ${#names[@]} -eq 0 ] || printf '%s\n' "${names[*]}"
}

install_debian() {
  local names
  read -r -a names <<<"$(missing_debian)"
  [ ${#names[@]} -eq 0 ] || "$ROOT/scripts/apt.sh" "${names[@]}"
  if ! can_build_wasm /usr/bin/rustc; then
    check_std_folder
    build_debian_std || fail "the wasm32 standard library could not be built"
  fi
  link_debian_tools
  debian_is_ready || fail "Debian's rustc still cannot build for $TARGET; see $TOOL_CACHE/debian-std.log"
}

install_rustup() {
  if can_build_wasm rustc; then return 0; fi
  command -v rustup >/dev/null || return 1
  say "rustup target add $TARGET (at most 60 s)"
  at_most 60 rustup target add "$TARGET" </dev/null || return 1
  can_build_wasm rustc
}

has_rustup_lint() { cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; }

install_rustup_lint() {
  if has_rustup_lint; then return 0; fi
  say "rustup component add rustfmt clippy (at most 120 s)"
  at_most 120 rustup component add rustfmt clippy </dev/null ||
    fail "this toolchain lacks rustfmt or clippy, and rustup could not add them; 'make test' needs both"
}

chosen() {
  if [ "$MODE" != debian ] && can_build_wasm rustc; then
    echo rustup
  elif [ "$MODE" != rustup ] && debian_is_ready; then
    echo debian
  else
    echo none
  fi
}

# What this script would do, as commands for the user.
missing_commands() {
  local choice packages
  choice="$(chosen)"
  # Debian's own compiler only where nothing better is in reach: rustup needs neither root nor a build of std.
  if [ "$choice" = rustup ] || { [ "$choice" = none ] && ! takes_debian; }; then
    [ "$choice" = rustup ] || printf 'rustup target add %s\n' "$TARGET"
    [ "$WANT_LINT" = no ] || has_rustup_lint || printf 'rustup component add rustfmt clippy\n'
    return
  fi
  read -r -a packages <<<"$(missing_debian)"
  [ ${#packages[@]} -eq 0 ] || package_command "${packages[@]}"
  [ "$choice" = debian ] || printf '%s\n' "$DEBIAN_AS_ROOT"
}

# Whether Debian's compiler is the way to wasm32 if there is none yet.
takes_debian() {
  case "$MODE" in
    debian) return 0 ;;
    rustup) return 1 ;;
    auto) [ "$(os_words ID)" = debian ] && ! command -v rustup >/dev/null ;;
  esac
}

print_env() {
  local tools path
  tools="$("$ROOT/scripts/install-tools.sh" --path)"
  case "$(chosen)" in
    rustup) path="$tools" ;;
    debian)
      link_debian_tools
      path="$DEBIAN_BIN:$tools"
      printf 'export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=%q\n' "$(wasm_linker)"
      # Without it a rustup proxy met on the way would switch compilers.
      printf 'unset RUSTUP_TOOLCHAIN RUSTC CARGO\n'
      ;;
    *) fail "no Rust toolchain here builds for $TARGET (mode: $MODE); run 'make setup'" ;;
  esac
  # shellcheck disable=SC2016 # $PATH is for the shell that evaluates this line
  printf 'export PATH=%q:"$PATH"\n' "$path"
}

# Says so and stops where the chosen compiler is older than Cargo.toml allows.
check_version() {
  local problem
  problem="$(rust_problem "$1")"
  [ -z "$problem" ] || fail "$problem"
}

WANT_LINT=no
LIST=no
for argument in "$@"; do
  case "$argument" in
    --env)
      print_env
      exit 0
      ;;
    --lint) WANT_LINT=yes ;;
    --missing) LIST=yes ;;
    *) fail "unknown argument: $argument" ;;
  esac
done

if [ "$LIST" = yes ] || ! may_install; then
  missing="$(missing_commands)"
  if [ "$LIST" = yes ]; then
    [ -z "$missing" ] || printf '%s\n' "$missing"
    exit 0
  fi
  [ -z "$missing" ] || fail_missing "$missing"
fi

case "$MODE" in
  rustup) install_rustup || fail "rustup could not add $TARGET" ;;
  debian) install_debian ;;
  auto)
    if ! install_rustup; then
      [ "$(os_words ID)" = debian ] || debian_is_ready || fail "rustup could not add $TARGET"
      say "rustup has no $TARGET here; taking Debian's compiler instead"
      install_debian
    fi
    ;;
esac

if [ "$(chosen)" = rustup ]; then
  check_version rustc
  [ "$WANT_LINT" = no ] || install_rustup_lint
  say "Rust for wasm32: $(rustc --version), $(command -v rustc)"
else
  check_version /usr/bin/rustc
  say "Rust for wasm32: $(/usr/bin/rustc --version), /usr/bin/rustc, linker $(wasm_linker)"
fi
