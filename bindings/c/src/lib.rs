//! The C library of nearprint; `include/nearprint.h` documents it.
//!
//! `exports` has the functions, and is the only file with unsafe code: it checks pointers, and calls `calls`, which is
//! safe Rust over `nearprint-fingerprint` and `nearprint-search`. A panic does not leave a function: it becomes
//! [`Status::Internal`].

mod calls;
mod exports;
mod status;

pub use exports::{
    Pair, Print, np_distance, np_find_all, np_find_clusters, np_fingerprint, np_free_pairs,
    np_message, np_parse, np_similarity, np_version,
};
pub use status::Status;
