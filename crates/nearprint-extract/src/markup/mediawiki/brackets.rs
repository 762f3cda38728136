//! Templates, parameters and links: which of their arguments are text.
//!
//! An argument is text until a sign says otherwise; then it is taken away. So nothing is read or copied twice.

use super::Page;
use super::braces::Kind;
use super::citations::{is_citation, is_shown_in_citations};

/// Something in brackets or braces that is open.
#[derive(Debug)]
pub(super) struct Bracket {
    kind: Open,
    /// The name of a template, the target of a link.
    name: String,
    /// Whether the name is being read.
    is_name: bool,
    /// Whether it hides what is read now.
    hides: bool,
    /// Where the text of the argument begins.
    start: usize,
    /// Whether the argument may still turn out to have a name.
    is_unnamed: bool,
    /// Whether it stands at the beginning of a line.
    begins_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Template,
    /// One whose arguments with names are those of a reference.
    Citation,
    Parameter,
    Link,
    /// A link to a file, of which the caption is text.
    File,
    /// Not text at all: functions of the parser, categories.
    Hidden,
    /// A link to an address, with a text; in double brackets, perhaps.
    Address {
        is_double: bool,
    },
}

impl Bracket {
    /// The name, if it is being read.
    pub(super) fn name(&mut self) -> Option<&mut String> {
        self.is_name.then_some(&mut self.name)
    }

    /// Whether what is read says how a list of notes is laid out: its only argument that is text has a name.
    fn is_layout(&self) -> bool {
        let name = self.name.trim();
        self.is_unnamed
            && ["reflist", "notelist"].iter().any(|list| name.eq_ignore_ascii_case(list))
    }
}

