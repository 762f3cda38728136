//! One case for each step of the order, and for each way a label can be wrong.

use super::*;

#[track_caller]
fn check(
    bytes: &[u8],
    hint: Option<&str>,
    text: &str,
    charset: &str,
    source: CharsetSource,
    overruled: Option<&str>,
) {
    let decoded = decode(bytes, hint);
    assert_eq!(decoded.text, text);
    assert_eq!(decoded.charset, charset);
    assert_eq!(decoded.source, source);
    assert_eq!(decoded.overruled.as_deref(), overruled);
}

fn utf16(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to).collect()
}

#[test]
fn the_order_is_kept() {
    use CharsetSource::{Bom, Declaration, Detected, Hint, Utf8Valid};
    check(b"\xEF\xBB\xBFna\xC3\xAFve", Some("latin1"), "naïve", "UTF-8", Bom, None);
    check(b"na\xEFve", Some("iso-8859-1"), "naïve", "windows-1252", Hint, None);
    check(b"<p>\xD2\xC5\xCB\xC1", Some(" KOI8-R "), "<p>река", "KOI8-R", Hint, None);
    check(
        b"<?xml version='1.0' encoding='iso-8859-2'?><a>\xB3</a>",
        None,
        "<?xml version='1.0' encoding='iso-8859-2'?><a>ł</a>",
        "ISO-8859-2",
        Declaration,
        None,
    );
    check(
        b"<META http-equiv=x content='text/html; charset=windows-1251'>\xF0\xE5\xEA\xE0",
        None,
        "<META http-equiv=x content='text/html; charset=windows-1251'>река",
        "windows-1251",
        Declaration,
        None,
    );
    check(
        b"# -*- coding: latin-2 -*-\n\xB3",
        None,
        "# -*- coding: latin-2 -*-\nł",
        "ISO-8859-2",
        Declaration,
        None,
    );
    // Labels stand for what the Encoding Standard says: this letter is in GBK and not in GB 2312.
    check(
        b"<meta charset=gb2312>\xE9\x46",
        None,
        "<meta charset=gb2312>镕",
        "GBK",
        Declaration,
        None,
    );
    check(b"plain", None, "plain", "UTF-8", Utf8Valid, None);
    check(b"\x1b$B4A;z\x1b(B", None, "漢字", "ISO-2022-JP", Detected, None);
}

#[test]
fn labels_that_contradict_the_bytes_lose() {
    use CharsetSource::{Detected, Hint, Utf8Valid};
    let utf8 = "naïve café".as_bytes();
    check(utf8, Some("windows-1252"), "naïve café", "UTF-8", Utf8Valid, Some("windows-1252"));
    check(utf8, Some("utf-16"), "naïve café", "UTF-8", Utf8Valid, Some("utf-16"));
    check(utf8, Some("utf-32"), "naïve café", "UTF-8", Utf8Valid, Some("utf-32"));
    check(
        b"d\xE9j\xE0 vu, une for\xEAt",
        Some("utf-8"),
        "déjà vu, une forêt",
        "windows-1252",
        Detected,
        Some("utf-8"),
    );
    // What can be read byte by byte is not in UTF-16, whatever it declares.
    let declared = "<?xml version='1.0' encoding='utf-16'?><a>noon</a>";
    check(declared.as_bytes(), None, declared, "UTF-8", Utf8Valid, Some("utf-16"));
    // Unknown labels and ASCII texts contradict nothing.
    check(b"plain", Some("no-such-charset"), "plain", "UTF-8", Utf8Valid, None);
    check(b"plain", Some("koi8-r"), "plain", "KOI8-R", Hint, None);
}

#[test]
fn comments_declare_nothing() {
    let decoded = decode(b"<!-- <meta charset=koi8-r> --><p>\xE9t\xE9", None);
    assert_eq!(decoded.charset, "windows-1252");
}

