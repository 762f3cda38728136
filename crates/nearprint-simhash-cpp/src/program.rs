//! The two programs: checks, reading, search, writing, each failure with simhash-cpp's message and exit code.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use nearprint_output::OutputPlace;

use crate::hashes::{ReadError, read_hashes};
use crate::number::NotANumber;
use crate::options::{Options, Refusal};
use crate::search::{clusters, pairs};

/// The largest number of blocks: one a bit.
const BITS: u64 = 64;

/// Which of the two programs to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Writes every pair within the distance.
    FindAll,
    /// Writes the connected components of those pairs.
    FindClusters,
}

/// Runs a program with its arguments, the first being its own name, on the process's standard streams.
pub fn main(program: Program, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let name = arguments.next().unwrap_or_default();
    let operands_end_options = std::env::var_os("POSIXLY_CORRECT").is_some();
    match Options::read(arguments, operands_end_options) {
        Ok(options) => run(program, &options),
        Err(refusal) => refuse(program, &name, &refusal),
    }
    .into()
}

fn refuse(program: Program, name: &OsStr, refusal: &Refusal) -> u8 {
    let name = name.to_string_lossy();
    match refusal {
        Refusal::Help => {
            // A closed standard output is not a reason to fail a help text.
            let _ = io::stdout().write_all(usage(program, &name).as_bytes());
            0
        }
        Refusal::Usage(what) => fail(1, format_args!("{name}: {what}")),
        Refusal::NoBlocks => fail(2, "Blocks must be provided and > 0"),
        Refusal::NoDistance => fail(3, "Distance must be provided and > 0"),
        Refusal::NoInput => fail(4, "Input must be provided and non-empty."),
        Refusal::NoOutput => fail(5, "Output must be provided and non-empty."),
        Refusal::TooFewBlocks { blocks, distance } => {
            fail(6, format_args!("Blocks ({blocks}) must be > distance ({distance})"))
        }
    }
}

fn run(program: Program, options: &Options) -> u8 {
    let input = Path::new(&options.input);
    let read = if options.input == "-" {
        eprintln!("Reading hashes from stdin.");
        read_hashes(io::stdin().lock())
    } else {
        eprintln!("Reading hashes from {}", input.display());
        File::open(input).map_err(ReadError::Io).and_then(|file| read_hashes(BufReader::new(file)))
    };
    let hashes = match read {
        Ok(hashes) => hashes,
        Err(ReadError::Io(error)) => {
            return fail(7, format_args!("Error reading {}: {error}", input.display()));
        }
        Err(ReadError::Line(line, why)) => {
            let why = match why {
                NotANumber::Empty | NotANumber::Missing => "not a number",
                NotANumber::TooLarge => "a number above 18446744073709551615",
            };
            return fail(
                9,
                format_args!(
                    "Error reading {}: line {line} is {why}; one unsigned decimal number a line is wanted",
                    input.display()
                ),
            );
        }
    };
    if options.blocks > BITS {
        return fail(10, format_args!("Number of blocks must not exceed {BITS}"));
    }
    // Below the number of blocks, so below 64.
    let distance = options.distance as u32;
    let output = Path::new(&options.output);
    eprintln!("Computing {}...", program.computes());
    let write = |stream: &mut (dyn Write + Send)| program.write(&hashes, distance, stream);
    let written = if options.output == "-" {
        eprintln!("Writing results to stdout.");
        write(&mut io::stdout())
    } else {
        eprintln!("Writing {} to {}", program.writes(), output.display());
        write_file(output, write)
    };
    match written {
        Ok(()) => 0,
        // The reader has gone away and needs no more: simhash-cpp, too, stops quietly.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => fail(8, format_args!("Error writing {}: {error}", output.display())),
    }
}

impl Program {
    fn computes(self) -> &'static str {
        match self {
            Self::FindAll => "matches",
            Self::FindClusters => "clusters",
        }
    }

    fn writes(self) -> &'static str {
        match self {
            Self::FindAll => "matches",
            Self::FindClusters => "results",
        }
    }

    /// Searches and writes one JSON array a line.
    fn write(
        self,
        hashes: &[u64],
        distance: u32,
        stream: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let mut lines = Vec::new();
        match self {
            Self::FindAll => pairs(hashes, distance, |a, b| {
                writeln!(lines, "[{a}, {b}]")?;
                flush_above(&mut lines, BUFFER, stream)
            })?,
            Self::FindClusters => {
                for cluster in clusters(hashes, distance)? {
                    let mut separator = "[";
                    for hash in cluster {
                        write!(lines, "{separator}{hash}")?;
                        separator = ", ";
                    }
                    lines.extend_from_slice(b"]\n");
                    flush_above(&mut lines, BUFFER, stream)?;
                }
            }
        }
        flush_above(&mut lines, 0, stream)?;
        stream.flush()
    }
}

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 16;

fn flush_above(
    lines: &mut Vec<u8>,
    size: usize,
    stream: &mut (dyn Write + Send),
) -> io::Result<()> {
    if lines.len() > size {
        stream.write_all(lines)?;
        lines.clear();
    }
    Ok(())
}

/// Writes to the file or device that the path leads to directly, as simhash-cpp does: whoever holds a link, a hard link
/// or the other end of a pipe gets the lines there. A run that is interrupted leaves some of them.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    write(&mut OutputPlace::of(path)?.open_in_place()?)
}

fn fail(code: u8, message: impl std::fmt::Display) -> u8 {
    eprintln!("{message}");
    code
}

fn usage(program: Program, name: &str) -> String {
    let what = match program {
        Program::FindAll => "all pairs of hashes within DISTANCE bits of each other",
        Program::FindClusters => "all clusters of hashes connected by pairs within DISTANCE bits",
    };
    format!(
        "usage: {name} --blocks BLOCKS --distance DISTANCE [--input INPUT] [--output OUTPUT]\n\n\
         Reads 64-bit hashes (unsigned decimal numbers, one a line), finds {what},\n\
         and writes them as JSON arrays, one a line.\n\n\
         \x20 -b, --blocks BLOCKS        number of blocks, 2 to 64, more than DISTANCE; the answer does not depend on it\n\
         \x20 -d, --distance DISTANCE    largest number of differing bits, at least 1\n\
         \x20 -i, --input INPUT          path of the input, - for standard input (the default)\n\
         \x20 -o, --output OUTPUT        path of the output, - for standard output (the default)\n\n\
         example: {name} -b 6 -d 3 -i hashes.txt\n\n\
         The manual page simhash-find-all(1) lists the exit codes and all differences from simhash-cpp.\n"
    )
}
