//! Letters that stand for others that look alike.
//!
//! TeX's Cyrillic fonts have no і and ј of their own, as these look like the Latin letters, and other producers
//! share more glyphs. Within a word of Cyrillic letters such a letter is Cyrillic. Arabic and Persian yeh differ
//! where they end a word, and fonts have one glyph for both elsewhere. A text without any letter of Persian has
//! the Arabic one. The logo of XeTeX has an E that is turned round, and its name has not.

/// Latin letters and the Cyrillic ones that look alike.
fn twin(c: char) -> Option<char> {
    Some(match c {
        'A' => 'А',
        'B' => 'В',
        'C' => 'С',
        'E' => 'Е',
        'H' => 'Н',
        'I' => 'І',
        'J' => 'Ј',
        'K' => 'К',
        'M' => 'М',
        'O' => 'О',
        'P' => 'Р',
        'S' => 'Ѕ',
        'T' => 'Т',
        'X' => 'Х',
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'j' => 'ј',
        'o' => 'о',
        'p' => 'р',
        's' => 'ѕ',
        'x' => 'х',
        'y' => 'у',
        'ï' => 'ї',
        _ => return None,
    })
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{52f}')
}

/// Bytes of Latin letters on end that may stand for Cyrillic ones.
const MAX_LATIN: usize = 2;

/// What the letters of a word are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Cyrillic ones alone.
    Cyrillic,
    /// More Cyrillic ones than Latin ones, all of which have twins.
    Mixed,
    /// The letter i alone.
    SingleI,
    Other,
}

fn kind(word: &str) -> Word {
    let cyrillic = word.chars().filter(|c| is_cyrillic(*c)).count();
    let twins = word.chars().filter(|c| twin(*c).is_some()).count();
    let all = word.chars().count();
    // More Latin letters on end than that are a Latin stem with a Cyrillic ending.
    let latin = word.split(is_cyrillic).map(str::len).max().unwrap_or(0);
    match () {
        () if word == "i" => Word::SingleI,
        () if cyrillic == 0 => Word::Other,
        () if cyrillic == all => Word::Cyrillic,
        () if cyrillic + twins == all && cyrillic > twins && latin <= MAX_LATIN => Word::Mixed,
        () => Word::Other,
    }
}

/// Gives a text the letters back that it is written in.
pub(crate) fn resolve(text: String) -> String {
    turned_e(arabic_yeh(cyrillic(text)))
}

/// The name of XeTeX and XeLaTeX, which their logo writes with U+018E.
fn turned_e(text: String) -> String {
    if !text.contains("XƎ") {
        return text;
    }
    text.replace("XƎT", "XET").replace("XƎL", "XEL")
}

/// The Arabic yeh that a form of Persian yeh stands for where both look alike.
fn yeh(c: char) -> Option<char> {
    match c {
        '\u{6cc}' => Some('\u{64a}'),
        '\u{fbfe}' => Some('\u{fef3}'),
        '\u{fbff}' => Some('\u{fef4}'),
        _ => None,
    }
}

/// Letters of Persian, Urdu and other languages that Arabic does not have, and their forms.
fn is_persian(c: char) -> bool {
    matches!(c, '\u{671}'..='\u{6cb}' | '\u{6cd}'..='\u{6d3}' | '\u{fb50}'..='\u{fbb1}')
}

fn arabic_yeh(text: String) -> String {
    if !text.bytes().any(|b| b == 0xdb || b == 0xef)
        || !text.contains(|c| yeh(c).is_some())
        || !text.contains(['\u{629}', '\u{fe93}', '\u{fe94}'])
        || text.contains(is_persian)
    {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inner = chars.peek().is_some_and(|next| next.is_alphabetic());
        out.push(yeh(c).filter(|_| inner || c != '\u{6cc}').unwrap_or(c));
    }
    out
}

fn cyrillic(text: String) -> String {
    // Cyrillic begins with these bytes; a text without any is the common case.
    if !text.bytes().any(|b| matches!(b, 0xd0..=0xd4)) || !text.chars().any(is_cyrillic) {
        return text;
    }
    let words = || {
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            (start, word, kind(word))
        })
    };
    let (mut mixed, mut own) = (0_usize, false);
    for (_, word, kind) in words() {
        mixed += usize::from(kind == Word::Mixed && word.contains('i'));
        own |= kind == Word::Cyrillic && word.contains('і');
    }
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut copied = 0;
    let mut before = Word::Other;
    let mut words = words().peekable();
    while let Some((start, word, kind)) = words.next() {
        // In Ukrainian and Belarusian it is a word of its own; in other languages, a name or a number.
        let single = kind == Word::SingleI
            && mixed > 0
            && !own
            && matches!(before, Word::Cyrillic | Word::Mixed)
            && words.peek().is_some_and(|(.., k)| matches!(k, Word::Cyrillic | Word::Mixed));
        if kind == Word::Mixed || single {
            out.push_str(&text[copied..start]);
            out.extend(word.chars().map(|c| twin(c).unwrap_or(c)));
            copied = start + word.len();
        }
        before = kind;
    }
    out.push_str(&text[copied..]);
    out
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn words_are_of_one_alphabet() {
        for (text, expected) in [
            ("вiн i вона, нашi данi", "він і вона, наші дані"),
            ("він i вона", "він i вона"),
            ("том i часть", "том i часть"),
            ("нiколи: i am", "ніколи: i am"),
            ("plain text", "plain text"),
            ("API-функцiя, USB-кабель, html5ом", "API-функція, USB-кабель, html5ом"),
            ("Linux-системи", "Linux-системи"),
            ("Фe", "Фe"),
            ("Мoсква", "Москва"),
            ("XƎTEX, XƎLATEX, Ǝwe", "XETEX, XELATEX, Ǝwe"),
        ] {
            assert_eq!(resolve(text.to_owned()), expected);
        }
    }

    #[test]
    fn yeh_is_that_of_the_rest_of_the_text() {
        for (text, expected) in [
            ("المد\u{6cc}نة", "المد\u{64a}نة"),
            // At the end of a word it may stand for another letter.
            ("عل\u{6cc} المد\u{6cc}نة", "عل\u{6cc} المد\u{64a}نة"),
            // A letter that Arabic does not have; none that only Arabic has.
            ("پ المد\u{6cc}نة", "پ المد\u{6cc}نة"),
            ("ا\u{6cc}ران", "ا\u{6cc}ران"),
        ] {
            assert_eq!(resolve(text.to_owned()), expected);
        }
    }
}
