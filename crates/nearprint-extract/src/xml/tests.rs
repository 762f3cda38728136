//! XML's rules for words, a case for each; whole documents are under `tests/cases`.

use super::*;
use crate::Reason;
use crate::extraction::Hints;
use crate::limits::Limits;

#[track_caller]
fn text_of(text: &str) -> String {
    let (hints, limits) = (Hints::default(), Limits::default());
    let mut job = Job::new(&hints, &limits);
    xml(text, &mut job).unwrap().trim_end().replace(['\n', '\t'], "|")
}

#[test]
fn tags_inside_words_join_and_tags_between_elements_separate() {
    for (text, expected) in [
        ("<d>foo<x1>bar</x1>baz</d>", "foobarbaz"),
        ("<d><x1>foo</x1><x2>bar</x2></d>", "foo|bar"),
        ("<d>foo <x1>bar</x1> baz</d>", "foo bar baz"),
        ("<p><b>W</b>ord</p>", "Word"),
        ("<p><hi>W</hi><hi>o</hi>rd</p>", "Word"),
        ("<p>a</p><p>b</p>", "a|b"),
        ("<p>漢<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>だ</p>", "漢字だ"),
        ("<p><ruby>灯<rt>とう</rt></ruby><ruby>台<rt>だい</rt></ruby></p>", "灯台"),
        ("<p><ruby><rb>灯</rb><rb>台</rb><rt>とう</rt><rt>だい</rt></ruby></p>", "灯台"),
        ("<row><entry>a</entry><entry>b</entry></row>", "a|b"),
        ("<p>un<lb break=\"no\"/>done</p><p>line<lb/>two</p>", "undone|line two"),
        ("<d>a<!-- x -->b<?p?>c<![CDATA[&<d]]></d>", "abc&<d"),
    ] {
        assert_eq!(text_of(text), expected, "{text}");
    }
}

#[test]
fn superscripts_and_subscripts() {
    for (text, expected) in [
        ("<p>10<sup>2</sup> m<sup>&#x2212;2</sup></p>", "10² m⁻²"),
        ("<para>H<subscript>2</subscript>O 10<superscript>2</superscript></para>", "H₂O 10²"),
        (
            "<p>10<hi rend='superscript'>2</hi> x<hi rend='sub'>1</hi><hi rend='i'>2</hi></p>",
            "10² x₁2",
        ),
        ("<p>10<sup><italic>2</italic></sup> 1<sup>st</sup></p>", "10² 1st"),
        ("<p>10 <sup>2</sup>, end.<sup>2</sup></p>", "10 2, end.2"),
        ("<p>word<xref><sup>1</sup></xref> word<sup><xref>1</xref></sup></p>", "word1 word1"),
        ("<p>word<sup><xref>1</xref></sup>, 10<sup>2</sup></p>", "word1, 10²"),
        ("<p>x<sup>2<sup>3</sup></sup> x<sup>2</sup></p>", "x23 x²"),
        ("<p>x<sup/>2<sup>3</sup></p>", "x2³"),
        ("<p>x<sup>2", "x2"),
    ] {
        assert_eq!(text_of(text), expected, "{text}");
    }
}

#[test]
fn metadata_is_out_but_titles_and_abstracts() {
    for (text, expected) in [
        (
            "<TEI><teiHeader><fileDesc><titleStmt><title>x</title></titleStmt></fileDesc><profileDesc>\
             <langUsage>z</langUsage><abstract><p>a</p></abstract></profileDesc></teiHeader><text><p>y</p></text></TEI>",
            "a|y",
        ),
        ("<book><info><title>T</title><author>A</author></info><para>y</para></book>", "T|y"),
        (
            "<article><front><journal-meta>j</journal-meta><article-meta><article-id>1</article-id>\
             <title-group><article-title>T</article-title></title-group><abstract><p>Ab</p></abstract>\
             <volume>3</volume></article-meta></front><body><p>B</p></body></article>",
            "T|Ab|B",
        ),
        ("<p>a<indexterm><primary>x</primary></indexterm>b</p>", "ab"),
        ("<p><choice><sic>teh</sic><corr>the</corr></choice> end</p>", "the end"),
        ("<rfc><section title='Intro'><t>x</t></section></rfc>", "Intro|x"),
        ("<rfc><texttable><ttcol>A</ttcol><c>a</c><c>b</c></texttable></rfc>", "A|a|b"),
        (
            "<rfc><t>see <xref target='RFC1'/>, <xref target='a'/> <xref target='b'>c</xref></t></rfc>",
            "see RFC1, Section c",
        ),
        (
            "<rfc><t>see <xref target='RFC1'></xref>, <xref target='a'> </xref> or <xref target='b'>c</xref>, \
             Sections <xref target='d' format='counter'/></t></rfc>",
            "see RFC1, Section or c, Sections",
        ),
        (
            "<rfc><reference><front><title>T</title><author surname='A' initials='B.'><address>x</address></author>\
             <abstract><t>y</t></abstract></front><seriesInfo name='RFC' value='1'/></reference></rfc>",
            "A B.|T|RFC 1",
        ),
        (
            "<rfc><reference anchor='X1'><front><title>T</title><author surname='A' initials='B.' role='editor'/>\
             <date month='May' year='1'/></front><seriesInfo name='RFC' value='1'/></reference></rfc>",
            "X1|A B. Ed.|T|RFC 1|May 1",
        ),
        (
            "<rfc><xref target='R' x:sec='2'/> <xref target='R' x:fmt=',' x:sec='2'/></rfc>",
            "Section 2 of R R Section 2",
        ),
        ("<rfc><xref target='R' section='2' sectionFormat='bare'/></rfc>", "2"),
        (
            "<p>a <menuchoice><shortcut><keycombo><keycap>C</keycap><keycap>N</keycap></keycombo></shortcut>\
             <guimenu>File</guimenu><guimenuitem>New</guimenuitem></menuchoice> b</p>",
            "a|File|New C N b",
        ),
        ("<menuchoice><shortcut>K</shortcut><guimenu>File</guimenu>", "File K"),
        ("<p>a <shortcut>K</shortcut> b</p>", "a K b"),
        ("<rfc><xref section='2' derivedContent='RFC9' target='x'/></rfc>", "Section 2 of RFC9"),
    ] {
        assert_eq!(text_of(text), expected, "{text}");
    }
}