impl Page<'_> {
    /// Deals with the sign of brackets that comes next; gives its length. None where it is text.
    pub(super) fn bracket(&mut self, rest: &str) -> Option<usize> {
        match rest.as_bytes()[0] {
            b'{' => {
                let kind = self.matched.at(self.at)?;
                self.begin(kind);
                Some(kind.length())
            }
            b'[' => match self.matched.at(self.at) {
                Some(Kind::Link) if is_address_link(&rest[2..]) => {
                    self.address(&rest[1..], true).map(|length| length + 1)
                }
                Some(kind) => {
                    self.begin(kind);
                    Some(kind.length())
                }
                None => self.address(rest, false),
            },
            b'}' | b']' => self.close(rest),
            b'|' => self.bar(rest),
            b'=' => self.equals(),
            b'!' => {
                let is_cell = self.is_header && rest.starts_with("!!") && self.open.is_empty();
                is_cell.then(|| self.cell(2))
            }
            _ => None,
        }
    }

    fn begin(&mut self, kind: Kind) {
        let kind = match kind {
            Kind::Template => Open::Template,
            Kind::Parameter => Open::Parameter,
            Kind::Link => Open::Link,
        };
        self.hidden += 1;
        self.open.push(Bracket {
            kind,
            name: String::new(),
            is_name: true,
            hides: true,
            start: self.flow.len(),
            is_unnamed: false,
            begins_line: self.is_line_empty,
        });
        self.is_line_empty = false;
    }

    /// `[http://x.org text]`: the text is shown; without one, a number would be.
    fn address(&mut self, rest: &str, is_double: bool) -> Option<usize> {
        let inside = &rest[1..];
        if !is_address(inside) {
            return None;
        }
        let near = &inside[..inside.floor_char_boundary(2048)];
        let end = near.find([' ', '\t', ']', '\n', '[', '<', '{'])?;
        match near.as_bytes()[end] {
            b']' => {
                let is_closed = is_double && inside[end + 1..].starts_with(']');
                return Some(end + 2 + usize::from(is_closed));
            }
            b' ' | b'\t' => {}
            _ => return None,
        }
        self.open.push(Bracket {
            kind: Open::Address { is_double },
            name: String::new(),
            is_name: false,
            hides: false,
            start: self.flow.len(),
            is_unnamed: false,
            begins_line: false,
        });
        Some(end + 2)
    }

    /// Addresses end with their line.
    pub(super) fn end_addresses(&mut self) {
        while self.open.last().is_some_and(|last| matches!(last.kind, Open::Address { .. })) {
            self.open.pop();
        }
    }

    fn hide(&mut self, hides: bool) {
        let Some(last) = self.open.last_mut() else { return };
        if last.hides != hides {
            last.hides = hides;
            self.hidden = if hides { self.hidden + 1 } else { self.hidden - 1 };
        }
    }

    /// A bar: between arguments, or between the cells of a table.
    fn bar(&mut self, rest: &str) -> Option<usize> {
        let last = self.open.last_mut();
        let Some(last) = last.filter(|last| !matches!(last.kind, Open::Address { .. })) else {
            return (self.tables > 0 && rest.starts_with("||")).then(|| self.cell(2));
        };
        let is_first = std::mem::replace(&mut last.is_name, false);
        if is_first {
            last.kind = kind_of(last.kind, &last.name);
            if is_page(last) {
                self.transcluded.get_or_insert_with(|| last.name.trim().to_owned());
            }
        }
        let (kind, start) = (last.kind, last.start);
        if last.is_layout() && self.hidden == 0 {
            self.lift(start);
        }
        match kind {
            Open::Hidden | Open::Address { .. } => {}
            Open::Parameter => self.hide(!is_first),
            Open::Link => {
                if is_first {
                    self.hide(false);
                } else {
                    self.put("|");
                }
            }
            Open::File => {
                if is_first {
                    self.hide(false);
                    self.separate(crate::flow::Flow::line);
                } else if self.hidden == 0 {
                    self.lift(start);
                }
            }
            Open::Template | Open::Citation => {
                self.hide(false);
                self.separate(crate::flow::Flow::space);
            }
        }
        let length = self.flow.len();
        if let Some(last) = self.open.last_mut() {
            last.start = length;
            last.is_unnamed = matches!(kind, Open::Template | Open::Citation);
        }
        Some(1)
    }

    /// An equals sign after the name of an argument.
    fn equals(&mut self) -> Option<usize> {
        let note = self.note;
        let last = self.open.last_mut().filter(|last| last.is_unnamed)?;
        if note.is_some_and(|note| note > last.start) {
            return None;
        }
        last.is_unnamed = false;
        let (start, is_citation) = (last.start, last.kind == Open::Citation);
        let name = if self.hidden == 0 { self.lift(start) } else { String::new() };
        let name = name.trim();
        // Notes are listed in an argument of the template that shows them all.
        let is_list = name == "refs";
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if !(is_number || is_list || is_citation && is_shown_in_citations(name)) {
            self.hide(true);
        }
        Some(1)
    }

    /// The end of what is open, if this is one.
    fn close(&mut self, rest: &str) -> Option<usize> {
        let last = self.open.last()?;
        let end = match last.kind {
            Open::Template | Open::Citation => "}}",
            Open::Parameter => "}}}",
            Open::Link | Open::File => "]]",
            Open::Address { is_double: true } => "]]",
            Open::Address { is_double: false } => "]",
            Open::Hidden if rest.starts_with(']') => "]]",
            Open::Hidden => "}}",
        };
        if !rest.starts_with(end) {
            return None;
        }
        self.hide(false);
        let closed = self.open.pop()?;
        if closed.is_layout() && self.hidden == 0 {
            self.lift(closed.start);
        }
        if closed.is_name && is_page(&closed) {
            self.transcluded.get_or_insert_with(|| closed.name.trim().to_owned());
        }
        match closed.kind {
            _ if self.hidden > 0 => {}
            Open::Template if closed.is_name => match closed.name.trim() {
                "!" => self.put("|"),
                "=" => self.put("="),
                _ => self.separate(crate::flow::Flow::space),
            },
            Open::Link if closed.is_name => self.link(&closed, &rest[2..]),
            // Without a text, the name is shown without its namespace.
            Open::Link if self.flow.len() == closed.start => {
                let name = closed.name.rsplit(':').next().unwrap_or("");
                self.put(name);
            }
            Open::File => {
                if is_option(self.flow.since(closed.start).trim()) {
                    self.lift(closed.start);
                }
                self.separate(crate::flow::Flow::line);
            }
            _ => {}
        }
        Some(end.len())
    }

    /// A link that shows its target.
    fn link(&mut self, closed: &Bracket, after: &str) {
        if matches!(kind_of(Open::Link, &closed.name), Open::Hidden | Open::File) {
            return;
        }
        let is_alone =
            closed.begins_line && after.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
        let is_last = closed.begins_line && after.is_empty();
        if !((is_alone || is_last) && is_language(&closed.name)) {
            self.put(closed.name.trim_start_matches(':').trim());
        }
    }
}

