//! Lists of paths: each ending with NUL, as `find -print0` writes them, the one separator no path can hold; or one a
//! line.

use std::io::{BufRead, Read};
use std::path::PathBuf;

use crate::id::bytes_path;
use crate::{ErrorRecord, Place, ReasonCode};

/// The longest path in a list, in bytes: well above what any system opens, well below what hurts.
const LONGEST_PATH: u64 = 64 << 10;

/// What sets the paths of a list apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSeparator {
    /// NUL. An empty path is an error.
    Nul,
    /// LF or CR LF, so that no path may hold LF or end with CR. Empty lines are skipped.
    Line,
}

impl PathSeparator {
    fn byte(self) -> u8 {
        match self {
            Self::Nul => 0,
            Self::Line => b'\n',
        }
    }

    /// Why bytes without a separator are no list of paths.
    fn missing(self) -> String {
        match self {
            Self::Nul => format!(
                "no NUL within {LONGEST_PATH} bytes; paths must be separated by NUL, as from \
                    find -print0"
            ),
            Self::Line => format!(
                "no line end within {LONGEST_PATH} bytes; each path must be on its own line"
            ),
        }
    }
}

/// Paths read one by one from a list, each as if it had been named.
///
/// The last path need not be ended. A path of more than 64 KiB ends the list with an error record: it is no list of
/// paths.
pub struct PathList<R> {
    name: Box<str>,
    reader: R,
    separator: PathSeparator,
    offset: u64,
    ended: bool,
}

impl<R: BufRead> PathList<R> {
    /// A list that is called `name` in error records.
    pub fn new(name: impl Into<Box<str>>, reader: R, separator: PathSeparator) -> Self {
        Self { name: name.into(), reader, separator, offset: 0, ended: false }
    }

    fn error(&self, offset: u64, reason: ReasonCode, detail: String) -> ErrorRecord {
        let place = Place { file: self.name.clone(), offset: Some(offset), ..Place::default() };
        ErrorRecord { id: None, place, reason, detail: detail.into() }
    }
}

impl<R: BufRead> Iterator for PathList<R> {
    type Item = Result<PathBuf, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let start = self.offset;
            let mut bytes = Vec::new();
            let separator = self.separator.byte();
            let read = (&mut self.reader).take(LONGEST_PATH + 1).read_until(separator, &mut bytes);
            if let Err(cause) = read {
                self.ended = true;
                return Some(Err(self.error(start, ReasonCode::UNREADABLE, cause.to_string())));
            }
            if bytes.is_empty() {
                self.ended = true;
                return None;
            }
            self.offset += bytes.len() as u64;
            if bytes.last() == Some(&separator) {
                bytes.pop();
            } else if bytes.len() as u64 > LONGEST_PATH {
                self.ended = true;
                let detail = self.separator.missing();
                return Some(Err(self.error(start, ReasonCode::BAD_LINE, detail)));
            }
            if self.separator == PathSeparator::Line && bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            if bytes.is_empty() {
                if self.separator == PathSeparator::Line {
                    continue;
                }
                let detail = "the list contains an empty path (two NULs in a row)".to_owned();
                return Some(Err(self.error(start, ReasonCode::BAD_LINE, detail)));
            }
            return Some(bytes_path(bytes).ok_or_else(|| {
                self.error(
                    start,
                    ReasonCode::BAD_ID,
                    "this path is not valid on this system".to_owned(),
                )
            }));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &[u8]) -> Vec<Result<String, String>> {
        read_by(PathSeparator::Nul, list)
    }

    fn read_by(separator: PathSeparator, list: &[u8]) -> Vec<Result<String, String>> {
        PathList::new("list", list, separator)
            .map(|item| match item {
                Ok(path) => Ok(path.to_string_lossy().into_owned()),
                Err(error) => Err(error.to_string()),
            })
            .collect()
    }

    #[test]
    fn paths_end_with_nul_or_the_list() {
        assert_eq!(read(b""), []);
        assert_eq!(read(b"a\0b\nc\0"), [Ok("a".to_owned()), Ok("b\nc".to_owned())]);
        assert_eq!(read(b"a\0b"), [Ok("a".to_owned()), Ok("b".to_owned())]);
    }

    #[test]
    fn paths_stand_on_lines() {
        let paths = |list: &[u8]| -> Vec<String> {
            read_by(PathSeparator::Line, list).into_iter().map(Result::unwrap).collect()
        };
        assert_eq!(paths(b""), [""; 0]);
        assert_eq!(paths(b"a\n\nb c \r\n\r\nd\re"), ["a", "b c ", "d\re"]);
        let found = read_by(PathSeparator::Line, &[b'x'; 70_000]);
        assert_eq!(found.len(), 1);
        assert!(found[0].as_ref().is_err_and(|error| error.contains("on its own line")));
    }

    #[test]
    fn what_is_no_path_is_told_with_its_offset() {
        let found = read(b"a\0\0b");
        assert_eq!(found[0], Ok("a".to_owned()));
        assert!(found[1].as_ref().is_err_and(|error| error.starts_with("list@2: ")), "{found:?}");
        assert_eq!(found[2], Ok("b".to_owned()));
        let found = read(&[b'x'; 70_000]);
        assert_eq!(found.len(), 1);
        assert!(found[0].as_ref().is_err_and(|error| error.contains("-print0")), "{found:?}");
    }
}
