#!/usr/bin/env bash
# What others make of the server's description: redocly finds no error in it, and openapi-typescript makes types of it.
# description.sh NEARPRINT
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1")
mkdir -p "$root/build/description"
cd "$root/build/description"
[ -e package.json ] || npm init --yes >/dev/null
npm install --silent --no-fund --no-audit @redocly/cli@2 openapi-typescript@7 typescript@5
judge() {
    curl --silent --show-error --fail "$1/openapi.json" --output openapi.json
    node_modules/.bin/redocly lint openapi.json
    node_modules/.bin/openapi-typescript openapi.json --output schema.d.ts
    node_modules/.bin/tsc --noEmit --strict schema.d.ts
}
export -f judge
LARGE=0 "$root/scripts/server/with_server.sh" "$program" bash -c 'set -e; judge "$1"' judge
