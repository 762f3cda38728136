//! What the layout must know of characters: which are set without spaces, which run from right to left, which
//! accents combine.

/// How a script separates words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Set in squares and without spaces: Han, kana, bopomofo and their punctuation.
    Ideographic,
    /// Letters that join: Arabic, Syriac, N'Ko.
    Cursive,
    Other,
}

pub(crate) fn of(c: char) -> Script {
    match c {
        '\u{2e80}'..='\u{312f}'
        | '\u{3190}'..='\u{a4cf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1b000}'..='\u{1b2ff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Ideographic,
        '\u{600}'..='\u{7ff}'
        | '\u{8a0}'..='\u{8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' => Script::Cursive,
        _ => Script::Other,
    }
}

/// Whether a script is written without spaces, so that a line end inside a paragraph means nothing: ideographs,
/// Thai, Lao, Myanmar, Khmer.
pub(crate) fn is_unspaced(c: char) -> bool {
    of(c) == Script::Ideographic
        || matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Letters that are written from right to left (Hebrew, Arabic, Syriac, Thaana, N'Ko and their forms).
pub(crate) fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// Marks that sit on another character and have no place of their own.
pub(crate) fn is_combining(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'
        | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}'
        | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}' | '\u{8d3}'..='\u{8ff}' | '\u{fb1e}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// The combining mark a spacing accent stands for.
pub(crate) fn combining_form(c: char) -> Option<char> {
    Some(match c {
        '`' | '\u{2cb}' => '\u{300}',
        '\u{b4}' | '\u{2ca}' => '\u{301}',
        '^' | '\u{2c6}' => '\u{302}',
        '~' | '\u{2dc}' => '\u{303}',
        '\u{af}' | '\u{2c9}' => '\u{304}',
        '\u{2d8}' => '\u{306}',
        '\u{2d9}' => '\u{307}',
        '\u{a8}' => '\u{308}',
        '\u{2da}' => '\u{30a}',
        '\u{2dd}' => '\u{30b}',
        '\u{2c7}' => '\u{30c}',
        '\u{b8}' => '\u{327}',
        '\u{2db}' => '\u{328}',
        _ => return None,
    })
}

/// Accents are put on the dotless letters; the accented letters are those of the dotted ones.
pub(crate) fn dotted(c: char) -> char {
    match c {
        '\u{131}' => 'i',
        '\u{237}' => 'j',
        other => other,
    }
}
