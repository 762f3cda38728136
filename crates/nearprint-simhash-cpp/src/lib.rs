//! `simhash-find-all` and `simhash-find-clusters`: drop-ins for the two programs of simhash-cpp.
//!
//! Both read hashes as decimal lines, find all that lie within `--distance` bits of each other, and write JSON arrays,
//! one a line. Options, messages, order of checks and exit codes are those of simhash-cpp's programs (`src/bin` of its
//! last commit), so that a script written for them continues working; the search is nearprint's. Where its README and
//! its programs disagree we follow the programs: the README promises `-` as the default of `--input` and `--output`,
//! but the programs refuse a missing input with exit code 4 and a missing output with 5, and that is what scripts have
//! met.
//!
//! Documented differences, none of which changes the set of lines for valid input:
//!
//! - Lines come in ascending order (theirs: the order of a hash table). A pair is written smaller number first, as
//!   there.
//! - An input line that does not begin with a number of 64 bits, and more than 64 blocks, end simhash-cpp by an
//!   uncaught C++ exception (SIGABRT); here they are messages with exit codes 9 and 10.
//! - A failed write is exit code 8; simhash-cpp says nothing and exits 0.
//! - An output file is opened and emptied when the first result is due; simhash-cpp computes all results before.
//! - `--blocks` is checked but does not decide how the search is done: the answer does not depend on it.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done, or `--help` |
//! | 1 | an unknown or incomplete option |
//! | 2, 3, 4, 5 | no `--blocks`, no `--distance`, no `--input`, no `--output` (0 and the empty string count as none) |
//! | 6 | `--blocks` not greater than `--distance` |
//! | 7 | the input cannot be read |
//! | 8 | the output cannot be written |
//! | 9 | an input line is not a number of 64 bits |
//! | 10 | more than 64 blocks |

mod hashes;
mod number;
mod options;
mod program;
mod search;

pub use program::{Program, main};
