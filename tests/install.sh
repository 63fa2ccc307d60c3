#!/usr/bin/env bash
# Provides the programs that the recipes need and cargo and npm cannot bring.
#
#   tests/install.sh compiler|openssl|openssl-build|postgres|pgbouncer|chromium|nginx|debian...
#                                                 install what is missing
#   tests/install.sh --print-cargo-features       how cargo gets its OpenSSL
#   tests/install.sh --print-postgres-bin         the folder of initdb and postgres
#   tests/install.sh --print-pgbouncer            PgBouncer's path
#   tests/install.sh --print-chromium             the browser's path
#   tests/install.sh --print-nginx                nginx's path
#
# As root on Debian it installs them; elsewhere it says what is missing.
set -euo pipefail

first_of() {
    local candidate
    for candidate in "$@"; do
        command -v "$candidate" && return
    done
    return 1
}

browser() { first_of ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable; }

pgbouncer_path() { first_of pgbouncer /usr/sbin/pgbouncer; }

nginx_path() { first_of nginx /usr/sbin/nginx; }

postgres_bin() {
    local initdb
    initdb=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort --version-sort | tail -n 1)
    [[ -x $initdb ]] || initdb=$(command -v initdb) || return
    dirname "$initdb"
}

# OpenSSL's build wants more of Perl than Debian's minimal perl-base has.
openssl_build_tools() { command -v make && perl -MFindBin -MIPC::Cmd -MTime::Piece -e 1; }

have() {
    case $1 in
        compiler) command -v cc ;;
        openssl) pkg-config --exists openssl ;;
        openssl-build) openssl_build_tools ;;
        postgres) postgres_bin ;;
        pgbouncer) pgbouncer_path ;;
        chromium) browser ;;
        nginx) nginx_path ;;
        debian) command -v debootstrap && command -v systemd-nspawn ;;
    esac >/dev/null 2>&1
}

packages_of() {
    case $1 in
        compiler) echo gcc libc6-dev ;;
        openssl) echo libssl-dev pkg-config ;;
        openssl-build) echo make perl ;;
        postgres) echo postgresql ;;
        pgbouncer) echo pgbouncer ;;
        chromium) echo chromium fonts-liberation ;;
        nginx) echo nginx ;;
        debian) echo debootstrap debian-archive-keyring systemd-container ;;
        *) echo "install.sh: unknown: $1" >&2; exit 2 ;;
    esac
}

# Debian would make a cluster and start servers of its own; the tests bring theirs.
no_cluster=/etc/postgresql-common/createcluster.d/ideavault-tests.conf
no_servers=/usr/sbin/policy-rc.d

apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    temporary=("$no_cluster")
    trap 'rm -f "${temporary[@]}"' EXIT
    mkdir -p "$(dirname "$no_cluster")"
    echo 'create_main_cluster = false' >"$no_cluster"
    if [[ ! -e $no_servers ]]; then
        temporary+=("$no_servers")
        printf '#!/bin/sh\nexit 101\n' >"$no_servers"
        chmod +x "$no_servers"
    fi
    apt-get -qq update
    apt-get -qq install --yes --no-install-recommends "$@" >/dev/null
}

may_install() { [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null; }

# Compiling OpenSSL takes minutes, and only the system's gets the system's updates.
cargo_features() {
    have openssl || { may_install && "$0" openssl; } || {
        "$0" openssl-build
        echo --features vendored-openssl
    }
}

case ${1-} in
    --print-cargo-features) cargo_features; exit ;;
    --print-postgres-bin) "$0" postgres; postgres_bin; exit ;;
    --print-pgbouncer) "$0" pgbouncer; pgbouncer_path; exit ;;
    --print-chromium) "$0" chromium; browser; exit ;;
    --print-nginx) "$0" nginx; nginx_path; exit ;;
esac

packages=()
for need in "$@"; do
    wanted=$(packages_of "$need")
    have "$need" || read -ra packages <<<"${packages[*]-} $wanted"
done
[[ ${#packages[@]} -gt 0 ]] || exit 0

if may_install; then
    echo "Installing ${packages[*]}" >&2
    apt_install "${packages[@]}"
else
    echo "Missing on this machine: ${packages[*]} (Debian's names)." >&2
    echo "Install them, or run this command as root on Debian, and try again." >&2
    exit 1
fi

for need in "$@"; do
    have "$need" || { echo "install.sh: $need is still missing after the installation" >&2; exit 1; }
done
