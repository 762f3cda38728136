//! Reading and writing at places of a file, on every system.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, octets: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, octets, at)
}

#[cfg(unix)]
pub(crate) fn write_all_at(file: &File, octets: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, octets, at)
}

#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut octets: &mut [u8], mut at: u64) -> io::Result<()> {
    while !octets.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, octets, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        octets = &mut octets[read..];
        at += read as u64;
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn write_all_at(file: &File, mut octets: &[u8], mut at: u64) -> io::Result<()> {
    while !octets.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, octets, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        octets = &octets[written..];
        at += written as u64;
    }
    Ok(())
}
