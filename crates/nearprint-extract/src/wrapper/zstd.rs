//! Zstandard around a document, by RFC 8878: frames one after the other, between them frames that decoders skip, and
//! before them, as in web archives, a dictionary ("Zstandard Compression for WARC Files" 1.0).

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use super::{FRAME, skipped};
use crate::error::{ExtractError, Reason};
use crate::limits::Limits;

/// Bytes expanded at once, about: limits are examined as often.
const STEP: usize = 1 << 20;

/// The largest window taken, in bytes: as many as `zstd -d` takes without `--long`.
const LARGEST_WINDOW: u64 = 128 << 20;

/// The longest dictionary taken, in bytes, compressed or not.
const LONGEST_DICTIONARY: usize = 16 << 20;

/// The frame that holds a dictionary: one of those that decoders skip.
const DICTIONARY: [u8; 4] = [0x5D, 0x2A, 0x4D, 0x18];

/// The content of all frames, each compared with its checksum where it has one.
pub(super) fn unzstd(
    bytes: &[u8],
    packed: usize,
    limits: &Limits,
) -> Result<Vec<u8>, ExtractError> {
    let mut frames = Frames::new();
    let mut out = Vec::new();
    let mut rest = bytes;
    if rest.starts_with(&DICTIONARY)
        && let Some((dictionary, behind)) = skipped(rest)
    {
        frames.use_dictionary(dictionary, limits)?;
        rest = behind;
    }
    while !rest.is_empty() {
        if rest.starts_with(&FRAME) {
            frames.expand(&mut rest, packed, &mut out, limits)?;
        } else if let Some((_, behind)) = skipped(rest) {
            rest = behind;
        } else if rest[0] == 0 {
            // Padding of tapes and object stores.
            rest = &rest[1..];
        } else {
            let at = bytes.len() - rest.len();
            return Err(damaged(&format!("no frame begins at byte {at}")));
        }
    }
    Ok(out)
}

/// What expands frames, with the dictionary that came before them.
struct Frames {
    decoder: FrameDecoder,
    dictionary: Option<u32>,
}

impl Frames {
    fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        Self { decoder, dictionary: None }
    }

    /// Appends the content of the frame that `rest` begins with, and takes it off.
    fn expand(
        &mut self,
        rest: &mut &[u8],
        packed: usize,
        out: &mut Vec<u8>,
        limits: &Limits,
    ) -> Result<(), ExtractError> {
        let names_dictionary = names_dictionary(rest);
        self.decoder.init(&mut *rest).map_err(refused)?;
        if let Some(id) = self.dictionary.filter(|_| !names_dictionary) {
            // A file's dictionary serves all of its frames, those too that do not name it.
            self.decoder.force_dict(id).map_err(refused)?;
        }
        let before = out.len() as u64;
        while !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(&mut *rest, BlockDecodingStrategy::UptoBytes(STEP))
                .map_err(refused)?;
            super::make_room(out, self.decoder.can_collect());
            self.decoder
                .collect_to_writer(&mut *out)
                .map_err(|error| damaged(&error.to_string()))?;
            limits.check_expansion(packed as u64, out.len() as u64)?;
            limits.check_growth(packed as u64, out.len() as u64)?;
        }
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(damaged("a frame does not match its checksum"));
        }
        // 0 if the frame does not state it.
        let (stated, found) = (self.decoder.content_size(), out.len() as u64 - before);
        if stated > 0 && stated != found {
            return Err(damaged(&format!(
                "a frame has {found} bytes, but its header states {stated}"
            )));
        }
        Ok(())
    }

    /// Uses a dictionary for all frames; it may be compressed itself.
    fn use_dictionary(&mut self, bytes: &[u8], limits: &Limits) -> Result<(), ExtractError> {
        let unusable = |cause: &str| {
            damaged(&format!(
                "the dictionary at the beginning cannot be used: {cause}; decompress the file first (zstd -d)"
            ))
        };
        if bytes.len() > LONGEST_DICTIONARY {
            let text =
                format!("it has {} bytes, but the limit is {LONGEST_DICTIONARY}", bytes.len());
            return Err(unusable(&text));
        }
        let mut expanded = Vec::new();
        let mut bytes = bytes;
        if bytes.starts_with(&FRAME) {
            let most = limits.max_expanded_bytes.min(LONGEST_DICTIONARY as u64);
            let limits = Limits { max_expanded_bytes: most, ..limits.clone() };
            let packed = bytes.len();
            Self::new().expand(&mut bytes, packed, &mut expanded, &limits)?;
            bytes = &expanded;
        }
        let dictionary =
            Dictionary::decode_dict(bytes).map_err(|error| unusable(&error.to_string()))?;
        self.dictionary = Some(dictionary.id);
        self.decoder.add_dict(dictionary).map_err(refused)
    }
}

