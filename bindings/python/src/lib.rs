//! The Python module: Python objects to the library's types and back. Nothing is computed here.
//!
//! What Python programs see is described in `python/nearprint/_nearprint.pyi`. `stub!` is the docstring of a name
//! there, which `build.rs` takes from it.

use pyo3::prelude::*;

include!(concat!(env!("OUT_DIR"), "/stub.rs"));

mod calibrate;
mod capsule;
mod cell;
mod clusters;
mod column;
mod command;
mod compare;
mod correlate;
mod data;
mod decontaminate;
mod dedup;
mod diff;
mod display;
mod documents;
mod engine;
mod error;
mod extras;
mod fingerprint;
mod fingerprints;
mod frame;
mod health;
mod index;
mod index_additions;
mod index_handle;
mod index_queries;
mod job;
mod json;
mod known_passages;
mod matches;
mod options;
mod pairs;
mod passages;
mod pickle;
mod question;
mod reader;
mod repeats;
mod scheme;
mod search;
mod simhash;
mod summary;
mod table;
mod table_rows;
mod texts;

/// Near-duplicate documents: the compiled part of the package `nearprint`.
#[pymodule(gil_used = false)]
mod _nearprint {
    #[pymodule_export]
    use super::calibrate::calibrate;
    #[pymodule_export]
    use super::clusters::clusters;
    #[pymodule_export]
    use super::column::Column;
    #[pymodule_export]
    use super::command::{run_command, serve_worker};
    #[pymodule_export]
    use super::compare::{compare, compare_two_texts};
    #[pymodule_export]
    use super::correlate::correlate;
    #[pymodule_export]
    use super::decontaminate::decontaminate;
    #[pymodule_export]
    use super::dedup::dedup;
    #[pymodule_export]
    use super::diff::diff;
    #[pymodule_export]
    use super::display::{escaped, side_by_side};
    #[pymodule_export]
    use super::documents::{Extraction, extract};
    #[pymodule_export]
    use super::fingerprint::{Fingerprint, fingerprint};
    #[pymodule_export]
    use super::fingerprints::fingerprints;
    #[pymodule_export]
    use super::health::health;
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::known_passages::KnownPassages;
    #[pymodule_export]
    use super::matches::matches;
    #[pymodule_export]
    use super::pairs::pairs;
    #[pymodule_export]
    use super::passages::passages;
    #[pymodule_export]
    use super::question::{question_options, resolved};
    #[pymodule_export]
    use super::reader::{Reader, Record, read};
    #[pymodule_export]
    use super::repeats::{boilerplate, repeats};
    #[pymodule_export]
    use super::simhash::simhash;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::table_rows::table_of_rows;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
