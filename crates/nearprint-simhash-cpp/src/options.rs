//! The command line of simhash-cpp's two programs, read as they read it.
//!
//! They use GNU `getopt_long` and C++ streams, and scripts depend on the corners: options may be abbreviated, other
//! arguments are ignored, `--blocks abc` means 0 and `--blocks ''` nothing at all, and the checks come in a fixed order
//! with an exit code each. This file is that behaviour and nothing else; `clap` would refuse most of it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use crate::number::{NotANumber, leading_unsigned};

/// What the command line asks for, before the checks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// `--input`, `-i`: a path, or `-` for standard input.
    pub(crate) input: OsString,
    /// `--output`, `-o`: a path, or `-` for standard output.
    pub(crate) output: OsString,
    /// `--blocks`, `-b`: number of blocks the bits are divided into.
    pub(crate) blocks: u64,
    /// `--distance`, `-d`: largest distance of a match.
    pub(crate) distance: u64,
}

/// Why a command line is not carried out; each is an exit code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Exit code 0: `--help` was met.
    Help,
    /// Exit code 1: an unknown or incomplete option.
    Usage(String),
    /// Exit code 2.
    NoBlocks,
    /// Exit code 3.
    NoDistance,
    /// Exit code 4.
    NoInput,
    /// Exit code 5.
    NoOutput,
    /// Exit code 6.
    TooFewBlocks {
        /// Number of blocks asked for.
        blocks: u64,
        /// Distance asked for.
        distance: u64,
    },
}

#[derive(Clone, Copy)]
enum Name {
    Input,
    Output,
    Blocks,
    Distance,
    Help,
}

const NAMES: [(&str, u8, Name); 5] = [
    ("input", b'i', Name::Input),
    ("output", b'o', Name::Output),
    ("blocks", b'b', Name::Blocks),
    ("distance", b'd', Name::Distance),
    ("help", b'h', Name::Help),
];

