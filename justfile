# IdeaVault's commands. Each needs only Rust, Node.js 20.19 and a C compiler at first,
# and says what else is missing or, as root on Debian, installs it.

set shell := ["bash", "-euo", "pipefail", "-c"]

just := just_executable()
target := env("CARGO_TARGET_DIR", "target")
with_postgres := "tests/postgres/with-cluster.sh"
in_memory := "tests/in-memory.sh"
features := "$(tests/install.sh --print-cargo-features)"

# List the commands
default:
    @{{ just }} --list --unsorted

# Build everything and start it on http://127.0.0.1:8080 with SQLite in ./data
run: _frontend _build-tools
    cargo build --locked {{ features }} {{ server }}
    {{ target }}/debug/ideavault serve

# Start the server and Vite, both reloading on a change (http://127.0.0.1:5173)
dev: _frontend _build-tools
    #!/usr/bin/env bash
    set -euo pipefail
    built=$(mktemp)
    server=
    trap 'trap "" INT TERM; kill $server $vite 2>/dev/null || true; wait; rm -f "$built"' EXIT
    trap 'exit 130' INT TERM
    npm --prefix frontend run dev & vite=$!
    while :; do
        touch "$built"
        if cargo build --locked {{ features }} {{ server }}; then
            {{ target }}/debug/ideavault serve --public-url http://127.0.0.1:5173 & server=$!
        fi
        until [[ -n $(find Cargo.toml Cargo.lock crates migrations -newer "$built" -print -quit) ]]; do
            kill -0 "$vite"
            sleep 0.5
        done
        [[ -z $server ]] || { kill "$server"; wait "$server" || true; server=; }
    done

# Every test: Rust on both databases, frontend, real browser
test: _frontend _build-tools (_npm-ci "tests/s3")
    #!/usr/bin/env bash
    set -uo pipefail
    # All kinds run beside each other: each waits half of its time for servers and databases, and
    # the compiler for its last crates. The Rust tests are the last to end, because they use every
    # processor until then. What the others print follows.
    logs=$(mktemp -d)
    vitest= browser=
    trap 'rm -rf "$logs"' EXIT
    trap 'kill $vitest $browser 2>/dev/null; exit 130' INT TERM
    npm --prefix frontend test -- --reporter=default --reporter=../tests/vitest-summary.js \
        >"$logs/frontend" 2>&1 </dev/null & vitest=$!
    cargo test --locked {{ features }} {{ tested }} --no-run || { kill "$vitest"; exit 1; }
    {{ just }} _browser >"$logs/browser" 2>&1 </dev/null & browser=$!
    {{ in_memory }} {{ with_postgres }} cargo test --locked {{ features }} {{ tested }} -- --test-threads {{ test_threads }}
    failed=$?
    wait "$browser" || failed=1
    cat "$logs/browser"
    wait "$vitest" || failed=1
    cat "$logs/frontend"
    exit "$failed"

# The Rust tests that need no Postgres
test-sqlite: _frontend _build-tools (_npm-ci "tests/s3")
    {{ in_memory }} cargo test --locked {{ features }} {{ tested }} -- --skip postgres

# The Rust tests on Postgres, in a private temporary cluster
test-postgres: _frontend _build-tools
    {{ in_memory }} {{ with_postgres }} cargo test --locked {{ features }} {{ tested }} -- postgres

# Every route and flow in a real Chromium, against the real server
e2e: _frontend _build-tools
    cargo build --locked {{ features }} {{ server }}
    IDEAVAULT_PICTURES=1 {{ just }} _browser

# Every test, N times, while each processor is kept busy; stops at the first failure and keeps its log
test-under-load N="5":
    #!/usr/bin/env bash
    set -euo pipefail
    mkdir -p {{ target }}
    log={{ target }}/test-under-load.log
    burners=()
    trap 'kill "${burners[@]}" 2>/dev/null || true' EXIT
    trap 'exit 130' INT TERM
    for run in $(seq {{ N }}); do
        echo "Run $run of {{ N }}"
        # They end by themselves as well, should nothing be left to end them.
        for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
            (ulimit -t 7200; exec sha256sum /dev/zero >/dev/null) & burners+=($!)
        done
        {{ just }} test >"$log" 2>&1 </dev/null \
            || { tail --lines 80 "$log"; echo "Run $run failed. Its log is $log." >&2; exit 1; }
        kill "${burners[@]}" 2>/dev/null || true
        burners=()
    done

# Crashes by the hundred, on both databases; takes minutes
torture: _frontend _build-tools
    {{ with_postgres }} --durable cargo test --locked {{ features }} --package ideavault \
        --test http -- torture --ignored --nocapture --test-threads 1

# Formatting, lints, types, licences and generated files; changes nothing else
lint: _lint-but-clippy
    cargo clippy --locked {{ features }} --workspace --all-targets -- --deny warnings

