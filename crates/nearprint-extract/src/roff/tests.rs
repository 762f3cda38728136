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

/// As mandoc prints them.
#[test]
fn mdoc_writes_names_out() {
    for (line, expected) in [
        (".Fx 4.4 .", "FreeBSD 4.4."),
        (
            ".Bx 4.3 Reno ,\n.Bx 4.4\n.Bx\nand\n.Bx -beta",
            "4.3BSD-Reno, 4.4BSD BSD and BSD (currently in beta test)",
        ),
        (".Nx 1.4 ,\n.Ox\n.Dx 2.0 ,\n.Bsx\n.Ux", "NetBSD 1.4, OpenBSD DragonFly 2.0, BSD/OS UNIX"),
        (
            ".At v7 .\n.At\n.At V.3\n.At III\n.At 32v",
            "Version 7 AT&T UNIX. AT&T UNIX AT&T System V Release 3 UNIX AT&T System III UNIX Version 32V AT&T UNIX",
        ),
        (".St -p1003.1-2008 .", "IEEE Std 1003.1-2008 (“POSIX.1”)."),
        (".St -isoC-99 and\n.St -unknown", "ISO/IEC 9899:1999 (“ISO C99”) and -unknown"),
        (".Pq Bx 4.2 , Fx 1.0", "4.2BSD, FreeBSD 1.0"),
        (
            ".Nm xcat\n.Pp\n.Ex -std",
            "xcat|The xcat utility exits 0 on success, and >0 if an error occurs.",
        ),
        (
            ".Ex -std a b c",
            "The a, b, and c utilities exit 0 on success, and >0 if an error occurs.",
        ),
        (
            ".Rv -std close",
            "The close() function returns the value 0 if successful; otherwise the value -1 is returned and the global \
             variable errno is set to indicate the error.",
        ),
        (".Fn execve Ap d", "execve'd"),
    ] {
        check(&format!("{line}\n"), expected);
    }
}

#[test]
fn equations_are_their_letters() {
    check(
        ".EQ\ndelim $$\n.EN\nThe $x sub 1$ of $sin theta$ is $a over b$.\n",
        "The x1 of sin θ is a b.",
    );
    check(".EQ\ndelim @#\n.EN\na @x# $b$\n.EQ\ndelim off\n.EN\n@x sub 1#\n", "a x $b$|@x sub 1#");
    check(
        "a\n.EQ (1)\nsum from i=0 to inf { x sup 2 } size 12 y ~=~ \"a word\"\n.EN\nb\n",
        "a|∑ i=0 ∞x2y = a word|b",
    );
    check(".EQ\ndelim $$\n.EN\n.TS\nl l.\n$alpha$\tb\n.TE\n", "α|b");
    check(".EQ\ndelim $$\n.EN\nan open $x sub\n", "an open $x sub");
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
