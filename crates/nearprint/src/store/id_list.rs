//! The ids of many documents, in few allocations; those that only number the prints of a file are not stored at all.

use std::borrow::Cow;

#[cfg(feature = "files")]
use nearprint_records::PrintFileIds;

/// Ids by position.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdList {
    /// All ids that are stored, one behind the other, and where each ends.
    text: String,
    ends: Vec<u64>,
    /// Stretches of positions whose ids come from one place, ascending.
    stretches: Vec<Stretch>,
    length: usize,
}

#[derive(Debug, Clone)]
struct Stretch {
    /// The first position.
    start: usize,
    ids: Ids,
}

#[derive(Debug, Clone)]
enum Ids {
    /// Stored, the first one as this entry of `ends`.
    Stored(usize),
    /// `FILE:NUMBER`, numbered from 1.
    Numbered(Box<str>),
}

impl IdList {
    pub(crate) fn push(&mut self, id: &str) {
        self.store();
        self.text.push_str(id);
        self.ends.push(self.text.len() as u64);
        self.length += 1;
    }

    /// Adds the ids of a binary file of prints.
    #[cfg(feature = "files")]
    pub(crate) fn extend(&mut self, ids: PrintFileIds) {
        self.store();
        let (text, ends) = ids.into_parts();
        self.length += ends.len();
        let before = self.text.len() as u64;
        if before == 0 && self.ends.is_empty() {
            (self.text, self.ends) = (text, ends);
        } else {
            self.text.push_str(&text);
            self.ends.extend(ends.into_iter().map(|end| before + end));
        }
    }

    /// Adds the ids of another list.
    #[cfg(feature = "files")]
    pub(crate) fn append(&mut self, other: Self) {
        let (entries, text, length) = (self.ends.len(), self.text.len() as u64, self.length);
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.into_iter().map(|end| text + end));
        self.stretches.extend(other.stretches.into_iter().map(|Stretch { start, ids }| {
            let ids = match ids {
                Ids::Stored(first) => Ids::Stored(entries + first),
                numbered => numbered,
            };
            Stretch { start: length + start, ids }
        }));
        self.length += other.length;
    }

    /// Adds so many ids `FILE:NUMBER`, numbered from 1.
    pub(crate) fn number(&mut self, file: &str, count: usize) {
        self.stretches.push(Stretch { start: self.length, ids: Ids::Numbered(file.into()) });
        self.length += count;
    }

    /// Adds one more id `FILE:NUMBER`, behind those of the same file.
    pub(crate) fn count(&mut self, file: &str) {
        match self.stretches.last() {
            Some(Stretch { ids: Ids::Numbered(last), .. }) if **last == *file => self.length += 1,
            _ => self.number(file, 1),
        }
    }

    /// From here on ids are stored.
    fn store(&mut self) {
        if !matches!(self.stretches.last(), Some(Stretch { ids: Ids::Stored(_), .. })) {
            let ids = Ids::Stored(self.ends.len());
            self.stretches.push(Stretch { start: self.length, ids });
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The id at a position below the length.
    pub(crate) fn get(&self, position: usize) -> Cow<'_, str> {
        assert!(position < self.length, "no fingerprint {position}; there are {}", self.length);
        let number = self.stretches.partition_point(|stretch| stretch.start <= position) - 1;
        let stretch = &self.stretches[number];
        let within = position - stretch.start;
        match &stretch.ids {
            Ids::Numbered(file) => Cow::Owned(format!("{file}:{}", within + 1)),
            Ids::Stored(first) => {
                let entry = first + within;
                let start = if entry == 0 { 0 } else { self.ends[entry - 1] };
                Cow::Borrowed(&self.text[start as usize..self.ends[entry] as usize])
            }
        }
    }

    /// Bytes it holds.
    pub(crate) fn memory(&self) -> u64 {
        (self.text.len() + self.ends.len() * size_of::<u64>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Fingerprint, Scheme};
    use nearprint_records::{DocumentId, PrintFile, PrintFileWriter};

    fn ids_of_a_file(ids: &[&str]) -> PrintFileIds {
        let mut writer = PrintFileWriter::new(Scheme::SD1, true);
        for id in ids {
            let print = Fingerprint::from_u64(Scheme::SD1, 1).unwrap();
            writer.push(&DocumentId::new(*id).unwrap(), &print, None).unwrap();
        }
        let mut bytes = Vec::new();
        writer.finish(&mut bytes).unwrap();
        PrintFile::open(&bytes[..], None).unwrap().read(|_| {}).unwrap().ids.unwrap()
    }

    #[test]
    fn ids_of_all_kinds_follow_one_another() {
        let mut list = IdList::default();
        list.extend(ids_of_a_file(&["f", "ile"]));
        list.push("a");
        list.number("n", 2);
        list.count("n");
        list.number("m", 1);
        list.number("empty", 0);
        list.push("bc");
        list.extend(ids_of_a_file(&["x", "yz"]));
        list.push("last");
        let all: Vec<String> = (0..list.len()).map(|at| list.get(at).into_owned()).collect();
        assert_eq!(all, ["f", "ile", "a", "n:1", "n:2", "n:3", "m:1", "bc", "x", "yz", "last"]);
        assert_eq!(list.memory(), 14 + 7 * 8);
    }
}
