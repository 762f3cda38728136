//! What the footer of a Parquet file takes in memory once it is read, counted before it is.
//!
//! An element of a schema has 6 bytes in the file, and a kilobyte in memory: types and descriptions of it, of Parquet
//! and of Arrow. Each column keeps the names of all groups around it, so a schema of 10,000 columns in 10,000 groups,
//! one inside another, has 160 KB in the file and would take 10 GB. And the library goes down into groups by calling
//! itself, so groups are not deeper than its stack.

use crate::compact_thrift::{BINARY, CompactReader, LIST, STRUCTURE};
use crate::decoder_thread::damaged;
use crate::page_sizes::largest_batch;

/// Groups, one inside another (<=).
const DEEPEST_GROUP: usize = 1000;

/// Bytes of memory for an element of a schema, with what is made of it.
const OF_ELEMENT: u64 = 1024;

/// For the name of a group, or of the column itself, in the path of a column, which is there twice, and beside the
/// name.
const OF_PART: u64 = 112;

/// For a column in a row group, and for a row group.
const OF_CHUNK: u64 = 800;
const OF_ROW_GROUP: u64 = 300;

/// Refuses a footer that would take more memory than a batch of its file may (<=).
pub(crate) fn check(footer: &[u8], file: u64) -> Result<(), String> {
    let mut count = Count { reader: CompactReader::new(footer), bytes: 0, depth: 0 };
    let whole = count.footer();
    if count.depth > DEEPEST_GROUP {
        return Err(damaged(format_args!(
            "its schema has more than {DEEPEST_GROUP} groups, one inside another"
        )));
    }
    let limit = largest_batch(file);
    if count.bytes > limit {
        return Err(format!(
            "its footer describes columns and row groups that take {} bytes of memory, but the limit is {limit}; write \
             the table with fewer columns, or in several files",
            count.bytes
        ));
    }
    whole.ok_or_else(|| damaged("its footer is malformed"))
}

struct Count<'f> {
    reader: CompactReader<&'f [u8]>,
    /// Bytes of memory.
    bytes: u64,
    /// Groups around the deepest element.
    depth: usize,
}

/// A group whose children are being read.
struct Group {
    left: u64,
    /// Bytes of memory for the names of it and of all groups around it.
    path: u64,
}

