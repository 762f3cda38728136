#!/usr/bin/env bash
# Everything a change must pass, each check by name with its time. All run, even after one has failed;
# the last line counts them. `scripts/test.sh NAME...` runs the named ones only.
set -uo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never} RUST_BACKTRACE=1 PYTHONDONTWRITEBYTECODE=1
# Clippy is the compiler of the workspace's crates here, so that one build both checks and makes everything.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings

format()     { cargo fmt --all --check; }
wrapping()   { python3 scripts/check_wrapping.py; }
build()      { cargo build --workspace --all-targets --all-features --quiet; }
unit()       { if cargo nextest --version >/dev/null 2>&1; then cargo nextest run --workspace --all-features --no-fail-fast --status-level fail --final-status-level slow
               else cargo test --workspace --all-features --all-targets --no-fail-fast --quiet; fi; }
doctests()   { cargo test --workspace --all-features --doc --quiet; }
apidocs()    { RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --quiet; }
# Its compiler is another, which has no Clippy.
aarch64()    { env -u RUSTC_WORKSPACE_WRAPPER scripts/aarch64.sh; }
licences()   { python3 scripts/check_licences.py; }
structure()  { python3 -m unittest discover --start-directory scripts && python3 scripts/check_structure.py && python3 scripts/check_names.py; }
features()   { python3 scripts/check_features.py; }
pitfalls()   { python3 scripts/check_pitfalls.py; }
promises()   { python3 scripts/check_promises.py; }
links()      { python3 scripts/check_links.py; }
figures()    { python3 scripts/figures.py; }
# The unit of systemd is valid and confined, where systemd is there to say so.
packaging()  { scripts/check_packaging.sh; }
python_lint() { .venv/bin/ruff check . && .venv/bin/ruff format --check .; }
tables()     { python3 spec/tables/generate.py --check && python3 crates/nearprint-fingerprint/unicode/generate.py --check; }
vectors()    { python3 reference/make_vectors.py --check && target/debug/nearprint prints vectors --verify; }
reference()  { python3 -m unittest discover --start-directory reference --pattern 'test_*.py'; }
# The corpus of extraction profile 1 is that of today's extractors, and the second extractor agrees with it.
extraction() { python3 spec/extraction/build.py --check && .venv/bin/python reference/extraction_corpus.py check target/debug/nearprint; }
mutations()  { python3 reference/mutate.py; }
parity()     { python3 reference/compare.py && python3 reference/compare_passages.py target/debug/nearprint; }
samples()    { python3 samples/build.py --check; }
conformance() { scripts/conformance.sh; }
accuracy()   { python3 -m unittest discover --start-directory eval; }
# Documents of this repository, changed, inside of up to three containers: `test-long.sh nested` reads 10^5.
nested()     { local folder; folder=$(mktemp -d) \
               && python3 eval/hostile.py target/debug/nearprint target/debug/examples/measure_files --kind nested --count 1500 --batch 500 --folder "$folder" >/dev/null \
               && rm -r "$folder"; }
# Random phases of every container and medium, and the tables that were found: `test-long.sh grammars` reads 100 of each.
grammars()   { python3 eval/hostile_grammars.py target/debug/examples/measure_files target/debug/nearprint --cases 3 --length 400000 >/dev/null; }
bench_tiny() { python3 -m unittest discover --start-directory bench && python3 bench/run.py tiny >/dev/null; }
third_party() { for script in scripts/third_party/*.py; do .venv/bin/python "$script" target/debug/nearprint || return 1; done; }
# Clients that generators make from the server's description run the recipes of its guide; the one for TypeScript needs npm.
clients()    { local languages=python
               if command -v npm >/dev/null; then languages="python typescript"; else echo "no npm: the client for TypeScript is left out"; fi
               .venv/bin/python scripts/server/clients.py target/debug/nearprint $languages; }
# A Memento client finds captures by the server, and pywb replays them; all pages work behind nginx, below a path.
replay()     { scripts/server/replay.sh target/debug/nearprint && python3 scripts/server/proxy.py target/debug/nearprint; }
javascript() { python3 bindings/javascript/generate.py --check && node --test bindings/javascript/test/*.test.js; }
# Against the libraries that the build has left.
c()          { scripts/c.sh; }
# What is installed, where only that is: in C, Node and, if it is there, Chromium.
installed()  { if [ "$(id -u)" -eq 0 ] && command -v npm >/dev/null; then scripts/installed.sh; else echo "no root or no npm: not tried"; fi; }
python()     { scripts/python.sh; }
spark()      { scripts/spark.sh; }
examples()   { python3 scripts/run_examples.py target/debug; }

# Checks joined by + run side by side, one for each core, the long ones first. Those that build come before those that
# run what python.sh has installed. Those of hostile files measure times, and so run alone.
all="format+wrapping+licences+structure+pitfalls+promises+links+figures+packaging+python_lint build unit"
all="$all python+features+doctests+apidocs+mutations+parity+aarch64+reference+c+installed+javascript+tables+vectors"
all="$all spark+third_party+examples+clients+replay+bench_tiny+conformance+samples+accuracy+extraction grammars nested"
source scripts/named_checks.sh
run_named ${*:-$all}
