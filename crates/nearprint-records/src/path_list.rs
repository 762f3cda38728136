//! Lists of paths: each ending with NUL, as `find -print0` writes them, the one separator no path can hold; or one a
//! line. Which of the two it is shows at the beginning.

use std::io::{BufRead, Chain, Cursor, Read};
use std::path::PathBuf;

use crate::id::bytes_path;
use crate::{ErrorRecord, Place, ReasonCode};

/// The longest path in a list, in bytes: well above what any system opens, well below what hurts.
const LONGEST_PATH: u64 = 64 << 10;

/// Paths read one by one from a list, each as if it had been named.
///
/// Where NUL is among the first 64 KiB, paths end with NUL, and an empty one is an error. Otherwise they end with LF or
/// CR LF, and empty lines are skipped. The last path need not be ended. A path of more than 64 KiB ends the list with
/// an error record: it is not a list of paths.
pub struct PathList<R> {
    name: Box<str>,
    reader: Chain<Cursor<Vec<u8>>, R>,
    separator: u8,
    offset: u64,
    ended: bool,
}

impl<R: BufRead> PathList<R> {
    /// A list that is called `name` in error records. Its beginning is read at once.
    pub fn new(name: impl Into<Box<str>>, mut reader: R) -> Self {
        let mut beginning = Vec::new();
        // What cannot be read is an error record where the paths are read.
        let _ = (&mut reader).take(LONGEST_PATH).read_to_end(&mut beginning);
        let separator = if beginning.contains(&0) { 0 } else { b'\n' };
        let reader = Cursor::new(beginning).chain(reader);
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
            let (separator, are_lines) = (self.separator, self.separator == b'\n');
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
                let detail = format!(
                    "no line end or NUL within {LONGEST_PATH} bytes; each path must be on its own line, or end with NUL \
                     as from find -print0"
                );
                return Some(Err(self.error(start, ReasonCode::BAD_LINE, detail)));
            }
            if are_lines && bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            if bytes.is_empty() {
                if are_lines {
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
        PathList::new("list", list)
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
        let paths =
            |list: &[u8]| -> Vec<String> { read(list).into_iter().map(Result::unwrap).collect() };
        assert_eq!(paths(b""), [""; 0]);
        assert_eq!(paths(b"a\n\nb c \r\n\r\nd\re"), ["a", "b c ", "d\re"]);
        // Beyond what is looked at, NUL is a byte of a path.
        let mut late = vec![b'\n'; 70_000];
        late.extend(b"a\0b\n");
        assert_eq!(paths(&late), ["a\0b"]);
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
