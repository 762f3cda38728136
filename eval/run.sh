#!/usr/bin/env bash
# Builds the corpus, scores the command on it and writes docs/accuracy: `eval/run.sh [nearprint] [more options of score.py]`.
# Needs Debian 12 with its package lists (apt-get update), poppler-utils and poppler-data, and python3 with venv.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/nearprint}
[ $# -eq 0 ] || shift
work=build/eval
python=$work/venv/bin/python

for tool in apt-get dpkg-deb pdftotext; do
    command -v "$tool" >/dev/null || { echo "eval/run.sh needs $tool: apt-get install poppler-utils, on Debian 12" >&2; exit 2; }
done
# Without its tables pdftotext reads no Chinese, Japanese or Korean, and the corpus comes out smaller.
[ -d /usr/share/poppler/cMap ] || { echo "eval/run.sh needs the tables of pdftotext: apt-get install poppler-data" >&2; exit 2; }
[ -x "$program" ] || { echo "eval/run.sh: no command at $program: cargo build --release --package nearprint-cli" >&2; exit 2; }
[ -x "$python" ] || python3 -m venv "$work/venv"
"$python" -m pip install -qq --disable-pip-version-check --requirement eval/requirements.txt

built=0
"$python" eval/build.py "$work" || built=$?
# Status 3: some packages are no longer offered; the rest is scored, and the status stays.
[ "$built" -eq 0 ] || [ "$built" -eq 3 ] || exit "$built"
"$python" eval/score.py "$work/corpus" --nearprint "$program" --command "make eval" --report docs/accuracy --causes eval/causes.tsv "$@"

"$python" eval/schemes.py "$work/corpus" --nearprint "$program" --command "make eval" --report docs/accuracy --page docs/SCHEMES.md

# How often each warning appears, by medium.
"$python" eval/warned.py "$work/corpus" --nearprint "$program" --report docs/accuracy

# The recommended way, on the same labels: candidates by md1, verified. Exit code 1 says that a document failed, which counts as a miss.
"$program" pairs -qq "$work/corpus" > "$work/pairs.tsv" || [ $? -eq 1 ]
cut -f1,2 "$work/pairs.tsv" | "$python" eval/score.py "$work/corpus" --pairs /dev/stdin --report docs/accuracy
# The figures of this run, into every page and the program.
python3 scripts/figures.py --write
exit "$built"
