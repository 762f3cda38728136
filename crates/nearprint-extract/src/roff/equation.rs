//! Equations of eqn(1): their letters and signs, in their order. How they are placed is not text.

use std::borrow::Cow;

/// The signs that begin and end an equation inside a line, once they are declared.
#[derive(Debug, Default)]
pub(super) struct Delimiters {
    signs: Option<(char, char)>,
    is_off: bool,
}

impl Delimiters {
    /// Reads a line of an equation that declares something; whether it is one.
    pub(super) fn declare(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("delim"), Some("off")) => self.is_off = true,
            (Some("delim"), Some("on")) => self.is_off = false,
            (Some("delim"), Some(signs)) => {
                let mut signs = signs.chars();
                self.signs = signs.next().zip(signs.next());
                self.is_off = false;
            }
            (
                Some(
                    "define" | "ndefine" | "tdefine" | "undef" | "gsize" | "gfont" | "set"
                    | "include",
                ),
                Some(_),
            ) => {}
            _ => return false,
        }
        true
    }

    /// A line with the equations in it as text.
    pub(super) fn line<'a>(&self, line: &'a str) -> Cow<'a, str> {
        let Some((open, close)) = self.signs.filter(|_| !self.is_off) else { return line.into() };
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, inside)) = rest.split_once(open)
            && let Some((equation, after)) = inside.split_once(close)
        {
            out.push_str(before);
            out.push_str(&text(equation));
            rest = after;
        }
        if rest.len() == line.len() {
            return line.into();
        }
        out.push_str(rest);
        out.into()
    }
}

/// The letters and signs of an equation. Words of several letters stand apart, as do the parts of fractions.
pub(super) fn text(equation: &str) -> String {
    let mut out = String::with_capacity(equation.len());
    let mut rest = equation;
    while let Some(token) = next_token(&mut rest) {
        match token {
            "size" | "font" | "up" | "down" | "fwd" | "back" => {
                next_token(&mut rest);
            }
            "over" | "above" | "from" | "to" | "~" | "^" | "left" | "right" => out.push(' '),
            _ if SILENT.contains(&token) => {}
            _ => {
                let quoted = token.strip_prefix('"').map(|token| token.trim_end_matches('"'));
                let shown = quoted.unwrap_or_else(|| sign(token).unwrap_or(token));
                let is_word =
                    |text: &str| text.chars().take(2).filter(|c| c.is_alphabetic()).count() > 1;
                if is_word(shown)
                    || out.chars().rev().take(2).filter(|c| c.is_alphabetic()).count() > 1
                {
                    out.push(' ');
                }
                out.push_str(shown);
            }
        }
    }
    out
}

/// A word, a quoted text, or a sign that stands alone.
fn next_token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let first = text.chars().next()?;
    let length = match first {
        '{' | '}' | '~' | '^' => 1,
        '"' => text[1..].find('"').map_or(text.len(), |end| end + 2),
        _ => {
            let ends = |c: char| c.is_whitespace() || "{}~^\"".contains(c);
            text.find(ends).unwrap_or(text.len())
        }
    };
    let (token, after) = text.split_at(length);
    *rest = after;
    Some(token)
}

/// Words that say how what follows is set.
const SILENT: [&str; 40] = [
    "{",
    "}",
    "sub",
    "sup",
    "sqrt",
    "roman",
    "italic",
    "bold",
    "fat",
    "mark",
    "lineup",
    "pile",
    "lpile",
    "cpile",
    "rpile",
    "matrix",
    "col",
    "lcol",
    "ccol",
    "rcol",
    "bar",
    "under",
    "dot",
    "dotdot",
    "hat",
    "tilde",
    "vec",
    "dyad",
    "nothing",
    "floor",
    "ceiling",
    "smallover",
    "accent",
    "uaccent",
    "special",
    "space",
    "chartype",
    "type",
    "split",
    "nosplit",
];

/// The sign that a word stands for.
fn sign(word: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(name, _)| *name == word).map(|(_, sign)| *sign)
}

const SIGNS: [(&str, &str); 59] = [
    ("!=", "≠"),
    ("+-", "±"),
    ("->", "→"),
    ("...", "…"),
    ("<-", "←"),
    ("<<", "≪"),
    ("<=", "≤"),
    ("==", "≡"),
    (">=", "≥"),
    (">>", "≫"),
    ("DELTA", "Δ"),
    ("GAMMA", "Γ"),
    ("LAMBDA", "Λ"),
    ("OMEGA", "Ω"),
    ("PHI", "Φ"),
    ("PI", "Π"),
    ("PSI", "Ψ"),
    ("SIGMA", "Σ"),
    ("THETA", "Θ"),
    ("UPSILON", "Υ"),
    ("XI", "Ξ"),
    ("alpha", "α"),
    ("approx", "≈"),
    ("beta", "β"),
    ("cdot", "·"),
    ("chi", "χ"),
    ("del", "∇"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("eta", "η"),
    ("gamma", "γ"),
    ("grad", "∇"),
    ("half", "½"),
    ("inf", "∞"),
    ("int", "∫"),
    ("inter", "∩"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("omega", "ω"),
    ("omicron", "ο"),
    ("partial", "∂"),
    ("phi", "φ"),
    ("pi", "π"),
    ("prime", "′"),
    ("prod", "∏"),
    ("psi", "ψ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("sum", "∑"),
    ("tau", "τ"),
    ("theta", "θ"),
    ("times", "×"),
    ("union", "∪"),
    ("upsilon", "υ"),
    ("xi", "ξ"),
    ("zeta", "ζ"),
];
