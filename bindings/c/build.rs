//! The name by which programs ask for the shared library: of its first version number, or of its second while that is 0.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let part = |name: &str| env::var(name).unwrap_or_default();
    if part("CARGO_CFG_TARGET_OS") == "linux" {
        let version = [part("CARGO_PKG_VERSION_MAJOR"), part("CARGO_PKG_VERSION_MINOR")].join(".");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libnearprint_c.so.{version}");
    }
}