impl Options {
    /// Reads the arguments (without the program's name) and checks them in simhash-cpp's order. `operands_end_options`
    /// is what `POSIXLY_CORRECT` in the environment asks of `getopt_long`: options after the first operand are
    /// operands, too.
    pub(crate) fn read(
        arguments: impl IntoIterator<Item = OsString>,
        operands_end_options: bool,
    ) -> Result<Self, Refusal> {
        // Standard input and output are the defaults by simhash-cpp's README, though its programs refuse.
        let mut options = Self { input: "-".into(), output: "-".into(), blocks: 0, distance: 0 };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let bytes = argument.as_bytes();
            if bytes == b"--" {
                break;
            } else if let Some(long) = bytes.strip_prefix(b"--") {
                options.long(long, &mut arguments)?;
            } else if bytes.len() > 1 && bytes[0] == b'-' {
                options.short(&bytes[1..], &mut arguments)?;
            } else if operands_end_options {
                break;
            }
            // Anything else is an operand; the programs ignore operands.
        }
        options.check()
    }

    fn long(
        &mut self,
        text: &[u8],
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), Refusal> {
        let (typed, value) = match text.iter().position(|&b| b == b'=') {
            Some(at) => (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]).to_owned())),
            None => (text, None),
        };
        let shown = String::from_utf8_lossy(typed);
        // The names differ in their first letter, so no abbreviation of one letter or more is ambiguous.
        let found =
            NAMES.iter().find(|(name, ..)| !typed.is_empty() && name.as_bytes().starts_with(typed));
        match found {
            None => Err(Refusal::Usage(format!("unrecognized option '--{shown}'"))),
            Some((name, _, Name::Help)) => Err(match value {
                Some(_) => Refusal::Usage(format!("option '--{name}' doesn't allow an argument")),
                None => Refusal::Help,
            }),
            Some(&(name, _, which)) => {
                let value = value.or_else(|| rest.next()).ok_or_else(|| {
                    Refusal::Usage(format!("option '--{name}' requires an argument"))
                })?;
                self.set(which, value);
                Ok(())
            }
        }
    }

    /// An argument of a dash and letters. No letter but `h` goes without a value, and that ends the reading, so only
    /// the first letter is an option.
    fn short(
        &mut self,
        letters: &[u8],
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), Refusal> {
        let (letter, attached) = (letters[0], &letters[1..]);
        let shown = char::from(letter);
        match NAMES.iter().find(|&&(_, short, _)| short == letter) {
            None => Err(Refusal::Usage(format!("invalid option -- '{shown}'"))),
            Some((.., Name::Help)) => Err(Refusal::Help),
            Some(&(.., which)) => {
                let value = match attached {
                    [] => rest.next(),
                    attached => Some(OsStr::from_bytes(attached).to_owned()),
                };
                let value = value.ok_or_else(|| {
                    Refusal::Usage(format!("option requires an argument -- '{shown}'"))
                })?;
                self.set(which, value);
                Ok(())
            }
        }
    }

    fn set(&mut self, name: Name, value: OsString) {
        // As with a C++ stream: a text without anything to read leaves the number as it was, one that does not begin
        // with a number makes it 0, and what follows a number is ignored.
        let number = |before: u64| match leading_unsigned(value.as_bytes()) {
            Ok(number) => number,
            Err(NotANumber::Empty) => before,
            Err(NotANumber::Missing) => 0,
            Err(NotANumber::TooLarge) => u64::MAX,
        };
        match name {
            Name::Blocks => self.blocks = number(self.blocks),
            Name::Distance => self.distance = number(self.distance),
            Name::Input => self.input = value,
            Name::Output => self.output = value,
            Name::Help => {}
        }
    }

    fn check(self) -> Result<Self, Refusal> {
        if self.blocks == 0 {
            Err(Refusal::NoBlocks)
        } else if self.distance == 0 {
            Err(Refusal::NoDistance)
        } else if self.input.is_empty() {
            Err(Refusal::NoInput)
        } else if self.output.is_empty() {
            Err(Refusal::NoOutput)
        } else if self.blocks <= self.distance {
            Err(Refusal::TooFewBlocks { blocks: self.blocks, distance: self.distance })
        } else {
            Ok(self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Refusal> {
        read_all(&line.split_whitespace().collect::<Vec<_>>(), false)
    }

    fn read_all(arguments: &[&str], operands_end_options: bool) -> Result<Options, Refusal> {
        Options::read(arguments.iter().map(OsString::from), operands_end_options)
    }

    #[test]
    fn long_short_attached_and_abbreviated_options_mean_the_same() {
        let wanted = Options { input: "in".into(), output: "-".into(), blocks: 6, distance: 3 };
        for line in [
            "--input in --output - --blocks 6 --distance 3",
            "--input=in --output=- --blocks=6 --distance=3",
            "-i in -o - -b 6 -d 3",
            "-iin -o- -b6 -d3",
            "--in in --out - --b 6 --dist 3",
            "operand -b 6 other --distance 3 -i in -o - last",
            "--blocks 4 --blocks 6 --distance 3x -i in -o -",
        ] {
            assert_eq!(read(line).as_ref(), Ok(&wanted), "{line}");
        }
    }

    #[test]
    fn checks_come_in_the_order_of_their_exit_codes() {
        let cases = [
            ("", Refusal::NoBlocks),
            ("--distance 3 --input -", Refusal::NoBlocks),
            ("--blocks abc", Refusal::NoBlocks),
            ("--blocks 6", Refusal::NoDistance),
            ("--blocks 6 --distance 0 --input a --output b", Refusal::NoDistance),
            ("--blocks 6 --distance 3 --input=", Refusal::NoInput),
            ("--blocks 6 --distance 3 --output=", Refusal::NoOutput),
            ("--blocks 3 --distance 3 -i a -o b", Refusal::TooFewBlocks { blocks: 3, distance: 3 }),
            ("--blocks 3 --help --nonsense", Refusal::Help),
            ("-hx", Refusal::Help),
        ];
        for (line, wanted) in cases {
            assert_eq!(read(line), Err(wanted), "{line}");
        }
    }

    #[test]
    fn misuse_of_options_is_refused_where_it_is_met() {
        for line in
            ["--nonsense --help", "-x", "--blocks", "-b", "--help=3", "--=3 -b 4", "-i a -o b -d"]
        {
            assert!(matches!(read(line), Err(Refusal::Usage(_))), "{line}");
        }
        assert_eq!(read("-i a -- --nonsense"), Err(Refusal::NoBlocks), "-- ends the options");
    }

    #[test]
    fn an_empty_number_leaves_the_one_before() {
        for (arguments, blocks) in [
            (&["-b", "6", "-b", "", "-d", "3"][..], 6),
            (&["-b", "6", "-b", " ", "--distance=3", "--distance="], 6),
            (&["-b", " 6", "-b", "\t", "-d", "3"], 6),
        ] {
            let options = read_all(arguments, false).unwrap();
            assert_eq!((options.blocks, options.distance), (blocks, 3), "{arguments:?}");
        }
        assert_eq!(read_all(&["-b", "6", "-b", "x", "-d", "3"], false), Err(Refusal::NoBlocks));
        assert_eq!(read_all(&["-b", "", "-d", "3"], false), Err(Refusal::NoBlocks));
    }

    #[test]
    fn operands_end_the_options_only_where_posix_is_asked_for() {
        let arguments = ["-b", "6", "operand", "-d", "3"];
        assert!(read_all(&arguments, false).is_ok());
        assert_eq!(read_all(&arguments, true), Err(Refusal::NoDistance));
        // A dash alone is an operand.
        assert_eq!(read_all(&["-", "-b", "6", "-d", "3"], true), Err(Refusal::NoBlocks));
    }

    #[test]
    fn standard_streams_are_the_defaults() {
        let wanted = Options { input: "-".into(), output: "-".into(), blocks: 6, distance: 3 };
        assert_eq!(read("-b 6 -d 3"), Ok(wanted));
    }
}
