//! The `nearprint` command: arguments to settings, one call of the library, an exit code.
//!
//! A verb is a file in `verbs`; what several verbs share of the command line is in `options`. Nothing is computed here:
//! whatever the command can do, the library can. Data goes to standard output, talk to standard error.

mod aligned;
mod answering;
mod collection;
mod color;
mod command;
mod disk;
mod ending;
mod inputs;
mod interrupt;
mod jobs;
mod memory;
mod options;
mod output;
mod outputs;
mod remedies;
mod results;
mod searching;
mod table;
mod talk;
mod unexpected;
mod verbs;
mod verifying;
mod worker;

use std::process::ExitCode;

use nearprint::worker::ExitingAllocator;

/// As a worker, the command tells its host when memory runs out; otherwise this is the system's allocator.
#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

fn main() -> ExitCode {
    worker::serve_if_asked();
    // Wrong usage ends in here, with 2 and a text of clap's.
    let command = command::parse();
    command.color.choose();
    interrupt::watch();
    silence_workers();
    match verbs::run(command.verb) {
        Ok(ending) => ending.into(),
        Err(failure) => {
            if let Some(text) = failure.text() {
                talk::last_words(&text);
            }
            failure.code()
        }
    }
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
