#!/usr/bin/env bash
# The whole command under AddressSanitizer, with its workers, an index and a server: `scripts/sanitize_command.sh [FOLDER...]`.
# HOSTILE (2000) says how many generated hostile files it reads beside the samples, the seeds of fuzzing and each FOLDER.
#
# AddressSanitizer is an unstable option that the stable compiler accepts when asked; everything is rebuilt for it, the
# libraries in C (zstd, ring) included. Of what confines workers, only the limit on address space is left out, by
# `--cfg nearprint_sanitized`: AddressSanitizer maps terabytes.
set -euo pipefail
cd "$(dirname "$0")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}/sanitize
flags="CFLAGS_${host//-/_}"
export "$flags=-fsanitize=address -fno-omit-frame-pointer -g1"
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes --cfg nearprint_sanitized"
# Two calls: in one, features that the example's tests need would be those of the command, too.
cargo build --quiet --target "$host" --target-dir "$target" --package nearprint-cli
cargo build --quiet --target "$host" --target-dir "$target" --package nearprint-worker --example hostile_worker
built=$target/$host/debug
python3 scripts/sanitized_command.py "$built/nearprint" "$built/examples/hostile_worker" --hostile "${HOSTILE:-2000}" "$@"
