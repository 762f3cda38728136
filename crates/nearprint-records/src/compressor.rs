//! Compression of whole files, as it was undone when they were read.

use std::io::{self, Write};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::expansion::Compression;

/// Bytes that make a frame of zstd: large enough to compress well, and held meanwhile.
const FRAME: usize = 4 << 20;

/// Compressor of the bytes of a file. Nothing but the bytes decides the result.
pub(crate) enum Compressor<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(Box<lzma_rust2::XzWriter<W>>),
    Zstd { held: Vec<u8>, out: W },
}

impl<W: Write> Compressor<W> {
    /// Compresses as these files are, at the usual level of each program.
    pub(crate) fn new(compression: Option<Compression>, out: W) -> io::Result<Self> {
        Ok(match compression {
            None => Self::Plain(out),
            Some(Compression::Gzip) => {
                Self::Gzip(flate2::write::GzEncoder::new(out, flate2::Compression::new(6)))
            }
            Some(Compression::Bzip2) => {
                Self::Bzip2(bzip2::write::BzEncoder::new(out, bzip2::Compression::new(9)))
            }
            Some(Compression::Xz) => {
                let options = lzma_rust2::XzOptions::with_preset(6);
                Self::Xz(Box::new(lzma_rust2::XzWriter::new(out, options)?))
            }
            Some(Compression::Zstd) => Self::Zstd { held: Vec::new(), out },
        })
    }

    /// Writes what is held, and the end of the compressed data.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(out) => out.finish(),
            Self::Bzip2(out) => out.finish(),
            Self::Xz(out) => out.finish(),
            Self::Zstd { held, mut out } => {
                out.write_all(&frame(&held))?;
                Ok(out)
            }
        }
    }
}

/// Frames stand alone and follow each other.
fn frame(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Bzip2(out) => out.write(bytes),
            Self::Xz(out) => out.write(bytes),
            Self::Zstd { held, out } => {
                held.extend_from_slice(bytes);
                if held.len() >= FRAME {
                    out.write_all(&frame(held))?;
                    held.clear();
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) | Self::Zstd { out, .. } => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Bzip2(out) => out.flush(),
            Self::Xz(out) => out.flush(),
        }
    }
}
