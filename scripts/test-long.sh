#!/usr/bin/env bash
# Checks too long for every change: large sets, long searches for faults. Each by name with its time, as in
# test.sh; `scripts/test-long.sh NAME...` runs the named ones only.
set -uo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never} RUST_BACKTRACE=1 PYTHONDONTWRITEBYTECODE=1

# 10^7 prints: every plan, instruction set, bound and number of threads, spilled, and simhash-cpp give the same pairs.
agreement()  { python3 bench/run.py agreement; }
# Thousands of real PDFs and pages of Debian packages (downloads 1.6 GB), and damaged copies: no crash, no hang, the words found.
volume()     { cargo build --release --quiet --package nearprint-cli \
               && python3 eval/volume.py build/volume --nearprint "${CARGO_TARGET_DIR:-target}/release/nearprint" --report docs/accuracy; }

# 10^5 rows of 1 KB as lines and as Parquet, 10^5 records of an archive of which some are damaged: jobs killed with -9 at 20
# random moments come out as jobs left alone, byte by byte.
kills()      { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" python=build/generate/bin/python
               cargo build --release --quiet --package nearprint-cli \
               && python3 -m venv build/generate && build/generate/bin/pip install --quiet numpy pyarrow warcio \
               && $python bench/generate.py lines build/kills.jsonl --rows 100000 \
               && $python bench/generate.py table build/kills.parquet --rows 100000 \
               && $python bench/generate.py archive build/kills.warc.gz --records 100000 \
               && python3 scripts/kill_jobs.py "$program" build/kills.jsonl \
               && python3 scripts/kill_jobs.py "$program" build/kills.parquet --decisions \
               && python3 scripts/kill_jobs.py "$program" build/kills.warc.gz --damaged --commit 1000; }

# A job on a small disk of its own, killed with -9 a thousand times, with what was not written lost, on full and on read-only disks:
# its output is that of a job left alone. Mounts a disk, so it needs root.
broken()     { cargo build --release --quiet --package nearprint-cli \
               && python3 scripts/break_jobs.py "${CARGO_TARGET_DIR:-target}/release/nearprint" --kills 1000; }

# 10^5 generated hostile files of every medium (HOSTILE says how many, up to 10^6; two hours a run, and the next one continues): none
# crashes its parser, takes over 20 s or 512 MiB beyond its own size, or comes out differently in a worker.
hostile()    { local release="${CARGO_TARGET_DIR:-target}/release"
               cargo build --release --quiet --package nearprint-cli \
               && cargo build --release --quiet --package nearprint --example measure_files \
               && python3 eval/hostile.py "$release/nearprint" "$release/examples/measure_files" --count "${HOSTILE:-100000}"; }

# 10^5 mutants (NESTED says how many) of this repository's documents inside of up to three containers, as above.
nested()     { local release="${CARGO_TARGET_DIR:-target}/release"
               cargo build --release --quiet --package nearprint-cli \
               && cargo build --release --quiet --package nearprint --example measure_files \
               && python3 eval/hostile.py "$release/nearprint" "$release/examples/measure_files" --kind nested --count "${NESTED:-100000}"; }

# 100 random grammars (GRAMMARS) of every container and medium, in phases, by processor time: none takes the square of its length, 20 s or
# 512 MiB beyond its own size. Minutes.
grammars()   { local release="${CARGO_TARGET_DIR:-target}/release"
               cargo build --release --quiet --package nearprint-cli \
               && cargo build --release --quiet --package nearprint --example measure_files \
               && python3 eval/hostile_grammars.py "$release/examples/measure_files" "$release/nearprint" --cases "${GRAMMARS:-100}" \
                      --seed "${SEED:-$RANDOM}" --folder build/grammars; }

# The cases of hostile and broken input that were found first, as a user meets them, and a line of 100 GB (OFFICE: a folder of .doc, .xls,
# .ppt and .msg files).
cases()      { cargo build --release --quiet --package nearprint-cli \
               && python3 eval/hostile_cases.py "${CARGO_TARGET_DIR:-target}/release/nearprint" --huge ${OFFICE:+--office "$OFFICE"}; }

