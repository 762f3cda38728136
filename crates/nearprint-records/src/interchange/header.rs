//! The header of a file: names and values, and what follows from them. [15.3] [15.4]

use nearprint_fingerprint::{CustomScheme, Scheme};

use super::{InterchangeReason, Step, check};

const MOST_NAMES: usize = 1000;
const LONGEST_NAME: usize = 64;
const CRITICAL: &str = "Critical-";

/// The names and values of a file, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InterchangeHeader {
    fields: Vec<(String, String)>,
}

impl InterchangeHeader {
    /// The scheme of the rows.
    pub const SCHEME: &'static str = "Scheme";
    /// The declaration of a custom scheme.
    pub const DECLARATION: &'static str = "Declaration";
    /// Whether rows have ids: `none`, or no such name.
    pub const IDS: &'static str = "Ids";
    /// What extracted the texts; the one name that can occur several times.
    pub const EXTRACTOR: &'static str = "Extractor";
    /// The number of the extraction profile that the texts follow.
    pub const EXTRACTION_PROFILE: &'static str = "Extraction-Profile";

    /// A header that names the scheme, and the declaration if it is a custom one.
    #[must_use]
    pub fn of(scheme: Scheme) -> Self {
        let mut fields = vec![(Self::SCHEME.to_owned(), scheme.id().to_owned())];
        if scheme.as_custom().is_some() {
            fields.push((Self::DECLARATION.to_owned(), scheme.name().to_owned()));
        }
        Self { fields }
    }

    /// Adds a name and its value.
    ///
    /// # Errors
    /// The reason for which readers would refuse it.
    pub fn push(
        &mut self,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), InterchangeReason> {
        let (name, value) = (name.into(), value.into());
        let is_new = name == Self::EXTRACTOR || self.value(&name).is_none();
        let holds = is_new
            && self.fields.len() < MOST_NAMES
            && is_name(&name)
            && is_value(&value)
            && (name != Self::IDS || value == "none");
        check(holds, InterchangeReason::Header)?;
        check(!name.starts_with(CRITICAL), InterchangeReason::Critical)?;
        self.fields.push((name, value));
        Ok(())
    }

    /// All names and values, in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The values of a name, in order.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields().filter(move |(here, _)| *here == name).map(|(_, value)| value)
    }

    /// The value of a name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// Whether rows have ids.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        self.value(Self::IDS).is_none()
    }

    /// The scheme of the rows. Neither the table nor the list that a declaration names is needed.
    pub(super) fn scheme_of_rows(&self) -> Step<Scheme> {
        self.known_scheme().ok_or(InterchangeReason::Scheme)
    }

    fn known_scheme(&self) -> Option<Scheme> {
        let id = self.value(Self::SCHEME)?;
        let Some(declaration) = self.value(Self::DECLARATION) else {
            return Scheme::all().chain([Scheme::SEOMOZ_LEGACY]).find(|scheme| scheme.id() == id);
        };
        let custom: CustomScheme = declaration.parse().ok()?;
        let scheme = Scheme::custom(custom).ok()?;
        (scheme.id() == id && custom.to_string() == declaration).then_some(scheme)
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_value(value: &str) -> bool {
    !value.is_empty()
        && !value.starts_with(' ')
        && !value.ends_with(' ')
        && !value.contains(char::is_control)
}

/// The extractors of a file, in an order that does not depend on the file.
pub(super) fn sorted_extractors(header: &InterchangeHeader) -> Vec<&str> {
    let mut extractors: Vec<_> = header.values(InterchangeHeader::EXTRACTOR).collect();
    extractors.sort_unstable();
    extractors
}
