//! Glyphs named after the names that Unicode gives Thai characters, as `ThaiCharacterKoKai`: fonts of Thai TeX systems
//! have them, with words after for forms that stand lower or further left, or lack a part, beside other letters.
//!
//! Source: the names of the block Thai in the Unicode Character Database, whose names never change.

/// The names of U+0E01 to U+0E3A without `THAI CHARACTER`, in order, letters alone.
const CONSONANTS_AND_VOWELS: &str = "kokai khokhai khokhuat khokhwai khokhon khorakhang ngongu chochan choching chochang \
    soso chochoe yoying dochada topatak thothan thonangmontho thophuthao nonen dodek totao thothung thothahan thothong \
    nonu bobaimai popla phophung fofa phophan fofan phosamphao moma yoyak rorua ru loling lu wowaen sosala sorusi sosua \
    hohip lochula oang honokhuk paiyannoi saraa maihanakat saraaa saraam sarai saraii saraue sarauee sarau sarauu phinthu";
/// The names of U+0E40 to U+0E4F.
const LEADING_VOWELS_AND_MARKS: &str = "sarae saraae sarao saraaimaimuan saraaimaimalai lakkhangyao maiyamok maitaikhu \
    maiek maitho maitri maichattawa thanthakhat nikhahit yamakkan fongman";
/// The names of U+0E50 to U+0E59 without `THAI DIGIT`.
const DIGITS: &str = "zero one two three four five six seven eight nine";
/// What follows the name of a form.
const FORMS: [&str; 3] = ["left", "low", "descless"];

/// The character that a glyph is named after.
pub(crate) fn character(name: &str) -> Option<char> {
    let (names, first, name) = match name.strip_prefix("ThaiCharacter") {
        Some(name) => (None, 0, name),
        None => (Some(DIGITS), 0xe50, name.strip_prefix("ThaiDigit")?),
    };
    let mut name: String =
        name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    loop {
        let found = match names {
            Some(names) => position(names, first, &name),
            None => position(CONSONANTS_AND_VOWELS, 0xe01, &name)
                .or_else(|| position(LEADING_VOWELS_AND_MARKS, 0xe40, &name)),
        };
        if found.is_some() {
            return found;
        }
        let form = FORMS.iter().find(|form| name.ends_with(**form))?;
        name.truncate(name.len() - form.len());
    }
}

fn position(names: &str, first: u32, name: &str) -> Option<char> {
    let place = names.split_whitespace().position(|known| known == name)?;
    char::from_u32(first + u32::try_from(place).ok()?)
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn names_are_those_of_unicode() {
        for (name, expected) in [
            ("ThaiCharacterKoKai", Some('ก')),
            ("ThaiCharacterPoPla", Some('ป')),
            ("ThaiCharacterPhinthu", Some('\u{e3a}')),
            ("ThaiCharacterMaiHan_akat", Some('\u{e31}')),
            ("ThaiCharacterMaiHan_akatLeft", Some('\u{e31}')),
            ("ThaiCharacterMaiThoLowLeft", Some('\u{e49}')),
            ("ThaiCharacterYoYingDescless", Some('ญ')),
            ("ThaiCharacterSaraE", Some('เ')),
            ("ThaiCharacterFongman", Some('๏')),
            ("ThaiDigitZero", Some('๐')),
            ("ThaiDigitNine", Some('๙')),
            ("ThaiCharacterTemp1", None),
            ("ThaiCharacter", None),
            ("ThaiDigitKoKai", None),
            ("kokaithai", None),
        ] {
            assert_eq!(character(name), expected, "{name}");
        }
    }
}
