//! What a page or a capture of the Web is called and where it lies, and how much it changed: what people look at, and
//! what nothing is found by.
//!
//! | tag | part of a value of [`parts`](crate::store::parts) |
//! |---|---|
//! | 128 | the address as it was captured |
//! | 129 | the title of the page |
//! | 130 | the status of the HTTP response: 2 bytes, little-endian |
//! | 131 | the media type it was served as |
//! | 132 | the file of the archive |
//! | 133 | where the record begins in that file |
//! | 134 | bytes of the record in that file |
//! | 135 | nothing; there if it is a revisit |
//! | 136 | the change from the capture before: the distance of the fingerprints; where texts were compared, the share that changed in millionths; where main content was compared, the same of that |
//! | 137 | the language that the page states |
//!
//! Numbers are groups of 7 bits, unless bytes are stated. All of these parts may be skipped by a program that does not
//! know them.

use nearprint::records::{Capture, FingerprintRecord, Place, REVISIT_TYPE};

use crate::store::parts::{PreparedValue, put_number, take_number};

const URL: u8 = 128;
const TITLE: u8 = 129;
const STATUS: u8 = 130;
const MIME: u8 = 131;
const FILE: u8 = 132;
const OFFSET: u8 = 133;
const LENGTH: u8 = 134;
const REVISIT: u8 = 135;
pub(crate) const CHANGE: u8 = 136;
const LANGUAGE: u8 = 137;

/// The tags of the details, ascending.
pub(crate) const DETAIL_TAGS: [u8; 9] =
    [URL, TITLE, STATUS, MIME, FILE, OFFSET, LENGTH, REVISIT, LANGUAGE];

/// Bytes (<=) of the address, and of each other text.
const LONGEST_URL: usize = 16 << 10;
const LONGEST_TITLE: usize = 1000;
const LONGEST_MIME: usize = 255;
const LONGEST_LANGUAGE: usize = 35;
const LONGEST_FILE: usize = 4096;

/// What a page or a capture is called and where it lies. A document that is not a capture has a title and a language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptureDetails {
    /// The address as it was captured, at most 16 KiB.
    pub url: Option<String>,
    /// The title of the page, at most 1,000 bytes.
    pub title: Option<String>,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// The media type it was served as, at most 255 bytes.
    pub mime: Option<String>,
    /// The file of the archive, at most 4,096 bytes.
    pub file: Option<String>,
    /// Where its record begins in that file, in bytes.
    pub offset: Option<u64>,
    /// Bytes of its record in that file.
    pub length: Option<u64>,
    /// Whether it is a revisit: the archive has the payload in the record of an earlier capture.
    pub is_revisit: bool,
    /// The language that the page states, at most 35 bytes.
    pub language: Option<String>,
}

/// How much a capture changed since the one before it, of the same address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureChange {
    /// The distance of the fingerprints.
    pub distance: u32,
    /// The share of the words of both that only one has, in millionths: 0 to 1,000,000, and 0 only if nothing changed.
    /// `None` where a text is not kept, or has more than 1 MiB.
    pub text: Option<u32>,
    /// The same of the main content of pages; equal to `text` where neither text has anything around it.
    pub main_content: Option<u32>,
}

/// A text of at most so many bytes, and not of none.
fn short(text: Option<&str>, longest: usize) -> Option<String> {
    text.filter(|text| (1..=longest).contains(&text.len())).map(str::to_owned)
}

impl CaptureDetails {
    /// What a page says of itself. What is too long is left out.
    #[must_use]
    pub fn of_page(title: Option<&str>, language: Option<&str>) -> Self {
        let (title, language) = (short(title, LONGEST_TITLE), short(language, LONGEST_LANGUAGE));
        Self { title, language, ..Self::default() }
    }

