//! A collection of one scheme brought to another: its documents are read again, and its fingerprints compared with
//! those of today.

use std::collections::{BTreeMap, HashMap};

use nearprint_records::{ExtractorVersion, FingerprintRecord, Outcome, Source};

use crate::{Error, Pipeline, PrintSet, Tally, TextRequest};

/// What became of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RefingerprintCounts {
    /// Documents whose old print is what their text gives today.
    pub same: u64,
    /// Documents whose old print is another: they have changed since, or what is taken as their text has.
    pub changed: u64,
    /// Documents that the old collection has not.
    pub new: u64,
    /// Prints of the old collection of which no document was met, or none that has a print.
    pub missing: u64,
    /// Of the documents that are the same or have changed those whose text another extractor took then, or another
    /// version of it, by what it was then and is now. Known where the old collection says it, as JSON lines do.
    pub extractors: BTreeMap<(ExtractorVersion, ExtractorVersion), u64>,
}

impl Pipeline<'_> {
    /// Fingerprints all documents of a source by the scheme of the settings, as [`fingerprint`](Self::fingerprint)
    /// does, and from the same text by the scheme of `old`, to tell which of the old prints still hold. Documents are
    /// known by their ids; of several prints of one id the last counts. Every document is read once.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job, as does a temporary file of `old` that cannot be read.
    pub fn refingerprint<E: From<Error>>(
        &self,
        source: &mut dyn Source,
        old: &PrintSet,
        mut take: impl FnMut(FingerprintRecord) -> Result<(), E>,
    ) -> Result<(Tally, RefingerprintCounts), E> {
        let mut places: HashMap<String, usize> =
            (0..old.len()).map(|at| (old.id(at).into_owned(), at)).collect();
        let mut told = RefingerprintCounts::default();
        let by_old = TextRequest { schemes: vec![old.scheme()], ..TextRequest::default() };
        let tally = self.read(source, &by_old, |record, made, _| {
            if let Outcome::Print { .. } = record.outcome {
                let place = places.remove(record.id.as_str());
                let before = place.map(|at| old.fingerprint(at)).transpose()?;
                let print = made.and_then(|mut made| made.prints.pop()?.into_fingerprint());
                match before {
                    None => told.new += 1,
                    before if before == print => told.same += 1,
                    Some(_) => told.changed += 1,
                }
                let then = place.and_then(|at| old.extractor(at));
                let now = record.extraction.as_ref().map(|note| ExtractorVersion {
                    name: note.extractor.as_str().into(),
                    version: note.extractor_version,
                });
                if let Some((then, now)) = then.zip(now).filter(|(then, now)| *then != now) {
                    *told.extractors.entry((then.clone(), now)).or_default() += 1;
                }
            }
            take(record)
        })?;
        told.missing = places.len() as u64;
        Ok((tally, told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use nearprint_fingerprint::{Scheme, fingerprint};
    use nearprint_records::{Document, DocumentId, ErrorRecord};

    #[test]
    fn old_prints_are_held_against_the_documents() {
        let id = |name: &str| DocumentId::new(name).unwrap();
        let extractor = |version| ExtractorVersion { name: "plain".into(), version };
        let mut old = PrintSet::new(Scheme::SD1);
        for (name, text) in [("kept", "Fog came in."), ("edited", "Rain fell."), ("gone", "Sun.")] {
            let print = fingerprint(Scheme::SD1, text).into_fingerprint().unwrap();
            old.push(&id(name), &print).unwrap();
            if name == "edited" {
                old.note_extractor(extractor(0));
            }
        }
        let documents = [
            ("kept", "Fog came in!"),
            ("edited", "Rain fell again."),
            ("late", "Snow."),
            ("empty", "1"),
        ];
        let mut source = documents
            .iter()
            .map(|(name, text)| Ok::<_, ErrorRecord>(Document::from_bytes(id(name), *text)));
        let pipeline = crate::Engine::default().pipeline(Settings::default().scheme(Scheme::MD1));
        let (mut prints, mut now) = (Vec::new(), None);
        let (tally, told) = pipeline
            .refingerprint(&mut source, &old, |record| {
                if let Some(note) =
                    record.extraction.as_ref().filter(|_| record.id.as_str() == "edited")
                {
                    now = Some((note.extractor.clone(), note.extractor_version));
                }
                if let Outcome::Print { fingerprint, .. } = record.outcome {
                    prints.push((record.id.to_string(), fingerprint.scheme()));
                }
                Ok::<_, Error>(())
            })
            .unwrap();
        assert_eq!(tally.fingerprints, 3);
        let (name, version) = now.unwrap();
        assert_eq!(name, "plain");
        let extractors = BTreeMap::from([((extractor(0), extractor(version)), 1)]);
        assert_eq!(
            told,
            RefingerprintCounts { same: 1, changed: 1, new: 1, missing: 1, extractors }
        );
        assert_eq!(
            prints.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["kept", "edited", "late"]
        );
        assert!(prints.iter().all(|&(_, scheme)| scheme == Scheme::MD1));
    }
}
