#!/usr/bin/env bash
# Installs the pinned wasm-bindgen-cli and wasm-pack into a per-user cache outside the clone, keyed by version.
# Usage: scripts/install-tools.sh          install what is missing
#        scripts/install-tools.sh --path   print the PATH prefix with both tools (installs nothing)

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tool_dir() { printf '%s/%s-%s\n' "$TOOL_CACHE" "$1" "$(toml_value "$1")"; }

# Installs into a temporary root on the same file system and renames it, so that an interrupted build
# never leaves a directory that looks complete and two clones cannot disturb each other.
install_tool() {
  local crate="$1" binary="$2" version dir staging
  version="$(toml_value "$crate")"
  dir="$(tool_dir "$crate")"
  if [ -x "$dir/bin/$binary" ]; then
    say "$crate $version: found in $dir"
    return
  fi
  mkdir -p "$TOOL_CACHE"
  staging="$(mktemp -d "$TOOL_CACHE/.$crate.XXXXXX")"
  # A debug build takes about half the time of a release build and is fast enough for our small modules.
  # No --locked: the published lock file can name versions that a registry does not offer (yet, or any more).
  # RUSTFLAGS: no debug info makes the build quicker and the binaries small.
  RUSTFLAGS="-C debuginfo=0" with_progress "install $crate $version" "$staging/install.log" \
    cargo install "$crate" --version "$version" --debug --root "$staging" --target-dir "$TOOL_CACHE/build" ||
    fail "cargo install $crate --version $version failed; what was built so far stays in $TOOL_CACHE/build"
  if [ -x "$dir/bin/$binary" ]; then
    rm -rf "$staging"
  else
    rm -rf "$dir"
    mv "$staging" "$dir"
  fi
}

case "${1:-}" in
  --path)
    printf '%s/bin:%s/bin\n' "$(tool_dir wasm-bindgen-cli)" "$(tool_dir wasm-pack)"
    ;;
  "")
    mkdir -p "$TOOL_CACHE"
    # One installer at a time: the two tools, and clones that set up at the same moment, share a build folder.
    exec 9>"$TOOL_CACHE/.lock"
    flock 9
    # What an interrupted installation left; the lock says that nobody is at it now.
    rm -rf "$TOOL_CACHE"/.wasm-*
    install_tool wasm-bindgen-cli wasm-bindgen
    install_tool wasm-pack wasm-pack
    rm -rf "$TOOL_CACHE/build"
    ;;
  *) fail "unknown argument: $1" ;;
esac
