//! Octets of a file after its compression is undone, in bounded memory, with the places of the compressed members.
//!
//! gzip and zstd files are sequences of members (of zstd, frames) that stand alone. Archives make a member of each
//! record, so that one can be read without the others; other files are one member, or are cut into members anywhere.
//! Here members are stepped through one by one, so that both kinds can be told, and so that a damaged member costs
//! itself and no other.

mod gzip;
mod raw;
mod window;
mod zstd;

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gzip::GzipMembers;
pub(crate) use raw::Raw;
use window::Window;
use zstd::ZstdFrames;
pub(crate) use zstd::zstd_reader;

use crate::ReasonCode;

/// Expanded octets up to which the ratio is not looked at: small files of one repeated line compress beyond any bound.
pub(crate) const RATIO_FLOOR: u64 = 16 << 20;

/// KiB that a file in xz may ask for: what `xz -9` asks for, twice.
const XZ_MEMORY: u32 = 128 << 10;

/// Octets of a member that are expanded to see whether it may be one.
const GLANCE: u64 = 64;

/// Octets of a member that are looked at for that.
const GLANCED: usize = 16 << 10;

/// Why octets cannot be had.
#[derive(Debug)]
pub(crate) struct Damage {
    pub(crate) reason: ReasonCode,
    pub(crate) detail: String,
}

impl Damage {
    pub(crate) fn new(detail: impl Into<String>) -> Self {
        Self { reason: ReasonCode::DAMAGED, detail: detail.into() }
    }
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        // What BufRead below made an error of comes back as what it was.
        match error.downcast::<DamageError>() {
            Ok(DamageError(damage)) => damage,
            Err(error) => Self { reason: ReasonCode::UNREADABLE, detail: error.to_string() },
        }
    }
}

/// Damage on its way through interfaces that know only errors of input and output.
#[derive(Debug)]
struct DamageError(Damage);

impl std::fmt::Display for DamageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.detail)
    }
}

impl std::error::Error for DamageError {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::new(io::ErrorKind::InvalidData, DamageError(damage))
    }
}

/// Compression of whole files that is undone here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    /// What a file that begins so is compressed with.
    pub(crate) fn sniff(head: &[u8]) -> Option<Self> {
        match head {
            _ if GzipMembers::begins(head) => Some(Self::Gzip),
            _ if ZstdFrames::begins(head) || ZstdFrames::begins_skipped(head) => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    /// What a file that begins so expands to in the beginning: up to `limit` octets, about.
    pub(crate) fn first(self, head: &[u8], limit: u64) -> Vec<u8> {
        let mut out = Vec::new();
        // Heads are cut: what could be expanded before that will do.
        let _ = match self {
            Self::Gzip => {
                flate2::bufread::MultiGzDecoder::new(head).take(limit).read_to_end(&mut out)
            }
            Self::Bzip2 => {
                bzip2::bufread::MultiBzDecoder::new(head).take(limit).read_to_end(&mut out)
            }
            Self::Xz => {
                let reader = lzma_rust2::XzReader::new_mem_limit(head, true, XZ_MEMORY);
                reader.take(limit).read_to_end(&mut out)
            }
            Self::Zstd => return ZstdFrames::first(head, limit),
        };
        out
    }
}

/// A file that may be compressed, expanded as it is read.
pub(crate) struct Expansion {
    body: Body,
    compression: Option<Compression>,
    max_ratio: u64,
    /// Octets read again behind damage, which are bounded by those read at all.
    reread: u64,
}

enum Body {
    Plain(Raw),
    Members(Box<Members>),
    Whole { reader: Box<dyn Read + Send>, window: Window, read: Arc<AtomicU64>, before: u64 },
}

/// A file of members.
struct Members {
    raw: Raw,
    decoder: Decoder,
    window: Window,
    /// Where the present member begins, in the file and in what it expands to.
    began: (u64, u64),
    /// Whether the present member has not ended.
    open: bool,
    /// Damage behind what is at hand.
    failed: Option<Damage>,
}

enum Decoder {
    Gzip(Box<GzipMembers>),
    Zstd(Box<ZstdFrames>),
}

/// Where a record begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginning {
    /// Octets of the expanded stream before it.
    expanded: u64,
    /// Octets of the file before its member, where it is the first in one.
    member: Option<u64>,
}

