//! The command from outside: whole output, whole error output, exit code.
//!
//! What can be said as a transcript is one in `tests/cases`; here is what cannot: odd names, pipes, signals, JSON read
//! back by a stranger.

mod answering;
mod bombs;
mod charsets;
mod codes;
mod deaths;
mod expected_inputs;
mod files;
mod forms;
mod harness;
mod hostile;
mod jsonl;
#[cfg(unix)]
mod kills;
mod outcomes;
mod overwriting;
mod packings;
mod pages;
mod prints;
mod samples;
mod streams;
mod threads;
mod transcripts;
mod verified;
