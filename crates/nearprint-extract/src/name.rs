//! The medium that the name of a file suggests. It decides where the content is silent: a text of nothing but headings
//! and paragraphs is Markdown in one file and plain text in another, and a page of a wiki may begin as HTML does.

use crate::media::Media;

/// Suffixes of names, and the media that they suggest: those that have texts which do not say what they are.
const SUFFIXES: [(&str, Media); 24] = [
    ("md", Media::Markdown),
    ("markdown", Media::Markdown),
    ("mdown", Media::Markdown),
    ("mkd", Media::Markdown),
    ("mkdn", Media::Markdown),
    ("rst", Media::Restructured),
    ("adoc", Media::Asciidoc),
    ("asciidoc", Media::Asciidoc),
    ("wiki", Media::Wiki),
    ("mw", Media::Wiki),
    ("mediawiki", Media::Wiki),
    ("wikitext", Media::Wiki),
    ("texi", Media::Texinfo),
    ("texinfo", Media::Texinfo),
    ("txi", Media::Texinfo),
    ("tex", Media::Latex),
    ("ltx", Media::Latex),
    ("latex", Media::Latex),
    ("bib", Media::Bibtex),
    ("bibtex", Media::Bibtex),
    ("ris", Media::Ris),
    ("xml", Media::Xml),
    ("sgml", Media::Xml),
    ("sgm", Media::Xml),
];

/// Suffixes of files that are compressed: the name before them counts.
const COMPRESSED: [&str; 5] = ["gz", "bz2", "xz", "zst", "bgz"];

/// The media type that the name of a file suggests, for
/// [`Hints::named_type`](crate::Hints::named_type); none where the content says what it is, whatever the name.
///
/// ```
/// use nearprint_extract::media_type_of_name;
///
/// assert_eq!(media_type_of_name("docs/README.md"), Some("text/markdown"));
/// assert_eq!(media_type_of_name("manual.texi.gz"), Some("text/x-texinfo"));
/// assert_eq!(media_type_of_name("report.pdf"), None);
/// ```
#[must_use]
pub fn media_type_of_name(name: &str) -> Option<&'static str> {
    let (before, suffix) = name.rsplit_once('.')?;
    let is_compressed = COMPRESSED.iter().any(|known| suffix.eq_ignore_ascii_case(known));
    let suffix = if is_compressed { before.rsplit_once('.')?.1 } else { suffix };
    let (_, media) = SUFFIXES.iter().find(|(known, _)| suffix.eq_ignore_ascii_case(known))?;
    Some(media.row().types[0])
}
