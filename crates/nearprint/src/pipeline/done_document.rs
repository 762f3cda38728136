//! A document that is done, and how a part of a job stores it: a line of JSON, and after it the text and the packed
//! features.
//!
//! Features are stored as the bytes they are. In the line they would be base64: a third longer, and most of the time of
//! writing and reading a document.

use std::io;

use nearprint_records::{FingerprintRecord, OrderKey, Parts, PartsError, Sha256Digest};
use serde::{Deserialize, Serialize};

use crate::{Arrival, PackedFeatures, Role};

/// A document that is done, as a part holds it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DoneDocument {
    /// What became of it.
    pub record: FingerprintRecord,
    /// What it came with.
    pub arrival: Arrival,
    /// What it is there for.
    pub role: Role,
    /// What verification compares, where that was asked for.
    pub features: Option<PackedFeatures>,
    /// The text, where that was asked for.
    pub text: Option<String>,
}

/// All of a document but its features; `R` is its record, owned or borrowed.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    bytes: u64,
    /// The value of the field that puts it in order, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<OrderKey>,
    /// SHA-256 of its own bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<Sha256Digest>,
    reference: bool,
    /// Bytes of the text, which then follows the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<usize>,
    record: R,
}

impl DoneDocument {
    /// As a part stores it. JSON has no line feed of its own, so the first one ends the line.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, PartsError> {
        let line = Line {
            bytes: self.arrival.bytes,
            order: self.arrival.order.clone(),
            digest: self.arrival.digest,
            reference: self.role == Role::Reference,
            text: self.text.as_ref().map(String::len),
            record: &self.record,
        };
        let mut bytes = serde_json::to_vec(&line).map_err(io::Error::from)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(self.text.as_deref().unwrap_or_default().as_bytes());
        if let Some(features) = &self.features {
            features.append_to(&mut bytes);
        }
        Ok(bytes)
    }

    /// From what [`to_bytes`](Self::to_bytes) gave. Parts are checked by a digest, so anything else is a fault of the
    /// program that wrote it.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, PartsError> {
        let wrong = |why| PartsError::from(io::Error::new(io::ErrorKind::InvalidData, why));
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (line, rest) = end
            .map(|end| (&bytes[..end], &bytes[end + 1..]))
            .ok_or_else(|| wrong("the line of a saved document does not end"))?;
        let line: Line<FingerprintRecord> =
            serde_json::from_slice(line).map_err(io::Error::from)?;
        let (text, features) = rest
            .split_at_checked(line.text.unwrap_or(0))
            .ok_or_else(|| wrong("the text of a saved document is too short"))?;
        let text = line.text.map(|_| String::from_utf8(text.to_vec())).transpose();
        let text = text.map_err(|_| wrong("the text of a saved document is not UTF-8"))?;
        let features = (!features.is_empty())
            .then(|| {
                PackedFeatures::from_bytes(features)
                    .ok_or_else(|| wrong("the features of a saved document are too short"))
            })
            .transpose()?;
        Ok(Self {
            record: line.record,
            arrival: Arrival { bytes: line.bytes, order: line.order, digest: line.digest },
            role: if line.reference { Role::Reference } else { Role::Candidate },
            features,
            text,
        })
    }

    /// Bytes that it takes in the folder of a job.
    pub(crate) fn job_bytes(&self) -> Result<u64, PartsError> {
        Ok((self.to_bytes()?.len() + Parts::RECORD_OVERHEAD) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Settings, TextRequest, Verification};
    use nearprint_records::{Document, DocumentId, ErrorRecord};
    use nearprint_search::Measure;

    /// What the pipeline makes of a text that the features do not fit into one byte of.
    fn documents(features: Option<Verification>) -> Vec<DoneDocument> {
        let documents = [
            "fog on the hills ".repeat(40),
            (0..200).map(|n| format!("fog{n} ")).collect(),
            String::new(),
        ];
        let mut source = (1..).zip(documents).map(|(number, text)| {
            let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
            Ok::<_, ErrorRecord>(Document::from_bytes(id, text))
        });
        let engine = Engine::default();
        let (pipeline, wanted) = (
            engine.pipeline(Settings::default()),
            TextRequest { features, digest: true, ..TextRequest::default() },
        );
        let mut done = Vec::new();
        pipeline
            .read(&mut source, &wanted, |record, made, arrival| {
                let features = made.and_then(|made| made.features);
                let text = features.as_ref().map(|_| "fog\nrain".to_owned());
                let role = Role::Reference;
                done.push(DoneDocument { record, arrival, role, features, text });
                Ok::<_, PartsError>(())
            })
            .unwrap();
        done
    }

    #[test]
    fn documents_come_back_as_they_were_saved() {
        let mut with_features = documents(Some(Verification::new(Measure::Jaccard)));
        assert_eq!(with_features.iter().filter(|done| done.features.is_some()).count(), 2);
        // Features are bytes of any value, a line feed too.
        let digests = [b'\n'; 48];
        with_features[0].features = PackedFeatures::from_bytes(&[&digests[..], b"\n\n"].concat());
        with_features[1].role = Role::Candidate;
        for done in documents(None).iter().chain(&with_features) {
            let bytes = done.to_bytes().unwrap();
            assert_eq!(DoneDocument::from_bytes(&bytes).unwrap(), *done);
            assert_eq!(done.job_bytes().unwrap(), bytes.len() as u64 + 4);
            let line = bytes.iter().position(|byte| *byte == b'\n').unwrap();
            assert!(DoneDocument::from_bytes(&bytes[..line]).is_err());
            assert!(DoneDocument::from_bytes(&[&bytes[..=line], &[7; 47]].concat()).is_err());
        }
    }
}
