//! The fonts of a document: from the codes of a string to widths and text.
//!
//! The font crate reads the font; here each code is asked for once, its text is cleaned (no control or
//! private-use characters, ligatures opened) and kept in a table, because a page shows the same hundred codes
//! thousands of times.

use crate::glyphs::{GlyphText, TextPool};
use crate::legacy::LatinClaim;
use crate::plausibility::{Letters, Share};
use crate::recovery::{Guess, Recovery};
use crate::type3;
use hayro_cmap::BfString;
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_font::{StandardFont, UNITS_PER_EM};
use hayro_syntax::object::dict::keys::{
    BASE_FONT, CID_TO_GID_MAP, DESCENDANT_FONTS, ENCODING, FONT_DESC, FONT_FILE, FONT_FILE2,
    FONT_FILE3, SUBTYPE, TO_UNICODE, TYPE0,
};
use hayro_syntax::object::{Array, Dict, Name, Stream};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Words are separated by more thousandths of an em than letters of one.
const WORD_GAP: f64 = 150.0;

/// Index of a font in its [`FontStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FontId(usize);

/// What a font says about one code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code {
    pub(crate) text: GlyphText,
    /// Advance along the direction of writing, in ems; negative for vertical fonts, as in the file.
    pub(crate) advance: f32,
    /// The text is a guess.
    pub(crate) guessed: bool,
}

/// One font with the table of codes asked for so far.
pub(crate) struct LoadedFont<'a> {
    font: Font<'a>,
    recovery: Recovery,
    single_bytes: Vec<Option<Code>>,
    wide: HashMap<u32, Code>,
    pub(crate) vertical: bool,
    /// What one unit of the text size is in ems: 1, but for bitmap fonts with a matrix of their own.
    pub(crate) em: f32,
    /// Letters given by guessing; `None` if nothing is guessed.
    letters: Option<Box<Letters>>,
    /// How many glyphs have a text; `None` if it comes from a map from codes without names to characters, which
    /// nothing but the text can have been the source of.
    share: Option<Share>,
    key: FontKey,
    claim: LatinClaim,
}

/// Names a font dictionary of one document: where its bytes lie.
pub(crate) type FontKey = (usize, usize);

impl LoadedFont<'_> {
    /// The next code of a string and how many bytes it takes (at least one).
    pub(crate) fn read_code(&self, bytes: &[u8], offset: usize) -> (u32, usize) {
        let (code, length) = self.font.read_code(bytes, offset);
        (code, length.max(1))
    }

    /// Begins a string that is to be shown.
    pub(crate) fn begin(&mut self, string: &[u8]) {
        if let Some(letters) = &mut self.letters {
            letters.begin(string);
        }
    }

    /// Begins to show one string or several that belong together.
    pub(crate) fn begin_showing(&mut self) {
        if let Some(share) = &mut self.share {
            share.begin();
        }
        self.claim.gap();
    }

    /// Moves on by so many thousandths of an em: as far as words are separated, another word begins.
    pub(crate) fn adjust(&mut self, thousandths: f64) {
        if thousandths.abs() > WORD_GAP {
            self.claim.gap();
        }
    }

    /// Width and text of a code.
    pub(crate) fn code(&mut self, code: u32, pool: &mut TextPool) -> Code {
        let known = match self.single_bytes.get(code as usize) {
            Some(slot) => *slot,
            None => self.wide.get(&code).copied(),
        };
        let entry = known.unwrap_or_else(|| self.ask_once(code, pool));
        if let Some(share) = &mut self.share {
            share.add(entry.text != GlyphText::MISSING);
        }
        self.claim.add(entry.text.as_char(), entry.advance);
        if let Some(letters) = &mut self.letters
            && entry.guessed
            && let Some(c) = entry.text.as_char()
        {
            letters.add(c);
        }
        entry
    }

    fn ask_once(&mut self, code: u32, pool: &mut TextPool) -> Code {
        let entry = self.ask(code, pool);
        match self.single_bytes.get_mut(code as usize) {
            Some(slot) => *slot = Some(entry),
            None => {
                self.wide.insert(code, entry);
            }
        }
        entry
    }

    fn ask(&mut self, code: u32, pool: &mut TextPool) -> Code {
        let advance = self.font.code_advance(code);
        let advance = if self.vertical { advance.y } else { advance.x } as f32 / UNITS_PER_EM;
        let glyph = self.font.map_code(code);
        let glyph = self.font.glyph(glyph, code);
        let stated = match &glyph {
            FontGlyph::Outline(g) => g.as_unicode(),
            FontGlyph::Type3(g) => g.as_unicode(),
        };
        let stated = stated.filter(|_| !matches!(self.recovery, Recovery::Distrusted));
        let mut text = stated.map_or(GlyphText::MISSING, |s| clean(&s, pool));
        let mut guessed = false;
        if text == GlyphText::MISSING
            && let Some(Guess { text: found, certain }) = self.recovery.text(code, &glyph)
        {
            text = clean(&found, pool);
            guessed = !certain;
        }
        Code { text, advance: if advance.is_finite() { advance } else { 0.0 }, guessed }
    }
}

