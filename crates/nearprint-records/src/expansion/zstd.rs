//! Frames of Zstandard, one after the other, by RFC 8878, and the dictionary that an archive may begin with
//! ("Zstandard Compression for WARC Files" 1.0).

use std::io::{BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use super::Damage;
use super::compression::begins_zstd;
use super::raw::Raw;
use crate::ReasonCode;

/// Bytes expanded at once, about.
const STEP: usize = 128 << 10;

/// The longest dictionary taken, in bytes, compressed or not: archives' are some hundred KiB.
pub(super) const LONGEST_DICTIONARY: usize = 16 << 20;

/// The largest window taken, in bytes: as many as `zstd -d` takes without `--long`. A frame is expanded in as much
/// memory.
const LARGEST_WINDOW: u64 = 128 << 20;

/// The frame that holds an archive's dictionary: one of those that decoders skip.
const DICTIONARY: [u8; 4] = [0x5D, 0x2A, 0x4D, 0x18];

/// One frame at a time.
pub(super) struct ZstdFrames {
    pub(super) decoder: FrameDecoder,
    /// The id of the dictionary that the file begins with.
    dictionary: Option<u32>,
    /// Bytes that the present frame has expanded to.
    expanded: u64,
}

impl ZstdFrames {
    pub(super) fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        Self { decoder, dictionary: None, expanded: 0 }
    }

    /// Whether a frame begins here that holds a dictionary, where it is the first of its file.
    pub(super) fn begins_dictionary(bytes: &[u8]) -> bool {
        bytes.starts_with(&DICTIONARY)
    }

    /// Bytes in a frame that decoders skip, after the 8 of its header; `None` if the header is cut.
    pub(super) fn skipped_length(bytes: &[u8]) -> Option<u32> {
        let length = bytes.get(4..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*length))
    }

    /// Whether the file began with a dictionary.
    pub(super) fn has_dictionary(&self) -> bool {
        self.dictionary.is_some()
    }

    /// Skips a frame without content; uses the dictionary where it is one.
    pub(super) fn skip(&mut self, raw: &mut Raw) -> Result<(), Damage> {
        let head = raw.peek(8)?;
        let Some(length) = Self::skipped_length(head) else {
            return Err(Damage::new("the zstd data ends within a skippable frame"));
        };
        let is_dictionary = Self::begins_dictionary(head);
        raw.consume(8);
        if !is_dictionary || raw.position() != 8 {
            return raw.skip(length.into());
        }
        check_dictionary_length(length)?;
        let mut bytes = Vec::new();
        raw.take(length.into()).read_to_end(&mut bytes)?;
        self.use_dictionary(&bytes)
    }

    /// Uses the dictionary that a file begins with for its frames; it may be compressed itself.
    pub(super) fn use_dictionary(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let refused = |cause: String| {
            Damage::new(format!(
                "the dictionary at the beginning cannot be used: {cause}; decompress the file first (zstd -d)"
            ))
        };
        let expanded;
        let bytes = if begins_zstd(bytes) {
            expanded = Self::expand_all(bytes).map_err(refused)?;
            &expanded[..]
        } else {
            bytes
        };
        let dictionary =
            Dictionary::decode_dict(bytes).map_err(|error| refused(error.to_string()))?;
        self.dictionary = Some(dictionary.id);
        self.decoder.add_dict(dictionary).map_err(|error| refused(error.to_string()))
    }

    /// Reads a frame's header.
    pub(super) fn open(&mut self, raw: &mut Raw) -> Result<(), Damage> {
        let names_dictionary = names_dictionary(raw.peek(LONGEST_HEADER)?);
        self.open_frame(raw, names_dictionary)
    }

    /// Reads the header of a frame, of which it is known whether it names a dictionary.
    pub(super) fn open_frame(
        &mut self,
        source: impl Read,
        names_dictionary: bool,
    ) -> Result<(), Damage> {
        self.decoder.init(source).map_err(|error| damage_of(&error))?;
        self.expanded = 0;
        match self.dictionary {
            // A file's dictionary serves all of its frames, those too that do not name it.
            Some(id) if !names_dictionary => {
                self.decoder.force_dict(id).map_err(|error| damage_of(&error))
            }
            _ => Ok(()),
        }
    }

    /// Expands the next blocks onto `out`; true at the end of the frame, whose checksum, if any, has been compared.
    pub(super) fn expand(&mut self, raw: &mut Raw, out: &mut Vec<u8>) -> Result<bool, Damage> {
        if !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(raw, BlockDecodingStrategy::UptoBytes(STEP))
                .map_err(|error| damage_of(&error))?;
        }
        self.expanded += self.decoder.collect_to_writer(&mut *out).map_err(Damage::from)? as u64;
        if !self.decoder.is_finished() {
            return Ok(false);
        }
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(Damage::new("a frame of the zstd data does not match its checksum"));
        }
        // 0 if the frame does not state it.
        let stated = self.decoder.content_size();
        if stated > 0 && stated != self.expanded {
            let text = format!(
                "a frame of the zstd data has {} bytes, but its header states {stated}",
                self.expanded
            );
            return Err(Damage::new(text));
        }
        Ok(true)
    }

    /// A whole frame of the size of a dictionary.
    fn expand_all(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut raw = Raw::new(Box::new(std::io::Cursor::new(bytes.to_vec())));
        let (mut frames, mut out) = (Self::new(), Vec::new());
        frames.open(&mut raw).map_err(|damage| damage.detail)?;
        while !frames.expand(&mut raw, &mut out).map_err(|damage| damage.detail)? {
            if out.len() > LONGEST_DICTIONARY {
                return Err(format!(
                    "it expands to more than the {LONGEST_DICTIONARY} bytes allowed"
                ));
            }
        }
        Ok(out)
    }
}

