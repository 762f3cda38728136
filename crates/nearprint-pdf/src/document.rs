//! One document from bytes to text: opening, pages, limits, warnings.

use crate::annotations;
use crate::budget::{self, Budget};
use crate::columns::{self, ByColumn};
use crate::content::{Interpreter, Session};
use crate::encryption;
use crate::error::PdfError;
use crate::fields::InteractiveForm;
use crate::flow;
use crate::fonts::{FontKey, FontStore};
use crate::furniture;
use crate::glyphs::{PageGlyphs, TextPool};
use crate::line_numbers;
use crate::lines::{self, Line};
use crate::lookups::Lookups;
use crate::options::Options;
use crate::outcome::{PdfText, Warning};
use crate::steps;
use crate::text_state::Matrix;
use crate::visibility::Layers;
use crate::wholeness::MissingParts;
use crate::xfa;
use hayro_syntax::object::dict::keys::{CONTENTS, KIDS, PAGES};
use hayro_syntax::object::{Array, Dict, Object, Stream};
use hayro_syntax::page::Page;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Extracts the text of a PDF.
///
/// Work is linear in the bytes, operators and glyphs of the document, but for sorting within lines.
///
/// # Errors
///
/// See [`PdfError`]: not a PDF, damaged beyond any page, encrypted with another password, a counted limit
/// reached, or a defect of the parser.
pub fn extract_text(bytes: &[u8], options: &Options) -> Result<PdfText, PdfError> {
    extract_text_counted(bytes, options).0
}

/// Like [`extract_text`], with the steps that it took: operators, glyphs, bytes of streams and entries of fonts, each
/// as often as a stage looks at it, the same on every machine. What opening the file takes is not part of it.
///
/// ```
/// use nearprint_pdf::{Options, PdfError, extract_text_counted};
///
/// let refused = (Err(PdfError::NotPdf), 0);
/// assert_eq!(extract_text_counted(b"plain text", &Options::default()), refused);
/// ```
pub fn extract_text_counted(bytes: &[u8], options: &Options) -> (Result<PdfText, PdfError>, u64) {
    steps::counted(|| extract_guarded(bytes, options))
}

fn extract_guarded(bytes: &[u8], options: &Options) -> Result<PdfText, PdfError> {
    // The parsers are written not to panic, and eight hundred damaged and hand-made files brought none about; but
    // a panic here must cost one document, not the process of the caller. Nothing survives the closure but its
    // result, so no broken state can be seen afterwards.
    match catch_unwind(AssertUnwindSafe(|| extract(bytes, options))) {
        Ok(result) => result,
        Err(payload) => {
            let detail = payload
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
                .unwrap_or_default();
            Err(PdfError::Internal { detail })
        }
    }
}

fn extract(bytes: &[u8], options: &Options) -> Result<PdfText, PdfError> {
    if !bytes[..bytes.len().min(1024)].windows(5).any(|w| w == b"%PDF-") {
        return Err(PdfError::NotPdf);
    }
    budget::admit_search(bytes, &options.limits)?;
    budget::admit_objects(bytes, &options.limits)?;
    let pdf = open(bytes, options.password.as_deref())?;
    let (text, noise) = read(&pdf, bytes, options, HashSet::new())?;
    if noise.is_empty() {
        return Ok(text);
    }
    // Some guesses were wrong, which only the whole document could show: read it again without them.
    read(&pdf, bytes, options, noise).map(|(text, _)| text)
}

