//! The command line, defined once: parsing, help, man pages and completions all come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::color::ColorChoice;
use crate::configuration::with_configuration;
use crate::verbs::{
    ClustersArgs, CompareArgs, CompletionsArgs, DecisionsArgs, DedupArgs, DiffArgs, ExtractArgs,
    FingerprintArgs, IndexArgs, ManArgs, PairsArgs, PassagesArgs, PrintsArgs, QueryArgs, ServeArgs,
};
use crate::{other_command, visible};

/// Find near-duplicate documents in text, HTML, XML, PDF and other formats
#[derive(Debug, Parser)]
#[command(name = "nearprint", version, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Command {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// When to use color
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Work"
    )]
    pub(crate) color: ColorChoice,
    /// Read threads, quiet, color and limits of the work from FILE, a TOML file; it decides no rows. Options overrule
    /// it. The variable NEARPRINT_CONFIG names such a file, too. The FILE of serve is the server's own configuration
    /// instead, with the variable NEARPRINT_SERVE_CONFIG
    #[arg(long, global = true, value_name = "FILE", help_heading = "Work")]
    config: Option<PathBuf>,
}

/// The options that `-h` shows; `--help` shows all.
const USUAL: [(&[&str], [&str; 5]); 22] = [
    (&["fingerprint"], ["scheme", "format", "output", "read", "job"]),
    (&["extract"], ["json", "output", "read", "glob", "force"]),
    (&["compare"], ["measure", "threshold", "details", "scheme", "json"]),
    (&["pairs"], ["threshold", "measure", "against", "format", "output"]),
    (&["clusters"], ["threshold", "linkage", "measure", "format", "output"]),
    (&["query"], ["threshold", "measure", "queries", "format", "output"]),
    (&["dedup"], ["policy", "keep", "against", "write", "report"]),
    (&["diff"], ["threshold", "changes", "format", "output", "quiet"]),
    (&["passages"], ["min_tokens", "report", "against", "format", "output"]),
    (&["passages", "boilerplate"], ["min_tokens", "least", "most", "format", "output"]),
    (&["passages", "decontaminate"], ["against", "fields", "policy", "format", "output"]),
    (&["index", "add"], ["on_duplicate", "if_new", "k", "metadata", "read"]),
    (&["serve"], ["listen", "config", "allowed_host", "log", "quiet"]),
    (&["prints", "pairs"], ["k", "against", "format", "output", "quiet"]),
    (&["prints", "clusters"], ["k", "format", "output", "report", "quiet"]),
    (&["prints", "query"], ["k", "queries", "max_matches", "format", "output"]),
    (&["prints", "convert"], ["format", "read", "scheme", "no_ids", "output"]),
    (&["prints", "refingerprint"], ["from", "to", "format", "output", "quiet"]),
    (&["prints", "health"], ["read", "scheme", "format", "output", "quiet"]),
    (&["prints", "idf"], ["scheme", "least", "most", "output", "limit"]),
    (&["prints", "calibrate"], ["labels", "recall", "sample", "format", "output"]),
    (&["prints", "correlate"], ["scheme", "measure", "sample", "format", "report"]),
];

/// Lines of examples that `-h` shows, with their heading.
const EXAMPLES: usize = 4;

/// What the help of `--scheme` says where the verb says nothing else.
const DEFAULT_SCHEME: &str = "that of the fingerprints, else sd1";

/// What it says of verbs to which that does not apply.
const SCHEMES: [(&[&str], &str); 2] = [
    (&["index", "create"], "md1, with --keep fingerprints sd1"),
    (&["prints", "correlate"], "sd1"),
];

/// The definition with its two kinds of help: `-h` fits on a screen, `--help` has everything.
pub(crate) fn definition() -> clap::Command {
    let mut command = Command::command();
    for (path, usual) in USUAL {
        let full = format!("nearprint {}", path.join(" "));
        command = changed(command, path, &|verb| with_short_help(verb, &full, &usual));
    }
    for (path, scheme) in SCHEMES {
        command = changed(command, path, &|verb| with_default_scheme(verb, scheme));
    }
    command
        .mut_arg("color", |color| color.hide_short_help(true))
        .mut_arg("config", |config| config.hide_short_help(true))
}

/// The command with one of its verbs changed, which may be in a group.
fn changed(
    command: clap::Command,
    path: &[&str],
    change: &dyn Fn(clap::Command) -> clap::Command,
) -> clap::Command {
    match path {
        [] => change(command),
        [first, rest @ ..] => command.mut_subcommand(first, |verb| changed(verb, rest, change)),
    }
}

/// The verb with this default in the help of `--scheme`.
fn with_default_scheme(verb: clap::Command, scheme: &str) -> clap::Command {
    verb.mut_arg("scheme", |arg| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.help(help.replace(DEFAULT_SCHEME, scheme))
    })
}

/// The verb, called by its full name, with a short help: its arguments, these options, and some examples.
fn with_short_help(verb: clap::Command, full: &str, usual: &[&str]) -> clap::Command {
    let more = format!("`{full} --help` lists all options, keys, formats and examples.");
    let examples = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
    let first: Vec<&str> = examples.lines().take(EXAMPLES).collect();
    verb.mut_args(|arg| {
        let is_usual = arg.is_positional() || usual.contains(&arg.get_id().as_str());
        arg.hide_short_help(!is_usual)
    })
    .after_help(format!("{}\n\n{more}", first.join("\n")))
    .after_long_help(examples)
}

