#!/usr/bin/env bash
# Makes of the optimised binary what a release consists of: an archive, a package for Debian, the
# SBOM and checksums. The same commit, built in the same way, makes the same bytes.
#
#   deploy/release/build.sh BINARY FOLDER CARGO_CYCLONEDX [CARGO_FEATURES...]
set -euo pipefail

binary=$1 folder=$2 cyclonedx=$3
shift 3
cd "$(dirname "$0")/../.."

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C
version=$("$binary" --version | cut -d' ' -f2)
rm -f "$folder"/ideavault* "$folder"/SHA256SUMS
mkdir -p "$folder"

work=$(mktemp -d)
trap 'rm -rf "$work"; rm -f crates/*/bom.cdx.json tests/bench/bom.cdx.json' EXIT

name=ideavault-$version-linux-$(dpkg --print-architecture)
root=$work/$name
mkdir -p "$root"
install -m 755 "$binary" deploy/ideavault-admin "$root"
install -m 644 deploy/ideavault.service deploy/ideavault-backup.service deploy/ideavault-backup.timer \
    deploy/nginx.conf deploy/nginx-several.conf deploy/Caddyfile deploy/prometheus/ideavault.rules.yml \
    deploy/grafana/ideavault.json README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE "$root"
install -m 600 deploy/deb/ideavault.env "$root"
install -m 755 -d "$root/docs"
install -m 644 docs/*.md "$root/docs"
tar --create --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$work" "$name" | gzip --no-name --best >"$folder/$name.tar.gz"

deploy/deb/build.sh "$binary" "$folder"

"$cyclonedx" cyclonedx --manifest-path crates/ideavault/Cargo.toml --format json --spec-version 1.5 \
    --no-build-deps --override-filename bom.cdx --quiet "$@"
npx --yes @cyclonedx/cyclonedx-npm@6.0.1 --flatten-components \
    --output-reproducible --spec-version 1.5 --output-file "$work/npm.json" -- frontend/package.json
cargo tree --locked --package ideavault --edges normal --prefix none --format '{p}' "$@" >"$work/crates"
node deploy/release/sbom.mjs crates/ideavault/bom.cdx.json "$work/npm.json" "$work/crates" \
    frontend/dist/.vite/packages.json >"$folder/ideavault-$version.cdx.json"

(cd "$folder" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
