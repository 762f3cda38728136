//! Bytes of a file after its compression is undone, in bounded memory, with the places of the compressed members.
//!
//! gzip and zstd files are sequences of members (of zstd, frames) that stand alone. Archives make a member of each
//! record, so that one can be read without the others; other files are one member, or are cut into members anywhere.
//! Here members are stepped through one by one, so that both kinds can be told, and so that a damaged member costs
//! itself and no other.

mod compression;
mod damage;
#[cfg(feature = "archives")]
mod decoders;
#[cfg(not(feature = "archives"))]
#[path = "expansion/decoders_none.rs"]
mod decoders;
#[cfg(feature = "archives")]
mod gzip;
#[cfg(feature = "archives")]
mod members;
#[cfg(not(feature = "archives"))]
#[path = "expansion/members_none.rs"]
mod members;
mod raw;
mod window;
#[cfg(feature = "archives")]
mod zstd;
#[cfg(feature = "archives")]
mod zstd_glance;
#[cfg(all(test, feature = "archives"))]
mod zstd_tests;

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use compression::Compression;
pub(crate) use damage::Damage;
use members::Members;
pub(crate) use raw::Raw;
use window::Window;
#[cfg(feature = "archives")]
pub(crate) use zstd::zstd_reader;

use crate::ReasonCode;
use crate::work::Work;

/// Expanded bytes up to which the ratio is not examined: small files of one repeated line compress beyond any bound.
pub(crate) const RATIO_FLOOR: u64 = 16 << 20;

/// A file that may be compressed, expanded as it is read.
pub(crate) struct Expansion {
    body: Body,
    compression: Option<Compression>,
    max_ratio: u64,
    /// Bytes read again after damage, which are bounded by those read at all.
    reread: u64,
    work: Work,
}

/// What reading has cost up to some place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Bytes that were read again because of damage.
    pub(crate) reread: u64,
    /// Bytes that were looked at, each as often as it was.
    pub(crate) work: u64,
}

enum Body {
    Plain(Raw),
    Members(Box<Members>),
    Whole { reader: Box<dyn Read + Send>, window: Window, read: Arc<AtomicU64>, before: u64 },
}

/// Where a record begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginning {
    /// Bytes of the expanded stream before it.
    expanded: u64,
    /// Bytes of the file before its member, where it is the first in one.
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
    /// Undoes the compression that the first bytes tell. `max_ratio` bounds the expanded bytes of a member for each
    /// compressed one, examined beyond [`RATIO_FLOOR`].
    pub(crate) fn new(mut raw: Raw, max_ratio: u64) -> Self {
        // An error here comes again with the first bytes that are wanted.
        let compression = raw.peek(8).ok().and_then(Compression::sniff);
        let body = match compression {
            None => Body::Plain(raw),
            Some(compression) => decoders::body(compression, raw),
        };
        Self { body, compression, max_ratio, reread: 0, work: Work::default() }
    }

    /// The same, in which as many bytes are looked at for each byte, at most.
    pub(crate) fn with_work(self, per_byte: u64) -> Self {
        Self { work: Work::new(per_byte), ..self }
    }

    /// What a file of this compression expands to at first, to detect what it holds: `limit` bytes, about.
    pub(crate) fn first(
        compression: Compression,
        raw: &mut Raw,
        limit: usize,
    ) -> Result<Vec<u8>, Damage> {
        decoders::first(compression, raw, limit)
    }

    /// The compression that is undone.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Its name.
    pub(crate) fn wrapper(&self) -> Option<&'static str> {
        self.compression.map(Compression::name)
    }

    /// Bytes of the file, and of what it expands to, before what comes next; `None` if nothing begins there that can
    /// be read without what is before it.
    pub(crate) fn standing(&self) -> Option<(u64, u64)> {
        match &self.body {
            Body::Plain(raw) => Some((raw.position(), raw.position())),
            Body::Members(members) if members.has_ended() && members.failed.is_none() => {
                Some((members.raw.position(), members.window.position()))
            }
            Body::Members(_) | Body::Whole { .. } => None,
        }
    }

    /// What reading has cost.
    pub(crate) fn cost(&self) -> Cost {
        Cost { reread: self.reread, work: self.work.spent }
    }

    /// Records that this many bytes are looked at, and refuses what is beyond the limit.
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<(), Damage> {
        self.work.count(bytes as u64);
        self.work.check(self.admitted())
    }

    /// Whether more bytes were looked at than may be.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.work.exceeds(self.admitted())
    }

    /// Bytes that were read, stored and expanded, again or not: all of them may be looked at.
    fn admitted(&self) -> u64 {
        self.position().saturating_add(self.stored()).saturating_add(self.reread)
    }

    /// Continues where another expansion of the same file stood, before anything was taken; false if it cannot.
    pub(crate) fn go_on(&mut self, (stored, expanded): (u64, u64), cost: Cost) -> bool {
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
        (self.reread, self.work.spent) = (cost.reread, cost.work);
        gone
    }

    /// What is ahead in the present member: `count` bytes or more, fewer only at its end.
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
                    let more = window.read_from(reader).map_err(Damage::of_compressed)?;
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

    /// Takes so many bytes of those at hand.
    pub(crate) fn take(&mut self, count: usize) {
        match &mut self.body {
            Body::Plain(raw) => raw.consume(count),
            Body::Members(members) => members.window.consume(count),
            Body::Whole { window, .. } => window.consume(count),
        }
    }

    /// Bytes of the expanded stream that were taken.
    pub(crate) fn position(&self) -> u64 {
        match &self.body {
            Body::Plain(raw) => raw.position(),
            Body::Members(members) => members.window.position(),
            Body::Whole { window, .. } => window.position(),
        }
    }

    /// Bytes of the file before what is examined next, about.
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

    /// Remembers where a record begins, so that what was mistaken for one can be examined again.
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

    /// Goes back to the byte after the record's first one, where what follows is still at hand.
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

    /// Behind damage, finds the next member whose content `begins` as it should; false if there is none.
    pub(crate) fn recover(&mut self, begins: impl Fn(&[u8]) -> bool) -> Result<bool, Damage> {
        match &mut self.body {
            Body::Plain(_) | Body::Whole { .. } => Ok(false),
            Body::Members(members) => {
                let allowed = self.reread
                    <= members.raw.position().saturating_mul(4).saturating_add(RATIO_FLOOR);
                let before = members.glanced;
                self.reread += members.recover(begins, allowed)?;
                self.work.count(members.glanced - before);
                members.advance()
            }
        }
    }
}

fn check_ratio(packed: u64, expanded: u64, max_ratio: u64) -> Result<(), Damage> {
    if expanded > RATIO_FLOOR && expanded > packed.max(1).saturating_mul(max_ratio) {
        let detail =
            format!("{packed} compressed bytes expand more than {max_ratio} times (max_ratio)");
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
