//! What a package says of itself: `datapackage.json`, and the digest of that in `datapackage-digest.json`.

use std::collections::HashMap;
use std::io::Read;

use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::Value;

use super::directory::Member;
use super::member_reader::{MemberReader, OpenPackage};
use crate::expansion::Damage;
use crate::{ReasonCode, Sha256Digest};

/// The names of both.
pub(super) const MANIFEST: &str = "datapackage.json";
pub(super) const MANIFEST_DIGEST: &str = "datapackage-digest.json";

/// Bytes of either (<=): what is parsed takes some thirty times as many.
const LONGEST_MANIFEST: u64 = 4 << 20;

/// The bytes of a member that describes the package.
pub(super) fn read_description(package: &OpenPackage, member: &Member) -> Result<Vec<u8>, Damage> {
    let mut bytes = Vec::new();
    let reader = MemberReader::open(package, member)?;
    reader.take(LONGEST_MANIFEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_MANIFEST {
        let detail = format!("the member has more than {LONGEST_MANIFEST} bytes");
        return Err(Damage { reason: ReasonCode::TOO_LARGE, detail });
    }
    Ok(bytes)
}

/// What a package says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Members by name, with what is said of them.
    pub(super) resources: HashMap<String, Resource>,
    /// What the format requires and is not there, for a person to read.
    pub(super) missing: Vec<String>,
    /// Other packages that its revisits refer to.
    pub(super) requires: Vec<String>,
    /// Whether it lists other packages instead of web archives.
    pub(super) lists_packages: bool,
}

/// What is said of a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) digest: StatedDigest,
    pub(super) bytes: Option<u64>,
}

/// The digest that is stated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum StatedDigest {
    /// None is.
    #[default]
    Missing,
    /// By this algorithm, of which it is not computed.
    Other(String),
    Sha256(Sha256Digest),
    /// Something that is not a digest.
    Malformed,
}

impl StatedDigest {
    /// The digest that a text such as `sha256:` and hexadecimal digits states.
    fn of(value: Option<&Value>) -> Self {
        let Some(value) = value else { return Self::Missing };
        let Some((name, digits)) = value.as_str().and_then(|text| text.split_once(':')) else {
            return Self::Malformed;
        };
        if !name.eq_ignore_ascii_case("sha256") && !name.eq_ignore_ascii_case("sha-256") {
            return Self::Other(name.chars().take(40).collect());
        }
        let bytes = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok();
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .map_or(Self::Malformed, |bytes| Self::Sha256(Sha256Digest(bytes)))
    }
}

impl Manifest {
    /// Reads `datapackage.json`; the error says why it cannot be.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Value::Object(fields) = &value else { return Err("it is not an object".to_owned()) };
        let mut manifest = Self::default();
        for name in ["profile", "wacz_version"] {
            if !fields.get(name).is_some_and(Value::is_string) {
                manifest.missing.push(format!("{name} in {MANIFEST}"));
            }
        }
        let profile = fields.get("profile").and_then(Value::as_str);
        manifest.lists_packages = profile == Some("multi-wacz-package");
        match fields.get("resources") {
            Some(Value::Array(resources)) => {
                resources.iter().for_each(|resource| manifest.take_resource(None, resource));
            }
            // Some programs key them by their paths.
            Some(Value::Object(resources)) => {
                let take = |(path, value): (&String, &Value)| {
                    manifest.take_resource(Some(path), value);
                };
                resources.iter().for_each(take);
            }
            _ => manifest.missing.push(format!("resources in {MANIFEST}")),
        }
        manifest.take_requires(fields.get("relation").and_then(|found| found.get("requires")));
        Ok(manifest)
    }

    fn take_resource(&mut self, path: Option<&str>, value: &Value) {
        let path = value.get("path").and_then(Value::as_str).or(path);
        // Without a path nothing is known of it.
        let Some(path) = path else { return };
        let resource = Resource {
            digest: StatedDigest::of(value.get("hash")),
            bytes: value.get("bytes").and_then(Value::as_u64),
        };
        self.resources.insert(path.to_owned(), resource);
    }

    /// Takes the packages that are named: each by a text, or by an object with one.
    fn take_requires(&mut self, requires: Option<&Value>) {
        let one;
        let all = match requires {
            Some(Value::Array(all)) => &all[..],
            Some(value) => {
                one = [value.clone()];
                &one
            }
            None => &[],
        };
        let name = |value: &Value| match value {
            Value::String(name) => Some(name.clone()),
            Value::Object(fields) => ["name", "filename", "path", "url", "crawlId", "id"]
                .iter()
                .find_map(|field| fields.get(*field)?.as_str().map(str::to_owned)),
            _ => None,
        };
        self.requires = all.iter().filter_map(name).collect();
    }
}

/// What `datapackage-digest.json` says: the digest of the manifest, and whether it is signed.
pub(super) fn stated_digest(bytes: &[u8]) -> Option<(StatedDigest, bool)> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let is_signed = value.get("signedData").is_some_and(|signed| !signed.is_null());
    Some((StatedDigest::of(value.get("hash")), is_signed))
}
