//! RTF, a case for each rule.

use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;

#[track_caller]
fn check(body: &str, expected: &str) {
    let (hints, limits) = (Hints::default(), Limits::default());
    let source = format!("{{\\rtf1\\ansi\\ansicpg1252{body}}}");
    let text = rtf(source.as_bytes(), &mut Job::new(&hints, &limits)).unwrap();
    assert_eq!(text.trim_end().replace(['\n', '\t'], "|"), expected, "{body}");
}

#[test]
fn text_and_its_groups() {
    check("One {\\b bo}ld.\\par Two\\line three", "One bold.|Two|three");
    check("Li\r\nne\\tab x\\emdash y\\~z\\-w", "Line x\u{2014}y\u{A0}zw");
    check("\\trowd a\\cell b\\cell\\row c", "a|b|c");
    check(
        "{\\fonttbl{\\f0 Times;}}{\\stylesheet{Normal;}}{\\info{\\title x}}{\\*\\unknown x}y",
        "y",
    );
    check("{\\header x}{\\pict 0a0b}a{\\footnote note}{\\v hidden}b\\bin3 {{{c", "a|notebc");
    check("{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt shown}}", "shown");
    check("\\{\\}\\\\", "{}\\");
}

#[test]
fn superscripts_and_subscripts() {
    check("A 10{\\super 2} and 10\\super 3\\nosupersub , H{\\sub 2}O", "A 10² and 10³, H₂O");
    check("m{\\up6 -2} x{\\super 2\\super0 3}{\\dn6 1\\plain 2}", "m⁻² x²3₁2");
    check("A 10{\\super\\u8722?2} 1{\\super st} 10 {\\super 2}", "A 10⁻² 1st 10 2");
    check("word{\\super\\chftn{\\footnote a1 b}}", "word|a1 b");
}

#[test]
fn optional_destinations_are_groups() {
    check("a {\\*\\unknown b{c}} d", "a d");
    check("a {\r\n\\*\\unknown b} c", "a c");
    // Not at the beginning of a group, it concerns its control word and nothing after it.
    check("a \\*\\unknown b {c} d", "a b c d");
    check("{\\b a\\*\\unknown1 b}c", "abc");
    check("a {b}\\* c", "a b c");
}

#[test]
fn letters() {
    check("caf\\'e9 \\'93x\\'94", "café \u{201C}x\u{201D}");
    check("\\u1078\\'e6\\u-10179?\\u-8704?\\uc0\\u8364x\\uc2\\u233\\'c3\\'a9y", "ж\u{1F600}€xéy");
    check(
        "{\\fonttbl{\\f1\\fcharset204 A;}{\\f2\\fcharset128 B;}}\\f1\\'e6{\\f2\\'93\\'fa\\'96\\'7b}\\'e6",
        "ж日本ж",
    );
    check("{\\fonttbl{\\f0\\fcharset0 A;}}\\ansicpg1251\\'e6", "ж");
}

#[test]
fn damage_ends() {
    check("}}}}x", "x");
    check("{{{{x", "x");
    check("\\'zz\\u\\bin99999999999 x", "zz");
}

/// A document of which next to nothing is read says so.
#[test]
fn lost_text_is_warned_of() {
    let words = "word ".repeat(100);
    let has_warning = |body: &str| {
        let source = format!("{{\\rtf1\\ansi a{body}}}");
        let found = crate::extract(source.as_bytes(), &Hints::default(), &Limits::default());
        found.unwrap().record.warnings.iter().any(|w| w.code == crate::WarningCode::LittleText)
    };
    assert!(has_warning(&format!("{{\\v {words}}}")));
    assert!(has_warning(&format!("{{\\header {words}}}")));
    assert!(!has_warning(&words));
    for group in ["\\*\\x", "\\pict", "\\info", "\\fonttbl", "\\stylesheet"] {
        assert!(!has_warning(&format!("{{{group} {words}}}")), "{group}");
    }
}
