//! The options of `serve` from a file and from the environment: each is the option of the command line of the same
//! name, which is defined once. They are put in front of what was typed, so that the file gives way to the environment,
//! and both to the command line.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

/// What the names of variables begin with: `NEARPRINT_SERVE_MAX_BODY` is `--max-body`.
const PREFIX: &str = "NEARPRINT_SERVE_";

/// Options that make no sense in a file or in the environment.
const TYPED: [&str; 4] = ["check-config", "color", "help", "version"];

/// The arguments of a command line with those of a file and of the environment, if it is of `serve`.
pub(crate) fn with_configuration(
    definition: &Command,
    arguments: Vec<OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, String> {
    let Some(at) = arguments.iter().position(|argument| argument == "serve") else {
        return Ok(arguments);
    };
    let Some(serve) = definition.find_subcommand("serve") else { return Ok(arguments) };
    // What is wrong is found when all arguments are parsed.
    let matches = definition.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
    let Some(("serve", typed)) = matches.as_ref().and_then(clap::ArgMatches::subcommand) else {
        return Ok(arguments);
    };
    if typed.subcommand().is_some() {
        return Ok(arguments);
    }
    let mut given = Vec::new();
    let file =
        typed.get_one::<std::path::PathBuf>("config").map(|file| file.as_os_str().to_owned());
    let file = file.or_else(|| variable(&name(PREFIX, "config")));
    if let Some(file) = file {
        given.extend(of_file(serve, Path::new(&file))?);
    }
    for option in options(serve).filter(|option| option.get_long() != Some("config")) {
        let Some(long) = option.get_long() else { continue };
        let Some(value) = variable(&name(PREFIX, long)) else { continue };
        given.extend(of_variable(option, long, &value)?);
    }
    let mut all = arguments;
    all.splice(at + 1..at + 1, given);
    Ok(all)
}

fn name(prefix: &str, long: &str) -> String {
    format!("{prefix}{}", long.replace('-', "_").to_ascii_uppercase())
}

/// The options that a file and the environment may give.
fn options(serve: &Command) -> impl Iterator<Item = &Arg> {
    let is_given = |option: &&Arg| option.get_long().is_some_and(|long| !TYPED.contains(&long));
    serve.get_arguments().filter(is_given)
}

fn typed(long: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut argument = OsString::from(format!("--{long}="));
    argument.push(value);
    argument
}

fn of_file(serve: &Command, file: &Path) -> Result<Vec<OsString>, String> {
    let wrong = |detail: &dyn std::fmt::Display| format!("--config: {}: {detail}", file.display());
    let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| wrong(&error.message()))?;
    let mut given = Vec::new();
    for (key, value) in &table {
        let mut known = options(serve);
        let option =
            known.find(|option| option.get_long() == Some(key.as_str()) && key != "config");
        let Some(option) = option else {
            let names = options(serve).filter_map(Arg::get_long).filter(|long| *long != "config");
            let names: Vec<&str> = names.collect();
            return Err(wrong(&format!("unknown option {key}; there are {}", names.join(", "))));
        };
        let of_value = |value: &Value| match value {
            Value::String(text) => Ok(typed(key, text)),
            Value::Integer(number) => Ok(typed(key, number.to_string())),
            _ => Err(wrong(&format!("{key}: a text or a whole number is expected"))),
        };
        match (option.get_action(), value) {
            (ArgAction::SetTrue, Value::Boolean(is_set)) => {
                given.extend(is_set.then(|| OsString::from(format!("--{key}"))));
            }
            (ArgAction::SetTrue, _) => {
                return Err(wrong(&format!("{key}: true or false is expected")));
            }
            (ArgAction::Append, Value::Array(values)) => {
                for value in values {
                    given.push(of_value(value)?);
                }
            }
            (_, value) => given.push(of_value(value)?),
        }
    }
    Ok(given)
}

fn of_variable(option: &Arg, long: &str, value: &OsStr) -> Result<Vec<OsString>, String> {
    Ok(match option.get_action() {
        ArgAction::SetTrue => match value.to_str() {
            Some("true" | "1") => vec![OsString::from(format!("--{long}"))],
            Some("false" | "0" | "") => Vec::new(),
            _ => return Err(format!("{}: true or false is expected", name(PREFIX, long))),
        },
        ArgAction::Append => {
            let values = value.to_string_lossy().into_owned();
            values
                .split(',')
                .filter(|part| !part.is_empty())
                .map(|part| typed(long, part))
                .collect()
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
        fs::write(&file, "listen = \"[::1]:1\"\nmax-batch = 5\nallowed-host = [\"a\", \"b\"]\ninsecure-http = true\n")
            .unwrap();
        let file = file.to_str().unwrap();
        let all = given(
            &["serve", "d", "--max-body", "9", "--config", file],
            &[
                ("NEARPRINT_SERVE_LISTEN", "[::1]:2"),
                ("NEARPRINT_SERVE_QUIET", "true"),
                ("NEARPRINT_SERVE_CONFIG", "x"),
            ],
        );
        let mut all = all.unwrap();
        assert_eq!(all.split_off(all.len() - 5), ["d", "--max-body", "9", "--config", file]);
        assert_eq!(all[..2], ["nearprint", "serve"]);
        let at = |wanted: &str| all.iter().position(|argument| argument == wanted);
        assert!(at("--listen=[::1]:1").unwrap() < at("--listen=[::1]:2").unwrap(), "{all:?}");
        for wanted in
            ["--allowed-host=a", "--allowed-host=b", "--max-batch=5", "--insecure-http", "--quiet"]
        {
            assert!(at(wanted).is_some(), "{wanted}: {all:?}");
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
        assert!(missing.contains("/no/such/file"), "{missing}");
        let error =
            given(&["serve", "d"], &[("NEARPRINT_SERVE_INSECURE_HTTP", "maybe")]).unwrap_err();
        assert!(error.contains("NEARPRINT_SERVE_INSECURE_HTTP"), "{error}");
    }
}
