//! What is done with one document: its text is taken, its prints are made, and whatever goes wrong with it is its
//! record.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nearprint_extract::{
    ExtractError, Extraction, ExtractionRecord, Hints, Limits, PageHead, media_type_of_name,
    page_head,
};
use nearprint_fingerprint::{FingerprintOutcome, Scheme};
use nearprint_records::{
    Capture, Content, ContentDigests, Document, DocumentId, ErrorRecord, ExtractionNote,
    FingerprintRecord, Note, Outcome, Place, ReasonCode, Sha256Digest,
};
use sha2::{Digest, Sha256};

use super::copies::reading_key;
use super::main_content;
use crate::engine::EngineExtractor;
use crate::{Settings, TextParts, TextRequest};

/// Version of the extractor `text`, which takes a text as it is.
pub(crate) const TEXT_VERSION: u32 = 1;

/// Why a text without tokens has no fingerprint.
pub(crate) const NO_TOKENS: &str = "the text has no word with a letter";

/// What is said of a copy.
const NOT_EXTRACTED: &str = "the bytes of an earlier document; not extracted again";

/// What is done with each document of a call.
#[derive(Clone, Copy)]
pub(super) struct Work<'w> {
    pub(super) settings: &'w Settings,
    pub(super) schemes: &'w [Scheme],
    pub(super) extractor: &'w EngineExtractor,
    pub(super) wanted: &'w TextRequest,
}

/// What came of a document.
pub(super) struct DocumentOutput {
    /// Its records by each of the schemes.
    pub(super) records: Vec<FingerprintRecord>,
    /// What was made of its text, where it has a print by the first.
    pub(super) made: Option<TextParts>,
    /// The digest of its own bytes, where that is wanted.
    pub(super) digest: Option<Sha256Digest>,
}

/// What is known of a document's bytes before its text is there.
#[derive(Default)]
struct Bytes {
    /// Their digests, where the settings ask for them.
    noted: Option<ContentDigests>,
    /// Their digest, where it is wanted.
    own: Option<Sha256Digest>,
    /// The digest of the text, where they are its.
    text: Option<[u8; 32]>,
}

impl Work<'_> {
    /// Does it with a document that has this number among all of the call.
    pub(super) fn all(&self, document: Document, number: u64) -> DocumentOutput {
        let Self { schemes, wanted, .. } = *self;
        let capture = document.capture.clone();
        let named = (document.id.clone(), document.place.clone());
        // Outside of the work that may fail, since a document without a text has a digest, too.
        let mut bytes = Bytes::default();
        let printed = |document| {
            let (mut main, mut head) = (None, PageHead::default());
            let page = PageParts {
                main: wanted.main_content.then_some(&mut main),
                head: wanted.head.then_some(&mut head),
            };
            let extraction = self.extract_and_digest(document, number, &mut bytes, page)?;
            let PageHead { title, language } = head;
            let main = main.and_then(|main| main_content::stretches(&extraction.text, &main));
            let page = extraction.record.page_sha256;
            let note = noted(extraction.record, capture.as_deref());
            let (prints, made) = wanted.of(schemes, extraction.text, page, bytes.text);
            Ok((
                (
                    prints,
                    made.map(|made| TextParts { main_content: main, title, language, ..made }),
                ),
                note,
            ))
        };
        let done = guarded(document, &named, printed);
        let (mut records, made) = match done {
            Ok(((prints, made), note)) => (records(prints, (named, note, capture)), made),
            Err(error) => {
                let mut records = records_of_error(&error, schemes);
                records.iter_mut().for_each(|record| record.capture.clone_from(&capture));
                (records, None)
            }
        };
        if let Some(digests) = bytes.noted {
            records.iter_mut().for_each(|record| record.digests = Some(Box::new(digests)));
        }
        DocumentOutput { records, made, digest: bytes.own }
    }

    /// The same by one scheme.
    pub(super) fn one(
        &self,
        document: Document,
        number: u64,
    ) -> ((FingerprintRecord, Option<TextParts>), Option<Sha256Digest>) {
        let DocumentOutput { mut records, made, digest } = self.all(document, number);
        ((records.pop().expect("there is one for the one scheme"), made), digest)
    }

    /// The extraction of a document, and the digests of it, as far as it was read.
    fn extract_and_digest(
        &self,
        document: Document,
        number: u64,
        bytes: &mut Bytes,
        page: PageParts<'_>,
    ) -> Result<Extraction, ErrorRecord> {
        let Self { settings, extractor, wanted, .. } = *self;
        let mut key = None;
        let mut read = |content: &[u8], hints: Option<&Hints>| {
            // Copies of nothing are not copies.
            let own = wanted.digest && !content.is_empty();
            if !own && !settings.digests {
                return false;
            }
            let digest = sha256(content);
            bytes.noted =
                settings.digests.then_some(ContentDigests { content: Some(digest), text: None });
            bytes.own = own.then_some(digest);
            // Only a text at hand comes without hints.
            bytes.text = hints.is_none().then_some(digest.0);
            key = hints.filter(|_| own).map(|hints| reading_key(&digest.0, hints));
            let copies = wanted.copies.as_ref();
            copies.zip(key).is_some_and(|(copies, key)| copies.is_copy(key, number))
        };
        let done = extract_after(document, settings, extractor, &mut read, page);
        let unwrapped = match &done {
            Ok(extraction) => extraction.record.unwrapped_sha256,
            Err(failure) => failure.unwrapped_sha256,
        };
        if let (Some(own), Some(unwrapped)) = (&mut bytes.own, unwrapped) {
            if let (Some(copies), Some(key)) = (&wanted.copies, key) {
                copies.note_expanded(&key, own.0, unwrapped);
            }
            *own = Sha256Digest(unwrapped);
        }
        let extraction = done.map_err(|failure| failure.record)?;
        if let Some(digests) = &mut bytes.noted {
            let text = bytes.text.map(Sha256Digest);
            digests.text = Some(text.unwrap_or_else(|| sha256(extraction.text.as_bytes())));
        }
        Ok(extraction)
    }
}

