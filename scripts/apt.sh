#!/usr/bin/env bash
# Installs the named Debian packages; where that is not allowed it says what to run instead, and fails.
# Usage: scripts/apt.sh PACKAGE...   (callers name only what is missing)

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -gt 0 ] || exit 0

may_install_packages || fail_missing "$(package_command "$@")"

export DEBIAN_FRONTEND=noninteractive
with_progress "apt-get update" "$TOOL_CACHE/apt-update.log" apt-get update
with_progress "apt-get install --no-install-recommends $*" "$TOOL_CACHE/apt-install.log" \
  apt-get install --yes --no-install-recommends "$@"
