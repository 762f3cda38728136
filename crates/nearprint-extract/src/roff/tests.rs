//! Manual pages in both macro packages, a case for each rule.

use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;
use crate::sniff::roff::is_roff;

#[track_caller]
fn check(page: &str, expected: &str) {
    let (hints, limits) = (Hints::default(), Limits::default());
    let text = roff(page, &mut Job::new(&hints, &limits)).unwrap();
    assert_eq!(text.trim_end().replace(['\n', '\t'], "|"), expected, "{page}");
}

#[test]
fn man_pages() {
    check(
        ".TH X 1 2020 \"Some Suite\"\n.SH \"THE NAME\"\nx \\- does\nthings\n",
        "THE NAME|x - does things",
    );
    check(".B bold words\n.BR grep (1),\nend\n", "bold words grep(1), end");
    check(".TP\n.BI \\-f \" file\"\nReads.\n.IP tag 4\nBody\n", "-f file Reads.|tag|Body");
    check(".nf\na  b\n.B c\nd\n.fi\ne\n", "a b|c|d|e");
    check("one\n.\\\" comment\n.RS 4\ntwo\n.RE\n", "one|two");
    check("one\\c\ntwo\n", "onetwo");
    check("a long \\\nline\n", "a long line");
}

#[test]
fn definitions_end_as_groff_ends_them() {
    for end in ["..", ". .", ".\t.", ".. \\\" end", "..\\\" end"] {
        check(&format!(".de XX\nfoo\n{end}\nafter\n"), "after");
        check(&format!(".ig \\\" a comment\nfoo\n{end}\nafter\n"), "after");
    }
    check(".de XX YY\nfoo\n..\n. YY\nafter\n", "after");
    check(".de XX \\\" YY\nfoo\n..\nafter\n", "after");
    // Others do not end them.
    check(".de XX\nfoo\n...\n.x\n. x.\n..\nafter\n", "after");
    // As Asciidoctor writes them.
    check(
        ".if \\n[.g] \\{\\\n.  am URL\n.    ad l\n.  .\n.\\}\n.SH \"NAME\"\nafter\n",
        "NAME|after",
    );
}

/// Numbers of requests and sizes are not on paper, as in what pandoc writes.
#[test]
fn ms_documents() {
    check(
        ".ds { \\v'-0.3m'\\\\s[\\\\n[.s]*9u/12u]\n.ds } \\s0\\v'0.3m'\n.TL\nT\n.SH 1\nHead\n.LP\nSee a\\*{bc\\*}d.\n",
        "T|Head|See abcd.",
    );
    check(
        ".TL\nT\n.LP\nJust a \\c\n.pdfhref W -D \"/url/\" -A \"\\c\" \\\n -- \"URL\"\n\\&.\n",
        "T|Just a URL .",
    );
    check(".SH \"2 words\"\nx\n", "2 words|x");
}

#[test]
fn definitions_and_conditions() {
    check(".de Xx\nnot this\n..\n.Xx arg\ntext\n", "text");
    check(".ig\nnot this\n..\ntext\n", "text");
    check(".ds Aq \\(aq\nit\\*(Aqs\n", "it's");
    check(".ie \\n(.g .ds Q x\n.el .ds Q y\n\\*Q\n", "x");
    check(".if t not this\n.if n this\n", "this");
    check(".if t \\{\\\nnot this\n.if n \\{ nor this\n.\\}\n.\\}\nthis\n", "this");
    check(".ie t \\{ not this \\}\n.el \\{ this \\}\nend\n", "this end");
    check(".ie n \\{\\\n\\h'-04'\\(bu\\c\n.\\}\nitem\n", "•item");
    check(".if 'a'b' not this\nend\n", "end");
}

#[test]
fn tables() {
    check(
        ".TS\ntab(:);\nl l\nl l.\na:b\n_\nT{\nlong\ncell\nT}:d\n.TE\nend\n",
        "a|b|long cell|d|end",
    );
}

#[test]
fn mdoc_pages() {
    check(
        ".Dd May 1, 2020\n.Dt X 1\n.Os\n.Sh NAME\n.Nm xcat\n.Nd joins files\n.Sh SYNOPSIS\n.Nm\n.Op Fl abc\n.Op Ar file ...\n",
        "NAME|xcat|joins files|SYNOPSIS|xcat -abc file ...",
    );
    check(
        ".Bl -tag -width indent\n.It Fl v , Fl -verbose Ns = Ns Ar level\nSee\n.Xr grep 1 .\n.El\n",
        "-v, --verbose=level|See grep(1).",
    );
    check(".Em not\n.Dq quoted words\n.Pf ( Ar x )\n", "not quoted words (x)");
}

#[test]
fn roff_is_told_from_texts() {
    for (text, is) in [
        (".\\\" c\n.TH X 1\n", true),
        (".de Aa\n x\n..\n.TH X\n", true),
        (".Dd $Date$\n.Dt X 1\n", true),
        ("A text.\n.TH X 1\n", false),
        ("...and so on\n.SH\n", false),
        (".hidden\n.TH x\n", false),
        ("", false),
    ] {
        assert_eq!(is_roff(text), is, "{text}");
    }
}

#[test]
fn hostile_nesting_ends() {
    check(&format!("{}x\n", ".if n ".repeat(100_000)), "");
    check(&format!("{}x\n", ".if t \\{\n".repeat(10_000)), "");
    check(".ds a \\*b\n.ds b \\*a\n\\*a end\n", "end");
}
