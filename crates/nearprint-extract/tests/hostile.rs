//! Hostile documents: each has its clear outcome, in time linear in its size and within its limits.

use std::io::Write;

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, Reason, extract};
use proptest::prelude::*;

fn run(bytes: &[u8]) -> Result<Extraction, ExtractError> {
    extract(bytes, &Hints::default(), &Limits::default())
}

fn run_as(bytes: &[u8], media_type: &str) -> Result<Extraction, ExtractError> {
    let hints = Hints { media_type: Some(media_type.into()), ..Hints::default() };
    extract(bytes, &hints, &Limits::default())
}

#[track_caller]
fn reason(bytes: &[u8]) -> Reason {
    run(bytes).unwrap_err().reason()
}

#[test]
fn documents_without_text_say_why() {
    assert_eq!(reason(b""), Reason::Empty);
    assert_eq!(reason(b" \n\t "), Reason::NoText);
    assert_eq!(reason(b"<!doctype html><img alt=x>"), Reason::NoText);
    assert_eq!(reason(b"<?xml version='1.0'?><a/>"), Reason::NoText);
    assert_eq!(reason(b"\x89PNG\r\n\x1a\nxxxx"), Reason::UnsupportedMedia);
    assert_eq!(reason(&[0, 1, 2, 3, 200, 7, 0, 255, 3, 4]), Reason::UnsupportedMedia);
    assert_eq!(reason(b"\x1f\x8b\x08\0garbage"), Reason::Damaged);
    let error = run_as(b"x", "image/png").unwrap_err();
    assert_eq!(error.reason(), Reason::UnsupportedMedia);
    assert!(!error.is_retryable());
}

#[test]
fn a_million_nested_elements() {
    for (open, close, text) in [
        ("<div>", "</div>", "<!doctype html>"),
        ("<b>", "</b>", "<!doctype html>"),
        ("<table><tr><td>", "", "<!doctype html>"),
        ("<ul><li>", "", "<!doctype html>"),
        ("<a>", "</a>", "<?xml version='1.0'?>"),
        ("<a><p>", "</b>", "<?xml version='1.0'?>"),
    ] {
        let count = 1_000_000 / open.matches('<').count();
        let page = format!("{text}{}word{}", open.repeat(count), close.repeat(count));
        match run(page.as_bytes()) {
            Ok(found) => assert_eq!(found.text, "word\n", "{open}"),
            Err(error) => panic!("{open}: {error}"),
        }
        let deeper = format!("{text}{}word", "<section>".repeat(1_000_001));
        assert_eq!(reason(deeper.as_bytes()), Reason::TooDeep);
    }
}

#[test]
fn a_million_stray_end_tags() {
    for text in ["<!doctype html><p>word", "<?xml version='1.0'?><p>word"] {
        for tags in ["</div>", "</td>", "</x-y>", "</p>", "</table></section>"] {
            let open = "<section><table><tr>".repeat(1000);
            let page = format!("{text}{open}{}", tags.repeat(500_000));
            assert_eq!(run(page.as_bytes()).unwrap().text.trim(), "word", "{tags}");
        }
    }
}

/// So many that time in the square of them would be hours, and a test that long is ended (`.config/nextest.toml`).
const MANY: usize = 2_000_000;

#[test]
fn millions_of_attributes() {
    let attributes = " a='>'".repeat(MANY);
    let limits = Limits { max_attributes: MANY as u32, ..Limits::default() };
    for start in ["<!doctype html><p", "<!doctype html><a-b", "<?xml version='1.0'?><p"] {
        let page = format!("{start}{attributes}>word");
        let found = extract(page.as_bytes(), &Hints::default(), &limits).unwrap();
        assert_eq!(found.text, "word\n", "{start}");
        let more = format!("{start}{attributes} b=''>word");
        let error = extract(more.as_bytes(), &Hints::default(), &limits).unwrap_err();
        assert_eq!(error.reason(), Reason::AttributeLimit, "{start}");
        assert_eq!(reason(page.as_bytes()), Reason::AttributeLimit, "{start}");
    }
}

#[test]
fn millions_of_open_quotes_and_tags() {
    let limits = Limits { max_depth: MANY as u32 + 1, ..Limits::default() };
    for text in ["<!doctype html>", "<?xml version='1.0'?>"] {
        for piece in
            ["<p a='", "<p a=\"'>", "<a ", "<!", "</", "<![CDATA[", "&", "&#", "&amp", "<!--"]
        {
            let page = format!("{text}<p>word</p> {}", piece.repeat(MANY));
            let found = extract(page.as_bytes(), &Hints::default(), &limits).unwrap();
            assert!(found.text.starts_with("word"), "{piece}");
        }
    }
}

#[test]
fn unclosed_comments_and_scripts_swallow_the_rest_as_in_browsers() {
    assert_eq!(run(b"<!doctype html>word<!-- <p>gone").unwrap().text, "word\n");
    assert_eq!(run(b"<!doctype html>word<script>gone").unwrap().text, "word\n");
}

/// Two layers, of which each expands less than a document may.
#[test]
fn bombs_in_layers() {
    let gzip = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let line = |number: u32| format!("{} {}\n", number * 7919 % 10_007, "a".repeat(240));
    let text: String = (0..1000).map(line).collect();
    let members = gzip(text.as_bytes()).repeat(100);
    assert!(members.len() * 300 > text.len() * 100 && members.len() < 300 * gzip(&members).len());
    assert_eq!(reason(&gzip(&members)), Reason::ExpansionLimit);
}

