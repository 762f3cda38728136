//! RTF's control words that matter to text, and its numbers for charsets.

use crate::charset::Encoding;
use crate::superscript::Position;

/// What a control word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Line,
    Cell,
    Space,
    Text(&'static str),
    Unicode,
    /// Sets how many characters stand in for each `\u`.
    Fallback,
    Hidden,
    /// Puts characters above or below the line, or back on it.
    Position(Option<Position>),
    /// Resets the properties of characters.
    Plain,
    Destination(Destination),
    FontTable,
    Font,
    /// The charset of a font.
    Charset,
    /// The charset of the document.
    Codepage,
    Mac,
    /// Raw bytes follow.
    Binary,
    Nothing,
}

/// A group of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    Text,
    Dropped,
}

pub(super) fn word(name: &[u8]) -> Word {
    match name {
        b"par" | b"line" | b"page" | b"sect" | b"row" | b"nestrow" | b"column" | b"softline" => {
            Word::Line
        }
        b"cell" | b"nestcell" => Word::Cell,
        b"tab" | b"enspace" | b"emspace" | b"qmspace" => Word::Space,
        b"emdash" => Word::Text("\u{2014}"),
        b"endash" => Word::Text("\u{2013}"),
        b"lquote" => Word::Text("\u{2018}"),
        b"rquote" => Word::Text("\u{2019}"),
        b"ldblquote" => Word::Text("\u{201C}"),
        b"rdblquote" => Word::Text("\u{201D}"),
        b"bullet" => Word::Text("\u{2022}"),
        b"u" => Word::Unicode,
        b"uc" => Word::Fallback,
        b"v" => Word::Hidden,
        b"super" | b"up" => Word::Position(Some(Position::Above)),
        b"sub" | b"dn" => Word::Position(Some(Position::Below)),
        b"nosupersub" => Word::Position(None),
        b"plain" => Word::Plain,
        b"fonttbl" => Word::FontTable,
        b"f" => Word::Font,
        b"fcharset" => Word::Charset,
        b"ansicpg" => Word::Codepage,
        b"mac" => Word::Mac,
        b"bin" => Word::Binary,
        // Text that is elsewhere on the page, and what a field shows.
        b"footnote" | b"shptxt" | b"fldrslt" | b"pntext" | b"listtext" => {
            Word::Destination(if matches!(name, b"pntext" | b"listtext") {
                Destination::Dropped
            } else {
                Destination::Text
            })
        }
        b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"objdata" | b"fldinst"
        | b"header" | b"headerl" | b"headerr" | b"headerf" | b"footer" | b"footerl"
        | b"footerr" | b"footerf" | b"listtable" | b"listoverridetable" | b"revtbl"
        | b"annotation" | b"atnid" | b"atnauthor" | b"xe" | b"tc" | b"bkmkstart" | b"bkmkend"
        | b"themedata" | b"datastore" | b"latentstyles" | b"generator" | b"filetbl"
        | b"rsidtbl" | b"deleted" | b"nonshppict" | b"template" | b"ftnsep" | b"ftnsepc"
        | b"ftncn" | b"aftnsep" | b"aftnsepc" | b"aftncn" | b"pgptbl" => {
            Word::Destination(Destination::Dropped)
        }
        _ => Word::Nothing,
    }
}

/// The charset that a font names.
pub(super) fn charset(number: i32) -> Option<Encoding> {
    let label = match number {
        0 => "windows-1252",
        77 => "macintosh",
        128 => "shift_jis",
        129 | 130 => "euc-kr",
        134 => "gbk",
        136 => "big5",
        161 => "windows-1253",
        162 => "windows-1254",
        163 => "windows-1258",
        177 => "windows-1255",
        178 => "windows-1256",
        186 => "windows-1257",
        204 => "windows-1251",
        222 => "windows-874",
        238 => "windows-1250",
        // 1 is "the default", 2 symbols; others are those of old terminals.
        _ => return None,
    };
    Encoding::for_label(label)
}

/// The charset that `\ansicpg` names.
pub(super) fn codepage(number: i32) -> Option<Encoding> {
    let label = match number {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        874 => "windows-874".to_owned(),
        866 => "ibm866".to_owned(),
        10000 => "macintosh".to_owned(),
        65001 => "utf-8".to_owned(),
        _ => format!("windows-{number}"),
    };
    Encoding::for_label(&label)
}
