//! A package while it is written: its members, and at the end what it says of itself.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::is_archive;
use super::manifest::{MANIFEST, MANIFEST_DIGEST};

/// The version of the format that is written.
const VERSION: &str = "1.1.1";

/// A package in a temporary file.
pub(super) struct PackageWriter {
    zip: ZipWriter<File>,
    /// The name of the member that has begun, with what was written of it.
    member: Option<(String, Sha256, u64)>,
    resources: Vec<Resource>,
}

/// A member that was written.
struct Resource {
    path: String,
    hash: String,
    bytes: u64,
}

impl PackageWriter {
    pub(super) fn create() -> io::Result<Self> {
        let zip = ZipWriter::new(tempfile::tempfile()?);
        Ok(Self { zip, member: None, resources: Vec::new() })
    }

    /// Begins a member, which is compressed unless it is a WARC file, or compressed already.
    pub(super) fn begin(&mut self, name: &str) -> io::Result<()> {
        self.end();
        let is_stored = is_archive(name) || name.ends_with(".gz");
        let method =
            if is_stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        // The same package on every day, of any length.
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .large_file(true);
        self.zip.start_file(name, options).map_err(io::Error::other)?;
        self.member = Some((name.to_owned(), Sha256::new(), 0));
        Ok(())
    }

    /// Writes a whole member.
    pub(super) fn copy(&mut self, name: &str, from: &mut impl Read) -> io::Result<()> {
        self.begin(name)?;
        io::copy(from, self).map(drop)
    }

    fn end(&mut self) {
        if let Some((path, sha256, bytes)) = self.member.take() {
            let hash = format!("sha256:{}", HEXLOWER.encode(&sha256.finalize()));
            self.resources.push(Resource { path, hash, bytes });
        }
    }

    /// Writes what the package says of itself, by what it said before, and copies all to `to`. Gives the bytes.
    pub(super) fn finish(
        mut self,
        description: Option<&[u8]>,
        to: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        self.end();
        let description = self.description(description);
        self.begin(MANIFEST)?;
        self.write_all(&serde_json::to_vec_pretty(&description)?)?;
        self.end();
        let hash = self.resources.pop().map(|written| written.hash);
        self.begin(MANIFEST_DIGEST)?;
        self.write_all(&serde_json::to_vec_pretty(&json!({"path": MANIFEST, "hash": hash}))?)?;
        let mut file = self.zip.finish().map_err(io::Error::other)?;
        file.rewind()?;
        io::copy(&mut file, to)
    }

    /// What it said, with what it has now.
    fn description(&mut self, before: Option<&[u8]>) -> Value {
        let before = before.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let mut fields = match before {
            Some(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        fields.entry("profile").or_insert_with(|| json!("data-package"));
        fields.entry("wacz_version").or_insert_with(|| json!(VERSION));
        let mut said: HashMap<String, Map<String, Value>> = HashMap::new();
        match fields.remove("resources") {
            Some(Value::Array(all)) => said.extend(all.into_iter().filter_map(|one| {
                let path = one.get("path")?.as_str()?.to_owned();
                Some((path, one.as_object()?.clone()))
            })),
            // Some programs key them by their paths.
            Some(Value::Object(all)) => said.extend(
                all.into_iter().filter_map(|(path, one)| Some((path, one.as_object()?.clone()))),
            ),
            _ => {}
        }
        let mut resources = Vec::new();
        for Resource { path, hash, bytes } in self.resources.drain(..) {
            let mut resource = said.remove(&path).unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or(&path);
            resource.insert("name".to_owned(), json!(name));
            resource.insert("path".to_owned(), json!(path));
            resource.insert("hash".to_owned(), json!(hash));
            resource.insert("bytes".to_owned(), json!(bytes));
            resources.push(Value::Object(resource));
        }
        fields.insert("resources".to_owned(), Value::Array(resources));
        Value::Object(fields)
    }
}

impl Write for PackageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.zip.write(bytes)?;
        if let Some((_, sha256, length)) = &mut self.member {
            sha256.update(&bytes[..written]);
            *length += written as u64;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}
