//! The layers of compression, undone within limits.

use std::io::Read;

use flate2::bufread::GzDecoder;

use super::{Wrapper, read_within, zstd};
use crate::error::ExtractError;
use crate::limits::Limits;

/// KiB that a file in xz may ask for: what `xz -9` asks for, twice.
const XZ_MEMORY: u32 = 128 << 10;

/// Undoes a layer of a document of `packed` bytes.
pub(super) fn unwrap(
    wrapper: Wrapper,
    bytes: &[u8],
    packed: usize,
    limits: &Limits,
) -> Result<Vec<u8>, ExtractError> {
    match wrapper {
        Wrapper::Gzip => gunzip(bytes, packed, limits),
        Wrapper::Bzip2 => {
            read_all(bzip2::bufread::MultiBzDecoder::new(bytes), packed, limits, wrapper.name())
        }
        Wrapper::Xz => {
            let reader = lzma_rust2::XzReader::new_mem_limit(bytes, true, XZ_MEMORY);
            read_all(reader, packed, limits, wrapper.name())
        }
        Wrapper::Zstd => zstd::unzstd(bytes, packed, limits),
    }
}

fn read_all(
    mut source: impl Read,
    packed: usize,
    limits: &Limits,
    what: &str,
) -> Result<Vec<u8>, ExtractError> {
    let mut out = Vec::new();
    read_within(&mut source, packed, packed, &mut out, limits, what)?;
    Ok(out)
}

/// All members of a gzip file, one after the other. What follows the last member and is none itself
/// (padding of tapes and object stores) is ignored, as gzip itself does.
fn gunzip(bytes: &[u8], packed: usize, limits: &Limits) -> Result<Vec<u8>, ExtractError> {
    let mut out = Vec::new();
    let mut rest = bytes;
    loop {
        let mut member = GzDecoder::new(rest);
        read_within(&mut member, packed, packed, &mut out, limits, "gzip")?;
        rest = member.into_inner();
        if Wrapper::sniff(rest) != Some(Wrapper::Gzip) {
            return Ok(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::error::Reason;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_are_joined_and_padding_is_ignored() {
        let mut file = gzip(b"one ");
        file.extend(gzip(b"two"));
        file.extend([0; 512]);
        assert_eq!(gunzip(&file, file.len(), &Limits::default()).unwrap(), b"one two");
    }

    #[test]
    fn a_cut_member_is_damage_not_a_shorter_document() {
        let file = gzip(&b"some text that is long enough to be cut ".repeat(50));
        let error = gunzip(&file[..file.len() - 12], file.len(), &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::Damaged);
    }

    /// "one two three\n" as the reference tools compress it.
    #[test]
    fn other_formats_are_undone_and_checked() {
        const BZIP2: &[u8] = &[
            0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x48, 0xbd, 0xc2, 0x2f,
            0x00, 0x00, 0x04, 0xd1, 0x80, 0x00, 0x10, 0x40, 0x00, 0x02, 0x41, 0x94, 0x80, 0x20,
            0x00, 0x31, 0x06, 0x4c, 0x40, 0xd0, 0x62, 0x69, 0x8a, 0xc2, 0x7c, 0x63, 0x90, 0x2f,
            0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0x48, 0xbd, 0xc2, 0x2f,
        ];
        const XZ: &[u8] = &[
            0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00,
            0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x0d, 0x6f,
            0x6e, 0x65, 0x20, 0x74, 0x77, 0x6f, 0x20, 0x74, 0x68, 0x72, 0x65, 0x65, 0x0a, 0x00,
            0x00, 0x00, 0xc1, 0x93, 0xa4, 0xbf, 0xda, 0x48, 0x61, 0xe5, 0x00, 0x01, 0x26, 0x0e,
            0x08, 0x1b, 0xe0, 0x04, 0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04,
            0x59, 0x5a,
        ];
        const ZSTD: &[u8] = &[
            0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x71, 0x00, 0x00, 0x6f, 0x6e, 0x65, 0x20, 0x74,
            0x77, 0x6f, 0x20, 0x74, 0x68, 0x72, 0x65, 0x65, 0x0a, 0xd8, 0x8d, 0xbe, 0x76,
        ];
        for (file, name) in [(BZIP2, "bzip2"), (XZ, "xz"), (ZSTD, "zstd")] {
            let wrapper = Wrapper::sniff(file).unwrap();
            assert_eq!(wrapper.name(), name);
            let undone = |bytes: &[u8]| wrapper.unwrap(bytes, bytes.len(), &Limits::default());
            assert_eq!(undone(file).unwrap(), b"one two three\n", "{name}");
            // Files may be joined.
            assert_eq!(
                undone(&file.repeat(2)).unwrap(),
                b"one two three\none two three\n",
                "{name}"
            );
            assert_eq!(undone(&file[..file.len() - 5]).unwrap_err().reason(), Reason::Damaged);
            let mut wrong = file.to_vec();
            let middle = file.len() / 2;
            wrong[middle] ^= 0x20;
            assert_eq!(undone(&wrong).unwrap_err().reason(), Reason::Damaged, "{name}");
            let tight = Limits { max_expanded_bytes: 3, ..Limits::default() };
            let error = wrapper.unwrap(file, file.len(), &tight).unwrap_err();
            assert_eq!(error.reason(), Reason::ExpansionLimit, "{name}");
        }
    }

    #[test]
    fn bombs_meet_the_size_and_the_ratio() {
        let bomb = gzip(&vec![b'a'; 20 << 20]);
        let error = gunzip(&bomb, bomb.len(), &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), Reason::ExpansionLimit);
        assert!(error.detail().contains("ratio"), "{error}");
        let small = Limits { max_expanded_bytes: 1000, ..Limits::default() };
        let error = gunzip(&bomb, bomb.len(), &small).unwrap_err();
        assert!(error.detail().contains("max_expanded_bytes"), "{error}");
    }
}
