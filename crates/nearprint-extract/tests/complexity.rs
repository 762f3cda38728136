//! Whether every medium is read in linear time, in a count of the work and not by a clock.
//!
//! `complexity/tokens.json` lists what means something in each medium. Documents of one token repeated, and of each
//! pair of tokens, alternating and one after the other, are extracted at two lengths. Work that more than triples where
//! the length doubles grows with the square of it. `{n}` in a token is replaced by a number, another one each time.
//! `complexity/packages.json` has the same of parts of packages, each in a package that is sound but for it.
//!
//! `NEARPRINT_COMPLEXITY_TIME=1` looks at processor time as well, at lengths where the square of a length is seconds:
//! what a parser does not count is found by this alone (`scripts/test-long.sh complexity`; release builds only).

#[path = "packing/mod.rs"]
mod packing;

use std::collections::BTreeMap;
use std::fmt::Write;

use flate2::Crc;
use nearprint_extract::{Hints, Limits, extract, extract_counted};
use packing::{Part, zip};
use serde::Deserialize;

/// Bytes of the shorter document.
const LENGTH: usize = 4 << 10;

/// Work that is not evidence: what the longer document takes if each of its bytes is looked at 16 times. The square of
/// its length is far more.
const ENOUGH: u64 = 16 * 2 * LENGTH as u64;

/// One medium, or one place in documents of it.
#[derive(Deserialize)]
struct Medium {
    /// None for documents whose type is detected.
    media_type: Option<String>,
    /// Where the document is no more than a part of a package.
    package: Option<Package>,
    begin: String,
    #[serde(default)]
    end: String,
    tokens: Vec<String>,
}

/// A part of a package, whose other parts are those of a seed of the fuzz target `members`.
#[derive(Deserialize)]
struct Package {
    seed: String,
    member: String,
}

impl Package {
    /// The package with this content of the part.
    fn of(&self, content: &str) -> Vec<u8> {
        let seed = match self.seed.as_str() {
            "docx" => include_str!("../../../fuzz/seeds/members/docx"),
            "epub" => include_str!("../../../fuzz/seeds/members/epub"),
            "ods" => include_str!("../../../fuzz/seeds/members/ods"),
            "odt" => include_str!("../../../fuzz/seeds/members/odt"),
            "pptx" => include_str!("../../../fuzz/seeds/members/pptx"),
            "xlsx" => include_str!("../../../fuzz/seeds/members/xlsx"),
            seed => panic!("no seed {seed}"),
        };
        let members = seed.split("\n%%").skip(1).filter_map(|part| part.split_once('\n'));
        let mut found = false;
        let parts: Vec<Part<'_>> = members
            .map(|(name, other)| {
                let is_meant = name == self.member;
                found |= is_meant;
                let content = if is_meant { content } else { other };
                let mut checksum = Crc::new();
                checksum.update(content.as_bytes());
                let (packed, length) = (content.as_bytes().to_vec(), content.len());
                Part { name, packed, deflated: false, length, checksum: checksum.sum() }
            })
            .collect();
        assert!(found, "{} has no {}", self.seed, self.member);
        zip(&parts)
    }
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Alternating,
    OneAfterTheOther,
}

impl Medium {
    fn all() -> BTreeMap<String, Self> {
        let lists =
            [include_str!("complexity/tokens.json"), include_str!("complexity/packages.json")];
        lists
            .iter()
            .flat_map(|list| serde_json::from_str::<BTreeMap<_, _>>(list).unwrap())
            .collect()
    }

    fn document(&self, (a, b): (&str, &str), shape: Shape, length: usize) -> Vec<u8> {
        let mut text = self.begin.clone();
        let (half, end) = (text.len() + length / 2, text.len() + length);
        let mut number = 0;
        let mut put = |text: &mut String, token: &str| {
            match token.split_once("{n}") {
                Some((before, after)) => write!(text, "{before}{number}{after}").unwrap(),
                None => text.push_str(token),
            }
            number += 1;
        };
        match shape {
            Shape::Alternating => {
                while text.len() < end {
                    put(&mut text, a);
                    put(&mut text, b);
                }
            }
            Shape::OneAfterTheOther => {
                while text.len() < half {
                    put(&mut text, a);
                }
                while text.len() < end {
                    put(&mut text, b);
                }
            }
        }
        text.push_str(&self.end);
        match &self.package {
            Some(package) => package.of(&text),
            None => text.into_bytes(),
        }
    }

    fn hints(&self) -> Hints {
        Hints { media_type: self.media_type.clone(), ..Hints::default() }
    }

    /// All pairs and shapes; a pair of one token has one shape.
    fn cases(&self) -> impl Iterator<Item = ((&str, &str), Shape)> {
        self.tokens.iter().flat_map(|a| {
            self.tokens.iter().flat_map(move |b| {
                let shapes = [Shape::Alternating, Shape::OneAfterTheOther];
                let count = if a == b { 1 } else { 2 };
                shapes.into_iter().take(count).map(move |shape| ((a.as_str(), b.as_str()), shape))
            })
        })
    }
}

