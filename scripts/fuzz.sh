#!/usr/bin/env bash
# Coverage-guided fuzzing by libFuzzer: `scripts/fuzz.sh SECONDS [TARGET...]`, all targets where none is named, so many
# seconds each. What is found lies in fuzz/regressions/TARGET, is replayed by `make test`, and belongs into the repository
# with its repair. The inputs that were reached are kept in build/fuzz/TARGET and are the next run's beginning.
#
# 0 seconds build, and run nothing. scripts/fuzz_campaign.py sums what is done over many runs.
#
# The flags are those that cargo-fuzz sets; they need a compiler that takes -Z flags, so the stable one is told to.
# SANITIZER=address finds faults of memory in dependencies, too, and is slower.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:?seconds for each target}
shift
host=$(rustc -vV | sed -n 's/^host: //p')
targets=${*:-$(sed -n 's/^path = "fuzz_targets\/\(.*\)\.rs"/\1/p' Cargo.toml)}
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target}/fuzz
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Clink-dead-code -Ccodegen-units=1"
[ -z "${SANITIZER:-}" ] || RUSTFLAGS+=" -Zsanitizer=$SANITIZER"
export RUSTFLAGS
bins=()
for target in $targets; do bins+=(--bin "$target"); done
# With --target, so that build scripts and macros are built without these flags.
cargo build --release --quiet --target "$host" "${bins[@]}"

python3 ../scripts/fuzz_dictionaries.py ../build/fuzz/dictionaries
[ "$seconds" -gt 0 ] || exit 0
failed=()
for target in $targets; do
    mkdir -p "../build/fuzz/$target" "regressions/$target"
    echo "== $target"
    dictionary=../build/fuzz/dictionaries/$target.dict
    "$CARGO_TARGET_DIR/$host/release/$target" "../build/fuzz/$target" "seeds/$target" "regressions/$target" \
        -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
        $([ ! -f "$dictionary" ] || echo "-dict=$dictionary") \
        -artifact_prefix="regressions/$target/" 2>&1 | grep -v '^stat::\(new_units\|slowest\)' || failed+=("$target")
    rmdir --ignore-fail-on-non-empty "regressions/$target"
done
[ ${#failed[@]} -eq 0 ] || { echo "found: ${failed[*]}; the inputs are in fuzz/regressions" >&2; exit 1; }
