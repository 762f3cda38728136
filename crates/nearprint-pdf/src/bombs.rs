//! How large a stream becomes, found out without keeping what comes out.

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use std::io::Read;

/// Deflate never grows data by more than this factor (RFC 1951: 258 bytes for two bits, less the tables).
const DEFLATE_RATIO: u64 = 1032;

/// An upper bound of the decoded size. Filters with a smaller ratio than deflate's are taken as deflate.
pub(crate) fn largest_size(raw: u64, filters: &[Filter]) -> u64 {
    filters.iter().fold(raw, |size, _| size.saturating_mul(DEFLATE_RATIO))
}

/// Whether a stream of deflate filters inflates to more than `limit` bytes.
///
/// `false` also for other filters, whose size cannot be told here.
pub(crate) fn inflates_beyond(raw: &[u8], filters: &[Filter], limit: u64) -> bool {
    if filters.iter().any(|f| !matches!(f, Filter::FlateDecode)) {
        return false;
    }
    let mut reader: Box<dyn Read + '_> = Box::new(raw);
    for _ in filters {
        reader = Box::new(ZlibDecoder::new(reader));
    }
    let mut buffer = vec![0; 1 << 16];
    let mut size = 0_u64;
    while size <= limit {
        match reader.read(&mut buffer) {
            // A damaged stream ends where it is damaged; the parser keeps what came before.
            Ok(0) | Err(_) => return false,
            Ok(read) => size += read as u64,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{inflates_beyond, largest_size};
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use hayro_syntax::Filter;
    use std::io::Write;

    fn deflate(data: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).expect("a vector takes all");
        encoder.finish().expect("a vector takes all")
    }

    #[test]
    fn sizes_are_found_without_keeping_them() {
        let once = deflate(&vec![b' '; 1_000_000]);
        let twice = deflate(&once);
        let one = [Filter::FlateDecode];
        let two = [Filter::FlateDecode, Filter::FlateDecode];
        assert!(largest_size(once.len() as u64, &one) >= 1_000_000);
        assert!(largest_size(twice.len() as u64, &two) >= 1_000_000);
        for (data, filters) in [(&once, &one[..]), (&twice, &two[..])] {
            assert!(inflates_beyond(data, filters, 999_999));
            assert!(!inflates_beyond(data, filters, 1_000_000));
        }
        assert!(!inflates_beyond(b"not deflate", &one, 0));
    }
}
