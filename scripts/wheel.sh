#!/usr/bin/env bash
# Builds the wheel of the Python module with the extraction worker in it. Usage: wheel.sh PROFILE DIRECTORY [MATURIN OPTION...]
# Profile `dev` packs what `make test` builds, and compiles nothing else. `wheel` is what is published: linked by zig for an old
# glibc, and checked; GLIBC says which, and MUSL=1 links for musl instead.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=$1 out=$2
shift 2
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
if [ "$profile" = dev ]; then
    cargo build --quiet --workspace --all-targets --all-features
    exec .venv/bin/python scripts/development_wheel.py "$target/debug" "$out"
fi
folder=$profile
platform=()
if [ "$profile" = wheel ]; then
    scripts/install-tools.sh wheel
    machine=$(uname -m)
    if [ -n "${MUSL:-}" ]; then
        libc=musl triple=$machine-unknown-linux-musl zig=$machine-linux-musl tag=musllinux_1_2
        # A module of Python is loaded by a program that brings its own C library.
        export RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=-crt-static"
    else
        # Rust's own libraries need 2.17.
        libc=${GLIBC:-2.17} triple=$machine-unknown-linux-gnu
        zig=$machine-linux-gnu.$libc tag=manylinux_${libc/./_}
    fi
    # One linker for the worker and the module: cargo builds everything again for another.
    linker=$target/zig/$libc
    mkdir -p "${linker%/*}"
    printf '#!/bin/sh\nPATH=%q:$PATH exec cargo-zigbuild zig cc -- -fno-sanitize=all -target %s "$@"\n' \
        "$PWD/.venv/bin" "$zig" > "$linker"
    chmod +x "$linker"
    export "CARGO_TARGET_$(tr a-z- A-Z_ <<< "$triple")_LINKER=$linker" "CC_${triple//-/_}=$linker"
    platform=(--target "$triple")
    folder=$triple/$profile
    set -- --compatibility "$tag" --compression-level 9 "$@"
    # One is compressed again below.
    rm -f "$out"/*"$tag"_"$machine".whl
fi
# Alone the worker would have other features of its dependencies than the module's library: all would be built twice.
cargo build --quiet --profile "$profile" "${platform[@]}" --package nearprint-cli --package nearprint-worker --bin nearprint-worker
bin=bindings/python/python/nearprint/bin
mkdir -p "$bin"
# Debug information would make the wheel ten times as large.
strip -o "$bin/nearprint-worker" "$target/$folder/nearprint-worker"
.venv/bin/maturin build --quiet --profile "$profile" "${platform[@]}" --manifest-path bindings/python/Cargo.toml --out "$out" "$@"
[ "$profile" != wheel ] || .venv/bin/python scripts/compress_wheel.py "$out"/*"$tag"_"$machine".whl
