//! What the country of a host would do to the detection of charsets: `cargo run --release --example charset_guess --
//! CORPUS`, a corpus as `make eval` builds it (`build/eval/corpus`).
//!
//! Takes stretches of its documents' texts, encodes them as was usual for their language, and has chardetng guess the
//! charset without a domain, with that of the language's country, and with those of other countries.
//! docs/accuracy/decisions.md has what came out.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use nearprint_extract::{Hints, Limits, extract};

/// Languages as the corpus calls them, their country's domain, and the charsets they were written in.
const LANGUAGES: [(&str, &str, &[&str]); 24] = [
    ("ar", "eg", &["windows-1256"]),
    ("ca", "es", &["windows-1252"]),
    ("cs", "cz", &["iso-8859-2", "windows-1250"]),
    ("da", "dk", &["windows-1252"]),
    ("de", "de", &["windows-1252"]),
    ("es", "es", &["windows-1252"]),
    ("et", "ee", &["windows-1252"]),
    ("fa", "ir", &["windows-1256"]),
    ("fr", "fr", &["windows-1252"]),
    ("hu", "hu", &["iso-8859-2", "windows-1250"]),
    ("it", "it", &["windows-1252"]),
    ("ja", "jp", &["shift_jis", "euc-jp"]),
    ("ko", "kr", &["euc-kr"]),
    ("nl", "nl", &["windows-1252"]),
    ("pl", "pl", &["iso-8859-2", "windows-1250"]),
    ("pt", "pt", &["windows-1252"]),
    ("pt-br", "br", &["windows-1252"]),
    ("ru", "ru", &["windows-1251", "koi8-r", "iso-8859-5"]),
    ("sr", "rs", &["windows-1251"]),
    ("sv", "se", &["windows-1252"]),
    ("tr", "tr", &["windows-1254"]),
    ("uk", "ua", &["windows-1251", "koi8-u"]),
    ("zh-cn", "cn", &["gbk"]),
    ("zh-tw", "tw", &["big5"]),
];
/// Domains of countries with charsets of their own.
const OTHERS: [&str; 8] = ["de", "ru", "pl", "jp", "cn", "gr", "tr", "sa"];
/// Lengths of stretches in characters; of each at most so many for a language and charset, at least so many to count.
const LENGTHS: [usize; 4] = [60, 300, 1000, 4000];
const MOST: usize = 300;
const LEAST: usize = 20;
/// Of one document, so that no document is most of its language.
const CHARACTERS: usize = 60_000;

/// Shares of stretches, summed over languages and charsets.
#[derive(Default)]
struct Sums {
    cases: f64,
    without: f64,
    own: f64,
    unlike: f64,
    other: f64,
}

fn main() -> io::Result<()> {
    let corpus = env::args_os().nth(1).expect("the folder of a corpus is named");
    let texts = texts(Path::new(&corpus))?;
    let mut sums: BTreeMap<usize, Sums> = BTreeMap::new();
    println!("language\tcharset\tcharacters\tstretches\twithout\town\tunlike\tother");
    for (language, own, charsets) in LANGUAGES {
        let Some(text) = texts.get(language) else { continue };
        for charset in charsets {
            let charset = Encoding::for_label(charset.as_bytes()).expect("the labels are known");
            for length in LENGTHS {
                let stretches = stretches(text, length, charset);
                if stretches.len() < LEAST {
                    continue;
                }
                let share = |count: usize| 100.0 * count as f64 / stretches.len() as f64;
                let right = |domain| {
                    let right = |(text, bytes): &&(String, Vec<u8>)| read(bytes, domain) == *text;
                    share(stretches.iter().filter(right).count())
                };
                let unlike = stretches.iter().filter(|(_, b)| read(b, None) != read(b, Some(own)));
                let unlike = share(unlike.count());
                let others: Vec<_> = OTHERS.iter().filter(|other| **other != own).collect();
                let other = others.iter().map(|other| right(Some(**other))).sum::<f64>();
                let (without, with_own) = (right(None), right(Some(own)));
                let other = other / others.len() as f64;
                println!(
                    "{language}\t{}\t{length}\t{}\t{without:.1}\t{with_own:.1}\t{unlike:.1}\t{other:.1}",
                    charset.name(),
                    stretches.len()
                );
                let sum = sums.entry(length).or_default();
                sum.cases += 1.0;
                sum.without += without;
                sum.own += with_own;
                sum.unlike += unlike;
                sum.other += other;
            }
        }
    }
    for (length, sum) in sums {
        let mean = |sum: f64, cases: f64| sum / cases;
        println!(
            "mean of {}\t\t{length}\t\t{:.1}\t{:.1}\t{:.1}\t{:.1}",
            sum.cases,
            mean(sum.without, sum.cases),
            mean(sum.own, sum.cases),
            mean(sum.unlike, sum.cases),
            mean(sum.other, sum.cases),
        );
    }
    Ok(())
}

/// The texts of each language, a document of each group.
fn texts(corpus: &Path) -> io::Result<BTreeMap<String, Vec<char>>> {
    let mut texts: BTreeMap<String, Vec<char>> = BTreeMap::new();
    let mut last = String::new();
    for row in fs::read_to_string(corpus.join("groups.tsv"))?.lines().skip(1) {
        let mut cells = row.split('\t');
        let (Some(group), Some(path), Some(medium), Some(language)) =
            (cells.next(), cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        if medium == "pdf" || group == last {
            continue;
        }
        let bytes = fs::read(corpus.join(path))?;
        if let Ok(found) = extract(&bytes, &Hints::default(), &Limits::default()) {
            group.clone_into(&mut last);
            let words = found.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = texts.entry(language.to_owned()).or_default();
            text.extend(words.chars().take(CHARACTERS).chain([' ']));
        }
    }
    Ok(texts)
}

/// Stretches over the whole text with their bytes, of those whose bytes leave anything to guess.
fn stretches(text: &[char], length: usize, charset: &'static Encoding) -> Vec<(String, Vec<u8>)> {
    let step = (text.len() / (2 * MOST)).max(length);
    let mut found = Vec::new();
    for stretch in text.chunks(step).filter_map(|chunk| chunk.get(..length)) {
        // What a charset lacks was written as a question mark; text with many of those is in another language.
        let lacks = |c: &char| charset.encode(c.encode_utf8(&mut [0; 4])).2;
        let written: String = stretch.iter().map(|c| if lacks(c) { '?' } else { *c }).collect();
        let bytes = charset.encode(&written).0.into_owned();
        let foreign = stretch.iter().filter(|c| lacks(c)).count();
        let guessed = std::str::from_utf8(&bytes).is_err();
        // A few characters are encoded as another one is.
        let survives = charset.decode_without_bom_handling(&bytes).0 == written;
        if foreign * 20 <= length && guessed && survives && found.len() < MOST {
            found.push((written, bytes));
        }
    }
    found
}

/// What is read where the charset is guessed.
fn read(bytes: &[u8], domain: Option<&str>) -> String {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let charset = detector.guess(domain.map(str::as_bytes), Utf8Detection::Deny);
    charset.decode_without_bom_handling(bytes).0.into_owned()
}
