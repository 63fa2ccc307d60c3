#!/usr/bin/env bash
# Installs a package for Debian in a fresh system and lives through what a vault does: the first
# account, a link through nginx, the timer's backup, its restore in a second system, an upgrade under
# use, removal. For root; the systems are containers of systemd-nspawn without a network.
#
#   tests/package/run.sh PACKAGE NEXT_PACKAGE [SUITE]    bookworm by default
#
# On a machine with control groups of version 1, systemd of trixie and later boots only with
# SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 in the environment.
set -euo pipefail

[[ $# -eq 2 || $# -eq 3 ]] || { echo "usage: $0 PACKAGE NEXT_PACKAGE [SUITE]" >&2; exit 2; }
for package in "$1" "$2"; do
    [[ -f $package ]] || { echo "$0: there is no package $package; make one with just release" >&2; exit 2; }
done
[[ $(id -u) -eq 0 ]] || { echo "$0: systems can be made by root only" >&2; exit 1; }
package=$(realpath "$1") next=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
suite=${3-bookworm}
export HOST=vault.example.org

work=$(mktemp -d)
declare -A booted
cleanup() {
    local status=$? name
    if [[ $status -ne 0 && -v booted[one] ]]; then
        inside one journalctl --no-pager --lines 60 >&2 || true
    fi
    for name in "${!booted[@]}"; do halt "$name" || true; done
    rm -rf --one-file-system "$work"
    exit "$status"
}
trap cleanup EXIT

say() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

# A Debian with nothing but systemd, nginx and openssl, and the packages that ours needs waiting in
# the cache of apt: made once.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ideavault-tools/debian-$suite
base=$work/base
if [[ ! -e $cache.tar ]]; then
    say "Making a Debian"
    debootstrap --variant=minbase --include=systemd-sysv,dbus,nginx-light,openssl "$suite" "$base" \
        http://deb.debian.org/debian >/dev/null
    # The servers that start in it are those that a test starts.
    chroot "$base" systemctl --quiet disable nginx
    mkdir -p "${cache%/*}"
    tar --create --directory "$base" --file "$cache.part" .
    mv "$cache.part" "$cache.tar"
    rm -rf "$base"
fi

# Where systemd does not run, it can give the systems no scope of their own.
scope=()
[[ -d /run/systemd/system ]] || scope=(--keep-unit)

# Makes a system and boots it.
boot() {
    local root=$work/$1 nspawn
    mkdir -p "$root"
    tar --extract --directory "$root" --file "$cache.tar"
    echo "127.0.0.1 localhost $HOST" >"$root/etc/hosts"
    cp "$package" "$next" "$root/root"
    # apt gets what the package depends on while there still is a network.
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" apt-get -qq update
    chroot "$root" apt-get -qq --download-only install "/root/${package##*/}" >/dev/null
    systemd-nspawn --quiet --boot --directory "$root" --machine "ideavault-test-$1" --register=no \
        "${scope[@]}" --private-network --console=read-only </dev/null >"$work/$1.console" 2>&1 &
    nspawn=$!
    until booted[$1]=$(pgrep --parent "$nspawn" --exact systemd); do
        kill -0 "$nspawn" || fail "$1 did not boot: $(cat "$work/$1.console")"
        sleep 0.1
    done
    until inside "$1" systemctl is-system-running --wait >/dev/null 2>&1; do
        kill -0 "$nspawn" || fail "$1 did not boot: $(cat "$work/$1.console")"
        sleep 0.1
    done
}

inside() {
    local leader=${booted[$1]}
    shift
    nsenter --target "$leader" --mount --uts --ipc --net --pid --root --wdns=/ -- \
        env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

halt() {
    local leader=${booted[$1]}
    unset "booted[$1]"
    # Two SIGTERMs would be one too many for nspawn; this is what tells systemd to power off.
    kill -s RTMIN+4 "$leader"
    while kill -0 "$leader" 2>/dev/null; do sleep 0.1; done
}

# A person at the machine, whose browser trusts the vault's certificate.
client() {
    local leader=${booted[$1]}
    shift
    nsenter --target "$leader" --net -- env CERTIFICATE="$work/certificate.pem" node "$here/client.mjs" "$@"
}

# How often people have read, as far as it is written down.
reads() { grep --no-messages . "$work/state.reads" || echo 0; }

# Waits until people have read a hundred times more.
people_read() {
    local wanted=$(($(reads) + 100))
    until (($(reads) >= wanted)); do
        kill -0 "$using" || fail "$(cat "$work/use")"
        sleep 0.1
    done
}

install_package() {
    inside "$1" apt-get -qq -o APT::Sandbox::User=root install "/root/${2##*/}"
}

serve() {
    cat >"$work/$1/etc/ideavault.env" <<SETTINGS
IDEAVAULT_DATA_DIR=/var/lib/ideavault
IDEAVAULT_PUBLIC_URL=https://$HOST
IDEAVAULT_TRUSTED_PROXIES=127.0.0.1
IDEAVAULT_REGISTRATION=invite
IDEAVAULT_RATE_LIMIT_SCALE=0
SETTINGS
    cp "$work/certificate.pem" "$work/$1/etc/ssl/$HOST.pem"
    cp "$work/key.pem" "$work/$1/etc/ssl/$HOST.key"
    cp "$work/$1/usr/share/doc/ideavault/examples/nginx.conf" "$work/$1/etc/nginx/sites-enabled/vault"
    inside "$1" systemctl start nginx
}

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$HOST" -addext "subjectAltName=DNS:$HOST" \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null

say "Installation"
boot one
install_package one "$package"
[[ $(inside one systemctl is-enabled ideavault) == disabled ]] || fail "the service starts without being asked to"
[[ $(inside one stat --format '%a %U' /etc/ideavault.env) == "600 root" ]] || fail "others may read the settings"
inside one systemd-analyze verify ideavault.service ideavault-backup.service ideavault-backup.timer
! inside one ideavault health 2>"$work/unhealthy" || fail "a server that does not run is healthy"
grep --quiet "no server of IdeaVault answers" "$work/unhealthy" || fail "$(cat "$work/unhealthy")"

say "First account, a link and a reader through nginx"
serve one
inside one systemctl --quiet enable --now ideavault
inside one ideavault health
inside one ideavault-admin doctor
inside one ideavault-admin invite ada@example.org
outbox=$work/one/var/lib/ideavault/outbox
until invitation=$(cat "$outbox"/*.eml 2>/dev/null | tr --delete '\r' | sed 's/=3D/=/g' \
        | grep --only-matching --max-count 1 'invitation=[A-Za-z0-9_-]\{43\}'); do
    inside one ideavault health
done
client one begin "$work/state" "${invitation#invitation=}"

say "Backup, and restore in a second Debian"
inside one install -d -m 700 -o ideavault -g ideavault /backup
inside one systemctl --quiet enable --now ideavault-backup.timer
inside one systemctl start ideavault-backup
boot two
install_package two "$package"
serve two
inside two install -d -m 700 -o ideavault -g ideavault /backup
cp --recursive --preserve=mode,timestamps "$work/one/backup/." "$work/two/backup"
install -m 600 "$work/one/var/lib/ideavault/secret.key" "$work/two/var/lib/ideavault/secret.key"
install -m 600 "$work/two/backup/log-checkpoint" "$work/two/var/lib/ideavault/log-checkpoint"
inside two chown --recursive ideavault:ideavault /var/lib/ideavault /backup
backup=$(echo "$work"/two/backup/20??-??-??-????)
inside two ideavault-admin restore "/backup/${backup##*/}"
inside two systemctl --quiet enable --now ideavault
inside two ideavault-admin evidence check
client two compare "$work/state"

say "Upgrade while people read and save"
before=$(inside one systemctl show --property MainPID ideavault)
client one use "$work/state" "$work/stop" >"$work/use" 2>&1 & using=$!
people_read
install_package one "$next"
inside one ideavault health
people_read
touch "$work/stop"
wait "$using" || fail "$(cat "$work/use")"
cat "$work/use"
[[ $before != $(inside one systemctl show --property MainPID ideavault) ]] || fail "the old version still runs"
client one compare "$work/state"
inside one ideavault-admin evidence check
[[ $(inside one systemctl show --property NRestarts ideavault) == NRestarts=0 ]] || fail "the server crashed"

say "Upgrade to a server that cannot start"
inside one sed --in-place s/=invite/=nobody/ /etc/ideavault.env
told=$(inside one dpkg --install "/root/${next##*/}") || fail "the package is not installed: $told"
[[ $told == *"See: systemctl status ideavault"* ]] || fail "nothing says where to look: $told"
inside one sed --in-place s/=nobody/=invite/ /etc/ideavault.env
inside one systemctl start ideavault
client one compare "$work/state"

say "Removal"
inside one apt-get -qq remove ideavault
! inside one systemctl is-active --quiet ideavault || fail "it still runs"
inside one test -e /etc/ideavault.env || fail "the settings are gone before a purge"
inside one apt-get -qq purge ideavault
! inside one test -e /etc/ideavault.env || fail "the settings stay after a purge"
inside one test -e /var/lib/ideavault/secret.key || fail "the vault is gone"
say "Passed"
