//! Options by name: what doors translate, and what JSON is made of.

use serde_json::Value;

use super::{OptionValue, QuestionError, SHARE, expected};

/// The options of a question, by name.
pub trait Options: Default {
    /// The name of the question in lower case, such as `pairs`.
    const NAME: &'static str;

    /// All options, in the order in which help lists them.
    const OPTIONS: &'static [OptionDescription];

    /// Sets the option of a name.
    ///
    /// # Errors
    /// Where the question has no option of this name, or the option does not take this value.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), QuestionError>;

    /// The value of the option of a name; null where it is not set, or the question has no such option.
    fn value(&self, name: &str) -> Value;

    /// Refuses values outside of their ranges, which setters do not look at.
    ///
    /// # Errors
    /// The first one.
    fn check(&self) -> Result<(), QuestionError>;
}

/// An option as help, signatures and schemas describe it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionDescription {
    /// Its name: lower case, words joined by `_`. A name of one letter is a short option of the command.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: ValueKind,
    /// What it decides, in one or two sentences of Markdown without markup.
    pub help: &'static str,
}

impl OptionDescription {
    /// A description.
    #[must_use]
    pub const fn new(name: &'static str, kind: ValueKind, help: &'static str) -> Self {
        Self { name, kind, help }
    }

    /// What it decides, without the blanks around it.
    #[must_use]
    pub fn sentence(&self) -> &'static str {
        self.help.trim()
    }
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ValueKind {
    /// True or false.
    Flag,
    /// A number from 0 to 1.
    Share,
    /// A whole number within these bounds, both included.
    Whole {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A whole number, or `none` for no bound.
    Bound,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A text; this is what help calls it.
    Text(&'static str),
}

impl ValueKind {
    /// The value of a text, as a command line or an address has it.
    #[must_use]
    pub fn parse(self, text: &str) -> Value {
        let number = || serde_json::from_str::<serde_json::Number>(text).ok().map(Value::Number);
        let parsed = match self {
            Self::Flag => text.parse().ok().map(Value::Bool),
            // People also write `.9`, which JSON does not.
            Self::Share => number().or_else(|| {
                text.parse().ok().and_then(serde_json::Number::from_f64).map(Value::Number)
            }),
            Self::Whole { .. } | Self::Bound => number(),
            Self::Choice(_) => None,
            // Distances are numbers or names.
            Self::Text(_) => None,
        };
        parsed.unwrap_or_else(|| Value::String(text.to_owned()))
    }
}

/// A type of which an option can be, as doors write it.
pub(crate) trait NamedValue: OptionValue {
    /// The values it takes.
    const KIND: ValueKind;

    /// The value of JSON, or what would have been expected.
    fn of(value: &Value) -> Result<Self, String>;

    /// The value as JSON.
    fn json(&self) -> Value;
}

impl<T: NamedValue> NamedValue for Option<T> {
    const KIND: ValueKind = T::KIND;

    fn of(value: &Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { T::of(value).map(Some) }
    }

    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::json)
    }
}

impl NamedValue for bool {
    const KIND: ValueKind = ValueKind::Flag;

    fn of(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| unexpected("true or false", value))
    }

    fn json(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A share or a similarity.
impl NamedValue for f64 {
    const KIND: ValueKind = ValueKind::Share;

    fn of(value: &Value) -> Result<Self, String> {
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share.ok_or_else(|| unexpected(SHARE, value))
    }

    fn json(&self) -> Value {
        // What is not a number is written as text, which `of` refuses by name.
        serde_json::Number::from_f64(*self)
            .map_or_else(|| Value::String(self.to_string()), Value::Number)
    }
}

/// A count.
impl NamedValue for u64 {
    const KIND: ValueKind = ValueKind::Whole { least: 0, most: u64::MAX };

    fn of(value: &Value) -> Result<Self, String> {
        value.as_u64().ok_or_else(|| unexpected("a whole number", value))
    }

    fn json(&self) -> Value {
        Value::from(*self)
    }
}

/// A text.
impl NamedValue for String {
    const KIND: ValueKind = ValueKind::Text("TEXT");

    fn of(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| unexpected("a text", value))
    }

    fn json(&self) -> Value {
        Value::from(self.as_str())
    }
}

/// What was expected instead of a value of JSON.
pub(crate) fn unexpected(what: &str, value: &Value) -> String {
    match value {
        Value::String(text) => expected(what, text),
        value => expected(what, &value.to_string()),
    }
}

/// Writes the list of the options of a question, and its JSON.
macro_rules! by_name {
    ($name:ident as $question:literal { $( [$($help:literal),+] $field:ident: $type:ty, )+ }) => {
        impl $crate::questions::Options for $name {
            const NAME: &'static str = $question;

            const OPTIONS: &'static [$crate::questions::OptionDescription] = &[
                $( $crate::questions::OptionDescription::new(
                    stringify!($field),
                    <$type as $crate::questions::options::by_name::NamedValue>::KIND,
                    concat!($($help),+),
                ), )+
            ];

            fn set(
                &mut self,
                name: &str,
                value: &serde_json::Value,
            ) -> Result<(), $crate::questions::QuestionError> {
                use $crate::questions::{QuestionError, options::by_name::NamedValue};
                match name {
                    $( stringify!($field) => {
                        self.$field = <$type as NamedValue>::of(value)
                            .map_err(|detail| QuestionError::new(name, detail))?;
                    } )+
                    _ => {
                        let detail = format!("{} has no such option", $question);
                        return Err(QuestionError::new(name, detail));
                    }
                }
                Ok(())
            }

            fn value(&self, name: &str) -> serde_json::Value {
                match name {
                    $( stringify!($field) => {
                        $crate::questions::options::by_name::NamedValue::json(&self.$field)
                    } )+
                    _ => serde_json::Value::Null,
                }
            }

            fn check(&self) -> Result<(), $crate::questions::QuestionError> {
                <$name>::check(self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::questions::json::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::questions::json::deserialize(deserializer)
            }
        }
    };
}

pub(crate) use by_name;
