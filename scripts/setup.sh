#!/usr/bin/env bash
# Brings a fresh machine to the point where the build (and the tests) run; does nothing that is already done.
# Usage: scripts/setup.sh build   what `make demo`, `make site` and `make package` need
#        scripts/setup.sh check   that, and rustfmt and clippy for `make check`
#        scripts/setup.sh test    that, and a browser and a software GPU for `make test`

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

NODE_FLOOR="20.19.0"

need_rust() {
  command -v cargo >/dev/null && return
  fail "no cargo on PATH. Install a stable Rust first: https://rustup.rs (Debian: apt-get install rustup)"
}

need_node() {
  command -v node >/dev/null || fail "no node on PATH. Install Node.js $NODE_FLOOR or later, with npm"
  command -v npm >/dev/null || fail "no npm on PATH. Install it beside Node.js (Debian: apt-get install npm)"
  local version
  version="$(node --version)"
  [ "$(printf '%s\n' "$NODE_FLOOR" "${version#v}" | sort -V | head -n 1)" = "$NODE_FLOOR" ] ||
    fail "Node.js is $version; the page's build needs $NODE_FLOOR or later"
}

has_library() { ldconfig -p 2>/dev/null | grep -q "$1" || /sbin/ldconfig -p 2>/dev/null | grep -q "$1"; }

has_software_gpu() { compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' >/dev/null; }

has_font() { compgen -G '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' >/dev/null; }

system_packages() {
  local missing=()
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  if [ "$1" = test ]; then
    [ -n "${CHROME:-}" ] || command -v chromium >/dev/null || missing+=(chromium)
    [ -n "${CHROMEDRIVER:-}" ] || command -v chromedriver >/dev/null || missing+=(chromium-driver)
    has_software_gpu || missing+=(mesa-vulkan-drivers)
    has_library libvulkan.so.1 || missing+=(libvulkan1)
    has_font || missing+=(fonts-dejavu-core)
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    say "system packages: all there"
  else
    "$ROOT/scripts/apt.sh" "${missing[@]}"
  fi
}

# `npm ci` empties node_modules first, so it runs only when the lock file has changed since.
npm_packages() {
  local lock="$ROOT/www/package-lock.json" stamp="$ROOT/www/node_modules/.setup-stamp" sum
  [ -f "$lock" ] || fail "www/package-lock.json is missing; it belongs to the repository"
  sum="$(sha256sum "$lock" | cut -d' ' -f1)"
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
need_rust
need_node
system_packages "$level"
if [ "$level" = build ]; then
  "$ROOT/scripts/toolchain.sh"
else
  "$ROOT/scripts/toolchain.sh" --lint
fi
"$ROOT/scripts/install-tools.sh"
npm_packages
