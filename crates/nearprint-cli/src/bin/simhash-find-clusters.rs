//! `simhash-find-clusters`: see the library's documentation.

use std::process::ExitCode;

fn main() -> ExitCode {
    nearprint_simhash_cpp::main(nearprint_simhash_cpp::Program::FindClusters, std::env::args_os())
}
