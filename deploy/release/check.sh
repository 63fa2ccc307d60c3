#!/usr/bin/env bash
# Refuses to make a release of anything but a tagged commit as it is. Prints the version.
set -euo pipefail
cd "$(dirname "$0")/../.."

refuse() { echo "No release: $1" >&2; exit 1; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[[ $version != *-* ]] || refuse "$version is a pre-release. Its package would have a ~ in its name, which GitHub \
replaces, and it would be shown as the latest release. Take a version without a hyphen"
changed=$(git status --porcelain)
[[ -z $changed ]] || refuse "the checkout has changes that are not committed. Commit or remove them:
$changed"
tags=$(git tag --points-at HEAD --list 'v*')
[[ -n $tags ]] || refuse "this commit has no tag. After the steps in CONTRIBUTING.md: git tag --annotate v$version"
[[ $tags == "v$version" ]] || refuse "the tag is ${tags//$'\n'/ and }, but Cargo.toml says $version. \
Change the version there, or tag v$version"
grep --quiet --fixed-strings "## [$version]" CHANGELOG.md \
    || refuse "CHANGELOG.md has no section \"## [$version]\". Move what is under \"Unreleased\" there"
echo "$version"