# 10^5 records of archives, whole, with damage, and of many kinds: our index of captures (CDXJ) joins with those of cdxj-indexer, pywb
# and warcio on every record, and keys are those of their canonicalizer for 10^5 hard addresses.
# pywb replays archives whose responses became revisits as before.
cdxj()       { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" python=build/indexers/bin/python
               cargo build --release --quiet --package nearprint-cli \
               && python3 -m venv build/indexers && build/indexers/bin/pip install --quiet pywb cdxj-indexer brotli numpy \
               && $python bench/generate.py archive build/whole.warc.gz --records 100000 --undamaged \
               && $python bench/generate.py archive build/damaged.warc.gz --records 100000 \
               && $python scripts/join_indexes.py "$program" build/whole.warc.gz build/damaged.warc.gz --mixed 35000 \
               && $python scripts/third_party/addresses.py "$program" --count 100000 --seed 2 \
               && $python scripts/third_party/revisits.py "$program" --replay; }

# 10^7 rows of 1 KB (TABLE_ROWS, of which 20 % are near-duplicates) in row groups of 10^6: fingerprinted and deduplicated within 2 GiB of
# memory, by 1 thread as by 2, and killed at 20 random moments. Of 10^7 it takes 40 GB of disk and hours, of 10^6 4 GB and minutes.
table()      { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" python=build/generate/bin/python rows=${TABLE_ROWS:-10000000}
               cargo build --release --quiet --package nearprint-cli \
               && python3 -m venv build/generate && build/generate/bin/pip install --quiet numpy pyarrow \
               && $python bench/generate.py table build/table.parquet --rows "$rows" \
               && python3 scripts/kill_jobs.py "$program" build/table.parquet --decisions --memory 2G --most 2048 --folder build \
               && rm build/table.parquet; }

# Unsafe code under AddressSanitizer: building for it takes longer than the tests.
sanitize()   { scripts/sanitize.sh; }

# The whole command under AddressSanitizer (SANITIZE, folders of documents to read besides).
sanitize_command() { scripts/sanitize_command.sh ${SANITIZE:-}; }

# A worker that dies a thousand times below the command.
deaths()     { NEARPRINT_DEATHS=1000 cargo test --workspace --all-features --quiet --test cli --example dying_worker -- deaths; }

# An index on disk: a million random operations against a simple model, a mixed load killed with -9 at 500 moments, and
# 10,000 power cuts.
index()      { NEARPRINT_INDEX_OPERATIONS=60000 NEARPRINT_INDEX_KILLS=500 NEARPRINT_INDEX_DOCUMENTS=100000 NEARPRINT_INDEX_CUTS=10000 \
                   cargo test --release --quiet --package nearprint-index -- --nocapture; }

# Every bit of the used pages of an index of 200 fingerprints, of one of sketches and of one with all parts (FLIPS bounds each, SHARD such
# as 3/16 is a part of them): an error, the same answers, or what `verify` finds.
flips()      { NEARPRINT_INDEX_FLIPS=${FLIPS:-100000000} NEARPRINT_INDEX_SHARD=${SHARD:-0/1} cargo test --release --quiet --package nearprint-index --test flips -- --nocapture; }

# What the command without its server says of `serve`; `test.sh features` compiles it alone.
serverless() { cargo test --quiet --package nearprint-cli --no-default-features --lib verbs::serve; }

# The server under a load of changes, killed with -9 fifty times: nothing that was acknowledged is lost.
server()     { NEARPRINT_SERVER_KILLS=50 cargo test --quiet --package nearprint-cli --all-features --test cli -- serve::; }

# The server attacked: one client holds each resource and another must be served, 50 kills on a full and then freed disk (as root), every
# file damaged in four ways, every form of every page with markup. And 5,000 connections, of which the rates and times are printed.
attacks()    { cargo build --release --quiet --package nearprint-cli \
               && cargo build --release --quiet --package nearprint-server --example overload \
               && python3 scripts/server/attack.py "${CARGO_TARGET_DIR:-target}/release/nearprint" \
               && "${CARGO_TARGET_DIR:-target}/release/examples/overload" 5000 10 3; }

