#!/usr/bin/env bash
# The tests of the crates with unsafe code in their inner loops, under AddressSanitizer, and under Miri where it is installed.
# AddressSanitizer is an unstable option that the stable compiler accepts when asked; everything is rebuilt for it,
# into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}/sanitize
# A sanitised program is some ten times as slow; sets are as large, cases fewer.
export PROPTEST_CASES=${PROPTEST_CASES:-32}

echo "AddressSanitizer, $host"
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes" RUST_MIN_STACK=8388608 \
    cargo test --quiet --target "$host" --target-dir "$target" \
    --package nearprint-search --package nearprint-fingerprint --all-features --lib --tests "$@"

if cargo +nightly miri --version >/dev/null 2>&1; then
    # Miri knows no stores past the caches and no large pages, and chooses the portable kernels: what walks memory by hand is left.
    # rayon's queues turn numbers into pointers, and its threads never end. A sort takes minutes.
    echo "Miri"
    PROPTEST_CASES=2 MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-permissive-provenance -Zmiri-ignore-leaks" \
        cargo +nightly miri test --target-dir "$target/miri" --package nearprint-search --lib -- \
        buffer:: radix:: prefetch:: kernel:: --skip sorting_is_the_librarys
else
    echo "Miri is not installed (rustup component add --toolchain nightly miri rust-src): not run"
fi
