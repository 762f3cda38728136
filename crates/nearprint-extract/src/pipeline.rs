//! From bytes to text: wrappers off, kind found, charset found, extractor run, text tidied, record written.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::charset::{self, CharsetSource};
use crate::error::{ExtractError, Reason, not_compiled};
use crate::extraction::{Extraction, ExtractionRecord, Hints, WarningCode};
use crate::extractors::Extractor;
use crate::job::Job;
use crate::legacy_office;
use crate::letters::{self, Loss};
use crate::limits::Limits;
use crate::media::Media;
use crate::sniff::{self, Signature};
use crate::tidy;
use crate::wrapper::Wrapper;

/// Extracts the text of one document.
///
/// The same bytes, hints and limits give the same result on every machine and run. Time is linear in the
/// document and its expansion; memory is a small multiple of both, bounded by `limits`.
///
/// ```
/// use nearprint_extract::{Hints, Limits, extract};
///
/// let page = b"<!doctype html><title>x</title><nav>Home</nav><p>One <b>w</b>ord.";
/// let found = extract(page, &Hints::default(), &Limits::default())?;
/// assert_eq!(found.text, "One word.\n");
/// assert_eq!(found.record.media_type, "text/html");
/// # Ok::<(), nearprint_extract::ExtractError>(())
/// ```
///
/// # Errors
///
/// An [`ExtractError`] says why there is no text: the content is of no known kind, holds no text, is
/// damaged or encrypted, or reaches one of the limits.
pub fn extract(bytes: &[u8], hints: &Hints, limits: &Limits) -> Result<Extraction, ExtractError> {
    extract_counted(bytes, hints, limits).0
}

/// Like [`extract`], with the work that it took: bytes that the parsers looked at, each as often as they did, the same
/// on every machine. What undoing compression and reading PDF take is not part of it.
///
/// ```
/// use nearprint_extract::{Hints, Limits, extract_counted};
///
/// let (found, work) = extract_counted(b"<p>a word", &Hints::default(), &Limits::default());
/// assert_eq!(found?.text, "a word\n");
/// assert!((9..9 * 16).contains(&work));
/// # Ok::<(), nearprint_extract::ExtractError>(())
/// ```
pub fn extract_counted(
    bytes: &[u8],
    hints: &Hints,
    limits: &Limits,
) -> (Result<Extraction, ExtractError>, u64) {
    let length = bytes.len() as u64;
    let of_document = limits.of_document(length);
    let mut job = Job::new(hints, &of_document);
    let found = run(bytes, &mut job).map_err(|error| limits.named_in(length, error));
    (found, job.work.spent())
}

fn run(bytes: &[u8], job: &mut Job<'_>) -> Result<Extraction, ExtractError> {
    let limits = job.limits;
    limits.check_input(bytes.len())?;
    let mut wrappers = Vec::new();
    let bytes = unwrap(bytes, limits, &mut wrappers)?;
    if bytes.is_empty() {
        return Err(ExtractError::new(Reason::Empty, "the document has no bytes"));
    }
    job.work.admit(bytes.len());
    let unwrapped_sha256 = (!wrappers.is_empty()).then(|| Sha256::digest(&*bytes).into());
    let found = run_unwrapped(bytes, job).map_err(|error| error.of_unwrapped(unwrapped_sha256))?;
    let record = ExtractionRecord { wrappers, unwrapped_sha256, ..found.record };
    Ok(Extraction { record, ..found })
}

