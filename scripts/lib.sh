#!/usr/bin/env bash
# Shared helpers of the shell scripts: paths, messages, what may be installed, progress lines, values from TOML files.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
TOOL_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/webgpu-softbody"
export ROOT TOOL_CACHE

say() { printf '==> %s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Value of `key = "value"` in a TOML file (wasm-pack.toml unless named); the keys we read this way are unique in the file.
toml_value() {
  local value file="${2:-wasm-pack.toml}"
  value="$(sed -n "s/^$1 *= *\"\\(.*\\)\"\$/\\1/p" "$ROOT/$file")"
  [ -n "$value" ] || fail "$file has no line: $1 = \"...\""
  printf '%s\n' "$value"
}

# Whether version $1 is $2 or later. Only the numbers count: 1.88.0-nightly is 1.88. (Not every `sort` has -V.)
version_at_least() {
  local have want part
  IFS=. read -r -a have <<<"${1%%[-+ ]*}"
  IFS=. read -r -a want <<<"$2"
  for part in 0 1 2; do
    [ "${have[part]:-0}" -eq "${want[part]:-0}" ] || {
      [ "${have[part]:-0}" -gt "${want[part]:-0}" ]
      return
    }
  done
}

# Prints why the compiler $1 will not do; nothing if it will.
rust_problem() {
  local want version
  want="$(toml_value rust-version Cargo.toml)"
  version="$("$1" --version 2>/dev/null | cut -d' ' -f2 || true)"
  if [ -z "$version" ]; then
    printf "'%s --version' fails; with rustup, this gives it a compiler: rustup default stable\n" "$1"
  elif ! version_at_least "$version" "$want"; then
    printf '%s is %s, and Cargo.toml asks for %s or later: rustup update stable\n' "$1" "$version" "$want"
  fi
}

# Words of the system's ID and ID_LIKE. SOFTBODY_OS_RELEASE names another file for the tests of these scripts.
os_words() {
  local file="${SOFTBODY_OS_RELEASE:-/etc/os-release}"
  if [ -r "$file" ]; then sed -n "s/^$1=//p" "$file" | tr -d "\"'"; else uname -s; fi
}

is_debian_root() { [ "$(os_words ID)" = debian ] && [ "$(id -u)" -eq 0 ]; }

# Whether anything outside the clone may be installed: by default only on Debian as root, which is what a fresh
# container is. Elsewhere people choose for themselves. SOFTBODY_INSTALL=1 says yes, SOFTBODY_INSTALL=0 says no.
may_install() {
  case "${SOFTBODY_INSTALL:-}" in
    1) return 0 ;;
    0) return 1 ;;
    "") is_debian_root ;;
    *) fail "SOFTBODY_INSTALL is '$SOFTBODY_INSTALL'; it must be 0 or 1" ;;
  esac
}

# System packages need root, and the names that we install by are Debian's.
may_install_packages() { may_install && is_debian_root; }

# Prints the command that installs the named Debian packages on this system, or their names where we know no command.
package_command() {
  local name fedora=()
  for name in "$@"; do
    case "$name" in
      libc6-dev) fedora+=(glibc-devel) ;;
      chromium-driver) fedora+=(chromedriver) ;;
      libvulkan1) fedora+=(vulkan-loader) ;;
      fonts-dejavu-core) fedora+=(dejavu-sans-fonts) ;;
      *) fedora+=("$name") ;;
    esac
  done
  case " $(os_words ID) $(os_words ID_LIKE) " in
    *" debian "*) printf 'sudo apt-get update && sudo apt-get install --no-install-recommends %s\n' "$*" ;;
    *" fedora "*) printf 'sudo dnf install %s\n' "${fedora[*]}" ;;
    *) printf '# system packages, as Debian names them: %s\n# as Fedora names them: %s\n' "$*" "${fedora[*]}" ;;
  esac
}

# Ends the script with the list of what is missing, one command or remark a line.
fail_missing() {
  printf 'error: something is missing, and nothing was installed. Run what follows, then try again:\n\n' >&2
  printf '%s\n' "$1" | sed 's/^/  /' >&2
  if may_install; then
    printf '\nThe script does not install these itself here.\n' >&2
  else
    printf '\nor run again with SOFTBODY_INSTALL=1 to let this script do it for your user; %s\n' \
      "system packages, Rust and Node.js stay yours to install." >&2
  fi
  exit 1
}

# Runs a command for at most $1 seconds; without limit where the system has no `timeout`.
at_most() {
  local seconds="$1"
  shift
  if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}

# The SHA-256 sum of a file; macOS has another tool for it than Linux.
sha256_of() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

# Runs a long command with its output in a log and prints one line every 20 s, the log's end on failure.
with_progress() {
  local what="$1" log="$2"
  shift 2
  mkdir -p "$(dirname "$log")"
  local start=$SECONDS pid status=0 waited=0
  say "$what (log: $log)"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # The shell starts background commands with SIGINT ignored, so Ctrl-C would leave this one running.
  # shellcheck disable=SC2064 # the id of now
  trap "kill $pid 2>/dev/null; exit 130" INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    if [ $((waited % 20)) -eq 0 ]; then
      printf '    %s: %d s, %s\n' "$what" "$((SECONDS - start))" "$(tail -n 1 "$log" | cut -c1-80)"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log" >&2
    printf 'error: %s failed with status %d after %d s; full log: %s\n' "$what" "$status" "$((SECONDS - start))" "$log" >&2
    return "$status"
  fi
  say "$what: done in $((SECONDS - start)) s"
}
