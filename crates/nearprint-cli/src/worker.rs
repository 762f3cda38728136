//! The command as its own worker: `nearprint worker`, which it starts by itself.
//!
//! One file is installed and updated, and host and worker are always of one release. It is no verb: nobody types it,
//! and a worker that starts in a millisecond has no time for the command line's definition.

use std::ffi::OsString;

use nearprint::extract::extract;
use nearprint::worker::{PoolOptions, serve};

/// The one argument that asks for it.
const ARGUMENT: &str = "worker";

/// Where this process was started as a worker: serves its host, and does not return.
pub(crate) fn serve_if_asked(arguments: &[OsString]) {
    if let [_, only] = arguments
        && only == ARGUMENT
    {
        serve(extract)
    }
}

/// Workers with default limits.
pub(crate) fn workers() -> PoolOptions {
    PoolOptions::this_program(ARGUMENT)
}