/// What is abbreviated may expand to as much as the document has: a fixed limit would be what the work follows.
fn limits(length: usize) -> Limits {
    Limits { max_entity_bytes: length as u64, ..Limits::default() }
}

/// Looks at all cases of the media whose name `is_meant`.
#[track_caller]
fn look_at(is_meant: impl Fn(&str) -> bool) {
    let mut wrong = Vec::new();
    let (mut cases, mut most) = (0, (0, String::new()));
    for (name, medium) in Medium::all().iter().filter(|(name, _)| is_meant(name)) {
        let hints = medium.hints();
        for (pair, shape) in medium.cases() {
            cases += 1;
            let work = |length: usize| {
                let document = medium.document(pair, shape, length);
                let (_, work) = extract_counted(&document, &hints, &limits(length));
                (work, document.len())
            };
            let (longer, bytes) = work(2 * LENGTH);
            let case = || format!("{name}: {pair:?} {shape:?}");
            if longer / bytes as u64 > most.0 {
                most = (longer / bytes as u64, case());
            }
            if longer <= ENOUGH {
                continue;
            }
            let (shorter, _) = work(LENGTH);
            // Where the end of a document falls decides whether its last groups are closed: once is chance.
            if longer > 3 * shorter && work(4 * LENGTH).0 > 3 * longer {
                wrong.push(format!("{}: {shorter} for {LENGTH}, {longer}", case()));
            }
        }
    }
    println!("{cases} cases; the most work for a byte, {}: {}", most.0, most.1);
    assert!(cases > 0, "there is no such medium");
    assert!(
        wrong.is_empty(),
        "{} of {cases} cases grow with the square of their length, such as\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

macro_rules! media {
    ($($test:ident: $name:literal;)*) => {
        $(#[test]
        fn $test() {
            look_at(|name| name.split(',').next() == Some($name));
        })*

        /// PDF is looked at by time here: what it counts, and tokens inside its objects, are in the tests of
        /// `nearprint-pdf`.
        const TESTED: &[&str] = &[$($name,)* "application/pdf"];
    };
}

media! {
    plain: "text/plain";
    html: "text/html";
    xhtml: "application/xhtml+xml";
    xml: "application/xml";
    latex: "application/x-latex";
    rtf: "application/rtf";
    roff: "text/troff";
    markdown: "text/markdown";
    restructured: "text/x-rst";
    asciidoc: "text/asciidoc";
    info: "text/x-info";
    mail: "message/rfc822";
    texinfo: "text/x-texinfo";
    mediawiki: "text/x-wiki";
    bibtex: "application/x-bibtex";
    ris: "application/x-research-info-systems";
    detected: "detected";
    docx: "docx";
    epub: "epub";
    ods: "ods";
    odt: "odt";
    pptx: "pptx";
    xlsx: "xlsx";
}

#[test]
fn every_list_of_tokens_is_used() {
    for name in Medium::all().keys() {
        let medium = name.split(',').next().unwrap_or_default();
        assert!(TESTED.contains(&medium), "{name}");
    }
}

/// What the processor takes for the same cases, at lengths at which the square of a length shows. One measurement is no
/// evidence on a machine that does other work, which slows memory down: where one of each length looks bad, the
/// shortest of several are compared.
#[test]
#[cfg(unix)]
fn time_grows_with_the_length() {
    if std::env::var_os("NEARPRINT_COMPLEXITY_TIME").is_none() {
        return;
    }
    const LONG: usize = 128 << 10;
    let (mut wrong, mut cases) = (Vec::new(), 0);
    for (name, medium) in &Medium::all() {
        let hints = medium.hints();
        let mut slowest = (0.0, String::new());
        let before = cases;
        for (pair, shape) in medium.cases() {
            cases += 1;
            let time = |length: usize, runs: u32| {
                let document = medium.document(pair, shape, length);
                let times = (0..runs).map(|_| {
                    let start = seconds_of_this_thread();
                    let _ = extract(&document, &hints, &limits(length));
                    seconds_of_this_thread() - start
                });
                times.fold(f64::INFINITY, f64::min)
            };
            let case = || format!("{name}: {pair:?} {shape:?}");
            let short = time(LONG, 1);
            if short > slowest.0 {
                slowest = (short, case());
            }
            // 5 MB/s is slow for any parser.
            if short > LONG as f64 / 5e6
                && time(4 * LONG, 1) > 9.0 * short
                && time(4 * LONG, 3) > 9.0 * time(LONG, 3)
            {
                wrong.push(case());
            }
        }
        println!(
            "{name}: {} cases; at most {:.0} ms, {}",
            cases - before,
            1e3 * slowest.0,
            slowest.1
        );
    }
    println!("{cases} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Seconds of the processor that this thread has had.
#[cfg(unix)]
fn seconds_of_this_thread() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
