//! How large a stream becomes, found out without keeping what comes out.

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use memchr::memmem;
use std::io::Read;

/// Deflate never grows data by more than this factor (RFC 1951: 258 bytes for two bits, less the tables).
const DEFLATE_RATIO: u64 = 1032;
/// Types of the streams that the parser decodes of its own accord.
const OBJECT_STREAMS: [&[u8]; 2] = [b"/ObjStm", b"/XRef"];
/// Bytes from the name of a stream's type within which its data begin.
const LONGEST_DICT: usize = 4096;

/// An upper bound of the decoded size. Filters with a smaller ratio than deflate's are taken as deflate.
pub(crate) fn largest_size(raw: u64, filters: &[Filter]) -> u64 {
    filters.iter().fold(raw, |size, _| size.saturating_mul(DEFLATE_RATIO))
}

/// Whether a stream of deflate filters inflates to more than `limit` bytes.
///
/// `false` also for other filters, whose size cannot be told here.
pub(crate) fn inflates_beyond(raw: &[u8], filters: &[Filter], limit: u64) -> bool {
    filters.iter().all(|f| matches!(f, Filter::FlateDecode))
        && inflated(raw, filters.len(), limit) > limit
}

/// What the streams of objects and of cross-references inflate to: the largest, and all together.
///
/// The parser decodes them as a whole where it meets them, and nobody is asked before. Each is looked for by the name of its
/// type, inflated to no more than `limit` bytes, and none once all together are beyond `total`: names without end may be
/// made to lead to streams within one another.
pub(crate) fn object_streams(document: &[u8], limit: u64, total: u64) -> (u64, u64) {
    let (mut largest, mut all) = (0_u64, 0_u64);
    for name in OBJECT_STREAMS {
        let mut known = 0;
        for place in memmem::find_iter(document, name) {
            let dict = &document[place..document.len().min(place + LONGEST_DICT)];
            let Some(keyword) = memmem::find(dict, b"stream") else { continue };
            let start = place + keyword + b"stream".len();
            if start <= known || all > total {
                continue;
            }
            known = start;
            let line_end = document[start..].iter().take_while(|b| matches!(b, b'\r' | b'\n'));
            let size = inflated(&document[start + line_end.take(2).count()..], 1, limit);
            largest = largest.max(size);
            all = all.saturating_add(size);
        }
    }
    (largest, all)
}

/// How many bytes so many layers of deflate hold; counting ends beyond `limit`.
fn inflated(raw: &[u8], layers: usize, limit: u64) -> u64 {
    let mut reader: Box<dyn Read + '_> = Box::new(raw);
    for _ in 0..layers {
        reader = Box::new(ZlibDecoder::new(reader));
    }
    let mut buffer = vec![0; 1 << 16];
    let mut size = 0_u64;
    while size <= limit {
        match reader.read(&mut buffer) {
            // A damaged stream ends where it is damaged; the parser keeps what came before.
            Ok(0) | Err(_) => break,
            Ok(read) => size += read as u64,
        }
    }
    size
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
