//! Inputs that are refused before any work, with the option that is meant. The library says what is wrong.

use nearprint::records::{FieldPurpose, PrintFormat};
use nearprint::{InputsError, UnexpectedInput};

use crate::exit_status::Failure;

/// Which options the verb has for what is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedInput {
    /// `--prints` reads files of fingerprints.
    Prints,
    /// Only documents are read.
    Documents,
}

/// A refusal with its remedy, for a verb that reads documents only.
impl From<InputsError> for Failure {
    fn from(error: InputsError) -> Self {
        refused(error, ExpectedInput::Documents)
    }
}

/// A refusal with its remedy.
pub(crate) fn refused(error: InputsError, meant: ExpectedInput) -> Failure {
    let remedy = match &error {
        InputsError::StandardInputTwice => "name - only once".to_owned(),
        InputsError::ReadOnce => {
            return Failure::Usage(
                "--job cannot read standard input; write it to a file first".to_owned(),
            );
        }
        InputsError::Unexpected(unexpected) => remedy(unexpected, meant),
        InputsError::Directory { .. } => "name one document".to_owned(),
        InputsError::SeveralPaths { .. } => "name one".to_owned(),
        InputsError::List(_) => return Failure::work(error),
        InputsError::Prints(_) => {
            let InputsError::Prints(error) = error else { unreachable!("matched above") };
            return error.into();
        }
        _ => return Failure::Usage(error.to_string()),
    };
    Failure::Usage(format!("{error}; {remedy}"))
}

/// A refusal where one document is named. `many` says what is for many.
pub(crate) fn not_one(error: InputsError, many: &str) -> Failure {
    match error {
        InputsError::Unexpected(_) | InputsError::SeveralPaths { .. } => {
            Failure::Usage(format!("{error}; {many}"))
        }
        error => error.into(),
    }
}

fn remedy(unexpected: &UnexpectedInput, meant: ExpectedInput) -> String {
    let as_one = "--input-format files reads each file as one document";
    match (unexpected, unexpected.purpose()) {
        (UnexpectedInput::NoPrints { format: PrintFormat::Nearprint, .. }, _) => {
            "omit --prints to read it as documents; --prints reads text, JSONL and binary (fingerprint --format binary), \
             not tables"
                .to_owned()
        }
        (UnexpectedInput::NoPrints { .. }, _) => "name the format with --prints".to_owned(),
        (UnexpectedInput::Prints { .. }, _) => match meant {
            ExpectedInput::Prints => format!("use --prints to read them; {as_one}"),
            ExpectedInput::Documents => as_one.to_owned(),
        },
        (_, Some(FieldPurpose::Id)) => "use --id to name the field with the id".to_owned(),
        (_, Some(FieldPurpose::Order)) => "use --keep field:NAME with one of these".to_owned(),
        (_, Some(FieldPurpose::Content)) => {
            format!("use --text or --html to name the field with the text; {as_one}")
        }
        _ => "use --text, --html, --id and --keep to name columns".to_owned(),
    }
}