pub(super) fn records_of_error(error: &ErrorRecord, schemes: &[Scheme]) -> Vec<FingerprintRecord> {
    let record = |&scheme| FingerprintRecord::of_error(error.clone(), scheme);
    schemes.iter().map(record).collect()
}

/// The record of a copy that was extracted before it was known to be one, as if it had not been.
pub(super) fn record_of_copy(record: FingerprintRecord) -> FingerprintRecord {
    let outcome = Outcome::nothing(ReasonCode::SAME_BYTES, NOT_EXTRACTED);
    let mut copy = FingerprintRecord::new(record.id, record.place, record.scheme, outcome);
    copy.capture = record.capture;
    let content = record.digests.and_then(|digests| digests.content);
    copy.digests =
        content.map(|content| Box::new(ContentDigests { content: Some(content), text: None }));
    copy
}

/// The id of a document and where it was found.
type DocumentPlace = (DocumentId, Place);

/// The records of a document's prints, and what they have in common.
fn records(
    prints: Vec<FingerprintOutcome>,
    shared: (DocumentPlace, ExtractionNote, Option<Box<Capture>>),
) -> Vec<FingerprintRecord> {
    // The last takes what the others copy; most of the time it is the only one.
    let shared = std::iter::repeat_n(shared, prints.len());
    let record = |(printed, ((id, place), note, capture)): (FingerprintOutcome, _)| {
        let (scheme, tokens, short) = (printed.scheme(), printed.tokens(), printed.is_short());
        let outcome = match printed.into_fingerprint() {
            Some(fingerprint) => Outcome::print(fingerprint, tokens, short),
            None => Outcome::nothing(ReasonCode::NO_TOKENS, NO_TOKENS),
        };
        let mut record = FingerprintRecord::new(id, place, scheme, outcome);
        (record.extraction, record.capture) = (Some(note), capture);
        record
    };
    prints.into_iter().zip(shared).map(record).collect()
}

pub(super) fn extract_document(
    document: Document,
    settings: &Settings,
    extractor: &EngineExtractor,
) -> Result<Extraction, ErrorRecord> {
    extract_after(document, settings, extractor, &mut |_, _| false, PageParts::default())
        .map_err(|failure| failure.record)
}

