//! The translations that an article of JATS holds beside itself (`sub-article` of the type `translation`), each a
//! document: the bytes of its element.
//!
//! Nothing is parsed but tags: where elements of this name begin and end, outside comments and character data. An
//! article that is damaged may lose a translation here. It is still a document, whose extractor says what is wrong.

use std::io::Read;

use memchr::{memchr, memmem};

use super::InputFile;
use crate::expansion::Expansion;
use crate::{Content, Document, DocumentId, ErrorRecord, Place, ReadSettings, ReasonCode};

/// The element.
const NAME: &[u8] = b"sub-article";

/// Its type.
const TRANSLATION: &[u8] = b"translation";

/// The media type of a translation.
const XML: &str = "application/xml";

/// Bytes of the XML declaration, at most, which names the charset.
const DECLARATION: usize = 256;

/// The translations of an article, in the order in which they stand.
#[derive(Debug)]
pub struct Translations {
    place: Place,
    charset: Option<String>,
    bytes: Vec<u8>,
    next: Option<Element>,
}

impl InputFile {
    /// Whether the file begins as an article of JATS, which may hold translations.
    pub fn begins_article(&mut self, settings: &ReadSettings) -> bool {
        self.beginning(settings).is_ok_and(|beginning| begins_article(&beginning.bytes))
    }

    /// The translations that this file holds beside the article that it is; `None` where it is no article of JATS with
    /// translations. Only what begins as an article is read for this, and only what has at most
    /// [`max_bytes`](ReadSettings::max_bytes).
    #[must_use]
    pub fn translations(mut self, settings: &ReadSettings) -> Option<Translations> {
        if !self.begins_article(settings) {
            return None;
        }
        let stored = self.raw.length().unwrap_or(settings.max_bytes);
        let longest = match self.is_compressed() {
            true => settings.longest_expanded(stored),
            false => settings.max_bytes,
        };
        let Self { place, raw } = self;
        let expanded =
            Expansion::new(raw, settings.max_ratio).with_work(settings.max_work_per_byte);
        let place = Place { wrapper: expanded.wrapper().map(Into::into), ..place };
        let mut bytes = Vec::new();
        let read = expanded.take(longest.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        let is_whole = read as u64 <= longest;
        let next = element_from(&bytes, 0).filter(|_| is_whole)?;
        Some(Translations { place, charset: charset(&bytes), bytes, next: Some(next) })
    }
}

/// An element that is a translation.
#[derive(Debug)]
struct Element {
    start: usize,
    end: usize,
    /// The value of its attribute `id`.
    id: Option<DocumentId>,
}

/// The next translation that begins at this byte or later. One within another is a part of it.
fn element_from(bytes: &[u8], at: usize) -> Option<Element> {
    let tags = Tags { bytes, at };
    let mut depth = 0_usize;
    let mut open: Option<(usize, Element)> = None;
    for tag in tags {
        match (&mut open, tag.kind) {
            (_, TagKind::Empty) => {}
            (None, TagKind::Start) => {
                if attribute(tag.attributes, b"article-type") == Some(TRANSLATION) {
                    let id = attribute(tag.attributes, b"id")
                        .and_then(|id| DocumentId::new(std::str::from_utf8(id).ok()?).ok());
                    open = Some((depth, Element { start: tag.start, end: tag.end, id }));
                }
                depth += 1;
            }
            (Some(_), TagKind::Start) => depth += 1,
            (None, TagKind::End) => depth = depth.saturating_sub(1),
            (Some((outer, element)), TagKind::End) => {
                depth -= 1;
                if depth == *outer {
                    element.end = tag.end;
                    return open.map(|(_, element)| element);
                }
            }
        }
    }
    None
}

impl Iterator for Translations {
    type Item = Result<Document, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        let Element { start, end, id: record } = self.next.take()?;
        self.next = element_from(&self.bytes, end);
        let (offset, length) = (Some(start as u64), Some((end - start) as u64));
        let place = Place { offset, length, record, ..self.place.clone() };
        // What an editor calls it stays when the article is revised, and where it stands does not.
        let name = match &place.record {
            Some(record) => format!("{} ({record})", place.file),
            None => place.to_string(),
        };
        let id = match DocumentId::new(name) {
            Ok(id) => id,
            Err(bad) => {
                let detail = bad.to_string().into();
                return Some(Err(ErrorRecord {
                    id: None,
                    place,
                    reason: ReasonCode::BAD_ID,
                    detail,
                }));
            }
        };
        let mut document =
            Document::new(id, place, Content::Bytes(self.bytes[start..end].to_vec()));
        document.charset.clone_from(&self.charset);
        document.media_type = Some(XML.to_owned());
        Some(Ok(document))
    }
}

