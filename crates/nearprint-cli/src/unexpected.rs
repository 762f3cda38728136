//! Inputs that are not what they are expected to be: refused before any work, with the option that is meant.

use std::path::{Path, PathBuf};

use nearprint::records::{FieldPurpose, InputFile, PrintFormat};
use nearprint::{InputSettings, InputSource, UnexpectedInput, expect_one_document, expect_prints};

use crate::ending::Failure;
use crate::inputs::is_stdin;

/// Which options the verb has for what is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    /// `--prints` reads files of fingerprints.
    Prints,
    /// Only documents are read.
    Documents,
}

/// Refuses a source of which one of the inputs named is not documents.
pub(crate) fn expect_documents(
    source: &mut InputSource,
    named: &[PathBuf],
    meant: Meant,
) -> Result<(), Failure> {
    source.expect_documents(named).map_err(|unexpected| worded(&unexpected, meant))
}

/// The same before there is a source, less standard input, which can be read only once.
pub(crate) fn expect_documents_in<'p>(
    named: impl IntoIterator<Item = &'p PathBuf>,
    settings: &InputSettings,
    meant: Meant,
) -> Result<(), Failure> {
    let mut named = named.into_iter().filter(|path| !is_stdin(path));
    named
        .try_for_each(|path| settings.expect_documents_in(path))
        .map_err(|unexpected| worded(&unexpected, meant))
}

/// Refuses a file named for fingerprints that has none.
pub(crate) fn expect_prints_in(path: &Path, format: PrintFormat) -> Result<(), Failure> {
    expect_prints(path, format).map_err(|unexpected| no_prints(&unexpected, format))
}

/// The same of standard input, which is read on from there.
pub(crate) fn expect_prints_on(file: &mut InputFile, format: PrintFormat) -> Result<(), Failure> {
    if !file.has_no_prints(format).unwrap_or(false) {
        return Ok(());
    }
    let file = "-".to_owned();
    Err(no_prints(&UnexpectedInput::NoPrints { file }, format))
}

fn no_prints(unexpected: &UnexpectedInput, format: PrintFormat) -> Failure {
    Failure::Usage(match format {
        PrintFormat::Nearprint => {
            format!("{unexpected}; omit --prints to read it as documents")
        }
        _ => format!("{unexpected} of this format (--prints)"),
    })
}

/// Refuses a file of many documents, or of fingerprints, where one document is named. `many` says what is for many.
pub(crate) fn expect_one(path: &Path, many: &str) -> Result<(), Failure> {
    let Some(mut file) = path.is_file().then(|| InputFile::open(path).ok()).flatten() else {
        return Ok(());
    };
    expect_one_document(&mut file, &InputSettings::default())
        .map_err(|unexpected| Failure::Usage(format!("{unexpected}; {many}")))
}

fn worded(unexpected: &UnexpectedInput, meant: Meant) -> Failure {
    let as_one = "--input-format files reads each file as one document";
    let remedy = match (unexpected, unexpected.purpose()) {
        (UnexpectedInput::Prints { .. }, _) => match meant {
            Meant::Prints => format!("use --prints to read them; {as_one}"),
            Meant::Documents => as_one.to_owned(),
        },
        (_, Some(FieldPurpose::Id)) => "use --id to name the field with the id".to_owned(),
        (_, Some(FieldPurpose::Order)) => "use --keep field:NAME with one of these".to_owned(),
        (_, Some(FieldPurpose::Content)) => {
            format!("use --text or --html to name the field with the text; {as_one}")
        }
        _ => "use --text, --html, --id and --keep to name columns".to_owned(),
    };
    Failure::Usage(format!("{unexpected}; {remedy}"))
}