/// A document without a text.
struct Failure {
    record: ErrorRecord,
    /// The digest of what its bytes expand to, where they are compressed.
    unwrapped_sha256: Option<[u8; 32]>,
}

impl From<ErrorRecord> for Failure {
    fn from(record: ErrorRecord) -> Self {
        Self { record, unwrapped_sha256: None }
    }
}

fn sha256(bytes: &[u8]) -> Sha256Digest {
    Sha256Digest(Sha256::digest(bytes).into())
}

/// What is wanted of an HTML page beside its text.
#[derive(Default)]
struct PageParts<'p> {
    /// Gets the main content, unless that is the whole page.
    main: Option<&'p mut Option<String>>,
    /// Gets the title and the language.
    head: Option<&'p mut PageHead>,
}

/// The extraction of a document, whose bytes `read` gets before, with the hints by which they are extracted; where it
/// says that they are a copy, they are not.
fn extract_after(
    document: Document,
    settings: &Settings,
    extractor: &EngineExtractor,
    read: &mut dyn FnMut(&[u8], Option<&Hints>) -> bool,
    page: PageParts<'_>,
) -> Result<Extraction, Failure> {
    let failed = |id, place, reason, detail: String| {
        Failure::from(ErrorRecord { id: Some(id), place, reason, detail: detail.into() })
    };
    let limit = settings.limits.max_input_bytes;
    let length = document.length();
    if length > limit {
        let detail =
            format!("the document has {length} bytes, but the limit is {limit} (max_input_bytes)");
        return Err(failed(document.id, document.place, ReasonCode::TOO_LARGE, detail));
    }
    if let Content::Text(text) = document.content {
        let (id, place) = (document.id, document.place);
        let _ = read(text.as_bytes(), None);
        return text_at_hand(text, &settings.limits)
            .map_err(|(reason, detail)| failed(id, place, reason, detail));
    }
    let (id, place) = (document.id.clone(), document.place.clone());
    // A page that is a field of text was decoded by whoever wrote the field.
    let is_decoded = matches!(document.content, Content::Page(_));
    let of_settings = |label: &Option<String>| label.clone().filter(|_| !is_decoded);
    // A file has a name; a record of a container and what is read from a pipe have none.
    let named_type = match &document.content {
        Content::File { path, .. } => path.to_str().and_then(media_type_of_name),
        _ => None,
    };
    let hints = Hints {
        named_type: named_type.map(str::to_owned),
        charset: of_settings(&settings.hints.charset).or_else(|| document.charset.clone()),
        explicit_charset: of_settings(&settings.hints.explicit_charset),
        media_type: settings.hints.media_type.clone().or_else(|| document.media_type.clone()),
        password: settings.hints.password.clone(),
        main_content: settings.hints.main_content,
        furniture: settings.hints.furniture,
    };
    let bytes = document.into_bytes(limit)?;
    if read(&bytes, Some(&hints)) {
        return Err(failed(id, place, ReasonCode::SAME_BYTES, NOT_EXTRACTED.to_owned()));
    }
    match extractor.extract(&bytes, &hints, &settings.limits) {
        Ok(Ok(extraction)) => {
            let is_page = extraction.record.extractor == "html";
            if let Some(head) = page.head.filter(|_| is_page) {
                let label = hints.explicit_charset.as_deref().or(hints.charset.as_deref());
                *head = page_head(&bytes, label);
            }
            if let Some(main) = page.main.filter(|_| is_page) {
                let hints = Hints { main_content: true, ..hints };
                if let Ok(Ok(found)) = extractor.extract(&bytes, &hints, &settings.limits) {
                    *main = Some(found.text).filter(|text| *text != extraction.text);
                }
            }
            Ok(extraction)
        }
        Ok(Err(error)) => Err(Failure {
            unwrapped_sha256: error.unwrapped_sha256(),
            ..failed(id, place, reason(&error), error.detail().to_owned())
        }),
        // Documents that need no worker are none the worse for it, so the job goes on.
        Err(error) => Err(failed(id, place, ReasonCode::WORKER_UNAVAILABLE, error.to_string())),
    }
}

