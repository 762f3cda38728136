//! Lists of pages without those whose captures are gone.

use std::io::{self, BufReader, Read, Write};

use serde_json::Value;

use super::moved_records::MovedRecords;
use super::package_copy::next_line;

/// Whether a member is a list of pages.
pub(super) fn is_list(name: &str) -> bool {
    name.starts_with("pages/") && name.ends_with(".jsonl")
}

/// Copies a list without the pages whose captures are gone. Other lines stay as they are.
pub(super) fn copy_pages(
    from: impl Read,
    moved: &MovedRecords,
    to: &mut impl Write,
) -> io::Result<()> {
    let (mut from, mut line) = (BufReader::new(from), Vec::new());
    while next_line(&mut from, &mut line)? {
        let page = serde_json::from_slice::<Value>(&line).unwrap_or_default();
        let text = |name: &str| page.get(name).and_then(Value::as_str);
        let is_gone = |(url, time)| moved.is_gone(url, time);
        if !text("url").zip(text("ts")).is_some_and(is_gone) {
            to.write_all(&line)?;
        }
    }
    Ok(())
}
