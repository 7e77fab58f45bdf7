#!/usr/bin/env bash
# Installs the named Debian packages; as any other user or on any other system it only says what is needed, and fails.
# Usage: scripts/apt.sh PACKAGE...   (callers name only what is missing)

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -gt 0 ] || exit 0

command_line="apt-get install --no-install-recommends $*"
system="$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null | tr -d '"' || true)"

if [ "$system" != debian ]; then
  fail "this system is '${system:-unknown}', not Debian, so nothing was installed. Needed, by Debian's package names: $*"
fi
if [ "$(id -u)" -ne 0 ]; then
  fail "not root, so nothing was installed. Run this, then try again:
  sudo apt-get update && sudo $command_line"
fi

export DEBIAN_FRONTEND=noninteractive
with_progress "apt-get update" "$TOOL_CACHE/apt-update.log" apt-get update
with_progress "$command_line" "$TOOL_CACHE/apt-install.log" \
  apt-get install --yes --no-install-recommends "$@"
