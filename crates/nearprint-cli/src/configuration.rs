//! Options from a file and from the environment: each is the option of the command line of the same name, which is
//! defined once. They are put in front of what was typed, so that the file gives way to the environment, and both to
//! the command line.
//!
//! A file is read only where it is named. For `serve` it may have all options; for other verbs those that decide no
//! rows, so that nobody gets other results on another machine.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::{Table, Value};

use crate::other_command::verbs_in;

/// The variable with the name of the file.
const FILE: &str = "NEARPRINT_CONFIG";

/// What the names of variables for `serve` begin with: `NEARPRINT_SERVE_LISTEN` is `--listen`.
const PREFIX: &str = "NEARPRINT_SERVE_";

/// Options that make no sense in a file or in the environment.
const TYPED: [&str; 5] = ["dry-run", "config", "color", "help", "version"];

/// The options that a file may have for verbs other than `serve`.
const OF_ALL_VERBS: [&str; 4] = ["threads", "quiet", "color", LIMIT];

/// The option of which a file may have some keys.
const LIMIT: &str = "limit";

/// These keys.
const LIMITS: [&str; 4] = ["memory", "worker-memory", "worker-time", "commit"];

/// The arguments of a command line with those of a file and of the environment.
pub(crate) fn with_configuration(
    definition: &Command,
    arguments: Vec<OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, String> {
    let mut root = definition.clone();
    root.build();
    let verbs = verbs_in(&root, &arguments);
    let Some(&at) = verbs.last() else { return Ok(arguments) };
    let named = verbs.iter().try_fold(&root, |verb, &at| verb.find_subcommand(&arguments[at]));
    let Some(verb) = named else { return Ok(arguments) };
    let is_server = verbs.len() == 1 && verb.get_name() == "serve";
    // What is wrong is found when all arguments are parsed.
    let matches = definition.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
    let Some(typed) = matches.as_ref().and_then(|matches| matches_of(matches, verbs.len())) else {
        return Ok(arguments);
    };
    let file = typed.try_get_one::<PathBuf>("config").ok().flatten();
    let file = file.map(|file| ("--config".to_owned(), file.as_os_str().to_owned()));
    let file = file.or_else(|| {
        let name = match is_server {
            true => variable_name("config"),
            false => FILE.to_owned(),
        };
        variable(&name).map(|file| (name, file))
    });
    let mut given = Vec::new();
    if let Some((source, file)) = file {
        let of_file = of_file(verb, is_server, typed, Path::new(&file))
            .and_then(|given| checked(definition, &arguments[..=at], given))
            .map_err(|detail| format!("{source}: {}: {detail}", Path::new(&file).display()))?;
        given.extend(of_file);
    }
    if is_server {
        for (option, long) in options(verb) {
            if let Some(value) = variable(&variable_name(long)) {
                given.extend(of_variable(option, long, &value)?);
            }
        }
    }
    let mut all = arguments;
    all.splice(at + 1..at + 1, given);
    Ok(all)
}

/// What was typed of the verb at this depth.
fn matches_of(matches: &ArgMatches, depth: usize) -> Option<&ArgMatches> {
    (0..depth).try_fold(matches, |matches, _| Some(matches.subcommand()?.1))
}

fn variable_name(long: &str) -> String {
    format!("{PREFIX}{}", long.replace('-', "_").to_ascii_uppercase())
}

/// The options of `serve` that a file and the environment may give, with their names.
fn options(serve: &Command) -> impl Iterator<Item = (&Arg, &str)> {
    let named = serve.get_arguments().filter_map(|option| Some((option, option.get_long()?)));
    named.filter(|(_, long)| !TYPED.contains(long))
}

fn typed(long: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut argument = OsString::from(format!("--{long}="));
    argument.push(value);
    argument
}

fn of_file(
    verb: &Command,
    is_server: bool,
    matches: &ArgMatches,
    file: &Path,
) -> Result<Vec<OsString>, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        format!("line {}: {}", before.matches('\n').count() + 1, error.message())
    })?;
    let known: Vec<&str> = match is_server {
        true => options(verb).map(|(_, long)| long).collect(),
        false => OF_ALL_VERBS.into(),
    };
    let mut given = Vec::new();
    for (key, value) in &table {
        if !known.contains(&key.as_str()) {
            return Err(format!("unknown option {key}; there are {}", known.join(", ")));
        }
        if key == LIMIT && !is_server {
            let mut keys = value.as_table().map(Table::keys).into_iter().flatten();
            let other = keys.find(|key| !LIMITS.contains(&key.as_str()));
            if let Some(other) = other {
                return Err(format!("unknown limit {other}; there are {}", LIMITS.join(", ")));
            }
        }
        // One file is for all verbs, not all of which have every option.
        let of_name = |option: &&Arg| option.get_long() == Some(key.as_str());
        let Some(option) = verb.get_arguments().find(of_name) else { continue };
        let id = option.get_id().as_str();
        let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_typed || matches!(option.get_action(), ArgAction::Append) {
            let arguments = of_value(option, key, value);
            given.extend(arguments.map_err(|detail| format!("{key}: {detail}"))?);
        }
    }
    Ok(given)
}

