#!/usr/bin/env bash
# Installs the pinned wasm-bindgen-cli and wasm-pack into a per-user cache outside the clone, keyed by version.
# Usage: scripts/install-tools.sh build|check        install what is missing of wasm-bindgen-cli
#        scripts/install-tools.sh test               and of wasm-pack, which only the browser unit tests use
#        scripts/install-tools.sh LEVEL --missing    print the commands for what is missing (installs nothing)
#        scripts/install-tools.sh --path             print the PATH prefix with both tools (installs nothing)

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tool_dir() { printf '%s/%s-%s\n' "$TOOL_CACHE" "$1" "$(toml_value "$1")"; }

# The program that shows that a tool is there.
binary_of() { case "$1" in wasm-bindgen-cli) echo wasm-bindgen ;; *) echo "$1" ;; esac }

is_installed() { [ -x "$(tool_dir "$1")/bin/$(binary_of "$1")" ]; }

# Installs into a temporary root on the same file system and renames it, so that an interrupted build
# never leaves a directory that looks complete and two clones cannot disturb each other.
install_tool() {
  local crate="$1" version dir staging
  # Another clone may have installed it while this one waited for the lock.
  if is_installed "$crate"; then return; fi
  version="$(toml_value "$crate")"
  dir="$(tool_dir "$crate")"
  staging="$(mktemp -d "$TOOL_CACHE/.$crate.XXXXXX")"
  # A debug build takes about half the time of a release build and is fast enough for our small modules.
  # No --locked: the published lock file can name versions that a registry does not offer (yet, or any more).
  # RUSTFLAGS: no debug info makes the build quicker and the binaries small.
  RUSTFLAGS="-C debuginfo=0" with_progress "install $crate $version" "$staging/install.log" \
    cargo install "$crate" --version "$version" --debug --root "$staging" --target-dir "$TOOL_CACHE/build" ||
    fail "cargo install $crate --version $version failed; what was built so far stays in $TOOL_CACHE/build"
  rm -rf "$dir"
  mv "$staging" "$dir"
}

# One installer at a time: the two tools, and clones that set up at the same moment, share a build folder.
# Without flock (macOS) a folder is the lock. It can outlive a killed set-up, so the message says how to remove it:
# taking over a lock that looks abandoned cannot be done without a race.
lock() {
  local folder="$TOOL_CACHE/.lock.d" waited=0
  if command -v flock >/dev/null; then
    exec 9>"$TOOL_CACHE/.lock"
    flock 9
    return
  fi
  until mkdir "$folder" 2>/dev/null; do
    [ -d "$folder" ] || fail "cannot make the folder $folder"
    [ $((waited % 20)) -ne 0 ] || say "waiting for another set-up; if none is running: rmdir $folder"
    sleep 1
    waited=$((waited + 1))
  done
  # shellcheck disable=SC2064 # the folder of now
  trap "rmdir '$folder'" EXIT
}

missing_commands() {
  local crate
  for crate in "$@"; do
    printf 'cargo install %s --version %s --debug --root %q\n' "$crate" "$(toml_value "$crate")" "$(tool_dir "$crate")"
  done
}

tools=(wasm-bindgen-cli)
case "${1:-}" in
  --path)
    printf '%s/bin:%s/bin\n' "$(tool_dir wasm-bindgen-cli)" "$(tool_dir wasm-pack)"
    exit 0
    ;;
  build | check) ;;
  test) tools+=(wasm-pack) ;;
  *) fail "usage: scripts/install-tools.sh build|check|test [--missing], or --path" ;;
esac

missing=()
for tool in "${tools[@]}"; do
  if ! is_installed "$tool"; then
    missing+=("$tool")
  elif [ "${2:-}" != --missing ]; then
    say "$tool $(toml_value "$tool"): found in $(tool_dir "$tool")"
  fi
done
# The check of the length first: an empty array is an unset variable to the bash of macOS.
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "${2:-}" = --missing ]; then
  missing_commands "${missing[@]}"
  exit 0
fi
may_install || fail_missing "$(missing_commands "${missing[@]}")"

mkdir -p "$TOOL_CACHE"
lock
# What an interrupted installation left; the lock says that nobody is at it now.
rm -rf "$TOOL_CACHE"/.wasm-*
for tool in "${missing[@]}"; do install_tool "$tool"; done
rm -rf "$TOOL_CACHE/build"
