use std::collections::BTreeMap;

use nearprint_fingerprint::fingerprint;
use nearprint_records::{
    Capture, DocumentId, FingerprintRecord, Outcome, Place, ReasonCode, RevisitedCapture,
    Sha256Digest,
};
use nearprint_search::Bands;
use proptest::prelude::*;

use super::*;
use crate::{Engine, EngineSettings};

fn edition(pages: &[(String, String)]) -> Edition {
    let difference = Diff::default();
    // No room in memory, so that the file is read too.
    let mut edition =
        difference.edition(&Engine::new(EngineSettings { memory: 0, ..EngineSettings::default() }));
    for (id, text) in pages {
        let printed = fingerprint(Scheme::MD1, text);
        let (tokens, short) = (printed.tokens(), printed.is_short());
        let outcome = match printed.into_fingerprint() {
            Some(fingerprint) => Outcome::print(fingerprint, tokens, short),
            None => Outcome::nothing(ReasonCode::NO_TOKENS, "no word"),
        };
        let features =
            outcome.fingerprint().map(|_| (&difference.verification().features(text)).into());
        let id = DocumentId::new(id.as_str()).unwrap();
        let record = FingerprintRecord::new(id, Place::default(), Scheme::MD1, outcome);
        edition.push(record, features, None).unwrap();
    }
    edition
}

fn rows(old: &[(String, String)], new: &[(String, String)]) -> Vec<DifferenceRow> {
    let mut rows = Vec::new();
    // Every pair is a candidate where it agrees in one position.
    let all = |_: Search<'static>| Search::within(128).bands(Some(Bands::new(128, 1).unwrap()));
    let counts = Diff::default()
        .compare(&edition(old), &edition(new), all, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })
        .unwrap();
    let total: u64 = counts.0.values().sum();
    assert_eq!(total, rows.len() as u64);
    rows
}

