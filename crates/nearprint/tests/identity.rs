//! What `identical` is said of: equal texts, however they are encoded, and no others.

use nearprint::records::{Document, DocumentId, ErrorRecord, TextGrade};
use nearprint::{Engine, Settings, TextRequest, Verification, compare_features};

/// What two documents are to one another, by what the pipeline makes of them.
fn grade(a: &[u8], b: &[u8]) -> TextGrade {
    let mut source = [("a", a), ("b", b)].into_iter().map(|(id, bytes)| {
        Ok::<_, ErrorRecord>(Document::from_bytes(DocumentId::new(id).unwrap(), bytes))
    });
    let verification = Verification::default();
    let mut features = Vec::new();
    Engine::default()
        .pipeline(Settings::default())
        .read(&mut source, &TextRequest::from(verification), |record, made, _| {
            let made = made.unwrap_or_else(|| panic!("{record:?}"));
            features.push(made.features.unwrap().unpack());
            Ok::<_, ErrorRecord>(())
        })
        .unwrap();
    compare_features(&features[0], &features[1], verification).grade
}

#[track_caller]
fn assert_grade(a: &str, b: &str, wanted: TextGrade) {
    assert_eq!(grade(a.as_bytes(), b.as_bytes()), wanted, "{a:?} {b:?}");
}

const MACRO: &str = "<title>Macro</title><body><h1>Macro BOOST_PROTO_A</h1><p>BOOST_PROTO_A(N) expands to the \
     parameter list of a template with N arguments, as the other macros of this header do.</p>";

/// Normalisation for tokens folds exponents, fractions, the marks of notes and case, and white space means more than
/// that words end.
#[test]
fn what_normalisation_folds_is_not_identical() {
    let lower = MACRO.replace("PROTO_A", "PROTO_a");
    let code = "if ready:\n    send(mail)\n    close(door)\n";
    let outside = code.replace("    close", "close");
    for (a, b) in [
        (MACRO, lower.as_str()),
        ("an area of 10² square kilometres", "an area of 102 square kilometres"),
        ("a wall of 5×10³ metres in length", "a wall of 5×103 metres in length"),
        ("it was signed in 1648³ at noon", "it was signed in 16483 at noon"),
        ("take 1½ cups of flour and salt", "take 11/2 cups of flour and salt"),
        (code, outside.as_str()),
        ("the us army met the polish group in may", "The US army met the Polish group in May"),
        ("fog came in at noon and\nstayed for days", "fog came in at noon\nand stayed for days"),
    ] {
        assert_grade(a, b, TextGrade::SameWords);
    }
}

#[test]
fn how_a_text_is_encoded_makes_no_other_text() {
    let text = "Café au lait, at noon.\n\n    Bells rang in the dusk.\n";
    let in_latin = b"Caf\xE9 au lait, at noon.\r\n\r\n    Bells rang in the dusk.";
    assert_eq!(grade(text.as_bytes(), in_latin), TextGrade::Identical);
    for other in [
        format!("\u{FEFF}{}", text.replace('\n', "\r\n")),
        text.replace('\n', " \t\n"),
        text.replace('é', "e\u{301}"),
        format!("{text}\n\n"),
    ] {
        assert_grade(text, &other, TextGrade::Identical);
    }
}

#[test]
fn white_space_counts_where_text_does_not_flow() {
    let page = |body: &str| format!("<!doctype html><title>Fog</title><body>{body}");
    let flowing = page("<p>Fog came in at noon and stayed for days.</p><p>Bells rang.</p>");
    let wrapped =
        page("<p>Fog came in\n   at noon and stayed\n for days.\n</p>\n\n<div> Bells rang.</div>");
    assert_grade(&flowing, &wrapped, TextGrade::Identical);
    let code = |last: &str| {
        page(&format!(
            "<p>It runs so:</p><pre>if ready:\n    send(<b>mail</b>)\n{last}close(door)</pre>"
        ))
    };
    assert_grade(&code("    "), &code("    "), TextGrade::Identical);
    assert_grade(&code("    "), &code(""), TextGrade::SameWords);
    let table = |rows: &str| page(&format!("<table>{rows}</table>"));
    let rows = "<tr><td>fog<td>at noon<tr><td>bells<td>in the dusk";
    assert_grade(&table(rows), &table(&rows.replace("<td>", "\n <td>")), TextGrade::Identical);
    assert_grade(
        &table(rows),
        &table(&rows.replacen("<td>at", "<tr><td>at", 1)),
        TextGrade::SameWords,
    );
}
