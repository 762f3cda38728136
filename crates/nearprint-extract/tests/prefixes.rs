//! Documents that are cut say so: a beginning that gives less text than the whole has a warning, or is a failure.
//!
//! Asked of every medium whose end can be known (docs/FORMAT.md lists them). From the byte on at which a beginning is
//! recognised as what it is: a few bytes of anything are a text.

use std::fs;
use std::path::{Path, PathBuf};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, Reason, WarningCode, extract};

/// Cuts of each document, about.
const CUTS: usize = 60;

/// Bytes that tell what something is: fewer of anything are a text.
const MARK: usize = 8;

/// Bytes in which a document may be taken for one of another kind.
const HEAD: usize = 1024;

/// The extractors of media whose end can be known. Beside them: whatever is compressed.
const EXTRACTORS: [&str; 8] = ["pdf", "rtf", "xml", "epub", "opendocument", "docx", "pptx", "xlsx"];

fn read(bytes: &[u8]) -> Result<Extraction, ExtractError> {
    extract(bytes, &Hints::default(), &Limits::default())
}

/// The files in a folder and in those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn is_told(found: &Extraction, whole: &Extraction) -> bool {
    let told = [WarningCode::Recovered, WarningCode::PartUnreadable, WarningCode::InvalidBytes];
    let codes = |found: &Extraction| {
        let warnings = found.record.warnings.iter().map(|warning| warning.code);
        warnings.filter(|code| told.contains(code)).count()
    };
    codes(found) > 0 && codes(found) >= codes(whole)
}

/// What is wrong with the beginnings of a document.
fn silent(name: &str, bytes: &[u8]) -> Vec<String> {
    let whole = read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let step = (bytes.len() / CUTS).max(1);
    let cuts = (0..bytes.len()).step_by(step).chain([bytes.len() - 1, bytes.len() * 9 / 10]);
    let is_other = |found: &Extraction| found.record.extractor != whole.record.extractor;
    let mut wrong = Vec::new();
    for cut in cuts.filter(|cut| *cut >= MARK) {
        let told = match read(&bytes[..cut]) {
            Ok(found) if cut < HEAD && is_other(&found) => true,
            Ok(found) => found.text.len() >= whole.text.len() || is_told(&found, &whole),
            Err(error) => {
                cut < HEAD && error.reason() == Reason::UnsupportedMedia
                    || !matches!(
                        error.reason(),
                        Reason::Empty | Reason::NoText | Reason::UnsupportedMedia
                    )
            }
        };
        if !told {
            let found = read(&bytes[..cut]).map(|found| found.text.len());
            wrong.push(format!("{name} cut at {cut} of {}: {found:?}", bytes.len()));
        }
    }
    wrong
}

#[test]
fn beginnings_with_less_text_say_so() {
    let (mut count, mut wrong) = (0, Vec::new());
    let folders = ["tests/cases", "../../samples/documents", "../nearprint-pdf/tests/data"];
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in folders.into_iter().flat_map(|folder| files(&here.join(folder))) {
        let bytes = fs::read(&path).unwrap();
        let Ok(found) = read(&bytes) else { continue };
        let is_known = EXTRACTORS.contains(&&*found.record.extractor);
        if is_known || !found.record.wrappers.is_empty() {
            count += 1;
            wrong.extend(silent(&path.to_string_lossy(), &bytes));
        }
    }
    assert!(count > 30, "{count} documents");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn beginnings_of_messages_of_several_parts_say_so() {
    let text = "fog over the harbour at noon\r\n".repeat(20);
    let parts: String =
        (0..3).map(|_| format!("--b\r\nContent-Type: text/plain\r\n\r\n{text}")).collect();
    let head = "From: a@example.org\r\nTo: b@example.org\r\nDate: x\r\nMIME-Version: 1.0\r\n";
    for kind in ["mixed", "alternative", "related"] {
        let mail = format!(
            "{head}Content-Type: multipart/{kind}; boundary=b\r\n\r\n{parts}--b--\r\nbehind it\r\n"
        );
        let begin = mail.find("--b\r\n").unwrap();
        let end = mail.find("--b--").unwrap();
        let whole = read(mail.as_bytes()).unwrap();
        assert_eq!(whole.record.warnings, [], "{kind}");
        for cut in begin + 10..end {
            let told = match read(&mail.as_bytes()[..cut]) {
                Ok(found) => is_told(&found, &whole),
                Err(error) => error.reason() == Reason::Damaged,
            };
            assert!(told, "{kind} cut at {cut}");
        }
    }
}

/// The two of which half the text was a fingerprint without a word about it.
#[test]
fn halves_of_rtf_and_pdf_say_so() {
    let lines: String =
        (0..200).map(|n| format!("line {n} of the quick brown fox\\par\n")).collect();
    let rtf = format!("{{\\rtf1\\ansi {lines}}}");
    assert_eq!(read(rtf.as_bytes()).unwrap().record.warnings, []);
    assert_eq!(silent("lines.rtf", rtf.as_bytes()), [""; 0]);

    let kids: String = (0..20).map(|n| format!("{} 0 R ", 4 + 2 * n)).collect();
    let mut pdf = format!(
        "%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 20/Kids[{kids}]>>endobj\n\
         3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
    );
    for page in 0..10 {
        let (number, content) = (4 + 2 * page, 5 + 2 * page);
        pdf += &format!(
            "{number} 0 obj<</Type/Page/Parent 2 0 R/Contents {content} 0 R/Resources<</Font<</F1 3 0 R>>>>>>endobj\n\
             {content} 0 obj<</Length 60>>stream\n{:<60}\nendstream endobj\n",
            format!("BT /F1 9 Tf 50 700 Td (the quick brown fox page{page}) Tj ET")
        );
    }
    let found = read(pdf.as_bytes()).unwrap();
    let [warning] = &found.record.warnings[..] else { panic!("{:?}", found.record.warnings) };
    assert_eq!(warning.code, WarningCode::Recovered);
    assert!(warning.detail.contains("10 of its pages were not found"), "{}", warning.detail);
}
