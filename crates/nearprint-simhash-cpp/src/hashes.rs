//! Reading hashes: decimal lines, duplicates collapse.

use std::io::{self, BufRead};

use crate::number::{NotANumber, leading_unsigned};

/// Why hashes could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The file or stream failed.
    Io(io::Error),
    /// A line, counted from 1, does not begin with a number of 64 bits.
    Line(u64, NotANumber),
}

/// The distinct hashes of a stream, ascending. Memory: 8 bytes a line.
pub(crate) fn read_hashes(mut stream: impl BufRead) -> Result<Vec<u64>, ReadError> {
    let mut hashes = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if stream.read_until(b'\n', &mut line).map_err(ReadError::Io)? == 0 {
            break;
        }
        hashes.push(leading_unsigned(&line).map_err(|why| ReadError::Line(number, why))?);
    }
    hashes.sort_unstable();
    hashes.dedup();
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_collapse_and_the_last_line_needs_no_end() {
        assert_eq!(read_hashes(&b"7\n3\n7\r\n 5 five\n0"[..]).unwrap(), [0, 3, 5, 7]);
        assert_eq!(read_hashes(&b""[..]).unwrap(), []);
    }

    #[test]
    fn a_line_that_is_no_number_is_named() {
        for (text, wanted) in
            [(&b"1\n\n3\n"[..], 2), (b"x", 1), (b"1\n2\n99999999999999999999\n", 3)]
        {
            assert!(matches!(read_hashes(text), Err(ReadError::Line(line, _)) if line == wanted));
        }
    }
}
