#!/usr/bin/env bash
# The installed packages on a clean file system: installed.sh [FOLDER OF THE C LIBRARIES]; by default target/debug.
#
# The C library is installed into an empty prefix, and the npm package, as npm packs it, into an empty folder. Then programs of
# users are compiled and run with an empty environment, in a mount namespace where this repository is an empty folder (which
# needs root): in C and C++, shared and static; in Node; and in Chromium, in a page and in a worker, by an import map. Needs gcc,
# pkg-config, node and npm; Chromium is tried where it is installed (Debian: chromium), and must be with CHROMIUM=path.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
build=$(cd "${1:-${CARGO_TARGET_DIR:-target}/debug}" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

bindings/c/install.sh "$build" "$work/prefix"
cp bindings/c/examples/pairs.c bindings/c/examples/clusters.cpp bindings/c/tests/vectors.c "$work"
python3 bindings/c/tests/cases.py >"$work/cases"

mkdir "$work/app"
cp bindings/javascript/test/installed/* "$work/app"
npm pack --silent --offline --pack-destination "$work" "$root/bindings/javascript" >/dev/null
chromium=${CHROMIUM:-$(command -v chromium || true)}
(
    cd "$work/app"
    npm install --silent --offline --no-audit --no-fund "$work"/nearprint-*.tgz
    # The test's own tool, not the package's.
    if [ -n "$chromium" ]; then npm install --silent --no-save --prefix "$work/tool" playwright-core@1; fi
)

cat >"$work/clean.sh" <<'CLEAN'
set -euo pipefail
cd "$1"
if [ -e "$2/Cargo.toml" ]; then echo "the repository can be read" >&2; exit 1; fi
export PKG_CONFIG_PATH=$1/prefix/lib/pkgconfig
flags="$(pkg-config --cflags nearprint-c) -Wall -Wextra -Werror"
shared="$(pkg-config --libs nearprint-c) -Wl,-rpath,$1/prefix/lib"
static="$1/prefix/lib/libnearprint_c.a -lpthread -ldl -lm"
gcc -std=c11 $flags pairs.c -o pairs $shared
g++ -std=c++17 $flags clusters.cpp -o clusters $shared
gcc -std=c11 $flags vectors.c -o vectors $shared
gcc -std=c11 $flags vectors.c -o vectors-static $static
./pairs >pairs.out
grep -qx '0 2 at distance 0' pairs.out
[ "$(printf '1\n3\n18446744073709551615\n7\n' | ./clusters)" = "1 3 7" ]
./vectors <cases
./vectors-static <cases
# Only what every system has.
others=$(ldd prefix/lib/libnearprint_c.so | awk '{ print $1 }' | grep -vE '^(linux-vdso|libgcc_s|libm|libc|libpthread|libdl|/lib.*/ld-linux).*' || true)
if [ -n "$others" ]; then echo "the library needs $others" >&2; exit 1; fi
cd app
node use.mjs
if [ -n "$3" ]; then node browser.mjs "$3" "$1/tool"; else echo "Chromium is not installed: not tried"; fi
CLEAN

path=$(dirname "$(command -v node)"):/usr/bin:/bin
clean=(env -i "PATH=$path" "HOME=$work" LC_ALL=C.UTF-8 bash "$work/clean.sh" "$work" "$root" "$chromium")
cd "$work"
if [ "$(id -u)" -eq 0 ]; then
    unshare --mount bash -c 'mount -t tmpfs none "$1" && shift && exec "$@"' _ "$root" "${clean[@]}"
else
    echo "installed.sh needs root: it hides the repository from the programs it tries" >&2
    exit 1
fi
echo "the installed packages work"
