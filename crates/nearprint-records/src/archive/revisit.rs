//! Responses written as revisits: notes that a payload is stored in another record (ISO 28500, 6.7).

use std::io::Write;

use data_encoding::{BASE32, HEXLOWER};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::sha1::Sha1;
use super::{StoredRecord, warc};

/// Fields that a revisit states otherwise than the response it was, or than it did before.
const REPLACED: [&str; 9] = [
    "warc-type",
    "warc-profile",
    "warc-payload-digest",
    "warc-block-digest",
    "warc-refers-to",
    "warc-refers-to-target-uri",
    "warc-refers-to-date",
    "warc-truncated",
    "content-length",
];

/// The record with the payload that a revisit does without.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RevisitTarget {
    /// Its id, without angle brackets.
    pub record_id: String,
    /// Its address.
    pub url: String,
    /// Its date, as its header has it.
    pub date: String,
    /// The digest of its payload, as its header has it or else as indexers compute it.
    pub digest: String,
}

impl RevisitTarget {
    /// The target that a response is; `None` if its header does not state all that a revisit refers to.
    #[must_use]
    pub fn of(record: &StoredRecord) -> Option<Self> {
        let payload = record.payload.as_ref()?;
        Some(Self {
            record_id: record.record_id.clone().filter(|id| !id.is_empty())?,
            url: Some(record.capture.url.clone()).filter(|url| !url.is_empty())?,
            date: record.field("warc-date")?,
            digest: record.capture.digest.clone().unwrap_or_else(|| payload.sha1.clone()),
        })
    }
}

impl StoredRecord {
    /// This response as a revisit of `target`, which has its payload: its own id, address, date and further fields, and
    /// of its block the header of the HTTP message.
    #[must_use]
    pub fn as_revisit_of(&self, target: &RevisitTarget) -> Vec<u8> {
        let version = if self.head.starts_with(b"WARC/1.0") { "1.0" } else { "1.1" };
        let profile =
            format!("http://netpreserve.org/warc/{version}/revisit/identical-payload-digest");
        self.written(target, &profile, Some("length"))
    }

    /// This revisit referring to `target` instead of another record with the same payload.
    #[must_use]
    pub fn referring_to(&self, target: &RevisitTarget) -> Vec<u8> {
        let profile = self.field("warc-profile").unwrap_or_default();
        self.written(target, &profile, self.field("warc-truncated").as_deref())
    }

    /// The record with its own fields but for those that a revisit states.
    fn written(&self, target: &RevisitTarget, profile: &str, truncated: Option<&str>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.head.len() + self.block.len() + 512);
        let mut replaced = false;
        for (number, line) in self.head.split(|&byte| byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let continues = line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
            // A line that continues another goes where that goes.
            if number > 0 && !continues {
                let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
                replaced = REPLACED
                    .iter()
                    .any(|field| name.trim_ascii().eq_ignore_ascii_case(field.as_bytes()));
            }
            if replaced || line.is_empty() {
                continue;
            }
            out.extend_from_slice(line);
            out.extend_from_slice(b"\r\n");
            if number == 0 {
                out.extend_from_slice(b"WARC-Type: revisit\r\n");
            }
        }
        let truncated = truncated.map(|reason| ("WARC-Truncated", reason.to_owned()));
        let fields = [
            ("WARC-Profile", profile.to_owned()),
            ("WARC-Payload-Digest", target.digest.clone()),
            ("WARC-Refers-To", format!("<{}>", target.record_id)),
            ("WARC-Refers-To-Target-URI", target.url.clone()),
            ("WARC-Refers-To-Date", target.date.clone()),
            ("WARC-Block-Digest", self.block_digest()),
            ("Content-Length", self.block.len().to_string()),
        ];
        for (name, value) in
            truncated.into_iter().chain(fields).filter(|(_, value)| !value.is_empty())
        {
            // Writing to memory does not fail.
            let _ = write!(out, "{name}: {value}\r\n");
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&self.block);
        out.extend_from_slice(b"\r\n\r\n");
        out
    }

    /// The digest of the block that is written, by the algorithm of the one that the record states.
    fn block_digest(&self) -> String {
        let stated = self.field("warc-block-digest").unwrap_or_default();
        match stated.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("sha256") => {
                let digest = Sha256::digest(&self.block);
                let is_hexadecimal = value.len() == 64;
                let value =
                    if is_hexadecimal { HEXLOWER.encode(&digest) } else { BASE32.encode(&digest) };
                format!("{name}:{value}")
            }
            _ => {
                let mut digest = Sha1::default();
                digest.update(&self.block);
                digest.finish()
            }
        }
    }
}

/// Reference of a revisit to the record that has its payload.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RevisitReference {
    /// The id of the record, without angle brackets.
    pub record_id: Option<String>,
    /// The record's address and date.
    pub capture: Option<(String, String)>,
}

impl StoredRecord {
    /// What a revisit refers to.
    #[must_use]
    pub fn refers_to(&self) -> RevisitReference {
        let id = self.field("warc-refers-to");
        let (url, date) =
            (self.field("warc-refers-to-target-uri"), self.field("warc-refers-to-date"));
        RevisitReference {
            record_id: id.map(|id| warc::unbracketed(&id).to_owned()),
            capture: url.map(|url| warc::unbracketed(&url).to_owned()).zip(date),
        }
    }
}