#[test]
fn wide_charsets_with_and_without_mark() {
    use CharsetSource::{Bom, Detected};
    let text = "Grüße, мир";
    for (to, mark, name) in [
        (u16::to_le_bytes as fn(u16) -> [u8; 2], [0xFF, 0xFE], "UTF-16LE"),
        (u16::to_be_bytes, [0xFE, 0xFF], "UTF-16BE"),
    ] {
        let body = utf16(text, to);
        check(&[&mark[..], &body].concat(), None, text, name, Bom, None);
        check(&body, None, text, name, Detected, None);
    }
    for (to, mark, name) in [
        (u32::to_le_bytes as fn(u32) -> [u8; 4], [0xFF, 0xFE, 0, 0], "UTF-32LE"),
        (u32::to_be_bytes, [0, 0, 0xFE, 0xFF], "UTF-32BE"),
    ] {
        let body: Vec<u8> = text.chars().flat_map(|c| to(c.into())).collect();
        check(&[&mark[..], &body].concat(), None, text, name, Bom, None);
        check(&body, None, text, name, Detected, None);
    }
    let cut_off = [0, 0, 0xFE, 0xFF, 0, 0, 0, b'a', 0];
    let cut = decode(&cut_off, None);
    assert_eq!((&*cut.text, cut.replaced), ("a\u{FFFD}", true));
}

#[test]
fn utf_16_without_a_mark_is_known_in_scripts_beyond_latin() {
    for text in [
        "Туман пришёл в полдень. Колокол прозвонил дважды.\n",
        "Η ομίχλη ήρθε το μεσημέρι.\nΗ καμπάνα χτύπησε.\n",
        "דער טומאן קם בצהריים. הפעמון צלצל פעמיים.\n",
        "جاء الضباب عند الظهر. دق الجرس مرتين.\n",
        "कोहरा दोपहर में आया। घंटी दो बार बजी।\n",
        "หมอกมาตอนเที่ยง ระฆังดังสองครั้ง ผู้ดูแลประภาคารเขียนไว้\n",
        "正午时分起雾了，钟声响了两次。\n一个灯塔看守人写道。\n",
        "正午に霧が出て、鐘が二度鳴った。\n灯台守はそう書いた。\n",
        "정오에 안개가 끼었다. 종이 두 번 울렸다.\n",
    ] {
        for (to, name) in
            [(u16::to_le_bytes as fn(u16) -> [u8; 2], "UTF-16LE"), (u16::to_be_bytes, "UTF-16BE")]
        {
            check(&utf16(text, to), None, text, name, CharsetSource::Detected, None);
            let long = text.repeat(200);
            check(&utf16(&long, to), None, &long, name, CharsetSource::Detected, None);
        }
    }
}

#[test]
fn zeros_in_other_texts_make_no_utf_16_of_them() {
    for (text, charset) in [
        ("Fog came in at noon and stayed.\0 The bell rang twice.\n".as_bytes(), "UTF-8"),
        (b"D\xE9j\xE0 vu, une for\xEAt de sapins.\0 \xC0 midi le brouillard est venu.", "windows-1252"),
        (b"\xD2\xF3\xEC\xE0\xED \xEF\xF0\xE8\xF8\xB8\xEB \xE2 \xEF\xEE\xEB\xE4\xE5\xED\xFC.\0 \xCA\xEE\xEB\xEE\xEA\xEE\xEB", "windows-1251"),
    ] {
        for shift in ["", "x"] {
            assert_eq!(decode(&[shift.as_bytes(), text].concat(), None).charset, charset);
        }
    }
}

#[test]
fn invalid_bytes_become_one_replacement_for_each_maximal_subpart() {
    // A lone continuation, a cut three-byte sequence, an overlong form, a surrogate.
    let mut bytes = "é".repeat(200).into_bytes();
    bytes.extend(b"\x80|\xE2\x82|\xC0\xAF|\xED\xA0\x80");
    let decoded = decode(&bytes, None);
    assert_eq!(decoded.charset, "UTF-8");
    assert!(decoded.replaced);
    let tail: String = decoded.text.chars().skip(200).collect();
    assert_eq!(tail, "\u{FFFD}|\u{FFFD}|\u{FFFD}\u{FFFD}|\u{FFFD}\u{FFFD}\u{FFFD}");
}

#[test]
fn detection_sees_past_a_long_ascii_preface() {
    let mut bytes = b"word ".repeat(40_000);
    bytes.extend(b"\xF0\xE5\xEA\xE0 \xEF\xEE\xEB\xE5 \xE3\xEE\xF0\xEE\xE4 ".repeat(20));
    assert_eq!(decode(&bytes, None).charset, "windows-1251");
}

#[test]
fn a_sequence_cut_by_the_end_is_still_utf8() {
    let decoded = decode(b"caf\xC3\xA9 na\xC3", None);
    assert_eq!((decoded.charset, decoded.replaced), ("UTF-8", true));
}

