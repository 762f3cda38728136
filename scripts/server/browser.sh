#!/usr/bin/env bash
# All pages of the server in Chromium: browser.sh NEARPRINT. Screenshots are in build/browser/screenshots.
# Needs node, npm and Chromium (Debian: nodejs npm chromium fonts-noto-core fonts-noto-cjk); CHROMIUM names another one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1")
mkdir -p "$root/build/browser"
cd "$root/build/browser"
npm install --silent --no-save --prefix . playwright-core@1 axe-core@4
go() { node "$root/scripts/server/pages.mjs" "$1" screenshots "$root/samples/documents"; }
export -f go
export root
"$root/scripts/server/with_server.sh" "$program" bash -c 'go "$1"' go
