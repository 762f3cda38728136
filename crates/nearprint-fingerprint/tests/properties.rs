//! The crate against the slow and obvious way on texts made to hurt, and the promises of its interface.

mod oracle;

use nearprint_fingerprint::{
    Fingerprint, FingerprintOutcome, Fingerprinter, Scheme, fingerprint, stages, tokens,
};
use proptest::collection::vec;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Pieces that matter to some stage, most of them to its edges.
const PIECES: &[&str] = &[
    " ",
    " ",
    " ",
    "\n",
    ". ",
    ", ",
    "_",
    "-",
    "/",
    ":",
    "@",
    ".",
    "+",
    "%",
    "\u{7F}",
    "~",
    "1",
    "2024",
    "10",
    "a",
    "b",
    "the",
    "Word",
    "NOT",
    "Straße",
    "ﬁ",
    "é",
    "e",
    "É",
    "ǖ",
    "\u{301}",
    "\u{323}",
    "\u{308}",
    "\u{304}",
    "\u{345}",
    "\u{34F}",
    "\u{344}",
    "\u{340}",
    "ᾳ",
    "ᾼ",
    "\u{F71}",
    "\u{F72}",
    "\u{F73}",
    "Ǆ",
    "\u{130}",
    "ΟΔΟΣ",
    "Слово",
    "й",
    "И\u{306}",
    "كتاب",
    "\u{64E}",
    "\u{651}",
    "שלום",
    "\u{5C1}",
    "\u{FB2A}",
    "हिन्दी",
    "क",
    "\u{93C}",
    "\u{94D}",
    "\u{93E}",
    "ন",
    "\u{9C7}",
    "\u{9BE}",
    "\u{9D7}",
    "தமிழ்",
    "\u{BC6}",
    "\u{BBE}",
    "中",
    "文字",
    "の",
    "テ",
    "\u{3099}",
    "ｶ",
    "ﾞ",
    "ー",
    "。",
    "，",
    "：",
    "＠",
    "．",
    "／",
    "ก",
    "ำ",
    "ี่",
    "ប្រ",
    "မြ",
    "ລາ",
    "한",
    "국어",
    "\u{1112}",
    "\u{1161}",
    "\u{11AB}",
    "ㄱ",
    "\u{10400}",
    "\u{1D400}",
    "\u{20BB7}",
    "😀",
    "\u{FE0F}",
    "\u{AD}",
    "\u{200B}",
    "\u{200D}",
    "\u{FEFF}",
    "\u{E000}",
    "\u{378}",
    "\u{FFFF}",
    "\u{FFFD}",
    "\u{1E4D0}",
    "\u{203F}",
    "Ω",
    "①",
    "½",
    "㌀",
    "ﷺ",
    "\u{1D15E}",
    "\u{A0}",
    "\u{1F71}",
    "http://",
    "a://",
    "www.",
    "urn:",
    "doi:",
    "arxiv:",
    "10.1000",
    "10.1000/",
    "10.",
    ".5",
    "x@y.z",
    "@b.c",
    "example.org",
    "://",
];

/// What may be repeated for long: each bound of the standard and of the streaming is passed.
const REPEATED: &[&str] = &[
    "a",
    "9",
    "_",
    ".",
    "-",
    "\u{301}",
    "\u{323}\u{301}",
    "\u{345}",
    "\u{34F}\u{301}",
    "\u{345}\u{301}",
    "é",
    "中",
    "\u{94D}",
    "中\u{301}",
    ".1",
    ".123",
    "a.",
    "a@",
    "\u{203F}",
    "ﷺ",
    "\u{10400}",
    "1.",
    "x-",
    "\u{1100}",
    "!",
    "\u{93F}",
    "\u{64E}",
    "\u{651}\u{64E}",
];

