//! The options of a question as arguments: made from the library's list, not one by one.

use std::marker::PhantomData;
use std::path::Path;

use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use nearprint::records::Format;
use nearprint::{OptionDescription, Options, QuestionError, ValueKind};
use serde_json::Value;

use crate::exit_status::{ExitStatus, Failure};
use crate::groups::{self, Group, OfDocuments, Place, place};
use crate::keys::{self, Key, Keys, Setting};
use crate::output::Output;
use crate::search_options::{self, SearchOptions};

/// The heading of the options of a question in help.
const HEADING: &str = "Question";

/// The argument that prints a question instead of asking it.
const DRY_RUN: &str = "dry_run";

/// The argument with the keys of how it is searched for.
const SEARCH: &str = "search";

/// A question as the arguments of a verb state it.
#[derive(Debug)]
pub(crate) struct QuestionArgs<Q, G = OfDocuments> {
    /// The question.
    pub(crate) question: Q,
    /// How its answer is searched for, beside what the question decides.
    pub(crate) search: SearchOptions,
    /// Whether it is printed with all its defaults, and not asked.
    pub(crate) dry_run: bool,
    group: PhantomData<G>,
}

impl<Q: Options, G: Group> QuestionArgs<Q, G> {
    /// What is done about the question; an option that is refused is wrong usage.
    pub(crate) fn resolve<R>(
        &self,
        resolve: impl FnOnce(&Q) -> Result<R, QuestionError>,
    ) -> Result<R, Failure> {
        resolve(&self.question).map_err(|error| groups::refused::<Q, G>(&error))
    }
}

/// The options of a question that are in a place.
fn options<Q: Options, G: Group>(
    wanted: Place,
) -> impl Iterator<Item = &'static OptionDescription> {
    Q::OPTIONS.iter().filter(move |option| place::<Q, G>(option.name) == wanted)
}

impl<Q: Options + 'static, G: Group> Args for QuestionArgs<Q, G> {
    fn augment_args(command: Command) -> Command {
        let usual = Q::default();
        let arguments = options::<Q, G>(Place::Option).map(|option| argument::<Q>(option, &usual));
        let dry_run = Arg::new(DRY_RUN)
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Print the question with all its defaults as JSON, and exit")
            .help_heading("Work");
        let command = command.args(arguments).arg(dry_run);
        let of_question = options::<Q, G>(Place::Search).map(|option| key::<Q>(option, &usual));
        let keys: Keys =
            of_question.chain(search_options::keys(Q::NAME, G::COMPARES_TEXTS)).collect();
        if keys.is_empty() {
            return command;
        }
        command.arg(
            Arg::new(SEARCH)
                .long(SEARCH)
                .value_name("KEY=VALUE")
                .action(ArgAction::Append)
                .value_parser(keys)
                .help("Set how candidates are searched for; can be repeated")
                .help_heading("Work"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<Q: Options, G: Group> FromArgMatches for QuestionArgs<Q, G> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut question = Q::default();
        let mut set = |name: &str, value: &Value| {
            question
                .set(name, value)
                .map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))
        };
        for option in options::<Q, G>(Place::Option) {
            if let Some(value) = value_of(option, matches) {
                set(option.name, &value)?;
            }
        }
        let given = matches.try_get_many::<Setting>(SEARCH).ok().flatten();
        let given: Vec<Setting> = given.unwrap_or_default().cloned().collect();
        for option in options::<Q, G>(Place::Search) {
            if let Some(text) = keys::value(&given, &long_name(option.name)) {
                let value = match option.kind {
                    ValueKind::Flag => Value::Bool(text != NO),
                    kind => kind.parse(text),
                };
                set(option.name, &value)?;
            }
        }
        let has_verify = Q::OPTIONS.iter().any(|option| option.name == "verify");
        if has_verify && G::COMPARES_TEXTS {
            set("verify", &Value::Bool(true))?;
        }
        let search = SearchOptions::of(&given);
        Ok(Self { question, search, dry_run: matches.get_flag(DRY_RUN), group: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of a key that says yes or no.
const YES: &str = "yes";
const NO: &str = "no";

/// The name of an option on the command line.
fn long_name(name: &str) -> String {
    name.replace('_', "-")
}

/// What help says of an option, with its default.
fn help(option: &OptionDescription, usual: &Value) -> String {
    match usual {
        Value::Null | Value::Bool(_) => option.sentence().to_owned(),
        Value::String(text) => format!("{} [default: {text}]", option.sentence()),
        value => format!("{} [default: {value}]", option.sentence()),
    }
}

/// Refuses a text that is not a value of an option.
fn check<Q: Options>(option: &OptionDescription, text: &str) -> Result<(), String> {
    let value = option.kind.parse(text);
    Q::default().set(option.name, &value).map_err(|error| error.detail().to_owned())
}

/// What help calls the values of an option.
fn value_name(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Share => "SHARE",
        ValueKind::Text(placeholder) => placeholder,
        _ => "N",
    }
}

/// A key of `--search`.
fn key<Q: Options + 'static>(option: &'static OptionDescription, usual: &Q) -> Key {
    let (name, help) = (long_name(option.name), help(option, &usual.value(option.name)));
    match option.kind {
        // What follows from other options unless it is said either way.
        ValueKind::Flag if usual.value(option.name).is_null() => {
            let check = |text: &str| match text {
                YES | NO => Ok(()),
                _ => Err(format!("expected {YES} or {NO}, not {}", text.escape_debug())),
            };
            Key::new(name, "yes|no", help, check)
        }
        ValueKind::Flag => Key::flag(name, help),
        ValueKind::Choice(names) => {
            Key::new(name, &names.join("|"), help, |text| check::<Q>(option, text))
        }
        kind => Key::new(name, value_name(kind), help, |text| check::<Q>(option, text)),
    }
}

/// The argument of an option.
fn argument<Q: Options + 'static>(option: &'static OptionDescription, usual: &Q) -> Arg {
    let name = option.name;
    let arg = Arg::new(name).help_heading(HEADING).help(help(option, &usual.value(name)));
    let arg = match name.len() {
        1 => arg.short(name.chars().next()),
        _ => arg.long(long_name(name)),
    };
    match option.kind {
        ValueKind::Flag => arg.action(ArgAction::SetTrue),
        ValueKind::Choice(names) => {
            arg.value_name(name.to_uppercase()).value_parser(PossibleValuesParser::new(names))
        }
        kind => {
            let checked = |text: String| check::<Q>(option, &text).map(|()| text);
            let parser = ValueParser::new(StringValueParser::new().try_map(checked));
            arg.value_name(value_name(kind)).value_parser(parser)
        }
    }
}

