//! What documents of an edition hold: a revisit of an archive holds nothing, its content is that of the capture that it
//! refers to.

use std::collections::{HashMap, HashSet};

use nearprint_fingerprint::Fingerprint;
use nearprint_records::{RevisitedCapture, url_key};

use super::Edition;
use super::edition::{PageCapture, Text};
use crate::{Engine, Error, Sameness, TextFeatures};

/// The content of a document: that of a document of this number in this edition.
#[derive(Clone, Copy)]
pub(super) struct Content<'a> {
    edition: &'a Edition,
    number: usize,
}

impl<'a> Content<'a> {
    fn text(self) -> Option<Text> {
        self.edition.text(self.number)
    }

    /// The digest of the bytes, where it is known.
    pub(super) fn bytes(self) -> Option<&'a [u8; 32]> {
        self.edition.bytes(self.number)
    }

    /// The print, where there is a text.
    pub(super) fn print(self) -> Result<Option<Fingerprint>, Error> {
        self.text().map(|text| self.edition.print(text)).transpose()
    }

    /// The features, where there is a text.
    pub(super) fn features(self) -> Result<Option<TextFeatures>, Error> {
        self.text().map(|text| self.edition.features(text)).transpose()
    }

    /// In what sense two contents are the same; `None` where one has no text and their bytes are not the same.
    pub(super) fn sameness(self, other: Content<'_>) -> Option<Sameness> {
        let is_one = std::ptr::eq(self.edition, other.edition) && self.number == other.number;
        if is_one || self.bytes().is_some_and(|digest| other.bytes() == Some(digest)) {
            return Some(Sameness::Identical);
        }
        Some(self.text()?.sameness(&other.text()?))
    }
}

/// The documents of an edition with their contents.
pub(super) struct Contents<'a> {
    edition: &'a Edition,
    /// Of each revisit the content, where the capture that it refers to is in one of the two editions.
    revisited: HashMap<u32, Option<Content<'a>>>,
}

impl<'a> Contents<'a> {
    /// The contents of `edition`, of whose revisits some may refer to captures of `other`.
    pub(super) fn new(edition: &'a Edition, other: &'a Edition) -> Self {
        let mut revisited = HashMap::new();
        if !edition.revisits().is_empty() {
            let targets = Targets::new([edition, other]);
            for (&number, target) in edition.revisits() {
                let id = edition.id_text(number as usize);
                let capture = edition.capture(number as usize);
                let payload = capture.and_then(|capture| capture.payload.as_deref());
                revisited.insert(number, targets.of(id, payload, target));
            }
        }
        Self { edition, revisited }
    }

    /// The content of a document; `None` for a revisit of a capture that is in neither edition.
    pub(super) fn content(&self, number: usize) -> Option<Content<'a>> {
        match self.revisited.get(&(number as u32)) {
            Some(content) => *content,
            None => Some(Content { edition: self.edition, number }),
        }
    }

    /// Whether two captures have the same payload by the word of whoever made the archives: by the digests that both
    /// state, and without these if the second one is a revisit.
    pub(super) fn have_same_payload(&self, number: usize, other: &Self, of_other: usize) -> bool {
        let payload = |edition: &'a Edition, number: usize| {
            edition.capture(number).and_then(|capture| capture.payload.as_deref())
        };
        let (one, two) = (payload(self.edition, number), payload(other.edition, of_other));
        match (one, two) {
            (Some(one), Some(two)) => one == two,
            _ => other.edition.revisits().contains_key(&(of_other as u32)),
        }
    }

    /// Takes revisits out of the documents that are left where their edition has another capture of their address.
    pub(super) fn pass_over_repeated(&self, is_left: &mut [bool]) {
        let revisits = self.edition.revisits();
        if revisits.is_empty() {
            return;
        }
        let is_revisit = |number: usize| revisits.contains_key(&(number as u32));
        let documents = (0..self.edition.len()).filter(|&number| !is_revisit(number));
        let mut known: HashSet<&str> =
            documents.map(|number| self.edition.id_text(number)).collect();
        for number in (0..self.edition.len()).filter(|&number| is_revisit(number)) {
            let is_first = known.insert(self.edition.id_text(number));
            is_left[number] &= is_first;
        }
    }

    pub(super) fn engine(&self) -> &'a Engine {
        &self.edition.engine
    }
}

/// Captures that revisits may refer to.
struct Targets<'a> {
    by_payload: HashMap<&'a str, Content<'a>>,
    /// By the key of the address and the time.
    by_time: HashMap<(String, &'a str), Content<'a>>,
}

impl<'a> Targets<'a> {
    /// Those of the first edition go before those of the second.
    fn new(editions: [&'a Edition; 2]) -> Self {
        let mut targets = Self { by_payload: HashMap::new(), by_time: HashMap::new() };
        for edition in editions {
            for number in 0..edition.len() {
                let Some(PageCapture { date, payload }) = edition.capture(number) else { continue };
                if edition.revisits().contains_key(&(number as u32)) {
                    continue;
                }
                let content = Content { edition, number };
                if let Some(payload) = payload {
                    targets.by_payload.entry(payload).or_insert(content);
                }
                if let Some(date) = date {
                    let key = url_key(edition.id_text(number));
                    targets.by_time.entry((key, date)).or_insert(content);
                }
            }
        }
        targets
    }

    /// What has the payload of a revisit of `address`: the first document with the digest that it states; if there is
    /// none or it states none, the capture of the address and time that it refers to, unless that states another
    /// digest.
    fn of(
        &self,
        address: &str,
        payload: Option<&str>,
        revisited: &RevisitedCapture,
    ) -> Option<Content<'a>> {
        if let Some(found) = payload.and_then(|payload| self.by_payload.get(payload)) {
            return Some(*found);
        }
        let key = url_key(revisited.url.as_deref().unwrap_or(address));
        let found = self.by_time.get(&(key, revisited.date.as_deref()?))?;
        let stated = found.edition.capture(found.number)?.payload.as_deref();
        (payload.is_none() || stated.is_none()).then_some(*found)
    }
}
