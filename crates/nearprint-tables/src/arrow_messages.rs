//! The messages of an Arrow IPC stream, each with its lengths checked before memory is treated as it.
//!
//! A file of Arrow IPC is such a stream between a magic and a footer, so both are read alike, and from a pipe too.

use std::io::{ErrorKind, Read};

use arrow_buffer::Buffer;
use arrow_ipc::{Message, MessageHeader, RecordBatch, root_as_footer, root_as_message};

use crate::decoder_thread::damaged;

/// The magic of files.
pub(crate) const FILE_MAGIC: &[u8] = b"ARROW1";

/// What stands before the length of a message.
pub(crate) const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Files begin with the magic and zeros up to a multiple of 8 or of 64.
const LONGEST_START: usize = 64;

/// Bytes of one message's head, at most.
pub(crate) const LARGEST_HEAD: usize = 64 << 20;

/// Bytes of one message's body, and of its buffers once they are decompressed, at most: 2 GiB. A batch is read as a
/// whole, because it lies in memory as it lies in the file.
const LARGEST_BODY: u64 = 2 << 30;

/// Bytes that a batch expands to, for each byte of it; examined only where it has more than [`SMALL`]. Real text
/// reaches 20, what is there to fill memory a thousand and more.
const LARGEST_RATIO: u64 = 300;

/// Bytes of a batch, before its compression is undone, up to which it expands to no more than [`MOST_OF_SMALL`]; so
/// what a small table takes of memory is bounded.
const SMALL: u64 = 20 << 20;
const MOST_OF_SMALL: u64 = 128 << 20;

/// Bytes of memory for the key of a row, where a column has a dictionary.
const KEY: u64 = 8;

/// Memory taken before the bytes have come.
const TAKEN_AHEAD: usize = 16 << 20;

/// One message: its head, checked, and its body.
pub(crate) struct Whole {
    head: Vec<u8>,
    pub(crate) body: Buffer,
    /// Bytes of the body without its compression, as it says.
    pub(crate) expanded: u64,
}

impl Whole {
    /// Bytes of the head.
    pub(crate) fn head_length(&self) -> usize {
        self.head.len()
    }

    /// The head.
    pub(crate) fn head(&self) -> Result<Message<'_>, String> {
        root_as_message(&self.head).map_err(damaged)
    }
}

/// A stream of messages.
pub(crate) struct Messages<R> {
    reader: R,
    begun: bool,
    /// Whether it is a file, which says where it ends.
    is_file: bool,
}

