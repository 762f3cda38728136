//! Captures are records: what changed is stored with each, whatever comes, goes or is replaced, and in which order.

use std::collections::BTreeMap;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{Capture, DocumentId, Place};
use nearprint::{CaptureKey, Filter, OnDuplicate, WordCounts};
use nearprint_index::{
    CaptureChange, CaptureDetails, CaptureEntry, CaptureRange, DiskIndex, IndexedLines,
    ListedCapture, Settings, StoredDocument, StoredText,
};

/// A sequence of numbers that looks random and is the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % end
    }
}

const WORDS: [&str; 8] = ["fog", "came", "in", "at", "noon", "over", "the", "harbour"];

fn document(id: u64, random: &mut Random) -> StoredDocument {
    let words: Vec<_> = (0..4 + random.below(3)).map(|_| WORDS[random.below(8) as usize]).collect();
    let text = words.join(" ");
    let print = Fingerprint::from_u64(Scheme::SD1, random.below(4)).unwrap();
    let url = format!("http://example.org/{}", random.below(3));
    let date = (random.below(8) > 0).then(|| format!("2026010100{:04}", random.below(30)));
    let capture = Capture { url, date, ..Capture::default() };
    let of_first = 0..words[0].len();
    let main_content = std::iter::once(of_first).filter(|_| random.below(2) > 0).collect();
    let kept = StoredText { text, main_content };
    StoredDocument {
        capture: Some(CaptureKey::of(&capture)),
        details: Some(Box::new(CaptureDetails::default().captured(&capture, &Place::default()))),
        text: (random.below(8) > 0).then_some(kept),
        ..StoredDocument::new(DocumentId::new(format!("{id}")).unwrap(), print)
    }
}

/// What changed from one document to another, by the definition.
fn expected(before: &StoredDocument, after: &StoredDocument) -> CaptureChange {
    let distance = before.fingerprint.distance(&after.fingerprint).unwrap();
    let (Some(a), Some(b)) = (&before.text, &after.text) else {
        return CaptureChange { distance, text: None, main_content: None };
    };
    let share =
        |a: &str, b: &str| Some(WordCounts::of(b).change_from(&WordCounts::of(a)).millionths());
    let main = |kept: &StoredText| kept.clone().main_text();
    CaptureChange {
        distance,
        text: share(&a.text, &b.text),
        main_content: share(&main(a), &main(b)),
    }
}

/// Compares all captures of an index with its documents.
fn compare(index: &DiskIndex, documents: &BTreeMap<String, StoredDocument>) {
    let listed = index.list_captures(&CaptureRange::of_key_prefix(""), None, 999).unwrap();
    assert_eq!(listed.len(), documents.len());
    let mut before: Option<&ListedCapture> = None;
    for captured in &listed {
        let document = captured.document.as_ref().unwrap();
        let of =
            |captured: &ListedCapture| &documents[captured.document.as_ref().unwrap().id.as_str()];
        let same = before.filter(|before| before.key.url_key == captured.key.url_key);
        let expected = same.map(|before| expected(of(before), of(captured)));
        assert_eq!(document.change, expected, "{captured:?} after {same:?}");
        assert_eq!(Some(&captured.details), of(captured).details.as_deref());
        if let Some(before) = before {
            assert!(before.row() < captured.row());
        }
        before = Some(captured);
    }
}

