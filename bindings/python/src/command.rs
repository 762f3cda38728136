//! The command and the worker, as entry points of the package.

use std::ffi::OsString;

use nearprint::worker::ExitingAllocator;
use pyo3::prelude::*;

/// As a worker, the process tells its host when memory runs out; otherwise this is the system's allocator.
#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

#[doc = stub!(run_command)]
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| nearprint_cli::main(arguments))
}

#[doc = stub!(serve_worker)]
#[pyfunction]
pub(crate) fn serve_worker(py: Python<'_>) {
    py.detach(|| nearprint::worker::serve(nearprint::extract::extract));
}
