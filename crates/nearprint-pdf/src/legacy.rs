//! Fonts that claim to be Latin and draw other letters.
//!
//! Before Unicode, fonts of many scripts had their letters in the places of Latin ones, and said so to every program:
//! what such a font shows reads `Hkkjr` where the page has a word of Hindi. Nothing in the file says which letters are
//! drawn, so that the text cannot be put right here; but that it is wrong can be seen. Families of such fonts are known
//! by name. Of others, the text tells: letters with accents as often as without, as no language has them that is
//! written so; or letters in proportions of none, with capitals and signs in the middle of words.

use crate::plausibility::latin_correlation;

/// Beginnings of names of such fonts, without the blanks, hyphens and underscores in them, in small letters.
const FAMILIES: [&str; 48] = [
    // Devanagari.
    "krutidev",
    "devlys",
    "shusha",
    "walkmanchanakya",
    "shreedev",
    "apsdv",
    "akrutidev",
    "dvbtt",
    "dvbwtt",
    "dvttyogesh",
    "dvttsurekh",
    "xdvng",
    "dvng",
    "dvpn",
    "dvnb",
    "sanskrit99",
    "preeti",
    "kantipur",
    "himalb", //
    // Bengali, Gujarati, Gurmukhi.
    "sutonnymj",
    "bijoy",
    "shreeban",
    "shreeguj",
    "terafont",
    "anmollipi",
    "gurbanilipi",
    "gurbaniakhar",
    "satluj", //
    // Kannada, Telugu, Malayalam, Tamil, Sinhala.
    "nudi",
    "brhkannada",
    "brhdevanagari",
    "shreekan",
    "shreetel",
    "shreemal",
    "mltt",
    "shreetam",
    "tscu",
    "bamini",
    "vanavil",
    "fmabhaya", //
    // Ethiopic, Syriac, Burmese, Tibetan, Khmer, Arabic.
    "etha",
    "ethb",
    "serto",
    "burma",
    "ctib",
    "dtib",
    "limon",
    "xnsh",
];
/// The same of names in which the separator counts: Vietnamese, Tamil, and TeX's Sanskrit with its size.
const WITH_SEPARATOR: [&str; 7] = ["vni-", ".vn", "vps-", "tam-", "tab-", "skt8", "skt10"];

/// Letters of a font of a known family below which nothing is said.
const NAMED_LETTERS: u32 = 20;
/// Letters of another font below which they say nothing. Measured on the 9,868 fonts with so many in 2,804 PDFs.
const MIN_LETTERS: u32 = 200;
/// Share of the letters that no language has with accents of Western Europe: French has 4 in a hundred, Vietnamese,
/// the rest of whose accents are others, 12. The fonts measured have less but for two of Ethiopic and one of Thai.
const ACCENTED: f64 = 0.3;
/// Pairs of letters side by side below which words say nothing.
const MIN_PAIRS: u32 = 70;
/// Correlation with how languages use letters below which a font's letters are in proportions of none of them.
const CORRELATION: f64 = 0.42;
/// Capitals after small letters, and signs between letters, for each pair of letters. Hindi in an old font has 0.10
/// and 0.03. Code has them as well, but is set in letters of one width.
const RISES: f64 = 0.02;
const SIGNS: f64 = 0.01;
/// Digits between letters for each pair of letters; keys and encoded data have 0.1 and more.
const DIGITS: f64 = 0.04;
/// Widths of letters that differ by less, in ems, are the same.
const SAME_WIDTH: f32 = 0.02;

/// What a character is to the word it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Break,
    Small,
    Capital,
    Digit,
    Sign,
}

impl Kind {
    fn is_letter(self) -> bool {
        matches!(self, Self::Small | Self::Capital)
    }
}

/// What a font has shown, as far as it tells whether its Latin letters are such.
#[derive(Debug, Clone, Default)]
pub(crate) struct LatinClaim {
    is_known: bool,
    small: [u32; 26],
    capitals: u32,
    accented: u32,
    pairs: u32,
    rises: u32,
    signs: u32,
    digits: u32,
    /// The least and the largest width of its letters.
    widths: Option<(f32, f32)>,
    before: Kind,
    before_that: Kind,
}

impl LatinClaim {
    /// The claim of a font of this name (`BaseFont`).
    pub(crate) fn new(name: &str) -> Self {
        Self { is_known: is_legacy(name), ..Self::default() }
    }

