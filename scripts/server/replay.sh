#!/usr/bin/env bash
# A Memento client finds captures by the server, and pywb replays them: replay.sh NEARPRINT. The tools are installed once.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/scripts/replay-tools.txt place=$root/build/replay
if ! cmp --silent "$tools" "$place/installed"; then
    python3 -m venv "$place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$tools"
    cp "$tools" "$place/installed"
fi
exec "$place/bin/python" "$root/scripts/server/replay.py" "$@"