/// Reads all pages of a document of these bytes; also returns the fonts whose guessed characters are noise.
fn read(
    pdf: &Pdf,
    bytes: &[u8],
    options: &Options,
    distrusted: HashSet<FontKey>,
) -> Result<(PdfText, HashSet<FontKey>), PdfError> {
    let pages = pdf.pages();
    if pages.is_empty() && !says_it_has_no_pages(pdf) {
        return Err(PdfError::Damaged);
    }
    let mut session = Session {
        fonts: FontStore::new(distrusted),
        pool: TextPool::default(),
        budget: Budget::new(options.limits.clone(), bytes.len()),
        layers: Layers::new(pdf.xref()),
        lookups: Lookups::default(),
        form: InteractiveForm::new(pdf.xref()),
        missing: 0,
        guessed: 0,
    };
    let count = session.budget.check_pages(pages.len())?;
    let mut glyphs = PageGlyphs::default();
    let mut unreadable = 0;
    let mut image_only = 0;
    let mut page_lines: Vec<Vec<Line>> = Vec::with_capacity(pages.len());
    let mut unnumbered = Vec::with_capacity(pages.len());
    let mut by_column = Vec::with_capacity(pages.len());
    let mut heights = Vec::with_capacity(pages.len());
    for page in pages.iter() {
        let (width, height) = page.render_dimensions();
        glyphs.clear((width, height));
        unreadable += u32::from(!read_page(page, &mut session, &mut glyphs)?);
        image_only += u32::from(glyphs.glyphs.is_empty() && glyphs.has_image);
        heights.push(height);
        let (lines, without) = arranged(&glyphs, &session.pool);
        page_lines.push(lines);
        unnumbered.push(without);
        let ordered = columns::read_by_column(&glyphs, &session.pool);
        by_column.push(ordered.map(|(glyphs, evidence)| {
            let (lines, unnumbered) = arranged(&glyphs, &session.pool);
            ByColumn { lines, unnumbered, evidence }
        }));
    }
    let unsure = columns::put_in_order(&mut page_lines, &mut unnumbered, by_column);
    line_numbers::take_out(&mut page_lines, unnumbered);
    furniture::remove(&mut page_lines, &heights);
    let mut text = flow::join(&page_lines);
    let xfa = xfa::append_answers(&mut session, &mut text)?;
    let total = session.budget.glyphs();
    let share = |part: u64| part as f64 / total.max(1) as f64;
    let mut warnings = Vec::new();
    if session.missing > 0 {
        warnings.push(Warning::GlyphsWithoutUnicode {
            missing: session.missing,
            share: share(session.missing),
        });
    }
    if session.guessed > 0 {
        warnings.push(Warning::GlyphsGuessed {
            guessed: session.guessed,
            share: share(session.guessed),
        });
    }
    let doubtful = session.fonts.doubtful_letters();
    if doubtful > 0 {
        warnings.push(Warning::DoubtfulLetters { letters: doubtful, share: share(doubtful) });
    }
    if unreadable > 0 {
        warnings.push(Warning::UnreadablePages { pages: unreadable });
    }
    let missing = MissingParts::of(pdf, bytes, pages.len());
    let parts = session.budget.damaged;
    if parts > 0 || missing != MissingParts::default() {
        let MissingParts { cross_reference, pages } = missing;
        warnings.push(Warning::RecoveredDamage { parts, cross_reference, pages });
    }
    if image_only > 0 {
        warnings.push(Warning::ImageOnlyPages { pages: image_only });
    }
    if unsure > 0 {
        warnings.push(Warning::DoubtfulOrder { pages: unsure });
    }
    warnings.extend(xfa);
    Ok((PdfText { text, pages: count, glyphs: total, warnings }, session.fonts.implausible()))
}

/// The lines of a page, and the same without their numbers where they have such.
fn arranged(glyphs: &PageGlyphs, pool: &TextPool) -> (Vec<Line>, Option<Vec<Line>>) {
    let without = line_numbers::without(glyphs).map(|glyphs| lines::lines(&glyphs, pool));
    (lines::lines(glyphs, pool), without)
}

/// Whether the page tree is there and empty, as in a document from which all pages were taken: nothing is damaged then.
fn says_it_has_no_pages(pdf: &Pdf) -> bool {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let tree = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(PAGES));
    let kids = tree.and_then(|tree| tree.get::<Array<'_>>(KIDS));
    kids.is_some_and(|kids| kids.raw_iter().next().is_none())
}

fn open(bytes: &[u8], password: Option<&str>) -> Result<Pdf, PdfError> {
    let error = match Pdf::new_with_password(bytes.to_vec(), password.unwrap_or_default()) {
        Ok(pdf) => return Ok(pdf),
        Err(error) => error,
    };
    let wrong_password = PdfError::WrongPassword { given: password.is_some() };
    match (error, encryption::open_without(bytes)) {
        (_, Some(encrypted)) if encrypted.only_attachments => Ok(encrypted.pdf),
        // A search for objects finds none that it can read.
        (LoadPdfError::Invalid, Some(_)) => Err(wrong_password),
        (LoadPdfError::Invalid, None) => Err(PdfError::Damaged),
        (LoadPdfError::Decryption(DecryptionError::PasswordProtected), _) => Err(wrong_password),
        (LoadPdfError::Decryption(_), _) => Err(PdfError::UnsupportedEncryption),
    }
}

/// Collects the glyphs of a page; `false` if none of its content could be decoded.
fn read_page<'a>(
    page: &Page<'a>,
    session: &mut Session<'a>,
    glyphs: &mut PageGlyphs,
) -> Result<bool, PdfError> {
    let initial = Matrix(page.initial_transform(false).as_coeffs());
    let mut interpreter = Interpreter::new(session, glyphs, initial);
    let resources = page.resources();
    let (streams, decoded) = match page.raw().get::<Object<'a>>(CONTENTS) {
        Some(Object::Stream(stream)) => interpreter.run_page(std::iter::once(stream), resources)?,
        Some(Object::Array(array)) => {
            let array: Array<'a> = array;
            interpreter.run_page(array.iter::<Stream<'a>>(), resources)?
        }
        _ => (0, 0),
    };
    annotations::read(page, session, glyphs)?;
    Ok(streams == 0 || decoded > 0)
}
