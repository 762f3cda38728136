//! Zip archives written by hand, to hold what no honest program would put into them.
//!
//! Tests of other crates and the fuzz targets include this file, too: it needs nothing beside the standard library, so
//! whoever packs says what the checksum is.

/// A part of an archive, as it lies there.
pub(crate) struct Part<'a> {
    pub(crate) name: &'a str,
    /// The content, deflated or as it is.
    pub(crate) packed: Vec<u8>,
    pub(crate) deflated: bool,
    /// What the archive says of the content's length.
    pub(crate) length: usize,
    /// The same of its checksum (CRC-32).
    pub(crate) checksum: u32,
}

/// An archive of these parts, in their order.
pub(crate) fn zip(parts: &[Part<'_>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for part in parts {
        let mut entry = vec![20, 0, 0, 0, if part.deflated { 8 } else { 0 }, 0, 0, 0, 0, 0];
        entry.extend(part.checksum.to_le_bytes());
        entry.extend((part.packed.len() as u32).to_le_bytes());
        entry.extend((part.length as u32).to_le_bytes());
        entry.extend((part.name.len() as u16).to_le_bytes());
        entry.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&entry);
        directory.extend([0; 10]);
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(part.name.as_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&entry);
        file.extend(part.name.as_bytes());
        file.extend(&part.packed);
    }
    let start = file.len() as u32;
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([(parts.len() as u16).to_le_bytes(); 2].concat());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}
