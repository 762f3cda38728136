#!/usr/bin/env bash
# Installs what a make target needs and a fresh Debian machine with Rust lacks; does nothing where all is there.
# Usage: install-tools.sh run|wheel|test|fuzz. Python tools go into .venv, system packages through apt; without root it
# prints the one command to give and stops. `wheel` needs no cross compiler, emulator, Java or PySpark.
set -euo pipefail
cd "$(dirname "$0")/.."

# command or file that must exist = Debian package that brings it
declare -A needs=([/usr/bin/cc]=gcc)
mode=${1:-test}
python_tools=
case $mode in
    run) ;;
    # check_wheel.py reads the wheel's programs with readelf, which gcc brings.
    wheel) python_tools=scripts/wheel-tools.txt ;;
    test) python_tools=scripts/python-tools.txt ;;
    fuzz) needs+=([/usr/bin/c++]=g++) ;;                            # libFuzzer is written in C++
    *) echo "install-tools.sh: $mode is not one of run, wheel, test, fuzz" >&2; exit 2 ;;
esac
if [ "$mode" = test ]; then
    needs+=(
        [/usr/bin/perl]=perl                                       # second derivation of the Unicode tables
        [/usr/share/unicode/DerivedAge.txt]=unicode-data           # third derivation
        [/usr/bin/pdftotext]=poppler-utils                         # what PDF text is measured against
        [/usr/sbin/nginx]=nginx-light                              # a proxy before the server
        [/usr/bin/zstd]=zstd                                       # writes compressed files for nearprint
        [/usr/bin/java]=openjdk-17-jre-headless                    # runs Spark
        [/usr/bin/g++]=g++                                         # compiles the examples of the C library
        [/usr/bin/pkg-config]=pkg-config                           # finds it where it is installed
    )
    if [ "$(uname -m)" != aarch64 ]; then
        needs+=(
            [/usr/bin/qemu-aarch64]=qemu-user                      # runs the tests of vector code for AArch64
            [/usr/bin/aarch64-linux-gnu-gcc]=gcc-aarch64-linux-gnu # links them
            [/usr/aarch64-linux-gnu/lib/crt1.o]=libc6-dev-arm64-cross
        )
    fi
fi
if [ -n "$python_tools" ]; then
    python3 -c 'import venv, ensurepip' 2>/dev/null || needs+=([/usr/bin/python3-venv-missing]=python3-venv)
fi

missing=()
for path in "${!needs[@]}"; do
    [ -e "$path" ] || missing+=("${needs[$path]}")
done
if [ ${#missing[@]} -gt 0 ]; then
    install="apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" = 0 ]; then
        echo "installing: ${missing[*]}" >&2
        (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}") >/dev/null
    else
        echo "missing: ${missing[*]}. Give this command, then try again:" >&2
        echo "  sudo sh -c '$install'" >&2
        exit 1
    fi
fi
command -v cargo >/dev/null || { echo "cargo is missing: install Rust (rustup or your distribution), then try again" >&2; exit 1; }

if [ -n "$python_tools" ]; then
    wanted=$(cat "$python_tools")
    # One record for each list: `make wheel` after `make test` adds its few tools, and neither removes the other's.
    record=.venv/installed-$mode
    if [ ! -x .venv/bin/python ] || [ "$(cat "$record" 2>/dev/null)" != "$wanted" ]; then
        [ -x .venv/bin/python ] || python3 -m venv .venv
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$python_tools"
        printf '%s\n' "$wanted" > "$record"
    fi
fi
