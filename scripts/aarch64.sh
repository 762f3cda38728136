#!/usr/bin/env bash
# The crates with vector code for AArch64, built for it and their tests run by qemu-user: vectors of all schemes, and each
# level held to the portable one. Debian's compiler for browsers (rustc-web, with its standard library for arm64) is
# fetched once into build/aarch64 from the system's sources of packages, by a state of apt's own, and unpacked there: nothing of
# the system changes.
# A compiler that has the target's standard library (rustup target add aarch64-unknown-linux-gnu) is taken as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-gnu
room=$PWD/build/aarch64

if [ "$(uname -m)" = aarch64 ]; then
    echo "this machine is AArch64: its unit tests are this check"
    exit 0
fi

# The value of a package's field of dependencies that begins with $2.
needed() { apt-cache show "$1" | sed -n 's/^Depends: //p' | head -n 1 | tr ', ' '\n\n' | grep "^$2" | head -n 1; }
versions() { apt-cache madison "$1" | cut -d '|' -f 2 | tr -d ' ' | sort -u; }

fetch_compiler() (
    set -euo pipefail
    host=$(dpkg --print-architecture)
    mkdir -p "$room/state/lists/partial" "$room/cache/archives/partial" "$room/packages"
    cat > "$room/apt.conf" <<-CONFIG
		APT::Architecture "$host";
		APT::Architectures {"$host";"arm64";};
		APT::Sandbox::User "";
		Acquire::Languages "none";
		Dir::State "$room/state";
		Dir::State::status "/dev/null";
		Dir::Cache "$room/cache";
	CONFIG
    export APT_CONFIG=$room/apt.conf
    apt-get update --quiet=2
    # Compiler and libraries must be of one build.
    version=$(comm -12 <(versions "rustc-web:$host") <(versions libstd-rust-web-dev:arm64) | sort --version-sort | tail -n 1)
    [ -n "$version" ]
    runtime=$(needed "libstd-rust-web-dev:$host=$version" libstd-rust-web-)
    llvm=$(needed "$runtime:$host=$version" libllvm)
    cd "$room/packages"
    apt-get download --quiet=2 "rustc-web:$host=$version" "libstd-rust-web-dev:$host=$version" \
        "libstd-rust-web-dev:arm64=$version" "$runtime:$host=$version" "$llvm:$host"
    for package in *.deb; do dpkg-deb --extract "$package" "$room/system"; done
    libraries=$(dirname "$(ls "$room"/system/usr/lib/*/librustc_driver-*.so)")
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$room/system/usr/bin/rustc" > "$room/rustc.new"
    chmod +x "$room/rustc.new"
    "$room/rustc.new" --version
    mv "$room/rustc.new" "$room/rustc"
    rm -r "$room/packages"
)

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    if [ ! -x "$room/rustc" ]; then
        echo "fetching Debian's rustc-web with the standard library for arm64 into build/aarch64 (126 MB)"
        rm -rf "$room"
        # Not in a condition: there `set -e` would not hold inside it.
        set +e
        fetch_compiler
        fetched=$?
        set -e
        if [ $fetched -ne 0 ]; then
            echo "no compiler for $target: Debian's rustc-web and libstd-rust-web-dev:arm64 of one version could not be fetched" >&2
            echo "from the system's sources of packages (bookworm-security has them). Fix them, or run: rustup target add $target" >&2
            exit 1
        fi
    fi
    export RUSTC=$room/rustc
fi
for tool in qemu-aarch64 aarch64-linux-gnu-gcc; do
    command -v $tool >/dev/null || { echo "$tool is missing: scripts/install-tools.sh test installs it, or says how" >&2; exit 1; }
done

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
# What only this target leaves unused is seen by no other check. Other warnings may be of a newer compiler than ours.
export RUSTFLAGS="-D unused -D unfulfilled-lint-expectations"
# Dependencies are compiled for this alone: less of their optimisation is less of the whole.
options=(--target "$target" --target-dir "${CARGO_TARGET_DIR:-target}/aarch64" --all-features
    --config 'profile.dev.package."*".opt-level=1' --config profile.dev.debug=false)
# Of searching only the comparisons: the rest is the same code on every machine.
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --cargo-quiet --no-fail-fast --status-level fail --final-status-level slow "${options[@]}" \
        --package nearprint-fingerprint --package nearprint-search --lib --tests -E 'package(nearprint-fingerprint) | test(kernel::)'
else
    cargo test --quiet --no-fail-fast "${options[@]}" --package nearprint-fingerprint --lib --tests
    cargo test --quiet "${options[@]}" --package nearprint-search --lib kernel::
fi
