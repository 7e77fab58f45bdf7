#!/usr/bin/env bash
# Brings a fresh machine to the point where the build (and the tests) run; does nothing that is already done.
# Usage: scripts/setup.sh build   what `make demo`, `make site` and `make package` need
#        scripts/setup.sh check   that, and rustfmt and clippy for `make check`
#        scripts/setup.sh test    that, and wasm-pack, a browser and a software GPU for `make test`
#
# Outside the clone it installs only on Debian as root, or with SOFTBODY_INSTALL=1 (0: not even there). Elsewhere it lists
# every command that is needed, and fails. CHROMIUM and CHROMEDRIVER name a browser and its driver that are not on PATH.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

NODE_FLOOR="20.19.0"

# The need_ functions print a line for what is missing and nobody but the user should install.
need_rust() {
  # Debian's compiler may be still to come; toolchain.sh looks at it.
  [ "${SOFTBODY_WASM_TOOLCHAIN:-auto}" != debian ] || return 0
  if command -v cargo >/dev/null && command -v rustc >/dev/null; then
    rust_problem rustc
  else
    printf '# Rust %s or later: https://rustup.rs (Debian: apt-get install rustup && rustup default stable)\n' \
      "$(toml_value rust-version Cargo.toml)"
  fi
}

need_node() {
  local version=none
  if command -v node >/dev/null; then version="$(node --version)"; fi
  if [ "$version" = none ] || ! version_at_least "${version#v}" "$NODE_FLOOR"; then
    printf '# Node.js %s or later, with npm; found: %s\n' "$NODE_FLOOR" "$version"
  elif ! command -v npm >/dev/null; then
    printf '# npm, beside Node.js %s (Debian: apt-get install npm)\n' "$version"
  fi
}

# A variable that names no program is a mistake; looking elsewhere instead would hide it.
need_named_program() {
  [ -z "$2" ] || { [ -f "$2" ] && [ -x "$2" ]; } || printf "# %s is '%s', which is not a program\n" "$1" "$2"
}

# The names that www/e2e/browser.mjs looks for, in the same order.
has_chromium() {
  [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
    command -v google-chrome >/dev/null
}

has_chromedriver() { [ -n "${CHROMEDRIVER:-}" ] || command -v chromedriver >/dev/null; }

# macOS has Metal.
has_gpu_api() { [ "$(uname -s)" = Darwin ] || { has_software_gpu && has_library libvulkan.so.1; }; }

# grep reads to the end: with -q the writer could die of a closed pipe, which pipefail takes for "not found".
has_library() {
  { ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true; } | grep "$1" >/dev/null
}

has_software_gpu() { compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' >/dev/null; }

has_font() {
  [ -n "$(fc-list 2>/dev/null | head -n 1)" ] ||
    [ -n "$(find -L /usr/share/fonts "$HOME/.fonts" /Library/Fonts /System/Library/Fonts \
      \( -name '*.ttf' -o -name '*.otf' -o -name '*.ttc' \) 2>/dev/null | head -n 1)" ]
}

# Names of the Debian packages that are missing, on one line.
missing_packages() {
  local names=()
  command -v cc >/dev/null || names+=(gcc libc6-dev)
  if [ "$1" = test ]; then
    has_chromium || names+=(chromium)
    has_chromedriver || names+=(chromium-driver)
    has_gpu_api || names+=(mesa-vulkan-drivers libvulkan1)
    has_font || names+=(fonts-dejavu-core)
  fi
  [ ${#names[@]} -eq 0 ] || printf '%s\n' "${names[*]}"
}

# `npm ci` empties node_modules first, so it runs only when the lock file has changed since.
npm_packages() {
  local lock="$ROOT/www/package-lock.json" stamp="$ROOT/www/node_modules/.setup-stamp" sum
  [ -f "$lock" ] || fail "www/package-lock.json is missing; it belongs to the repository"
  sum="$(sha256_of "$lock")"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then
    say "npm packages: up to date"
    return
  fi
  with_progress "npm ci in www" "$TOOL_CACHE/npm-ci.log" \
    npm ci --prefix "$ROOT/www" --no-audit --no-fund
  printf '%s\n' "$sum" >"$stamp"
}

level="${1:-}"
case "$level" in
  build | check | test) ;;
  *) fail "usage: scripts/setup.sh build|check|test" ;;
esac

lint=()
[ "$level" = build ] || lint=(--lint)

missing="$(
  need_rust
  need_node
  if [ "$level" = test ]; then
    need_named_program CHROMIUM "${CHROMIUM:-}"
    need_named_program CHROMEDRIVER "${CHROMEDRIVER:-}"
  fi
)"
read -r -a packages <<<"$(missing_packages "$level")"

# What will not be installed is listed at once, before anything else is done.
if [ ${#packages[@]} -gt 0 ] && ! may_install_packages; then
  missing+="${missing:+$'\n'}$(package_command "${packages[@]}")"
fi
if ! may_install; then
  more="$(
    "$ROOT/scripts/toolchain.sh" ${lint[@]+"${lint[@]}"} --missing &&
      "$ROOT/scripts/install-tools.sh" "$level" --missing
  )"
  missing+="${more:+${missing:+$'\n'}$more}"
fi
[ -z "$missing" ] || fail_missing "$missing"

if [ ${#packages[@]} -eq 0 ]; then
  say "system packages: all there"
else
  "$ROOT/scripts/apt.sh" "${packages[@]}"
fi
"$ROOT/scripts/toolchain.sh" ${lint[@]+"${lint[@]}"}
"$ROOT/scripts/install-tools.sh" "$level"
npm_packages