fn piece() -> impl Strategy<Value = String> {
    let repeated = (
        prop::sample::select(REPEATED),
        prop_oneof![8 => 1..70usize, 4 => 100..300usize, 1 => 2_000..5_000usize],
    )
        .prop_map(|(piece, times)| piece.repeat(times));
    prop_oneof![
        40 => prop::sample::select(PIECES).prop_map(str::to_owned),
        3 => repeated,
        4 => any::<char>().prop_map(String::from),
        4 => "[a-z0-9._%+-]{1,70}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let bad: &[&[u8]] = &[
        b"\xFF",
        b"\xC3",
        b"\xE4\xB8",
        b"\xF0\x9F\x98",
        b"\x80",
        b"\xED\xA0\x80",
        b"\xC0\xAF",
        b"\xF4\x90\x80\x80",
    ];
    let piece = prop_oneof![
        8 => piece().prop_map(String::into_bytes),
        1 => prop::sample::select(bad).prop_map(<[u8]>::to_vec),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn in_pieces(bytes: &[u8], lengths: &[usize]) -> FingerprintOutcome {
    let mut fingerprinter = Fingerprinter::new(Scheme::SD1);
    let mut rest = bytes;
    let mut lengths = lengths.iter().cycle();
    while !rest.is_empty() {
        let length = lengths.next().map_or(rest.len(), |&length| length.clamp(1, rest.len()));
        let (piece, behind) = rest.split_at(length);
        match std::str::from_utf8(piece) {
            // Both doors, in turns.
            Ok(text) if length.is_multiple_of(2) => fingerprinter.update(text),
            _ => fingerprinter.update_bytes(piece),
        }
        rest = behind;
    }
    fingerprinter.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_stage_is_what_the_obvious_way_gives(text in text()) {
        let normalised = stages::normalise(&text);
        prop_assert_eq!(&normalised, &oracle::normalise(&text));
        let cut = stages::cut(&normalised);
        prop_assert_eq!(&cut, &oracle::cut(&normalised));
        let mut found = Vec::new();
        stages::tokens(&cut, |token| found.push(token.to_owned()));
        let expected = oracle::tokens(&cut);
        prop_assert_eq!(&found, &expected);
        let mut streamed = Vec::new();
        tokens(Scheme::SD1, &text, |token| streamed.push(token.to_owned()));
        prop_assert_eq!(&streamed, &expected);
        let result = fingerprint(Scheme::SD1, &text);
        prop_assert_eq!(result.tokens(), expected.len() as u64);
        prop_assert_eq!(result.counters(), oracle::counters(&expected));
        prop_assert_eq!(result.fingerprint().is_none(), expected.is_empty());
    }

    #[test]
    fn tokens_of_any_text_are_what_the_obvious_way_gives(text in text()) {
        let mut found = Vec::new();
        stages::tokens(&text, |token| found.push(token.to_owned()));
        prop_assert_eq!(found, oracle::tokens(&text));
    }

    #[test]
    fn repair_is_what_the_obvious_way_gives(bytes in bytes()) {
        prop_assert_eq!(stages::repair(&bytes), String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_division_gives_the_same(bytes in bytes(), lengths in vec(1..40usize, 1..8)) {
        let whole = fingerprint(Scheme::SD1, &String::from_utf8_lossy(&bytes));
        prop_assert_eq!(&in_pieces(&bytes, &lengths), &whole);
        prop_assert_eq!(&in_pieces(&bytes, &[1]), &whole);
    }

    #[test]
    fn canonically_equivalent_texts_give_the_same(text in text()) {
        let text: String = text.chars().map(|c| if oracle::is_assigned(c) { c } else { ' ' }).collect();
        let expected = fingerprint(Scheme::SD1, &text);
        prop_assert_eq!(&fingerprint(Scheme::SD1, &text.nfd().collect::<String>()), &expected);
        prop_assert_eq!(&fingerprint(Scheme::SD1, &text.nfc().collect::<String>()), &expected);
    }

    #[test]
    fn parsing_is_the_inverse_of_printing(value: u64) {
        let print = Fingerprint::from_u64(Scheme::SD1, value).expect("sd1 is of 64 bits");
        prop_assert_eq!(print.to_string().parse(), Ok(print.clone()));
        prop_assert_eq!(print.to_string().to_ascii_uppercase().parse(), Ok(print.clone()));
        prop_assert_eq!(Fingerprint::from_bytes(Scheme::SD1, &print.to_bytes()), Some(print.clone()));
        prop_assert_eq!(Fingerprint::from_hex(Scheme::SD1, &print.to_hex()), Ok(print.clone()));
        let decimal = print.to_decimal().expect("sd1 is of 64 bits");
        prop_assert_eq!(Fingerprint::from_decimal(Scheme::SD1, &decimal), Ok(print.clone()));
        let json = serde_json::to_string(&print).expect("strings are JSON");
        prop_assert_eq!(serde_json::from_str::<Fingerprint>(&json).ok(), Some(print));
    }

    #[test]
    fn what_parses_prints_the_same(text in "(?i)sd1:[a-z2-7]{13}|[ -~]{0,20}|sd1:\\PC{0,14}") {
        if let Ok(print) = text.parse::<Fingerprint>() {
            prop_assert_eq!(print.to_string(), text.to_ascii_lowercase());
        }
    }
}

#[test]
fn schemes_and_fingerprints_are_strings_in_json() {
    assert_eq!(serde_json::to_string(&Scheme::SD1).ok().as_deref(), Some("\"sd1\""));
    assert_eq!(serde_json::from_str::<Scheme>("\"SD1\"").ok(), Some(Scheme::SD1));
    let error = serde_json::from_str::<Scheme>("\"sd9\"").expect_err("there is no such scheme");
    assert!(error.to_string().contains("unknown scheme"), "{error}");
    let error = serde_json::from_str::<Fingerprint>("\"sd1:a\"").expect_err("it is too short");
    assert!(error.to_string().contains("exactly 13"), "{error}");
    assert!(serde_json::from_str::<Fingerprint>("7").is_err());
}