/// All fonts of a document, each loaded once.
pub(crate) struct FontStore<'a> {
    cache: FontCache<'a>,
    fonts: Vec<LoadedFont<'a>>,
    by_dict: HashMap<FontKey, Option<FontId>>,
    /// Fonts whose guesses proved wrong.
    distrusted: HashSet<FontKey>,
    fallback: Option<Option<FontId>>,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
}

impl<'a> FontStore<'a> {
    /// A store that does not guess for the fonts in `distrusted`.
    pub(crate) fn new(distrusted: HashSet<FontKey>) -> Self {
        Self {
            distrusted,
            cache: FontCache::new(),
            fonts: Vec::new(),
            by_dict: HashMap::new(),
            fallback: None,
            font_resolver: Arc::new(|query| {
                Some(match query {
                    FontQuery::Standard(font) => font.get_font_data(),
                    FontQuery::Fallback(wanted) => wanted.pick_standard_font().get_font_data(),
                })
            }),
            cmap_resolver: Arc::new(hayro_cmap::load_embedded),
        }
    }

    /// The font of a dictionary that was loaded before.
    pub(crate) fn known(&self, dict: &Dict<'a>) -> Option<Option<FontId>> {
        self.by_dict.get(&key_of(dict)).copied()
    }

    /// Loads the font described by a dictionary; `None` if it is damaged beyond use.
    pub(crate) fn load(&mut self, dict: &Dict<'a>) -> Option<FontId> {
        let key = key_of(dict);
        let id = self.cache.font(dict, &self.font_resolver, &self.cmap_resolver).map(|font| {
            let distrusted = self.distrusted.contains(&key);
            let recovery = if distrusted { Recovery::Distrusted } else { Recovery::new(dict) };
            let id = self.add(font, recovery, key, type3::em(dict).unwrap_or(1.0));
            if let Some(name) = dict.get::<Name<'_>>(BASE_FONT) {
                self.fonts[id.0].claim = LatinClaim::new(name.as_str());
            }
            if is_mapped(dict) {
                self.fonts[id.0].share = None;
            }
            id
        });
        self.by_dict.insert(key, id);
        id
    }

    /// The font used where a page names none: viewers take Helvetica.
    pub(crate) fn fallback(&mut self) -> Option<FontId> {
        if let Some(known) = self.fallback {
            return known;
        }
        let id = self
            .cache
            .standard_font(StandardFont::Helvetica, &self.font_resolver)
            .map(|font| self.add(font, Recovery::None, (0, 0), 1.0));
        self.fallback = Some(id);
        id
    }

    pub(crate) fn get_mut(&mut self, id: FontId) -> &mut LoadedFont<'a> {
        &mut self.fonts[id.0]
    }

    /// Letters of fonts that claim to be Latin and are not, most likely.
    pub(crate) fn doubtful_letters(&self) -> u64 {
        self.fonts.iter().map(|font| font.claim.doubtful()).sum()
    }

    /// Fonts whose guessed letters are noise, or that give text by chance.
    pub(crate) fn implausible(&mut self) -> HashSet<FontKey> {
        let mut keys = HashSet::new();
        for font in &mut self.fonts {
            let noise = font.letters.as_ref().is_some_and(|l| !l.is_plausible());
            if noise || font.share.as_mut().is_some_and(Share::is_chance) {
                keys.insert(font.key);
            }
        }
        keys
    }

    fn add(&mut self, font: Font<'a>, recovery: Recovery, key: FontKey, em: f32) -> FontId {
        let vertical = !font.is_horizontal();
        let letters = recovery.is_guess().then(|| Box::new(Letters::default()));
        self.fonts.push(LoadedFont {
            em,
            letters,
            share: Some(Share::default()),
            key,
            claim: LatinClaim::default(),
            font,
            recovery,
            single_bytes: vec![None; 256],
            wide: HashMap::new(),
            vertical,
        });
        FontId(self.fonts.len() - 1)
    }
}