/// Bytes of a frame's header (<=).
pub(super) const LONGEST_HEADER: usize = 18;

/// Whether the frame that begins here names its dictionary.
pub(super) fn names_dictionary(head: &[u8]) -> bool {
    let Some(&descriptor) = head.get(4) else { return false };
    let begin = if descriptor & 0x20 == 0 { 6 } else { 5 };
    let length = [0, 1, 2, 4][usize::from(descriptor & 3)];
    head.iter().skip(begin).take(length).any(|&byte| byte != 0)
}

/// Refuses a dictionary of so many bytes before it is read.
pub(super) fn check_dictionary_length(length: u32) -> Result<(), Damage> {
    if length as usize <= LONGEST_DICTIONARY {
        return Ok(());
    }
    let text = format!(
        "the zstd dictionary at the beginning has {length} bytes, but the limit is \
            {LONGEST_DICTIONARY}; decompress the file first (zstd -d)"
    );
    Err(Damage::new(text))
}

/// What a frame that cannot be expanded is reported as.
fn damage_of(error: &FrameDecoderError) -> Damage {
    match error {
        FrameDecoderError::DictNotProvided { dict_id } => Damage::new(format!(
            "the zstd data needs the dictionary {dict_id}, which is not at the beginning of the \
                file; decompress the file first (zstd -d -D DICTIONARY)"
        )),
        FrameDecoderError::WindowSizeTooBig { requested: window, .. }
        | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig { got: window }) => {
            let detail = format!(
                "the zstd data needs a window of {window} bytes, but the limit is \
                    {LARGEST_WINDOW}; compress it with --long=27 or less, or decompress it first \
                    (zstd -d --long=31)"
            );
            Damage { reason: ReasonCode::EXPANSION_LIMIT, detail }
        }
        error => Damage::new(format!("the zstd data is damaged: {error}")),
    }
}

/// All frames of a stream, as one reader.
pub(crate) fn zstd_reader(source: impl Read + Send + 'static) -> impl Read {
    super::Expansion::new(Raw::new(Box::new(source)), u64::MAX)
}