/// Where a record is: in the file where it can be read from there alone, else in what the file expands to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) offset: u64,
    pub(crate) length: Option<u64>,
    pub(crate) wrapper: Option<&'static str>,
}

impl Expansion {
    /// Undoes the compression that the first octets tell. `max_ratio` bounds the expanded octets of a member for each
    /// compressed one, looked at beyond [`RATIO_FLOOR`].
    pub(crate) fn new(mut raw: Raw, max_ratio: u64) -> Self {
        // An error here comes again with the first octets that are wanted.
        let compression = raw.peek(8).ok().and_then(Compression::sniff);
        let members = |raw, decoder| {
            let window = Window::default();
            let members =
                Members { raw, decoder, window, began: (0, 0), open: false, failed: None };
            Body::Members(Box::new(members))
        };
        let whole = |read: Arc<AtomicU64>, reader| {
            let before = read.load(Ordering::Relaxed);
            Body::Whole { reader, window: Window::default(), read, before }
        };
        let body = match compression {
            None => Body::Plain(raw),
            Some(Compression::Gzip) => members(raw, Decoder::Gzip(Box::new(GzipMembers::new()))),
            Some(Compression::Zstd) => members(raw, Decoder::Zstd(Box::new(ZstdFrames::new()))),
            Some(Compression::Bzip2) => {
                whole(raw.counter(), Box::new(bzip2::bufread::MultiBzDecoder::new(raw)))
            }
            Some(Compression::Xz) => {
                let read = raw.counter();
                whole(read, Box::new(lzma_rust2::XzReader::new_mem_limit(raw, true, XZ_MEMORY)))
            }
        };
        Self { body, compression, max_ratio, reread: 0 }
    }

