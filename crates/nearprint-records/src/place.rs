//! Where in the input something was found: said with every document and every error.

use std::fmt;
use std::path::PathBuf;

use crate::separated_writer::cell;
use crate::{
    DocumentId, escape,
    id::{bytes_path, path_bytes},
    unescape,
};

/// The place of a document, or of what should have been one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// The file's path, escaped as ids are; `-` is standard input.
    pub file: Box<str>,
    /// The member of the file that the record is in, where the file is a package; escaped as ids are. `offset` and
    /// `length` count bytes of the member.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub member: Option<Box<str>>,
    /// Bytes from the start of the file to the start of the record, where the file holds several; of a file that is
    /// compressed as a whole (`wrapper`), of what it expands to.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub offset: Option<u64>,
    /// Bytes of the record, counted as `offset` is: from its first to the last of its end, which of a line is its
    /// line feed and of an archive's record the member it is compressed in. They are the record, byte for byte.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub length: Option<u64>,
    /// The line the record begins in, counted from 1, in files made of lines.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub line: Option<u64>,
    /// The row, counted from 1, in tables without lines.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub row: Option<u64>,
    /// The record's own id inside the file.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub record: Option<DocumentId>,
    /// The compression of the file as a whole, e.g. `gzip`, that was undone before anything was counted.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub wrapper: Option<Box<str>>,
}

impl Place {
    /// A whole file.
    #[must_use]
    pub fn file(path: &std::path::Path) -> Self {
        Self { file: escape(path_bytes(path).as_ref()).into(), ..Self::default() }
    }

    /// The path of the file; `None` if the system has no such path.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        bytes_path(unescape(&self.file)?)
    }

    /// Its cells of separated values: file, offset, length, line, row, record, wrapper and member.
    pub(crate) fn cells(&self) -> [String; 8] {
        [
            self.file.to_string(),
            cell(self.offset),
            cell(self.length),
            cell(self.line),
            cell(self.row),
            cell(self.record.as_ref()),
            cell(self.wrapper.as_ref()),
            cell(self.member.as_ref()),
        ]
    }
}

/// `FILE`, `FILE:LINE`, `FILE#ROW`, or `FILE@OFFSET`, and the record's id in parentheses; of a member of a package
/// `FILE!MEMBER` in the place of `FILE`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(member) = &self.member {
            write!(f, "!{member}")?;
        }
        match (self.line, self.row, self.offset) {
            (Some(line), ..) => write!(f, ":{line}")?,
            (None, Some(row), _) => write!(f, "#{row}")?,
            (None, None, Some(offset)) => write!(f, "@{offset}")?,
            (None, None, None) => {}
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
        assert_eq!(place.path().unwrap(), std::path::Path::new("a\nb"));
        place.offset = Some(70);
        assert_eq!(place.to_string(), r"a\nb@70");
        place.row = Some(7);
        assert_eq!(place.to_string(), r"a\nb#7");
        place.line = Some(3);
        assert_eq!(place.to_string(), r"a\nb:3");
        place.record = DocumentId::new("urn:1").ok();
        assert_eq!(place.to_string(), r"a\nb:3 (urn:1)");
        let member = Some("archive/b.warc".into());
        let place = Place { file: "a.wacz".into(), member, offset: Some(7), ..Place::default() };
        assert_eq!(place.to_string(), "a.wacz!archive/b.warc@7");
    }
}
