//! Options that decide rows: each declared once, in the question that has it, and interpreted by every door.
//!
//! [`options!`] writes from one declaration a struct with its defaults, its setters and the check of its values, and
//! with the feature `json` its JSON and `Options::OPTIONS`, the list that doors translate: the command into arguments,
//! the Python module into keywords, the server into fields. What reads input, writes output or only makes work faster
//! is not part of a question; it belongs to the door.

#[cfg(feature = "json")]
pub(crate) mod by_name;
#[cfg(not(feature = "json"))]
#[path = "options/by_name_none.rs"]
pub(crate) mod by_name;

use std::fmt;

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
    /// Refuses a value that the type holds and the option does not take.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn check(&self) -> Result<(), String> {
        self.as_ref().map_or(Ok(()), T::check)
    }
}

impl OptionValue for bool {}

/// A share or a similarity.
impl OptionValue for f64 {
    fn check(&self) -> Result<(), String> {
        if (0.0..=1.0).contains(self) {
            return Ok(());
        }
        Err(expected(SHARE, &format!("{self:?}")))
    }
}

/// A count.
impl OptionValue for u64 {}

/// A text.
impl OptionValue for String {}

/// What an option that is a share takes.
pub(crate) const SHARE: &str = "a number from 0 to 1, such as 0.3";

/// What was expected instead of a value.
pub(crate) fn expected(what: &str, value: &str) -> String {
    /// Characters of a value that are repeated.
    const SHOWN: usize = 60;
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

            /// Refuses values outside of their ranges, which setters do not look at.
            pub(crate) fn check(&self) -> Result<(), $crate::questions::QuestionError> {
                $(
                    $crate::questions::options::OptionValue::check(&self.$field).map_err(
                        |detail| $crate::questions::QuestionError::new(stringify!($field), detail),
                    )?;
                )+
                Ok(())
            }
        }

        $crate::questions::options::by_name::by_name! {
            $name as $question { $( [$($help),+] $field: $type, )+ }
        }
    };
}

pub(crate) use options;
