//! How files that hold many documents are read.

use crate::work::PER_BYTE;
use crate::{TableFields, TableForm};

/// How files that hold many documents are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadSettings {
    /// Which fields of a row are the document.
    pub fields: TableFields,
    /// How tables of text are written.
    pub form: TableForm,
    /// What captures in archives are called. Default their records' ids.
    pub ids: CaptureIds,
    /// Whether responses of any HTTP status are documents. Default no: those of 200 alone.
    pub any_status: bool,
    /// Whether revisits are documents: without content, with a capture that says what they refer to. Default no.
    pub revisits: bool,
    /// Bytes of one record or line (<=); what is longer is an error record. Default 1 GiB. Where a compressed file
    /// holds it, or it is compressed itself, as many as [`longest_expanded`](Self::longest_expanded) says.
    pub max_bytes: u64,
    /// Expanded bytes for each compressed one (<=), examined beyond 16 MiB. Default 300.
    pub max_ratio: u64,
    /// Bytes that are looked at to find the records and lines, for each byte of the file and of what it expands to
    /// (<=), examined beyond 16 MiB. Default 256: readers take linear time, and few files take more than 4.
    pub max_work_per_byte: u64,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            fields: TableFields::default(),
            form: TableForm::default(),
            ids: CaptureIds::default(),
            any_status: false,
            revisits: false,
            max_bytes: 1 << 30,
            max_ratio: 300,
            max_work_per_byte: PER_BYTE,
        }
    }
}

/// Bytes that a record of a short file may expand to, and how many for each 5 of the file's bytes in a longer one.
const LONGEST_OF_SHORT: u64 = 48 << 20;
const LONGEST_OF_FIVE: u64 = 12;

impl ReadSettings {
    /// Bytes to which one record, line or body may expand in a file of `stored` bytes: 48 MiB, or 2.4 times as many as
    /// the file has, if that is more, and no more than `max_bytes`. A file of 20 MB would take gigabytes of memory
    /// else. Where `max_bytes` is more than 1 GiB, the others are more in proportion.
    ///
    /// ```
    /// use nearprint_records::ReadSettings;
    ///
    /// let settings = ReadSettings::default();
    /// assert_eq!(settings.longest_expanded(1000), 48 << 20);
    /// assert_eq!(settings.longest_expanded(100 << 20), 240 << 20);
    /// assert_eq!(settings.longest_expanded(1 << 40), 1 << 30);
    /// ```
    #[must_use]
    pub fn longest_expanded(&self, stored: u64) -> u64 {
        let by_length = LONGEST_OF_SHORT.max((stored / 5).saturating_mul(LONGEST_OF_FIVE));
        let default = Self::default().max_bytes;
        let scaled =
            u128::from(by_length) * u128::from(self.max_bytes.max(default)) / u128::from(default);
        self.max_bytes.min(u64::try_from(scaled).unwrap_or(u64::MAX))
    }
}

/// What captures are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum CaptureIds {
    /// By the record's own id (`WARC-Record-ID`) without its angle brackets.
    #[default]
    Record,
    /// By the address that was asked for.
    Url,
    /// By the time as 14 digits, a slash, and the address.
    DateAndUrl,
}
