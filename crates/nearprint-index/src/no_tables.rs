//! Sketches have no tables: every query is compared with every document of the store.

use nearprint::IndexMatch;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::DocumentId;
use nearprint::search::sketch_distance;
use redb::{ReadTransaction, ReadableTable};

use crate::IndexError;
use crate::description::Description;
use crate::record::{RecordView, damaged};
use crate::rows::Rows;
use crate::source::{Source, View};
use crate::store::DOCUMENTS;
use crate::tables::TableSet;

/// Sketches have no tables: every query is compared with every document of the store.
pub(crate) struct NoTables;

impl TableSet for NoTables {
    fn refresh(&self, _: &Source, _: &ReadTransaction) -> Result<(), IndexError> {
        Ok(())
    }

    fn near(
        &self,
        view: &View<'_>,
        asked: &[Fingerprint],
        k: u32,
    ) -> Result<Option<Vec<Vec<IndexMatch>>>, IndexError> {
        let Source { store, scheme, .. } = view.source;
        let Some(at) = view.transaction()? else { return Ok(None) };
        let mut near = vec![Vec::new(); asked.len()];
        let asked: Vec<_> = asked.iter().filter_map(Fingerprint::as_sketch).collect();
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        for row in store.tried(documents.iter())? {
            let (sequence, record) = store.tried(row)?;
            let sequence = sequence.value();
            let view = RecordView::of(*scheme, sequence, record.value());
            let wrong = || store.damaged(damaged(sequence));
            let view = view.ok_or_else(wrong)?;
            let print = view.fingerprint().ok_or_else(wrong)?;
            let Some(sketch) = print.as_sketch() else { continue };
            for (asked, near) in asked.iter().zip(&mut near) {
                let distance = sketch_distance(asked, sketch);
                if distance <= k {
                    let id = view.id().and_then(|id| DocumentId::new(id).ok());
                    near.push(IndexMatch { id: id.ok_or_else(wrong)?, distance });
                }
            }
        }
        Ok(Some(near))
    }

    fn write(
        &self,
        _: &Source,
        _: u64,
        _: (u64, u64),
        _: &dyn Rows,
    ) -> Result<Option<Description>, IndexError> {
        Ok(None)
    }

    fn verify(
        &self,
        source: &Source,
        described: Description,
        _: &dyn Rows,
    ) -> Result<(), IndexError> {
        let file = described.path(&source.path);
        Err(IndexError::Tables { file, detail: "sketches have no tables".to_owned() })
    }

    fn memory(&self) -> u64 {
        0
    }

    fn read_all(&self) -> Result<(), IndexError> {
        Ok(())
    }
}
