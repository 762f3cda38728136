//! What the commands of Texinfo do to text, as its rendering in HTML shows them.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Its argument is text.
    Keep,
    /// Its argument in braces is not text.
    Hidden,
    /// Of its arguments in braces some are text.
    Arguments(Arguments),
    /// A footnote.
    Note,
    /// The letter that follows has this mark.
    Accent(char),
    /// It stands for a text.
    Text(&'static str),
    /// The rest of its line is text that stands on a line of its own.
    Heading,
    /// The rest of its line is not text.
    Line,
    /// Its environment is not text.
    Skipped,
    /// An environment that reads as one format alone shows it, and whether that is the one read here.
    Format(bool),
    /// An environment of text.
    Begin(Environment),
    /// The first line of a definition: the words before it, and before the class that it names, if it names one.
    Definition(Option<&'static str>, Option<&'static str>),
    /// What follows is another word.
    Space,
}

/// The arguments of a command, which are separated by commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arguments {
    /// Node, name, title, file, manual.
    Reference,
    /// Node, name, file.
    Info,
    /// The last that is given is shown.
    Last(u8),
    /// A short form and what it stands for.
    Abbreviation,
    /// A format, and the text in it.
    Format,
    /// A format, the text in it, and in others.
    FormatElse,
    /// The name of a value, and the text where it is set, or where it is not.
    Value(bool),
    /// The number of a character.
    Character,
}

impl Arguments {
    /// How many there are at most; further commas are text.
    pub(super) fn most(self) -> usize {
        match self {
            Self::Reference => 5,
            Self::Info | Self::FormatElse => 3,
            Self::Last(most) => usize::from(most),
            Self::Abbreviation | Self::Format | Self::Value(_) => 2,
            Self::Character => 1,
        }
    }
}

/// An environment of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Environment {
    /// Its items stand on lines of their own.
    Table,
    /// A table of columns.
    Columns,
    List,
    /// Its line breaks count.
    Preformatted,
    /// The rest of its first line is text.
    Titled,
    /// Other text.
    Block,
}

/// What the command `name` does.
pub(super) fn action(name: &str) -> Action {
    if let Some(mark) = accent(name) {
        return Action::Accent(mark);
    }
    if let Some(text) = symbol(name) {
        return Action::Text(text);
    }
    if let Some((label, on)) = definition(name) {
        return Action::Definition(label, on);
    }
    if let Some(environment) = environment(name) {
        return Action::Begin(environment);
    }
    match name {
        "xref" | "pxref" | "ref" => Action::Arguments(Arguments::Reference),
        "inforef" => Action::Arguments(Arguments::Info),
        "uref" | "url" => Action::Arguments(Arguments::Last(3)),
        "email" | "link" => Action::Arguments(Arguments::Last(2)),
        "acronym" | "abbr" => Action::Arguments(Arguments::Abbreviation),
        "inlinefmt" => Action::Arguments(Arguments::Format),
        "inlinefmtifelse" => Action::Arguments(Arguments::FormatElse),
        "inlineifset" => Action::Arguments(Arguments::Value(true)),
        "inlineifclear" => Action::Arguments(Arguments::Value(false)),
        "U" => Action::Arguments(Arguments::Character),
        "anchor" | "image" | "hyphenation" | "errormsg" | "inlineraw" | "shortcaption"
        | "sortas" | "seeentry" | "seealso" | "namedanchor" => Action::Hidden,
        "footnote" => Action::Note,
        "top"
        | "part"
        | "chapter"
        | "section"
        | "subsection"
        | "subsubsection"
        | "unnumbered"
        | "unnumberedsec"
        | "unnumberedsubsec"
        | "unnumberedsubsubsec"
        | "appendix"
        | "appendixsec"
        | "appendixsection"
        | "appendixsubsec"
        | "appendixsubsubsec"
        | "majorheading"
        | "chapheading"
        | "heading"
        | "subheading"
        | "subsubheading"
        | "centerchap"
        | "center"
        | "exdent"
        | "title"
        | "subtitle"
        | "author" => Action::Heading,
        "menu" | "detailmenu" | "direntry" | "documentdescription" | "ignore" | "titlepage" => {
            Action::Skipped
        }
        // What is read is the document as HTML has it, without what is written in HTML itself.
        "ifhtml" => Action::Format(true),
        "ifinfo" | "iftex" | "ifplaintext" | "ifxml" | "ifdocbook" | "iflatex" | "ifnothtml" => {
            Action::Format(false)
        }
        "ifnotinfo" | "ifnottex" | "ifnotplaintext" | "ifnotxml" | "ifnotdocbook"
        | "ifnotlatex" => Action::Format(true),
        "html" | "tex" | "xml" | "docbook" | "latex" => Action::Skipped,
        _ if is_setting(name) || name.ends_with("index") => Action::Line,
        " " | "\t" | "\n" | "*" => Action::Space,
        _ => Action::Keep,
    }
}