/// Whether the frame that begins here names its dictionary.
fn names_dictionary(frame: &[u8]) -> bool {
    let Some(&descriptor) = frame.get(4) else { return false };
    let begin = if descriptor & 0x20 == 0 { 6 } else { 5 };
    let length = [0, 1, 2, 4][usize::from(descriptor & 3)];
    frame.iter().skip(begin).take(length).any(|&byte| byte != 0)
}

fn damaged(detail: &str) -> ExtractError {
    ExtractError::new(Reason::Damaged, format!("the zstd data is damaged: {detail}"))
}

fn refused(error: FrameDecoderError) -> ExtractError {
    match error {
        FrameDecoderError::DictNotProvided { dict_id } => ExtractError::new(
            Reason::Damaged,
            format!(
                "the zstd data needs the dictionary {dict_id}; decompress it first (zstd -d -D \
                    DICTIONARY)"
            ),
        ),
        FrameDecoderError::WindowSizeTooBig { requested: window, .. }
        | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig { got: window }) => {
            ExtractError::new(
                Reason::ExpansionLimit,
                format!(
                    "the zstd data needs a window of {window} bytes, but the limit is \
                        {LARGEST_WINDOW}; compress it with --long=27 or less, or decompress it \
                        first (zstd -d --long=31)"
                ),
            )
        }
        error => damaged(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(
            text.as_bytes(),
            ruzstd::encoding::CompressionLevel::Fastest,
        )
    }

    fn skippable(nibble: u8, content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap();
        [&[0x50 + nibble, 0x2A, 0x4D, 0x18], &length.to_le_bytes()[..], content].concat()
    }

    fn undone(bytes: &[u8]) -> Result<Vec<u8>, ExtractError> {
        unzstd(bytes, bytes.len(), &Limits::default())
    }

    #[test]
    fn frames_without_content_hide_nothing() {
        let file = [
            skippable(0, b"made by"),
            frame(""),
            frame("fog "),
            skippable(15, &[7; 3000]),
            skippable(13, b"no dictionary, as it is not the first"),
            frame("rain"),
            skippable(0, b""),
            vec![0; 512],
        ]
        .concat();
        assert!(super::super::begins_zstd(&file));
        assert_eq!(undone(&file).unwrap(), b"fog rain");
        // lz4 has the same frames.
        assert!(!super::super::begins_zstd(
            &[&skippable(0, b"made by")[..], b"\x04\x22\x4D\x18"].concat()
        ));
        let error = undone(&[&frame("fog")[..], b"rain"].concat()).unwrap_err();
        assert_eq!(error.reason(), Reason::Damaged);
    }

    #[test]
    fn a_dictionary_that_is_not_there_is_asked_for() {
        // A frame whose header names the dictionary 7.
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x05, 0x58, 0x07, 0x71, 0x00, 0x00];
        let error = undone(&frame).unwrap_err();
        assert_eq!(error.reason(), Reason::Damaged);
        assert!(error.detail().contains("needs the dictionary 7"), "{error}");
    }

    #[test]
    fn a_window_beyond_the_limit_names_it() {
        // Headers of `zstd --long=28` and `--long=31`; of 27 the window is allowed, and the blocks are missing.
        for (descriptor, reason) in [
            (0x88, Reason::Damaged),
            (0x90, Reason::ExpansionLimit),
            (0xA8, Reason::ExpansionLimit),
        ] {
            let error = undone(&[0x28, 0xb5, 0x2f, 0xfd, 0x00, descriptor]).unwrap_err();
            assert_eq!(error.reason(), reason, "{error}");
            assert_eq!(error.detail().contains("--long=27"), reason == Reason::ExpansionLimit);
        }
    }
}
