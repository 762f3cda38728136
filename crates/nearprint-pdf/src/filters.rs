//! The filters of a stream as readers: what comes out is examined piece by piece, and nothing is kept.
//!
//! They read what the parser reads, damaged or not: deflate without its header, ASCII85 without its end.
//! ISO 32000-1, 7.4, has the filters.

use flate2::read::DeflateDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::dict::keys::{
    BITS_PER_COMPONENT, COLORS, COLUMNS, DECODE_PARMS, DP, EARLY_CHANGE, F, FILTER, PREDICTOR,
};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use std::io::{self, BufReader, Bytes, Read};
use std::iter::Fuse;

/// Deflate never grows data by more than this factor (RFC 1951: 258 bytes for two bits, less the tables).
const DEFLATE_RATIO: u64 = 1032;
/// LZW's table has 3,838 entries of its own, each one byte longer than another, and a code takes 12 bits there.
const LZW_RATIO: u64 = 2560;
/// Run lengths give up to 128 bytes for two, ASCII85 four for a `z`.
const RUN_LENGTH_RATIO: u64 = 64;
const ASCII85_RATIO: u64 = 4;

/// One filter of a stream, with what its parameters change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    pub(crate) filter: Filter,
    /// Codes of LZW grow one code early.
    pub(crate) early_change: bool,
    /// What comes out is changed by a predictor, which no reader here undoes. It makes nothing longer.
    pub(crate) predicted: bool,
    /// Bytes of a row of the predictor, which the parser allocates however few bytes there are. 0 where there is none.
    pub(crate) row: u64,
    /// Whether a row of the predictor has no bytes, by which the parser would divide.
    pub(crate) row_is_empty: bool,
}

impl Layer {
    pub(crate) fn new(filter: Filter) -> Self {
        Self { filter, early_change: true, predicted: false, row: 0, row_is_empty: false }
    }

    /// The filters of a stream, in the order in which they are undone.
    pub(crate) fn of(stream: &Stream<'_>) -> Vec<Self> {
        let mut layers: Vec<Self> = stream.filters().into_iter().map(Self::new).collect();
        let dict = stream.dict();
        // One filter has a dictionary, an array of them an array of dictionaries.
        if dict.get::<Name<'_>>(F).or_else(|| dict.get::<Name<'_>>(FILTER)).is_some() {
            let own = dict.get::<Dict<'_>>(DP).or_else(|| dict.get::<Dict<'_>>(DECODE_PARMS));
            layers.iter_mut().for_each(|layer| layer.set(own.as_ref()));
        } else if let Some(all) =
            dict.get::<Array<'_>>(DP).or_else(|| dict.get::<Array<'_>>(DECODE_PARMS))
        {
            for (layer, own) in layers.iter_mut().zip(all.iter::<Object<'_>>()) {
                layer.set(own.into_dict().as_ref());
            }
        }
        layers
    }

    fn set(&mut self, parameters: Option<&Dict<'_>>) {
        let number = |key| parameters.and_then(|dict| dict.get::<i32>(key));
        self.early_change = number(EARLY_CHANGE) != Some(0);
        self.predicted = number(PREDICTOR).is_some_and(|predictor| predictor > 1);
        let Some(dict) = parameters else { return };
        let row = row_length(
            dict.get::<usize>(COLUMNS).unwrap_or(1) as u64,
            dict.get::<u8>(COLORS).unwrap_or(1).into(),
            dict.get::<u8>(BITS_PER_COMPONENT).unwrap_or(8).into(),
        );
        if self.predicted {
            self.row = row;
        }
        // Rows of PNG (10 and more) begin with a byte of their own.
        let predictor = dict.get::<u8>(PREDICTOR).unwrap_or(1);
        self.row_is_empty = row == 0 && predictor != 1 && predictor < 10;
    }

    /// The most that so many bytes become.
    pub(crate) fn largest(self, size: u64) -> u64 {
        match self.filter {
            Filter::AsciiHexDecode | Filter::Crypt => size,
            Filter::Ascii85Decode => size.saturating_mul(ASCII85_RATIO),
            Filter::RunLengthDecode => size.saturating_mul(RUN_LENGTH_RATIO),
            Filter::LzwDecode => size.saturating_mul(LZW_RATIO),
            _ => size.saturating_mul(DEFLATE_RATIO),
        }
    }

    /// What comes out of the filter; `None` for those of images, which the parser does not undo.
    pub(crate) fn reader<'r>(self, inner: Box<dyn Read + 'r>) -> Option<Box<dyn Read + 'r>> {
        match self.filter {
            Filter::FlateDecode => return Some(deflate(inner)),
            Filter::Crypt => return Some(inner),
            _ => {}
        }
        let source = Source { bytes: BufReader::new(inner).bytes() };
        let coded: Box<dyn Iterator<Item = u8> + 'r> = match self.filter {
            Filter::AsciiHexDecode => Box::new(AsciiHex { source, ended: false }),
            Filter::Ascii85Decode => {
                Box::new(Ascii85 { source, out: [0; 4], rest: 0, ended: false })
            }
            Filter::RunLengthDecode => Box::new(RunLength { source, left: 0, again: None }),
            Filter::LzwDecode => Box::new(Lzw::new(source, self.early_change)),
            _ => return None,
        };
        Some(Box::new(FilterOutput(coded.fuse())))
    }
}

