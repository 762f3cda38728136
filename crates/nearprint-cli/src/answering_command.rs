//! A command of the user's that answers lines with lines.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use crate::exit_status::Failure;

/// Bytes of all answers (<=): a program that writes without end is stopped.
const MOST_BYTES: u64 = 256 << 20;

/// Runs a command in a shell, writes it all questions, and gives its lines: at most one for each question.
pub(crate) fn ask(command: &str, questions: Vec<String>) -> Result<Vec<String>, Failure> {
    let failed = |error| Failure::Work(format!("cannot run the command: {error}"));
    let mut child =
        shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let wanted = questions.len();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    // It may answer before it has read all, so both go on at once.
    let writer = thread::spawn(move || {
        let Some(mut input) = input else { return Ok(()) };
        for question in questions {
            input.write_all(question.as_bytes())?;
            input.write_all(b"\n")?;
        }
        input.flush()
    });
    let mut answers = Vec::new();
    if let Some(output) = output {
        for line in BufReader::new(output.take(MOST_BYTES)).split(b'\n').take(wanted) {
            answers.push(String::from_utf8_lossy(&line.map_err(failed)?).into_owned());
        }
    }
    // Its output is closed: if it has more to say, or reads no further, it ends by that.
    let written = writer.join().unwrap_or(Ok(()));
    child.wait().map_err(failed)?;
    match written {
        // It ended before it had read all; what is missing is seen in the answers.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(failed(error)),
        _ => Ok(answers),
    }
}

fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.arg(option).arg(command);
    shell
}