# The JavaScript package and the C library broken in one place at a time: the vectors and scripts/c.sh notice (MUTANTS: how many of those
# that rules make of the package, besides those of the list).
mutants()    { node bindings/javascript/test/mutate.js --made "${MUTANTS:-60}" && python3 bindings/c/tests/mutate.py; }

# The JavaScript package in Chromium: all vectors in a page and in a worker, and texts of pages against the extractor's.
browser()    { cargo build --quiet --package nearprint-cli \
               && scripts/javascript_browser.sh "${CARGO_TARGET_DIR:-target}/debug/nearprint"; }

# The server's pages in Chromium, checked with axe, with screenshots in build/browser; and its description: read by redocly and
# openapi-typescript (with npm), and requests made from it.
pages()      { cargo build --quiet --package nearprint-cli && scripts/server/browser.sh "${CARGO_TARGET_DIR:-target}/debug/nearprint" \
               && scripts/server/description.sh "${CARGO_TARGET_DIR:-target}/debug/nearprint" \
               && EXAMPLES=300 scripts/server/schema.sh "${CARGO_TARGET_DIR:-target}/debug/nearprint"; }

# Every pair of tokens of every medium, at lengths at which processor time in the square of the length shows: what a parser does not
# count. `make test` compares counts of the same documents, shorter.
complexity() { NEARPRINT_COMPLEXITY_TIME=1 cargo test --release --quiet --package nearprint-extract --test complexity -- time --nocapture; }

# 20,000 containers of each form, of random phases: the steps that their readers count grow with the length.
containers() { NEARPRINT_CONTAINER_CASES=20000 NEARPRINT_CONTAINER_SEED=${SEED:-$RANDOM} cargo test --release --quiet \
                   --package nearprint-records --test container_work; }

# A text of 2 GB: refused, or read in memory for two of it.
large_text() { cargo build --release --quiet --package nearprint-cli && scripts/large_text.sh "${CARGO_TARGET_DIR:-target}/release/nearprint"; }

# One frame of zstd of 1 GB, with the windows of zstandard and of `zstd --long=27`: every row is read, in bounded memory. Linux only.
large_frame() { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" python=build/compressed/bin/python
               cargo build --release --quiet --package nearprint-cli \
               && python3 -m venv build/compressed && build/compressed/bin/pip install --quiet zstandard \
               && $python scripts/third_party/compressed.py "$program" --large; }

# Other programs' test suites (SUITES, folders separated by spaces; else those of the conformance check, and the seeds of our own
# fuzzing): no crash, no hang, bounded memory, the same by one thread and by two. SUMMARY names a file of outcomes to compare with.
suites()     { cargo build --release --quiet --package nearprint-cli && scripts/conformance.sh >/dev/null \
               && python3 eval/suites.py ${SUITES:-build/suites fuzz/seeds} ${SUMMARY:+--summary "$SUMMARY"} \
                      --nearprint "${CARGO_TARGET_DIR:-target}/release/nearprint"; }

# Spark: 10^6 fingerprints and 20,000 documents have one digest by the command, Python, Spark and Spark Connect; and a cluster of which
# ten workers are killed with -9 in the middle of its work gives the digests of one process, as it does of 200,000 skewed rows in 1, 24
# and 500 partitions.
spark()      { cargo build --quiet --package nearprint-cli && scripts/python.sh tests/test_candidates.py \
               && NEARPRINT_SPARK_LARGE=1 scripts/spark.sh -k test_equal \
               && .venv/bin/python scripts/spark_cluster.py \
               && .venv/bin/python scripts/spark_skew.py "${CARGO_TARGET_DIR:-target}/debug/nearprint"; }

