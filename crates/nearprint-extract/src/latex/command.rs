//! What the commands and environments of LaTeX and its common packages do to text.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Its arguments are text.
    Keep,
    /// It has none and leaves nothing.
    Nothing,
    /// A space.
    Space,
    /// The end of a line or paragraph.
    Line,
    /// A length follows, of a space.
    Dimension,
    /// A length follows, by which letters are moved.
    Kern,
    /// Part of the title.
    Title(&'static str),
    /// Its argument stands on a line of its own.
    Heading,
    /// An item, perhaps with its label.
    Item,
    /// A footnote.
    Note,
    /// Its argument is text, and no part of the word before it.
    Apart,
    /// So many arguments are not text; the rest is.
    Drop(u8),
    /// Its argument names a label, if there is one.
    Reference,
}

/// What an environment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Environment {
    /// Its content is shown as it is.
    Verbatim,
    /// Its content is not text.
    Dropped,
    /// So many arguments are not text; the content is.
    Arguments(u8),
}

/// Whether a command is in the table.
pub(super) fn is_known(name: &str) -> bool {
    !matches!(action(name), Action::Keep | Action::Reference)
        || matches!(
            name,
            "begin"
                | "end"
                | "verb"
                | "maketitle"
                | "string"
                | "char"
                | "hbox"
                | "vbox"
                | "fi"
                | "else"
                | "iftrue"
                | "iffalse"
                | "ifx"
                | "ifnum"
                | "csname"
                | "endcsname"
                | "expandafter"
                | "lettrine"
                | "endhead"
                | "endfirsthead"
                | "endfoot"
                | "endlastfoot"
        )
}

/// Whether a command of slides may stand in a formula.
pub(super) fn is_of_slides(name: &str) -> bool {
    matches!(
        name,
        "action" | "alert" | "alt" | "only" | "onslide" | "temporal" | "uncover" | "visible"
    )
}

/// Whether a command that ends a line may have a star, and how far down the next one is.
pub(super) fn has_height(name: &str) -> bool {
    matches!(
        name,
        "\\" | "newline"
            | "linebreak"
            | "pagebreak"
            | "tabularnewline"
            | "hline"
            | "toprule"
            | "midrule"
            | "bottomrule"
            | "appendix"
            | "tableofcontents"
    )
}

/// The name of a command that is computed, in the letters that names have.
pub(super) fn word(name: &str) -> String {
    let mut word = String::with_capacity(name.len());
    for c in name.trim().chars() {
        if c.is_ascii_alphabetic() || c == '@' {
            word.push(c);
        } else {
            // The digits of its number as letters, between signs.
            let digits = u32::from(c).to_string();
            word.push('@');
            word.extend(digits.bytes().map(|digit| char::from(digit - b'0' + b'a')));
            word.push('@');
        }
    }
    word
}

