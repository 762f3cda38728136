#!/usr/bin/env bash
# Builds the Python module's wheel in the development profile, installs it into .venv, and tests it there: types, then
# behaviour, and that its reference can be written. Usage: python.sh [PYTEST OPTION...], or python.sh --docs for the reference alone.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD wheels=$(mktemp -d)
trap 'rm -r "$wheels"' EXIT
scripts/wheel.sh dev "$wheels"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheels"/*.whl
reference=${CARGO_TARGET_DIR:-target}/doc/python
if [ "${1:-}" = --docs ]; then
    .venv/bin/python scripts/python_docs.py "$reference"
    exit
fi
# All are run, even after one has failed.
status=0
.venv/bin/python scripts/python_docs.py "$reference" || status=1
cd bindings/python
# The stubs against the installed module, and the package's own Python against the stubs, by two checkers.
"$root/.venv/bin/python" -m mypy.stubtest nearprint._nearprint --mypy-config-file pyproject.toml \
    --allowlist tests/stubtest-allowlist.txt || status=1
"$root/.venv/bin/python" -m mypy --no-error-summary python/nearprint || status=1
"$root/.venv/bin/pyright" --pythonpath "$root/.venv/bin/python" || status=1
NEARPRINT_COMMAND=${NEARPRINT_COMMAND:-$root/${CARGO_TARGET_DIR:-target}/debug/nearprint} \
    "$root/.venv/bin/python" -m pytest "$@" || status=1
exit $status