# Format all code
fmt: (_npm-ci "frontend")
    cargo fmt --all
    cargo fmt --manifest-path {{ fuzz_dir }}/Cargo.toml
    cd frontend && npm run format

# Regenerate openapi.json from the server and the typed client from openapi.json
schema: _frontend _build-tools
    cargo run --locked {{ features }} --quiet --bin ideavault -- openapi > {{ target }}/openapi.json
    cp {{ target }}/openapi.json {{ openapi }}
    cd frontend && npm run codegen

# Make empty up and down migrations of the same name for both databases
new-migration NAME:
    #!/usr/bin/env bash
    set -euo pipefail
    [[ "{{ NAME }}" =~ ^[a-z0-9_]+$ ]] || { echo "Use small letters, digits and _." >&2; exit 1; }
    stamp=$(date --utc +%Y-%m-%d-%H%M%S)
    for database in sqlite postgres; do
        folder=migrations/$database/${stamp}_{{ NAME }}
        mkdir -p "$folder"
        touch "$folder"/{up,down}.sql
        echo "$folder"
    done

# Build the binary for others into dist/: optimised as a whole, stripped, with its checksum
dist: _frontend _build-tools
    cargo build {{ dist }} {{ features }} --bin ideavault
    install -D {{ target }}/dist/ideavault dist/ideavault
    cd dist && sha256sum ideavault > ideavault.sha256 && cat ideavault.sha256

# Make the release of the checked-out tag in dist/: archive, Debian package, SBOM, checksums
release: _releasable dist _cargo-cyclonedx
    deploy/release/build.sh {{ target }}/dist/ideavault dist "{{ cargo_cyclonedx }}" {{ features }}

# Install a package in a fresh Debian, use it, restore its backup in a second one, upgrade to NEXT, remove it
test-package PACKAGE NEXT SUITE="bookworm":
    tests/install.sh debian
    tests/package/run.sh {{ PACKAGE }} {{ NEXT }} {{ SUITE }}

# Measure speed and memory on both databases, with little data and much; takes minutes
bench: _frontend _build-tools
    cargo build {{ dist }} {{ features }} --bin ideavault --bin ideavault-bench
    {{ with_postgres }} --durable {{ target }}/dist/ideavault-bench run --server {{ target }}/dist/ideavault \
        --figures {{ target }}
    {{ with_postgres }} --durable {{ target }}/dist/ideavault-bench attack --server {{ target }}/dist/ideavault

# Run three instances under load, end and start them meanwhile, and print what was lost; takes minutes
cluster SECONDS="120": _frontend _build-tools (_npm-ci "tests/s3")
    cargo build --release --locked {{ features }} --bin ideavault --bin ideavault-bench
    {{ with_postgres }} --durable {{ target }}/release/ideavault-bench cluster --seconds {{ SECONDS }} \
        --server {{ target }}/release/ideavault --bucket tests/s3 --nginx "$(tests/install.sh --print-nginx)"

# Measure how fast pages are on a slow phone, in a real Chromium; takes minutes
pages: _frontend _build-tools (_npm-ci "tests/e2e")
    cargo build --release --locked {{ features }} --bin ideavault
    tests/install.sh chromium
    IDEAVAULT_BINARY="$(realpath {{ target }})/release/ideavault" npm --prefix tests/e2e run pages

# Feed each reader of foreign input with made-up input, SECONDS for each (no sanitizers: stable Rust)
fuzz SECONDS="60": _cargo-fuzz
    #!/usr/bin/env bash
    set -euo pipefail
    # The instruments are behind a flag of unstable Rust; the compiler stays the stable one.
    export RUSTC_BOOTSTRAP=1
    fuzz=(env PATH="{{ cargo_fuzz_root }}/bin:$PATH" cargo fuzz)
    corpus="{{ cache_directory() }}/ideavault-tools/fuzz-corpus"
    for name in $("${fuzz[@]}" list --fuzz-dir {{ fuzz_dir }}); do
        echo "$name"
        mkdir -p "$corpus/$name"
        "${fuzz[@]}" run --fuzz-dir {{ fuzz_dir }} --sanitizer none "$name" "$corpus/$name" -- \
            -max_total_time={{ SECONDS }} -timeout=20 -rss_limit_mb=1024 -max_len=1024 -len_control=20 -print_final_stats=1 \
            2>&1 | tee {{ target }}/fuzz.log | grep --extended-regexp 'panicked|ERROR|Test unit|stat::' \
            || { cat {{ target }}/fuzz.log; exit 1; }
    done

# Look for known vulnerabilities in the dependencies. Exit status: 0 none, 1 some, 2 not all could be checked
audit: _cargo-deny
    tests/audit.sh "{{ cargo_deny }}"

