//! Documents by the order of their ids: pages of a list that goes on where the last page ended.

use std::ops::Bound;

use nearprint::records::DocumentId;
use nearprint::{Error, Filter};

use crate::IndexError;
use crate::cancellation::check;
use crate::disk_index::DiskIndex;
use crate::store::large_parts::{LargeParts, LargeTables};
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::source::View;
use crate::store::{DOCUMENTS, IDS};

/// What a page of a list is to have.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest<'r> {
    /// Only documents that it allows.
    pub filter: &'r Filter,
    /// So many of them at most.
    pub most: usize,
    /// Documents that are looked at, at most: where few are allowed, the page ends before it is full.
    pub looks: usize,
    /// Whether their features are wanted, where they are kept.
    pub features: bool,
    /// Whether their texts are wanted, where they are kept.
    pub texts: bool,
    /// Bytes of texts after which the page ends.
    pub text_bytes: usize,
}

impl Default for PageRequest<'_> {
    /// Without bounds, all documents without their texts.
    fn default() -> Self {
        Self {
            filter: Filter::all(),
            most: usize::MAX,
            looks: usize::MAX,
            features: false,
            texts: false,
            text_bytes: usize::MAX,
        }
    }
}

/// Documents in the order of the bytes of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentPage {
    /// The documents.
    pub documents: Vec<StoredDocument>,
    /// The id after which the next page begins; `None` where there is nothing more.
    pub next: Option<DocumentId>,
}

impl DiskIndex {
    /// Up to `most` documents whose ids begin with `prefix`, in the order of the bytes of their ids: those after the id
    /// `after`, which need not be in the index, or from the first.
    ///
    /// O(log n) for n documents, and O(1) for each that is returned and for each of the newest 65,536 that was removed.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn list(
        &self,
        prefix: &str,
        after: Option<&DocumentId>,
        most: usize,
    ) -> Result<Vec<StoredDocument>, Error> {
        let request = PageRequest { most, ..PageRequest::default() };
        Ok(self.page(prefix, after, &request)?.documents)
    }

    /// The same as a page, which says where the next one begins.
    ///
    /// # Errors
    /// As for [`list`](Self::list).
    pub fn page(
        &self,
        prefix: &str,
        after: Option<&DocumentId>,
        request: &PageRequest<'_>,
    ) -> Result<DocumentPage, Error> {
        let source = &self.shared.source;
        let store = &source.store;
        let read = store.guarded(|| {
            let (at, recent) = loop {
                let view = View::newest(source)?;
                let Some(recent) = self.shared.recent.at(&view)? else { continue };
                if view.transaction()?.is_none() {
                    continue;
                }
                let Some(at) = view.into_transaction() else { continue };
                break (at, recent);
            };
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let ids = store.tried(at.open_table(IDS))?;
            let (features, texts) = (request.features, request.texts);
            let wanted = LargeParts {
                features: features && source.keeps_features,
                texts: texts && source.keeps_texts,
            };
            let large = LargeTables::open(source, &at, wanted)?;
            let after = after.map(DocumentId::as_str);
            let from = match after {
                Some(after) if after >= prefix => Bound::Excluded(after),
                _ => Bound::Included(prefix),
            };
            let from_bytes = from.map(str::as_bytes);
            // Ids of removed documents are among the recent ones, so that more than `most` may have to be looked at.
            let mut recent = recent.from(from).peekable();
            let mut table =
                store.tried(ids.range::<&[u8]>((from_bytes, Bound::Unbounded)))?.peekable();
            let (mut page, mut looks, mut text_bytes) = (DocumentPage::default(), 0, 0);
            let mut last = None;
            loop {
                check()?;
                let is_recent = match (recent.peek(), table.peek()) {
                    (None, None) => break,
                    (Some((id, _)), Some(Ok((other, _)))) => id.as_bytes() <= other.value(),
                    (recent, _) => recent.is_some(),
                };
                let next = match is_recent {
                    true => recent.next().map(|(id, sequence)| (id.as_bytes().to_vec(), sequence)),
                    false => match table.next() {
                        Some(row) => {
                            let (id, sequence) = store.tried(row)?;
                            Some((id.value().to_vec(), sequence.value()))
                        }
                        None => None,
                    },
                };
                let Some((id, sequence)) = next.filter(|(id, _)| id.starts_with(prefix.as_bytes()))
                else {
                    break;
                };
                let record = store.tried(documents.get(sequence))?;
                if record.is_none() && is_recent {
                    continue;
                }
                let is_full = page.documents.len() >= request.most
                    || looks >= request.looks
                    || text_bytes >= request.text_bytes;
                if is_full {
                    page.next = last;
                    break;
                }
                let view = record
                    .as_ref()
                    .and_then(|record| RecordView::of(source.scheme, sequence, record.value()));
                let document = view.and_then(|view| view.document());
                let document = document.filter(|found| found.id.as_str().as_bytes() == id);
                let mut document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
                looks += 1;
                last = Some(document.id.clone());
                if !request.filter.allows(document.metadata.as_deref()) {
                    continue;
                }
                if let (true, Some(record)) = (wanted != LargeParts::NONE, &record) {
                    document = large.document(sequence, record.value())?;
                    text_bytes += document.text.as_ref().map_or(0, |kept| kept.text.len());
                }
                page.documents.push(document);
            }
            Ok::<_, IndexError>(page)
        });
        read.map_err(Error::from)
    }
}

