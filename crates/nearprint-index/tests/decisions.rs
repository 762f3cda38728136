//! Decisions about documents that an index keeps, by their features or by their texts, are those about the documents.

mod support;

use std::path::Path;

use nearprint::fingerprint::Scheme;
use nearprint::records::{
    Capture, Content, DecisionReason, DecisionRow, Document, DocumentId, ErrorRecord, OrderKey,
    Place,
};
use nearprint::{
    CancelFlag, Dedup, DedupDocuments, Engine, Error, Filter, Keep, OnDuplicate, Pipeline, Role,
    Settings as Reading,
};
use nearprint_index::{DiskIndex, StoredDocument};

const DOCUMENTS: usize = 60;

fn id(number: usize) -> DocumentId {
    DocumentId::new(format!("page-{number}")).expect("short and plain")
}

/// Texts of forty words, of which three neighbours share most; some are too short to be compared.
fn text(number: usize) -> String {
    if number.is_multiple_of(11) {
        return "two words".to_owned();
    }
    let words = (0..40).map(|n| format!("w{} ", (number / 3) * 1000 + n * (1 + number / 3)));
    format!("{}{}", words.collect::<String>(), "end ".repeat(number % 2))
}

fn rank(number: usize) -> Option<i64> {
    (!number.is_multiple_of(4)).then_some((number as i64 * 7) % 10 - 5)
}

fn document(number: usize) -> Document {
    let place = Place { file: id(number).as_str().into(), ..Place::default() };
    let mut document = Document::new(id(number), place, Content::Text(text(number)));
    document.order = rank(number).map(|rank| OrderKey::of_number(rank.into()));
    if !number.is_multiple_of(5) {
        let url = format!("http://example.org/{number}");
        let date = Some(format!("20240{}01000000", 9 - number % 7));
        document.capture = Some(Box::new(Capture { url, date, ..Capture::default() }));
    }
    document
}

fn pipeline(engine: &Engine, scheme: Scheme) -> Pipeline<'static> {
    engine.pipeline(Reading::default().scheme(scheme))
}

/// An index of the documents that keeps features, texts, or both.
fn filled(path: &Path, scheme: Scheme, features: bool, texts: bool) -> DiskIndex {
    let settings = support::small().features(features).texts(texts);
    let index = DiskIndex::create(path, scheme, settings).expect("a new index");
    let mut source = (0..DOCUMENTS).map(|number| Ok::<_, ErrorRecord>(document(number)));
    let mut documents = Vec::new();
    let pipeline = pipeline(&Engine::default(), scheme);
    let read = pipeline.read(&mut source, &index.wanted(), |record, made, _| {
        let rank = rank(documents.len()).map(|rank| format!("{{\"rank\":{rank}}}"));
        let stored = StoredDocument::of_record(&record, made).expect("every text has words");
        documents.push(StoredDocument { metadata: rank, ..stored });
        Ok::<_, Error>(())
    });
    read.expect("texts");
    index.insert_documents(&documents, OnDuplicate::Refuse).expect("new ids");
    index
}

/// The decisions about what is gathered.
fn decided(question: &Dedup, mut gathered: DedupDocuments) -> Vec<DecisionRow> {
    let search = gathered.search(question.search());
    let decisions = question.decide(&mut gathered, search).expect("room");
    let mut rows = Vec::new();
    let all = decisions.for_each(&mut gathered, |mut row| {
        // An index does not keep digests of bytes: what has the same bytes is identical there. It knows less about a
        // capture, which no decision and no row but that of CDXJ has.
        if row.reason == DecisionReason::SameBytes {
            row.reason = DecisionReason::Identical;
        }
        (row.sha256, row.representative_sha256, row.capture) = (None, None, None);
        rows.push(row);
        Ok::<_, Error>(())
    });
    all.expect("room");
    rows
}