/// The bytes that are examined for a declaration are 4,096: it holds if it ends with the last of them.
#[test]
fn declarations_count_where_they_end_within_the_window() {
    let source = |start: &str, filler: u8, declaration: &str, end: usize| {
        let mut bytes = start.as_bytes().to_vec();
        bytes.resize(end - declaration.len(), filler);
        bytes.extend(declaration.as_bytes());
        assert_eq!(bytes.len(), end);
        bytes.extend(b"\n\xD2\xC5\xCB\xC1");
        decode(&bytes, None).source
    };
    for (start, filler, declaration) in [
        ("<!doctype html>", b' ', "<meta charset=koi8-r>"),
        ("<p>", b'x', "<meta http-equiv=a content='text/html; charset=koi8-r'>"),
        ("<!-- <meta charset=utf-8> -->", b'\n', "<meta charset='koi8-r'/>"),
        ("<?xml", b' ', " encoding='koi8-r'?>"),
        ("#", b' ', " -*- coding: koi8-r -*-"),
    ] {
        for (end, wanted) in [
            (400, CharsetSource::Declaration),
            (4095, CharsetSource::Declaration),
            (4096, CharsetSource::Declaration),
            (4096 + declaration.len(), CharsetSource::Detected),
            (9000, CharsetSource::Detected),
        ] {
            assert_eq!(source(start, filler, declaration, end), wanted, "{declaration} {end}");
        }
        // Of a tag the end must be there too, of a line only the label.
        let cut = if start == "#" { CharsetSource::Declaration } else { CharsetSource::Detected };
        assert_eq!(source(start, filler, declaration, 4097), cut, "{declaration}");
    }
    // Where it ends must be seen: the first four bytes of the label are a label, too.
    let label = "-*- coding: koi8-r -*-";
    for end in 1.."-r -*-".len() {
        assert_eq!(
            source("#", b' ', label, 4096 + end),
            match end {
                ..=3 => CharsetSource::Declaration,
                _ => CharsetSource::Detected,
            }
        );
    }
}

#[test]
fn an_explicit_charset_is_binding() {
    for (bytes, label, text, charset, replaced) in [
        // Each would be something else by its bytes, its declaration or its mark.
        ("Ёж".as_bytes(), "windows-1251", "РЃР¶", "windows-1251", false),
        (b"\xD2\xC5\xCB\xC1", "windows-1251", "ТЕЛБ", "windows-1251", false),
        (
            b"<meta charset=koi8-r>\xF0",
            "windows-1251",
            "<meta charset=koi8-r>р",
            "windows-1251",
            false,
        ),
        (b"d\xE9j\xE0 vu", "utf-8", "d\u{FFFD}j\u{FFFD} vu", "UTF-8", true),
        (b"\xFF\xFEa\0", "utf-8", "\u{FFFD}\u{FFFD}a\0", "UTF-8", true),
        (b"\xEF\xBB\xBFa", "latin1", "ï»¿a", "windows-1252", false),
        (b"abcd", "utf-16", "扡摣", "UTF-16LE", false),
        // A mark of the charset itself is none of its text; nor is one that decides a byte order left open.
        (b"\xEF\xBB\xBFa", "UTF8", "a", "UTF-8", false),
        (b"\xFE\xFF\0a", "utf-16be", "a", "UTF-16BE", false),
        (b"\xFE\xFF\0a", " UTF-16 ", "a", "UTF-16BE", false),
        (b"\xFF\xFE\0\0a\0\0\0", "utf-32", "a", "UTF-32LE", false),
        (b"\0\0\0a", "utf-32", "a", "UTF-32BE", false),
        // The other order is binding where it is named: U+FFFE is a character there.
        (b"\xFE\xFF\0a", "utf-16le", "\u{FFFE}\u{6100}", "UTF-16LE", false),
        // The clause of the standard: one for each maximal subpart, and none is deleted.
        (
            b"a\xC0\xAFb\xED\xA0\x80c\xE2\x82d",
            "utf-8",
            "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}c\u{FFFD}d",
            "UTF-8",
            true,
        ),
    ] {
        let decoded = decode_as(bytes, label, u64::MAX).unwrap();
        assert_eq!(
            (&*decoded.text, decoded.charset, decoded.replaced),
            (text, charset, replaced),
            "{label}"
        );
        assert_eq!((decoded.source.name(), decoded.overruled), ("explicit", None));
    }
    assert!(decode_as(b"a", "no-such-charset", u64::MAX).is_none());
}
