//! What is said where no scheme has a name.

use std::fmt;

use super::Scheme;
use crate::scheme::custom::{CustomError, ID_PREFIX};

/// A name is not the id of a scheme that this build knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownScheme {
    id: String,
    /// Why it is not a declaration of a custom scheme, where it began like one.
    custom: Option<CustomError>,
}

impl UnknownScheme {
    pub(super) fn of(id: &str, custom: Option<CustomError>) -> Self {
        Self { id: excerpt(id), custom }
    }

    /// What stood where an id was expected, shortened to 32 code points where it was longer.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Display for UnknownScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.custom {
            return write!(f, "unknown scheme \"{}\": {error}", self.id.escape_debug());
        }
        let id = self.id.escape_debug();
        if self.id.get(..ID_PREFIX.len()).is_some_and(|p| p.eq_ignore_ascii_case(ID_PREFIX)) {
            return write!(
                f,
                "the declaration of the custom scheme \"{id}\" is needed (custom:...)"
            );
        }
        write!(f, "unknown scheme \"{id}\"; this build knows ")?;
        for (i, scheme) in Scheme::all().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(scheme.id())?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownScheme {}

/// Error texts quote what they refuse, but not megabytes of it.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 32;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
