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
            "begin" | "end" | "verb" | "maketitle" | "string" | "char" | "hbox" | "vbox"
        )
}

/// What the command `name` does.
pub(super) fn action(name: &str) -> Action {
    match name {
        " " | "\n" | "," | ";" | ":" | ">" | "quad" | "qquad" | "enspace" | "thinspace"
        | "space" | "hfill" | "hfil" | "hss" | "xspace" | "dotfill" | "hrulefill" => Action::Space,
        "\\" | "par" | "newline" | "linebreak" | "newpage" | "clearpage" | "cleardoublepage"
        | "pagebreak" | "smallskip" | "medskip" | "bigskip" | "hline" | "tabularnewline"
        | "vfill" | "toprule" | "midrule" | "bottomrule" | "endhead" | "endfirsthead"
        | "endfoot" | "endlastfoot" | "cr" | "[" | "]" | "noindent" | "indent" | "appendix"
        | "tableofcontents" | "listoffigures" | "listoftables" => Action::Line,
        "kern" | "raise" | "lower" | "mskip" | "mkern" | "moveleft" | "moveright" => Action::Kern,
        "vskip" | "hskip" | "vspace" | "hspace" | "parindent" | "parskip" | "baselineskip"
        | "textwidth" | "textheight" | "topmargin" | "oddsidemargin" | "evensidemargin"
        | "hsize" | "vsize" | "penalty" | "tolerance" | "hyphenpenalty" | "addvspace" => {
            Action::Dimension
        }
        "title" => Action::Title("title"),
        "author" => Action::Title("author"),
        "date" => Action::Title("date"),
        "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
        | "subparagraph" | "caption" | "subtitle" | "minisec" | "addchap" | "addsec"
        | "captionof" | "frametitle" | "framesubtitle" => Action::Heading,
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
        | "newcount" | "newtoks" | "newbox" | "expandafter" | "noexpand" | "csname" | "special"
        | "message" | "typeout" | "wlog" | "openin" | "openout" => Action::Drop(1),
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
        | "fi" | "else" | "iftrue" | "newblock" | "and" | "footnotemark" | "printindex"
        | "originalTeX" | "germanTeX" => Action::Nothing,
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
        | "subtable" | "xtabular" | "column" | "labeling" | "longtabu" | "tabu" | "alignat" => {
            Environment::Arguments(1)
        }
        "tabularx" | "tabulary" | "xltabular" | "wrapfigure" | "wraptable" | "list"
        | "adjustwidth" => Environment::Arguments(2),
        _ => Environment::Arguments(0),
    }
}