/// Whether the rest of a command's line sets something, names something, or asks for something that is made.
fn is_setting(name: &str) -> bool {
    matches!(
        name,
        "node"
            | "dircategory"
            | "setfilename"
            | "setchapternewpage"
            | "setcontentsaftertitlepage"
            | "setshortcontentsaftertitlepage"
            | "finalout"
            | "afourpaper"
            | "afourlatex"
            | "afourwide"
            | "afivepaper"
            | "bsixpaper"
            | "smallbook"
            | "pagesizes"
            | "paragraphindent"
            | "firstparagraphindent"
            | "exampleindent"
            | "documentencoding"
            | "documentlanguage"
            | "headings"
            | "evenheading"
            | "evenfooting"
            | "oddheading"
            | "oddfooting"
            | "everyheading"
            | "everyfooting"
            | "evenheadingmarks"
            | "oddheadingmarks"
            | "everyheadingmarks"
            | "evenfootingmarks"
            | "oddfootingmarks"
            | "everyfootingmarks"
            | "kbdinputstyle"
            | "allowcodebreaks"
            | "codequoteundirected"
            | "codequotebacktick"
            | "frenchspacing"
            | "clickstyle"
            | "urefbreakstyle"
            | "xrefautomaticsectiontitle"
            | "deftypefnnewline"
            | "fonttextsize"
            | "microtype"
            | "footnotestyle"
            | "lowersections"
            | "raisesections"
            | "novalidate"
            | "vskip"
            | "sp"
            | "page"
            | "need"
            | "contents"
            | "shortcontents"
            | "summarycontents"
            | "listoffloats"
            | "definfoenclose"
            | "shorttitlepage"
            | "cropmarks"
            | "nwnode"
    )
}

/// What an environment is; none for commands that begin none.
pub(super) fn environment(name: &str) -> Option<Environment> {
    Some(match name {
        "table" | "vtable" | "ftable" => Environment::Table,
        "multitable" => Environment::Columns,
        "itemize" | "enumerate" => Environment::List,
        "example" | "smallexample" | "lisp" | "smalllisp" | "display" | "smalldisplay"
        | "format" | "smallformat" => Environment::Preformatted,
        "quotation" | "smallquotation" => Environment::Titled,
        "cartouche"
        | "group"
        | "flushleft"
        | "flushright"
        | "raggedright"
        | "indentedblock"
        | "smallindentedblock"
        | "float"
        | "displaymath"
        | "defblock"
        | "nodedescriptionblock" => Environment::Block,
        _ => return None,
    })
}

/// The label of a definition, if its category is not the first argument, and the word before its class.
fn definition(name: &str) -> Option<(Option<&'static str>, Option<&'static str>)> {
    let base = name.strip_suffix('x').unwrap_or(name);
    Some(match base {
        "deffn" | "defvr" | "deftp" | "deftypefn" | "deftypevr" | "defline" | "deftypeline" => {
            (None, None)
        }
        "defop" | "deftypeop" => (None, Some("on")),
        "defcv" | "deftypecv" => (None, Some("of")),
        "defun" | "deftypefun" => (Some("Function"), None),
        "defmac" => (Some("Macro"), None),
        "defspec" => (Some("Special Form"), None),
        "defvar" | "deftypevar" => (Some("Variable"), None),
        "defopt" => (Some("User Option"), None),
        "defmethod" | "deftypemethod" => (Some("Method"), Some("on")),
        "defivar" | "deftypeivar" => (Some("Instance Variable"), Some("of")),
        _ => return None,
    })
}

/// The combining mark of an accent command.
fn accent(name: &str) -> Option<char> {
    Some(match name {
        "'" => '\u{301}',
        "`" => '\u{300}',
        "^" => '\u{302}',
        "\"" => '\u{308}',
        "~" => '\u{303}',
        "=" => '\u{304}',
        "," => '\u{327}',
        "dotaccent" => '\u{307}',
        "ringaccent" => '\u{30A}',
        "u" => '\u{306}',
        "v" => '\u{30C}',
        "H" => '\u{30B}',
        "ogonek" => '\u{328}',
        "ubaraccent" => '\u{331}',
        "udotaccent" => '\u{323}',
        "tieaccent" => '\u{361}',
        _ => return None,
    })
}

/// The text of a command that is a letter or a sign.
fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "@" | "atchar" => "@",
        "{" | "lbracechar" => "{",
        "}" | "rbracechar" => "}",
        "\\" | "backslashchar" => "\\",
        "&" | "ampchar" => "&",
        "hashchar" => "#",
        "comma" => ",",
        "." => ".",
        "!" => "!",
        "?" => "?",
        "-" | "/" | ":" | "|" => "",
        "dots" => "…",
        "enddots" => "…",
        "bullet" => "•",
        "copyright" => "©",
        "registeredsymbol" => "®",
        "TeX" => "TeX",
        "LaTeX" => "LaTeX",
        "minus" => "-",
        "tie" => " ",
        "euro" => "€",
        "pounds" => "£",
        "textdegree" => "°",
        "result" => "⇒",
        "expansion" => "→",
        "print" => "-|",
        "error" => "error→",
        "equiv" => "≡",
        "point" => "∗",
        "geq" => "≥",
        "leq" => "≤",
        "arrow" | "click" => "→",
        "quotedblleft" => "“",
        "quotedblright" => "”",
        "quotedblbase" => "„",
        "quoteleft" => "‘",
        "quoteright" => "’",
        "quotesinglbase" => "‚",
        "guillemetleft" | "guillemotleft" => "«",
        "guillemetright" | "guillemotright" => "»",
        "guilsinglleft" => "‹",
        "guilsinglright" => "›",
        "aa" => "å",
        "AA" => "Å",
        "ae" => "æ",
        "AE" => "Æ",
        "oe" => "œ",
        "OE" => "Œ",
        "o" => "ø",
        "O" => "Ø",
        "l" => "ł",
        "L" => "Ł",
        "ss" => "ß",
        "dh" => "ð",
        "DH" => "Ð",
        "th" => "þ",
        "TH" => "Þ",
        "exclamdown" => "¡",
        "questiondown" => "¿",
        "ordf" => "ª",
        "ordm" => "º",
        _ => return None,
    })
}