/// The arguments of a file, if the verb can have them: else nothing would say that a wrong value is in the file.
fn checked(
    definition: &Command,
    verb: &[OsString],
    given: Vec<OsString>,
) -> Result<Vec<OsString>, String> {
    let alone = definition.clone().try_get_matches_from(verb.iter().chain(&given));
    match alone {
        Err(error)
            if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) =>
        {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.strip_prefix("error: ").unwrap_or(first).to_owned())
        }
        _ => Ok(given),
    }
}

/// The arguments that a value of a file stands for.
fn of_value(option: &Arg, key: &str, value: &Value) -> Result<Vec<OsString>, String> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        _ => Err("a text or a whole number is expected".to_owned()),
    };
    match (option.get_action(), value) {
        (ArgAction::SetTrue | ArgAction::Count, Value::Boolean(is_set)) => {
            Ok(is_set.then(|| OsString::from(format!("--{key}"))).into_iter().collect())
        }
        (ArgAction::SetTrue | ArgAction::Count, _) => Err("true or false is expected".to_owned()),
        (ArgAction::Append, Value::Array(values)) => {
            values.iter().map(|value| Ok(typed(key, text(value)?))).collect()
        }
        // Of limits, a verb has those that it may need.
        (ArgAction::Append, Value::Table(table)) => {
            let has = |name: &str| {
                let mut values = option.get_possible_values().into_iter();
                values.any(|value| value.get_name() == format!("{name}="))
            };
            let all = table
                .iter()
                .filter(|(name, _)| key != LIMIT || has(name) || !LIMITS.contains(&name.as_str()));
            all.map(|(name, value)| Ok(typed(key, format!("{name}={}", text(value)?)))).collect()
        }
        (_, value) => Ok(vec![typed(key, text(value)?)]),
    }
}

