//! Documents of requests on their way through the pipeline: the same way that the command's take.

use std::ops::Range;

use nearprint::extract::{Extraction, Hints, Limits};
use nearprint::fingerprint::Scheme;
use nearprint::records::{
    Content, Document, DocumentId, ErrorRecord, FingerprintRecord, Outcome, Place,
};
use nearprint::{Engine, PackedFeatures, Settings, TextParts, TextRequest};
use nearprint_index::{CaptureDetails, KeptFeatures, StoredText};

use crate::problem::Problem;

/// What became of a document.
pub(crate) struct DocumentOutcome {
    pub(crate) record: FingerprintRecord,
    /// Its text, where it has a fingerprint.
    pub(crate) text: Option<String>,
    /// What verification compares, where it was asked for.
    pub(crate) features: Option<PackedFeatures>,
    /// The bytes of the text that are the main content of a page, where they were looked for.
    main_content: Vec<Range<usize>>,
    /// What an HTML page says of itself.
    pub(crate) page: CaptureDetails,
}

impl DocumentOutcome {
    fn of(record: FingerprintRecord, made: Option<TextParts>) -> Self {
        let TextParts { text, features, main_content, title, language, .. } =
            made.unwrap_or_default();
        let page = CaptureDetails::of_page(title.as_deref(), language.as_deref());
        Self { record, text, features, main_content: main_content.unwrap_or_default(), page }
    }

    /// Refuses a document without a fingerprint.
    pub(crate) fn printed(self) -> Result<Self, Problem> {
        match &self.record.outcome {
            Outcome::Print { .. } => Ok(self),
            Outcome::Nothing { reason, detail, .. } => Err(Problem::of_document(reason, detail)),
        }
    }

    /// Its text as a collection keeps it.
    pub(crate) fn kept_text(&self) -> Option<StoredText> {
        let main_content = self.main_content.clone();
        self.text.clone().map(|text| StoredText { text, main_content })
    }

    /// The digest by which its text is known as equal, where features were asked for.
    pub(crate) fn digest(&self) -> Option<[u8; 32]> {
        self.features.as_ref().map(|features| features.digests().text)
    }

    /// What verification compares as an index keeps it, where it was asked for.
    pub(crate) fn kept_features(&self) -> Option<KeptFeatures> {
        let Outcome::Print { tokens, .. } = &self.record.outcome else { return None };
        self.features.clone().map(|features| KeptFeatures { words: *tokens, features })
    }

    /// The extractor and its version, as an index keeps them.
    pub(crate) fn extractor(&self) -> Option<String> {
        let note = self.record.extraction.as_ref()?;
        Some(format!("{}/{}", note.extractor, note.extractor_version))
    }
}

/// How the documents of a request are read.
#[derive(Debug, Clone)]
pub(crate) struct DocumentReader {
    pub(crate) scheme: Scheme,
    pub(crate) main_content: bool,
    /// What an index keeps of each text.
    pub(crate) kept: TextRequest,
    pub(crate) digests: bool,
    pub(crate) max_bytes: u64,
}

impl DocumentReader {
    fn settings(&self) -> Settings {
        let hints = Hints { main_content: self.main_content, ..Hints::default() };
        let limits = Limits { max_input_bytes: self.max_bytes, ..Limits::default() };
        let settings = Settings::default().scheme(self.scheme).digests(self.digests);
        settings.hints(hints).limits(limits)
    }

    /// What is made of each text.
    fn wanted(&self) -> TextRequest {
        let main_content = self.kept.main_content && !self.main_content;
        TextRequest { text: true, main_content, ..self.kept.clone() }
    }

    /// Fingerprints documents, in their order, and gives their texts back.
    pub(crate) fn read(
        &self,
        engine: &Engine,
        mut documents: Vec<Document>,
    ) -> Vec<DocumentOutcome> {
        // Reading several starts threads, which takes longer than reading one short document.
        if documents.len() <= 1 {
            return documents
                .pop()
                .map(|document| self.read_one(engine, document))
                .into_iter()
                .collect();
        }
        let mut source = documents.into_iter().map(Ok::<_, ErrorRecord>);
        let mut all = Vec::new();
        let pipeline = engine.pipeline(self.settings());
        let done = pipeline.read(&mut source, &self.wanted(), |record, made, _| {
            all.push(DocumentOutcome::of(record, made));
            Ok::<_, std::convert::Infallible>(())
        });
        let Ok(_) = done;
        all
    }

    /// Fingerprints one document.
    pub(crate) fn read_one(&self, engine: &Engine, document: Document) -> DocumentOutcome {
        let (record, made) = engine.pipeline(self.settings()).read_one(document, &self.wanted());
        DocumentOutcome::of(record, made)
    }

    /// The text of one document, whether or not it has words, to be read.
    pub(crate) fn extract(
        &self,
        engine: &Engine,
        document: Document,
    ) -> Result<Extraction, ErrorRecord> {
        engine.pipeline(self.settings().with_furniture()).extract(document)
    }
}

/// A document that is a text already.
pub(crate) fn text_document(id: DocumentId, text: String) -> Document {
    let place = Place { file: id.as_str().into(), ..Place::default() };
    Document::new(id, place, Content::Text(text))
}

/// A document of bytes, with what its sender says about it.
pub(crate) fn byte_document(
    id: DocumentId,
    bytes: Vec<u8>,
    media_type: Option<String>,
    charset: Option<String>,
) -> Document {
    let mut document = Document::from_bytes(id, bytes);
    document.media_type = media_type;
    document.charset = charset;
    document
}