/// The value of an option, where it is given.
fn value_of(option: &OptionDescription, matches: &ArgMatches) -> Option<Value> {
    let name = option.name;
    if option.kind == ValueKind::Flag {
        return matches.get_flag(name).then_some(Value::Bool(true));
    }
    matches.get_one::<String>(name).map(|text| option.kind.parse(text))
}

/// Prints a question that is not asked: a line for its JSON.
pub(crate) fn print(json: &str, output: Option<&Path>) -> Result<ExitStatus, Failure> {
    let mut out = Output::open(output, Format::Text)?;
    out.text(format!("{json}\n").as_bytes())?;
    out.finish()?;
    Ok(ExitStatus::Whole)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use nearprint::{Compare, Distance, Pairs};

    use super::*;
    use crate::groups::OfPrints;

    #[derive(Debug, Parser)]
    struct Verb<Q: Options + 'static, G: Group> {
        #[command(flatten)]
        question: QuestionArgs<Q, G>,
    }

    fn parsed<Q: Options + std::fmt::Debug + 'static, G: Group>(
        arguments: &[&str],
    ) -> Result<Q, String> {
        let verb = Verb::<Q, G>::try_parse_from([&["verb"], arguments].concat());
        verb.map(|verb| verb.question.question).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_the_options_of_the_question() {
        let documents = Pairs::default().verify(true);
        assert_eq!(parsed::<Pairs, OfDocuments>(&[]), Ok(documents.clone()));
        let given = ["--measure", "containment", "--threshold", "0.9", "--search", "k=loose"];
        let wanted = documents
            .clone()
            .measure("containment".parse::<nearprint::SimilarityMeasure>().unwrap())
            .threshold(0.9)
            .k(Distance::Loose);
        assert_eq!(parsed::<Pairs, OfDocuments>(&given), Ok(wanted));
        let given = ["--search", "max-pairs=none", "--search", "whole-buckets"];
        let wanted = documents.max_pairs(None).whole_buckets(true);
        assert_eq!(parsed::<Pairs, OfDocuments>(&given), Ok(wanted));
        let of_prints = parsed::<Pairs, OfPrints>(&["-k", "loose"]);
        assert_eq!(of_prints, Ok(Pairs::default().k(Distance::Loose)));
        let compared = parsed::<Compare, OfDocuments>(&["--details", "3"]);
        assert_eq!(compared, Ok(Compare::default().details(3)));
    }

    #[test]
    fn a_wrong_value_is_named_with_what_was_expected() {
        for (given, wanted) in [
            (&["--threshold", "2"][..], "'--threshold <SHARE>': expected a number from 0 to 1"),
            (&["--search", "k=near"], "'--search <KEY=VALUE>': expected a whole number"),
            (&["--search", "max-pair=1"], "a similar value exists: 'max-pairs'"),
            (&["-k", "3"], "unexpected argument '-k'"),
        ] {
            let error = parsed::<Pairs, OfDocuments>(given).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        let error = parsed::<Pairs, OfPrints>(&["--threshold", "0.5"]).unwrap_err();
        assert!(error.contains("unexpected argument '--threshold'"), "{error}");
        let error = Pairs::default().bands("40x3".parse::<nearprint::search::Bands>().unwrap());
        let error =
            error.resolve(nearprint::Subject::Fingerprints(nearprint::fingerprint::Scheme::SD1));
        let text = groups::refused::<Pairs, OfPrints>(&error.unwrap_err()).text().unwrap();
        assert!(text.starts_with("--search bands: "), "{text}");
    }
}
