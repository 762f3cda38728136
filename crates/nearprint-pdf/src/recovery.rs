//! Unicode for fonts that do not state it, from what else the file says.
//!
//! These cases occur: CID fonts of the Adobe East Asian collections without a `ToUnicode` map
//! (their CIDs have published Unicode values), TrueType programs whose own `cmap` still names the characters,
//! simple fonts whose glyph names are numbers, and those whose names are the ones Unicode gives Thai characters.

use crate::program_map::ProgramMap;
use crate::tex_encodings::TexEncoding;
use crate::thai_names;
use hayro_cmap::{BfString, CMap, CidFamily};
use hayro_font::FontGlyph;
use hayro_syntax::object::dict::keys::{
    CIDSYSTEMINFO, DESCENDANT_FONTS, DIFFERENCES, ENCODING, ORDERING, REGISTRY, SUBTYPE,
    TO_UNICODE, TYPE0, TYPE3,
};
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};

/// A recovered text.
pub(crate) struct Guess {
    pub(crate) text: BfString,
    /// It follows from published tables, not from a habit of producers.
    pub(crate) certain: bool,
}

/// How the characters of one font can be recovered.
pub(crate) enum Recovery {
    /// Not at all.
    None,
    /// Not even what the font states is to be believed.
    Distrusted,
    /// Code to CID, CID to Unicode.
    Collection { encoding: Box<CMap>, unicode: Box<CMap> },
    /// A font whose glyph names are numbers: the codes of a TeX font, most likely. Where the names are single bytes,
    /// these are the codes, and the font's own say nothing.
    Tex { encoding: TexEncoding, named: Option<Box<[u8; 256]>> },
    /// The names of the glyphs, by code.
    Named(Box<[Option<char>; 256]>),
    /// Whatever the font program's own character map says.
    Program(ProgramMap),
}

