//! The command from outside: whole output, whole error output, exit code.
//!
//! Whatever a transcript can state is one in `tests/cases`. The tests here cover the rest: odd names, pipes, signals,
//! and JSON read back by another program.

mod against;
mod bombs;
mod captures;
mod charsets;
mod codes;
mod conformance;
mod deaths;
mod decision_checks;
mod decontamination;
mod doors;
mod duplicates;
mod expected_inputs;
mod files;
mod forms;
mod harness;
mod hostile;
mod index;
mod jsonl;
#[cfg(unix)]
mod kills;
mod line_queries;
mod many_records;
mod outcomes;
mod overwrite;
mod packings;
mod pages;
mod passages;
mod prints;
mod quiet;
mod reports;
mod samples;
#[cfg(unix)]
mod serve;
mod shards;
mod streams;
mod terminals;
mod threads;
mod transcripts;
mod verification;
mod wacz;
mod weak_bits;