fn run_unwrapped(bytes: Cow<'_, [u8]>, job: &mut Job<'_>) -> Result<Extraction, ExtractError> {
    let (hints, limits) = (job.hints, job.limits);
    let forced = forced_media(hints)?;
    let (media, text, charset) = match byte_media(&bytes, forced)? {
        Some((media, run)) => {
            check_charsets(media)?;
            let text = run(&bytes, job)?;
            warn_of_loss(letters::loss_of_parts(job.letters, &text), job);
            // Tidying may take as much again.
            drop(bytes);
            (media, text, None)
        }
        None => text_media(bytes, forced, job)?,
    };
    limits.check_text(text.len())?;
    job.work.charge(text.len())?;
    let text = tidy::tidy(text);
    // Which of the others have a fingerprint is the standard's to say: it reads letters in symbols, too.
    if text.chars().all(char::is_whitespace) {
        if job.is_incomplete {
            let detail = job.warnings.iter().find(|warning| warning.code == WarningCode::Recovered);
            let detail = detail.map_or("its end is missing", |warning| &*warning.detail);
            let text = format!("there is no text before the document ends: {detail}");
            return Err(ExtractError::new(Reason::Damaged, text));
        }
        return Err(ExtractError::new(
            Reason::NoText,
            format!("the document ({}) contains no text", media.row().types[0]),
        ));
    }
    let row = media.row();
    let (charset, charset_source) = charset.unzip();
    let record = ExtractionRecord {
        media_type: job.media_type.unwrap_or(row.types[0]).to_owned(),
        wrappers: Vec::new(),
        charset,
        charset_source,
        extractor: row.name.to_owned(),
        extractor_version: row.version,
        pages: job.pages,
        characters: text.chars().count() as u64,
        main_content: job.main_content,
        unwrapped_sha256: None,
        page_sha256: job.page_sha256,
        warnings: std::mem::take(&mut job.warnings),
    };
    Ok(Extraction { text, record })
}

fn unwrap<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    wrappers: &mut Vec<String>,
) -> Result<Cow<'a, [u8]>, ExtractError> {
    let packed = bytes.len();
    let mut bytes = Cow::Borrowed(bytes);
    while let Some(wrapper) = Wrapper::sniff(&bytes) {
        if wrappers.len() >= limits.max_wrappers as usize {
            return Err(ExtractError::new(
                Reason::TooDeep,
                format!(
                    "the document is compressed more than max_wrappers = {} times",
                    limits.max_wrappers
                ),
            ));
        }
        bytes = Cow::Owned(wrapper.unwrap(&bytes, packed, limits)?);
        wrappers.push(wrapper.name().to_owned());
    }
    Ok(bytes)
}

fn forced_media(hints: &Hints) -> Result<Option<Media>, ExtractError> {
    let Some(name) = &hints.media_type else { return Ok(None) };
    match Media::from_type(name) {
        Some(media) => Ok(Some(media)),
        None => Err(ExtractError::new(
            Reason::UnsupportedMedia,
            format!("no extractor supports the media type {name:?} of the hint"),
        )),
    }
}