# What CI runs: lint and test. Clippy compiles the tests, so that nothing is compiled twice
ci: _lint-but-clippy
    RUSTFLAGS="--deny warnings" RUSTC_WORKSPACE_WRAPPER=clippy-driver {{ just }} test

_lint-but-clippy: _frontend _build-tools _cargo-deny (_npm-ci "tests/e2e")
    cargo fmt --all --check
    cargo fmt --manifest-path {{ fuzz_dir }}/Cargo.toml --check
    tests/release.sh
    "{{ cargo_deny }}" --log-level error check bans licenses sources
    cd frontend && npm run lint && npm run typecheck && npm run budgets
    cd tests/e2e && npm run lint && npm run typecheck
    {{ just }} _client-is-current

# The server as tests have it, so that nothing is compiled a second time for them: with the smallest
# test beside it, cargo chooses the same features of all dependencies
server := "--workspace --bin ideavault --test modules"
# All that has tests; the examples in the documentation are text
tested := "--workspace --lib --bins --tests"
# The binary for others, without the paths of this machine: the same commit makes the same bytes
dist := "--profile dist --locked --config " + quote('build.rustflags=["--remap-path-prefix=' + justfile_directory() + '=/src","--remap-path-prefix=' + cargo_home + '=/cargo"]')
cargo_home := env("CARGO_HOME", home_directory() / ".cargo")
# Twice the processors: tests wait for servers, databases and mails half of their time
test_threads := `echo $(( 2 * $(getconf _NPROCESSORS_ONLN) ))`
fuzz_dir := "tests/fuzz"
openapi := "crates/web/openapi.json"
client := "frontend/src/api/generated.ts"

_build-tools:
    @tests/install.sh compiler
    @tests/install.sh --print-cargo-features >/dev/null

# cargo test has built the binary as well
_browser: (_npm-ci "tests/e2e")
    tests/install.sh chromium
    IDEAVAULT_BINARY="$(realpath {{ target }})/debug/ideavault" {{ in_memory }} npm --prefix tests/e2e test

# That openapi.json is current, cargo test checks: it has the server built
_client-is-current: (_npm-ci "frontend")
    @before=$(sha256sum {{ client }}); \
    npm --prefix frontend --silent run codegen; \
    [[ $before == $(sha256sum {{ client }}) ]] \
        || { echo "{{ client }} was stale. It is current now: commit it." >&2; exit 1; }

# npm ci, unless what is installed is what the lock file says
_npm-ci FOLDER:
    @cd {{ FOLDER }} && cmp --silent package-lock.json node_modules/.installed-lock \
        || { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock; }

# Build the frontend, which the server embeds, unless its sources are those of the last build
_frontend: (_npm-ci "frontend")
    @cd frontend; \
    sources=$(find . -type f -not -path './node_modules/*' -not -path './dist/*' -print0 \
        | LC_ALL=C sort --zero-terminated | xargs --null sha256sum | sha256sum); \
    [[ -e dist/index.html && $sources == $(cat node_modules/.built 2>/dev/null) ]] \
        || { npm run build && echo "$sources" >node_modules/.built; }

# cargo-deny is built once, outside the checkout: neither Rust nor Debian ships it
cargo_deny_version := "0.20.2"
cargo_deny_root := cache_directory() / "ideavault-tools" / ("cargo-deny-" + cargo_deny_version)
cargo_deny := cargo_deny_root / "bin" / "cargo-deny"

_cargo-deny: _build-tools
    @[[ -x "{{ cargo_deny }}" ]] || cargo install cargo-deny --version {{ cargo_deny_version }} \
        --locked --quiet --debug --config profile.dev.debug=false --root "{{ cargo_deny_root }}"

# Neither does either ship cargo-fuzz
cargo_fuzz_version := "0.13.2"
cargo_fuzz_root := cache_directory() / "ideavault-tools" / ("cargo-fuzz-" + cargo_fuzz_version)

_cargo-fuzz: _build-tools
    @[[ -x "{{ cargo_fuzz_root }}/bin/cargo-fuzz" ]] || cargo install cargo-fuzz --version {{ cargo_fuzz_version }} \
        --locked --quiet --debug --config profile.dev.debug=false --root "{{ cargo_fuzz_root }}"

# Nor cargo-cyclonedx
cargo_cyclonedx_version := "0.5.9"
cargo_cyclonedx_root := cache_directory() / "ideavault-tools" / ("cargo-cyclonedx-" + cargo_cyclonedx_version)
cargo_cyclonedx := cargo_cyclonedx_root / "bin" / "cargo-cyclonedx"

_cargo-cyclonedx: _build-tools
    @[[ -x "{{ cargo_cyclonedx }}" ]] || cargo install cargo-cyclonedx --version {{ cargo_cyclonedx_version }} \
        --locked --quiet --debug --config profile.dev.debug=false --root "{{ cargo_cyclonedx_root }}"

_releasable:
    @deploy/release/check.sh
