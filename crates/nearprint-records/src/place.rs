//! Where in the input something was found: said with every document and every error.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{DocumentId, escape, id::path_octets};

/// The place of a document, or of what should have been one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Place {
    /// The file's path, escaped as ids are; `-` is standard input.
    pub file: Box<str>,
    /// Octets from the start of the file to the start of the record, where the file holds several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The line the record begins in, counted from 1, in files made of lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The record's own id inside the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<DocumentId>,
}

impl Place {
    /// A whole file.
    #[must_use]
    pub fn file(path: &std::path::Path) -> Self {
        Self { file: escape(path_octets(path).as_ref()).into(), ..Self::default() }
    }
}

/// `FILE`, `FILE:LINE`, or `FILE@OFFSET`, and the record's id in parentheses.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match (self.line, self.offset) {
            (Some(line), _) => write!(f, ":{line}")?,
            (None, Some(offset)) => write!(f, "@{offset}")?,
            (None, None) => {}
        }
        match &self.record {
            Some(record) => write!(f, " ({record})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_like_compilers_messages() {
        let mut place = Place::file(std::path::Path::new("a\nb"));
        assert_eq!(place.to_string(), r"a\nb");
        place.offset = Some(70);
        assert_eq!(place.to_string(), r"a\nb@70");
        place.line = Some(3);
        assert_eq!(place.to_string(), r"a\nb:3");
        place.record = DocumentId::new("urn:1").ok();
        assert_eq!(place.to_string(), r"a\nb:3 (urn:1)");
    }
}
