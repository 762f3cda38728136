//! Documents that a collection keeps, on their way to a decision.
//!
//! Every door reads them by this one way: the command where `--against` names an index, the Python module, and the
//! server's jobs.

use nearprint_records::{
    Content, Document, DocumentId, ErrorRecord, FingerprintRecord, OrderKey, Place, ReasonCode,
};
use serde_json::{Map, Value};

use super::{Dedup, DedupDocuments};
use crate::{
    Arrival, DocumentView, Documents, Error, Filter, Parts, Pipeline, Role, Subject, Tally,
};

/// Documents and bytes of texts that are read at once.
const BATCH: usize = 1_000;
const BATCH_BYTES: usize = 16 << 20;

impl Dedup {
    /// What a collection is to this question: documents where their texts are kept, so that any scheme can be named.
    #[must_use]
    pub fn subject(documents: &dyn Documents) -> Subject {
        if documents.parts().has_text() { Subject::Documents } else { Subject::of(documents) }
    }

    /// Reads the documents of a collection that a filter allows, in the order of addition, for a decision. Features
    /// are taken as they are kept, where they are those of this question and the fingerprints are of its scheme;
    /// otherwise the texts are read by the pipeline, whose settings name that scheme. Both give the same decisions.
    ///
    /// Candidates are put in order by the date or the payload of their capture and by their metadata. A document that
    /// was added as a fingerprint alone is one without words.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{CollectionSettings, Dedup, Engine, Error, Filter, Role, Settings};
    ///
    /// let texts = ["Fog came in at noon and stayed.", "fog came in, at noon, and stayed"];
    /// let mut source = texts.iter().zip(1..).map(|(text, number)| {
    ///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
    ///     Ok::<_, ErrorRecord>(Document::from_bytes(id, *text))
    /// });
    /// let (question, engine) = (Dedup::default(), Engine::default());
    /// let pipeline = engine.pipeline(Settings::default().scheme(question.print_scheme()));
    /// let mut with_texts = CollectionSettings::from(question.print_scheme());
    /// with_texts.texts = true;
    /// let mut kept = engine.collection(with_texts);
    /// kept.read(&pipeline, &mut source, |_| Ok::<_, Error>(()))?;
    ///
    /// let mut gathered = question.gather(&engine)?;
    /// let tally = question.read_stored(&pipeline, &kept, Filter::all(), Role::Candidate, &mut gathered)?;
    /// assert_eq!((tally.documents, gathered.documents(), gathered.distinct_texts()), (2, 2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Where neither these features nor texts are kept, or not the metadata that the filter asks about; where the
    /// documents cannot be read; and as for [`DedupDocuments::push`].
    pub fn read_stored(
        &self,
        pipeline: &Pipeline<'_>,
        documents: &dyn Documents,
        filter: &Filter,
        role: Role,
        gathered: &mut DedupDocuments,
    ) -> Result<Tally, Error> {
        let features = Parts::default().features(self.verification()).digests().words();
        let kept = documents.parts();
        let are_ready =
            documents.scheme() == self.print_scheme() && documents.check(&features).is_ok();
        // Where nothing that can be compared is kept, visiting refuses the features by name.
        let mut wanted =
            if !are_ready && kept.has_text() { Parts::default().text() } else { features };
        if kept.has_capture() {
            wanted = wanted.capture();
        }
        if role == Role::Candidate && self.keep.field().is_some() && kept.has_metadata() {
            wanted = wanted.metadata();
        }
        let tally = Tally::default();
        let mut reading = StoredReader {
            question: self,
            pipeline,
            role,
            gathered,
            batch: Vec::new(),
            bytes: 0,
            tally,
        };
        let done = documents.for_each(&wanted, filter, |document| match wanted.has_text() {
            true => reading.push_text(document),
            false => reading.push_features(document),
        });
        match done.and_then(|()| reading.read_batch()) {
            Ok(()) | Err(ReadEnd::Cancelled) => Ok(reading.tally),
            Err(ReadEnd::Failed(error)) => Err(error),
        }
    }
}

/// Why a collection is not read to its end.
enum ReadEnd {
    Cancelled,
    Failed(Error),
}

