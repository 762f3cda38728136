//! Documents by the order of their ids: pages of a list that goes on where the last page ended.

use std::ops::Bound;

use nearprint::Error;
use nearprint::records::DocumentId;

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::source::View;
use crate::store::{DOCUMENTS, IDS};

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
        let source = &self.shared.source;
        let store = &source.store;
        store
            .guarded(|| {
                let (recent, documents, ids) = loop {
                    let view = View::newest(source)?;
                    let Some(recent) = self.shared.recent.at(&view)? else { continue };
                    let Some(at) = view.transaction()? else { continue };
                    let documents = store.tried(at.open_table(DOCUMENTS))?;
                    break (recent, documents, store.tried(at.open_table(IDS))?);
                };
                let after = after.map(DocumentId::as_str);
                let from = match after {
                    Some(after) if after >= prefix => Bound::Excluded(after),
                    _ => Bound::Included(prefix),
                };
                let from_bytes = from.map(str::as_bytes);
                // Ids of removed documents are among the recent ones, so that more than `most` may have to be looked
                // at.
                let mut recent = recent.from(from).peekable();
                let mut table =
                    store.tried(ids.range::<&[u8]>((from_bytes, Bound::Unbounded)))?.peekable();
                let mut listed = Vec::new();
                while listed.len() < most {
                    let is_recent = match (recent.peek(), table.peek()) {
                        (None, None) => break,
                        (Some((id, _)), Some(Ok((other, _)))) => id.as_bytes() <= other.value(),
                        (recent, _) => recent.is_some(),
                    };
                    let next = match is_recent {
                        true => {
                            recent.next().map(|(id, sequence)| (id.as_bytes().to_vec(), sequence))
                        }
                        false => match table.next() {
                            Some(row) => {
                                let (id, sequence) = store.tried(row)?;
                                Some((id.value().to_vec(), sequence.value()))
                            }
                            None => None,
                        },
                    };
                    let Some((id, sequence)) =
                        next.filter(|(id, _)| id.starts_with(prefix.as_bytes()))
                    else {
                        break;
                    };
                    let record = store.tried(documents.get(sequence))?;
                    if record.is_none() && is_recent {
                        continue;
                    }
                    let view = record
                        .as_ref()
                        .and_then(|record| RecordView::of(source.scheme, sequence, record.value()));
                    let document = view.and_then(|view| view.document());
                    let document = document.filter(|found| found.id.as_str().as_bytes() == id);
                    listed.push(document.ok_or_else(|| store.damaged(damaged(sequence)))?);
                }
                Ok::<_, IndexError>(listed)
            })
            .map_err(Error::from)
    }
}

#[cfg(test)]
mod tests {
    use nearprint::OnDuplicate;
    use nearprint::fingerprint::{Fingerprint, Scheme};

    use super::*;
    use crate::Settings;

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
        // What is before the prefix, or was never there, is no hindrance.
        assert_eq!(listed("b/", Some("a"), 1), ["b/1"]);
        assert_eq!(listed("", Some("bb"), 9), ["é"]);
        assert_eq!(listed("x", None, 9), [""; 0]);
        assert_eq!(listed("", None, 0), [""; 0]);
    }
}
