//! What to do about an error, in the command's own options. The library says what is wrong.

use std::borrow::Cow;

use nearprint::Error;
use nearprint::extract::Limits;
use nearprint::fingerprint::Scheme;
use nearprint::search::SearchError;
use nearprint_index::IndexError;

use crate::other_command;

/// What details of records call a setting, and the option of the command.
const SETTINGS: [(&str, &str); 6] = [
    ("(charset)", "(--read charset)"),
    ("(max_input_bytes)", "(--limit input-bytes)"),
    ("(max_bytes)", "(--limit input-bytes)"),
    ("(max_ratio)", "(--limit expansion-ratio)"),
    ("(text, html)", "(--read text, html)"),
    ("(see the fields id, text, html, order)", "(see --read id, text, html, and --keep)"),
];

/// The detail of a record with the options in the settings' places, for a person to read. Rows for programs have it as
/// it is.
pub(crate) fn detail(detail: &str) -> Cow<'_, str> {
    if let Some((setting, option)) = SETTINGS.iter().find(|(setting, _)| detail.contains(setting)) {
        return Cow::Owned(detail.replace(setting, option));
    }
    let mut limits =
        Limits::NAMES.into_iter().map(|name| (format!("max_{}", name.replace('-', "_")), name));
    match limits.find(|(setting, _)| detail.contains(setting.as_str())) {
        Some((setting, name)) => Cow::Owned(detail.replace(&setting, &format!("--limit {name}"))),
        None => Cow::Borrowed(detail),
    }
}

/// The error with its remedy, for a person to read.
pub(crate) fn with_remedy(error: &Error) -> String {
    if let Error::Index { error, .. } = error
        && let Some(error) = error.downcast_ref()
    {
        return with_index_remedy(error);
    }
    match remedy(error) {
        Some(remedy) => format!("{error}; {remedy}"),
        None => error.to_string(),
    }
}

/// The error of an index on disk with its remedy.
pub(crate) fn with_index_remedy(error: &IndexError) -> String {
    let remedy = match error {
        IndexError::Exists { .. } => "name a new directory for the index",
        IndexError::NotAnIndex { .. } => "create one with `nearprint index create`",
        IndexError::OtherFormat { .. } => {
            "export it with that version (`nearprint index list --format jsonl`), and import the lines into a new index \
             (`nearprint index import`)"
        }
        IndexError::Held { .. } => {
            "wait until it has ended, or use a verb that only reads, such as `nearprint query`"
        }
        IndexError::WithoutFeatures { .. } => {
            "create another with `nearprint index create --keep features` and add the documents to it"
        }
        IndexError::OtherFeatures { .. } => {
            "use jaccard or containment, or add the documents to a new index"
        }
        IndexError::WithoutPart { .. } => "name the documents instead",
        IndexError::FeaturesMissing { .. } => {
            "add documents, or create another index with `nearprint index create --keep fingerprints`"
        }
        IndexError::NetworkFileSystem { .. } => "put the index on a local disk",
        IndexError::Tables { .. } => "run `nearprint index rebuild`",
        IndexError::Store { .. } => {
            "restore the index from a snapshot, or export what is readable with `nearprint index export` and import it \
             into a new index"
        }
        _ => return error.to_string(),
    };
    format!("{error}; {remedy}")
}

fn remedy(error: &Error) -> Option<String> {
    let text = match error {
        Error::PrintsOfOtherScheme { file, found, wanted } => {
            // A custom scheme's id alone names nothing.
            let named = |scheme: &Scheme| match scheme.as_custom() {
                Some(_) => scheme.name(),
                None => scheme.id(),
            };
            let (found, wanted) = (named(found), named(wanted));
            let of_one = if other_command::has_option("scheme") {
                format!("name only files of one scheme (these with --scheme {found}), or ")
            } else {
                String::new()
            };
            return Some(format!(
                "{of_one}fingerprint the documents with {wanted}: nearprint prints refingerprint --from {file} \
                 --to {wanted} DOCUMENTS"
            ));
        }
        Error::TemporaryFile(_) => {
            "increase --limit memory or choose a directory with more space (TMPDIR)"
        }
        Error::TooManyPairs { .. } | Error::Search(SearchError::TooManyPairsToSort { .. }) => {
            "use a smaller distance, `clusters`, more --limit memory, or --search unsorted"
        }
        Error::TooManyVerified { .. } => {
            "increase --limit memory or the similarity threshold (--threshold)"
        }
        Error::TooManyExpected { .. } => {
            "report equal fingerprints once (--search equal=star or none), use `clusters`, a smaller distance or another \
             scheme (sl1, md1), compare the documents (`nearprint pairs`), or raise the limit (--search max-pairs=N or none)"
        }
        Error::TooManyFound { .. } => {
            "raise the limit (--search max-pairs=N or none) or use a smaller distance"
        }
        Error::MemoryTooSmall { .. } if !other_command::is_of_prints() => "increase --limit memory",
        Error::MemoryTooSmall { .. } => {
            "increase --limit memory, or omit the ids from the fingerprint files (--no-ids)"
        }
        Error::NoRoom { .. } => {
            "choose a directory with more space (TMPDIR), increase --limit memory, or use a smaller distance"
        }
        Error::TooManyDocuments => {
            "deduplicate them in parts, each against the earlier ones (--against)"
        }
        Error::Threads(_) => "use fewer (--threads)",
        Error::DuplicateId { .. } => {
            "--on-duplicate replace or skip adds the others; documents committed before stay"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