impl<R: Read> Messages<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, begun: false, is_file: false }
    }

    /// The next message; `None` at the end of the stream. A stream may end without saying so, but not within a message,
    /// and a file may not.
    pub(crate) fn next(&mut self) -> Result<Option<Whole>, String> {
        let Some(mut word) = self.first_word()? else {
            return if self.is_file { Err(cut_off()) } else { Ok(None) };
        };
        if word == CONTINUATION {
            self.exactly(&mut word)?;
        }
        let length = match i32::from_le_bytes(word) {
            0 => return Ok(None),
            length => usize::try_from(length).unwrap_or(usize::MAX),
        };
        if length > LARGEST_HEAD {
            return Err(damaged(format_args!("a message header of {length} bytes")));
        }
        let head = self.bytes(length)?;
        let length = root_as_message(&head).map_err(damaged)?.bodyLength();
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        if length > LARGEST_BODY {
            return Err(format!(
                "a batch of {length} bytes, but the limit is {LARGEST_BODY}; write the table in \
                    smaller batches"
            ));
        }
        let body = self.bytes(usize::try_from(length).unwrap_or(usize::MAX))?;
        let mut whole = Whole { head, body: Buffer::from_vec(body), expanded: 0 };
        whole.expanded = expansion(&whole)?;
        Ok(Some(whole))
    }

    /// What the footer of a file says of it, keys and values; after the last message. Nothing if the file has no
    /// footer.
    pub(crate) fn footer_metadata(&mut self) -> Result<Vec<(String, String)>, String> {
        let mut bytes = Vec::new();
        let rest = self.reader.by_ref().take(LARGEST_HEAD as u64);
        { rest }.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        let Some(footer) = bytes.strip_suffix(FILE_MAGIC).and_then(<[u8]>::split_last_chunk) else {
            return Ok(Vec::new());
        };
        let (before, length) = footer;
        let begin = (u32::from_le_bytes(*length) as usize).min(before.len());
        let footer = root_as_footer(&before[before.len() - begin..]).map_err(damaged)?;
        let pairs = footer.custom_metadata().into_iter().flatten();
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        Ok(pairs.map(|pair| (text(pair.key()), text(pair.value()))).collect())
    }

    /// The word a message begins with, after the magic where there is one.
    fn first_word(&mut self) -> Result<Option<[u8; 4]>, String> {
        let mut word = [0; 4];
        if !self.word_or_end(&mut word)? {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.begun, true) && word == FILE_MAGIC[..4] {
            self.is_file = true;
            let mut read = 4;
            // The rest of the magic, then zeros.
            self.exactly(&mut word)?;
            while read < LONGEST_START {
                read += 4;
                if !self.word_or_end(&mut word)? {
                    return Ok(None);
                }
                if word != [0; 4] {
                    break;
                }
            }
        }
        Ok(Some(word))
    }

    fn word_or_end(&mut self, word: &mut [u8; 4]) -> Result<bool, String> {
        let mut filled = 0;
        while filled < word.len() {
            match self.reader.read(&mut word[filled..]) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(cut_off()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(true)
    }

    fn exactly(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        self.reader.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => cut_off(),
            _ => error.to_string(),
        })
    }

    /// So many bytes. Memory grows with what has come, not with what was promised.
    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(length.min(TAKEN_AHEAD));
        self.reader
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        if bytes.len() < length { Err(cut_off()) } else { Ok(bytes) }
    }
}

fn cut_off() -> String {
    damaged("it ends before its last message does; the file is incomplete")
}

/// Bytes that so many may expand to (<=).
pub(crate) fn largest_expansion(packed: u64) -> u64 {
    match packed {
        ..=SMALL => MOST_OF_SMALL,
        more => LARGEST_BODY.min(LARGEST_RATIO.saturating_mul(more)),
    }
}

/// Adds up what the compressed buffers of a message say they expand to, before anybody believes it.
fn expansion(message: &Whole) -> Result<u64, String> {
    let head = message.head()?;
    let batch = match head.header_type() {
        MessageHeader::RecordBatch => head.header_as_record_batch(),
        MessageHeader::DictionaryBatch => {
            head.header_as_dictionary_batch().and_then(|batch| batch.data())
        }
        _ => None,
    };
    let Some(batch) = batch else { return Ok(message.body.len() as u64) };
    let keys = u64::try_from(batch.length()).unwrap_or(0).saturating_mul(KEY);
    let expanded = expanded(batch, &message.body).max(keys);
    let limit = largest_expansion(message.body.len() as u64);
    if expanded > limit {
        return Err(format!(
            "a batch expands to {expanded} bytes, but the limit is {limit}; write the \
                table in smaller batches"
        ));
    }
    Ok(expanded.max(message.body.len() as u64))
}

/// Bytes of a batch without its compression, as its buffers say.
fn expanded(batch: RecordBatch<'_>, body: &[u8]) -> u64 {
    let (Some(_), Some(buffers)) = (batch.compression(), batch.buffers()) else { return 0 };
    let of = |buffer: &arrow_ipc::Buffer| -> Option<u64> {
        let start = usize::try_from(buffer.offset()).ok()?;
        let stated = body.get(start..)?.first_chunk()?;
        // -1 says that the bytes are as they are.
        u64::try_from(i64::from_le_bytes(*stated)).ok()
    };
    buffers.iter().filter(|buffer| buffer.length() >= 8).filter_map(of).fold(0, u64::saturating_add)
}
