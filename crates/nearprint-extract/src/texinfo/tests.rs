//! Texinfo, a case for each rule.

use super::*;
use crate::Reason;
use crate::extraction::Hints;
use crate::sniff::texinfo::is_texinfo;

fn run(source: &str) -> Result<String, ExtractError> {
    let (hints, limits) = (Hints::default(), Limits::default());
    texinfo(source, &mut Job::new(&hints, &limits))
}

/// Each case is a source, a line `=>` and its text; a line `--` is between two.
#[test]
fn cases() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in include_str!("cases.txt").split("\n--\n") {
        let (source, expected) = case.split_once("\n=>\n").expect(case);
        let text = run(source).unwrap();
        if text.trim_end() != expected.trim_end() {
            wrong.push(format!("{source}\n=>\n{text}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n--\n"));
    assert!(count > 20, "{count}");
}

#[test]
fn macros_that_explode_are_refused() {
    let mut bomb = String::from("@macro a\nxxxxxxxxxxxxxxxx\n@end macro\n");
    for n in 1..20 {
        let (a, b) = (char::from(b'a' + n), char::from(b'a' + n - 1));
        let body = format!("@{b}{{}}").repeat(10);
        bomb += &format!("@macro {a}\n{body}\n@end macro\n");
    }
    for source in [
        &*(bomb + "@t{}"),
        "@macro x\n@x{}y\n@end macro\n@x{}",
        "@set x @value{x}@value{x}\n@value{x}",
    ] {
        assert_eq!(run(source).unwrap_err().reason(), Reason::ExpansionLimit, "{source}");
    }
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn braces_inside_braces_take_linear_time() {
    for source in [
        "@xref{",
        "@footnote{a",
        "@ref{a,",
        "@code{",
        "@anchor{",
        "@iftex\n",
        "@menu\n",
        "@verb{|",
        "@'{",
    ] {
        run(&source.repeat(1 << 18)).unwrap();
    }
}

#[test]
fn what_stands_before_texinfo_is_tex() {
    let text =
        "% -*-texinfo-*-\n\\def\\LaTeX{L\\kern-.34em A}\n\\input texinfo\n@settitle x\nFog came.\n";
    assert_eq!(run(text).unwrap(), "x\nFog came.\n");
}

#[test]
fn texinfo_is_known_by_its_first_line_or_its_nodes() {
    assert!(is_texinfo("\\input texinfo   @c -*-texinfo-*-\n"));
    assert!(is_texinfo("@c x\n@node Top\n@chapter One\n\n@cindex one\nText"));
    for text in ["About @node and @chapter\n", "@node one\ntext", "@section a\n@section b\n@menu\n"]
    {
        assert!(!is_texinfo(text), "{text}");
    }
}

#[test]
fn parts_in_other_files_and_missing_ends_are_warned_of() {
    for (source, code) in [
        ("@include more.texi\ntext", WarningCode::IncludesMissing),
        ("@menu\ntext", WarningCode::Recovered),
    ] {
        let (hints, limits) = (Hints::default(), Limits::default());
        let mut job = Job::new(&hints, &limits);
        assert_eq!(texinfo(source, &mut job).unwrap(), "text\n");
        assert_eq!(job.warnings[0].code, code);
    }
}
