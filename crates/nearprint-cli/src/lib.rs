//! The `nearprint` command: arguments to settings, one call of the library, an exit code. It is a library so that the
//! package for Python can have it without another executable.
//!
//! A verb is a file in `verbs`; what several verbs share of the command line is in `options`. Nothing is computed here:
//! whatever the command can do, the library can. Data goes to standard output, talk to standard error.

mod aligned_table;
mod answering_command;
mod cluster_output;
mod collection;
mod color;
mod command;
mod conditions;
mod configuration;
mod exit_status;
mod forecasts;
mod groups;
mod indexes;
mod interrupt;
mod jobs;
mod kept_documents;
mod keys;
mod line_queries;
mod messages;
mod options;
mod other_command;
mod output;
mod outputs;
mod prints_output;
mod promises;
mod query_run;
mod question;
mod reading_options;
mod remarks;
mod remedies;
mod report;
mod results;
mod search_inputs;
mod search_options;
#[cfg(feature = "server")]
mod server_options;
mod similar_rows;
mod table;
mod talk;
mod unexpected_input;
mod verbs;
mod visible;
mod weak_bits;
mod worker;

use std::ffi::OsString;
use std::io::Write;

/// Runs the command with its arguments, the first of which is its name, and returns its exit code. For the `main` of a
/// program: wrong usage and signals end the process in here.
#[must_use]
pub fn main(arguments: Vec<OsString>) -> u8 {
    if let Some(code) = worker::serve_if_asked(&arguments) {
        return code;
    }
    // Wrong usage ends in here, with 2 and a text of clap's.
    let command = command::parse(arguments);
    command.color.choose();
    interrupt::watch();
    silence_workers();
    let code = match verbs::run(command.verb) {
        Ok(ending) => ending.code(),
        Err(failure) => {
            if let Some(text) = failure.text() {
                talk::last_words(&text);
            }
            failure.code()
        }
    };
    // A host that is no Rust program does not do this at its end.
    let _ = std::io::stdout().flush();
    code
}

/// A panic while a document is worked on becomes that document's record, which tells it once and with its place.
fn silence_workers() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some("nearprint") {
            usual(panic);
        }
    }));
}
