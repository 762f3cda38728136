//! The worker's side: documents in, answers out, until the input ends.

use std::io::{self, BufReader, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::process::exit;
use std::thread;

use nearprint_extract::{ExtractError, Extraction, Hints, Limits};

use crate::allocator;
use crate::confinement::{self, Confinement, OpenFiles, Streams};
use crate::frame::{self, Hello, ReadError, Ready, Settings, WorkerState};
use crate::protection::{Protection, Protections};
use crate::sandbox;

/// Exit code of a worker that was sent something else than the protocol, or whose limits were refused.
const EXIT_PROTOCOL: i32 = 82;

/// Exit code of a worker whose extractor panicked: that of any Rust program.
const EXIT_PANIC: i32 = 101;

/// Bytes of stack for extraction, the same on every machine, whatever its `ulimit -s`.
const STACK_BYTES: usize = 64 << 20;

/// Bytes of the longest document whose buffer is kept for the next one.
const KEPT_BUFFER_BYTES: usize = 4 << 20;

/// Serves a host over standard input and output, and ends the process when the host closes them or dies.
///
/// Every document is given to `extract`; pass [`nearprint_extract::extract`] or something that calls it. A
/// panic in it ends the process: after one, nothing here is trusted with another document. On Linux it may start no
/// thread and no program, open nothing, and make no memory executable: any of it ends the process (see
/// [`Protection`]).
///
/// Call it first thing in `main`. It never returns.
pub fn serve<F>(extract: F) -> !
where
    F: Fn(&[u8], &Hints, &Limits) -> Result<Extraction, ExtractError> + Send + 'static,
{
    if io::stdin().is_terminal() {
        eprintln!(
            "nearprint-worker {} reads documents for nearprint, which starts it automatically; \
                it is not for use by hand.",
            frame::RELEASE
        );
        exit(2);
    }
    allocator::arm();
    panic::set_hook(Box::new(|panic| say(&panic_line(panic))));
    let mut held = Protections::default();
    held.set(Protection::EndsWithHost, confinement::die_with_host());
    let streams = confinement::take_streams().unwrap_or_else(|error| give_up(&error.to_string()));
    let opened = OpenFiles::new();
    // While this is the only thread: what a thread is denied, those that it starts are denied as well.
    sandbox::enter(&mut held);
    let served = thread::Builder::new()
        .name("extraction".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let served =
                panic::catch_unwind(AssertUnwindSafe(|| run(streams, opened, held, &extract)));
            match served {
                Ok(Ok(())) => exit(0),
                Ok(Err(ReadError::Stream(error))) => give_up(&error.to_string()),
                Ok(Err(ReadError::Foreign(what))) => give_up(&what),
                Err(_) => exit(EXIT_PANIC),
            }
        });
    if let Err(error) = served {
        give_up(&format!("cannot start a thread for extraction: {error}"));
    }
    confinement::wait_for_end();
    exit(0)
}

fn give_up(why: &str) -> ! {
    say(why);
    exit(EXIT_PROTOCOL)
}

/// Unlike `eprintln!`, does not mind that nobody can hear it.
fn say(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}

fn run(
    streams: Streams,
    opened: OpenFiles,
    mut held: Protections,
    extract: &impl Fn(&[u8], &Hints, &Limits) -> Result<Extraction, ExtractError>,
) -> Result<(), ReadError> {
    let Streams { input, mut output } = streams;
    let mut input = BufReader::with_capacity(64 << 10, input);
    Hello::write(&mut output)?;
    let confinement = Confinement::enter(Settings::read(&mut input)?, opened)?;
    sandbox::filter_calls(&mut held);
    frame::write_ready(&mut output, Ready { resident: confinement.resident(), held })?;
    let mut document = Vec::new();
    while let Some(request) = frame::read_request(&mut input, &mut document)? {
        confinement.begin_document()?;
        let outcome = extract(&document, &request.head.hints, &request.head.limits);
        if document.capacity() > KEPT_BUFFER_BYTES {
            document = Vec::new();
        }
        let worker =
            WorkerState { resident: confinement.resident(), is_spent: confinement.is_spent() };
        frame::write_answer(&mut output, request.serial, worker, &outcome)?;
    }
    Ok(())
}

/// One line without the folders of the machine that built the worker.
fn panic_line(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("a panic");
    match panic.location() {
        Some(at) => {
            let file = Path::new(at.file()).file_name().unwrap_or_default();
            format!("panicked at {}:{}: {what}", file.display(), at.line())
        }
        None => format!("panicked: {what}"),
    }
}
