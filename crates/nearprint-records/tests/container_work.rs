//! Containers of random phases ("A many times, then B many times, then C many times") are read in linear time, as the
//! readers count it: none takes 16 steps for each of its bytes.
//!
//! Pairs of tokens do not find what these do. A reader that looks for an end far away, refuses what it found there, and
//! looks again from the next line takes time in the square of the length only where an end *is* far away, so after
//! the many beginnings another phase has to come.
//!
//! `NEARPRINT_CONTAINER_CASES` is how many are tried of each container; `NEARPRINT_CONTAINER_SEED` begins elsewhere.

use std::io::{Cursor, Write};

use nearprint_records::{Container, InputFile, Place, ReadSettings, ReasonCode, RecordCounter};

/// Bytes of a container, about: enough that the square of it, over the length of a token, is far above what every
/// container may take.
const LENGTH: usize = 64 << 10;

/// Steps for each byte that no container may take.
const STEPS: u64 = 16;

const WARC: &[&str] = &[
    "WARC/1.0\n",
    "WARC/1.0\r\n",
    "WARC/1.",
    "\n",
    "\r\n",
    "X: y\r\n",
    " more\r\n",
    "abc\n",
    "a",
    "Content-Length: 0\r\n",
    "Content-Length: 9\n",
    "Content-Length: 40000\r\n",
    "Content-Length: x\n",
    "WARC-Type: response\r\n",
    "WARC-Type: revisit\n",
    "HTTP/1.1 200 OK\r\n",
    "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 20000\r\n\r\n",
];

const ARC: &[&str] = &[
    "http://e.org/ 1 20000102030405 text/html 0\n",
    "http://e.org/ 1 20000102030405 text/html 9\n",
    "http://e.org/ 1 20000102030405 text/html 40000\n",
    "http://e.org/ ",
    "20000102030405 ",
    "text/html 5\n",
    "1 ",
    "a",
    "\n",
    "\r\n",
];

const JSON: &[&str] = &[
    "{\"text\":\"",
    "\"}",
    "\n",
    "{}\n",
    "[",
    "]",
    "\\ud800",
    "\\ufdd0",
    "\u{FDD0}",
    "\\\"",
    "{\"a\":",
    "}",
    ",\"text\":1",
    "\"text\":{\"text\":",
    "\"",
    "a",
    "{\"text\":\"\\udfff\"}\n",
];

const ROWS: &[&str] =
    &["\"", "a", ",", "\t", "\n", "\r\n", "\"\"", "a,b\n", "\"a\n", "\"a\",b\n", "\r"];

const MAIL: &[&str] =
    &["\nFrom a 08:00\n", "From: b\n", "\n", "\r\n", "From ", "a", ": ", "From a\n\n", "\n\n"];

/// A container and the tokens that it is made of, behind its first ones.
struct Grammar {
    container: Container,
    begin: &'static str,
    tokens: &'static [&'static str],
}

const GRAMMARS: [Grammar; 9] = [
    Grammar { container: Container::Warc, begin: "", tokens: WARC },
    Grammar {
        container: Container::Arc,
        begin: "filedesc://x 0.0.0.0 20000102030405 text/plain 0\n",
        tokens: ARC,
    },
    Grammar { container: Container::JsonLines, begin: "", tokens: JSON },
    Grammar { container: Container::Csv, begin: "id,text\n", tokens: ROWS },
    Grammar { container: Container::Tsv, begin: "id\ttext\n", tokens: ROWS },
    Grammar { container: Container::Csv, begin: "id;text\n", tokens: ROWS },
    Grammar { container: Container::JsonArray, begin: "[", tokens: JSON },
    Grammar { container: Container::Mbox, begin: "From a 08:00\nFrom: b\n\n", tokens: MAIL },
    Grammar { container: Container::Mbox, begin: "", tokens: MAIL },
];

/// Numbers that look random and are the same each time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// One of the tokens, often the first, which begins a record.
    fn one_of<'t>(&mut self, tokens: &[&'t str]) -> &'t str {
        let among = if self.below(3) == 0 { 1 } else { tokens.len() };
        tokens[self.below(among)]
    }

    /// One to four phases, each a cycle of one to three tokens, in pieces of a cycle; the last may be one token.
    fn pieces(&mut self, grammar: &Grammar) -> Vec<String> {
        let mut pieces = vec![grammar.begin.to_owned()];
        let phases = 1 + self.below(4);
        for _ in 0..phases {
            let cycle: String = (0..=self.below(3)).map(|_| self.one_of(grammar.tokens)).collect();
            let count = (LENGTH / phases / cycle.len()).max(1);
            pieces.extend(std::iter::repeat_n(cycle, count));
        }
        if self.below(2) == 0 {
            pieces.push(self.one_of(grammar.tokens).to_owned());
        }
        pieces
    }

    /// The pieces as a file: as they are, or compressed, as a whole or a member for each.
    fn file(&mut self, pieces: &[String]) -> (&'static str, Vec<u8>) {
        match self.below(5) {
            0 => ("gzip", gzip(pieces.concat().as_bytes())),
            1 => {
                // Members have 20 bytes and more beside their content.
                let some = pieces.iter().step_by(8);
                ("members of gzip", some.flat_map(|piece| gzip(piece.as_bytes())).collect())
            }
            2 => ("zstd", zstd(pieces.concat().as_bytes())),
            _ => ("plain", pieces.concat().into_bytes()),
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Reads all of a file; the refusal where it took more steps than it may.
fn refusal(file: Vec<u8>, container: Container) -> Option<String> {
    let settings = ReadSettings { max_work_per_byte: STEPS, ..ReadSettings::default() };
    let file = InputFile::from_reader(Place::default(), Cursor::new(file));
    let documents = file.into_documents(container, &settings, &RecordCounter::default());
    let Ok(mut documents) = documents else { panic!("{container} is read here") };
    while let Some(found) = documents.next_document() {
        match found {
            Err(error) if error.reason == ReasonCode::WORK_LIMIT => return Some(error.to_string()),
            _ => {}
        }
    }
    None
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn containers_of_random_phases_are_read_in_linear_time() {
    let cases = number("NEARPRINT_CONTAINER_CASES", 40);
    let seed = number("NEARPRINT_CONTAINER_SEED", 1);
    for grammar in GRAMMARS {
        for case in 0..cases {
            let mut numbers = Numbers((seed + case).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let pieces = numbers.pieces(&grammar);
            let (form, file) = numbers.file(&pieces);
            let refused = refusal(file, grammar.container);
            let mut shown = pieces;
            shown.dedup();
            assert_eq!(
                refused, None,
                "{} {form}, case {case} of {seed}: {shown:?}",
                grammar.container
            );
        }
    }
}

/// Beginnings of records whose headers end far behind: 40,000 of them took 22 seconds.
#[test]
fn beginnings_before_one_far_end_are_read_in_linear_time() {
    for begin in ["WARC/1.0\n", "WARC/1.0\nabc\n", "WARC/1.0\r\nX: y\r\n"] {
        let text = format!("{}\r\n", begin.repeat(LENGTH / begin.len()));
        for file in [text.clone().into_bytes(), gzip(text.as_bytes())] {
            assert_eq!(refusal(file, Container::Warc), None, "{begin:?}");
        }
    }
}