#[test]
fn bombs() {
    let mut bomb = vec![b' '; 64 << 20];
    bomb.extend(b"word");
    for layers in 1..=3 {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&bomb).unwrap();
        bomb = gzip.finish().unwrap();
        assert_eq!(reason(&bomb), Reason::ExpansionLimit, "{layers} layers");
    }
    let mut layers = b"word".to_vec();
    for _ in 0..5 {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&layers).unwrap();
        layers = gzip.finish().unwrap();
    }
    assert_eq!(reason(&layers), Reason::TooDeep);
}

#[test]
fn limits_are_inclusive_and_errors_name_them() {
    let limits = Limits { max_input_bytes: 4, ..Limits::default() };
    assert!(extract(b"four", &Hints::default(), &limits).is_ok());
    let error = extract(b"four ", &Hints::default(), &limits).unwrap_err();
    assert_eq!(error.reason(), Reason::TooLarge);
    assert!(error.to_string().contains("max_input_bytes is 4"), "{error}");
    for page in ["<!doctype html><p>a word<p>two", "<?xml version='1.0'?><p>a word</p>", "a word"] {
        let limits = Limits { max_text_bytes: 3, ..Limits::default() };
        let error = extract(page.as_bytes(), &Hints::default(), &limits).unwrap_err();
        assert_eq!(error.reason(), Reason::TextLimit, "{page}");
    }
    let limits = Limits { max_attributes: 2, ..Limits::default() };
    for start in ["<!doctype html>", "<?xml version='1.0'?>"] {
        let page = format!("{start}<p a='1' b='2'>word</p>");
        assert_eq!(extract(page.as_bytes(), &Hints::default(), &limits).unwrap().text, "word\n");
        let page = format!("{start}<p a='1' b='2' c='3'>word</p>");
        let error = extract(page.as_bytes(), &Hints::default(), &limits).unwrap_err();
        assert_eq!(error.reason(), Reason::AttributeLimit, "{page}");
    }
}

#[test]
fn zeros_and_lone_surrogates_are_no_obstacle() {
    assert_eq!(
        run(b"<!doctype html>wo\0rd<p>&#0;&#xD800;x").unwrap().text,
        "word\n\u{FFFD}\u{FFFD}x\n"
    );
    assert_eq!(run(&b"\xFF\xFEw\0\x00\xD8o\0"[..]).unwrap().text, "w\u{FFFD}o\n");
}

/// Pieces that mean something to some extractor, so that random documents are not merely noise.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z é日\\n]{0,8}",
        "[ -~]{0,6}",
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<b",
            ">",
            "<!--",
            "-->",
            "<script>",
            "</script>",
            "<nav>",
            "</nav>",
            "<table>",
            "<td>",
            "<li hidden>",
            "<form>",
            "</form>",
            "<![CDATA[",
            "]]>",
            "<?xml version='1.0'?>",
            "<!DOCTYPE html>",
            "<!DOCTYPE a [",
            "<!ENTITY a '&b;'>",
            "]>",
            "&amp;",
            "&a;",
            "&#x41;",
            "&",
            "='\"",
            "/>",
            "\u{8}",
            "\u{1b}[1m",
            "\u{c}",
            "-\n",
            "\u{ad}",
            "\r\n",
            "{\\rtf1",
            "\\'e9",
            "\\u233?",
            "{",
            "}",
            "\\par ",
            "\\documentclass{a}",
            "\\begin{document}",
            "\\def\\x#1{#1\\y}",
            "\\x",
            "\\section{",
            "\\item[",
            "\\verb|",
            "$",
            ".TH a 1\n",
            ".if n \\{",
            ".\\}\n",
            ".TS\n",
            ".de x\n",
            "\\fB",
            "\\*(",
            "\n.B \"",
            ".It Fl",
            "[a](b",
            "](",
            "```\n",
            "``",
            ":a:`",
            "`_",
            ".. a::\n",
            ".. |a| replace:: |a|\n",
            "|a|",
            ":a: {a}\n",
            "{a}",
            "<<",
            ">>",
            "x:y[",
            "]",
            "----\n",
            "---\na: b\n",
            "From: a\nDate: b\nSubject: =?utf-8?Q?",
            "Content-Type: multipart/mixed; boundary=x\n\n",
            "\n--x\n",
            "--x--",
            "\u{1f}\nFile: a,  Node: b\n",
            "*note ",
            "::",
            "%PDF-1.4",
            "PK\u{3}\u{4}",
        ])
        .prop_map(str::to_owned),
    ]
}

const MEDIA: [&str; 13] = [
    "text/plain",
    "text/html",
    "application/xhtml+xml",
    "application/xml",
    "text/troff",
    "application/x-latex",
    "application/rtf",
    "application/epub+zip",
    "text/markdown",
    "text/x-rst",
    "text/asciidoc",
    "text/x-info",
    "message/rfc822",
];

proptest! {
    // Whatever is found becomes a case of its own; the seeds are not kept.
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_bytes_never_panic_and_always_give_the_same(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let first = run(&bytes);
        prop_assert_eq!(&first, &run(&bytes));
        for media in MEDIA {
            let _ = run_as(&bytes, media);
        }
    }

    #[test]
    fn random_markup_never_panics_and_always_gives_the_same(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        prop_assert_eq!(run(text.as_bytes()), run(text.as_bytes()));
        for media in MEDIA {
            if let Ok(found) = run_as(text.as_bytes(), media) {
                prop_assert!(found.text.ends_with('\n'));
                let soft = found.text.contains('\u{ad}');
                prop_assert!(!soft);
            }
        }
    }
}
