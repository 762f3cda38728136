//! Frames of Zstandard, one after the other, by RFC 8878, and the dictionary that an archive may begin with.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use super::Damage;
use super::raw::Raw;

/// Octets expanded at once, about.
const STEP: usize = 128 << 10;

/// The longest dictionary taken, in octets, compressed or not: archives' are some hundred KiB.
const LONGEST_DICTIONARY: usize = 16 << 20;

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The frame that holds an archive's dictionary: one of those that decoders skip.
const DICTIONARY: [u8; 4] = [0x5D, 0x2A, 0x4D, 0x18];

/// One frame at a time.
pub(super) struct ZstdFrames {
    decoder: FrameDecoder,
}

impl ZstdFrames {
    pub(super) fn new() -> Self {
        Self { decoder: FrameDecoder::new() }
    }

    /// Whether a frame with content begins here.
    pub(super) fn begins(octets: &[u8]) -> bool {
        octets.starts_with(&MAGIC)
    }

    /// Whether a frame that decoders skip begins here.
    pub(super) fn begins_skipped(octets: &[u8]) -> bool {
        matches!(octets, [0x50..=0x5f, 0x2A, 0x4D, 0x18, ..])
    }

    /// Passes over a frame without content; takes the dictionary where it is one.
    pub(super) fn skip(&mut self, raw: &mut Raw) -> Result<(), Damage> {
        let head = raw.peek(8)?;
        let (Some(magic), Some(&[.., a, b, c, d])) =
            (head.first_chunk::<4>(), head.first_chunk::<8>())
        else {
            return Err(Damage::new("the zstd data ends within a skippable frame"));
        };
        let (is_dictionary, length) = (*magic == DICTIONARY, u32::from_le_bytes([a, b, c, d]));
        raw.consume(8);
        if !is_dictionary || raw.position() != 8 {
            return raw.skip(length.into());
        }
        if length as usize > LONGEST_DICTIONARY {
            let text = format!(
                "the dictionary at the beginning has {length} octets, {LONGEST_DICTIONARY} are allowed"
            );
            return Err(Damage::new(text));
        }
        let mut octets = Vec::new();
        raw.take(length.into()).read_to_end(&mut octets)?;
        let refused = |cause: String| {
            Damage::new(format!(
                "the dictionary at the beginning cannot be used: {cause}; expand the file first (zstd -d)"
            ))
        };
        if Self::begins(&octets) {
            octets = Self::expand_all(&octets).map_err(refused)?;
        }
        let dictionary =
            Dictionary::decode_dict(&octets).map_err(|error| refused(error.to_string()))?;
        self.decoder.add_dict(dictionary).map_err(|error| refused(error.to_string()))
    }

    /// Reads a frame's header.
    pub(super) fn open(&mut self, raw: &mut Raw) -> Result<(), Damage> {
        self.decoder.init(raw).map_err(|error| {
            Damage::new(match error {
                FrameDecoderError::DictNotProvided { dict_id } => format!(
                    "the zstd data needs the dictionary {dict_id}, which does not stand at the beginning of the file: expand it \
                     first (zstd -d -D DICTIONARY)"
                ),
                error => format!("the zstd data is damaged: {error}"),
            })
        })
    }

    /// Expands the next blocks onto `out`; true at the end of the frame, whose checksum, if any, has been compared.
    pub(super) fn expand(&mut self, raw: &mut Raw, out: &mut Vec<u8>) -> Result<bool, Damage> {
        if !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(raw, BlockDecodingStrategy::UptoBytes(STEP))
                .map_err(|error| Damage::new(format!("the zstd data is damaged: {error}")))?;
        }
        self.decoder.collect_to_writer(&mut *out).map_err(Damage::from)?;
        if !self.decoder.is_finished() {
            return Ok(false);
        }
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(Damage::new("a frame of the zstd data does not match its checksum"));
        }
        Ok(true)
    }

    /// The first octets that a frame beginning here expands to, for looking at.
    pub(super) fn first(octets: &[u8], limit: u64) -> Vec<u8> {
        let mut raw = Raw::new(Box::new(io::Cursor::new(octets.to_vec())));
        let (mut frames, mut out) = (Self::new(), Vec::new());
        while Self::begins_skipped(raw.peek(8).unwrap_or(&[])) {
            if frames.skip(&mut raw).is_err() {
                return out;
            }
        }
        if frames.open(&mut raw).is_ok() {
            while (out.len() as u64) < limit {
                match frames.expand(&mut raw, &mut out) {
                    Ok(false) => {}
                    Ok(true) | Err(_) => break,
                }
            }
        }
        out
    }

    /// A whole frame of the size of a dictionary.
    fn expand_all(octets: &[u8]) -> Result<Vec<u8>, String> {
        let mut raw = Raw::new(Box::new(io::Cursor::new(octets.to_vec())));
        let (mut frames, mut out) = (Self::new(), Vec::new());
        frames.open(&mut raw).map_err(|damage| damage.detail)?;
        while !frames.expand(&mut raw, &mut out).map_err(|damage| damage.detail)? {
            if out.len() > LONGEST_DICTIONARY {
                return Err(format!("it expands to more than {LONGEST_DICTIONARY} octets"));
            }
        }
        Ok(out)
    }
}

/// All frames of a stream, as one reader.
pub(crate) fn zstd_reader(source: impl Read + Send + 'static) -> impl Read {
    super::Expansion::new(Raw::new(Box::new(source)), u64::MAX)
}
