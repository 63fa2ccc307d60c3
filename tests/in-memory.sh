#!/usr/bin/env bash
# Runs a command with its temporary files in memory, where that has room: the databases of most
# tests are small, and wait for the disk at each commit.
#
#   tests/in-memory.sh COMMAND...
#   tests/in-memory.sh --print-folder     a folder in memory, or /tmp
set -euo pipefail

folder=/tmp
kib_in_memory=$(df --output=avail --type=tmpfs /dev/shm 2>/dev/null | tail -n 1) || kib_in_memory=0
if ((kib_in_memory > 2 * 1024 * 1024)); then
    folder=/dev/shm
fi

case ${1-} in
    "") echo "usage: $0 COMMAND..." >&2; exit 2 ;;
    --print-folder) echo "$folder"; exit ;;
esac
[[ $folder != /tmp ]] || exec "$@"

TMPDIR=$(mktemp -d "$folder/ideavault-tests.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Once the command has ended, which gets the signal as well or ends by itself.
trap 'exit 130' INT
trap 'exit 143' TERM HUP
"$@"