#[test]
fn changes_are_those_since_the_capture_before_whatever_comes_or_goes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let settings = || Settings::default().texts(true);
    let mut index = DiskIndex::create(&path, Scheme::SD1, settings()).unwrap();
    let mut random = Random(7);
    let mut documents: BTreeMap<String, StoredDocument> = BTreeMap::new();
    for round in 0..120 {
        if random.below(4) == 0 && !documents.is_empty() {
            let ids: Vec<_> = documents.keys().cloned().collect();
            let gone: Vec<_> = (0..1 + random.below(5))
                .map(|_| ids[random.below(ids.len() as u64) as usize].clone())
                .collect();
            let named: Vec<_> = gone.iter().map(|id| DocumentId::new(&**id).unwrap()).collect();
            index.remove_batch(&named).unwrap();
            gone.iter().for_each(|id| drop(documents.remove(id)));
        } else {
            let new: Vec<_> = (0..1 + random.below(6))
                .map(|_| {
                    let id = random.below(60);
                    document(id, &mut random)
                })
                .collect();
            index.insert_documents(&new, OnDuplicate::Replace).unwrap();
            documents.extend(new.into_iter().map(|new| (new.id.to_string(), new)));
        }
        compare(&index, &documents);
        if round % 40 == 39 {
            drop(index);
            DiskIndex::rebuild(&path, settings()).unwrap();
            let verified = DiskIndex::verify(&path, settings()).unwrap();
            assert!(verified.problems.is_empty(), "{:?}", verified.problems);
            index = DiskIndex::open(&path, settings()).unwrap();
            compare(&index, &documents);
        }
    }
    // An export, read again in another order, says the same.
    let mut lines = Vec::new();
    index.export(&Filter::default(), &mut lines).unwrap();
    let other =
        DiskIndex::create(&directory.path().join("other"), Scheme::SD1, settings()).unwrap();
    let mut read: Vec<_> = IndexedLines::new("export", &lines[..])
        .map(|line| match line.unwrap() {
            nearprint_index::IndexedLine::Document(document) => *document,
            other => panic!("{other:?}"),
        })
        .collect();
    read.reverse();
    for document in &read {
        other.insert_documents(std::slice::from_ref(document), OnDuplicate::Refuse).unwrap();
    }
    let all = read.into_iter().map(|document| (document.id.to_string(), document)).collect();
    compare(&other, &all);
}

fn entry(url: &str, date: &str, status: u16) -> CaptureEntry {
    let capture = Capture {
        url: url.to_owned(),
        date: Some(date.to_owned()),
        status: Some(status),
        ..Capture::default()
    };
    CaptureEntry {
        key: CaptureKey::of(&capture),
        details: CaptureDetails::default().captured(&capture, &Place::default()),
    }
}