    /// Begins another word.
    pub(crate) fn gap(&mut self) {
        (self.before, self.before_that) = (Kind::Break, Kind::Break);
    }

    /// Counts a character of the font, of this width in ems.
    pub(crate) fn add(&mut self, text: Option<char>, width: f32) {
        let kind = text.map_or(Kind::Break, |c| self.count(c));
        if kind.is_letter() {
            let (least, most) = self.widths.unwrap_or((width, width));
            self.widths = Some((least.min(width), most.max(width)));
            self.pairs += u32::from(self.before.is_letter());
            self.rises += u32::from(kind == Kind::Capital && self.before == Kind::Small);
            if self.before_that.is_letter() {
                self.signs += u32::from(self.before == Kind::Sign);
                self.digits += u32::from(self.before == Kind::Digit);
            }
        }
        (self.before_that, self.before) = (self.before, kind);
    }

    fn count(&mut self, c: char) -> Kind {
        match c {
            'a'..='z' => {
                self.small[c as usize - 'a' as usize] += 1;
                Kind::Small
            }
            'A'..='Z' => {
                self.capitals += 1;
                Kind::Capital
            }
            'À'..='Ö' | 'Ø'..='Þ' | 'Š' | 'Ž' | 'Œ' | 'Ÿ' => {
                self.accented += 1;
                Kind::Capital
            }
            'ß'..='ö' | 'ø'..='ÿ' | 'š' | 'ž' | 'œ' | 'ƒ' => {
                self.accented += 1;
                Kind::Small
            }
            '0'..='9' => Kind::Digit,
            // Hyphens, apostrophes, stops and what stands around words are in words of any language.
            '['
            | ']'
            | '{'
            | '}'
            | '\\'
            | '|'
            | '~'
            | '^'
            | '_'
            | '@'
            | '#'
            | '$'
            | '%'
            | '&'
            | '*'
            | '+'
            | '<'
            | '>'
            | '='
            | ';'
            | '"'
            | '\u{a1}'..='\u{bf}'
            | '×'
            | '÷'
            | '†'
            | '‡'
            | '‰'
            | '•'
            | '™' => Kind::Sign,
            _ => Kind::Break,
        }
    }

    /// How many letters the font has shown that are others, most likely; none if they may be what they claim.
    pub(crate) fn doubtful(&self) -> u64 {
        let small: u32 = self.small.iter().sum();
        let letters = small.saturating_add(self.capitals).saturating_add(self.accented);
        let has_known_name = self.is_known && letters >= NAMED_LETTERS;
        let is_accented = f64::from(self.accented) > ACCENTED * f64::from(letters);
        if has_known_name || (letters >= MIN_LETTERS && (is_accented || self.is_no_language())) {
            u64::from(letters)
        } else {
            0
        }
    }

    fn is_no_language(&self) -> bool {
        let share = |count: u32| f64::from(count) / f64::from(self.pairs.max(1));
        self.pairs >= MIN_PAIRS
            && self.widths.is_some_and(|(least, most)| most - least > SAME_WIDTH)
            && share(self.rises) >= RISES
            && share(self.signs) >= SIGNS
            && share(self.digits) < DIGITS
            && latin_correlation(&self.small) < CORRELATION
    }
}

