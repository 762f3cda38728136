//! Unicode for fonts that do not state it, from what else the file says.
//!
//! Three cases occur in numbers: CID fonts of the Adobe East Asian collections without a `ToUnicode` map
//! (their CIDs have published Unicode values), TrueType programs whose own `cmap` still names the characters,
//! and simple fonts whose glyph names are numbers.

use hayro_cmap::{BfString, CMap, CidFamily};
use hayro_font::GlyphId;
use hayro_syntax::object::dict::keys::{
    CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING, ORDERING, REGISTRY, SUBTYPE, TO_UNICODE, TYPE0,
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
    None,
    /// Code to CID, CID to Unicode.
    Collection {
        encoding: Box<CMap>,
        unicode: Box<CMap>,
    },
}

impl Recovery {
    pub(crate) fn none() -> Self {
        Self::None
    }

    pub(crate) fn new(dict: &Dict<'_>) -> Self {
        if dict.contains_key(TO_UNICODE) {
            return Self::None;
        }
        if dict.get::<Name<'_>>(SUBTYPE).is_some_and(|n| n.as_ref() == TYPE0) {
            return Self::collection(dict).unwrap_or(Self::None);
        }
        Self::None
    }

    pub(crate) fn text(&self, code: u32, _glyph: GlyphId) -> Option<Guess> {
        match self {
            Self::None => None,
            Self::Collection { encoding, unicode } => {
                let cid = (1..=4).find_map(|length| encoding.lookup_cid_code(code, length))?;
                let text = unicode.lookup_bf_string(cid)?;
                Some(Guess { text, certain: true })
            }
        }
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

fn parse(data: &[u8]) -> Option<CMap> {
    CMap::parse(data, hayro_cmap::load_embedded)
}
