#!/usr/bin/env bash
# Builds the wheel of the Python module with the extraction worker in it. Usage: wheel.sh PROFILE DIRECTORY [MATURIN OPTION...]
# Profile `dev` shares the target directory with `cargo build --workspace`; `dist` is what is published.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=$1 out=$2
shift 2
target=${CARGO_TARGET_DIR:-target}
folder=$profile
[ "$profile" != dev ] || folder=debug
# Alone the worker would have other features of its dependencies than the module's library: all would be built twice.
cargo build --quiet --profile "$profile" --package nearprint-cli --package nearprint-worker --bin nearprint-worker
bin=bindings/python/python/nearprint/bin
mkdir -p "$bin"
# Debug information would make the wheel ten times as large.
strip -o "$bin/nearprint-worker" "$target/$folder/nearprint-worker"
.venv/bin/maturin build --quiet --profile "$profile" --manifest-path bindings/python/Cargo.toml --out "$out" "$@"