fn is_address(text: &str) -> bool {
    let schemes = ["http://", "https://", "ftp://", "mailto:", "//"];
    schemes.iter().any(|scheme| text.starts_with(scheme))
}

/// Whether a text begins with an address that no bar follows, as in a link to a page. Org sets the text of a link into
/// brackets of its own.
fn is_address_link(text: &str) -> bool {
    let near = &text[..text.floor_char_boundary(2048)];
    let Some(end) = near.find([' ', '\t', '|', ']', '\n', '[', '<', '{']) else { return false };
    is_address(text) && near[end..].starts_with([' ', '\t', ']']) && !near[end..].starts_with("][")
}

/// Whether a template is a page that stands in its place as a whole. Others are parts of the wiki, as its design is,
/// and nearly all pages have some.
fn is_page(template: &Bracket) -> bool {
    let is_template = matches!(template.kind, Open::Template | Open::Citation | Open::Hidden);
    is_template && template.name.trim_start().starts_with([':', '/'])
}

/// What a template or link is by its name.
fn kind_of(kind: Open, name: &str) -> Open {
    let name = name.trim();
    match kind {
        Open::Template => {
            let lower = name.to_lowercase();
            if name.starts_with('#') || name.contains(':') {
                Open::Hidden
            } else if is_citation(&lower) {
                Open::Citation
            } else {
                Open::Template
            }
        }
        Open::Link => match name.split_once(':') {
            Some((space, _)) => {
                let space = space.trim().to_lowercase();
                if CATEGORIES.contains(&&*space) {
                    Open::Hidden
                } else if FILES.contains(&&*space) {
                    Open::File
                } else {
                    Open::Link
                }
            }
            None => Open::Link,
        },
        kind => kind,
    }
}

/// Names of the namespace of categories in some languages.
const CATEGORIES: [&str; 12] = [
    "category",
    "kategorie",
    "catégorie",
    "categoría",
    "categoria",
    "categorie",
    "kategoria",
    "kategori",
    "категория",
    "カテゴリ",
    "分类",
    "分類",
];

/// Names of the namespace of files in some languages.
const FILES: [&str; 22] = [
    "file",
    "image",
    "media",
    "datei",
    "bild",
    "fichier",
    "archivo",
    "imagen",
    "immagine",
    "ficheiro",
    "imagem",
    "bestand",
    "afbeelding",
    "plik",
    "grafika",
    "fil",
    "файл",
    "изображение",
    "ファイル",
    "画像",
    "文件",
    "檔案",
];

/// Whether the target of a link is the page of the same name in another language.
fn is_language(target: &str) -> bool {
    target.split_once(':').is_some_and(|(code, _)| {
        let first = code.split('-').next().unwrap_or("");
        (2..=3).contains(&first.len())
            && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    })
}

/// Whether the last argument of a file says how it is shown.
fn is_option(argument: &str) -> bool {
    let name = argument.split('=').next().unwrap_or("").trim();
    let is_size = argument.strip_suffix("px").is_some_and(|size| {
        size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'x' || byte == b' ')
    });
    is_size
        || matches!(
            name,
            "thumb"
                | "thumbnail"
                | "frame"
                | "framed"
                | "frameless"
                | "border"
                | "left"
                | "right"
                | "center"
                | "centre"
                | "none"
                | "baseline"
                | "middle"
                | "sub"
                | "super"
                | "top"
                | "text-top"
                | "bottom"
                | "text-bottom"
                | "upright"
                | "mini"
                | "miniatur"
                | "links"
                | "rechts"
                | "gauche"
                | "droite"
                | "vignette"
                | "izquierda"
                | "derecha"
                | "miniaturadeimagen"
                | "miniatura"
        )
        || argument.contains('=')
            && matches!(name, "alt" | "link" | "page" | "class" | "lang" | "width" | "height")
}
