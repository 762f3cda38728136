#!/usr/bin/env bash
# Tests nearprint.spark with the wheel that python.sh installed: in a local session, then what must be equal over Spark
# Connect. Usage: spark.sh [PYTEST OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
cd bindings/python
export NEARPRINT_COMMAND=${NEARPRINT_COMMAND:-$root/${CARGO_TARGET_DIR:-target}/debug/nearprint}
status=0
# All are run, even after one has failed.
"$root/.venv/bin/python" -m mypy --no-error-summary spark_tests || status=1
"$root/.venv/bin/python" -m pytest "$@" spark_tests || status=1
NEARPRINT_SPARK=connect \
    "$root/.venv/bin/python" -m pytest -m connect "$@" spark_tests || status=1
exit $status
