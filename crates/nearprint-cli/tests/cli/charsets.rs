//! `--read charset`, which nothing overrules.

use serde_json::Value;

use crate::harness::Sandbox;

/// What `extract` takes from a document on standard input: text, charset and how it was found.
fn extracted(
    sandbox: &Sandbox,
    charset: Option<&str>,
    document: &[u8],
) -> (String, String, String) {
    let mut arguments = vec!["extract".to_owned(), "--json".to_owned()];
    arguments.extend(charset.map(|label| format!("--read=charset={label}")));
    let run = sandbox.run_with(arguments.into_iter().chain(["-".to_owned()]), document);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    let field = |name: &str| row[name].as_str().unwrap().to_owned();
    (field("text"), field("charset"), field("charset_source"))
}

fn fingerprinted(sandbox: &Sandbox, arguments: &[&str], document: &[u8]) -> String {
    let run = sandbox.run_with(["fingerprint"].iter().chain(arguments).chain(&["-"]), document);
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.out
}

#[test]
fn an_explicit_charset_is_binding() {
    let sandbox = Sandbox::new();
    // Windows-1251 whose bytes are valid UTF-8 of other letters, and some that a detector takes for Latin.
    for (bytes, text) in
        [("Ёж".as_bytes(), "РЃР¶\n"), (b"\xC4\xE0", "Да\n"), (b"\xD2\xC5\xCB", "ТЕЛ\n")]
    {
        let (found, charset, source) = extracted(&sandbox, Some("windows-1251"), bytes);
        assert_eq!((&*found, &*charset, &*source), (text, "windows-1251", "explicit"));
        let (found, _, source) = extracted(&sandbox, None, bytes);
        assert_ne!((&*found, &*source), (text, "explicit"), "told without the option");
    }
    let page = b"<!doctype html><meta charset=koi8-r><p>\xF0\xE5\xEA\xE0";
    let (text, charset, source) = extracted(&sandbox, Some("windows-1251"), page);
    assert_eq!((&*text, &*charset, &*source), ("река\n", "windows-1251", "explicit"));
    let (text, charset, source) = extracted(&sandbox, None, page);
    assert_eq!((&*text, &*charset, &*source), ("ПЕЙЮ\n", "KOI8-R", "declaration"));
    // A byte order mark is bytes like others in a charset that it is not of.
    let (text, _, source) = extracted(&sandbox, Some("windows-1252"), b"\xEF\xBB\xBFnoon");
    assert_eq!((&*text, &*source), ("ï»¿noon\n", "explicit"));
}

/// Clause [3.1] of the standard: one U+FFFD for each maximal subpart of what is no UTF-8, and nothing else goes.
#[test]
fn repair_is_what_the_standard_says() {
    let sandbox = Sandbox::new();
    for (bytes, repaired) in [
        (&b"noon\xC0\xAFbell"[..], "noon\u{FFFD}\u{FFFD}bell"),
        (b"noon\xE2\x82bell \xED\xA0\x80", "noon\u{FFFD}bell \u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"d\xE9j\xE0 vu", "d\u{FFFD}j\u{FFFD} vu"),
        (b"\xFF\xFEnoon", "\u{FFFD}\u{FFFD}noon"),
        (b"\xEF\xBB\xBFnoon", "noon"),
        (b"\xF5\xF6\xF7\xF8\xF9\xFAa", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}a"),
    ] {
        let (text, charset, source) = extracted(&sandbox, Some("utf-8"), bytes);
        assert_eq!((text.trim_end(), &*charset, &*source), (repaired, "UTF-8", "explicit"));
        let found = fingerprinted(&sandbox, &["--read", "charset=utf-8"], bytes);
        let wanted = fingerprinted(&sandbox, &["--read", "charset=utf-8"], repaired.as_bytes());
        assert_eq!(found, wanted, "{}", bytes.escape_ascii());
    }
}

/// Fields of a table are text already: their pages are not decoded a second time.
#[test]
fn fields_of_text_have_no_charset() {
    let sandbox = Sandbox::new();
    let rows = "{\"id\":\"a\",\"html\":\"<p>река и мост\"}\n";
    sandbox.file("rows.jsonl", rows);
    let plain = ["fingerprint", "--read", "html=html", "rows.jsonl"];
    let named = ["fingerprint", "--read", "charset=koi8-r", "--read", "html=html", "rows.jsonl"];
    assert_eq!(sandbox.run(named).expect_fine().out, sandbox.run(plain).expect_fine().out);
}
