#!/usr/bin/env bash
# Makes a package for Debian from a binary that was built on the same release of Debian.
#
#   deploy/deb/build.sh dist/ideavault dist
#   deploy/deb/build.sh dist/ideavault dist +1    # a later one of the same version
#
# With SOURCE_DATE_EPOCH set, the same binary makes the same package.
set -euo pipefail

[[ $# -eq 2 || $# -eq 3 ]] || { echo "usage: $0 BINARY FOLDER [SUFFIX]" >&2; exit 2; }
binary=$1 folder=$2
deploy=$(cd "$(dirname "$0")/.." && pwd)
top=$(dirname "$deploy")
version=$("$binary" --version | cut -d' ' -f2)${3-}
# To dpkg, 1.0-rc would be later than 1.0.
version=${version/-/\~}
: "${SOURCE_DATE_EPOCH:=$(date +%s)}"
maintainer='The authors of IdeaVault <ideavault@localhost>'
architecture=$(dpkg --print-architecture)

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

put() { install -D -m "$1" "$2" "$root/$3"; }
put 755 "$binary" usr/bin/ideavault
put 755 "$deploy/ideavault-admin" usr/sbin/ideavault-admin
for unit in ideavault.service ideavault-backup.service ideavault-backup.timer; do
    put 644 "$deploy/$unit" "usr/lib/systemd/system/$unit"
done
# Packages have their programs elsewhere than what an administrator installs.
sed -i 's#/usr/local/bin/ideavault#/usr/bin/ideavault#g' \
    "$root/usr/sbin/ideavault-admin" "$root"/usr/lib/systemd/system/*.service
put 600 "$deploy/deb/ideavault.env" etc/ideavault.env
doc=usr/share/doc/ideavault
for sample in Caddyfile nginx.conf nginx-several.conf prometheus/ideavault.rules.yml grafana/ideavault.json; do
    put 644 "$deploy/$sample" "$doc/examples/$(basename "$sample")"
done
for text in CHANGELOG.md docs/operations.md docs/security.md docs/rules.md docs/evidence.md; do
    put 644 "$top/$text" "$doc/$(basename "$text")"
done
{
    cat "$top/LICENSE-MIT"
    printf '\nOr, as you choose, the Apache License 2.0: /usr/share/common-licenses/Apache-2.0\n'
} >"$root/$doc/copyright"
printf 'ideavault (%s) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(LC_ALL=C date --utc --date="@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %T +0000')" \
    | gzip --no-name --best >"$root/$doc/changelog.gz"
chmod 644 "$root/$doc"/{copyright,changelog.gz}

# What the binary links to, by the names of this release.
mkdir -p "$root/debian" && touch "$root/debian/control"
if command -v dpkg-shlibdeps >/dev/null; then
    depends=$(cd "$root" && dpkg-shlibdeps -O usr/bin/ideavault 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
else
    depends='libc6, libssl3'
fi
rm -r "$root/debian"

mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: ideavault
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Depends: ${depends:-libc6, libssl3}, adduser, systemd
Recommends: ca-certificates
Suggests: postgresql-client, nginx | caddy
Section: web
Priority: optional
Installed-Size: $(du -sk "$root" | cut -f1)
Description: vault for ideas, shown behind identity and agreement
 Inventors write ideas, publish them with a digest, and show them to readers who
 have confirmed who they are and accepted a non-disclosure agreement. What has
 happened is recorded in a log that others can verify.
CONTROL
echo /etc/ideavault.env >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do put 755 "$deploy/deb/$script" "DEBIAN/$script"; done

find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$folder"
export SOURCE_DATE_EPOCH
dpkg-deb --root-owner-group --build "$root" "$folder/ideavault_${version}_${architecture}.deb"
