//! Commands that are characters.

/// The combining mark of an accent command.
pub(super) fn accent(name: &str) -> Option<char> {
    Some(match name {
        "'" => '\u{301}',
        "`" => '\u{300}',
        "^" => '\u{302}',
        "\"" => '\u{308}',
        "~" => '\u{303}',
        "=" => '\u{304}',
        "." => '\u{307}',
        "u" => '\u{306}',
        "v" => '\u{30C}',
        "H" => '\u{30B}',
        "c" => '\u{327}',
        "d" => '\u{323}',
        "b" => '\u{331}',
        "r" => '\u{30A}',
        "k" => '\u{328}',
        _ => return None,
    })
}

/// The text of a symbol command.
pub(super) fn text(name: &str) -> Option<&'static str> {
    SYMBOLS.binary_search_by_key(&name, |row| row.0).ok().map(|at| SYMBOLS[at].1)
}

/// Whether a command is named as a program of TeX's family, and so written by its name: `\pTeX`, `\etex`.
pub(super) fn is_tex(name: &str) -> bool {
    name.get(name.len().saturating_sub(3)..).is_some_and(|end| end.eq_ignore_ascii_case("tex"))
}

/// Whether a symbol is the name of a function, as `\sin` is.
pub(super) fn is_function(name: &str) -> bool {
    matches!(
        name,
        "arg"
            | "bmod"
            | "cos"
            | "det"
            | "dim"
            | "exp"
            | "gcd"
            | "inf"
            | "ker"
            | "lim"
            | "ln"
            | "log"
            | "max"
            | "min"
            | "mod"
            | "sin"
            | "sup"
            | "tan"
    )
}

/// Letters, and signs that texts have; in byte order.
static SYMBOLS: [(&str, &str); 168] = [
    ("#", "#"),
    ("$", "$"),
    ("%", "%"),
    ("&", "&"),
    ("AA", "Å"),
    ("AE", "Æ"),
    ("BibTeX", "BibTeX"),
    ("DH", "Ð"),
    ("DJ", "Đ"),
    ("Delta", "Δ"),
    ("Gamma", "Γ"),
    ("Im", "ℑ"),
    ("L", "Ł"),
    ("LaTeX", "LaTeX"),
    ("LaTeXe", "LaTeX2ε"),
    ("Lambda", "Λ"),
    ("LuaLaTeX", "LuaLaTeX"),
    ("LuaTeX", "LuaTeX"),
    ("MF", "METAFONT"),
    ("MP", "METAPOST"),
    ("NG", "Ŋ"),
    ("O", "Ø"),
    ("OE", "Œ"),
    ("Omega", "Ω"),
    ("P", "¶"),
    ("Phi", "Φ"),
    ("Pi", "Π"),
    ("Psi", "Ψ"),
    ("Re", "ℜ"),
    ("S", "§"),
    ("SS", "ẞ"),
    ("Sigma", "Σ"),
    ("TH", "Þ"),
    ("TeX", "TeX"),
    ("Theta", "Θ"),
    ("Upsilon", "Υ"),
    ("XeLaTeX", "XeLaTeX"),
    ("XeTeX", "XeTeX"),
    ("Xi", "Ξ"),
    ("_", "_"),
    ("aa", "å"),
    ("ae", "æ"),
    ("alpha", "α"),
    ("arg", "arg"),
    ("beta", "β"),
    ("bmod", "mod"),
    ("bullet", "•"),
    ("cdot", "·"),
    ("chi", "χ"),
    ("copyright", "©"),
    ("cos", "cos"),
    ("dag", "†"),
    ("ddag", "‡"),
    ("delta", "δ"),
    ("det", "det"),
    ("dh", "ð"),
    ("dim", "dim"),
    ("dj", "đ"),
    ("dots", "…"),
    ("eTeX", "ε-TeX"),
    ("ell", "ℓ"),
    ("epTeX", "ε-pTeX"),
    ("epsilon", "ε"),
    ("eta", "η"),
    ("eupTeX", "ε-upTeX"),
    ("euro", "€"),
    ("exp", "exp"),
    ("fg", "»"),
    ("flq", "‹"),
    ("flqq", "«"),
    ("frq", "›"),
    ("frqq", "»"),
    ("gamma", "γ"),
    ("gcd", "gcd"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("glq", "‚"),
    ("glqq", "„"),
    ("grq", "‘"),
    ("grqq", "“"),
    ("guillemotleft", "«"),
    ("guillemotright", "»"),
    ("hbar", "ħ"),
    ("i", "ı"),
    ("in", "∈"),
    ("inf", "inf"),
    ("infty", "∞"),
    ("int", "∫"),
    ("iota", "ι"),
    ("j", "ȷ"),
    ("kappa", "κ"),
    ("ker", "ker"),
    ("l", "ł"),
    ("lambda", "λ"),
    ("ldots", "…"),
    ("le", "≤"),
    ("leftarrow", "←"),
    ("leq", "≤"),
    ("lim", "lim"),
    ("ln", "ln"),
    ("log", "log"),
    ("lq", "‘"),
    ("max", "max"),
    ("min", "min"),
    ("mod", "mod"),
    ("mu", "μ"),
    ("nabla", "∇"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("ng", "ŋ"),
    ("nobreakspace", " "),
    ("nu", "ν"),
    ("o", "ø"),
    ("oe", "œ"),
    ("og", "«"),
    ("omega", "ω"),
    ("partial", "∂"),
    ("pdfLaTeX", "pdfLaTeX"),
    ("pdfTeX", "pdfTeX"),
    ("phi", "φ"),
    ("pi", "π"),
    ("pm", "±"),
    ("pounds", "£"),
    ("prod", "∏"),
    ("psi", "ψ"),
    ("rho", "ρ"),
    ("rightarrow", "→"),
    ("rq", "’"),
    ("sigma", "σ"),
    ("sin", "sin"),
    ("slash", "/"),
    ("ss", "ß"),
    ("sum", "∑"),
    ("sup", "sup"),
    ("tan", "tan"),
    ("tau", "τ"),
    ("textasciicircum", "^"),
    ("textasciitilde", "~"),
    ("textbackslash", "\\"),
    ("textbar", "|"),
    ("textbullet", "•"),
    ("textdegree", "°"),
    ("textdollar", "$"),
    ("textellipsis", "…"),
    ("textemdash", "—"),
    ("textendash", "–"),
    ("texteuro", "€"),
    ("textgreater", ">"),
    ("textless", "<"),
    ("textquotedblleft", "“"),
    ("textquotedblright", "”"),
    ("textquoteleft", "‘"),
    ("textquoteright", "’"),
    ("textregistered", "®"),
    ("texttrademark", "™"),
    ("textunderscore", "_"),
    ("th", "þ"),
    ("theta", "θ"),
    ("times", "×"),
    ("to", "→"),
    ("upsilon", "υ"),
    ("varepsilon", "ε"),
    ("varphi", "φ"),
    ("vartheta", "ϑ"),
    ("xi", "ξ"),
    ("zeta", "ζ"),
    ("{", "{"),
    ("}", "}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_in_order() {
        assert!(SYMBOLS.is_sorted_by_key(|row| row.0));
    }
}
