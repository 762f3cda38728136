//! PDF, read by `nearprint-pdf`: its limits, warnings and errors put into this crate's words.

use nearprint_pdf::{Limit, Options, PdfError};

use crate::error::{ExtractError, Reason};
use crate::extraction::WarningCode;
use crate::job::Job;
use crate::limits::Limits;

/// Extracts PDF.
pub(crate) fn pdf(bytes: &[u8], job: &mut Job<'_>) -> Result<String, ExtractError> {
    let options = Options { password: job.hints.password.clone(), limits: limits(job.limits) };
    let mut found = nearprint_pdf::extract_text(bytes, &options);
    if matches!(found, Err(PdfError::WrongPassword { given: true })) {
        // A password is given for a whole collection, in which most that is encrypted opens without.
        let options = Options { password: None, ..options };
        let opened = nearprint_pdf::extract_text(bytes, &options);
        found = if matches!(opened, Err(PdfError::WrongPassword { .. })) { found } else { opened };
    }
    let found = found.map_err(|error| refused(&error))?;
    job.pages = Some(found.pages);
    for warning in &found.warnings {
        warn(warning, job);
    }
    Ok(found.text)
}

fn limits(limits: &Limits) -> nearprint_pdf::Limits {
    nearprint_pdf::Limits {
        pages: limits.max_pages,
        glyphs: limits.max_glyphs,
        operators: limits.max_operators,
        decoded_bytes: limits.max_expanded_bytes,
        expansion_ratio: limits.max_expansion_ratio,
        text_bytes: limits.max_text_bytes,
        ..nearprint_pdf::Limits::default()
    }
}

fn warn(warning: &nearprint_pdf::Warning, job: &mut Job<'_>) {
    use nearprint_pdf::Warning;
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    match *warning {
        Warning::GlyphsWithoutUnicode { missing, share } => job.warn(
            WarningCode::GlyphsWithoutUnicode,
            format!("{missing} glyphs ({}) have no Unicode and were left out", percent(share)),
        ),
        Warning::GlyphsGuessed { guessed, share } => job.warn(
            WarningCode::GlyphsGuessed,
            format!(
                "{guessed} glyphs ({}) were identified by their names or codes",
                percent(share)
            ),
        ),
        Warning::UnreadablePages { pages } => {
            job.warn(WarningCode::PartUnreadable, format!("{pages} pages could not be read"));
        }
        Warning::RecoveredDamage { parts, cross_reference, pages } => {
            let mut faults = Vec::new();
            if cross_reference {
                faults.push("the cross-reference is missing, as in a file that was cut".to_owned());
            }
            if pages > 0 {
                faults.push(format!("{pages} of its pages were not found"));
            }
            if parts > 0 {
                faults.push(format!("{parts} parts of the file are damaged"));
            }
            job.is_incomplete |= cross_reference || pages > 0;
            job.warn(WarningCode::Recovered, faults.join("; "));
        }
        Warning::ImageOnlyPages { pages } => {
            job.warn(WarningCode::ImageOnly, format!("{pages} pages are images without text"));
        }
        Warning::DoubtfulLetters { letters, share } => job.warn(
            WarningCode::LettersDoubtful,
            format!(
                "{letters} letters ({}) are from fonts that draw different letters than they state",
                percent(share)
            ),
        ),
        Warning::DoubtfulOrder { pages } => job.warn(
            WarningCode::OrderDoubtful,
            format!("{pages} pages alternate between columns, and were read so"),
        ),
        Warning::XfaForm { answers: true } => job.warn(
            WarningCode::PartUnreadable,
            "the form is written in XFA: its answers were read, the labels of its fields were not",
        ),
        Warning::XfaForm { answers: false } => {
            job.warn(WarningCode::PartUnreadable, "the form is written in XFA, which was not read");
        }
        _ => job.warn(WarningCode::PartUnreadable, "the file has other faults"),
    }
}

fn refused(error: &PdfError) -> ExtractError {
    let reason = match error {
        PdfError::WrongPassword { .. } | PdfError::UnsupportedEncryption => Reason::Encrypted,
        PdfError::LimitReached { limit, .. } => match limit {
            Limit::Pages => Reason::PageLimit,
            Limit::DecodedBytes | Limit::ExpansionRatio => Reason::ExpansionLimit,
            Limit::Nesting => Reason::TooDeep,
            Limit::Text => Reason::TextLimit,
            _ => Reason::WorkLimit,
        },
        _ => Reason::Damaged,
    };
    ExtractError::new(reason, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Hints;

    /// A password that is given for a collection keeps nothing shut that opens without.
    #[test]
    fn passwords_are_of_those_documents_that_need_one() {
        let open = include_bytes!("../../nearprint-pdf/tests/data/aes-256-empty.pdf");
        let locked = include_bytes!("../../nearprint-pdf/tests/data/aes-256-lantern.pdf");
        let with = |bytes: &[u8], password: &str| {
            let hints = Hints { password: Some(password.to_owned()), ..Hints::default() };
            pdf(bytes, &mut Job::new(&hints, &Limits::default()))
        };
        assert_eq!(with(open, "lantern"), with(locked, "lantern"));
        assert!(with(open, "candle").unwrap().contains("harbour"));
        let error = with(locked, "candle").unwrap_err();
        assert_eq!(error.reason(), Reason::Encrypted);
        assert!(error.detail().contains("does not open"), "{error}");
    }

    #[test]
    fn errors_keep_their_meaning() {
        for (error, reason) in [
            (PdfError::NotPdf, Reason::Damaged),
            (PdfError::WrongPassword { given: true }, Reason::Encrypted),
            (PdfError::LimitReached { limit: Limit::Pages, value: 1 }, Reason::PageLimit),
            (PdfError::LimitReached { limit: Limit::Glyphs, value: 1 }, Reason::WorkLimit),
            (
                PdfError::LimitReached { limit: Limit::DecodedBytes, value: 1 },
                Reason::ExpansionLimit,
            ),
            (
                PdfError::LimitReached { limit: Limit::ExpansionRatio, value: 1 },
                Reason::ExpansionLimit,
            ),
            (PdfError::LimitReached { limit: Limit::Nesting, value: 1 }, Reason::TooDeep),
            (PdfError::LimitReached { limit: Limit::Text, value: 1 }, Reason::TextLimit),
            (PdfError::LimitReached { limit: Limit::PageGlyphs, value: 1 }, Reason::WorkLimit),
            (PdfError::LimitReached { limit: Limit::FontEntries, value: 1 }, Reason::WorkLimit),
            (PdfError::LimitReached { limit: Limit::SearchRatio, value: 1 }, Reason::WorkLimit),
        ] {
            assert_eq!(refused(&error).reason(), reason);
        }
    }
}
