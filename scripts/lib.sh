#!/usr/bin/env bash
# Shared helpers of the shell scripts: paths, messages, progress lines, values from wasm-pack.toml.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
TOOL_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/webgpu-softbody"
export ROOT TOOL_CACHE

say() { printf '==> %s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Value of `key = "value"` in wasm-pack.toml; the keys we read this way are unique in the file.
toml_value() {
  local value
  value="$(sed -n "s/^$1 *= *\"\\(.*\\)\"\$/\\1/p" "$ROOT/wasm-pack.toml")"
  [ -n "$value" ] || fail "wasm-pack.toml has no line: $1 = \"...\""
  printf '%s\n' "$value"
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