/// Whether a font's name is of a family that has other letters in the places of Latin ones.
fn is_legacy(name: &str) -> bool {
    // A part of a font has six capitals and a plus before its name.
    let own = match name.split_once('+') {
        Some((tag, own)) if tag.len() == 6 => own,
        _ => name,
    };
    let own = own.to_ascii_lowercase();
    let joined: String = own.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).collect();
    FAMILIES.iter().any(|family| joined.starts_with(family))
        || WITH_SEPARATOR.iter().any(|family| own.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::{LatinClaim, is_legacy};

    fn doubtful(name: &str, text: &str, width: fn(char) -> f32) -> bool {
        let mut claim = LatinClaim::new(name);
        for word in text.split_whitespace() {
            claim.gap();
            word.chars().for_each(|c| claim.add(Some(c), width(c)));
        }
        claim.doubtful() > 0
    }

    fn proportional(c: char) -> f32 {
        if "iljtfrI".contains(c) { 0.3 } else { 0.5 }
    }

    #[test]
    fn names_of_old_fonts_are_known() {
        for name in [
            "ABCDEF+KrutiDev010",
            "Kruti Dev 010 Bold",
            "DevLys_010",
            "SHREE-DEV7-0708E",
            "VNI-Times",
            "GHIJKL+.VnTime",
            "TAM-Bold",
            "skt10",
            "etha10",
            "ML-TTKarthika",
            "DVNG10",
        ] {
            assert!(is_legacy(name), "{name}");
        }
        for name in [
            "ABCDEF+Times-Roman",
            "Tamil",
            "TabularMono",
            "VnNimbusSansL",
            "VNR10",
            "sktfont",
            "Mukta",
            "CMR10",
            "LMRoman10-Regular",
            "Bookman",
            "BurnTown",
            "",
        ] {
            assert!(!is_legacy(name), "{name}");
        }
        assert!(doubtful("KrutiDev010", "Hkkjr ds yksx dgrs gSa fd og", proportional));
        assert!(!doubtful("KrutiDev010", "1 2 3 Hkkjr", proportional), "too few");
    }

    /// Hindi, as an old font has it.
    const HINDI: &str = "irax dk ekSle tuojh ds nwljs gQ~rs esa gekjs eksgYys dh lkjh Nrsa ,d gh dejs tSlh gks tkrh gSaA yksx ,d Nr \
        ls nwljh Nr ij pk; igqapkrs gSa] cPps eqaMsj ij cSBdj eka>k yisVrs gSa] vkSj vkleku esa brus jax gksrs gSa fd lwjt \
        dks Hkh jkLrk cukuk iM+rk gSA esjs nknkth dgrs Fks fd irax dks gok ugha] /kS;Z mM+krk gSA og gj lky dkxt vkSj ckal \
        [kjhnrs vkSj viuh esa+t ij cSBdj fnu Hkj dke djrs FksA eSaus muls xksan yxkuk lh[kk] ysfdu iwaN dh yackbZ dHkh ugha";

    #[test]
    fn letters_of_no_language_are_doubtful() {
        assert!(doubtful("Unknown", HINDI, proportional));
        assert!(!doubtful("Unknown", HINDI, |_| 0.6), "letters of one width are code's");
        assert!(!doubtful("Unknown", &HINDI[..150], proportional), "too few");
        let russian = "Ñòàðûé ñìîòðèòåëü ìàÿêà çàïèñûâàë êàæäûé êîðàáëü, êîòîðûé ïðîõîäèë ìèìî ";
        assert!(doubtful("Unknown", &russian.repeat(4), proportional));
    }

    #[test]
    fn languages_code_and_data_are_not() {
        let texts = [
            "The keeper of the old lighthouse wrote down every ship that passed, and McDonald read the list aloud. ",
            "Příliš žluťoučký kůň úpěl ďábelské ódy, když starý strážce majáku zapisoval lodě. ",
            "Żółta łódź płynęła ścieżką wśród mgły, a latarnik spisywał każdą z nich co wieczór. ",
            "Người giữ ngọn hải đăng cũ đã ghi lại từng con tàu đi qua và đọc to danh sách mỗi buổi tối. ",
            "Vanha majakanvartija kirjoitti muistiin jokaisen ohi kulkeneen laivan, ja illalla hän luki luettelon ääneen. ",
            "Ysgrifennodd ceidwad yr hen oleudy bob llong a aeth heibio, a gyda'r nos darllenai'r rhestr yn uchel i'r môr. ",
            "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ",
            "Gamli vitavörðurinn skrifaði niður hvert skip sem sigldi hjá, og á kvöldin las hann listann upphátt. ",
            "let mainFrame = newWindow(parentId); mainFrame.setTitle<String>(userName + hostName); x_y[k] = getValue{a}; ",
            "q8Zt+Vb3mXk9+Yw2RrT7sLp4NcJh6GfD1aQe5WuHxK8nMvB0oIzE3jCySlU+aPdRgTkFw ",
            "ATP NADH DNA RNA mRNA tRNA pH NaCl KOH HCl ABC DEF GHI JKL MNO PQR STU VWX YZA ",
            "d41d8cd98f00b204e9800998ecf8427e 9e107d9d372bb6826bd81d3542a419d6 ",
        ];
        for text in texts {
            assert!(!doubtful("Unknown", &text.repeat(20), proportional), "{text}");
        }
    }
}
