//! Where results go: one rule for everything that is written, used by the command, the library and the programs of
//! simhash-cpp.
//!
//! - [`OutputPlace`] says what a path leads to, and so how it is written.
//! - [`FinishedFile`] is a file that appears when it is complete, or something that is written to directly.
//! - [`FinishedFolder`] is a directory that appears when all files in it are complete.
//! - [`FileIdentity`] tells whether two names are one file; [`Standard`] is a standard stream.
//! - [`durability`] makes files and their names outlast a power cut.
//!
//! Not here: whether a file may be replaced, and what is written.

mod abandoned_parts;
pub mod durability;
mod existing_file;
mod file_identity;
mod finished_file;
mod finished_folder;
mod output_place;

pub use abandoned_parts::remove_abandoned_parts;
pub use file_identity::{FileIdentity, Standard};
pub use finished_file::FinishedFile;
pub use finished_folder::FinishedFolder;
pub use output_place::OutputPlace;
