//! Reading: in pieces, as fast as the bytes come, with the checksum taken on the way.

use std::hash::Hasher;
use std::io::{self, Read};

use nearprint_fingerprint::{Family, Fingerprint, Scheme};
use twox_hash::XxHash3_64;

use super::header::{HEADER, Header};
use super::marks::{ShortMarks, has_spare_bits};
use super::{CHECKSUM, END, MAGIC, PrintFileError};
use crate::id::{LONGEST_ID, breaks_lines};

/// Bytes asked for at once.
const PIECE: usize = 1 << 20;

/// A binary file of fingerprints whose header has been read and found good.
///
/// ```
/// use nearprint_fingerprint::{Fingerprint, Scheme};
/// use nearprint_records::{DocumentId, PrintFile, PrintFileWriter, PrintRecord};
///
/// let mut writer = PrintFileWriter::new(Scheme::SD1, true);
/// let fingerprint: Fingerprint = "sd1:aerukz4jvpg66".parse().unwrap();
/// writer.push(&DocumentId::new("one.txt").unwrap(), &fingerprint, Some(true))?;
/// let mut bytes = Vec::new();
/// writer.finish(&mut bytes)?;
///
/// let file = PrintFile::open(&bytes[..], Some(bytes.len() as u64))?;
/// assert_eq!((file.scheme(), file.count(), file.has_ids()), (Scheme::SD1, 1, true));
/// let mut words = Vec::new();
/// let end = file.read(|prints| {
///     words.extend(prints.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
/// })?;
/// assert_eq!(words, [0x0123_4567_89ab_cdef]);
/// assert_eq!(end.ids.expect("ids were kept").get(0), "one.txt");
/// assert!(end.short.expect("it was known").get(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PrintFile<R> {
    header: Header,
    bytes: Bytes<R>,
}

/// What follows the fingerprints of a binary file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrintFileEnd {
    /// The ids, where they were kept.
    pub ids: Option<PrintFileIds>,
    /// Which fingerprints are short, where the file says it.
    pub short: Option<ShortMarks>,
}

/// The ids of a binary file of fingerprints, one for each fingerprint, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintFileIds {
    text: String,
    ends: Vec<u64>,
}

impl PrintFileIds {
    /// The id of the fingerprint at a position.
    ///
    /// # Panics
    /// Where there is no such fingerprint.
    #[must_use]
    pub fn get(&self, position: usize) -> &str {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.text[start as usize..self.ends[position] as usize]
    }

    /// All of them, one after the other, and where each ends, in bytes from the start.
    #[must_use]
    pub fn into_parts(self) -> (String, Vec<u64>) {
        (self.text, self.ends)
    }
}

impl<R: Read> PrintFile<R> {
    /// Whether a file of fingerprints that begins so is a binary one: no text begins with that byte.
    #[must_use]
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        bytes.first() == MAGIC.first()
    }

    /// Reads the header. `length` is that of the whole in bytes, where it is known: what is too short or too long is
    /// then refused here, else where it shows.
    ///
    /// # Errors
    /// If it cannot be read, is not a binary file of fingerprints, of a later version, of an unknown scheme, or not of
    /// the length its header promises.
    pub fn open(reader: R, length: Option<u64>) -> Result<Self, PrintFileError> {
        let mut bytes = Bytes { reader, hasher: XxHash3_64::new(), read: 0, wanted: HEADER as u64 };
        let mut head = [0; HEADER];
        let begun = bytes.fill(&mut head)?;
        if begun < HEADER {
            let is_one = begun >= MAGIC.len() && head.starts_with(&MAGIC);
            return Err(if is_one { bytes.truncated() } else { PrintFileError::Magic });
        }
        let header = Header::of_bytes(&head)?;
        bytes.wanted = header.length()?;
        match length {
            Some(length) if length < bytes.wanted => {
                Err(PrintFileError::Truncated { wanted: bytes.wanted, found: length })
            }
            Some(length) if length > bytes.wanted => {
                Err(PrintFileError::Trailing { wanted: bytes.wanted })
            }
            _ => Ok(Self { header, bytes }),
        }
    }

    /// The scheme of its fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.header.scheme
    }

    /// The number of its fingerprints, as its header promises.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.header.count
    }

    /// Whether ids follow its fingerprints.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        self.header.id_bytes.is_some()
    }

    /// Gives the bytes of the fingerprints to `take`, a number of whole fingerprints at a time, then returns what
    /// follows them.
    ///
    /// Memory is that of the ids and marks, and grows only as they come. What `take` was given may be used once this
    /// has returned: only then is the checksum known to be right.
    ///
    /// # Errors
    /// If it cannot be read, is too short, continues after its end, has ids that cannot be, or its checksum is
    /// wrong.
    pub fn read(mut self, mut take: impl FnMut(&[u8])) -> Result<PrintFileEnd, PrintFileError> {
        let bytes = self.header.scheme.bytes();
        let prints = self.header.count * bytes as u64;
        self.bytes.pieces(prints, bytes, &mut take)?;
        let ids = match self.header.id_bytes {
            Some(bytes) => Some(self.ids(bytes)?),
            None => None,
        };
        let mut marks = Vec::new();
        let mark_bytes = self.header.mark_bytes();
        self.bytes.pieces(mark_bytes, 1, &mut |piece| marks.extend_from_slice(piece))?;
        let computed = self.bytes.hasher.finish();
        let mut stored = [0; CHECKSUM];
        self.bytes.fill_all(&mut stored)?;
        if u64::from_le_bytes(stored) != computed {
            return Err(PrintFileError::Checksum);
        }
        if self.bytes.fill(&mut [0])? > 0 {
            return Err(PrintFileError::Trailing { wanted: self.bytes.wanted });
        }
        // Only now: in a damaged file the checksum is what is wrong, not an id.
        if has_spare_bits(&marks, self.header.count) {
            let what = "it marks more fingerprints as short than it has";
            return Err(PrintFileError::Header { what });
        }
        let short = self.header.has_marks.then(|| ShortMarks::new(marks));
        Ok(PrintFileEnd { ids: ids.map(checked).transpose()?, short })
    }

    fn ids(&mut self, text_bytes: u64) -> Result<(Vec<u64>, Vec<u8>), PrintFileError> {
        let (mut ends, mut text) = (Vec::new(), Vec::new());
        self.bytes.pieces(self.header.count * END as u64, END, &mut |piece| {
            ends.extend(piece.as_chunks::<END>().0.iter().map(|end| u64::from_le_bytes(*end)));
        })?;
        self.bytes.pieces(text_bytes, 1, &mut |piece| text.extend_from_slice(piece))?;
        Ok((ends, text))
    }
}

