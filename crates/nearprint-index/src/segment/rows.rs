//! The documents of a segment of sketches, read from it in their order: to compare them with the store, and to build
//! the segment again of itself.

use nearprint::records::DocumentId;
use nearprint::search::{SKETCH_POSITIONS, Sketch};

use crate::IndexError;
use crate::cancellation::check;
use crate::segment::Segment;
use crate::segment::layout::BLOCK;
use crate::store::rows::{Row, Rows, Visit};

/// Documents that are read at a time: their sketches take whole blocks.
const AT_ONCE: usize = 16 * BLOCK / size_of::<Sketch>();

/// The documents of a segment of sketches.
pub(crate) struct SegmentRows<'s>(&'s Segment);

/// A document of a segment.
pub(crate) struct SegmentDocument {
    pub(crate) sequence: u64,
    pub(crate) id: DocumentId,
    pub(crate) sketch: Sketch,
}

impl<'s> SegmentRows<'s> {
    pub(crate) fn of(segment: &'s Segment) -> Self {
        Self(segment)
    }

    /// The documents, one after the other.
    pub(crate) fn documents(&self) -> SegmentDocuments<'s> {
        SegmentDocuments { segment: self.0, next: 0, read: Vec::new().into_iter() }
    }
}

impl Rows for SegmentRows<'_> {
    fn visit(&self, visit: &mut Visit<'_>) -> Result<(), IndexError> {
        let mut documents = self.documents();
        let mut fingerprint = [0; size_of::<Sketch>()];
        while let Some(SegmentDocument { sequence, id, sketch }) = documents.next()? {
            let (bytes, _) = fingerprint.as_chunks_mut::<2>();
            for (bytes, number) in bytes.iter_mut().zip(sketch) {
                *bytes = number.to_be_bytes();
            }
            visit(Row { sequence, fingerprint: &fingerprint, id: id.as_str() })?;
        }
        Ok(())
    }
}

/// A way through the documents of a segment.
pub(crate) struct SegmentDocuments<'s> {
    segment: &'s Segment,
    /// The first document that was not read.
    next: usize,
    read: std::vec::IntoIter<SegmentDocument>,
}

impl SegmentDocuments<'_> {
    /// The next document; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<SegmentDocument>, IndexError> {
        if self.read.len() == 0 {
            self.read_some()?;
        }
        Ok(self.read.next())
    }

    fn read_some(&mut self) -> Result<(), IndexError> {
        check()?;
        let first = self.next;
        self.next = (first + AT_ONCE).min(self.segment.layout().entries as usize);
        let mut sketches = vec![[0; SKETCH_POSITIONS]; self.next - first];
        let block = first * size_of::<Sketch>() / BLOCK;
        self.segment.body().copy(block as u32, bytemuck::cast_slice_mut(&mut sketches))?;
        let documents = self.segment.documents(first as u32..self.next as u32)?;
        let whole = documents.into_iter().zip(sketches);
        let whole = whole.map(|((sequence, id), sketch)| SegmentDocument { sequence, id, sketch });
        self.read = whole.collect::<Vec<_>>().into_iter();
        Ok(())
    }
}