/// Whether a file begins as an article of JATS, or of what was before it (NLM): by its root, and its type or metadata.
fn begins_article(beginning: &[u8]) -> bool {
    let Some(root) = memmem::find(beginning, b"<article") else { return false };
    let is_known = |mark: &&[u8]| memmem::find(beginning, mark).is_some();
    let is_first =
        !beginning[..root].windows(2).any(|w| w[0] == b'<' && w[1].is_ascii_alphabetic());
    is_first
        && beginning.get(root + 8).is_some_and(|&next| next == b'>' || next.is_ascii_whitespace())
        && [&b"article-meta"[..], b"JATS", b"NLM//DTD", b"article-type"].iter().any(is_known)
}

/// The charset that the XML declaration states.
fn charset(bytes: &[u8]) -> Option<String> {
    let beginning = &bytes[..bytes.len().min(DECLARATION)];
    let bytes = beginning.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(beginning);
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memmem::find(declaration, b"?>")?];
    String::from_utf8(attribute(declaration, b"encoding")?.to_vec()).ok()
}

/// The value of an attribute, as it is written.
fn attribute<'a>(attributes: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = attributes;
    loop {
        let equals = memchr(b'=', rest)?;
        let found = rest[..equals].trim_ascii();
        let value = rest[equals + 1..].trim_ascii_start();
        let (&quote, value) = value.split_first().filter(|(q, _)| matches!(q, b'"' | b'\''))?;
        let end = memchr(quote, value)?;
        if found == name {
            return Some(&value[..end]);
        }
        rest = &value[end + 1..];
    }
}

/// The tags of elements of this name, outside comments, character data and instructions.
struct Tags<'a> {
    bytes: &'a [u8],
    at: usize,
}

struct Tag<'a> {
    kind: TagKind,
    start: usize,
    end: usize,
    attributes: &'a [u8],
}

enum TagKind {
    Start,
    End,
    Empty,
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let start = self.at + memchr(b'<', self.bytes.get(self.at..)?)?;
            let tag = &self.bytes[start + 1..];
            let skipped = [(&b"!--"[..], &b"-->"[..]), (b"![CDATA[", b"]]>"), (b"?", b"?>")];
            if let Some((begin, end)) = skipped.iter().find(|(begin, _)| tag.starts_with(begin)) {
                let rest = &tag[begin.len()..];
                self.at = start + 1 + begin.len() + memmem::find(rest, end)? + end.len();
                continue;
            }
            let (is_end, name) = match tag.strip_prefix(b"/") {
                Some(name) => (true, name),
                None => (false, tag),
            };
            let Some(rest) = name.strip_prefix(NAME).filter(|rest| {
                rest.first().is_some_and(|&b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
            }) else {
                self.at = start + 1;
                continue;
            };
            let length = tag_length(rest)?;
            let end = self.bytes.len() - rest.len() + length + 1;
            let attributes = &rest[..length];
            let kind = match (is_end, attributes.strip_suffix(b"/")) {
                (true, _) => TagKind::End,
                (false, Some(_)) => TagKind::Empty,
                (false, None) => TagKind::Start,
            };
            self.at = end;
            return Some(Tag { kind, start, end, attributes });
        }
    }
}