/// What the command `name` does.
pub(super) fn action(name: &str) -> Action {
    match name {
        " " | "\n" | "," | ";" | ":" | ">" | "quad" | "qquad" | "enspace" | "thinspace"
        | "space" | "hfill" | "hfil" | "hss" | "xspace" | "dotfill" | "hrulefill" => Action::Space,
        "\\" | "par" | "newline" | "linebreak" | "newpage" | "clearpage" | "cleardoublepage"
        | "pagebreak" | "smallskip" | "medskip" | "bigskip" | "hline" | "tabularnewline"
        | "vfill" | "toprule" | "midrule" | "bottomrule" | "cr" | "[" | "]" | "noindent"
        | "indent" | "appendix" | "tableofcontents" | "listoffigures" | "listoftables" => {
            Action::Line
        }
        "kern" | "raise" | "lower" | "mskip" | "mkern" | "moveleft" | "moveright" => Action::Kern,
        "vskip" | "hskip" | "vspace" | "hspace" | "parindent" | "parskip" | "baselineskip"
        | "textwidth" | "textheight" | "topmargin" | "oddsidemargin" | "evensidemargin"
        | "hsize" | "vsize" | "penalty" | "tolerance" | "hyphenpenalty" | "addvspace" => {
            Action::Dimension
        }
        "title" => Action::Title("title"),
        "author" => Action::Title("author"),
        "date" => Action::Title("date"),
        "subtitle" => Action::Title("subtitle"),
        "institute" => Action::Title("institute"),
        "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
        | "subparagraph" | "caption" | "minisec" | "addchap" | "addsec" | "captionof"
        | "frametitle" | "framesubtitle" => Action::Heading,
        "item" => Action::Item,
        "marg" | "oarg" | "parg" | "darg" | "sarg" | "meta" => Action::Apart,
        "footnote" | "thanks" | "marginpar" | "footnotetext" | "endnote" | "Afootnote"
        | "Bfootnote" | "Cfootnote" | "Dfootnote" | "Efootnote" | "Aendnote" | "Bendnote"
        | "footnoteA" | "footnoteB" | "sidenote" => Action::Note,
        // Nothing but names of things and settings.
        "label" | "ref" | "pageref" | "eqref" | "autoref" | "cref" | "Cref" | "vref"
        | "nameref" | "cite" | "citep" | "citet" | "citealp" | "citealt" | "citeauthor"
        | "citeyear" | "nocite" | "parencite" | "textcite" | "footcite" | "autocite"
        | "usepackage" | "RequirePackage" | "documentclass" | "documentstyle" | "LoadClass"
        | "bibliographystyle" | "bibliography" | "addbibresource" | "input" | "include"
        | "includeonly" | "includegraphics" | "pagestyle" | "thispagestyle" | "index"
        | "glossary" | "hypersetup" | "geometry" | "hyphenation" | "newcounter" | "stepcounter"
        | "refstepcounter" | "newlength" | "pagenumbering" | "graphicspath" | "selectlanguage"
        | "foreignlanguage" | "textcolor" | "color" | "colorbox" | "pagecolor" | "href"
        | "scalebox" | "rotatebox" | "raisebox" | "parbox" | "fontfamily" | "fontseries"
        | "fontshape" | "fontencoding" | "setmainfont" | "setsansfont" | "setmonofont"
        | "setmainlanguage" | "setdefaultlanguage" | "setotherlanguage" | "setotherlanguages"
        | "theoremstyle" | "phantom" | "hphantom" | "vphantom" | "hypertarget" | "hyperlink"
        | "bookmarksetup" | "markright" | "fancyhead" | "fancyfoot" | "fancyhf" | "lhead"
        | "chead" | "rhead" | "lfoot" | "cfoot" | "rfoot" | "usetikzlibrary" | "tikzset"
        | "lstset" | "captionsetup" | "setlist" | "bibitem" | "cline" | "cmidrule" | "tag"
        | "PassOptionsToClass" | "ExecuteOptions" | "DeclareOption" | "ProcessOptions"
        | "newtheoremstyle" | "usetheme" | "usecolortheme" | "usefonttheme"
        | "usepgfplotslibrary" | "sisetup" | "MakeShortVerb" | "DeleteShortVerb"
        | "arrayrulecolor" | "rowcolor" | "cellcolor" | "columncolor" | "newsavebox" | "usebox"
        | "sbox" | "savebox" | "hyphenchar" | "newboolean" | "enlargethispage"
        | "NeedsTeXFormat" | "ProvidesPackage" | "ProvidesClass" | "inputencoding"
        | "shorthandoff" | "shorthandon" | "useshorthands" | "printbibliography"
        | "counterwithin" | "counterwithout" | "AtBeginDocument" | "AtEndDocument"
        | "newgeometry" | "setstretch" | "newwrite" | "newread" | "newdimen" | "newskip"
        | "newcount" | "newtoks" | "newbox" | "noexpand" | "special" | "message" | "typeout"
        | "wlog" | "openin" | "openout" => Action::Drop(1),
        "setbeamercovered"
        | "setbeamersize"
        | "setbeameroption"
        | "beamerdefaultoverlayspecification"
        | "AtBeginSection"
        | "AtBeginSubsection"
        | "AtBeginPart" => Action::Drop(1),
        // References by whatever name: `\secref`, `\fullcite`.
        _ if names_reference(name) => Action::Reference,
        "setcounter"
        | "addtocounter"
        | "setlength"
        | "addtolength"
        | "settowidth"
        | "fcolorbox"
        | "resizebox"
        | "fontsize"
        | "newfontfamily"
        | "DeclareMathOperator"
        | "newtheorem"
        | "addtocontents"
        | "markboth"
        | "multicolumn"
        | "multirow"
        | "rule"
        | "DeclareUnicodeCharacter"
        | "PassOptionsToPackage"
        | "pdfbookmark"
        | "setboolean"
        | "numberwithin"
        | "newglossaryentry"
        | "DeclareTextSymbol"
        | "newunicodechar"
        | "setbeamertemplate"
        | "setbeamercolor"
        | "setbeamerfont"
        | "definefontfeature" => Action::Drop(2),
        "addcontentsline" | "definecolor" | "newacronym" | "DeclareTextCommand" => Action::Drop(3),
        "usefont" | "titlespacing" => Action::Drop(4),
        "titleformat" => Action::Drop(5),
        "/" | "!" | "-" | "(" | ")" | "|" | "@" | "centering" | "raggedright" | "raggedleft"
        | "small" | "footnotesize" | "scriptsize" | "tiny" | "normalsize" | "large" | "Large"
        | "LARGE" | "huge" | "Huge" | "bfseries" | "itshape" | "scshape" | "sffamily"
        | "ttfamily" | "rmfamily" | "upshape" | "mdseries" | "normalfont" | "bf" | "it" | "rm"
        | "sl" | "sf" | "tt" | "sc" | "em" | "left" | "right" | "big" | "Big" | "bigg" | "Bigg"
        | "displaystyle" | "textstyle" | "limits" | "nolimits" | "nonumber" | "notag"
        | "protect" | "relax" | "null" | "global" | "long" | "outer" | "sloppy" | "fussy"
        | "frenchspacing" | "nonfrenchspacing" | "makeatletter" | "makeatother" | "selectfont"
        | "today" | "bgroup" | "egroup" | "begingroup" | "endgroup" | "leavevmode"
        | "ignorespaces" | "unskip" | "break" | "nobreak" | "allowbreak" | "noalign" | "strut"
        | "newblock" | "and" | "footnotemark" | "printindex" | "originalTeX" | "germanTeX" => {
            Action::Nothing
        }
        _ => Action::Keep,
    }
}