    /// The compression that is undone.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Its name.
    pub(crate) fn wrapper(&self) -> Option<&'static str> {
        self.compression.map(Compression::name)
    }

    /// Octets of the file, and of what it expands to, before what comes next; `None` where nothing begins there that can be read
    /// without what is before it.
    pub(crate) fn standing(&self) -> Option<(u64, u64)> {
        match &self.body {
            Body::Plain(raw) => Some((raw.position(), raw.position())),
            Body::Members(members) if members.has_ended() && members.failed.is_none() => {
                Some((members.raw.position(), members.window.position()))
            }
            Body::Members(_) | Body::Whole { .. } => None,
        }
    }

    /// Octets that were read again because of damage.
    pub(crate) fn reread(&self) -> u64 {
        self.reread
    }

    /// Goes on where another expansion of the same file stood, before anything was taken; false where it cannot.
    pub(crate) fn go_on(&mut self, (stored, expanded): (u64, u64), reread: u64) -> bool {
        let gone = match &mut self.body {
            Body::Plain(raw) => stored == expanded && raw.go_on(stored),
            Body::Members(members) => {
                // What begins the file may be a dictionary for all of it.
                let begun = members.advance().is_ok() && members.raw.go_on(stored);
                members.window = Window::at(expanded);
                (members.began, members.open) = ((stored, expanded), false);
                begun
            }
            Body::Whole { .. } => false,
        };
        self.reread = reread;
        gone
    }

    /// What is ahead in the present member: `count` octets or more, fewer only at its end.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], Damage> {
        match &mut self.body {
            Body::Plain(raw) => Ok(raw.peek(count)?),
            Body::Members(members) => {
                while members.window.ahead().len() < count && members.open {
                    members.expand(self.max_ratio)?;
                }
                Ok(members.window.ahead())
            }
            Body::Whole { reader, window, read, before } => {
                while window.ahead().len() < count {
                    let more = window.read_from(reader).map_err(|error| {
                        Damage::new(format!("the compressed data is damaged: {error}"))
                    })?;
                    let packed = read.load(Ordering::Relaxed) - *before;
                    let expanded = window.position() + window.ahead().len() as u64;
                    check_ratio(packed, expanded, self.max_ratio)?;
                    if !more {
                        break;
                    }
                }
                Ok(window.ahead())
            }
        }
    }

    /// What is at hand.
    pub(crate) fn ahead(&self) -> &[u8] {
        match &self.body {
            Body::Plain(raw) => raw.ahead(),
            Body::Members(members) => members.window.ahead(),
            Body::Whole { window, .. } => window.ahead(),
        }
    }

    /// Takes so many octets of those at hand.
    pub(crate) fn take(&mut self, count: usize) {
        match &mut self.body {
            Body::Plain(raw) => raw.consume(count),
            Body::Members(members) => members.window.consume(count),
            Body::Whole { window, .. } => window.consume(count),
        }
    }

    /// Octets of the expanded stream that were taken.
    pub(crate) fn position(&self) -> u64 {
        match &self.body {
            Body::Plain(raw) => raw.position(),
            Body::Members(members) => members.window.position(),
            Body::Whole { window, .. } => window.position(),
        }
    }

    /// Octets of the file before what is looked at next, about.
    pub(crate) fn stored(&self) -> u64 {
        match &self.body {
            Body::Plain(raw) => raw.position(),
            Body::Members(members) => members.raw.position(),
            Body::Whole { window, .. } => window.position(),
        }
    }

    /// Begins the next member, once the present one has been expanded to its end; false at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, Damage> {
        match &mut self.body {
            Body::Plain(_) | Body::Whole { .. } => Ok(false),
            Body::Members(members) => members.advance(),
        }
    }

    /// Remembers where a record begins, so that what was taken for it can be looked at again.
    pub(crate) fn begin(&mut self) -> Beginning {
        match &mut self.body {
            Body::Plain(raw) => raw.mark(),
            Body::Members(members) => members.window.mark(),
            Body::Whole { window, .. } => window.mark(),
        }
        let expanded = self.position();
        let member = match &self.body {
            Body::Members(members) if members.began.1 == expanded => Some(members.began.0),
            _ => None,
        };
        Beginning { expanded, member }
    }

    /// The place of a record that ends where the stream is now.
    pub(crate) fn extent(&self, beginning: Beginning) -> Extent {
        match (&self.body, beginning.member) {
            (Body::Members(members), Some(offset))
                if members.began.0 == offset && members.has_ended() =>
            {
                let length = Some(members.raw.position() - offset);
                Extent { offset, length, wrapper: None }
            }
            _ => {
                let length = Some(self.position() - beginning.expanded);
                Extent { offset: beginning.expanded, length, wrapper: self.wrapper() }
            }
        }
    }

    /// The place of a record of which only the beginning is known.
    pub(crate) fn extent_of_beginning(&self, beginning: Beginning) -> Extent {
        match beginning.member {
            Some(offset) => Extent { offset, length: None, wrapper: None },
            None => Extent { offset: beginning.expanded, length: None, wrapper: self.wrapper() },
        }
    }

    /// Goes back to the octet behind the record's first one, where what follows is still at hand.
    pub(crate) fn go_back(&mut self) {
        let position = self.position();
        // However damaged a file is, it is read a bounded number of times.
        if self.reread > position.saturating_mul(4).saturating_add(RATIO_FLOOR) {
            return;
        }
        let window = match &mut self.body {
            Body::Plain(raw) => raw.rewind(),
            Body::Members(members) => members.window.rewind(),
            Body::Whole { window, .. } => window.rewind(),
        };
        if let Some(far) = window.filter(|far| *far > 0) {
            self.reread += far;
            self.take(1);
        }
    }

    /// Behind damage, finds the next member whose content `begins` as it should; false where there is none.
    pub(crate) fn recover(&mut self, begins: impl Fn(&[u8]) -> bool) -> Result<bool, Damage> {
        match &mut self.body {
            Body::Plain(_) | Body::Whole { .. } => Ok(false),
            Body::Members(members) => {
                let allowed = self.reread
                    <= members.raw.position().saturating_mul(4).saturating_add(RATIO_FLOOR);
                self.reread += members.recover(begins, allowed)?;
                members.advance()
            }
        }
    }
}

impl Members {
    fn has_ended(&self) -> bool {
        !self.open && self.window.ahead().is_empty()
    }