/// A variable of the environment.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// A command line, the first argument of which is the command's name; wrong usage ends the process with 2.
pub(crate) fn parse(arguments: Vec<OsString>) -> Command {
    other_command::remember(definition(), &arguments);
    let arguments = with_configuration(&definition(), arguments, variable)
        .unwrap_or_else(|text| clap::Error::raw(ErrorKind::InvalidValue, text + "\n").exit());
    let shown = visible::arguments(&arguments);
    let matches = definition().try_get_matches_from(arguments).unwrap_or_else(|error| {
        // Its text repeats arguments: those that may not stand on a terminal are parsed once more as they are shown.
        let again = shown.and_then(|shown| definition().try_get_matches_from(shown).err());
        with_tip(again.unwrap_or(error)).exit()
    });
    Command::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The error with a hint for those who expect that standard input is read where no input is named, and for those who
/// type a key as an option.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let is_input = |name: &String| name.contains("<INPUT>") || name.contains("<PATH>");
    let tip = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(all)))
            if all.iter().any(is_input) =>
        {
            Some("standard input is read where it is named: -".to_owned())
        }
        (ErrorKind::UnknownArgument, Some(ContextValue::String(name))) => {
            let key = other_command::option_with_key(name.trim_start_matches('-'));
            key.map(|key| format!("there is a key of this name: {key}"))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        error.remove(ContextKind::SuggestedArg);
    }
    error
}

const AFTER: &str = "\
Examples:
  nearprint fingerprint reports > prints.txt      fingerprint all files in reports/
  nearprint clusters reports                      group near-duplicates
  nearprint query draft.html reports              find documents similar to draft.html
  nearprint prints pairs prints.txt               search stored fingerprints
  nearprint dedup --write unique reports          copy everything except duplicates

Exit codes:
  0  success; documents without text are not failures
  1  some documents failed, the others were processed; see standard error
  2  wrong usage; nothing was done
  3  the command failed, e.g. the output could not be written
An unfinished --output file is removed when a signal ends the command. When the
reader of standard output exits, as head does, the exit code is 0.";

/// The verb.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Fingerprint(FingerprintArgs),
    Extract(ExtractArgs),
    Compare(CompareArgs),
    Pairs(Box<PairsArgs>),
    Clusters(Box<ClustersArgs>),
    Query(Box<QueryArgs>),
    Dedup(DedupArgs),
    Decisions(DecisionsArgs),
    Diff(DiffArgs),
    Passages(Box<PassagesArgs>),
    Index(IndexArgs),
    Serve(ServeArgs),
    Prints(PrintsArgs),
    #[command(hide = true)]
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Options of one verb, at most.
    const OF_A_VERB: usize = 25;

    /// Options of the command, at most.
    const OF_ALL: usize = 80;

    /// Keys of `--search`, `--read` and `--limit`, at most.
    const KEYS: usize = 64;

    #[test]
    fn the_definition_is_consistent() {
        definition().debug_assert();
    }

    /// Every verb that has no verbs of its own, with its full name.
    fn verbs(command: &clap::Command, name: &str) -> Vec<(String, clap::Command)> {
        let mut found = Vec::new();
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let name = format!("{name} {}", verb.get_name());
            let below = verbs(verb, &name);
            if below.is_empty() || ["serve", "passages"].contains(&verb.get_name()) {
                found.push((name, verb.clone()));
            }
            found.extend(below);
        }
        found
    }

    #[test]
    fn options_are_few() {
        let mut command = definition();
        command.build();
        let (mut all, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for (name, verb) in verbs(&command, "nearprint") {
            let options = verb.get_arguments().filter(|arg| {
                !arg.is_positional() && !["help", "version"].contains(&arg.get_id().as_str())
            });
            let options: Vec<_> = options.collect();
            let spelled: Vec<String> = options
                .iter()
                .map(|arg| arg.get_long().map_or_else(|| arg.to_string(), str::to_owned))
                .collect();
            assert!(spelled.len() <= OF_A_VERB, "{name}: {} of {spelled:?}", spelled.len());
            all.extend(spelled);
            for arg in options.iter().filter(|arg| {
                arg.get_value_names().is_some_and(|names| names[0].as_str() == "KEY=VALUE")
            }) {
                let values = arg.get_possible_values();
                keys.extend(values.iter().map(|value| value.get_name().to_owned()));
            }
        }
        assert!(all.len() <= OF_ALL, "{} options: {all:?}", all.len());
        assert!(keys.len() <= KEYS, "{} keys: {keys:?}", keys.len());
    }

    #[test]
    fn short_help_fits_on_a_screen_and_shows_the_usual_options() {
        let mut command = definition().term_width(100);
        command.build();
        for (path, usual) in USUAL {
            let name = path.join(" ");
            let verb = path
                .iter()
                .fold(&mut command, |command, name| command.find_subcommand_mut(name).unwrap());
            for option in usual {
                let known = verb.get_arguments().any(|argument| argument.get_id() == option);
                assert!(known, "{name}: no option {option}");
            }
            let (short, long) =
                (verb.render_help().to_string(), verb.render_long_help().to_string());
            // Texts stand further to the right.
            let begins = |line: &&str| line.starts_with("  -") || line.starts_with("      --");
            let before_examples = short.lines().take_while(|line| *line != "Examples:");
            let options = before_examples.filter(begins).count();
            assert!(options <= usual.len() + 1, "{name}: {options} options\n{short}");
            let lines = short.lines().count();
            assert!(lines <= 40, "{name}: {lines} lines\n{short}");
            assert!(long.contains("--color"), "{name}\n{long}");
        }
    }

    #[test]
    fn every_verb_has_an_example_and_every_option_a_help_text() {
        for (name, verb) in verbs(&definition(), "nearprint") {
            let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            // Their group has one.
            let is_short = name.contains(" token ");
            assert!(after.contains(&name) || is_short, "{name}: no example");
            assert!(verb.get_about().is_some(), "{name}: no description");
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{name}: {argument}");
            }
        }
    }
}
