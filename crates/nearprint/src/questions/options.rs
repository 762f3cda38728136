//! Options that decide rows: each declared once, in the question that has it, and interpreted by every door.
//!
//! [`options!`] writes from one declaration a struct with its defaults, its setters, its JSON and [`Options::OPTIONS`],
//! the list that doors translate: the command into arguments, the Python module into keywords, the server into fields.
//! What reads input, writes output or only makes work faster is not part of a question; it belongs to the door.

use std::fmt;

use serde_json::Value;

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

/// An option that has no such value, or does not go together with another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionError {
    option: Box<str>,
    detail: Box<str>,
    remedy: Option<&'static str>,
}

impl QuestionError {
    pub(crate) fn new(option: &str, detail: impl Into<Box<str>>) -> Self {
        Self { option: option.into(), detail: detail.into(), remedy: None }
    }

    /// With the option that has to be set for this one to apply.
    pub(crate) fn needs(self, option: &'static str) -> Self {
        Self { remedy: Some(option), ..self }
    }

    /// The name of the option.
    #[must_use]
    pub fn option(&self) -> &str {
        &self.option
    }

    /// What is wrong with it.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The option that has to be set for this one to apply, where there is one.
    #[must_use]
    pub fn remedy(&self) -> Option<&'static str> {
        self.remedy
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.detail)?;
        match self.remedy {
            Some(option) => write!(f, "; set {option}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for QuestionError {}

/// A type of which an option can be.
pub(crate) trait OptionValue: Sized {
    /// The values it takes.
    const KIND: ValueKind;

    /// The value of JSON, or what would have been expected.
    fn of(value: &Value) -> Result<Self, String>;

    /// The value as JSON.
    fn json(&self) -> Value;

    /// Refuses a value that the type holds and the option does not take.
    fn check(&self) -> Result<(), String> {
        Self::of(&self.json()).map(drop)
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    const KIND: ValueKind = T::KIND;

    fn of(value: &Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { T::of(value).map(Some) }
    }

    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::json)
    }

    fn check(&self) -> Result<(), String> {
        self.as_ref().map_or(Ok(()), T::check)
    }
}

impl OptionValue for bool {
    const KIND: ValueKind = ValueKind::Flag;

    fn of(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| expected("true or false", value))
    }

    fn json(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A share or a similarity.
impl OptionValue for f64 {
    const KIND: ValueKind = ValueKind::Share;

    fn of(value: &Value) -> Result<Self, String> {
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share.ok_or_else(|| expected("a number from 0 to 1, such as 0.3", value))
    }

    fn json(&self) -> Value {
        // What is not a number is written as text, which `of` refuses by name.
        serde_json::Number::from_f64(*self)
            .map_or_else(|| Value::String(self.to_string()), Value::Number)
    }
}

/// A count.
impl OptionValue for u64 {
    const KIND: ValueKind = ValueKind::Whole { least: 0, most: u64::MAX };

    fn of(value: &Value) -> Result<Self, String> {
        value.as_u64().ok_or_else(|| expected("a whole number", value))
    }

    fn json(&self) -> Value {
        Value::from(*self)
    }
}

/// A text.
impl OptionValue for String {
    const KIND: ValueKind = ValueKind::Text("TEXT");

    fn of(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| expected("a text", value))
    }

    fn json(&self) -> Value {
        Value::from(self.as_str())
    }
}

/// What was expected instead of a value.
pub(crate) fn expected(what: &str, value: &Value) -> String {
    /// Characters of a value that are repeated.
    const SHOWN: usize = 60;
    let value = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let shown: String = value.chars().take(SHOWN).collect();
    format!("expected {what}, not {}", shown.escape_debug())
}

/// Declares a question: a struct with defaults, setters, JSON and the list of its options.
///
/// The first words of the documentation of an option are its help everywhere. Defaults that follow from other options
/// are `None` here, and what they follow from is part of the help.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident as $question:literal {
            $( $(#[doc = $help:literal])+ $field:ident: $type:ty = $default:expr, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )+ }
            }
        }

        impl $name {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }

        impl $crate::questions::Options for $name {
            const NAME: &'static str = $question;

            const OPTIONS: &'static [$crate::questions::OptionDescription] = &[
                $( $crate::questions::OptionDescription::new(
                    stringify!($field),
                    <$type as $crate::questions::options::OptionValue>::KIND,
                    concat!($($help),+),
                ), )+
            ];

            fn set(
                &mut self,
                name: &str,
                value: &serde_json::Value,
            ) -> Result<(), $crate::questions::QuestionError> {
                use $crate::questions::{QuestionError, options::OptionValue};
                match name {
                    $( stringify!($field) => {
                        self.$field = <$type as OptionValue>::of(value)
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
                        $crate::questions::options::OptionValue::json(&self.$field)
                    } )+
                    _ => serde_json::Value::Null,
                }
            }

            fn check(&self) -> Result<(), $crate::questions::QuestionError> {
                $(
                    $crate::questions::options::OptionValue::check(&self.$field).map_err(
                        |detail| $crate::questions::QuestionError::new(stringify!($field), detail),
                    )?;
                )+
                Ok(())
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

pub(crate) use options;
