//! How ids, codes, keys, digests and counts are written in JSON and read again, in serde's formats.
//!
//! Each is one value: a text, or an object of numbers. Records of several fields derive their form where they are
//! declared.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::record_counts::KINDS;
use crate::{DocumentId, ExtractorVersion, OrderKey, ReasonCode, RecordCounts, Sha256Digest};

impl Serialize for DocumentId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for DocumentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl Serialize for ReasonCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ReasonCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|code| Self(Cow::Owned(code)))
    }
}

impl Serialize for Sha256Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for OrderKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for OrderKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let byte = |pair: &[u8; 2]| {
            std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())
        };
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let bytes: Option<Box<[u8]>> = pairs.iter().map(byte).collect();
        bytes
            .filter(|_| rest.is_empty())
            .map(Self)
            .ok_or_else(|| D::Error::custom("no bytes in hexadecimal digits"))
    }
}

/// An object of the kinds that were met.
impl Serialize for RecordCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for RecordCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = Self::default();
        for (kind, count) in BTreeMap::<String, u64>::deserialize(deserializer)? {
            let index = KINDS.iter().position(|known| *known == kind);
            let index = index.or((kind == "other").then_some(KINDS.len()));
            let index = index.ok_or_else(|| D::Error::custom("no kind of record"))?;
            counts.0[index] = count;
        }
        Ok(counts)
    }
}

impl Serialize for ExtractorVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ExtractorVersion", 2)?;
        object.serialize_field("extractor", &self.name)?;
        object.serialize_field("extractor_version", &self.version)?;
        object.end()
    }
}
