//! Reading and writing at places of a file, on every system, whoever else reads it meanwhile.

use std::fs::File;
use std::io;

/// Reads bytes from `at` on, as many as the system gives at once; none at the end of the file.
///
/// # Errors
/// Those of the file.
pub fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, bytes, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, bytes, at);
}

/// Fills `bytes` from `at` on.
///
/// # Errors
/// Those of the file, and where it ends before.
pub fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match read_at(file, bytes, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes all bytes from `at` on.
///
/// # Errors
/// Those of the file.
#[cfg(unix)]
pub fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Writes all bytes from `at` on.
///
/// # Errors
/// Those of the file.
#[cfg(windows)]
pub fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_at_a_place_is_read_there() {
        let file = tempfile::tempfile().unwrap();
        write_all_at(&file, b"harbour", 3).unwrap();
        write_all_at(&file, b"fog", 0).unwrap();
        let mut bytes = [0; 4];
        read_exact_at(&file, &mut bytes, 2).unwrap();
        assert_eq!(&bytes, b"ghar");
        assert_eq!(read_at(&file, &mut bytes, 10).unwrap(), 0);
        let error = read_exact_at(&file, &mut bytes, 8).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
