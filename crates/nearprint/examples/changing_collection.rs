//! A collection that changes: documents are added and removed, and every query sees the current ones.

use nearprint::fingerprint::{Fingerprint, Scheme, fingerprint};
use nearprint::records::DocumentId;
use nearprint::{Documents, Index, MemoryIndex, OnDuplicate};

fn print_of(text: &str) -> Option<Fingerprint> {
    fingerprint(Scheme::SL1, text).into_fingerprint()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let index = MemoryIndex::new(Scheme::SL1);
    let pages = [
        ("monday", "The ferry leaves at nine from the north pier and is back at noon every day."),
        ("tuesday", "The ferry leaves at nine from the north pier and is back at one every day."),
        ("recipe", "Bread needs flour, water, salt and time; above all time, says the baker."),
    ];
    for (id, text) in pages {
        let print = print_of(text).ok_or("a text without words")?;
        // A crawler asks first: have I seen something like this?
        let seen = index.query(&print, 12)?;
        match seen.first() {
            Some(found) => println!("{id}: like {} ({} bits)", found.id, found.distance),
            None => println!("{id}: new"),
        }
        index.insert(&DocumentId::new(id)?, &print, OnDuplicate::Replace)?;
    }
    index.remove(&DocumentId::new("monday")?)?;
    println!("{} documents left", index.len()?);
    Ok(())
}
