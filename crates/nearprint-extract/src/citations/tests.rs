//! BibTeX and RIS, a case for each rule.

use super::*;
use crate::Reason;
use crate::extraction::Hints;
use crate::limits::Limits;

type Run = fn(&str, &mut Job<'_>) -> Result<String, ExtractError>;

fn run(source: &str, with: Run) -> Result<(String, usize), ExtractError> {
    let (hints, limits) = (Hints::default(), Limits::default());
    let mut job = Job::new(&hints, &limits);
    let text = with(source, &mut job)?;
    Ok((text.trim_end().replace('\n', "|"), job.warnings.len()))
}

#[track_caller]
fn check(source: &str, with: Run, expected: &str, warnings: usize) {
    assert_eq!(run(source, with).unwrap(), (expected.to_owned(), warnings), "{source}");
}

#[test]
fn entries_of_bibtex() {
    check("@book{k, TITLE = {A {B}ook}, isbn = {1},}", bibtex, "A Book", 0);
    check("@Misc(k, title = \"Say {\"}x{\"}\")", bibtex, "Say \"x\"", 0);
    check(
        "@string{m = {Fog }}@misc{k, title = m # \"bank\" # 1, year = oct}",
        bibtex,
        "Fog bank1|oct",
        0,
    );
    check(
        "@misc{k, author = {A and\n  B, C}, title={x\\textbf{y} \\& \\'e}}",
        bibtex,
        "xy & e\u{301}|A; B, C",
        0,
    );
    check("@comment{@misc{k, title={x}}}@preamble{\"\\x\"}@misc{k, note={y}}", bibtex, "y", 0);
    // What has no end ends where the next begins.
    check(
        "@misc{a, title = {One\n}\n@misc{b, title = {Two},\n note = {x\n@misc{c, title = 3}",
        bibtex,
        "One|Two|x|3",
        1,
    );
    check("me@example.org, @ {, @x", bibtex, "", 0);
}

#[test]
fn names_that_explode_are_refused() {
    let mut bomb = String::from("@string{s0 = {xxxxxxxxxxxxxxxx}}");
    for n in 1..20 {
        let name = format!("s{}", n - 1);
        bomb += &format!("@string{{s{n} = {}}}", vec![name; 10].join(" # "));
    }
    assert_eq!(run(&bomb, bibtex).unwrap_err().reason(), Reason::ExpansionLimit);
}

#[test]
fn references_of_ris() {
    check("TY  - JOUR\nTI  - One\nER  - \nTY  - BOOK\nT1  - Two\nER  -", ris, "One|Two", 0);
    check("TY  - JOUR\r\nAB  - a\r\nmore\r\nDO  - 1\r\nnot\r\nER  - \r\n", ris, "a more", 0);
    check("TY  - JOUR\nJO  - J. F.\nT2  - Journal\nY1  - 2001///\nER  - ", ris, "J. F.|2001", 0);
    check("TY  - JOUR\nTI  - One\n", ris, "One", 1);
}

#[test]
fn lists_are_known_by_how_they_begin() {
    for text in [
        "% x\n@article{key,\n  title = {x}}",
        "@string{a = {b}}\n@Book{k, title={x}}",
        "@misc(k, a = 1)",
    ] {
        assert!(is_bibtex(text), "{text}");
    }
    for text in [
        "@media {x, y}",
        "@someone wrote\n",
        "text\n@misc{k, a = 1}",
        "@import {a}",
        "@string{a = {b}}\ntext",
    ] {
        assert!(!is_bibtex(text), "{text}");
    }
    assert!(is_ris("\u{FEFF}\nTY  - JOUR\nAU  - x\n"));
    assert!(!is_ris("TY  - JOUR\ntext\n") && !is_ris("AU  - x\nTY  - JOUR\n"));
}
