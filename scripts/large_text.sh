#!/usr/bin/env bash
# A text of 2 GB through the command: `scripts/large_text.sh PROGRAM`. Refused by its length, refused at the limit where it
# comes through a pipe, and read within memory for two of it where the limits are raised. Linux only; needs 5 GB of memory and 2 GB of disk.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
text=$folder/text
# `head` ends the pipe before `seq` is done.
{ seq 1 60000000 || true; } 2>/dev/null | sed 's/$/ words of a very long text that goes on/' 2>/dev/null | head -c 2G > "$text" || true
[ "$(stat -c %s "$text")" = 2147483648 ] || { echo "the text was not written: is there room in $folder?" >&2; exit 1; }

# measured LIMIT_KIB ARGUMENTS...: runs the command and fails where it takes more memory.
measured() {
    local limit=$1 status=0
    shift
    python3 - "$limit" "$folder" "$program" "$@" <<'PYTHON' || status=$?
import os, subprocess, sys
limit, folder, *command = sys.argv[1:]
with open(f"{folder}/said", "wb") as said, open(f"{folder}/text", "rb") as text:
    child = subprocess.Popen(command, stdin=text, stdout=said, stderr=said)
    _, status, usage = os.wait4(child.pid, 0)
print(f"{' '.join(command[1:-1])}: {usage.ru_maxrss / 1e6:.2f} GB, {usage.ru_utime + usage.ru_stime:.1f} s of the processor")
sys.exit(97 if usage.ru_maxrss > int(limit) else os.waitstatus_to_exitcode(status))
PYTHON
    echo "$status $(cut -c1-120 "$folder/said" | head -1)"
}

fails=0
expect() { case $1 in *"$2"*) ;; *) echo "expected $2 in: $1" >&2; fails=1 ;; esac; }
found=$(measured 100000 fingerprint "$text"); echo "$found"; expect "$found" "too-large"
found=$(measured 1300000 fingerprint -); echo "$found"; expect "$found" "too-large"
found=$(measured 4600000 fingerprint --limit=input-bytes=4G --limit=text-bytes=4G --read=isolate=never "$text"); echo "$found"; expect "$found" "0 sd1:"
exit $fails