#[cfg(test)]
mod tests {
    use nearprint::OnDuplicate;
    use nearprint::fingerprint::{Fingerprint, Scheme};

    use super::*;
    use crate::{Settings, StoredText};

    #[test]
    fn pages_follow_one_another_in_the_order_of_ids() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("listed.index");
        // Of so few, some ids are in the table, and some are not.
        let settings = Settings::default().fresh(1);
        let index = DiskIndex::create(&path, Scheme::SD1, settings).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let id = |name: &str| DocumentId::new(name).unwrap();
        let document = |name: &str| StoredDocument::new(id(name), print.clone());
        let all = ["b/2", "a", "b/10", "c", "b/1", "é", "b"].map(document);
        for documents in [&all[..5], &all[5..]] {
            index.insert_documents(documents, OnDuplicate::Refuse).unwrap();
        }
        index.insert_documents(&["zz", "b/1"].map(document), OnDuplicate::Replace).unwrap();
        index.remove_batch(&[id("c"), id("zz")]).unwrap();
        let listed = |prefix: &str, after: Option<&str>, most| -> Vec<String> {
            let found = index.list(prefix, after.map(id).as_ref(), most).unwrap();
            found.into_iter().map(|document| document.id.to_string()).collect()
        };
        assert_eq!(listed("", None, 99), ["a", "b", "b/1", "b/10", "b/2", "é"]);
        assert_eq!(listed("b/", None, 2), ["b/1", "b/10"]);
        assert_eq!(listed("b/", Some("b/10"), 2), ["b/2"]);
        // What is before the prefix, or was never there, is not a hindrance.
        assert_eq!(listed("b/", Some("a"), 1), ["b/1"]);
        assert_eq!(listed("", Some("bb"), 9), ["é"]);
        assert_eq!(listed("x", None, 9), [""; 0]);
        assert_eq!(listed("", None, 0), [""; 0]);
    }

    #[test]
    fn pages_have_what_a_filter_allows_and_end_where_enough_was_looked_at() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("listed.index");
        let settings = Settings::default().fresh(1).texts(true).features(false);
        let index = DiskIndex::create(&path, Scheme::SD1, settings).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let all: Vec<_> = (0..10)
            .map(|n| StoredDocument {
                metadata: Some(format!(r#"{{"n":{}}}"#, n % 5)),
                text: Some(StoredText { text: "fog".to_owned(), main_content: Vec::new() }),
                ..StoredDocument::new(DocumentId::new(n.to_string()).unwrap(), print.clone())
            })
            .collect();
        index.insert_documents(&all, OnDuplicate::Refuse).unwrap();
        let filter = Filter::from_iter(["n=3".parse().unwrap()]);
        let pages = |request: PageRequest<'_>| -> Vec<Vec<String>> {
            let (mut pages, mut after) = (Vec::new(), None);
            loop {
                let page = index.page("", after.as_ref(), &request).unwrap();
                let text = |kept: &StoredDocument| kept.text.is_some();
                assert!(page.documents.iter().all(|one| text(one) == request.texts));
                pages.push(page.documents.into_iter().map(|one| one.id.to_string()).collect());
                after = page.next;
                if after.is_none() {
                    return pages;
                }
            }
        };
        let all = PageRequest { filter: &filter, ..PageRequest::default() };
        assert_eq!(pages(all), [vec!["3", "8"]]);
        // What follows the last one is only known to be none once it was looked at.
        assert_eq!(pages(PageRequest { most: 1, ..all }), [vec!["3"], vec!["8"], vec![]]);
        let few = PageRequest { looks: 4, ..all };
        assert_eq!(pages(few), [vec!["3"], vec![], vec!["8"]]);
        let texts = PageRequest { texts: true, text_bytes: 3, ..all };
        assert_eq!(pages(texts), [vec!["3"], vec!["8"], vec![]]);
        let whole = PageRequest::default();
        assert_eq!(pages(PageRequest { most: 5, ..whole }).len(), 2);
        assert_eq!(pages(whole)[0].len(), 10);
    }
}
