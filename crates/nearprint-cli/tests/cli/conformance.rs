//! `prints conformance`: the extractor agrees with the corpus of the standard, and commands are asked the vectors.

use std::fs;
use std::path::Path;

use nearprint::fingerprint::vectors::corpus_documents;

use crate::harness::Sandbox;

/// The folder of the standard.
const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec");

/// The texts of this build are those of the corpus, to the bit, and a text with a menu in it does not agree.
#[test]
fn the_extractor_agrees_with_the_corpus() {
    let sandbox = Sandbox::new();
    for document in corpus_documents() {
        let path = Path::new(SPEC).join(document.path());
        // Of a PDF some glyphs may have no Unicode, which is a warning.
        let run = sandbox.run(["extract".as_ref(), path.as_os_str()]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let text = run.out;
        let target = sandbox.path("texts").join(document.text_path());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, text).unwrap();
    }
    let judge = ["prints", "conformance", "-k", "0", "--extraction"];
    let judged = sandbox.run(judge.iter().chain(&["texts"])).expect_fine();
    assert_eq!(judged.out.matches("yes").count(), 5, "{}", judged.out);
    let page = sandbox.path("texts/extraction/pages/landmarks.html.txt");
    let text = fs::read_to_string(&page).unwrap();
    let menu = "home news sport weather sign in register subscribe newsletter cookies privacy ";
    fs::write(&page, format!("{}{text}", menu.repeat(3))).unwrap();
    fs::remove_file(sandbox.path("texts/extraction/pages/tei.xml.txt")).unwrap();
    let judged = sandbox.run(["prints", "conformance", "--extraction", "texts"]);
    assert_eq!(judged.code, Some(1));
    assert!(judged.err.contains("landmarks.html.txt: distance sd1"), "{}", judged.err);
    assert!(judged.err.contains("tei.xml.txt"), "{}", judged.err);
    assert_eq!(judged.out.matches(" no\n").count(), 2, "{}", judged.out);
}

#[cfg(unix)]
#[test]
fn commands_are_asked_every_vector() {
    let sandbox = Sandbox::new();
    let ask = |command: &str| sandbox.run(["prints", "conformance", "--command", command]);
    let skips = ask("while read -r line; do echo '{\"skipped\":true}'; done").expect_fine();
    let documents: Vec<_> = skips.out.lines().map(str::split_whitespace).collect();
    assert_eq!(documents.len(), 36);
    assert!(skips.out.contains("seomoz_legacy"), "{}", skips.out);
    let dead = ask("true");
    assert_eq!(dead.code, Some(1));
    assert!(dead.err.contains("answered 0 of"), "{}", dead.err);
    let wrong = ask("while read -r line; do echo '{\"normalised\":\"fog\"}'; done");
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err.contains("normalised: expected"), "{}", wrong.err);
}
