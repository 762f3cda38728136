//! Directives of reStructuredText: which of their parts a rendering shows, and under which words.

/// What happens to a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All of it is dropped.
    Dropped,
    /// Its content is text.
    Content,
    /// Its content is shown as it is.
    Literal,
    /// Its argument and its content are text.
    All,
    /// They are, below a title.
    Titled(&'static str),
    /// They are, and begin with these words.
    Worded(&'static str),
}

pub(super) fn kind(name: &str, argument: &str) -> Kind {
    match name {
        "toctree" | "contents" | "index" | "raw" | "meta" | "include" | "literalinclude"
        | "image" | "module" | "currentmodule" | "sectionauthor" | "moduleauthor"
        | "codeauthor" | "highlight" | "highlightlang" | "default-domain" | "tabularcolumns"
        | "graphviz" | "plot" | "role" | "default-role" | "sectnum" | "target-notes"
        | "automodule" | "autoclass" | "autofunction" | "automethod" | "kernel-doc"
        | "kernel-figure" | "unicode" | "testsetup" | "testcleanup" | "py:module"
        | "py:currentmodule" | "header" | "footer" | "mermaid" | "uml" | "digraph"
        | "c:namespace" | "c:namespace-push" | "c:namespace-pop" | "cpp:namespace"
        | "cpp:namespace-push" | "cpp:namespace-pop" => Kind::Dropped,
        "figure" | "only" | "container" | "cssclass" | "rst-class" | "glossary" | "centered"
        | "epigraph" | "compound" | "tabs" | "hlist" | "table-of" => Kind::Content,
        "code-block" | "code" | "sourcecode" | "parsed-literal" | "doctest" | "testcode"
        | "testoutput" | "productionlist" | "ipython" | "prompt" | "literal" => Kind::Literal,
        // What Docutils and Sphinx write in English.
        "note" => Kind::Titled("Note"),
        "warning" => Kind::Titled("Warning"),
        "attention" => Kind::Titled("Attention"),
        "caution" => Kind::Titled("Caution"),
        "danger" => Kind::Titled("Danger"),
        "error" => Kind::Titled("Error"),
        "hint" => Kind::Titled("Hint"),
        "important" => Kind::Titled("Important"),
        "tip" => Kind::Titled("Tip"),
        "seealso" => Kind::Titled("See also"),
        "versionadded" => Kind::Worded("New in version"),
        "versionchanged" => Kind::Worded("Changed in version"),
        "deprecated" => Kind::Worded("Deprecated since version"),
        "exception" | "py:exception" => Kind::Worded("exception"),
        "py:class" | "cpp:class" => Kind::Worded("class"),
        // Of Docutils these are names of classes of what follows, of Sphinx a class of Python.
        "class" if argument.contains(|c: char| c.is_ascii_uppercase() || "(.".contains(c)) => {
            Kind::Worded("class")
        }
        "class" => Kind::Content,
        "c:type" | "cpp:type" => Kind::Worded("type"),
        "c:struct" | "cpp:struct" => Kind::Worded("struct"),
        "c:union" | "cpp:union" => Kind::Worded("union"),
        "c:enum" | "cpp:enum" => Kind::Worded("enum"),
        "c:enumerator" | "cpp:enumerator" => Kind::Worded("enumerator"),
        _ => Kind::All,
    }
}

/// The name and the argument of a directive, after its two dots.
pub(super) fn directive(rest: &str) -> Option<(&str, &str)> {
    let (name, argument) = rest.split_once("::")?;
    let valid = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || "-_:+.".contains(c))
        && (argument.is_empty() || argument.starts_with([' ', '\t']));
    valid.then(|| (name, argument.trim()))
}
