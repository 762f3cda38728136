//! Documents read for an index: each with all that the index keeps of it.
//!
//! A document of a web archive whose payload the index has already is not extracted again, and a revisit, which holds
//! no payload, gets what is stored about the capture that it refers to.

use nearprint::records::{FingerprintRecord, Source};
use nearprint::{Error, Pipeline, Tally};

use crate::{DiskIndex, KnownPayloads, Revisits, StoredDocument};

/// A step of reading documents for an index.
#[derive(Debug)]
pub enum ReadStep {
    /// A document, to be added or looked for.
    Document(Box<StoredDocument>),
    /// All documents so far are looked for in the index next, so they are to be committed.
    Commit,
}

/// The counts of documents read for an index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadCounts {
    /// The documents as a pipeline counts them.
    pub tally: Tally,
    /// Documents that were not extracted, as the index had their payload, and revisits of such.
    pub reused: u64,
}

impl DiskIndex {
    /// Reads the documents of a source by a pipeline of this index's scheme, and gives each to `take` as the index
    /// would store it. Documents without a fingerprint come to `nothing`.
    ///
    /// # Errors
    /// Where the index cannot be read, and those of `take`.
    pub fn read_documents<E: From<Error>>(
        &self,
        pipeline: &Pipeline<'_>,
        source: impl Source,
        mut take: impl FnMut(ReadStep) -> Result<(), E>,
        mut nothing: impl FnMut(&FingerprintRecord),
    ) -> Result<ReadCounts, E> {
        let known = KnownPayloads::of(self).map_err(Error::from)?;
        let mut source = known.passing(source);
        let (mut reused, mut without_target, mut passed) = (0, 0, 0);
        let mut revisits = Revisits::default();
        let mut settle = |revisits: &mut Revisits,
                          take: &mut dyn FnMut(ReadStep) -> Result<(), E>,
                          nothing: &mut dyn FnMut(&FingerprintRecord)| {
            take(ReadStep::Commit)?;
            revisits.settle(self, |found| match found {
                Ok(revisit) => {
                    reused += 1;
                    take(ReadStep::Document(Box::new(revisit.document)))
                }
                Err(record) => {
                    without_target += 1;
                    nothing(&record);
                    Ok(())
                }
            })
        };
        let mut tally = pipeline.read(&mut source, &self.wanted(), |record, made, _| {
            if let Some(document) = known.take(&record) {
                passed += 1;
                return take(ReadStep::Document(Box::new(document)));
            }
            let Some(record) = revisits.take(record) else {
                return if revisits.are_many() {
                    settle(&mut revisits, &mut take, &mut nothing)
                } else {
                    Ok(())
                };
            };
            match StoredDocument::of_record(&record, made) {
                Some(document) => take(ReadStep::Document(Box::new(document))),
                None => {
                    nothing(&record);
                    Ok(())
                }
            }
        })?;
        settle(&mut revisits, &mut take, &mut nothing)?;
        // The pipeline saw no text of these.
        reused += passed;
        tally.without_fingerprint -= reused + without_target;
        tally.fingerprints += reused;
        tally.failed += without_target;
        Ok(ReadCounts { tally, reused })
    }
}
