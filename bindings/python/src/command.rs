//! The command and the worker, as entry points of the package.

use std::ffi::OsString;

use nearprint::worker::ExitingAllocator;
use pyo3::prelude::*;

/// As a worker, the process tells its host when memory runs out; otherwise this is the system's allocator.
#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

/// Runs the command with these arguments, the first of which is its name; the exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| nearprint_cli::main(arguments))
}

/// Serves a host as its worker, over standard input and output; does not return.
#[pyfunction]
pub(crate) fn serve_worker(py: Python<'_>) {
    py.detach(|| nearprint::worker::serve(nearprint::extract::extract));
}
