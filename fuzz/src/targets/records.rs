//! Readers of lines, of files of prints, of the folders of jobs.

use std::collections::BTreeMap;
use std::io::{self, Cursor};

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{
    HttpBody, PartSize, Parts, PartsError, PathList, PrintFile, PrintFormat, PrintReader, Storage,
    escape, unescape, url_key,
};

/// What is read as a fingerprint is written the same way, in every notation.
pub fn notation(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(print) = text.parse::<Fingerprint>() {
        assert_eq!(print.to_string().parse(), Ok(print.clone()));
        assert_eq!(Fingerprint::from_hex(print.scheme(), &print.to_hex()), Ok(print.clone()));
        if let Some(decimal) = print.to_decimal() {
            assert_eq!(Fingerprint::from_decimal(print.scheme(), &decimal), Ok(print));
        }
    }
    for scheme in Scheme::all() {
        if let Ok(print) = Fingerprint::from_hex(scheme, text) {
            assert!(print.to_hex().eq_ignore_ascii_case(text));
        }
        if let Ok(print) = Fingerprint::from_decimal(scheme, text) {
            assert_eq!(print.to_decimal().as_deref(), Some(text));
        }
    }
    if let Ok(scheme) = text.parse::<Scheme>() {
        assert_eq!(scheme.to_string().parse(), Ok(scheme));
    }
}

/// Files of prints as lines, of every form.
pub fn print_lines(data: &[u8]) {
    for name in ["prints", "decimal", "hex"] {
        let Ok(format) = PrintFormat::named(name, Scheme::SD1) else { continue };
        let lines = data.split(|byte| *byte == b'\n').count();
        assert!(PrintReader::new("file", Cursor::new(data), format).count() <= lines);
    }
}

/// A binary file of prints: taken whole, with as many prints as it promises, or refused.
pub fn print_file(data: &[u8]) {
    for length in [Some(data.len() as u64), None] {
        let Ok(file) = PrintFile::open(data, length) else { continue };
        let (count, bytes) = (file.count(), file.scheme().bytes());
        let mut taken = 0;
        if file.read(|prints| taken += prints.len()).is_ok() {
            assert_eq!(taken as u64, count * bytes as u64);
        }
    }
}

/// Lists of paths: every one found is no longer than the list.
pub fn path_list(data: &[u8]) {
    for path in PathList::new("list", Cursor::new(data)).flatten() {
        assert!(path.as_os_str().len() <= data.len());
    }
}

/// Escapes are reversible, and only what was escaped is undone.
pub fn ids(data: &[u8]) {
    assert_eq!(unescape(&escape(data)).as_deref(), Some(data));
    if let Ok(text) = str::from_utf8(data)
        && let Some(bytes) = unescape(text)
    {
        assert_eq!(escape(&bytes), text);
    }
}

/// Keys of addresses are one word, whatever the address; blanks around it make no difference, but where its port is no
/// number, which leaves it as it is.
pub fn addresses(data: &[u8]) {
    let address = String::from_utf8_lossy(data);
    let key = url_key(&address);
    assert!(!key.is_empty(), "no key");
    assert!(!key.contains(|c: char| c.is_ascii_whitespace() || c.is_ascii_control()), "{key:?}");
    if !address.starts_with("filedesc") && !address.trim().is_empty() {
        let surrounded = url_key(&format!(" {address}\n"));
        assert!(surrounded == key || surrounded == format!("%20{key}%0A"), "{surrounded:?}");
    }
}

/// Bodies of HTTP messages, whatever their headers claim; decoding them is the business of documents.
pub fn http_body(data: &[u8]) {
    let mut parts = data.splitn(3, |byte| *byte == b'\n');
    let mut header = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (content, transfer) = (header(), header());
    let bytes = parts.next().unwrap_or_default().to_vec();
    let body = HttpBody::new(bytes, 300).with_content_encoding(&content);
    let _ = body.with_transfer_encoding(&transfer).cut_short().length();
}

/// Files that lie in memory.
#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Storage for &mut Memory {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.0.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.0.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn sync(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let bytes = self.0.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.0.insert(to.to_owned(), bytes);
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.0.remove(name).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The folder of a job, damaged: opened with the records that were committed, or refused.
///
/// Each four bytes before the first line feed are a change: a file, a place in it, and what is done to the byte there.
/// The lines behind it are the records.
pub fn job_parts(data: &[u8]) {
    let mut lines = data.split(|byte| *byte == b'\n');
    let changes = lines.next().unwrap_or_default();
    let records: Vec<&[u8]> = lines.collect();
    let size = PartSize { records: 3, bytes: 1_000 };
    let mut memory = Memory::default();
    let mut parts = Parts::open(&mut memory, "a job", size).expect("nothing is there yet");
    for record in &records {
        parts.push(record, "here").expect("memory takes all");
    }
    parts.finish().expect("memory takes all");
    drop(parts);
    for change in changes.chunks_exact(4) {
        let count = memory.0.len();
        let Some(file) = memory.0.values_mut().nth(usize::from(change[0]) % count) else { return };
        let at = usize::from(u16::from_le_bytes([change[1], change[2]]));
        match change[3] {
            0 => file.truncate(at),
            mask => file.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= mask),
        }
    }
    let Ok(parts) = Parts::open(&mut memory, "a job", size) else { return };
    let mut met = Vec::new();
    let all = parts.for_each(|record| {
        met.push(record.to_vec());
        Ok::<_, PartsError>(())
    });
    assert!(all.is_ok(), "what was opened is whole");
    assert_eq!(met.len() as u64, parts.records());
    assert!(records.iter().zip(&met).all(|(pushed, found)| *pushed == &found[..]), "{met:?}");
}
