//! What is kept of many documents: ids, fingerprints, features and texts, in memory and beyond it in temporary files.
//!
//! Nothing here reads documents or decides which of them are alike.

pub(crate) mod byte_log;
pub(crate) mod byte_store;
pub(crate) mod document_frequencies;
pub(crate) mod extractor_list;
pub(crate) mod feature_store;
pub(crate) mod id_counter;
pub(crate) mod id_list;
pub(crate) mod print_set;
pub(crate) mod short_list;
pub(crate) mod sketch_list;
pub(crate) mod spill_file;
pub(crate) mod temporary_file;
pub(crate) mod text_store;
#[cfg(feature = "spill")]
mod unnamed_file;
#[cfg(not(feature = "spill"))]
#[path = "store/unnamed_file_none.rs"]
mod unnamed_file;
