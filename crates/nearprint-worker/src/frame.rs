//! The frames between host and worker: their layout, their bounds, reading and writing them.
//!
//! `protocol.md` draws them; this module is the one place that knows the offsets. Lengths are compared with
//! their bounds before anything is allocated, on both sides.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IoSlice, Read, Write};

use nearprint_extract::{
    ExtractError, Extraction, ExtractionRecord, Hints, Limits, Reason, check_outcome,
};
use serde::{Deserialize, Serialize};

use crate::protection::Protections;

const MAGIC: [u8; 8] = *b"npworker";

/// Version of the layout. Changes with every change of it.
pub(crate) const VERSION: u32 = 2;

/// The release both sides must be of.
pub(crate) const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// Bytes of a release's name (<=).
const RELEASE_MAX: u32 = 64;

/// Bytes of a head (<=): hints, limits, records and errors are far smaller.
pub(crate) const HEAD_MAX: u32 = 16 << 20;

/// Bytes by which a text may be longer than [`Limits::longest_text`], which is checked before the last tidying.
const TEXT_SLACK: u64 = 64 << 10;

const SETTINGS_BYTES: usize = 8 + 4;
const REQUEST_BYTES: usize = 8 + 8 + 4;
const READY_BYTES: usize = 8 + 4;
const ANSWER_BYTES: usize = 8 + 8 + 8 + 4 + 4 + 4;

const STATUS_TEXT: u32 = 0;
const STATUS_ERROR: u32 = 1;

/// Why no frame came.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The stream ended or failed.
    Stream(io::Error),
    /// What came is not of this protocol.
    Foreign(String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Stream(error)
    }
}

/// Takes fixed-size fields off the front of a frame's fixed part.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        // The fixed parts are arrays whose lengths are the sums of their fields.
        let (field, rest) = self.0.split_first_chunk().expect("fields add up to the fixed part");
        self.0 = rest;
        *field
    }
}

/// Who the worker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) version: u32,
    /// Empty where the version differs: what follows a foreign version is not known.
    pub(crate) release: String,
}

impl Hello {
    pub(crate) fn is_ours(&self) -> bool {
        self.version == VERSION && self.release == RELEASE
    }

    pub(crate) fn write(out: &mut impl Write) -> io::Result<()> {
        let mut frame = MAGIC.to_vec();
        frame.extend(VERSION.to_le_bytes());
        // A release's name is a few bytes long.
        frame.extend((RELEASE.len() as u32).to_le_bytes());
        frame.extend(RELEASE.as_bytes());
        out.write_all(&frame)
    }

    pub(crate) fn read(from: &mut impl Read) -> Result<Self, ReadError> {
        let magic: [u8; 8] = read_array(from)?;
        if magic != MAGIC {
            return Err(ReadError::Foreign(format!(
                "\"{}\", which is not a worker's hello",
                magic.escape_ascii()
            )));
        }
        let version = u32::from_le_bytes(read_array(from)?);
        if version != VERSION {
            return Ok(Self { version, release: String::new() });
        }
        let length = u32::from_le_bytes(read_array(from)?);
        if length > RELEASE_MAX {
            return Err(ReadError::Foreign(format!("a release name of {length} bytes")));
        }
        let mut release = vec![0; length as usize];
        from.read_exact(&mut release)?;
        Ok(Self { version, release: String::from_utf8_lossy(&release).into_owned() })
    }
}

/// The limits a worker puts on itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Bytes of address space (<=).
    pub(crate) memory: u64,
    /// Seconds of CPU time for one document, rounded up to the next second (<=).
    pub(crate) cpu_seconds: u32,
}

impl Settings {
    pub(crate) fn write(self, out: &mut impl Write) -> io::Result<()> {
        let mut frame = Vec::with_capacity(SETTINGS_BYTES);
        frame.extend(self.memory.to_le_bytes());
        frame.extend(self.cpu_seconds.to_le_bytes());
        out.write_all(&frame)
    }

    pub(crate) fn read(from: &mut impl Read) -> io::Result<Self> {
        let fixed: [u8; SETTINGS_BYTES] = read_array(from)?;
        let mut fields = Fields(&fixed);
        Ok(Self { memory: fields.u64(), cpu_seconds: fields.u32() })
    }
}

