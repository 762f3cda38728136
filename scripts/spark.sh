#!/usr/bin/env bash
# Tests nearprint.spark with the wheel that python.sh installed: in a local session, then what must be equal over Spark
# Connect. Usage: spark.sh [PYTEST OPTION...]. NEARPRINT_SPARK_PYTHON names the interpreter of another environment, which has
# another version of Spark; types are checked in .venv alone.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
cd bindings/python
export NEARPRINT_COMMAND=${NEARPRINT_COMMAND:-$root/${CARGO_TARGET_DIR:-target}/debug/nearprint}
python=${NEARPRINT_SPARK_PYTHON:-$root/.venv/bin/python}
status=0
# All are run, even after one has failed.
[ -n "${NEARPRINT_SPARK_PYTHON:-}" ] || "$python" -m mypy --no-error-summary spark_tests || status=1
"$python" -m pytest "$@" spark_tests || status=1
# The server of Connect in Spark 3.5 is a jar that its Python package does not bring.
"$python" -c 'import pyspark, sys; sys.exit(pyspark.__version__.startswith("3."))' || exit $status
NEARPRINT_SPARK=connect "$python" -m pytest -m connect "$@" spark_tests || status=1
exit $status
