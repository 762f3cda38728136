//! The command that does what was asked for with the inputs that were named, where a verb of documents was given
//! fingerprints, or a verb of fingerprints documents. The one place that knows which verb is meant instead.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::OnceLock;

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use nearprint::expect_prints;
use nearprint::records::{PrintFormat, escape};
use nearprint_index::DiskIndex;

use crate::keys::Setting;

/// The definition of the command line, and the arguments of this process, less the name of the command.
static TYPED: OnceLock<(clap::Command, Vec<OsString>)> = OnceLock::new();

/// The group of verbs of fingerprints.
const PRINTS: &str = "prints";

/// Keeps the definition of the command line and the arguments of the process.
pub(crate) fn remember(definition: clap::Command, arguments: &[OsString]) {
    let _ = TYPED.set((definition, arguments.get(1..).unwrap_or_default().to_vec()));
}

/// Where the verbs stand in a command line: one, and in a group of verbs the verb below it.
pub(crate) fn verbs_in(root: &clap::Command, arguments: &[OsString]) -> Vec<usize> {
    let (mut at, mut verb, mut found) = (0, root, Vec::new());
    while let Some(next) =
        (at..arguments.len()).find(|&at| verb.find_subcommand(&arguments[at]).is_some())
    {
        verb = verb.find_subcommand(&arguments[next]).expect("it was found");
        found.push(next);
        at = next + 1;
    }
    found
}

/// The definition of the command line.
fn definition() -> Option<clap::Command> {
    TYPED.get().map(|(definition, _)| definition.clone())
}

/// Arguments around their verb.
struct Line {
    before: Vec<OsString>,
    group: Option<String>,
    verb: String,
    after: Vec<OsString>,
}

/// The arguments of this process.
fn line() -> Option<Line> {
    let (definition, arguments) = TYPED.get()?;
    let verbs = verbs_in(definition, arguments);
    let verb = *verbs.last()?;
    let text = |at: usize| arguments[at].to_string_lossy().into_owned();
    Some(Line {
        before: arguments[..verbs[0]].to_vec(),
        group: (verbs.len() > 1).then(|| text(verbs[0])),
        verb: text(verb),
        after: arguments[verb + 1..].to_vec(),
    })
}

/// Whether the verb of this process is one of fingerprints.
pub(crate) fn is_of_prints() -> bool {
    line().is_some_and(|line| line.group.as_deref() == Some(PRINTS))
}

/// The definition of the verb of this process.
fn verb() -> Option<&'static clap::Command> {
    let (definition, arguments) = TYPED.get()?;
    let verbs = verbs_in(definition, arguments);
    verbs.iter().try_fold(definition, |verb, &at| verb.find_subcommand(&arguments[at]))
}

/// Whether the verb of this process has an option of this name.
pub(crate) fn has_option(name: &str) -> bool {
    verb().is_some_and(|verb| verb.get_arguments().any(|arg| arg.get_long() == Some(name)))
}

/// The option of the verb of this process that has a key of this name, with the key as it is typed.
pub(crate) fn option_with_key(name: &str) -> Option<String> {
    let with_value = format!("{name}=");
    verb()?.get_arguments().find_map(|option| {
        let keys = option.get_possible_values();
        let is_of_keys = option.get_value_parser().type_id() == TypeId::of::<Setting>();
        let key = keys.iter().map(PossibleValue::get_name);
        let key = key.filter(|_| is_of_keys).find(|&key| key == name || key == with_value)?;
        Some(format!("--{} {key}{}", option.get_long()?, if key == name { "" } else { "VALUE" }))
    })
}

/// The command for fingerprints in `file`, where a verb of documents was given them.
pub(crate) fn for_prints(file: &str) -> Option<String> {
    let Line { before, group, verb, after } = line()?;
    match (group.as_deref(), verb.as_str()) {
        // Fingerprints themselves are compared, files of many are searched.
        (None, "compare" | "diff") if Path::new(file).exists() => Some(between_files(file, &after)),
        // Documents can be looked for among fingerprints, not searched beside them.
        (None, verb) if are_documents_searched(verb, &after) => None,
        (None, "pairs" | "clusters" | "query" | "compare") => {
            let verbs = [PRINTS, verb.as_str()];
            accepted(before, &verbs, after, &verb).or_else(|| alone(&[PRINTS, "pairs"], file))
        }
        (None, "dedup") => alone(&[PRINTS, "clusters"], file),
        (None, "fingerprint" | "extract") => alone(&[PRINTS, "convert", "--format", "text"], file),
        (Some("index"), "add") => {
            let index = after.iter().find(|argument| !argument.to_string_lossy().starts_with('-'));
            let index = index.map(|index| index.to_string_lossy().into_owned())?;
            alone(&["index", "import", &index], file)
        }
        _ => None,
    }
}

