//! Plain text, a case for each thing printers, terminals and typesetters do.

use crate::{Hints, Limits};

fn lines(text: &str) -> String {
    let (hints, limits) = (Hints::default(), Limits::default());
    super::lines(text, &crate::job::Job::new(&hints, &limits)).unwrap()
}

#[test]
fn terminals_and_printers() {
    for (text, expected) in [
        ("", ""),
        ("a", "a\n"),
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\x0cb\x0bc", "a\nb\nc\n"),
        ("N\x08NA\x08AM\x08ME\x08E", "NAME\n"),
        ("_\x08f_\x08i_\x08l_\x08e", "file\n"),
        ("f\x08_i\x08_", "fi\n"),
        ("o\x08o\x08o\x08ox", "ox\n"),
        ("word\x08\x08\x08\x08____ x", "word x\n"),
        ("word\x08\x08\x08\x08word x", "word x\n"),
        ("漢\x08\x08漢字\x08字", "漢字\n"),
        ("\x08a\n\x08b", "a\nb\n"),
        ("\x1b[1;31mred\x1b[0m ink", "red ink\n"),
        ("\x1b]8;;https://example.org/\x1b\\link\x1b]8;;\x07 end", "link end\n"),
        ("\x1b(Bset \x1b7x", "set x\n"),
        ("\u{9B}1mbold", "bold\n"),
        ("end\x1b", "end\n"),
    ] {
        assert_eq!(lines(text), expected, "{text:?}");
    }
}

#[test]
fn a_broken_word_is_joined_where_the_document_has_it_whole() {
    assert_eq!(
        lines("The infor-\n  mation here is information.\n"),
        "The information here is information.\n"
    );
    assert_eq!(lines("Infor\u{2010}\nmation: information.\n"), "Information: information.\n");
}

#[test]
fn a_compound_stays_one() {
    let text = "A well-\nknown fact is well-known.\n";
    assert_eq!(lines(text), text);
}

#[test]
fn words_the_document_does_not_have_follow_the_others() {
    let typeset = "infor-\nmation information quick-\nly\n";
    assert_eq!(lines(typeset), "information information quickly\n");
    let loose = "well-\nknown well-known high-\nlevel\n";
    assert_eq!(lines(loose), loose);
    // Nothing known, few lines: better two words than one that is none.
    assert_eq!(lines("abc-\ndef\n"), "abc-\ndef\n");
}

#[test]
fn many_broken_lines_are_a_typesetters() {
    let mut text = String::new();
    for n in 0..10 {
        let letters = ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st"][n];
        text += &format!("some plain line of text\nanother {letters}x-\n{letters}y line\n");
    }
    assert!(lines(&text).contains("another abxaby line"));
}

#[test]
fn upper_case_numbers_and_options_are_not_joined() {
    for text in
        ["Jean-\nPaul\n", "5-\nyear\n", "foo/bar-\nbaz bar\n", "--long-\noption longoption\n"]
    {
        assert_eq!(lines(text), text);
    }
}

#[test]
fn full_lines_of_chinese_join_and_short_ones_do_not() {
    let full = "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往";
    let text = format!("題目\n{full}\n  {full}\n收尾。\n另起\n");
    assert_eq!(lines(&text), format!("題目\n{full}{full}收尾。\n另起\n"));
}

#[test]
fn korean_words_broken_by_a_full_line_are_joined_where_the_document_has_them_whole() {
    // The same sentences, once on long lines; words broken inside and between.
    let known = "이 등대 안내서를 함께 읽습니다\n이것은 큰 바다를 건넙니다\n";
    let text = format!(
        "{known}{}\n{}\n{}\n",
        "우리는 오늘 아침에 일찍 일어나서 등대 지기와 만나기로 하고 그 배와 길과 물과 등대 안내",
        "서를 보고 나서 저녁까지 기다리다가 그 배를 타고 항구를 떠나서 먼 곳까지 가며 이 큰",
        "바다를 봅니다"
    );
    let joined = lines(&text);
    assert!(joined.contains("안내서를 보고"), "{joined}");
    assert!(joined.contains("큰\n바다를"), "{joined}");
}

#[test]
fn indices_lose_the_numbers_of_lines() {
    let index: String =
        (1..6).map(|n| format!("* entry {n}:      Node {n}.   (line  {n})\n")).collect();
    let wanted: String = (1..6).map(|n| format!("* entry {n}:      Node {n}.\n")).collect();
    assert_eq!(lines(&format!("{index}       (line 33)\n")), format!("{wanted}\n"));
    let prose = "The error is in the parser (line 12)\n";
    assert_eq!(lines(&format!("{prose}{index}")), format!("{prose}{wanted}"));
    let few = "* one: Node.  (line 1)\n";
    assert_eq!(lines(few), few);
}