#[test]
fn references() {
    for (text, expected) in [
        ("<p>a&amp;b&#233;&#xE9;&eacute;&nbsp;c</p>", "a&béé\u{E9}\u{A0}c"),
        ("<p>AT&T and a & b</p>", "AT&T and a & b"),
        // As browsers read it, whatever follows.
        ("<p>&copy 2020</p>", "\u{A9} 2020"),
        ("<p>&copy 2020; &</p>", "\u{A9} 2020; &"),
        ("<!DOCTYPE p [<!ENTITY n 'Near<b>p</b>rint'>]><p>&n;!</p>", "Nearprint!"),
        ("<!DOCTYPE p [<!--<!ENTITY n 'x'>--><!ENTITY n 'y'><!ENTITY n 'z'>]><p>&n;</p>", "y"),
        ("<p>with &konsole;, a&unknown;b</p>", "with konsole, aunknownb"),
        ("<!DOCTYPE p [<!ENTITY part SYSTEM 'p.xml'>]><p>a&part;b</p>", "a b"),
        // A file that is there, where tests are run.
        ("<!DOCTYPE p [<!ENTITY part SYSTEM 'Cargo.toml'>]><p>a&part;b</p>", "a b"),
    ] {
        assert_eq!(text_of(text), expected, "{text}");
    }
}

#[test]
fn names_of_entities_have_256_bytes() {
    for (length, expected) in [(1, "yes"), (256, "yes"), (257, "&")] {
        let name = "n".repeat(length);
        let text = text_of(&format!("<!DOCTYPE p [<!ENTITY {name} 'yes'>]><p>&{name};</p>"));
        assert!(text.starts_with(expected), "{length}: {text}");
    }
}

#[test]
fn exploding_entities_are_refused() {
    let mut laughs = String::from("<!DOCTYPE l [<!ENTITY l0 \"lol\">");
    for n in 1..10 {
        laughs += &format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10));
    }
    laughs += "]><l>&l9;</l>";
    let blowup = format!(
        "<!DOCTYPE b [<!ENTITY a \"{}\">]><b>{}</b>",
        "x".repeat(100_000),
        "&a;".repeat(20_000)
    );
    let endless = "<!DOCTYPE a [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><a>&a;</a>";
    let (hints, limits) = (Hints::default(), Limits::default());
    for text in [laughs.as_str(), &blowup, endless] {
        let error = xml(text, &mut Job::new(&hints, &limits)).unwrap_err();
        assert_eq!(error.reason(), Reason::ExpansionLimit);
    }
}

/// A text that many elements could end would be looked for by each of them.
#[test]
fn texts_that_move_take_linear_time() {
    let many = "<menuchoice><shortcut>k</shortcut><b></b>".repeat(100_000);
    assert_eq!(text_of(&many).matches('k').count(), 100_000);
}