impl Recovery {
    pub(crate) fn new(dict: &Dict<'_>) -> Self {
        // A map may be there and lack most of the codes: writers of bitmap fonts map only what has a name.
        let drawn = dict.get::<Name<'_>>(SUBTYPE).is_some_and(|n| n.as_ref() == TYPE3);
        if dict.contains_key(TO_UNICODE) && !drawn {
            return Self::Program(ProgramMap::default());
        }
        if dict.get::<Name<'_>>(SUBTYPE).is_some_and(|n| n.as_ref() == TYPE0) {
            return Self::collection(dict).unwrap_or(Self::Program(ProgramMap::default()));
        }
        let recovery = Self::named(dict).or_else(|| Self::tex(dict));
        recovery.unwrap_or(Self::Program(ProgramMap::default()))
    }

    /// Whether what it says is a guess that must be checked.
    pub(crate) fn is_guess(&self) -> bool {
        matches!(self, Self::Tex { .. })
    }

    /// The text of a code that selects `glyph` of the font.
    pub(crate) fn text(&mut self, code: u32, glyph: &FontGlyph<'_>) -> Option<Guess> {
        match self {
            Self::None | Self::Distrusted => None,
            Self::Collection { encoding, unicode } => {
                let cid = (1..=4).find_map(|length| encoding.lookup_cid_code(code, length))?;
                let text = unicode.lookup_bf_string(cid)?;
                Some(Guess { text, certain: true })
            }
            Self::Named(characters) => {
                let text = (*characters.get(usize::try_from(code).ok()?)?)?;
                Some(Guess { text: BfString::Char(text), certain: true })
            }
            Self::Program(map) => {
                let FontGlyph::Outline(glyph) = glyph else { return None };
                let text = BfString::Char(map.text(glyph)?);
                Some(Guess { text, certain: true })
            }
            Self::Tex { encoding, named } => {
                let code = u8::try_from(code).ok()?;
                let code = named.as_ref().map_or(code, |named| named[usize::from(code)]);
                let text = encoding.text(code)?;
                Some(Guess { text: BfString::String(text.to_owned()), certain: false })
            }
        }
    }

    /// Fonts whose glyphs bear names of characters that are in no list of glyph names.
    fn named(dict: &Dict<'_>) -> Option<Self> {
        let differences = dict.get::<Dict<'_>>(ENCODING)?.get::<Array<'_>>(DIFFERENCES)?;
        let mut characters = Box::new([None; 256]);
        let mut code = 0_i64;
        for item in differences.iter::<Object<'_>>() {
            match item {
                Object::Number(number) => code = number.as_i64(),
                Object::Name(name) => {
                    let slot = usize::try_from(code).ok().and_then(|code| characters.get_mut(code));
                    if let Some(slot) = slot {
                        *slot = thai_names::character(name.as_str());
                    }
                    code = code.saturating_add(1);
                }
                _ => return None,
            }
        }
        characters.iter().any(Option::is_some).then_some(Self::Named(characters))
    }

    /// Type 3 fonts, whose glyph names were made up by the program that wrote them, and other fonts whose glyphs
    /// are named after their codes: `a65` for code 65.
    fn tex(dict: &Dict<'_>) -> Option<Self> {
        let drawn = dict.get::<Name<'_>>(SUBTYPE)?.as_ref() == TYPE3;
        let differences = dict.get::<Dict<'_>>(ENCODING)?.get::<Array<'_>>(DIFFERENCES)?;
        let mut codes = Vec::new();
        let mut named = Some((Vec::new(), Box::new([0; 256])));
        let mut code = 0_i64;
        for item in differences.iter::<Object<'_>>() {
            match item {
                Object::Number(number) => code = number.as_i64(),
                Object::Name(name) => {
                    if name.as_ref() != b".notdef" {
                        if !drawn && !is_named_after(name.as_str(), code) {
                            return None;
                        }
                        let byte = u8::try_from(code).ok()?;
                        codes.push(byte);
                        named = named.zip(byte_of(name.as_ref())).map(
                            |((mut all, mut table), name)| {
                                all.push(name);
                                table[usize::from(byte)] = name;
                                (all, table)
                            },
                        );
                    }
                    code = code.saturating_add(1);
                }
                _ => return None,
            }
        }
        let (codes, named) = match named {
            Some((names, table)) if drawn => (names, Some(table)),
            _ => (codes, None),
        };
        let encoding = TexEncoding::likely(&codes)?;
        Some(Self::Tex { encoding, named })
    }

    fn collection(dict: &Dict<'_>) -> Option<Self> {
        let descendant = dict.get::<Array<'_>>(DESCENDANT_FONTS)?.iter::<Dict<'_>>().next()?;
        let info = descendant.get::<Dict<'_>>(CIDSYSTEMINFO)?;
        let registry = info.get::<PdfString<'_>>(REGISTRY)?;
        let ordering = info.get::<PdfString<'_>>(ORDERING)?;
        let family = CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes());
        let unicode = parse(hayro_cmap::load_embedded(family.ucs2_cmap()?)?)?;
        let encoding = match dict.get::<Object<'_>>(ENCODING)? {
            Object::Name(name) => match name.as_ref() {
                b"Identity-H" => CMap::identity_h(),
                b"Identity-V" => CMap::identity_v(),
                other => {
                    parse(hayro_cmap::load_embedded(hayro_cmap::CMapName::from_bytes(other))?)?
                }
            },
            Object::Stream(stream) => parse(&stream.decoded_data().ok()?)?,
            _ => return None,
        };
        Some(Self::Collection { encoding: Box::new(encoding), unicode: Box::new(unicode) })
    }
}

/// The byte that a glyph name consists of; distillers that give a font new codes keep the old ones so, a second glyph
/// of one code with its byte doubled.
fn byte_of(name: &[u8]) -> Option<u8> {
    match name {
        [byte] => Some(*byte),
        [byte, again] if byte == again => Some(*byte),
        _ => None,
    }
}

/// Whether a glyph name is one or two letters and the decimal or hexadecimal number of its code.
fn is_named_after(name: &str, code: i64) -> bool {
    (1..=2).filter_map(|letters| name.split_at_checked(letters)).any(|(prefix, digits)| {
        prefix.bytes().all(|b| b.is_ascii_alphabetic())
            && (1..=3).contains(&digits.len())
            && (digits.parse() == Ok(code) || i64::from_str_radix(digits, 16) == Ok(code))
    })
}

fn parse(data: &[u8]) -> Option<CMap> {
    CMap::parse(data, hayro_cmap::load_embedded)
}
