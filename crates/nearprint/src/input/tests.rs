//! An input of many kinds of files is gone on with at any document.

use nearprint_records::Batch;

use super::*;

fn warc(numbers: std::ops::Range<usize>) -> String {
    let record = |number: usize| {
        let kind = if number.is_multiple_of(4) { "metadata" } else { "resource" };
        let text = format!("Text {number}.");
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:n:{number}>\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    numbers.map(record).collect()
}

fn told(found: &Result<Document, ErrorRecord>) -> String {
    match found {
        Ok(document) => format!("{} {:?}", document.id, document.place),
        Err(error) => error.to_string(),
    }
}

fn rest(source: &mut InputSource) -> Vec<String> {
    let batches = std::iter::from_fn(|| source.next_batch());
    batches.flat_map(Batch::into_documents).map(|found| told(&found)).collect()
}

#[test]
fn an_input_goes_on_at_any_document() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::create_dir(path("d")).unwrap();
    let lines: String = (0..90).map(|n| format!("{{\"id\":{n},\"text\":\"fog {n}\"}}\n")).collect();
    for (name, text) in [
        ("d/a.txt", "one".to_owned()),
        ("d/b.jsonl", lines.clone()),
        ("d/c.txt", "two".to_owned()),
        ("d/d.warc", warc(0..9)),
        ("d/e.txt", String::new()),
        ("f.csv", "id,text\n1,fog\n2,\"rain\nand hail\"\n3\n4,end\n".to_owned()),
        ("g.warc", warc(9..12)),
        (
            "h.xml",
            format!(
                "<article article-type=''>Fog{}</article>",
                "<sub-article article-type='translation'>Nebel</sub-article>".repeat(3)
            ),
        ),
    ] {
        std::fs::write(path(name), text).unwrap();
    }
    let named = ["d", "missing", "f.csv", "f.csv", "g.warc", "h.xml"].map(path);
    let open = || InputSource::new(&named, InputSettings::default());
    let (mut all, mut wanted, mut positions) = (open(), Vec::new(), Vec::new());
    loop {
        positions.push((wanted.len(), all.position().unwrap()));
        let Some(found) = all.next_document() else { break };
        wanted.push(told(&found));
    }
    // A file that is named again is one row, which names the first path.
    assert_eq!(wanted.len(), 3 + 90 + 6 + 1 + 4 + 1 + 3 + 4);
    let mut batches = open();
    assert_eq!(rest(&mut batches), wanted);
    let records = all.record_counts();
    assert_eq!(records, batches.record_counts());
    assert_eq!(records.iter().collect::<Vec<_>>(), [("resource", 9), ("metadata", 3)]);
    for (given, position) in positions {
        let mut source = open();
        assert!(source.go_on(&position), "{position:?}");
        assert_eq!(rest(&mut source), wanted[given..], "{position:?}");
        assert_eq!(source.record_counts(), records, "{position:?}");
    }

    // Positions of batches, and one within a file that cannot be gone to.
    let mut source = open();
    let mut given = 0;
    while let Some(batch) = source.next_batch() {
        given += batch.count();
        let position = source.position().unwrap();
        let mut other = open();
        assert!(other.go_on(&position), "{position:?}");
        assert_eq!(rest(&mut other), wanted[given..], "{position:?}");
    }
    let behind = Position { file: 1, behind: 5, ..Position::default() };
    let mut source = open();
    assert!(source.go_on(&behind));
    assert_eq!(rest(&mut source), wanted[6..]);
    for (file, behind) in [(99, 0), (6, 99)] {
        assert!(!open().go_on(&Position { file, behind, ..Position::default() }));
    }
}