/// Whether a font has codes that are not names of anything, and a map from them to characters.
fn is_mapped(dict: &Dict<'_>) -> bool {
    let composite = dict.get::<Name<'_>>(SUBTYPE).is_some_and(|name| name.as_ref() == TYPE0);
    composite && dict.contains_key(TO_UNICODE)
}

/// A dictionary's bytes stay where they are as long as the document lives, so their place names it.
fn key_of(dict: &Dict<'_>) -> FontKey {
    (dict.data().as_ptr() as usize, dict.data().len())
}

/// The streams a font is read from.
pub(crate) fn streams<'a>(dict: &Dict<'a>) -> Vec<Stream<'a>> {
    let descendant = dict
        .get::<Array<'a>>(DESCENDANT_FONTS)
        .and_then(|fonts| fonts.iter::<Dict<'a>>().next())
        .unwrap_or_default();
    let mut streams: Vec<Stream<'a>> =
        [TO_UNICODE, ENCODING].iter().filter_map(|key| dict.get(key)).collect();
    streams.extend(descendant.get::<Stream<'a>>(CID_TO_GID_MAP));
    for owner in [dict, &descendant] {
        let descriptor = owner.get::<Dict<'a>>(FONT_DESC).unwrap_or_default();
        streams.extend(
            [FONT_FILE, FONT_FILE2, FONT_FILE3]
                .iter()
                .filter_map(|key| descriptor.get::<Stream<'a>>(key)),
        );
    }
    streams
}

/// The text of a glyph as it may appear in an extraction.
fn clean(text: &BfString, pool: &mut TextPool) -> GlyphText {
    match text {
        // The kashida lengthens a line of Arabic and is not a letter.
        BfString::Char('\u{640}') => GlyphText::NOTHING,
        BfString::Char(c) => match open_ligature(*c) {
            Some(letters) => pool.intern(letters),
            None => clean_char(*c).map_or(GlyphText::MISSING, GlyphText::from_char),
        },
        BfString::String(s) => {
            let mut cleaned = String::with_capacity(s.len());
            for c in s.chars() {
                match open_ligature(c) {
                    Some(letters) => cleaned.push_str(letters),
                    None => cleaned.extend(clean_char(c)),
                }
            }
            if cleaned.is_empty() { GlyphText::MISSING } else { pool.intern(&cleaned) }
        }
    }
}

/// `None` for what is not a character of a text: controls, private use, noncharacters.
pub(crate) fn clean_char(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => {
            Some(' ')
        }
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => None,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => None,
        '\u{fdd0}'..='\u{fdef}' | '\u{feff}' | '\u{fff9}'..='\u{ffff}' => None,
        _ if (c as u32) & 0xfffe == 0xfffe => None,
        _ => Some(c),
    }
}

fn open_ligature(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return None,
    })
}