#[test]
fn damage_is_read_and_said() {
    let (hints, limits) = (Hints::default(), Limits::default());
    for (text, expected) in
        [("<d><p>a<b>c</p><p>e</d>", "ac|e"), ("<d>a</e>b", "ab"), ("<d>a < b</d>", "a < b")]
    {
        let mut job = Job::new(&hints, &limits);
        assert_eq!(xml(text, &mut job).unwrap().trim_end().replace('\n', "|"), expected, "{text}");
        assert_eq!(job.warnings[0].code, WarningCode::Recovered, "{text}");
    }
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn declarations_of_entities_take_linear_time() {
    let many: String = (0..1 << 19).map(|n| format!("<!ENTITY e{n} \"x{n}\">")).collect();
    for subset in [
        many,
        "<!ENTITY".repeat(1 << 20),
        "<!ENTITY e ".repeat(1 << 20),
        "<!ENTITY e '".repeat(1 << 20),
        "<!ENTITY e 'x'><!-- -->".repeat(1 << 20),
        "<!-- <!ENTITY e 'x'> -->".repeat(1 << 20),
    ] {
        let text =
            format!("<?xml version='1.0'?><!DOCTYPE a [{subset} <!ENTITY f \"y\">]><a>word</a>");
        assert_eq!(text_of(&text), "word");
    }
    let text = "<!DOCTYPE a [<!ENTITY e 'one'><!-- <!ENTITY e 'two'> <!ENTITY f 'two'> -->\
                <!ENTITY f 'three'><!-- --><!ENTITY g 'four'>]><a>&e; &f; &g;</a>";
    assert_eq!(text_of(text), "one three four");
}

#[test]
fn xml2rfc_is_said_to_be_outside_the_profile() {
    let (hints, limits) = (Hints::default(), Limits::default());
    for (text, is_outside) in [("<rfc><t>a</t></rfc>", true), ("<d><rfc>a</rfc></d>", false)] {
        let mut job = Job::new(&hints, &limits);
        xml(text, &mut job).unwrap();
        let said = job.warnings.iter().any(|warning| warning.code == WarningCode::OutsideProfile);
        assert_eq!(said, is_outside, "{text}");
    }
}

#[test]
fn a_translation_by_itself_is_a_document() {
    let part = "<sub-article article-type=\"translation\"><front-stub><title-group><article-title>Nebel\
                </article-title></title-group></front-stub><body><p>Er kam.</p></body></sub-article>";
    assert_eq!(text_of(part), "Nebel|Er kam.");
    let whole = format!("<article><body><p>Fog</p></body>{part}</article>");
    assert_eq!(text_of(&whole), "Fog");
}

#[test]
fn linuxdoc_is_sgml() {
    let head = "<!doctype linuxdoc system [<!entity w '3 <tt/x/'>]>\n<article><title>Fog\n<author>A. B.\n<toc>";
    for (text, expected) in [
        (
            "<sect>One<label id='x'>\n<p>\nSee <tt/load/<nidx>load!entry</nidx> and <em>this</em>.",
            "One|See load and this.",
        ),
        ("<sect1>Two<p>a b\n<p>c</sect1>", "Two|a b|c"),
        (
            "<descrip><tag/-a/ First.<tag><tt>-b</tt></tag> Second.</descrip>",
            "-a|First.|-b|Second.",
        ),
        ("<itemize><item>a <item>b</itemize>c", "a|b|c"),
        (
            "<p>At <url url='http://x' name='a page'>, <ref id='x' name='One'>; US&lowbar;A",
            "At a page, One; US_A",
        ),
        ("<P>a<ITEMIZE><ITEM>a<ITEM>b</ITEMIZE><TT/c/", "a|a|b|c"),
        ("<p>Two words.\n<sect>Three\n<p>Four", "Two words.|Three|Four"),
        (
            "<p>See <ref id=intro name='Intro'> and &w;, &ero;b &etago;c&nil; &tilde;",
            "See Intro and 3 x, &b </c ~",
        ),
        ("<code>\n#include <stdio.h>\n</code>", "#include <stdio.h>"),
        ("<p>from <url url='http://x'>", "from http://x"),
        ("<tscreen><verb>\na  b\n  c\n</verb></tscreen>", "a b|  c"),
        (
            "<table loc=p><tabular ca=lr>a <colsep> b <rowsep> c <colsep> d</tabular></table>",
            "a|b|c|d",
        ),
        ("<p>never/short <bf/x/", "never/short x"),
    ] {
        assert_eq!(text_of(&format!("{head}{text}")), format!("Fog|A. B.|{expected}"), "{text}");
    }
    let (hints, limits) = (Hints::default(), Limits::default());
    let mut job = Job::new(&hints, &limits);
    xml(&format!("{head}<p>a<p>b</article>"), &mut job).unwrap();
    let codes: Vec<WarningCode> = job.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::OutsideProfile]);
}

#[test]
fn the_shortest_end_tag_ends_what_is_open() {
    assert_eq!(text_of("<book><para>a <literal>b</>c</> d</book>"), "a bc|d");
    // Of other documents a slash is part of the text.
    assert_eq!(text_of("<d>a <tt/b/ c</d>"), "a <tt/b/ c");
}