    /// What is known of a page, as that of a capture whose record is at a place. What is too long is left out.
    #[must_use]
    pub fn captured(self, capture: &Capture, place: &Place) -> Self {
        // Of a file that is compressed as a whole no record can be read alone.
        let is_alone = place.wrapper.is_none();
        Self {
            url: short(Some(&capture.url), LONGEST_URL),
            status: capture.status,
            mime: short(capture.mime.as_deref(), LONGEST_MIME),
            // Of a package the file in it: offsets are of that.
            file: short(Some(place.member.as_ref().unwrap_or(&place.file)), LONGEST_FILE),
            offset: place.offset.filter(|_| is_alone),
            length: place.length.filter(|_| is_alone),
            is_revisit: capture.mime.as_deref() == Some(REVISIT_TYPE),
            ..self
        }
    }

    /// The same of the capture of a record, if it is one.
    #[must_use]
    pub fn recorded(self, record: &FingerprintRecord) -> Self {
        match record.capture.as_deref() {
            Some(capture) => self.captured(capture, &record.place),
            None => self,
        }
    }

    /// In a box, unless nothing is known.
    #[must_use]
    pub fn boxed(self) -> Option<Box<Self>> {
        (!self.is_empty()).then(|| Box::new(self))
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what a record cannot hold.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self) -> Result<(), &'static str> {
        let fits = |text: &Option<String>, longest: usize| {
            text.as_ref().is_none_or(|text| (1..=longest).contains(&text.len()))
        };
        match () {
            () if !fits(&self.url, LONGEST_URL) => {
                Err("the address of a capture has 1 to 16,384 bytes")
            }
            () if !fits(&self.title, LONGEST_TITLE) => {
                Err("the title of a capture has 1 to 1,000 bytes")
            }
            () if !fits(&self.mime, LONGEST_MIME) => {
                Err("the media type of a capture has 1 to 255 bytes")
            }
            () if !fits(&self.language, LONGEST_LANGUAGE) => {
                Err("the language of a page has 1 to 35 bytes")
            }
            () if !fits(&self.file, LONGEST_FILE) => {
                Err("the name of the file of a capture has 1 to 4,096 bytes")
            }
            () => Ok(()),
        }
    }

    /// Adds the details to a value whose tags so far are lower.
    pub(crate) fn put(&self, to: &mut PreparedValue) {
        let Self { url, title, status, mime, file, offset, length, is_revisit, language } = self;
        to.put_some(URL, url.as_deref());
        to.put_some(TITLE, title.as_deref());
        if let Some(status) = status {
            to.put(STATUS, &status.to_le_bytes());
        }
        to.put_some(MIME, mime.as_deref());
        to.put_some(FILE, file.as_deref());
        for (tag, number) in [(OFFSET, offset), (LENGTH, length)] {
            if let Some(number) = number {
                let mut bytes = Vec::with_capacity(10);
                put_number(&mut bytes, *number);
                to.put(tag, &bytes);
            }
        }
        if *is_revisit {
            to.put(REVISIT, &[]);
        }
        to.put_some(LANGUAGE, language.as_deref());
    }

    /// The details of the parts of [`DETAIL_TAGS`]; `None` where they are damaged.
    pub(crate) fn of_parts(parts: [Option<&[u8]>; 9]) -> Option<Self> {
        let [url, title, status, mime, file, offset, length, revisit, language] = parts;
        let text = |bytes: Option<&[u8]>| {
            bytes.map(|bytes| std::str::from_utf8(bytes).map(str::to_owned)).transpose().ok()
        };
        let number = |bytes: Option<&[u8]>| match bytes.map(take_number) {
            None => Some(None),
            Some(Some((number, []))) => Some(Some(number)),
            Some(_) => None,
        };
        let status = match status {
            Some(status) => Some(u16::from_le_bytes(status.try_into().ok()?)),
            None => None,
        };
        Some(Self {
            url: text(url)?,
            title: text(title)?,
            status,
            mime: text(mime)?,
            file: text(file)?,
            offset: number(offset)?,
            length: number(length)?,
            is_revisit: revisit.is_some(),
            language: text(language)?,
        })
    }
}