#[test]
fn features_texts_and_documents_are_decided_alike() {
    let directory = support::directory();
    let index = |name: &str, scheme, features, texts| {
        filled(&directory.path().join(name), scheme, features, texts)
    };
    let indexes = [
        ("features", index("features", Scheme::MD1, true, false)),
        ("texts", index("texts", Scheme::MD1, false, true)),
        ("both", index("both", Scheme::MD1, true, true)),
        ("texts by another scheme", index("sd1", Scheme::SD1, false, true)),
        ("both by another scheme", index("both-sd1", Scheme::SD1, true, true)),
    ];
    let engine = Engine::default();
    let field = |greatest| Keep::Field { name: "rank".to_owned(), greatest };
    let mut answers = Vec::new();
    for keep in [Keep::First, Keep::Longest, Keep::Oldest, field(false), field(true)] {
        let question = Dedup::default().keep(keep);
        let pipeline = pipeline(&engine, question.print_scheme());
        let mut gathered = question.gather(&engine).expect("temporary files");
        let mut source = (0..DOCUMENTS).map(|number| Ok::<_, ErrorRecord>(document(number)));
        let read = pipeline.read(&mut source, &question.wanted(), |record, made, arrival| {
            let features = made.and_then(|made| made.features);
            gathered.push(&record, features.as_ref(), Role::Candidate, arrival)
        });
        read.expect("texts");
        let expected = decided(&question, gathered);
        for (name, index) in &indexes {
            let mut gathered = question.gather(&engine).expect("temporary files");
            let all = Filter::all();
            let tally = question.read_stored(&pipeline, index, all, Role::Candidate, &mut gathered);
            assert_eq!(tally.expect("they are kept").documents, DOCUMENTS as u64);
            assert_eq!(decided(&question, gathered), expected, "{name} {}", question.keep);
        }
        assert!(!answers.contains(&expected), "{} decides nothing here", question.keep);
        answers.push(expected);
    }
}

#[test]
fn filters_and_roles_hold_and_what_is_missing_is_named() {
    let directory = support::directory();
    let question = Dedup::default();
    let engine = Engine::default();
    let pipeline = pipeline(&engine, question.print_scheme());
    let index = filled(&directory.path().join("texts"), Scheme::MD1, false, true);
    let only: Filter = ["rank=2".parse().expect("a condition")].into_iter().collect();
    let mut gathered = question.gather(&engine).expect("temporary files");
    let read = |index: &DiskIndex, filter: &Filter, role, gathered: &mut DedupDocuments| {
        question.read_stored(&pipeline, index, filter, role, gathered)
    };
    let expected = (0..DOCUMENTS).filter(|number| rank(*number) == Some(2)).count() as u64;
    let tally = read(&index, &only, Role::Reference, &mut gathered).expect("texts");
    assert_eq!(
        (tally.documents, gathered.references(), gathered.documents()),
        (expected, expected, 0)
    );

    // A document that was added as a fingerprint has no words.
    let bare = StoredDocument::new(id(1000), support::print_of(Scheme::MD1, 1));
    index.insert_documents(&[bare], OnDuplicate::Refuse).expect("a new id");
    read(&index, Filter::all(), Role::Candidate, &mut gathered).expect("texts");
    let rows = decided(&question, gathered);
    let failures: Vec<_> = rows.iter().filter_map(|row| row.failure.as_ref()).collect();
    assert_eq!(failures.iter().map(|reason| reason.as_str()).collect::<Vec<_>>(), ["no-tokens"]);
    assert_eq!(rows.len(), DOCUMENTS + 1);

    let plain = filled(&directory.path().join("plain"), Scheme::MD1, false, false);
    let mut gathered = question.gather(&engine).expect("temporary files");
    let refused =
        read(&plain, Filter::all(), Role::Candidate, &mut gathered).expect_err("nothing is kept");
    assert!(refused.to_string().contains("keeps no features"), "{refused}");
}

#[test]
fn reading_ends_where_it_is_cancelled() {
    let directory = support::directory();
    let question = Dedup::default();
    let engine = Engine::default();
    for texts in [false, true] {
        let path = directory.path().join(texts.to_string());
        let index = filled(&path, Scheme::MD1, !texts, texts);
        let flag = CancelFlag::new();
        let pipeline = pipeline(&engine, question.print_scheme()).cancelled_by(&flag);
        let pipeline = pipeline.watched_by(|tally| {
            if tally.documents == 7 {
                flag.cancel();
            }
        });
        let mut gathered = question.gather(&engine).expect("temporary files");
        let all = Filter::all();
        let tally = question.read_stored(&pipeline, &index, all, Role::Candidate, &mut gathered);
        let tally = tally.expect("they are kept");
        assert!(tally.cancelled);
        assert_eq!((tally.documents, gathered.documents()), (7, 7));
    }
}
