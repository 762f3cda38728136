//! Whether a document of symbols has a fingerprint is decided by the standard alone: some symbols fold to letters.

use std::num::NonZeroUsize;

use nearprint::fingerprint::{Scheme, fingerprint};
use nearprint::records::{
    Content, Document, DocumentId, ErrorRecord, FingerprintRecord, Outcome, Place,
};
use nearprint::worker::Isolation;
use nearprint::{Engine, EngineSettings, Settings};

fn run(contents: Vec<Content>) -> Vec<FingerprintRecord> {
    let settings = EngineSettings::default();
    let settings = settings.isolation(Isolation::Never).threads(NonZeroUsize::new(1));
    let mut source = contents.into_iter().enumerate().map(|(number, content)| {
        let id = DocumentId::new(number.to_string()).expect("a number is an id");
        Ok::<_, ErrorRecord>(Document::new(id, Place::default(), content))
    });
    let mut records = Vec::new();
    Engine::new(settings)
        .pipeline(Settings::default())
        .fingerprint(&mut source, |record| {
            records.push(record);
            Ok::<_, std::convert::Infallible>(())
        })
        .expect("nothing fails here");
    records
}

/// The code points that are neither letters nor digits and have a fingerprint all the same.
fn symbols() -> Vec<char> {
    let scheme = Settings::default().scheme;
    let symbols: Vec<_> = ('\0'..=char::MAX)
        .filter(|c| !c.is_alphanumeric())
        .filter(|c| fingerprint(scheme, c.encode_utf8(&mut [0; 4])).fingerprint().is_some())
        .collect();
    assert_eq!(symbols.len(), 816);
    assert!(symbols.contains(&'™') && symbols.contains(&'\u{2F00}'));
    symbols
}

fn of_standard(scheme: Scheme, text: &str) -> Option<String> {
    fingerprint(scheme, text).fingerprint().map(ToString::to_string)
}

fn of_record(record: &FingerprintRecord) -> Option<String> {
    match &record.outcome {
        Outcome::Print { fingerprint, .. } => Some(fingerprint.to_string()),
        Outcome::Nothing { .. } => None,
    }
}

#[test]
fn symbols_that_fold_to_letters_have_the_fingerprint_of_the_standard() {
    let symbols = symbols();
    let scheme = Settings::default().scheme;
    let of_all = |content: &dyn Fn(char) -> Content| -> Vec<Content> {
        symbols.iter().map(|c| content(*c)).collect()
    };
    let page = |tag: &str, c: char| Content::Bytes(format!("<!doctype html><{tag}>{c}").into());
    for contents in [
        of_all(&|c| Content::Bytes(c.to_string().into())),
        of_all(&|c| Content::Text(c.to_string())),
        of_all(&|c| page("p", c)),
    ] {
        let records = run(contents);
        assert_eq!(records.len(), symbols.len());
        for (c, record) in symbols.iter().zip(&records) {
            let wanted = of_standard(scheme, &c.to_string());
            assert_eq!(of_record(record), wanted, "U+{:04X}: {:?}", u32::from(*c), record.outcome);
        }
    }
}

#[test]
fn white_space_is_no_text_and_other_symbols_are_no_tokens() {
    for (text, reason) in [
        ("", "empty"),
        (" \n\t\u{A0}\u{3000}", "no-text"),
        ("→ § ★", "no-tokens"),
        ("1, 2, 3", "no-tokens"),
        ("\u{200B}", "no-tokens"),
    ] {
        let contents = vec![Content::Bytes(text.into()), Content::Text(text.to_owned())];
        for record in run(contents) {
            let Outcome::Nothing { reason: found, .. } = &record.outcome else {
                panic!("{text:?} has no letter")
            };
            assert_eq!(found.as_str(), reason, "{text:?}");
        }
    }
}
