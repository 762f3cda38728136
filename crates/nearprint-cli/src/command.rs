//! The command line, defined once: parsing, help, man pages and completions all come from here.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::color::ColorChoice;
use crate::configuration::with_configuration;
use crate::verbs::{
    CalibrateArgs, ClustersArgs, CompareArgs, CompletionsArgs, ConvertArgs, CorrelateArgs,
    DedupArgs, DiffArgs, ExtractArgs, FingerprintArgs, HealthArgs, IdfArgs, IndexArgs, ManArgs,
    PairsArgs, QueryArgs, RefingerprintArgs, SchemesArgs, ServeArgs, VectorsArgs,
};
use crate::visible;

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
}

/// The options that `-h` shows; `--help` shows all.
const USUAL: [(&str, [&str; 5]); 15] = [
    ("fingerprint", ["scheme", "format", "output", "text", "job"]),
    ("extract", ["json", "output", "charset", "media_type", "main_content"]),
    ("compare", ["measure", "threshold", "details", "scheme", "json"]),
    ("pairs", ["threshold", "measure", "against", "format", "output"]),
    ("clusters", ["threshold", "linkage", "measure", "format", "output"]),
    ("query", ["threshold", "measure", "queries", "format", "output"]),
    ("dedup", ["threshold", "keep", "against", "write", "report"]),
    ("diff", ["threshold", "changes", "format", "output", "quiet"]),
    ("convert", ["format", "prints", "scheme", "no_ids", "output"]),
    ("refingerprint", ["from", "from_scheme", "to", "format", "output"]),
    ("health", ["prints", "scheme", "format", "output", "quiet"]),
    ("serve", ["listen", "config", "allowed_host", "log", "quiet"]),
    ("idf", ["scheme", "least", "most", "output", "memory"]),
    ("calibrate", ["labels", "recall", "sample", "format", "output"]),
    ("correlate", ["scheme", "measure", "sample", "format", "report"]),
];

/// Lines of examples that `-h` shows, with their heading.
const EXAMPLES: usize = 4;

/// The same of the verbs of `index` that have many options.
const USUAL_OF_INDEX: [(&str, [&str; 5]); 1] =
    [("add", ["on_duplicate", "if_new", "k", "prints", "ids"])];

/// What the help of `--scheme` says of verbs that search.
const DEFAULT_OF_SEARCHES: &str = "md1 if texts are compared, else sd1";

/// The same of `index create`.
const DEFAULT_OF_INDEXES: &str = "md1 with --keep features, else sd1";

/// The scheme of verbs that do not search: their help names it alone.
const SCHEMES: [(&str, &str); 2] = [("convert", "sd1"), ("health", "sd1")];

/// The definition with its two kinds of help: `-h` fits on a screen, `--help` has everything.
pub(crate) fn definition() -> clap::Command {
    let mut command = Command::command();
    for (verb, usual) in USUAL {
        command = command.mut_subcommand(verb, |verb| with_short_help(verb, "nearprint", &usual));
    }
    for (verb, scheme) in SCHEMES {
        command = command.mut_subcommand(verb, |verb| with_default_scheme(verb, scheme));
    }
    command = command.mut_subcommand("index", |mut index| {
        index = index
            .mut_subcommand("create", |create| with_default_scheme(create, DEFAULT_OF_INDEXES));
        for (verb, usual) in USUAL_OF_INDEX {
            let shortened = |verb| with_short_help(verb, "nearprint index", &usual);
            index = index.mut_subcommand(verb, shortened);
        }
        index
    });
    command.mut_arg("color", |color| color.hide_short_help(true))
}

/// The verb with this default in the help of `--scheme`.
fn with_default_scheme(verb: clap::Command, scheme: &str) -> clap::Command {
    verb.mut_arg("scheme", |arg| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.help(help.replace(DEFAULT_OF_SEARCHES, scheme))
    })
}

/// The verb of a command of this name with a short help: its arguments, these options, and some examples.
fn with_short_help(verb: clap::Command, command: &str, usual: &[&str]) -> clap::Command {
    let more =
        format!("`{command} {} --help` lists all options, formats and examples.", verb.get_name());
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
    let arguments = with_configuration(&definition(), arguments, variable)
        .unwrap_or_else(|text| clap::Error::raw(ErrorKind::InvalidValue, text + "\n").exit());
    let shown = visible::arguments(&arguments);
    let matches = definition().try_get_matches_from(arguments).unwrap_or_else(|error| {
        // Its text repeats arguments: those that may not stand on a terminal are parsed once more as they are shown.
        let again = shown.and_then(|shown| definition().try_get_matches_from(shown).err());
        again.unwrap_or(error).exit()
    });
    Command::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

const AFTER: &str = "\
Examples:
  nearprint fingerprint reports > prints.txt      fingerprint all files in reports/
  nearprint clusters reports                      group near-duplicates
  nearprint query draft.html reports              find documents similar to draft.html
  nearprint pairs --prints prints.txt             search stored fingerprints
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
    Pairs(PairsArgs),
    Clusters(ClustersArgs),
    Query(QueryArgs),
    Dedup(DedupArgs),
    Diff(DiffArgs),
    Convert(ConvertArgs),
    Refingerprint(RefingerprintArgs),
    Health(HealthArgs),
    Idf(IdfArgs),
    Index(IndexArgs),
    Serve(ServeArgs),
    Calibrate(CalibrateArgs),
    Correlate(CorrelateArgs),
    Schemes(SchemesArgs),
    Vectors(VectorsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        definition().debug_assert();
    }

    #[test]
    fn short_help_fits_on_a_screen_and_shows_the_usual_options() {
        let mut command = definition().term_width(100);
        command.build();
        let of_index = USUAL_OF_INDEX.map(|(name, usual)| (Some("index"), name, usual));
        let all = USUAL.map(|(name, usual)| (None, name, usual)).into_iter().chain(of_index);
        for (group, name, usual) in all {
            let of = match group {
                Some(group) => command.find_subcommand_mut(group).unwrap(),
                None => &mut command,
            };
            let verb = of.find_subcommand_mut(name).unwrap();
            for option in usual {
                let known = verb.get_arguments().any(|argument| argument.get_id() == option);
                assert!(known, "{name}: no option {option}");
            }
            let (short, long) =
                (verb.render_help().to_string(), verb.render_long_help().to_string());
            let options = short.lines().filter(|line| line.trim_start().starts_with('-')).count();
            assert!(options <= usual.len() + 1, "{name}: {options} options\n{short}");
            assert!(
                short.lines().count() <= 40,
                "{name}: {} lines\n{short}",
                short.lines().count()
            );
            assert!(long.contains("--threads") || name == "schemes", "{name}\n{long}");
        }
    }

    #[test]
    fn every_verb_has_an_example_and_every_option_a_help_text() {
        for verb in definition().get_subcommands() {
            let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("nearprint {}", verb.get_name());
            assert!(after.contains(&example), "{}: no example", verb.get_name());
            assert!(verb.get_about().is_some(), "{}: no description", verb.get_name());
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{}: {argument}", verb.get_name());
            }
        }
    }
}