    fn expand(&mut self, max_ratio: u64) -> Result<(), Damage> {
        if let Some(damage) = self.failed.take() {
            return Err(damage);
        }
        let before = self.window.ahead().len();
        let Self { raw, decoder, window, .. } = self;
        let ended = window.extend(|out| match decoder {
            Decoder::Gzip(members) => members.expand(raw, out),
            Decoder::Zstd(frames) => frames.expand(raw, out),
        });
        match ended {
            Ok(ended) => self.open = !ended,
            // What was expanded before is given out first.
            Err(damage) if self.window.ahead().len() > before => self.failed = Some(damage),
            Err(damage) => return Err(damage),
        }
        let packed = self.raw.position() - self.began.0;
        let expanded = self.window.position() + self.window.ahead().len() as u64 - self.began.1;
        check_ratio(packed, expanded, max_ratio)
    }

    fn advance(&mut self) -> Result<bool, Damage> {
        loop {
            let Self { raw, decoder, .. } = self;
            let head = raw.peek(8)?;
            match decoder {
                _ if head.is_empty() => return Ok(false),
                Decoder::Zstd(frames) if ZstdFrames::begins_skipped(head) => frames.skip(raw)?,
                Decoder::Gzip(_) if GzipMembers::begins(head) => break,
                Decoder::Zstd(_) if ZstdFrames::begins(head) => break,
                // Padding of tapes and object stores.
                _ if head[0] == 0 => raw.consume(1),
                _ => {
                    let text = format!("no compressed data begins at octet {}", raw.position());
                    return Err(Damage::new(text));
                }
            }
        }
        self.raw.mark();
        let expanded = self.window.position() + self.window.ahead().len() as u64;
        self.began = (self.raw.position(), expanded);
        match &mut self.decoder {
            Decoder::Gzip(members) => members.open(&mut self.raw)?,
            Decoder::Zstd(frames) => frames.open(&mut self.raw)?,
        }
        self.open = true;
        Ok(true)
    }

    /// Goes to the next member that looks right; how many octets are read again.
    fn recover(&mut self, begins: impl Fn(&[u8]) -> bool, back: bool) -> Result<u64, Damage> {
        self.open = false;
        self.failed = None;
        let left = self.window.ahead().len();
        self.window.consume(left);
        // Where damage shows is often far behind where it is.
        let far = if back { self.raw.rewind().unwrap_or(0) } else { 0 };
        if far > 0 {
            self.raw.consume(1);
        }
        loop {
            let ahead = self.raw.peek(GLANCED)?;
            if ahead.is_empty() {
                return Ok(far);
            }
            let (compression, first) = match self.decoder {
                Decoder::Gzip(_) => (Compression::Gzip, 0x1f),
                Decoder::Zstd(_) => (Compression::Zstd, 0x28),
            };
            match memchr::memchr(first, ahead) {
                None => {
                    let count = ahead.len();
                    self.raw.consume(count);
                }
                Some(0) => {
                    let is_member = Compression::sniff(ahead) == Some(compression)
                        && begins(&compression.first(&ahead[..ahead.len().min(GLANCED)], GLANCE));
                    if is_member {
                        return Ok(far);
                    }
                    self.raw.consume(1);
                }
                Some(count) => self.raw.consume(count),
            }
        }
    }
}

fn check_ratio(packed: u64, expanded: u64, max_ratio: u64) -> Result<(), Damage> {
    if expanded > RATIO_FLOOR && expanded > packed.max(1).saturating_mul(max_ratio) {
        let detail = format!(
            "{packed} compressed octets expand more than {max_ratio} times, which is not allowed (--limit expansion-ratio)"
        );
        return Err(Damage { reason: ReasonCode::EXPANSION_LIMIT, detail });
    }
    Ok(())
}

impl Read for Expansion {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ahead = self.fill_buf()?;
        let count = ahead.len().min(out.len());
        out[..count].copy_from_slice(&ahead[..count]);
        self.take(count);
        Ok(count)
    }
}

/// The stream without its members, for what is made of lines.
impl BufRead for Expansion {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.peek(1)?.is_empty() {
            if !self.advance()? {
                break;
            }
        }
        Ok(self.ahead())
    }

    fn consume(&mut self, count: usize) {
        self.take(count);
    }
}