impl CaptureChange {
    /// The change as a part of a value.
    pub(crate) fn part(&self) -> Vec<u8> {
        let mut part = Vec::with_capacity(8);
        put_number(&mut part, self.distance.into());
        let main = self.main_content.filter(|_| self.main_content != self.text);
        // Main content is part of a text.
        for share in self.text.into_iter().chain(main.filter(|_| self.text.is_some())) {
            put_number(&mut part, share.into());
        }
        part
    }

    /// The change of a part; `None` where it is damaged.
    pub(crate) fn of_part(part: &[u8]) -> Option<Self> {
        let (distance, rest) = take_number(part)?;
        let distance = u32::try_from(distance).ok()?;
        let (text, rest) = take_share(rest)?;
        let (main, rest) = take_share(rest)?;
        rest.is_empty().then_some(Self { distance, text, main_content: main.or(text) })
    }
}

/// The next share, if there is one, and what follows it.
fn take_share(bytes: &[u8]) -> Option<(Option<u32>, &[u8])> {
    if bytes.is_empty() {
        return Some((None, bytes));
    }
    let (share, rest) = take_number(bytes)?;
    let share = u32::try_from(share).ok().filter(|share| *share <= 1_000_000)?;
    Some((Some(share), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> CaptureDetails {
        CaptureDetails {
            url: Some("http://www.Example.org/über".to_owned()),
            title: Some("Fog".to_owned()),
            status: Some(200),
            mime: Some("text/html".to_owned()),
            file: Some("crawl/a.warc.gz".to_owned()),
            offset: Some(70_000),
            length: Some(0),
            is_revisit: true,
            language: Some("en".to_owned()),
        }
    }

    #[test]
    fn details_come_back() {
        for details in [full(), CaptureDetails::default()] {
            let mut value = PreparedValue::new();
            details.put(&mut value);
            let parts = value.parts().tagged(DETAIL_TAGS).expect("known tags");
            assert_eq!(CaptureDetails::of_parts(parts), Some(details));
        }
        for at in [0, 1, 2, 3, 4, 5, 6, 8] {
            let mut parts = [None; 9];
            parts[at] = Some(&b"\xff"[..]);
            assert_eq!(CaptureDetails::of_parts(parts), None, "{at}");
        }
    }

    #[test]
    fn what_is_too_long_is_left_out_or_refused() {
        let capture = Capture {
            url: "u".repeat(LONGEST_URL + 1),
            mime: Some("m".repeat(LONGEST_MIME + 1)),
            ..Capture::default()
        };
        let place = Place { file: "f".repeat(LONGEST_FILE + 1).into(), ..Place::default() };
        let page = CaptureDetails::of_page(Some(""), Some(&"x".repeat(LONGEST_LANGUAGE + 1)));
        assert!(page.captured(&capture, &place).is_empty());
        assert_eq!(full().check(), Ok(()));
        let empty = Some(String::new());
        for wrong in [
            CaptureDetails { url: Some(capture.url), ..full() },
            CaptureDetails { title: empty.clone(), ..full() },
            CaptureDetails { mime: empty.clone(), ..full() },
            CaptureDetails { language: empty.clone(), ..full() },
            CaptureDetails { file: empty, ..full() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn changes_come_back() {
        for (text, main_content) in
            [(None, None), (Some(0), Some(0)), (Some(200_000), Some(0)), (Some(1), Some(1_000_000))]
        {
            let change = CaptureChange { distance: 300, text, main_content };
            let part = change.part();
            assert_eq!(CaptureChange::of_part(&part), Some(change));
            for length in 0..part.len() {
                assert_ne!(CaptureChange::of_part(&part[..length]), Some(change), "{length}");
            }
        }
        let mut beyond = vec![1];
        put_number(&mut beyond, 1_000_001);
        assert_eq!(CaptureChange::of_part(&beyond), None, "more than all words");
    }
}
