//! `simhash-find-all` and `simhash-find-clusters`: drop-ins for the two programs of simhash-cpp.
//!
//! Both read hashes as decimal lines, find all that lie within `--distance` bits of each other, and write JSON arrays,
//! one a line. Options, messages, order of checks and exit codes are those of simhash-cpp's programs (`src/bin` of its
//! last commit), so that a script written for them continues working; the search is nearprint's.
//!
//! The programs are installed with the command (`nearprint-cli`). The manual page, `man/simhash-find-all.1`, lists the
//! exit codes and every difference from simhash-cpp.

mod hashes;
mod number;
mod options;
mod program;
mod search;

pub use program::{Program, main};
