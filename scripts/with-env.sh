#!/usr/bin/env bash
# Runs a command with the toolchain and the pinned tools on PATH. Usage: scripts/with-env.sh COMMAND [ARGUMENT...]

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

environment="$("$ROOT/scripts/toolchain.sh" --env)"
eval "$environment"
exec "$@"