/// The extraction of a text that needs none.
fn text_at_hand(text: String, limits: &Limits) -> Result<Extraction, (ReasonCode, String)> {
    let most = limits.max_text_bytes;
    if text.len() as u64 > most {
        let detail = format!("the text is longer than max_text_bytes = {most}");
        return Err((ReasonCode::from_static("text-limit"), detail));
    }
    if text.chars().all(char::is_whitespace) {
        let (code, detail) = match text.is_empty() {
            true => ("empty", "the document has no bytes"),
            false => ("no-text", "the document (text/plain) contains no text"),
        };
        return Err((ReasonCode::from_static(code), detail.to_owned()));
    }
    let record = ExtractionRecord {
        media_type: "text/plain".to_owned(),
        wrappers: Vec::new(),
        charset: None,
        charset_source: None,
        extractor: "text".to_owned(),
        extractor_version: TEXT_VERSION,
        pages: None,
        characters: text.chars().count() as u64,
        main_content: None,
        unwrapped_sha256: None,
        page_sha256: None,
        warnings: Vec::new(),
    };
    Ok(Extraction { text, record })
}

/// Does the work on one document so that a panic in it becomes that document's error.
///
/// Extraction promises not to panic on any input. If it does all the same, the damage ends here: nothing it was working
/// on is used again.
pub(super) fn guarded<R>(
    document: Document,
    (id, place): &DocumentPlace,
    work: impl FnOnce(Document) -> Result<R, ErrorRecord>,
) -> Result<R, ErrorRecord> {
    catch_unwind(AssertUnwindSafe(|| work(document))).unwrap_or_else(|panic| {
        let detail = format!("a bug in nearprint, please report it: {}", said(&*panic));
        Err(ErrorRecord {
            id: Some(id.clone()),
            place: place.clone(),
            reason: ReasonCode::INTERNAL,
            detail: detail.into(),
        })
    })
}

fn reason(error: &ExtractError) -> ReasonCode {
    ReasonCode::from_static(error.reason().code())
}

/// The same of a document from an archive, which may hold only its beginning.
fn noted(record: ExtractionRecord, capture: Option<&Capture>) -> ExtractionNote {
    let mut note = extraction_note(record);
    if let Some(why) = capture.and_then(|capture| capture.truncated.as_deref()) {
        let detail = format!("the archive contains only the beginning of the document ({why})");
        note.warnings.push(Note::new(Note::TRUNCATED, detail));
    }
    note
}

/// The record of an extraction as rows of results carry it.
#[must_use]
pub fn extraction_note(record: ExtractionRecord) -> ExtractionNote {
    let mut note = ExtractionNote::default();
    let is_outside = record.is_outside_profile();
    note.media_type = record.media_type;
    note.wrappers = record.wrappers;
    (note.charset, note.charset_source) = (record.charset, record.charset_source);
    (note.extractor, note.extractor_version) = (record.extractor, record.extractor_version);
    (note.pages, note.characters) = (record.pages, record.characters);
    note.main_content = record.main_content.map(|found| found.code().to_owned());
    let warnings = record.warnings.into_iter();
    note.warnings =
        warnings.map(|warning| Note::new(warning.code.code(), warning.detail)).collect();
    if is_outside && note.warnings.iter().all(|warning| warning.code != Note::OUTSIDE_PROFILE) {
        let detail = "the text does not follow the standard's extraction profile 1";
        note.warnings.push(Note::new(Note::OUTSIDE_PROFILE, detail));
    }
    note
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no words"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_the_error_of_its_document() {
        let document = || Document::from_bytes(DocumentId::new("odd").unwrap(), "text");
        let named = (document().id, document().place);
        let fault = |work: fn(Document) -> Result<u64, ErrorRecord>| {
            guarded(document(), &named, work).unwrap_err()
        };
        let error = fault(|document| panic!("length {}", document.length()));
        assert_eq!((error.id.unwrap().as_str(), error.reason), ("odd", ReasonCode::INTERNAL));
        assert!(error.detail.ends_with("length 4"), "{}", error.detail);
        assert!(fault(|_| panic!("plain")).detail.ends_with("plain"));
        assert_eq!(guarded(document(), &named, |document| Ok(document.length())), Ok(4));
    }
}