fn pages(pages: &[(&str, &str)]) -> Vec<(String, String)> {
    pages.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

/// The address, text and payload digest of a capture, and of a revisit the time that it refers to.
type Page<'a> = (&'a str, Option<&'a str>, Option<&'a str>, Option<&'a str>);

/// An edition of captures.
fn captures(pages: &[Page<'_>]) -> Edition {
    let mut read = edition(&[]);
    for (number, (address, text, digest, revisited)) in pages.iter().enumerate() {
        let printed = fingerprint(Scheme::MD1, text.unwrap_or_default());
        let outcome = match printed.into_fingerprint() {
            Some(fingerprint) => Outcome::print(fingerprint, 0, false),
            None => Outcome::nothing(ReasonCode::NO_TOKENS, "no word"),
        };
        let verification = Diff::default().verification();
        let features = text.map(|text| (&verification.features(text)).into());
        let id = DocumentId::new(*address).unwrap();
        let mut record = FingerprintRecord::new(id, Place::default(), Scheme::MD1, outcome);
        let revisited = text.is_none().then(|| {
            let date = revisited.map(str::to_owned);
            Box::new(RevisitedCapture { url: None, date })
        });
        record.capture = Some(Box::new(Capture {
            url: (*address).to_owned(),
            date: Some(format!("2026010100000{number}")),
            digest: digest.map(str::to_owned),
            revisited,
            ..Capture::default()
        }));
        read.push(record, features, Some(Sha256Digest([number as u8 + 1; 32]))).unwrap();
    }
    read
}

fn differences(old: &Edition, new: &Edition) -> Vec<String> {
    let mut found = Vec::new();
    let all = |_: Search<'static>| Search::within(128).bands(Some(Bands::new(128, 1).unwrap()));
    Diff::default()
        .compare(old, new, all, |row| {
            let old = row.old_id.as_ref().map_or("-", DocumentId::as_str);
            found.push(format!("{} {old} {} {:?}", row.kind, row.id, row.similarity));
            Ok::<_, Error>(())
        })
        .unwrap();
    found
}

#[test]
fn a_revisit_has_the_content_of_what_it_refers_to() {
    let (fog, rain) = (Some("fog came in at noon"), Some("rain on the hills"));
    let old = captures(&[
        ("http://e.org/a", fog, Some("sha1:A"), None),
        ("http://e.org/b", rain, Some("sha1:B"), None),
        // By its time alone.
        ("http://e.org/a", None, None, Some("20260101000000")),
        // Only a revisit of another page.
        ("http://e.org/c", None, Some("sha1:B"), None),
        ("http://e.org/gone", None, Some("sha1:Z"), None),
    ]);
    let new = captures(&[
        ("http://e.org/a", None, Some("sha1:B"), None),
        ("http://e.org/a", None, Some("sha1:A"), None),
        ("http://e.org/b", None, Some("sha1:B"), None),
        ("http://e.org/c", rain, Some("sha1:other"), None),
        ("http://e.org/d", None, Some("sha1:A"), None),
        // Beside other captures of the address there is nothing to say of it.
        ("http://e.org/d", None, Some("sha1:A"), None),
        ("http://e.org/c", None, Some("sha1:other"), None),
    ]);
    let found = differences(&old, &new);
    let expected = [
        "changed-much http://e.org/a http://e.org/a Some(0.0)",
        "identical http://e.org/a http://e.org/a Some(1.0)",
        "identical http://e.org/b http://e.org/b Some(1.0)",
        "identical http://e.org/c http://e.org/c Some(1.0)",
        "new - http://e.org/d None",
        "gone http://e.org/gone http://e.org/gone None",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_page_that_only_a_revisit_has_may_be_moved() {
    let fog = Some("fog came in at noon");
    let old = captures(&[("http://e.org/a", fog, Some("sha1:A"), None)]);
    let new = captures(&[("http://e.org/b", None, Some("sha1:A"), None)]);
    assert_eq!(differences(&old, &new), ["moved http://e.org/a http://e.org/b Some(1.0)"]);
    assert_eq!(differences(&new, &old), ["moved http://e.org/b http://e.org/a Some(1.0)"]);
}

#[test]
fn where_the_capture_of_a_revisit_is_nowhere_the_archive_is_believed() {
    let fog = Some("fog came in at noon");
    let old = captures(&[
        ("http://e.org/a", fog, None, None),
        ("http://e.org/b", fog, Some("sha1:B"), None),
        ("http://e.org/c", None, Some("sha1:C"), None),
        ("http://e.org/d", None, Some("sha1:D"), None),
    ]);
    let new = captures(&[
        ("http://e.org/a", None, None, Some("20200101000000")),
        ("http://e.org/b", None, Some("sha1:X"), None),
        ("http://e.org/c", None, Some("sha1:C"), None),
        ("http://e.org/d", fog, Some("sha1:Y"), None),
    ]);
    let expected = [
        "identical http://e.org/a http://e.org/a None",
        "not-compared http://e.org/b http://e.org/b None",
        "identical http://e.org/c http://e.org/c None",
        "not-compared http://e.org/d http://e.org/d None",
    ];
    assert_eq!(differences(&old, &new), expected);
}

#[test]
fn every_kind_is_told() {
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    let longer = format!("{long} fifteen");
    let old = [
        ("a", long),
        ("b", long),
        ("c", long),
        ("d", "fog came in"),
        ("n", "Django 2.2 is what is meant here"),
        ("e", "1"),
        ("f", "the mill stood still"),
        ("g", "gone for ever"),
    ];
    let new = [
        ("a", long),
        ("b", &longer),
        ("c", "something else entirely is here"),
        ("n", "Django 3.2 is what is meant here"),
        ("e", "1"),
        ("h", "The mill: stood still."),
        ("i", "bells rang"),
    ];
    let found: Vec<String> = rows(&pages(&old), &pages(&new))
        .iter()
        .map(|row| {
            format!("{} {} {}", row.kind, row.id, row.old_id.as_ref().map_or("-", |id| id.as_str()))
        })
        .collect();
    let wanted = [
        "identical a a",
        "changed-little b b",
        "changed-much c c",
        "same-words n n",
        "not-compared e e",
        "moved h f",
        "new i -",
        "gone d d",
        "gone g g",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn equal_ids_are_matched_in_order_and_captures_by_address() {
    let old = pages(&[("a", "fog came in"), ("a", "bells rang at dusk")]);
    let new = pages(&[("a", "fog came in"), ("a", "bells rang at dusk"), ("a", "rain")]);
    let kinds: Vec<String> = rows(&old, &new).iter().map(|row| row.kind.to_string()).collect();
    assert_eq!(kinds, ["identical", "identical", "new"]);

    let document = |id: &str, url: Option<&str>| {
        let mut document =
            nearprint_records::Document::from_bytes(DocumentId::new(id).unwrap(), "");
        let capture = |url: &str| Box::new(Capture { url: url.to_owned(), ..Capture::default() });
        document.capture = url.map(capture);
        Ok::<_, nearprint_records::ErrorRecord>(document)
    };
    let all = [
        document("crawl/x/y.html", None),
        document("other/y", None),
        document("urn:1", Some("http://a/b")),
    ];
    let mut source = AddressedSource::new(all.into_iter(), std::path::Path::new("crawl"));
    let mut ids = Vec::new();
    while let Some(found) = nearprint_records::Source::next_document(&mut source) {
        ids.push(found.unwrap().id.to_string());
    }
    assert_eq!(ids, ["x/y.html", "other/y", "http://a/b"]);
}

proptest! {
    /// Whatever the editions, every document is in one row of its side, and an edition is the same as itself.
    #[test]
    fn every_document_has_one_row(
        old in prop::collection::vec((0u8..6, prop::collection::vec(0u8..5, 0..9)), 0..12),
        new in prop::collection::vec((0u8..6, prop::collection::vec(0u8..5, 0..9)), 0..12),
    ) {
        let made = |pages: &[(u8, Vec<u8>)]| -> Vec<(String, String)> {
            let text = |words: &Vec<u8>| words.iter().map(|word| format!("w{word} ")).collect();
            pages.iter().map(|(id, words)| (format!("p{id}"), text(words))).collect()
        };
        let (old, new) = (made(&old), made(&new));
        let count = |ids: &mut dyn Iterator<Item = String>| {
            let mut counts = BTreeMap::<String, usize>::new();
            ids.for_each(|id| *counts.entry(id).or_default() += 1);
            counts
        };
        let found = rows(&old, &new);
        let not_gone = found.iter().filter(|row| row.kind != DifferenceKind::Gone);
        let in_new = count(&mut not_gone.map(|row| row.id.to_string()));
        let in_old = count(&mut found.iter().filter_map(|row| Some(row.old_id.as_ref()?.to_string())));
        prop_assert_eq!(in_new, count(&mut new.iter().map(|(id, _)| id.clone())));
        prop_assert_eq!(in_old, count(&mut old.iter().map(|(id, _)| id.clone())));
        for row in rows(&old, &old) {
            prop_assert!(matches!(row.kind, DifferenceKind::Identical | DifferenceKind::NotCompared));
        }
    }
}