/// What a worker says once its limits are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ready {
    /// Bytes resident, 0 if that is not known.
    pub(crate) resident: u64,
    /// What confines it besides its limits.
    pub(crate) held: Protections,
}

/// Says that the limits are in force.
pub(crate) fn write_ready(out: &mut impl Write, ready: Ready) -> io::Result<()> {
    let mut frame = Vec::with_capacity(READY_BYTES);
    frame.extend(ready.resident.to_le_bytes());
    frame.extend(ready.held.bits().to_le_bytes());
    out.write_all(&frame)
}

/// Reads what [`write_ready`] wrote.
pub(crate) fn read_ready(from: &mut impl Read) -> io::Result<Ready> {
    let fixed: [u8; READY_BYTES] = read_array(from)?;
    let mut fields = Fields(&fixed);
    Ok(Ready { resident: fields.u64(), held: Protections::from_bits(fields.u32()) })
}

#[derive(Serialize)]
struct HeadRef<'a> {
    hints: &'a Hints,
    limits: &'a Limits,
}

/// What travels with a document.
#[derive(Debug, Deserialize)]
pub(crate) struct RequestHead {
    pub(crate) hints: Hints,
    pub(crate) limits: Limits,
}

/// The head of a request.
///
/// # Errors
///
/// Hints that are longer than any head may be.
pub(crate) fn request_head(hints: &Hints, limits: &Limits) -> Result<Vec<u8>, ExtractError> {
    let head = to_json(&HeadRef { hints, limits });
    if head.len() > HEAD_MAX as usize {
        return Err(ExtractError::new(
            Reason::TooLarge,
            format!("the hints have {} bytes; the limit is {HEAD_MAX}", head.len()),
        ));
    }
    Ok(head)
}

/// Sends a document. Its bytes go from where they are.
pub(crate) fn write_request(
    out: &mut impl Write,
    serial: u64,
    head: &[u8],
    document: &[u8],
) -> io::Result<()> {
    let mut front = Vec::with_capacity(REQUEST_BYTES + head.len());
    front.extend(serial.to_le_bytes());
    front.extend((document.len() as u64).to_le_bytes());
    // `request_head` refuses longer ones.
    front.extend((head.len() as u32).to_le_bytes());
    front.extend(head);
    write_both(out, &front, document)
}

/// A document as the worker has it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) serial: u64,
    pub(crate) head: RequestHead,
}

/// Reads a request, its document into `document`; none if the host has closed the stream.
pub(crate) fn read_request(
    from: &mut impl Read,
    document: &mut Vec<u8>,
) -> Result<Option<Request>, ReadError> {
    let mut fixed = [0; REQUEST_BYTES];
    let begun = loop {
        match from.read(&mut fixed) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    if begun == 0 {
        return Ok(None);
    }
    from.read_exact(&mut fixed[begun..])?;
    let mut fields = Fields(&fixed);
    let serial = fields.u64();
    let length = fields.u64();
    let mut head = Vec::new();
    read_exactly(from, fields.u32().into(), HEAD_MAX.into(), &mut head)?;
    let head: RequestHead = serde_json::from_slice(&head)
        .map_err(|error| ReadError::Foreign(format!("an unreadable head: {error}")))?;
    read_exactly(from, length, head.limits.max_input_bytes, document)?;
    Ok(Some(Request { serial, head }))
}

/// What a worker says about itself with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WorkerState {
    /// Bytes resident, 0 if that is not known.
    pub(crate) resident: u64,
    /// Another document would have less than its CPU time.
    pub(crate) is_spent: bool,
}

