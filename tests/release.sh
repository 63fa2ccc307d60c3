#!/usr/bin/env bash
# Checks that deploy/release/check.sh refuses what is no release, and says what to do.
set -euo pipefail

check=$(realpath "$(dirname "$0")/../deploy/release/check.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/deploy/release"
cp "$check" "$work/deploy/release"
cd "$work"
git init --quiet
commit() { git -c user.name=Ada -c user.email=ada@example.org commit --quiet --message "$1"; }

refused() {
    local told
    ! told=$(deploy/release/check.sh 2>&1) || { echo "It was not refused: $1" >&2; exit 1; }
    [[ $told == *"$1"* ]] || { echo "It should say \"$1\", and says: $told" >&2; exit 1; }
}

printf '[workspace.package]\nversion = "1.2.0"\n\n[workspace.dependencies]\nx = { version = "=9" }\n' >Cargo.toml
printf '# Changelog\n\n## [Unreleased]\n' >CHANGELOG.md
git add .
commit begin
sed -i 's/"1.2.0"/"1.2.0-rc.1"/' Cargo.toml
refused "1.2.0-rc.1 is a pre-release."
git checkout --quiet Cargo.toml
refused "no tag. After the steps in CONTRIBUTING.md: git tag --annotate v1.2.0"
git tag v1.3.0
refused "the tag is v1.3.0, but Cargo.toml says 1.2.0. Change the version there, or tag v1.2.0"
git tag v1.2.0
refused "the tag is v1.2.0 and v1.3.0, but"
git tag --delete v1.3.0 >/dev/null
refused 'no section "## [1.2.0]". Move what is under "Unreleased" there'
printf '\n## [1.2.0] - 2026-11-27\n' >>CHANGELOG.md
refused "changes that are not committed. Commit or remove them:"$'\n'" M CHANGELOG.md"
git add .
commit release
git tag --force v1.2.0 >/dev/null
touch forgotten
refused "?? forgotten"
rm forgotten
[[ $(deploy/release/check.sh) == 1.2.0 ]] || { echo "It refuses a release." >&2; exit 1; }