/// The command for documents in `file`, where a verb of fingerprints was given them: the verb of documents if there is
/// one with these options, or else the same on their fingerprints.
pub(crate) fn for_documents(file: &str) -> Option<String> {
    let Line { before, group, verb, after } = line()?;
    if group.as_deref() != Some(PRINTS) {
        return None;
    }
    let of_documents = ["pairs", "clusters", "query", "compare"].contains(&verb.as_str());
    let with_all = [before.clone(), vec![OsString::from(&verb)], after.clone()].concat();
    if of_documents && parses(&with_all) {
        return Some(shown(&with_all));
    }
    if matches!(verb.as_str(), "convert" | "compare") {
        return Some(format!("nearprint fingerprint {}", quoted(OsStr::new(file))));
    }
    let is_file = |argument: &OsString| escape(argument.as_encoded_bytes()) == file;
    let after = after.into_iter().map(|argument| match is_file(&argument) {
        true => OsString::from("-"),
        false => argument,
    });
    let verbs = vec![OsString::from(PRINTS), OsString::from(verb)];
    let piped = [before, verbs, after.collect()].concat();
    Some(format!("nearprint fingerprint {} | {}", quoted(OsStr::new(file)), shown(&piped)))
}

/// The pairs of fingerprints of two files, where another is named beside `file`.
fn between_files(file: &str, after: &[OsString]) -> String {
    let mut files = after.iter().filter(|argument| Path::new(argument).exists());
    let is_other = |argument: &&OsString| {
        escape(argument.as_encoded_bytes()) != file && !is_documents(Path::new(argument))
    };
    let other = files.rfind(is_other);
    let against = other.map(|other| ["--against".into(), other.clone()]);
    let verbs = [PRINTS, "pairs", file].map(OsString::from).into_iter();
    shown(&verbs.chain(against.into_iter().flatten()).collect::<Vec<_>>())
}

/// Whether documents are among what is searched: the queries of `query` are not.
fn are_documents_searched(verb: &str, after: &[OsString]) -> bool {
    let has_query = verb == "query" && !after.iter().any(|argument| argument == "--queries");
    let is_value = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| after[at].to_str());
        before.is_some_and(|before| before.starts_with('-') && takes_value(verb, before))
    };
    let named = after.iter().enumerate().filter(|(at, _)| !is_value(*at));
    let named = named.map(|(_, argument)| Path::new(argument)).filter(|path| path.exists());
    named.skip(usize::from(has_query)).any(is_documents)
}

/// Whether something is there that holds no fingerprints.
fn is_documents(path: &Path) -> bool {
    path.is_dir() && !DiskIndex::is_at(path) || expect_prints(path, PrintFormat::Nearprint).is_err()
}

/// The command with other verbs, without the options that these do not have.
fn accepted(
    before: Vec<OsString>,
    verbs: &[&str],
    after: Vec<OsString>,
    verb_before: &str,
) -> Option<String> {
    let verbs: Vec<OsString> = verbs.iter().map(OsString::from).collect();
    let mut arguments = [before, verbs, after].concat();
    for _ in 0..arguments.len() {
        let all = std::iter::once(OsString::from("nearprint")).chain(arguments.iter().cloned());
        let Err(error) = definition()?.try_get_matches_from(all) else {
            return Some(shown(&arguments));
        };
        let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
            return None;
        };
        if error.kind() != ErrorKind::UnknownArgument {
            return None;
        }
        let is_unknown = |argument: &OsString| {
            let text = argument.to_string_lossy();
            text == unknown.as_str() || text.starts_with(&format!("{unknown}="))
        };
        let at = arguments.iter().position(is_unknown)?;
        let has_value = takes_value(verb_before, unknown) && arguments[at] == unknown.as_str();
        arguments.drain(at..=(at + usize::from(has_value)).min(arguments.len() - 1));
    }
    None
}

/// Whether an option of a verb has a value.
fn takes_value(verb: &str, option: &str) -> bool {
    let Some(root) = definition() else { return false };
    let name = option.trim_start_matches('-');
    let of_name = |arg: &&clap::Arg| {
        arg.get_long() == Some(name)
            || arg.get_short().is_some_and(|short| name == short.to_string())
    };
    let found = root.find_subcommand(verb).and_then(|verb| verb.get_arguments().find(of_name));
    found.is_some_and(|arg| arg.get_action().takes_values())
}

fn parses(arguments: &[OsString]) -> bool {
    let all = std::iter::once(OsString::from("nearprint")).chain(arguments.iter().cloned());
    definition().is_some_and(|definition| definition.try_get_matches_from(all).is_ok())
}

/// A verb with one file.
fn alone(verbs: &[&str], file: &str) -> Option<String> {
    let arguments: Vec<OsString> =
        verbs.iter().copied().chain([file]).map(OsString::from).collect();
    Some(shown(&arguments))
}

/// A command line as a shell reads it.
fn shown(arguments: &[OsString]) -> String {
    let arguments = arguments.iter().map(|argument| quoted(argument));
    std::iter::once("nearprint".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// An argument as a shell reads it.
fn quoted(argument: &OsStr) -> String {
    let text = escape(argument.as_encoded_bytes());
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