type ByteExtractor = fn(&[u8], &mut Job<'_>) -> Result<String, ExtractError>;

/// The extractor of a document that is not text, forced or recognised.
fn byte_media(
    bytes: &[u8],
    forced: Option<Media>,
) -> Result<Option<(Media, ByteExtractor)>, ExtractError> {
    let media = match (forced, sniff::signature(bytes)) {
        (Some(media), _) | (None, Signature::Media(media)) => media,
        (None, Signature::None) => return Ok(None),
        (None, Signature::EncryptedOffice) => {
            return Err(ExtractError::new(
                Reason::Encrypted,
                "the office document has a password, which is not supported; save it without one",
            ));
        }
        (None, Signature::CutOffice) => {
            return Err(ExtractError::new(
                Reason::Damaged,
                "the office document is cut off before it says of which kind it is",
            ));
        }
        (None, Signature::LegacyOffice(kind)) => {
            return Err(ExtractError::new(
                Reason::LegacyOffice,
                format!("{kind} is not supported; {}", legacy_office::remedy(kind)),
            ));
        }
        (None, Signature::Unsupported(name)) => {
            return Err(ExtractError::new(
                Reason::UnsupportedMedia,
                format!("no extractor supports {name}"),
            ));
        }
    };
    Ok(match media.row().extractor {
        Extractor::Bytes(run) => Some((media, run)),
        Extractor::Text(_) => None,
    })
}

/// Refuses media that name a charset for each part of their text, in a build that has UTF-8 alone.
fn check_charsets(media: Media) -> Result<(), ExtractError> {
    if !charset::COMPILED && matches!(media, Media::Rtf | Media::Mail) {
        return Err(not_compiled(media.row().types[0], "charsets"));
    }
    Ok(())
}

/// The charset of a text and how it was found, as records name them.
type CharsetRecord = (String, String);

/// Decodes and extracts a document that is text: its medium, its text, its charset and how it was found.
///
/// Memory: the bytes are given up as soon as the text is there, where it is another one.
fn text_media(
    bytes: Cow<'_, [u8]>,
    forced: Option<Media>,
    job: &mut Job<'_>,
) -> Result<(Media, String, Option<CharsetRecord>), ExtractError> {
    job.work.charge(bytes.len())?;
    let most = job.limits.max_text_bytes;
    let decoded = match &job.hints.explicit_charset {
        Some(label) => charset::decode_as(&bytes, label, most).ok_or_else(|| {
            ExtractError::new(
                Reason::UnsupportedMedia,
                format!("unknown charset {label:?} in the hint"),
            )
        })?,
        None => charset::decode_within(&bytes, job.hints.charset.as_deref(), most),
    };
    if decoded.is_missing {
        return Err(not_compiled("this charset, only UTF-8", "charsets"));
    }
    if decoded.is_cut {
        job.limits.check_text(decoded.text.len())?;
    }
    // Of a charset that was guessed, many replacements say that there is none.
    let explicit = job.hints.explicit_charset.is_some();
    let is_guessed = decoded.source == CharsetSource::Detected;
    if sniff::has_controls(&decoded.text)
        || (!explicit && sniff::is_replaced(&decoded.text))
        || (is_guessed && sniff::is_noise(&decoded.text))
    {
        return Err(ExtractError::new(
            Reason::UnsupportedMedia,
            "the content is binary, of an unknown type",
        ));
    }
    if let Some(label) = &decoded.overruled {
        job.warn(
            WarningCode::CharsetOverruled,
            format!("labelled {label:?}, but the bytes are {}", decoded.charset),
        );
    }
    if decoded.replaced {
        job.warn(
            WarningCode::InvalidBytes,
            format!("bytes that are not valid {} were replaced by U+FFFD", decoded.charset),
        );
    }
    let named = job.hints.named_type.as_deref().and_then(Media::from_type);
    let media = forced.unwrap_or_else(|| sniff::text_kind(&decoded.text, named));
    check_charsets(media)?;
    let Extractor::Text(run) = media.row().extractor else {
        // Media with byte extractors were dealt with before.
        return Err(ExtractError::new(Reason::UnsupportedMedia, "the content is not text"));
    };
    let found = (decoded.charset.to_owned(), decoded.source.name().to_owned());
    let text = match decoded.text {
        Cow::Borrowed(text) => run_on(text, media, run, job)?,
        Cow::Owned(text) => {
            drop(bytes);
            run_on(&text, media, run, job)?
        }
    };
    Ok((media, text, Some(found)))
}

type TextExtractor = fn(&str, &mut Job<'_>) -> Result<String, ExtractError>;

/// The text of a document that is text. Where next to nothing of its letters are left, that is said.
fn run_on(
    document: &str,
    media: Media,
    run: TextExtractor,
    job: &mut Job<'_>,
) -> Result<String, ExtractError> {
    let text = run(document, job)?;
    warn_of_loss(letters::loss(document, media, &text), job);
    Ok(text)
}

fn warn_of_loss(loss: Option<Loss>, job: &mut Job<'_>) {
    if let Some(Loss { seen, kept }) = loss {
        job.warn(
            WarningCode::LittleText,
            format!("of {seen} letters outside its markup, {kept} became text"),
        );
    }
}