/// Bytes of a row of so many pixels. Where the bits of a pixel are more than the parser's arithmetic holds, no row is
/// long enough.
pub(crate) fn row_length(columns: u64, colors: u64, bits: u64) -> u64 {
    match colors.saturating_mul(bits) {
        pixel @ 0..=0xFF => columns.saturating_mul(pixel).div_ceil(8),
        _ => u64::MAX,
    }
}

/// Output of a filter, up to its end or to where its data are damaged.
struct FilterOutput<'r>(Fuse<Box<dyn Iterator<Item = u8> + 'r>>);

impl Read for FilterOutput<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        for (place, byte) in out.iter_mut().zip(&mut self.0) {
            *place = byte;
            read += 1;
        }
        Ok(read)
    }
}

/// The bytes that a filter is given, up to where they are damaged.
struct Source<'r> {
    bytes: Bytes<BufReader<Box<dyn Read + 'r>>>,
}

impl Source<'_> {
    /// The next byte that is not white space.
    fn next_dark(&mut self) -> Option<u8> {
        self.find(|byte| !matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' '))
    }
}

impl Iterator for Source<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.bytes.next()?.ok()
    }
}

/// Deflate with the header of zlib or without. Its checksum is not examined, as the parser does not insist on it.
fn deflate<'r>(mut inner: Box<dyn Read + 'r>) -> Box<dyn Read + 'r> {
    let mut header = Vec::with_capacity(2);
    // An error comes back when the rest is read.
    let _ = inner.by_ref().take(2).read_to_end(&mut header);
    if let [method, flags] = header[..]
        && method & 0x0f == 8
        && u16::from_be_bytes([method, flags]).is_multiple_of(31)
        && flags & 0x20 == 0
    {
        return Box::new(DeflateDecoder::new(inner));
    }
    Box::new(DeflateDecoder::new(io::Cursor::new(header).chain(inner)))
}

struct AsciiHex<'r> {
    source: Source<'r>,
    ended: bool,
}

impl AsciiHex<'_> {
    fn digit(&mut self) -> Option<u8> {
        if self.ended {
            return None;
        }
        let digit = self.source.next_dark().and_then(|byte| char::from(byte).to_digit(16));
        self.ended = digit.is_none();
        digit.map(|digit| digit as u8)
    }
}

impl Iterator for AsciiHex<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        Some(self.digit()? << 4 | self.digit().unwrap_or(0))
    }
}