impl Count<'_> {
    fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    fn footer(&mut self) -> Option<()> {
        let mut number = 0;
        loop {
            let kind;
            (number, kind) = self.reader.field(number)?;
            match (number, kind) {
                (_, 0) => return Some(()),
                (2, LIST) => self.schema()?,
                (4, LIST) => self.row_groups()?,
                (_, kind) => self.reader.skip(kind, 0)?,
            }
        }
    }

    fn schema(&mut self) -> Option<()> {
        let (count, kind) = self.reader.list()?;
        let mut around: Vec<Group> = Vec::new();
        for _ in 0..count {
            if kind != STRUCTURE {
                return None;
            }
            let (name, children) = self.element()?;
            while around.pop_if(|group| group.left == 0).is_some() {}
            let own = OF_PART.saturating_add(name.saturating_mul(2));
            let path = around.last().map_or(0, |group| group.path).saturating_add(own);
            if let Some(group) = around.last_mut() {
                group.left -= 1;
            }
            self.add(OF_ELEMENT.saturating_add(name));
            if children == 0 {
                self.add(path);
            } else {
                around.push(Group { left: children, path });
                self.depth = self.depth.max(around.len() - 1);
                if self.depth > DEEPEST_GROUP {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Bytes of the name of an element, and how many children it has.
    fn element(&mut self) -> Option<(u64, u64)> {
        let (mut number, mut name, mut children) = (0, 0, 0);
        loop {
            let kind;
            (number, kind) = self.reader.field(number)?;
            match (number, kind) {
                (_, 0) => return Some((name, children)),
                (4, BINARY) => name = self.reader.binary()?,
                (5, 4..=6) => children = u64::try_from(self.reader.number()?).unwrap_or(0),
                (_, kind) => self.reader.skip(kind, 1)?,
            }
        }
    }

    fn row_groups(&mut self) -> Option<()> {
        let (count, kind) = self.reader.list()?;
        for _ in 0..count {
            if kind != STRUCTURE {
                return None;
            }
            self.add(OF_ROW_GROUP);
            let mut number = 0;
            loop {
                let kind;
                (number, kind) = self.reader.field(number)?;
                match (number, kind) {
                    (_, 0) => break,
                    (1, LIST) => {
                        let (count, kind) = self.reader.list()?;
                        for _ in 0..count {
                            self.reader.skip(kind, 2)?;
                            self.add(OF_CHUNK);
                        }
                    }
                    (_, kind) => self.reader.skip(kind, 1)?,
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element of a schema: a name of one letter, and how many children.
    fn element(children: u8) -> Vec<u8> {
        match children {
            0 => vec![0x15, 12, 0x38, 1, b'x', 0],
            children => vec![0x48, 1, b'g', 0x15, 2 * children, 0],
        }
    }

    /// A footer of a schema of these elements, and of row groups of so many columns.
    fn footer(schema: &[Vec<u8>], groups: u8, chunks: u8) -> Vec<u8> {
        let list = |count: usize| {
            let mut head = vec![0xFC];
            let mut left = count;
            while left > 0x7F {
                head.push(left as u8 & 0x7F | 0x80);
                left >>= 7;
            }
            head.push(left as u8);
            head
        };
        let group = [&[0x19][..], &list(chunks.into()), &vec![0; chunks.into()], &[0]].concat();
        let mut footer = vec![0x15, 2, 0x19];
        footer.extend([list(schema.len()), schema.concat()].concat());
        footer.extend([0x16, 0, 0x19]);
        footer.extend([list(groups.into()), group.repeat(groups.into()), vec![0]].concat());
        footer
    }

    fn counted(footer: &[u8]) -> u64 {
        let mut count = Count { reader: CompactReader::new(footer), bytes: 0, depth: 0 };
        count.footer().unwrap();
        assert_eq!(count.reader.read, footer.len() as u64);
        count.bytes
    }

    #[test]
    fn columns_count_with_the_groups_around_them() {
        let part = OF_PART + 2;
        let flat = footer(&[element(2), element(0), element(0)], 0, 0);
        assert_eq!(counted(&flat), 3 * (OF_ELEMENT + 1) + 2 * 2 * part);
        // One column two groups down, one beside them.
        let deep = footer(&[element(2), element(1), element(1), element(0), element(0)], 0, 0);
        assert_eq!(counted(&deep), 5 * (OF_ELEMENT + 1) + (4 + 2) * part);
        let groups = footer(&[element(1), element(0)], 3, 5);
        assert_eq!(
            counted(&groups) - counted(&footer(&[element(1), element(0)], 0, 0)),
            3 * OF_ROW_GROUP + 15 * OF_CHUNK
        );
    }

    #[test]
    fn the_limits_of_depth_and_of_memory_are_inclusive() {
        let deep = |groups| {
            let mut schema = vec![element(1); groups];
            schema.push(element(0));
            footer(&schema, 0, 0)
        };
        // The root is none of the groups.
        check(&deep(DEEPEST_GROUP + 1), 0).unwrap();
        let error = check(&deep(DEEPEST_GROUP + 2), 0).unwrap_err();
        assert!(error.contains("more than 1000 groups"), "{error}");
        // 900 columns, each in 900 groups.
        let mut schema = vec![element(1); 900];
        schema.extend(
            vec![element(60); 15]
                .into_iter()
                .flat_map(|group| [vec![group], vec![element(0); 60]].concat()),
        );
        schema[899] = element(15);
        check(&footer(&schema, 0, 0), 0).unwrap();
        let mut schema = vec![element(1); 900];
        schema[899] = element(60);
        schema.extend(
            vec![element(60); 60]
                .into_iter()
                .flat_map(|group| [vec![group], vec![element(0); 60]].concat()),
        );
        let error = check(&footer(&schema, 0, 0), 0).unwrap_err();
        assert!(error.contains("but the limit is 134217728"), "{error}");
        check(&footer(&schema, 0, 0), 100 << 20).unwrap();
    }

    #[test]
    fn half_a_footer_is_damaged() {
        let whole = footer(&[element(1), element(0)], 2, 2);
        check(&whole, 0).unwrap();
        for length in 0..whole.len() {
            let error = check(&whole[..length], 0).unwrap_err();
            assert!(error.contains("malformed"), "{length}: {error}");
        }
    }
}
