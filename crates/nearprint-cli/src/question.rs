//! The options of a question as arguments: made from the library's list, not one by one.

use std::path::Path;

use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use nearprint::records::Format;
use nearprint::{OptionDescription, Options, QuestionError, ValueKind};
use serde_json::Value;

use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;

/// The heading of the options of a question in help.
const HEADING: &str = "Question";

/// The argument that prints a question instead of asking it.
const DRY_RUN: &str = "dry_run";

/// A question as the arguments of a verb state it.
#[derive(Debug)]
pub(crate) struct QuestionArgs<Q> {
    /// The question.
    pub(crate) question: Q,
    /// Whether it is printed with all its defaults, and not asked.
    pub(crate) dry_run: bool,
}

impl<Q: Options + 'static> Args for QuestionArgs<Q> {
    fn augment_args(command: Command) -> Command {
        let usual = Q::default();
        let arguments = Q::OPTIONS.iter().flat_map(|option| arguments::<Q>(option, &usual));
        let dry_run = Arg::new(DRY_RUN)
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Print the question with all its defaults as JSON, and exit")
            .help_heading("Work");
        command.args(arguments).arg(dry_run)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<Q: Options> FromArgMatches for QuestionArgs<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut question = Q::default();
        for option in Q::OPTIONS {
            if let Some(value) = value_of(option, matches) {
                question.set(option.name, &value).map_err(|error| {
                    clap::Error::raw(clap::error::ErrorKind::ValueValidation, error)
                })?;
            }
        }
        Ok(Self { question, dry_run: matches.get_flag(DRY_RUN) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The name of an option on the command line.
fn long_name(name: &str) -> String {
    name.replace('_', "-")
}

/// How an option is written on the command line.
pub(crate) fn spelling(name: &str) -> String {
    if name.len() == 1 { format!("-{name}") } else { format!("--{}", long_name(name)) }
}

/// The arguments of an option; of a flag that is on or off by other options there are two.
fn arguments<Q: Options + 'static>(option: &'static OptionDescription, usual: &Q) -> Vec<Arg> {
    let name = option.name;
    let usual = usual.value(name);
    let mut arg = Arg::new(name).help_heading(HEADING).help(match &usual {
        Value::Null | Value::Bool(_) => option.sentence().to_owned(),
        Value::String(text) => format!("{} [default: {text}]", option.sentence()),
        value => format!("{} [default: {value}]", option.sentence()),
    });
    arg = match name.len() {
        1 => arg.short(name.chars().next()),
        _ => arg.long(long_name(name)),
    };
    let checked = move |text: String| {
        let value = option.kind.parse(&text);
        Q::default().set(name, &value).map(|()| text).map_err(|error| error.detail().to_owned())
    };
    let parser = || ValueParser::new(StringValueParser::new().try_map(checked));
    match option.kind {
        ValueKind::Flag if usual.is_null() => {
            let other = format!("no_{name}");
            let no = Arg::new(other.clone())
                .long(format!("no-{}", long_name(name)))
                .action(ArgAction::SetTrue)
                .help_heading(HEADING)
                .help(format!("The opposite of {}", spelling(name)));
            vec![arg.action(ArgAction::SetTrue).conflicts_with(other), no]
        }
        ValueKind::Flag => vec![arg.action(ArgAction::SetTrue)],
        ValueKind::Choice(names) => {
            let names = PossibleValuesParser::new(names);
            vec![arg.value_name(name.to_uppercase()).value_parser(names)]
        }
        ValueKind::Share => vec![arg.value_name("SHARE").value_parser(parser())],
        ValueKind::Text(placeholder) => {
            vec![arg.value_name(placeholder).value_parser(parser())]
        }
        _ => vec![arg.value_name("N").value_parser(parser())],
    }
}

/// The value of an option, where it is given.
fn value_of(option: &OptionDescription, matches: &ArgMatches) -> Option<Value> {
    let name = option.name;
    if option.kind != ValueKind::Flag {
        return matches.get_one::<String>(name).map(|text| option.kind.parse(text));
    }
    let other = format!("no_{name}");
    let is_off = matches.try_get_one::<bool>(&other).ok().flatten().is_some_and(|&off| off);
    if is_off {
        Some(Value::Bool(false))
    } else {
        matches.get_flag(name).then_some(Value::Bool(true))
    }
}

/// Prints a question that is not asked: a line for its JSON.
pub(crate) fn print(json: &str, output: Option<&Path>) -> Result<ExitStatus, Failure> {
    let mut out = Output::open(output, Format::Text)?;
    out.text(format!("{json}\n").as_bytes())?;
    out.finish()?;
    Ok(ExitStatus::Whole)
}

/// An option that has no such value, or that does not go together with another, is wrong usage.
impl From<QuestionError> for Failure {
    fn from(error: QuestionError) -> Self {
        let option = spelling(error.option());
        let remedy = error.remedy().map(|option| format!("; add {}", spelling(option)));
        Self::Usage(format!("{option}: {}{}", error.detail(), remedy.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use nearprint::{Compare, Distance, Pairs};

    use super::*;

    #[derive(Debug, Parser)]
    struct Verb<Q: Options + 'static> {
        #[command(flatten)]
        question: QuestionArgs<Q>,
    }

    fn parsed<Q: Options + std::fmt::Debug + 'static>(arguments: &[&str]) -> Result<Q, String> {
        let verb = Verb::<Q>::try_parse_from([&["verb"], arguments].concat());
        verb.map(|verb| verb.question.question).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_the_options_of_the_question() {
        assert_eq!(parsed::<Pairs>(&[]), Ok(Pairs::default()));
        let given =
            ["--measure", "containment", "--threshold", "0.9", "-k", "loose", "--no-verify"];
        let wanted = Pairs::default()
            .measure("containment".parse::<nearprint::SimilarityMeasure>().unwrap())
            .threshold(0.9)
            .k(Distance::Loose)
            .verify(false);
        assert_eq!(parsed::<Pairs>(&given), Ok(wanted));
        let wanted = Pairs::default().max_pairs(None).whole_buckets(true).verify(true);
        let given = ["--max-pairs", "none", "--whole-buckets", "--verify"];
        assert_eq!(parsed::<Pairs>(&given), Ok(wanted));
        assert_eq!(parsed::<Compare>(&["--details", "3"]), Ok(Compare::default().details(3)));
    }

    #[test]
    fn a_wrong_value_is_named_with_what_was_expected() {
        for (given, wanted) in [
            (&["--threshold", "2"][..], "'--threshold <SHARE>': expected a number from 0 to 1"),
            (&["-k", "near"], "'-k <DISTANCE>': expected a whole number"),
            (&["--equal", "some"], "[possible values: all, star, none]"),
            (&["--verify", "--no-verify"], "cannot be used with"),
        ] {
            let error = parsed::<Pairs>(given).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let error = Pairs::default().threshold(0.5).verify(false);
        let error = error.resolve(nearprint::Subject::Documents).unwrap_err();
        let text = Failure::from(error).text().unwrap();
        assert!(text.starts_with("--threshold: ") && text.ends_with("; add --verify"), "{text}");
    }
}