# Environments of the oldest Spark that is supported and of the newest, with one wheel.
old_and_new() { local old=build/spark-3.5
               rm -rf build/spark-wheel && scripts/wheel.sh dev build/spark-wheel \
               && python3 -m venv $old && $old/bin/pip install --quiet 'pyspark[connect]==3.5.*' 'pyarrow<22' 'pandas<3' fsspec setuptools \
                      pytest hypothesis \
               && $old/bin/pip install --quiet --no-deps --force-reinstall build/spark-wheel/*.whl \
               && .venv/bin/pip install --quiet --no-deps --force-reinstall build/spark-wheel/*.whl; }

# Both of them: all tests of nearprint.spark in a local session of the oldest, and 10,000 rows of 300 KB by each.
spark_versions() { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" old=build/spark-3.5 python
               cargo build --quiet --package nearprint-cli && cargo build --release --quiet --package nearprint-cli && old_and_new \
               && NEARPRINT_SPARK_PYTHON=$PWD/$old/bin/python scripts/spark.sh \
               && for python in $old/bin/python .venv/bin/python; do
                      $python scripts/spark_long_rows.py "$program" --folder build || return 1
                  done; }

# nearprint shipped to executors that have none, in three ways, by both; on executors of another version it is refused.
spark_shipping() { local python
               old_and_new && for python in build/spark-3.5/bin/python .venv/bin/python; do
                   $python scripts/spark_shipping.py build/spark-wheel/*.whl || return 1
               done; }

# A web archive of 3 GB, read by executors of 1 GiB on a cluster: every record as by the command.
spark_archive() { local program="${CARGO_TARGET_DIR:-target}/release/nearprint" python=build/generate/bin/python
               cargo build --release --quiet --package nearprint-cli && scripts/python.sh tests/test_candidates.py \
               && python3 -m venv build/generate && build/generate/bin/pip install --quiet numpy pyarrow warcio \
               && $python bench/generate.py archive build/part.warc.gz --records 100000 \
               && .venv/bin/python scripts/spark_archive.py "$program" build/part.warc.gz --times 29; }

# The wheel that is published, as its users meet it.
wheel()      { rm -rf build/dist && scripts/wheel.sh wheel build/dist && python3 scripts/check_wheel.py build/dist/*.whl; }
# The same in Jupyter: the notebooks, an interrupt, and calls beside the kernel's event loop.
jupyter()    { wheel && python3 -m venv build/jupyter \
               && build/jupyter/bin/pip install --quiet ipykernel nbclient polars pyarrow build/dist/*.whl \
               && build/jupyter/bin/python scripts/jupyter.py; }
# Each extra alone in a fresh environment, at its lowest and its newest versions, runs its page. Needs Java, for Spark.
extras()     { rm -rf build/extras && scripts/wheel.sh dev build/extras && python3 scripts/extras.py build/extras/*.whl; }
# What the page about text-dedup shows of it is what the package that pip gives does. Its dependencies have gigabytes.
text_dedup() { cargo build --quiet --package nearprint-cli && python3 -m venv build/text-dedup \
               && build/text-dedup/bin/pip install --quiet --upgrade pip && build/text-dedup/bin/pip install --quiet 'text-dedup==0.4.*' \
               && build/text-dedup/bin/python -W ignore scripts/text_dedup.py "${CARGO_TARGET_DIR:-target}/debug/nearprint"; }
# Results leave the workers of Ray, which has 285 MB.
ray()        { rm -rf build/extras && scripts/wheel.sh dev build/extras && python3 -m venv build/ray \
               && build/ray/bin/pip install --quiet ray packaging && build/ray/bin/pip install --quiet --force-reinstall build/extras/*.whl \
               && build/ray/bin/python -W ignore bindings/python/tests/lone_extra.py - docs/tutorials/ray-and-dask.md Ray; }
# The same from its sources, which pip builds.
sdist()      { rm -rf build/sdist && .venv/bin/maturin sdist --manifest-path bindings/python/Cargo.toml --out build/sdist \
               && python3 scripts/check_sdist.py build/sdist/*.tar.gz; }

all="agreement sanitize sanitize_command volume kills broken cases hostile nested grammars cdxj table deaths index flips serverless server attacks pages browser mutants complexity containers large_text"
all="$all large_frame suites spark spark_versions spark_shipping spark_archive jupyter extras text_dedup ray sdist"
source scripts/named_checks.sh
run_named ${*:-$all}