fn of_variable(option: &Arg, long: &str, value: &OsStr) -> Result<Vec<OsString>, String> {
    Ok(match option.get_action() {
        ArgAction::SetTrue | ArgAction::Count => match value.to_str() {
            Some("true" | "1") => vec![OsString::from(format!("--{long}"))],
            Some("false" | "0" | "") => Vec::new(),
            _ => return Err(format!("{}: true or false is expected", variable_name(long))),
        },
        ArgAction::Append => {
            let values = value.to_string_lossy().into_owned();
            let parts = values.split(',').filter(|part| !part.is_empty());
            parts.map(|part| typed(long, part)).collect()
        }
        _ => vec![typed(long, value)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::definition;

    fn given(typed: &[&str], variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let arguments = ["nearprint"].iter().chain(typed).map(OsString::from).collect();
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let all = with_configuration(&definition(), arguments, variable)?;
        Ok(all.into_iter().map(|argument| argument.into_string().unwrap()).collect())
    }

    #[test]
    fn the_file_comes_first_then_the_environment_then_what_is_typed() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("serve.toml");
        fs::write(&file, "listen = \"[::1]:1\"\nallowed-host = [\"a\", \"b\"]\ninsecure-http = true\n[limit]\nbatch = 5\n")
            .unwrap();
        let file = file.to_str().unwrap();
        let all = given(
            &["serve", "d", "--limit", "body=9", "--config", file],
            &[
                ("NEARPRINT_SERVE_LISTEN", "[::1]:2"),
                ("NEARPRINT_SERVE_QUIET", "true"),
                ("NEARPRINT_SERVE_CONFIG", "x"),
            ],
        );
        let mut all = all.unwrap();
        assert_eq!(all.split_off(all.len() - 5), ["d", "--limit", "body=9", "--config", file]);
        assert_eq!(all[..2], ["nearprint", "serve"]);
        let at = |wanted: &str| all.iter().position(|argument| argument == wanted);
        assert!(at("--listen=[::1]:1").unwrap() < at("--listen=[::1]:2").unwrap(), "{all:?}");
        for wanted in [
            "--allowed-host=a",
            "--allowed-host=b",
            "--limit=batch=5",
            "--insecure-http",
            "--quiet",
        ] {
            assert!(at(wanted).is_some(), "{wanted}: {all:?}");
        }
    }

    #[test]
    fn other_verbs_have_what_decides_no_rows() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("nearprint.toml");
        fs::write(&file, "threads = 2\nquiet = true\n[limit]\nmemory = \"1G\"\nworker-time = 9\n")
            .unwrap();
        let file = file.to_str().unwrap();
        let all = given(&["pairs", "d", "--config", file], &[]).unwrap();
        let wanted =
            ["pairs", "--limit=memory=1G", "--limit=worker-time=9", "--quiet", "--threads=2"];
        assert_eq!(all[1..6], wanted);
        // What was typed counts, and a verb gets what it has.
        let all = given(&["prints", "pairs", "-j", "3", "d"], &[("NEARPRINT_CONFIG", file)]);
        let all = all.unwrap();
        assert_eq!(all[1..], ["prints", "pairs", "--limit=memory=1G", "--quiet", "-j", "3", "d"]);
        for (text, wanted) in [
            ("threshold = 0.5", "unknown option threshold; there are threads, quiet"),
            ("[limit]\npages = 3", "unknown limit pages; there are memory"),
        ] {
            fs::write(file, text).unwrap();
            let error = given(&["pairs", "d", "--config", file], &[]).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn other_verbs_are_left_alone() {
        let variables =
            [("NEARPRINT_SERVE_LISTEN", "[::1]:2"), ("NEARPRINT_SERVE_CONFIG", "nothing")];
        for typed in
            [&["pairs", "serve"][..], &["serve", "token", "list", "d"], &[], &["extract", "serve"]]
        {
            let all = given(typed, &variables).unwrap();
            assert_eq!(all[1..], *typed, "{typed:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("serve.toml");
        for (text, wanted) in [
            ("listn = 1", "listn"),
            ("config = \"x\"", "unknown option config"),
            ("color = \"never\"", "unknown option color"),
            ("insecure-http = 1", "true or false"),
            ("listen = [1]", "a text or a whole number"),
            ("listen", "serve.toml"),
        ] {
            fs::write(&file, text).unwrap();
            let error =
                given(&["serve", "d", "--config", file.to_str().unwrap()], &[]).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let missing = given(&["serve", "d", "--config", "/no/such/file"], &[]).unwrap_err();
        assert!(missing.contains("--config: /no/such/file"), "{missing}");
        fs::write(&file, "quiet = true\n\nthreads = \n").unwrap();
        let variables = [("NEARPRINT_CONFIG", file.to_str().unwrap())];
        let error = given(&["pairs", "d"], &variables).unwrap_err();
        assert!(error.starts_with("NEARPRINT_CONFIG: ") && error.contains("line 3: "), "{error}");
        fs::write(&file, "threads = \"many\"\n").unwrap();
        let error = given(&["pairs", "d"], &variables).unwrap_err();
        assert!(error.contains("serve.toml: invalid value 'many' for '--threads"), "{error}");
        let error =
            given(&["serve", "d"], &[("NEARPRINT_SERVE_INSECURE_HTTP", "maybe")]).unwrap_err();
        assert!(error.contains("NEARPRINT_SERVE_INSECURE_HTTP"), "{error}");
    }
}
