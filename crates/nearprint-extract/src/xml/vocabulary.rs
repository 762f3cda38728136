//! What the elements of the common document vocabularies do to text: JATS and NLM, TEI, DocBook, DITA,
//! xml2rfc. Names that mean the same wherever they occur share one table; what is not in it is judged by
//! where its tags stand (see the module above).

use super::attributes::attribute;

/// What an element does to the text in it and around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Not in the table.
    Unknown,
    /// Part of a word.
    Inline,
    /// Stands on lines of its own.
    Block,
    /// A cell of a table.
    Cell,
    /// A word of its own within a line.
    Word,
    /// A block whose line breaks count.
    Preformatted,
    /// Not part of the text.
    Dropped,
    /// A translation of the document, which is not part of its text.
    Translation,
    /// Metadata, of which only titles and abstracts are part of the text.
    Metadata,
    /// A line break or page break inside running text.
    Break,
    /// Alternatives, of which one is text.
    Choice,
    /// Stands for a text.
    Text(&'static str),
    /// Hides the innermost open element of this name from here on.
    Hides(&'static str),
    /// A block that begins with the values of these attributes.
    Attributes(&'static [&'static str]),
    /// Like [`Role::Attributes`], within a line; `=word` stands for the word itself.
    Inserted(&'static [&'static str]),
    /// Like [`Role::Inserted`], where the element has no text.
    Default(&'static [&'static str]),
}

/// A start tag.
pub(crate) struct Element<'a> {
    /// The name without prefix.
    pub(crate) local: &'a str,
    /// What stands between the name and the end of the tag.
    pub(crate) attributes: &'a str,
    /// Whether it is an end tag at once.
    pub(crate) empty: bool,
}

/// A family of documents that share their element names.
pub(crate) struct Vocabulary {
    /// The role of an element.
    pub(crate) role: fn(&Element<'_>) -> Role,
    /// The only element whose own characters are text, where the vocabulary has one.
    pub(crate) text_in: Option<&'static str>,
    /// Pairs of an outer and an inner element: inside the one, the other is not text.
    pub(crate) dropped_inside: &'static [(&'static str, &'static str)],
    /// Elements whose text renderings write at the end of another one that is open around them: the
    /// inner name, the outer name, and a rank that orders several.
    pub(crate) moved: &'static [(&'static str, &'static str, u8)],
    /// Elements whose end tags are left out, or that have none.
    pub(crate) unclosed: &'static [&'static str],
}

/// Documents of any other kind.
pub(super) static ANY: Vocabulary = Vocabulary {
    role: |element| match element.local {
        // A translation is a document of its own, which one in another medium does not hold.
        "sub-article" if is_translation(element.attributes) => Role::Translation,
        local => role(local),
    },
    text_in: None,
    dropped_inside: &[],
    // DocBook's keys stand before the menus they stand for, and are written after them.
    moved: &[("shortcut", "menuchoice", 0)],
    unclosed: &[],
};

fn is_translation(attributes: &str) -> bool {
    attribute(attributes, "article-type") == Some("translation")
}

/// The role of an element by its name without prefix.
pub(super) fn role(local: &str) -> Role {
    match local {
        // Typography: in all of them, and inside words.
        "b" | "bold" | "i" | "italic" | "em" | "emph" | "emphasis" | "hi" | "strong" | "sub"
        | "sup" | "subscript" | "superscript" | "sc" | "smallcaps" | "small" | "tt" | "u"
        | "underline" | "underscore" | "overline" | "strike" | "del" | "ins" | "span" | "s"
        | "monospace" | "sans-serif" | "roman" | "styled-content" | "g" | "c" | "ex" | "add"
        | "supplied" | "unclear" | "wordasword" | "sgmltag" | "subst" | "named-content" | "ph"
        | "ruby" | "rb" | "x" => Role::Inline,
        // Metadata: DocBook, JATS, DITA, TEI (GROBID has the abstract there).
        "info" | "bookinfo" | "articleinfo" | "chapterinfo" | "sectioninfo" | "appendixinfo"
        | "prefaceinfo" | "partinfo" | "setinfo" | "refentryinfo" | "referenceinfo"
        | "sect1info" | "sect2info" | "sect3info" | "article-meta" | "front-stub" | "book-meta"
        | "book-part-meta" | "topicmeta" | "teiHeader" | "profileDesc" => Role::Metadata,
        // Metadata that holds nothing else.
        "metadata" | "meta" | "docinfo" | "prolog" | "journal-meta" | "processing-meta"
        | "collection-meta" | "standOff" | "facsimile" | "script" | "style" | "stylesheet"
        | "workgroup" | "area" => Role::Dropped,
        // Index entries, remarks to editors, alternative texts and doubles of formulas.
        "indexterm" | "index-term" | "screeninfo" | "remark" | "textobject" | "alt"
        | "alt-text" | "long-desc" | "figDesc" | "draft-comment" | "required-cleanup"
        | "tex-math" | "annotation" | "annotation-xml" | "object-id" | "fw" | "rt" | "rp"
        | "cref" | "pub-id" | "related-article" | "refmeta" | "titleabbrev" | "suppliedMeta" => {
            Role::Dropped
        }
        "choice" => Role::Choice,
        "lb" | "pb" | "cb" | "gb" | "milestone" | "br" | "break" | "sbr" | "tab" | "vspace" => {
            Role::Break
        }
        "programlisting" | "screen" | "literallayout" | "synopsis" | "preformat" | "codeblock"
        | "artwork" | "sourcecode" | "pre" | "verse-group" | "eg" | "msgblock" | "pre-text" => {
            Role::Preformatted
        }
        // Keys that are pressed together are written with a sign between them.
        "keycap" | "keysym" | "keycode" | "mousebutton" => Role::Word,
        "entry" | "td" | "th" | "cell" | "ttcol" => Role::Cell,
        "p" | "para" | "simpara" | "title" | "subtitle" | "head" | "div" | "sec" | "section"
        | "sect1" | "sect2" | "sect3" | "sect4" | "sect5" | "chapter" | "appendix" | "list"
        | "item" | "listitem" | "list-item" | "li" | "ul" | "ol" | "dl" | "dt" | "dd" | "row"
        | "tr" | "table" | "caption" | "fig" | "figure" | "note" | "abstract" | "body"
        | "front" | "back" | "l" | "lg" | "sp" | "speaker" | "stage" | "varlistentry" | "t"
        | "blockquote" | "reference" | "bibl" | "disp-quote" | "disp-formula" | "article-title"
        | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "step" | "cmd" | "shortdesc"
        | "bibliomixed" | "ab" => Role::Block,
        _ => Role::Unknown,
    }
}

/// Whether a child of metadata is part of the text.
pub(super) fn is_kept_metadata(local: &str) -> bool {
    matches!(
        local,
        "title"
            | "subtitle"
            | "title-group"
            | "trans-title-group"
            | "book-title-group"
            | "abstract"
            | "trans-abstract"
            | "legalnotice"
            | "profileDesc"
    )
}

/// Whether, of alternatives in TEI's `choice`, this one is the reader's text: corrected, regular, in full.
pub(super) fn is_preferred(local: &str) -> bool {
    matches!(local, "corr" | "reg" | "expan" | "seg" | "unclear")
}
