//! Options of the form `--NAME KEY=VALUE`: settings that few people need, behind one option. Their keys are in help and
//! in the completions of shells, and a slip is answered with the key that is like it.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

/// Refuses a value with the reason.
type Check = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// A key of such an option.
#[derive(Clone)]
pub(crate) struct Key {
    name: String,
    /// What help calls its value; `None` where it has none.
    value: Option<String>,
    help: String,
    check: Check,
}

impl Key {
    /// A key with a value.
    pub(crate) fn new(
        name: impl Into<String>,
        value: &str,
        help: impl Into<String>,
        check: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        let value = Some(value.to_owned());
        Self { name: name.into(), value, help: help.into(), check: Arc::new(check) }
    }

    /// A key without a value.
    pub(crate) fn flag(name: impl Into<String>, help: impl Into<String>) -> Self {
        Self { name: name.into(), value: None, help: help.into(), check: Arc::new(|_| Ok(())) }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The keys of an option.
#[derive(Debug, Clone)]
pub(crate) struct Keys(Vec<Key>);

impl<const N: usize> From<[Key; N]> for Keys {
    fn from(keys: [Key; N]) -> Self {
        Self(keys.into())
    }
}

impl FromIterator<Key> for Keys {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Self {
        Self(keys.into_iter().collect())
    }
}

impl Keys {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A setting as typed; the value of a key without one is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    key: String,
    value: String,
}

/// The value of a key among settings: the last one that was typed.
pub(crate) fn value<'s>(settings: &'s [Setting], key: &str) -> Option<&'s str> {
    let found = settings.iter().rev().find(|setting| setting.key == key);
    found.map(|setting| setting.value.as_str())
}

/// Whether a key is among settings.
pub(crate) fn is_set(settings: &[Setting], key: &str) -> bool {
    value(settings, key).is_some()
}

/// The value of a key as what it means. Values that have no meaning were refused when they were parsed.
pub(crate) fn parsed<T, E>(
    settings: &[Setting],
    key: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Option<T> {
    value(settings, key).and_then(|value| parse(value).ok())
}

impl TypedValueParser for Keys {
    type Value = Setting;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Setting, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, text)?;
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text.as_str(), None),
        };
        // This knows which key is like a slip.
        let names = PossibleValuesParser::new(self.0.iter().map(|key| key.name.clone()));
        let name = names.parse_ref(command, arg, OsStr::new(name))?;
        let key = self.0.iter().find(|key| key.name == name).expect("one of the possible values");
        let checked = match (&key.value, value) {
            (Some(_), Some(value)) => (key.check)(value),
            (None, None) => Ok(()),
            (Some(what), None) => Err(format!("expected {name}={what}")),
            (None, Some(_)) => Err(format!("{name} has no value")),
        };
        let refuse = StringValueParser::new().try_map(move |_| checked.clone());
        refuse.parse_ref(command, arg, OsStr::new(&text))?;
        Ok(Setting { key: name, value: value.unwrap_or_default().to_owned() })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|key| {
            let name = match key.value {
                Some(_) => format!("{}=", key.name),
                None => key.name.clone(),
            };
            let help = match &key.value {
                Some(what) => format!("{what}: {}", key.help),
                None => key.help.clone(),
            };
            PossibleValue::new(name).help(help)
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        let number = |text: &str| text.parse::<u32>().map(drop).map_err(|error| error.to_string());
        [Key::new("pages", "N", "Pages", number), Key::flag("explain", "Say why")].into()
    }

    fn parse(text: &str) -> Result<Setting, String> {
        let limit = Arg::new("limit").long("limit").value_name("KEY=VALUE").value_parser(keys());
        let found = Command::new("nearprint").arg(limit).try_get_matches_from([
            "nearprint",
            "--limit",
            text,
        ]);
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.get_one::<Setting>("limit").expect("it was given").clone())
    }

    #[test]
    fn settings_are_keys_with_values() {
        let settings = [parse("pages=3").unwrap(), parse("explain").unwrap()];
        assert_eq!(parsed(&settings, "pages", str::parse::<u32>), Some(3));
        assert!(is_set(&settings, "explain") && !is_set(&settings, "glyphs"));
        let later = [settings.as_slice(), &[parse("pages=4").unwrap()]].concat();
        assert_eq!(value(&later, "pages"), Some("4"));
    }

    #[test]
    fn slips_are_answered_with_what_is_meant() {
        for (text, said) in [
            ("page=3", "a similar value exists: 'pages'"),
            ("pages", "expected pages=N"),
            ("pages=x", "invalid digit"),
            ("explain=yes", "explain has no value"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(said) && error.contains("--limit"), "{error}");
        }
    }
}
