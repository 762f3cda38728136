#!/usr/bin/env bash
# Whether systemd takes the unit of packaging/, and finds it confined (an exposure of at most 2.0 of 10). Without
# systemd-analyze, nothing is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v systemd-analyze >/dev/null || { echo "no systemd-analyze: not checked"; exit 0; }
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT
# The command is not installed here.
sed "s|/usr/local/bin/nearprint|$(command -v true)|" packaging/nearprint.service >"$directory/nearprint.service"
systemd-analyze verify "$directory/nearprint.service"
systemd-analyze security --offline=true --threshold=20 "$directory/nearprint.service" >"$directory/found" ||
    { cat "$directory/found"; exit 1; }
