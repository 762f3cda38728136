#!/usr/bin/env bash
# The C library: its functions are those of the header, the examples compile as C and C++ and run, the vectors pass, under
# AddressSanitizer too, and what is installed into an empty prefix is found by pkg-config. Needs gcc and pkg-config.
# Usage: c.sh [FOLDER OF THE LIBRARIES]; by default target/debug, as the build leaves them.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "${1:-${CARGO_TARGET_DIR:-target}/debug}" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
prefix=$work/prefix
bindings/c/install.sh "$build" "$prefix"

grep -o '\bnp_[a-z_]*(' bindings/c/include/nearprint.h | tr -d '(' | sort -u >"$work/declared"
nm -D --defined-only "$prefix/lib/libnearprint_c.so" | awk '$3 ~ /^np_/ { print $3 }' | sort -u >"$work/exported"
diff "$work/declared" "$work/exported" || { echo "the header and the library have other functions" >&2; exit 1; }

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags="$(pkg-config --cflags nearprint-c) -Wall -Wextra -Werror -g"
shared="$(pkg-config --libs nearprint-c) -Wl,-rpath,$prefix/lib"
static="$prefix/lib/libnearprint_c.a -lpthread -ldl -lm"
python3 bindings/c/tests/cases.py >"$work/cases"

# Words are to be divided: they are options.
# shellcheck disable=SC2086
{
    gcc -std=c11 $flags bindings/c/examples/pairs.c -o "$work/pairs" $shared
    g++ -std=c++17 $flags bindings/c/examples/clusters.cpp -o "$work/clusters" $shared
    gcc -std=c11 $flags bindings/c/tests/vectors.c -o "$work/vectors" $shared
    gcc -std=c11 $flags -fsanitize=address,undefined bindings/c/tests/vectors.c -o "$work/sanitized" $static
}
"$work/pairs" >"$work/pairs.out"
grep -qx '0 2 at distance 0' "$work/pairs.out" || { cat "$work/pairs.out"; exit 1; }
[ "$(wc -l <"$work/pairs.out")" -eq 4 ]
found=$(printf '1\n3\n18446744073709551615\n7\n' | "$work/clusters")
[ "$found" = "1 3 7" ] || { echo "clusters.cpp printed: $found"; exit 1; }
"$work/vectors" <"$work/cases"
"$work/sanitized" <"$work/cases"
