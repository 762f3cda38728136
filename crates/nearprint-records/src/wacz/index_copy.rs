//! Indexes of captures, whose lines follow the records that they are of: CDXJ and CDX, plain or in blocks of gzip, of
//! which a second index (`.idx`) has the places.

use std::collections::HashSet;
use std::io::{self, BufReader, Write};
use std::mem::take;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::directory::Member;
use super::is_index;
use super::member_reader::{MemberReader, OpenPackage};
use super::moved_records::{MovedRecords, NewPlace};
use super::package_copy::next_line;
use super::package_writer::PackageWriter;
use crate::ReadSettings;
use crate::expansion::{Expansion, Raw};

/// Lines of a block, as cdxj-indexer makes them.
const BLOCK_LINES: usize = 300;

/// The indexes of a package.
pub(super) struct IndexCopy<'p> {
    pub(super) package: &'p OpenPackage,
    pub(super) members: &'p [Member],
    pub(super) moved: &'p MovedRecords,
}

impl IndexCopy<'_> {
    /// Writes all of them.
    pub(super) fn write(&self, settings: &ReadSettings, out: &mut PackageWriter) -> io::Result<()> {
        let indexes = || self.members.iter().filter(|member| is_index(&member.name));
        let names: HashSet<&str> = indexes().map(|member| &*member.name).collect();
        let blocks = names.iter().filter(|name| name.ends_with(".gz"));
        let seconds: HashSet<String> = blocks.map(|name| second_of(name)).collect();
        for member in indexes() {
            let name = &*member.name;
            // It comes with the blocks that it has the places of.
            if name.ends_with(".idx") && seconds.contains(name) {
                continue;
            }
            let reader = MemberReader::open(self.package, member)?;
            let raw = Raw::new(Box::new(reader));
            let mut from = BufReader::new(Expansion::new(raw, settings.max_ratio));
            let mut lines = Vec::new();
            let mut blocks = name.ends_with(".gz").then(|| Blocks::of(name));
            out.begin(name)?;
            while next_line(&mut from, &mut lines)? {
                let Some(line) = self.line(take(&mut lines)) else { continue };
                match &mut blocks {
                    Some(blocks) => blocks.push(&line, out)?,
                    None => out.write_all(&line)?,
                }
            }
            let Some(mut blocks) = blocks else { continue };
            blocks.end(out)?;
            let second = second_of(name);
            if names.contains(&*second) {
                out.begin(&second)?;
                out.write_all(&blocks.places)?;
            }
        }
        Ok(())
    }

    /// What becomes of a line; `None` if its record is gone.
    fn line(&self, line: Vec<u8>) -> Option<Vec<u8>> {
        let Ok(text) = std::str::from_utf8(&line) else { return Some(line) };
        let changed = match text.split_once('{') {
            Some((key, _)) => self.with_fields(key, &text[key.len()..]),
            None => self.with_columns(text),
        };
        match changed {
            None => Some(line),
            Some(changed) => changed,
        }
    }

    /// A line of CDXJ, by its key and its fields: `None` if it stays, `Some(None)` if it goes.
    fn with_fields(&self, key: &str, fields: &str) -> Option<Option<Vec<u8>>> {
        let mut fields: Value = serde_json::from_str(fields).ok()?;
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let offset = number(fields.get("offset")?)?;
        let moved = self.moved.place(fields.get("filename")?.as_str()?, offset)?;
        let Some(NewPlace { offset, length, is_revisit }) = moved else { return Some(None) };
        let mut set = |name: &str, number: u64| {
            // Some programs write numbers as texts.
            let Some(value) = fields.get_mut(name) else { return };
            *value = if value.is_string() { json!(number.to_string()) } else { json!(number) };
        };
        set("offset", offset);
        set("length", length);
        if let Some(mime) = fields.get_mut("mime").filter(|_| is_revisit) {
            *mime = json!("warc/revisit");
        }
        Some(Some(format!("{key}{fields}\n").into_bytes()))
    }

    /// A line of CDX, whose last columns are the offset and the file, and with 11 of them the length before these.
    fn with_columns(&self, line: &str) -> Option<Option<Vec<u8>>> {
        let mut columns: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
        let count = columns.len();
        if count < 9 {
            return None;
        }
        let moved = self.moved.place(&columns[count - 1], columns[count - 2].parse().ok()?)?;
        let Some(NewPlace { offset, length, is_revisit }) = moved else { return Some(None) };
        columns[count - 2] = offset.to_string();
        if count >= 11 {
            columns[count - 3] = length.to_string();
        }
        if is_revisit {
            "warc/revisit".clone_into(&mut columns[3]);
        }
        Some(Some((columns.join(" ") + "\n").into_bytes()))
    }
}

/// What has the places of the blocks of an index.
fn second_of(index: &str) -> String {
    let ends = [".cdx.gz", ".cdxj.gz"];
    let base = ends.iter().find_map(|end| index.strip_suffix(end)).unwrap_or(index);
    format!("{base}.idx")
}

/// Blocks of lines, each a member of gzip.
struct Blocks {
    /// The lines of the block that has begun, and how many they are.
    lines: Vec<u8>,
    count: usize,
    /// The key of its first line.
    key: Vec<u8>,
    written: u64,
    /// The second index.
    places: Vec<u8>,
}

impl Blocks {
    fn of(name: &str) -> Self {
        let file = name.rsplit('/').next().unwrap_or(name);
        let head = json!({"format": "cdxj-gzip-1.0", "filename": file});
        let places = format!("!meta 0 {head}\n").into_bytes();
        Self { lines: Vec::new(), count: 0, key: Vec::new(), written: 0, places }
    }

    fn push(&mut self, line: &[u8], out: &mut PackageWriter) -> io::Result<()> {
        if self.count == 0 {
            let end = line.iter().position(|&byte| byte == b'{').unwrap_or(line.len());
            self.key = line[..end].trim_ascii_end().to_vec();
        }
        self.lines.extend_from_slice(line);
        self.count += 1;
        if self.count == BLOCK_LINES { self.end(out) } else { Ok(()) }
    }

    /// Writes the block that has begun.
    fn end(&mut self, out: &mut PackageWriter) -> io::Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let mut packing = GzEncoder::new(Vec::new(), Compression::default());
        packing.write_all(&self.lines)?;
        let block = packing.finish()?;
        let place = json!({"offset": self.written, "length": block.len()});
        self.places.append(&mut self.key);
        self.places.extend_from_slice(format!(" {place}\n").as_bytes());
        out.write_all(&block)?;
        self.written += block.len() as u64;
        self.lines.clear();
        self.count = 0;
        Ok(())
    }
}