/// Sends an outcome.
pub(crate) fn write_answer(
    out: &mut impl Write,
    serial: u64,
    worker: WorkerState,
    outcome: &Result<Extraction, ExtractError>,
) -> io::Result<()> {
    let (status, head, text) = match outcome {
        Ok(found) => (STATUS_TEXT, to_json(&found.record), found.text.as_str()),
        Err(error) => (STATUS_ERROR, to_json(error), ""),
    };
    let mut front = Vec::with_capacity(ANSWER_BYTES + head.len());
    front.extend(serial.to_le_bytes());
    front.extend(worker.resident.to_le_bytes());
    front.extend((text.len() as u64).to_le_bytes());
    // A longer one is cut by nobody: the host refuses its length.
    front.extend(u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes());
    front.extend(status.to_le_bytes());
    front.extend(u32::from(worker.is_spent).to_le_bytes());
    front.extend(head);
    write_both(out, &front, text.as_bytes())
}

/// An outcome as the host has it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Result<Extraction, ExtractError>,
    pub(crate) worker: WorkerState,
}

/// Reads the answer to the request `serial`, whose document has `length` bytes and was sent with `limits`.
pub(crate) fn read_answer(
    from: &mut impl Read,
    serial: u64,
    length: u64,
    limits: &Limits,
) -> Result<Answer, ReadError> {
    let fixed: [u8; ANSWER_BYTES] = read_array(from)?;
    let mut fields = Fields(&fixed);
    let answered = fields.u64();
    if answered != serial {
        return Err(ReadError::Foreign("the answer to another request".to_owned()));
    }
    let resident = fields.u64();
    let text_length = fields.u64();
    let head_length = fields.u32();
    let status = fields.u32();
    let worker = WorkerState { resident, is_spent: fields.u32() != 0 };
    let mut head = Vec::new();
    read_exactly(from, head_length.into(), HEAD_MAX.into(), &mut head)?;
    let outcome = match status {
        STATUS_TEXT => {
            let record: ExtractionRecord = from_json(&head)?;
            let mut text = Vec::new();
            let bound = limits.longest_text(length).saturating_add(TEXT_SLACK);
            read_exactly(from, text_length, bound, &mut text)?;
            let text = String::from_utf8(text)
                .map_err(|error| ReadError::Foreign(format!("an invalid text: {error}")))?;
            Ok(Extraction { text, record })
        }
        STATUS_ERROR if text_length == 0 => Err(from_json(&head)?),
        _ => return Err(ReadError::Foreign(format!("an answer with status {status}"))),
    };
    match check_outcome(&outcome, limits) {
        Ok(()) => Ok(Answer { outcome, worker }),
        Err(what) => Err(ReadError::Foreign(format!("an answer with {what}"))),
    }
}

/// A number that a worker cannot know before the request: an answer that was sent in advance is none to it.
pub(crate) fn random_serial() -> u64 {
    // Its keys are the system's random numbers.
    RandomState::new().build_hasher().finish()
}

fn from_json<T: for<'a> Deserialize<'a>>(head: &[u8]) -> Result<T, ReadError> {
    serde_json::from_slice(head)
        .map_err(|error| ReadError::Foreign(format!("an unreadable head: {error}")))
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    // Plain structs of strings and numbers, written to memory.
    serde_json::to_vec(value).expect("plain data can be written as JSON")
}

fn read_array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut array = [0; N];
    from.read_exact(&mut array)?;
    Ok(array)
}

/// Replaces `into` by the next `length` bytes, which must be within `bound`.
fn read_exactly(
    from: &mut impl Read,
    length: u64,
    bound: u64,
    into: &mut Vec<u8>,
) -> Result<(), ReadError> {
    if length > bound {
        return Err(ReadError::Foreign(format!(
            "{length} bytes where at most {bound} are allowed"
        )));
    }
    into.clear();
    // One allocation and no copying while it grows; memory that is never written to costs nothing.
    usize::try_from(length)
        .ok()
        .and_then(|length| into.try_reserve_exact(length).ok())
        .ok_or_else(|| {
            ReadError::Foreign(format!("{length} bytes, for which there is no memory"))
        })?;
    if from.by_ref().take(length).read_to_end(into)? as u64 != length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(())
}

/// Writes two pieces, together where the system can.
fn write_both(out: &mut impl Write, front: &[u8], body: &[u8]) -> io::Result<()> {
    let mut slices = [IoSlice::new(front), IoSlice::new(body)];
    let mut left = &mut slices[..];
    IoSlice::advance_slices(&mut left, 0);
    while !left.is_empty() {
        match out.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut left, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests;
