use std::collections::BTreeMap;

use nearprint_fingerprint::fingerprint;
use nearprint_records::{Capture, DocumentId, FingerprintRecord, Outcome, Place, ReasonCode};
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

#[test]
fn a_page_of_which_there_is_only_a_revisit_is_the_same() {
    let old = pages(&[("a", "fog came in at noon"), ("b", "rain on the hills"), ("c", "bells")]);
    // What is like a page that is still there has not been moved from it.
    let mut new = edition(&pages(&[("d", "fog came in at noon"), ("c", "other words")]));
    new.note_revisits(["a", "c", "never seen"].map(str::to_owned));
    let mut found = Vec::new();
    let all = |_: Search<'static>| Search::within(128).bands(Some(Bands::new(128, 1).unwrap()));
    Diff::default()
        .compare(&edition(&old), &new, all, |row| {
            found.push(format!("{} {} {:?}", row.kind, row.id, row.similarity));
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(
        found,
        ["new d None", "changed-much c Some(0.0)", "identical a None", "gone b None"]
    );
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
