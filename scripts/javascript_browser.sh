#!/usr/bin/env bash
# The JavaScript package in Chromium: javascript_browser.sh [NEARPRINT]. All vectors in a page and in a worker, and texts
# of pages by the browser's DOM, with NEARPRINT compared with its extractor's. Needs node, npm and Chromium (Debian:
# nodejs npm chromium); CHROMIUM names another one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:+$(realpath "$1")}
mkdir -p "$root/build/browser"
cd "$root/build/browser"
npm install --silent --no-save --prefix . playwright-core@1
node "$root/bindings/javascript/test/browser/run.mjs" $program
