//! What documents are called on pages: captures by title, address, date and status, since their ids are often numbers
//! that nobody reads; other pages by title and id, and all others by their ids.

use std::collections::HashMap;

use nearprint::records::DocumentId;
use nearprint::report::escaped;
use nearprint_index::StoredDocument;

use crate::address::encoded;
use crate::collection::Collection;
use crate::problem::Problem;

use super::captures::{day, status_words};
use super::html::document_link;
use super::timeline::time_name;

/// What pages among documents of a collection are called.
pub(super) struct DocumentNames {
    /// The name of the collection.
    collection: String,
    /// The links of pages, by their ids.
    links: HashMap<String, String>,
}

impl DocumentNames {
    /// Names without pages.
    pub(super) fn none(collection: &str) -> Self {
        Self { collection: collection.to_owned(), links: HashMap::new() }
    }

    /// The names of documents that are at hand.
    pub(super) fn of<'d>(
        collection: &str,
        documents: impl IntoIterator<Item = &'d StoredDocument>,
    ) -> Self {
        let mut names = Self::none(collection);
        documents.into_iter().for_each(|document| names.add(document));
        names
    }

    /// The names of documents by their ids. O(log n) for each, of n documents in the collection.
    pub(super) fn look_up<'d>(
        collection: &Collection,
        ids: impl IntoIterator<Item = &'d str>,
    ) -> Result<Self, Problem> {
        let mut names = Self::none(&collection.description.name);
        for id in ids {
            let Ok(id) = DocumentId::new(id) else { continue };
            if let Some(document) = collection.index.document_record(&id)? {
                names.add(&document);
            }
        }
        Ok(names)
    }

    fn add(&mut self, document: &StoredDocument) {
        let Some(name) = PageName::of(document) else { return };
        let id = document.id.as_str();
        let link = format!(
            "<a class=\"id\" dir=\"auto\" href=\"/collections/{}/document?id={}\">{}</a>{}",
            self.collection,
            encoded(id),
            escaped(&name.title),
            name.rest()
        );
        self.links.insert(id.to_owned(), link);
    }

    /// A link to the page of a document.
    pub(super) fn link(&self, id: &str) -> String {
        let link = self.links.get(id).cloned();
        link.unwrap_or_else(|| document_link(&self.collection, id))
    }
}

/// What a page is called.
pub(super) struct PageName {
    /// Its title; of a capture without one its address.
    pub(super) title: String,
    /// The address of a capture, and the id of another page, if that is not the title.
    pub(super) address: Option<String>,
    /// The time of a capture, 14 digits; nothing where it is unknown.
    pub(super) date: String,
    pub(super) status: Option<u16>,
}

impl PageName {
    /// `None` of a document without a title or an address.
    pub(super) fn of(document: &StoredDocument) -> Option<Self> {
        let details = document.details.as_deref()?;
        let (url, title) = (details.url.clone(), details.title.clone());
        let date = document.capture.as_ref().and_then(|capture| capture.date.clone());
        let (title, address) = match title {
            Some(title) => (title, url.or_else(|| Some(document.id.to_string()))),
            None => (url?, None),
        };
        let status = details.status;
        Some(Self { title, address, date: date.unwrap_or_default(), status })
    }

    /// Its title and its day.
    pub(super) fn in_a_line(&self) -> String {
        match time_name(self.date.get(..8).unwrap_or(&self.date)) {
            day if day.is_empty() => self.title.clone(),
            day => format!("{} · {day}", self.title),
        }
    }

    /// What is said after the title: address, date, and a status that is not 200.
    fn rest(&self) -> String {
        let address = self.address.as_deref().map(escaped);
        let date = Some(day(&self.date)).filter(|day| !day.is_empty());
        let status = self.status.filter(|status| *status != 200).map(status_words);
        let parts: Vec<String> = [address, date, status].into_iter().flatten().collect();
        if parts.is_empty() {
            return String::new();
        }
        format!(" <span class=\"soft address\">{}</span>", parts.join(" · "))
    }
}

#[cfg(test)]
mod tests {
    use nearprint::CaptureKey;
    use nearprint::fingerprint::{Fingerprint, Scheme};
    use nearprint_index::CaptureDetails;

    use super::*;

    #[test]
    fn captures_are_called_by_title_address_date_and_status() {
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let bare = StoredDocument::new(DocumentId::new("urn:uuid:1").unwrap(), print);
        let key = CaptureKey { date: Some("20260115000000".to_owned()), ..CaptureKey::default() };
        let details = CaptureDetails {
            url: Some("http://example.org/a".to_owned()),
            title: Some("<Fog>".to_owned()),
            status: Some(203),
            ..CaptureDetails::default()
        };
        let details = Some(Box::new(details));
        let named = StoredDocument { capture: Some(key), details, ..bare.clone() };
        let names = DocumentNames::of("c", [&named]);
        let link = names.link("urn:uuid:1");
        assert!(link.contains(">&lt;Fog&gt;</a>"), "{link}");
        assert!(link.contains("http://example.org/a · 2026-01-15 · 203"), "{link}");
        assert!(DocumentNames::of("c", [&bare]).link("urn:uuid:1").contains(">urn:uuid:1</a>"));
        let details = CaptureDetails::of_page(Some("Rain"), Some("en")).boxed();
        let page = StoredDocument { details, ..bare };
        let link = DocumentNames::of("c", [&page]).link("urn:uuid:1");
        assert!(
            link.contains(">Rain</a> <span class=\"soft address\">urn:uuid:1</span>"),
            "{link}"
        );
    }
}