/// Whether a command refers to a label or to an entry of the bibliography. Those whose argument is shown are not
/// meant.
fn names_reference(name: &str) -> bool {
    (name.ends_with("ref") && !matches!(name, "href" | "hyperref"))
        || name.starts_with("cite")
        || name.ends_with("cite")
}

/// Whether the environment `name`, without star, is a formula.
pub(super) fn is_formula(name: &str) -> bool {
    matches!(
        name,
        "math"
            | "displaymath"
            | "equation"
            | "eqnarray"
            | "align"
            | "alignat"
            | "flalign"
            | "gather"
            | "multline"
            | "subequations"
            | "dmath"
            | "IEEEeqnarray"
            | "darray"
    )
}

/// What the environment `name`, without star, does.
pub(super) fn environment(name: &str) -> Environment {
    match name {
        "verbatim" | "lstlisting" | "Verbatim" | "minted" | "BVerbatim" | "LVerbatim"
        | "verbatimtab" | "listing" | "alltt" | "spverbatim" | "LTXexample" | "semiverbatim"
        | "codeblock" | "tcblisting" | "dispExample" | "dispListing" | "Sinput" | "Soutput"
        | "Scode" => Environment::Verbatim,
        "comment" | "tikzpicture" | "pspicture" | "picture" | "filecontents" | "pgfpicture"
        | "asy" | "CCSXML" | "axis" | "tikzcd" | "forest" | "hide" => Environment::Dropped,
        "tabular" | "array" | "longtable" | "supertabular" | "minipage" | "multicols"
        | "thebibliography" | "adjustbox" | "otherlanguage" | "spacing" | "subfigure"
        | "subtable" | "xtabular" | "column" | "labeling" | "longtabu" | "beamercolorbox"
        | "tabu" | "alignat" => Environment::Arguments(1),
        "tabularx" | "tabulary" | "xltabular" | "wrapfigure" | "wraptable" | "list"
        | "adjustwidth" | "overlayarea" => Environment::Arguments(2),
        _ => Environment::Arguments(0),
    }
}
