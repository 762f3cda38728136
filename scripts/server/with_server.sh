#!/usr/bin/env bash
# Starts a server of the built command with the samples, and runs a command with its address as the last argument:
# with_server.sh NEARPRINT COMMAND...
# NEARPRINT and COLLECTIONS are the command and the server's directory.
# Collections: samples (with texts), empty, and large, whose clusters take a moment.
set -euo pipefail
program=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
directory=$(mktemp -d)
"$program" serve "$directory/collections" --listen 127.0.0.1:0 2>"$directory/log" &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$directory"' EXIT
until grep -q serving "$directory/log"; do kill -0 $server; done
export NEARPRINT=$program COLLECTIONS=$directory/collections
address=$(sed -n 's|.* on \(http://[^/]*\)/|\1|p' "$directory/log")
api=$address/v1/collections
put() { curl --silent --show-error --output /dev/null --request PUT "$@"; }
put "$api/samples" --data '{"texts": true}'
put "$api/empty"
put "$api/large"
(cd "$root/samples/documents" && find . -type f | sort) | while read -r file; do
    put --upload-file "$root/samples/documents/$file" "$api/samples/documents?id=${file#./}"
done
for batch in $(seq 60); do
    python3 - "$batch" <<'LINES' | curl --silent --show-error --output /dev/null --data-binary @- \
        --header 'Content-Type: application/x-ndjson' "$api/large/documents/batch"
import base64, json, random, sys

number = int(sys.argv[1])
draw = random.Random(number)
for at in range(1000):
    print_ = base64.b32encode(draw.randbytes(8)).decode().rstrip("=").lower()
    print(json.dumps({"id": f"{number}/{at}", "fingerprint": f"sd1:{print_}"}))
LINES
done
"$@" "$address"
