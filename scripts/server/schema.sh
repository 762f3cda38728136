#!/usr/bin/env bash
# Requests made from the server's own description, right and wrong ones: no status and no shape that it does not name, and
# no fault. Documents are real ones. schema.sh NEARPRINT
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1")
python3 -m venv "$root/build/schemathesis"
"$root/build/schemathesis/bin/pip" install --quiet 'schemathesis>=4,<5'
ask() {
    cd "$root/build/schemathesis"
    PYTHONPATH=$root/scripts/server PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=schemathesis_hooks \
        bin/schemathesis run "$1/openapi.json" --phases coverage,fuzzing \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --max-examples "${EXAMPLES:-50}"
}
export -f ask
export root
"$root/scripts/server/with_server.sh" "$program" bash -c 'ask "$1"' ask