/// Ids that are what ids must be.
fn checked((ends, text): (Vec<u64>, Vec<u8>)) -> Result<PrintFileIds, PrintFileError> {
    let wrong = |position: usize| PrintFileError::Id { number: position as u64 + 1 };
    let at = |byte: usize| wrong(ends.partition_point(|&end| end as usize <= byte));
    let text = String::from_utf8(text).map_err(|error| at(error.utf8_error().valid_up_to()))?;
    if let Some((byte, _)) = text.char_indices().find(|&(_, c)| breaks_lines(c)) {
        return Err(at(byte));
    }
    let mut start = 0;
    for (position, &end) in ends.iter().enumerate() {
        let fits = end > start && end - start <= LONGEST_ID as u64;
        if !fits || end > text.len() as u64 || !text.is_char_boundary(end as usize) {
            return Err(wrong(position));
        }
        start = end;
    }
    if start != text.len() as u64 {
        return Err(PrintFileError::Header { what: "its ids are shorter than it states" });
    }
    Ok(PrintFileIds { text, ends })
}

/// A fingerprint as the file holds it: its numbers little-endian.
pub(super) fn put(fingerprint: &Fingerprint, out: &mut Vec<u8>) {
    match fingerprint.as_sketch() {
        Some(numbers) => out.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
        // Most significant first, turned round.
        None => out.extend(fingerprint.to_bytes().into_iter().rev()),
    }
}

/// The fingerprint of a scheme from its bytes as a binary file of fingerprints has them; `None` if their number is
/// not the scheme's.
#[must_use]
pub fn little_endian_print(scheme: Scheme, bytes: &[u8]) -> Option<Fingerprint> {
    match scheme.family() {
        Family::Sketch => {
            let numbers: Vec<u16> =
                bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
            Fingerprint::from_sketch(scheme, numbers.try_into().ok()?)
        }
        _ => {
            let mut bytes = bytes.to_vec();
            bytes.reverse();
            Fingerprint::from_bytes(scheme, &bytes)
        }
    }
}

/// Bytes on their way in, counted and hashed.
struct Bytes<R> {
    reader: R,
    hasher: XxHash3_64,
    read: u64,
    /// Bytes there ought to be.
    wanted: u64,
}

impl<R: Read> Bytes<R> {
    /// Fills a buffer as far as there are bytes; how far that is.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, PrintFileError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(PrintFileError::Io(error)),
            }
        }
        self.hasher.write(&buffer[..filled]);
        self.read += filled as u64;
        Ok(filled)
    }

    fn fill_all(&mut self, buffer: &mut [u8]) -> Result<(), PrintFileError> {
        if self.fill(buffer)? == buffer.len() { Ok(()) } else { Err(self.truncated()) }
    }

    fn truncated(&self) -> PrintFileError {
        PrintFileError::Truncated { wanted: self.wanted, found: self.read }
    }

    /// Gives `length` bytes to `take`, in pieces of whole `unit`s.
    fn pieces(
        &mut self,
        length: u64,
        unit: usize,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), PrintFileError> {
        let mut buffer =
            vec![0; (PIECE / unit * unit).min(usize::try_from(length).unwrap_or(PIECE))];
        let mut left = length;
        while left > 0 {
            let piece = buffer.len().min(usize::try_from(left).unwrap_or(PIECE));
            self.fill_all(&mut buffer[..piece])?;
            take(&buffer[..piece]);
            left -= piece as u64;
        }
        Ok(())
    }
}
