//! Inputs that are refused before any work, with what is to be done instead. The library says what is wrong.

use std::path::Path;

use nearprint::records::{DocumentId, FieldPurpose, InputFile, PrintFormat, escape};
use nearprint::{InputSettings, Inputs, InputsError, UnexpectedInput};

use crate::exit_status::Failure;
use crate::other_command;

/// A refusal with its remedy.
impl From<InputsError> for Failure {
    fn from(error: InputsError) -> Self {
        let remedy = match &error {
            InputsError::StandardInputTwice => "name - only once".to_owned(),
            InputsError::ReadOnce => {
                return Self::Usage(
                    "--job cannot read standard input; write it to a file first".to_owned(),
                );
            }
            InputsError::Unexpected(unexpected) => remedy(unexpected),
            InputsError::Directory { .. } => "name one document".to_owned(),
            InputsError::SeveralPaths { .. } => "name one".to_owned(),
            InputsError::List(_) => return Self::work(error),
            InputsError::Prints(_) => {
                let InputsError::Prints(error) = error else { unreachable!("matched above") };
                return error.into();
            }
            _ => return Self::Usage(error.to_string()),
        };
        Self::Usage(format!("{error}; {remedy}"))
    }
}

/// A refusal of inputs as a failure of the command.
pub(crate) fn meant<T>(done: Result<T, InputsError>) -> Result<T, Failure> {
    Ok(done?)
}

/// A refusal where one document is named. `many` says what is for many.
pub(crate) fn not_one(error: InputsError, many: &str) -> Failure {
    match error {
        InputsError::Unexpected(UnexpectedInput::ManyDocuments { .. })
        | InputsError::SeveralPaths { .. } => Failure::Usage(format!("{error}; {many}")),
        error => error.into(),
    }
}

fn remedy(unexpected: &UnexpectedInput) -> String {
    let as_one = "--read format=files reads each file as one document";
    match (unexpected, unexpected.purpose()) {
        (UnexpectedInput::Prints { file } | UnexpectedInput::NoPrints { file, .. }, _)
            if is_compressed(file) =>
        {
            "decompress the file first: fingerprints are read as they are".to_owned()
        }
        (UnexpectedInput::NoPrints { file, .. }, _) if is_table_of_prints(file) => {
            "fingerprints in tables are read by `nearprint index import`; other verbs read the formats text, jsonl and \
             binary"
                .to_owned()
        }
        (UnexpectedInput::NoPrints { file, format: PrintFormat::Nearprint }, _) => used(
            other_command::for_documents(file),
            "name files that `nearprint fingerprint` wrote",
        ),
        (UnexpectedInput::NoPrints { .. }, _) => {
            "name their format with --read format=FORMAT".to_owned()
        }
        (UnexpectedInput::UnknownScheme { .. }, _) => {
            let option = if other_command::has_option("to") { "--to" } else { "--scheme" };
            format!(
                "name its declaration: {option} custom:FEATURES,WEIGHT,HASH,BITS, or a file that contains one"
            )
        }
        (UnexpectedInput::UnreadRows { .. }, _) => as_one.to_owned(),
        (UnexpectedInput::Prints { file }, _) => used(other_command::for_prints(file), as_one),
        (_, Some(FieldPurpose::Id)) => {
            "use --read id=FIELD to name the field with the id".to_owned()
        }
        (_, Some(FieldPurpose::Order)) => "use --keep field:NAME with one of these".to_owned(),
        (_, Some(FieldPurpose::Content)) => {
            format!("use --read text=FIELD or html=FIELD to name the field with the text; {as_one}")
        }
        _ => "use --read text, html and id, and --keep, to name columns".to_owned(),
    }
}

/// Whether a file is a table with a column of fingerprints and none of texts.
fn is_table_of_prints(file: &str) -> bool {
    let table =
        Inputs::new([file], InputSettings::default()).and_then(|file| file.expect_documents());
    match table {
        Err(InputsError::Unexpected(UnexpectedInput::MissingField { missing, .. })) => {
            missing.there.iter().any(|name| name == "fingerprint")
        }
        Err(InputsError::Unexpected(UnexpectedInput::MissingColumn { detail, .. })) => {
            detail.contains("fingerprint")
        }
        _ => false,
    }
}

fn is_compressed(file: &str) -> bool {
    let path = Path::new(file);
    path.is_file() && InputFile::open(path).is_ok_and(|mut file| file.is_compressed())
}

/// The command to use, or else what helps.
fn used(command: Option<String>, otherwise: &str) -> String {
    command.map_or_else(|| otherwise.to_owned(), |command| format!("use: {command}"))
}

/// A fingerprint that was named where a document is expected.
pub(crate) fn fingerprint(id: &DocumentId) -> Failure {
    let command = used(other_command::for_prints(id.as_str()), "name a document");
    Failure::Usage(format!("{id} is a fingerprint, not a document; {command}"))
}

/// A document that was named where a fingerprint is expected.
pub(crate) fn document(path: &Path) -> Failure {
    let name = escape(path.as_os_str().as_encoded_bytes());
    let command = used(other_command::for_documents(&name), "name a fingerprint");
    Failure::Usage(format!("{name} is a file, not a fingerprint; {command}"))
}

/// An index that keeps fingerprints alone, where texts are compared.
pub(crate) fn without_features(index: &Path) -> Failure {
    let name = escape(index.as_os_str().as_encoded_bytes());
    let command = used(other_command::for_prints(&name), "create it with --keep features");
    Failure::Usage(format!("{name} keeps only fingerprints, no texts to compare; {command}"))
}
