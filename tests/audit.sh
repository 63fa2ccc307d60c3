#!/usr/bin/env bash
# Looks for known vulnerabilities in all dependencies, with the databases of RustSec and npm, which
# have to be reached for it. Usage: tests/audit.sh CARGO_DENY
# Exit status: 0 no known vulnerability, 1 some, 2 not everything could be checked.
set -uo pipefail
cd "$(dirname "$0")/.."
cargo_deny=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
vulnerable= unchecked=

note_unchecked() {
    echo "NOT CHECKED: $1. The database cannot be reached:"
    grep --max-count=3 . "$log" | sed 's/^/    /'
    unchecked=1
}

echo "Rust, all crates of Cargo.lock"
if "$cargo_deny" --log-level error fetch db >"$log" 2>&1; then
    "$cargo_deny" --log-level error check --disable-fetch advisories || vulnerable=1
else
    note_unchecked Rust
fi

for folder in frontend tests/e2e tests/s3; do
    echo "npm, all packages of $folder"
    if npm --prefix "$folder" audit --package-lock-only >"$log" 2>&1; then
        tail --lines=1 "$log"
    elif grep --quiet '^[0-9]* .*vulnerabilit' "$log"; then
        cat "$log"
        vulnerable=1
    else
        note_unchecked "$folder"
    fi
done

echo
if [[ $vulnerable ]]; then
    echo "There are known vulnerabilities."
    exit 1
elif [[ $unchecked ]]; then
    echo "Not everything could be checked: nothing is known about the rest."
    exit 2
fi
echo "No known vulnerability. Write the date into CONTRIBUTING.md."
