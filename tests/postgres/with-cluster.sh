#!/usr/bin/env bash
# Runs a command beside a private, temporary Postgres cluster and removes it afterwards.
#
#   tests/postgres/with-cluster.sh [--durable] COMMAND...
#
# The command finds IDEAVAULT_TEST_POSTGRES_URL in its environment: a superuser on
# the database `postgres`. Commits do not wait for the disk unless --durable is given.
set -euo pipefail

durable=off
if [[ ${1-} == --durable ]]; then
    durable=on
    shift
fi
[[ $# -gt 0 ]] || { echo "usage: $0 [--durable] COMMAND..." >&2; exit 2; }

bin=$("$(dirname "$0")/../install.sh" --print-postgres-bin)
pgbouncer=$("$(dirname "$0")/../install.sh" --print-pgbouncer)
folder=/tmp
# Each test makes a database, of hundreds of files.
[[ $durable == on ]] || folder=$("$(dirname "$0")/../in-memory.sh" --print-folder)
# Short, because a Unix socket's path may have no more than 107 bytes.
home=$(mktemp -d "$folder/ideavault-pg.XXXXXX")
data=$home/data

# Postgres refuses to run as root, so root borrows another user id: inside a user
# namespace where that works, else from an account that every system has.
as_server=()
if [[ $(id -u) -eq 0 ]]; then
    if unshare --user --map-user=1000 --map-group=1000 true 2>/dev/null; then
        as_server=(unshare --user --map-user=1000 --map-group=1000)
    else
        account=nobody
        id postgres >/dev/null 2>&1 && account=postgres
        as_server=(setpriv --reuid="$account" --regid="$(id -g "$account")" --clear-groups)
        chown "$account" "$home"
    fi
fi

server() { (cd "$home" && exec "${as_server[@]}" "$bin/$1" "${@:2}"); }

child=
cleanup() {
    trap '' INT TERM HUP
    [[ -z $child ]] || kill -KILL -- "-$child" 2>/dev/null || true
    server pg_ctl --pgdata="$data" --mode=immediate --silent stop >/dev/null 2>&1 || true
    rm -rf "$home"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
( umask 077; printf '%s\n' "$password" >"$home/password" )
[[ -z ${account-} ]] || chown "$account" "$home/password"
# MD5, because SCRAM costs each of thousands of connections 15 ms of processor time. The password
# is random and lives as long as the cluster.
server initdb --pgdata="$data" --username=ideavault --pwfile="$home/password" \
    --auth=md5 --encoding=UTF8 --locale=C --no-sync >"$home/initdb.log" \
    || { cat "$home/initdb.log" >&2; exit 1; }

cat >>"$data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$home'
max_connections = 200
fsync = $durable
synchronous_commit = $durable
full_page_writes = $durable
CONF
# Each test has connections of its own, which else plan each statement anew, five times.
[[ $durable == on ]] || echo 'plan_cache_mode = force_generic_plan' >>"$data/postgresql.conf"

# Postgres cannot ask the system for a free port, so try some below the range that
# the system hands out.
for attempt in {1..20}; do
    port=$((20000 + RANDOM % 10000))
    if server pg_ctl --pgdata="$data" --log="$home/log" --options="-p $port" --wait --silent start >/dev/null; then
        break
    fi
    if [[ $attempt -eq 20 ]] || ! grep -q 'Address already in use' "$home/log"; then
        cat "$home/log" >&2
        exit 1
    fi
done

# Its client programs, and PgBouncer, which may be nowhere else.
export PATH="$PATH:$bin:$(dirname "$pgbouncer")"
export IDEAVAULT_TEST_POSTGRES_URL="postgres://ideavault:$password@127.0.0.1:$port/postgres"

# A job of its own, so that a signal reaches the command and all that it started,
# but never the database before them.
set -m
"$@" </dev/null &
child=$!
set +m
trap 'kill -INT -- "-$child" 2>/dev/null' INT
trap 'kill -TERM -- "-$child" 2>/dev/null' TERM HUP
status=0
while :; do
    wait "$child" && status=0 || status=$?
    # A signal ends `wait` early: the command gets the time to stop.
    kill -0 "$child" 2>/dev/null || break
done
exit "$status"
