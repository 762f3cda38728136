//! The executable `nearprint`. All of the command is in the library of this crate.

use std::process::ExitCode;

use nearprint::worker::ExitingAllocator;

/// As a worker, the command tells its host when memory runs out; otherwise this is the system's allocator.
#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

fn main() -> ExitCode {
    ExitCode::from(nearprint_cli::main(std::env::args_os().collect()))
}
