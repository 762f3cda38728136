#!/usr/bin/env bash
# Starts a server of the built command with the samples, and runs a command with its address as the last argument:
# with_server.sh NEARPRINT COMMAND...
# NEARPRINT and COLLECTIONS are the command and the server's directory.
# Collections: samples (with texts), empty, captures (of one page through four years), and large, whose clusters take a
# moment: LARGE says how many thousands of documents it has (60).
set -euo pipefail
program=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
directory=$(mktemp -d)
"$program" serve "$directory/collections" --listen 127.0.0.1:0 --replay 'https://web.example.org/{timestamp}/{url}' \
    2>"$directory/log" &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$directory"' EXIT
until grep -qs serving "$directory/log"; do kill -0 $server; done
export NEARPRINT=$program COLLECTIONS=$directory/collections
address=$(sed -n 's|.* on \(http://[^/]*\)/|\1|p' "$directory/log")
api=$address/v1/collections
put() { curl --silent --show-error --output /dev/null --request PUT "$@"; }
# Adds lines of JSON to a collection; ends with the first that is not added.
add_lines() {
    curl --silent --show-error --fail-with-body --output "$directory/answer" --data-binary @- \
        --header 'Content-Type: application/x-ndjson' "$api/$1/documents/batch"
    ! grep --max-count=1 '"problem":{' "$directory/answer" >&2
}
put "$api/samples" --data '{"texts": true}'
put "$api/empty"
put "$api/large" --data '{"scheme": "sd1"}'
put "$api/captures" --data '{"texts": true}'
python3 - "$root/samples/documents/lighthouse/en.txt" <<'LINES' | add_lines captures
import json, random, sys

draw = random.Random(1)
paragraphs = open(sys.argv[1], encoding="utf-8").read().split("\n\n")[:12]
advertisement = "Lamps of all kinds, now in the shop at the harbour."
for month in range(48):
    # What stands beside the article changes often, the article sometimes and once in large part.
    if draw.random() < 0.4:
        advertisement = " ".join(draw.sample(advertisement.split(), len(advertisement.split())))
    if draw.random() < 0.25:
        words = paragraphs[month % len(paragraphs)].split()
        del words[draw.randrange(len(words))]
        paragraphs[month % len(paragraphs)] = " ".join(words)
    if month == 30:
        paragraphs = paragraphs[5:] + ["The tower is closed to visitors until further notice."]
    for day in range(1, draw.choice([2, 2, 2, 3, 5, 1])):
        date = f"{2022 + month // 12}{month % 12 + 1:02}{day * 5:02}120000"
        article = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        page = f"<body><div><p>{advertisement}</p></div><main><h1>Harrow Skerry</h1>{article}</main></body>"
        capture = {"url": "https://example.org/harrow-skerry", "date": date}
        print(json.dumps({"id": f"{date}/https://example.org/harrow-skerry", "html": page, "capture": capture}))
LINES
(cd "$root/samples/documents" && find . -type f | sort) | while read -r file; do
    put --upload-file "$root/samples/documents/$file" "$api/samples/documents?id=${file#./}"
done
for batch in $(seq "${LARGE:-60}"); do
    python3 - "$batch" <<'LINES' | add_lines large
import base64, json, random, sys

number = int(sys.argv[1])
draw = random.Random(number)
for at in range(1000):
    print_ = base64.b32encode(draw.randbytes(8)).decode().rstrip("=").lower()
    print(json.dumps({"id": f"{number}/{at}", "fingerprint": f"sd1:{print_}"}))
LINES
done
"$@" "$address"