#[test]
fn captures_without_documents_are_listed_counted_and_match_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let settings = || Settings::default().texts(true);
    let index = DiskIndex::create(&path, Scheme::SD1, settings()).unwrap();
    let page = "http://example.org/page";
    let gone = entry(page, "20260301000000", 404);
    let moved = entry("http://example.org/old", "20260301000000", 301);
    let named = entry(page, "20260101000000", 200);
    let all = vec![gone.clone(), moved, named];
    assert_eq!(index.add_captures(all.clone()).unwrap(), 3);
    assert_eq!(index.add_captures(all).unwrap(), 0, "they are there");
    let captured = |id: &str, date: &str| {
        let capture = Capture {
            url: page.to_owned(),
            date: Some(date.to_owned()),
            status: Some(200),
            ..Capture::default()
        };
        let text = StoredText { text: "fog came in".to_owned(), main_content: Vec::new() };
        StoredDocument {
            capture: Some(CaptureKey::of(&capture)),
            details: Some(Box::new(
                CaptureDetails::default().captured(&capture, &Place::default()),
            )),
            text: Some(text),
            ..StoredDocument::new(
                DocumentId::new(id).unwrap(),
                Fingerprint::from_u64(Scheme::SD1, 1).unwrap(),
            )
        }
    };
    // The document of an entry takes its place, and the other status stays beside it.
    let documents = [captured("a", "20260101000000"), captured("b", "20260401000000")];
    index.insert_documents(&documents, OnDuplicate::Refuse).unwrap();
    let rows = |range: &CaptureRange| {
        let listed = index.list_captures(range, None, 99).unwrap();
        let row = |captured: &ListedCapture| {
            let id = captured.document.as_ref().map(|document| document.id.to_string());
            (id.unwrap_or_default(), captured.details.status.unwrap_or_default())
        };
        listed.iter().map(row).collect::<Vec<_>>()
    };
    let of_page = CaptureRange::of_url(page);
    let row = |id: &str, status| (id.to_owned(), status);
    assert_eq!(rows(&of_page), [row("a", 200), row("", 404), row("b", 200)]);
    assert_eq!(rows(&of_page.clone().from("202603").to("202603")), [row("", 404)]);
    assert_eq!(rows(&of_page.clone().to("20260301000000")), [row("a", 200), row("", 404)]);
    assert_eq!(index.count_captures().unwrap(), 4);
    assert_eq!(index.add_captures(vec![entry(page, "20260401000000", 200)]).unwrap(), 0);
    // Between equal texts a page was gone: that is not a change of the text.
    let listed = index.list_captures(&of_page, None, 99).unwrap();
    let change = listed[2].document.as_ref().unwrap().change.unwrap();
    assert_eq!((change.distance, change.text), (0, Some(0)));
    // The list goes on after each row.
    let mut seen = Vec::new();
    while let [next] =
        &index.list_captures(&of_page, seen.last().map(ListedCapture::row), 1).unwrap()[..]
    {
        seen.push(next.clone());
    }
    assert_eq!(seen, listed);
    // Addresses and hosts count them.
    let addresses = index.addresses(&CaptureRange::of_key_prefix(""), None, 9).unwrap();
    let found: Vec<_> = addresses
        .addresses
        .iter()
        .map(|found| (&*found.url, found.captures, found.status))
        .collect();
    assert_eq!(found, [("http://example.org/old", 1, Some(301)), (page, 3, Some(200))]);
    let first = index.addresses(&CaptureRange::of_key_prefix(""), None, 1).unwrap();
    assert_eq!(first.next.as_deref(), Some("org,example)/old"));
    let second = index.addresses(&CaptureRange::of_key_prefix(""), first.next.as_deref(), 1);
    assert_eq!(second.unwrap().addresses, addresses.addresses[1..]);
    index.add_captures(vec![entry("http://sub.example.org/", "20260101000000", 200)]).unwrap();
    let hosts = index.hosts("", None, 1).unwrap();
    assert_eq!((&*hosts.hosts[0].host, hosts.hosts[0].captures), ("example.org", 4));
    let hosts = index.hosts("", hosts.next.as_deref(), 9).unwrap();
    assert_eq!((&*hosts.hosts[0].host, hosts.next), ("sub.example.org", None));
    // An export has them, and a merged index too.
    let mut lines = Vec::new();
    assert_eq!(index.export(&Filter::default(), &mut lines).unwrap(), 2);
    assert_eq!(String::from_utf8(lines).unwrap().matches("nearprint/capture-entry/1").count(), 3);
    let other =
        DiskIndex::create(&directory.path().join("other"), Scheme::SD1, settings()).unwrap();
    other.merge_whole(&index, OnDuplicate::Refuse).unwrap();
    assert_eq!(other.count_captures().unwrap(), index.count_captures().unwrap());
    // What is wrong is refused.
    let undated = CaptureKey { date: None, ..gone.key };
    assert!(index.add_captures(vec![CaptureEntry { key: undated, ..gone }]).is_err());
}

/// "Not found" is what the page of an error is called, not what was there.
#[test]
fn an_address_that_is_gone_is_called_what_it_was_called() {
    let directory = tempfile::tempdir().unwrap();
    let index =
        DiskIndex::create(&directory.path().join("index"), Scheme::SD1, Settings::default());
    let index = index.unwrap();
    let titled = |entry: CaptureEntry, title: &str| CaptureEntry {
        details: CaptureDetails { title: Some(title.to_owned()), ..entry.details },
        ..entry
    };
    let page = "http://example.org/page";
    let CaptureEntry { key, details } = titled(entry(page, "20260101000000", 200), "Fog");
    let print = Fingerprint::from_u64(Scheme::SD1, 1).unwrap();
    let document = StoredDocument {
        capture: Some(key),
        details: details.boxed(),
        ..StoredDocument::new(DocumentId::new("a").unwrap(), print)
    };
    index.insert_documents(&[document], OnDuplicate::Refuse).unwrap();
    let gone = ["20260201000000", "20260301000000"];
    let gone = gone.map(|date| titled(entry(page, date, 404), "Not found"));
    let never = titled(entry("http://example.org/never", "20260301000000", 404), "Not found");
    index.add_captures([&gone[..], &[never]].concat()).unwrap();
    let listed = index.addresses(&CaptureRange::of_key_prefix(""), None, 9).unwrap();
    let titles: Vec<_> = listed.addresses.iter().map(|one| one.title.as_deref()).collect();
    assert_eq!(titles, [Some("Not found"), Some("Fog")]);
}