impl From<Error> for ReadEnd {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The reading of one collection.
struct StoredReader<'a, 'w> {
    question: &'a Dedup,
    pipeline: &'a Pipeline<'w>,
    role: Role,
    gathered: &'a mut DedupDocuments,
    /// Documents whose texts are to be read, and the bytes of these.
    batch: Vec<(DocumentView, String)>,
    bytes: usize,
    tally: Tally,
}

impl StoredReader<'_, '_> {
    fn push_features(&mut self, document: DocumentView) -> Result<(), ReadEnd> {
        self.go_on()?;
        if document.features.is_none() {
            return self.push_without_text(document);
        }
        let order = self.order(&document);
        let (record, features) = document.into_record();
        self.tally.count(&record, 0);
        self.pipeline.report(&self.tally);
        let arrival = Arrival { order, ..Arrival::default() };
        Ok(self.gathered.push(&record, features.as_ref(), self.role, arrival)?)
    }

    fn push_text(&mut self, mut document: DocumentView) -> Result<(), ReadEnd> {
        let Some(text) = document.text.take() else {
            self.read_batch()?;
            return self.push_without_text(document);
        };
        self.bytes += text.len();
        self.batch.push((document, text));
        match self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES {
            true => self.read_batch(),
            false => Ok(()),
        }
    }

    /// Adds a document that was added to the collection as a fingerprint.
    fn push_without_text(&mut self, document: DocumentView) -> Result<(), ReadEnd> {
        let error = ErrorRecord {
            place: place(&document.id),
            id: Some(document.id),
            reason: ReasonCode::NO_TOKENS,
            detail: "the collection has no text of it".into(),
        };
        let record = FingerprintRecord::of_error(error, self.question.print_scheme());
        self.tally.count(&record, 0);
        Ok(self.gathered.push(&record, None, self.role, Arrival::default())?)
    }

    /// Reads the texts at hand.
    fn read_batch(&mut self) -> Result<(), ReadEnd> {
        self.go_on()?;
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        let mut notes = Vec::with_capacity(batch.len());
        let mut documents = Vec::with_capacity(batch.len());
        for (document, text) in batch {
            let id = document.id.clone();
            documents.push(Document::new(id.clone(), place(&id), Content::Text(text)));
            notes.push((self.order(&document), document.into_record().0.capture));
        }
        let mut documents = documents.into_iter().map(Ok::<_, ErrorRecord>);
        let mut notes = notes.into_iter();
        let Self { question, pipeline, role, gathered, tally, .. } = self;
        let quiet = pipeline.engine().pipeline(pipeline.settings().clone());
        let quiet = quiet.cancelled_by(pipeline.cancel());
        let read =
            quiet.read(&mut documents, &question.wanted(), |mut record, made, arrival| {
                tally.count(&record, arrival.bytes);
                pipeline.report(tally);
                // The pipeline gives one record for each document, in order.
                let (order, capture) = notes.next().unwrap_or_default();
                record.capture = capture;
                let features = made.and_then(|made| made.features);
                let arrival = Arrival { order, ..arrival };
                gathered.push(&record, features.as_ref(), *role, arrival)
            })?;
        if read.cancelled { self.go_on() } else { Ok(()) }
    }

    /// The value of the field by which candidates are put in order.
    fn order(&self, document: &DocumentView) -> Option<OrderKey> {
        let field = self.question.keep.field().filter(|_| self.role == Role::Candidate)?;
        let metadata: Map<String, Value> =
            serde_json::from_str(document.metadata.as_deref()?).ok()?;
        match metadata.get(field)? {
            Value::String(text) => OrderKey::of_text(text),
            Value::Number(number) => OrderKey::of_text(&number.to_string()),
            _ => None,
        }
    }

    /// Ends the reading where the call was cancelled.
    fn go_on(&mut self) -> Result<(), ReadEnd> {
        self.tally.cancelled = self.pipeline.cancel().is_cancelled();
        if self.tally.cancelled { Err(ReadEnd::Cancelled) } else { Ok(()) }
    }
}

/// The place of a document that a collection keeps.
fn place(id: &DocumentId) -> Place {
    Place { file: id.as_str().into(), ..Place::default() }
}