/// Bytes before the end of a tag, which is not in a quoted value.
fn tag_length(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    tag.iter().position(|&byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], longest: u64) -> Option<Vec<(String, String, Option<String>)>> {
        let place = Place { file: "a.xml".into(), ..Place::default() };
        let file = InputFile::from_reader(place, std::io::Cursor::new(text.to_vec()));
        let settings = ReadSettings { max_bytes: longest, ..ReadSettings::default() };
        let found = file.translations(&settings)?.map(|found| {
            let document = found.unwrap();
            let (at, length) = (document.place.offset.unwrap(), document.place.length.unwrap());
            assert_eq!(document.media_type.as_deref(), Some(XML));
            let (id, charset) = (document.id.as_str().to_owned(), document.charset.clone());
            let bytes = document.into_bytes(1000).unwrap();
            assert_eq!(bytes, text[at as usize..(at + length) as usize]);
            (id, String::from_utf8_lossy(&bytes).into_owned(), charset)
        });
        Some(found.collect())
    }

    fn article(rest: &str) -> Vec<u8> {
        format!("<article article-type=\"research-article\"><front/>{rest}</article>").into_bytes()
    }

    #[test]
    fn translations_are_documents() {
        let (one, two) = (
            "<sub-article id='S1' article-type=\"translation\" note='>'>Eins<sub-article \
             article-type='reply'>Ja</sub-article></sub-article>",
            "<sub-article article-type = 'translation'>Deux</sub-article\n>",
        );
        let text = article(&format!(
            "<sub-article article-type='reply'>No</sub-article><!-- {one} --><![CDATA[{one}]]>\
             <?x {one}?><sub-article article-type='translation'/><sub-articles/>{one} {two}"
        ));
        let found = read(&text, 1000).unwrap();
        let all: Vec<_> = found.iter().map(|(_, text, _)| text.as_str()).collect();
        assert_eq!(all, [one, two]);
        let at = memmem::rfind(&text, one.as_bytes()).unwrap();
        assert_eq!(found[0].0, "a.xml (S1)");
        assert!(found[1].0.ends_with(&format!("@{}", at + one.len() + 1)), "{}", found[1].0);
        assert_eq!(read(&text, text.len() as u64 - 1), None, "too long");
    }

    #[test]
    fn what_holds_no_translation_is_one_document() {
        let whole = "<sub-article article-type='translation'>Eins</sub-article>";
        for text in [
            article("<sub-article article-type='reply'>No</sub-article>"),
            article("<sub-article article-type='translation'>cut"),
            article("<sub-article article-type='translation"),
            article(&format!("<!-- {whole}")),
            format!("<html><article>{whole}</article></html>").into_bytes(),
            format!("<articles>{whole}</articles>").into_bytes(),
            whole.as_bytes().to_vec(),
            Vec::new(),
        ] {
            assert_eq!(read(&text, 1000), None, "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn the_charset_is_that_of_the_article() {
        let declared = [
            b"<?xml version='1.0' encoding='ISO-8859-1'?>".to_vec(),
            article("<sub-article article-type='translation'>\u{1}</sub-article>"),
        ];
        let text: Vec<u8> =
            declared.concat().iter().map(|&b| if b == 1 { 0xE9 } else { b }).collect();
        let found = read(&text, 1000).unwrap();
        assert_eq!(found[0].2.as_deref(), Some("ISO-8859-1"));
    }

    /// Each tag is looked at once for each translation, and each comment without an end once.
    #[test]
    fn many_tags_are_found_in_linear_time() {
        let many = "<sub-article article-type='translation'>a</sub-article><!-".repeat(20_000);
        assert_eq!(read(&article(&many), 1 << 24).unwrap().len(), 20_000);
    }
}
