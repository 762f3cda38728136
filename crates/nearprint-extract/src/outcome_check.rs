//! What an outcome of extraction may say. One that comes from another process is input: it is compared with the closed
//! lists that outcomes are made of.

use crate::charset;
use crate::detail::is_one_line;
use crate::error::ExtractError;
use crate::extraction::{Extraction, WarningCode};
use crate::extractors::{extractors, is_media_type};
use crate::limits::Limits;
use crate::wrapper::Wrapper;

/// Bytes of a media type (<=).
const LONGEST_TYPE: usize = 128;

/// Whether an outcome says what [`extract`](crate::extract) could have said: the error names
/// what it could not.
///
/// ```
/// use nearprint_extract::{Hints, Limits, check_outcome, extract};
///
/// let (page, limits) = (b"<p>a word", Limits::default());
/// let mut outcome = extract(page, &Hints::default(), &limits);
/// assert_eq!(check_outcome(&outcome, &limits), Ok(()));
/// outcome.as_mut().unwrap().record.extractor = "other".to_owned();
/// assert_eq!(check_outcome(&outcome, &limits), Err("an unknown extractor"));
/// ```
///
/// # Errors
/// What is not on its list.
pub fn check_outcome(
    outcome: &Result<Extraction, ExtractError>,
    limits: &Limits,
) -> Result<(), &'static str> {
    let refuse_unless = |holds: bool, what| if holds { Ok(()) } else { Err(what) };
    let found = match outcome {
        Ok(found) => found,
        Err(error) => {
            return refuse_unless(
                is_one_line(error.detail()),
                "a detail that is not one short line",
            );
        }
    };
    let record = &found.record;
    let is_type = record.media_type.len() <= LONGEST_TYPE
        && record.media_type.bytes().all(|byte| byte.is_ascii_graphic())
        && is_media_type(&record.media_type);
    refuse_unless(is_type, "an unknown media type")?;
    let named = (record.extractor.as_str(), record.extractor_version);
    refuse_unless(extractors().any(|known| known == named), "an unknown extractor")?;
    let is_charset = record.charset.as_deref().is_none_or(charset::is_canonical);
    refuse_unless(is_charset, "an unknown charset")?;
    let is_source = record.charset_source.as_deref().is_none_or(charset::is_source);
    refuse_unless(is_source, "an unknown source of a charset")?;
    let are_wrappers = record.wrappers.len() <= limits.max_wrappers as usize
        && record.wrappers.iter().all(|name| Wrapper::NAMES.contains(&&**name));
    refuse_unless(are_wrappers, "unknown compression")?;
    let are_lines = record.warnings.len() <= WarningCode::ALL.len()
        && record.warnings.iter().all(|warning| is_one_line(&warning.detail));
    refuse_unless(are_lines, "warnings that are not one short line each")?;
    let count = found.text.chars().count() as u64;
    refuse_unless(record.characters == count, "a wrong number of characters")
}