struct Ascii85<'r> {
    source: Source<'r>,
    /// The last group's bytes, of which so many are not yet returned.
    out: [u8; 4],
    rest: usize,
    ended: bool,
}

impl Ascii85<'_> {
    /// Reads a group; `None` at the end, and where it is none.
    fn group(&mut self) -> Option<()> {
        let (mut value, mut digits) = (0_u64, 0);
        while !self.ended && digits < 5 {
            match self.source.next_dark() {
                Some(b'z') if digits == 0 => {
                    (self.out, self.rest) = ([0; 4], 4);
                    return Some(());
                }
                Some(c @ b'!'..=b'u') => {
                    value = value * 85 + u64::from(c - b'!');
                    digits += 1;
                }
                _ => self.ended = true,
            }
        }
        self.rest = usize::checked_sub(digits, 1)?;
        for _ in digits..5 {
            value = value * 85 + 84;
        }
        self.out = u32::try_from(value).ok()?.to_be_bytes();
        self.out.rotate_right(4 - self.rest);
        Some(())
    }
}

impl Iterator for Ascii85<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.rest == 0 {
            self.group()?;
        }
        let byte = *self.out.get(4 - self.rest)?;
        self.rest -= 1;
        Some(byte)
    }
}

struct RunLength<'r> {
    source: Source<'r>,
    /// Bytes left of the run, and what they are where it repeats one.
    left: usize,
    again: Option<u8>,
}

impl Iterator for RunLength<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.left == 0 {
            match self.source.next()? {
                128 => return None,
                length @ ..128 => (self.left, self.again) = (usize::from(length) + 1, None),
                length => {
                    self.left = 257 - usize::from(length);
                    self.again = Some(self.source.next()?);
                }
            }
        }
        self.left -= 1;
        self.again.or_else(|| self.source.next())
    }
}

const CLEAR: usize = 256;
const END: usize = 257;
const MAX_CODES: usize = 4096;

struct Lzw<'r> {
    source: Source<'r>,
    early_change: bool,
    bits: u32,
    pending: u32,
    /// For each code the one whose string it prolongs, and its string's last and first byte.
    table: Vec<(u16, u8, u8)>,
    before: Option<usize>,
    /// The string of the last code, backwards, as far as it is not yet returned.
    string: Vec<u8>,
}

impl<'r> Lzw<'r> {
    fn new(source: Source<'r>, early_change: bool) -> Self {
        let table = (0..=END).map(|code| (0, (code & 0xff) as u8, (code & 0xff) as u8)).collect();
        let (before, string) = (None, Vec::new());
        Self { source, early_change, bits: 0, pending: 0, table, before, string }
    }

    fn code(&mut self) -> Option<usize> {
        let width = match self.table.len() + usize::from(self.early_change) {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        while self.pending < width {
            self.bits = self.bits << 8 | u32::from(self.source.next()?);
            self.pending += 8;
        }
        self.pending -= width;
        Some((self.bits >> self.pending) as usize & ((1 << width) - 1))
    }

    /// Reads a code and lays its string out.
    fn step(&mut self) -> Option<()> {
        let code = self.code()?;
        if code == END {
            return None;
        }
        if code == CLEAR {
            self.table.truncate(END + 1);
            self.before = None;
            return Some(());
        }
        if let Some(before) = self.before
            && self.table.len() < MAX_CODES
        {
            // A code that is not there yet is the one being made here.
            let known = if code < self.table.len() { code } else { before };
            let (last, first) = (self.table[known].2, self.table[before].2);
            self.table.push((before as u16, last, first));
        }
        let mut at = code;
        loop {
            let (shorter, last, _) = *self.table.get(at)?;
            self.string.push(last);
            if at < CLEAR {
                break;
            }
            at = usize::from(shorter);
        }
        self.before = Some(code);
        Some(())
    }
}

impl Iterator for Lzw<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        while self.string.is_empty() {
            self.step()?;
        }
        self.string.pop()
    }
}
