#!/usr/bin/env bash
# Installs the C library: install.sh BUILD PREFIX. BUILD is the folder of the libraries, such as target/release.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?the folder of the libraries}
prefix=${2:?the prefix}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
install -m 644 "$here/include/nearprint.h" "$prefix/include/nearprint.h"
install -m 644 "$build/libnearprint_c.a" "$prefix/lib/libnearprint_c.a"
install -m 755 "$build/libnearprint_c.so" "$prefix/lib/libnearprint_c.so.$version"
ln -sf "libnearprint_c.so.$version" "$prefix/lib/libnearprint_c.so.${version%.*}"
ln -sf "libnearprint_c.so.${version%.*}" "$prefix/lib/libnearprint_c.so"
sed -e "s|@PREFIX@|$(cd "$prefix" && pwd)|" -e "s|@VERSION@|$version|" "$here/nearprint-c.pc.in" >"$prefix/lib/pkgconfig/nearprint-c.pc"
