//! How large a stream becomes, found out without keeping what comes out.

use crate::filters::{Layer, row_length};
use hayro_syntax::Filter;
use memchr::memmem;
use std::io::Read;

/// Types of the streams that the parser decodes of its own accord.
const OBJECT_STREAMS: [&[u8]; 2] = [b"/ObjStm", b"/XRef"];
/// Bytes before and after the name of a stream's type within which its dictionary lies.
const LONGEST_DICT: usize = 4096;
/// Filters of one stream: real ones have two, each is counted with those before it.
const MAX_LAYERS: usize = 8;
/// The filters that the parser undoes, by their names and by the short ones of inline images, which it takes as well.
const NAMES: [(&[u8], Filter); 10] = [
    (b"FlateDecode", Filter::FlateDecode),
    (b"Fl", Filter::FlateDecode),
    (b"ASCIIHexDecode", Filter::AsciiHexDecode),
    (b"AHx", Filter::AsciiHexDecode),
    (b"ASCII85Decode", Filter::Ascii85Decode),
    (b"A85", Filter::Ascii85Decode),
    (b"LZWDecode", Filter::LzwDecode),
    (b"LZW", Filter::LzwDecode),
    (b"RunLengthDecode", Filter::RunLengthDecode),
    (b"RL", Filter::RunLengthDecode),
];

/// An upper bound of what a stream decodes to, and of what comes out of each of its filters.
pub(crate) fn largest_size(raw: u64, layers: &[Layer]) -> u64 {
    let mut size = raw;
    layers.iter().fold(raw, |largest, layer| {
        size = layer.largest(size);
        largest.max(size).max(layer.row)
    })
}

/// Whether a stream decodes to more than `limit` bytes, or one of its filters gives the next one more.
pub(crate) fn decodes_beyond(raw: &[u8], layers: &[Layer], limit: u64) -> bool {
    if layers.len() > MAX_LAYERS || layers.iter().any(|layer| layer.row > limit) {
        return true;
    }
    (1..=layers.len()).any(|count| {
        let (these, after) = layers.split_at(count);
        let size = decoded(raw, these, limit);
        // What a predictor changes is not what the next filter is given here.
        size > limit || (these[count - 1].predicted && largest_size(size, after) > limit)
    })
}

/// What the streams of objects and of cross-references of a document come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ObjectStreams {
    /// Bytes that the largest inflates to.
    pub(crate) largest: u64,
    /// Bytes that all together inflate to.
    pub(crate) all: u64,
    /// Whether one has a predictor whose rows have no bytes, by which the parser would divide.
    pub(crate) row_is_empty: bool,
}

/// Looks at the streams of objects and of cross-references.
///
/// The parser decodes them as a whole where it meets them, and nobody is asked before. Each is looked for by the name
/// of its type, inflated to no more than `limit` bytes, and none once all together are beyond `total`: names without
/// end may be made to lead to streams nested in each other.
pub(crate) fn object_streams(document: &[u8], limit: u64, total: u64) -> ObjectStreams {
    let mut found = ObjectStreams::default();
    for name in OBJECT_STREAMS {
        let mut known = 0;
        for place in memmem::find_iter(document, name) {
            let dict = &document[place..document.len().min(place + LONGEST_DICT)];
            let Some(keyword) = memmem::find(dict, b"stream") else { continue };
            let start = place + keyword + b"stream".len();
            if start <= known || found.all > total {
                continue;
            }
            let dict = &document[known.max(place.saturating_sub(LONGEST_DICT))..start];
            let dict = memmem::rfind(dict, b"obj").map_or(dict, |object| &dict[object..]);
            found.row_is_empty |= row_is_empty(dict);
            let layers = layers_of(dict);
            known = start;
            let line_end = document[start..].iter().take_while(|b| matches!(b, b'\r' | b'\n'));
            let data = &document[start + line_end.take(2).count()..];
            let rows = layers.iter().any(|layer| layer.row > limit);
            if rows || layers.len() > 1 && decodes_beyond(data, &layers, limit) {
                found.largest = found.largest.max(limit.saturating_add(1));
            }
            let size = decoded(data, &layers, limit);
            found.largest = found.largest.max(size);
            found.all = found.all.saturating_add(size);
        }
    }
    found
}

/// The filters that a stream's dictionary names, which ends what is given; deflate, as nearly all have it, where it
/// names none or they stand elsewhere.
fn layers_of(dict: &[u8]) -> Vec<Layer> {
    let dict = memmem::rfind(dict, b"obj").map_or(dict, |object| &dict[object..]);
    let named = memmem::find(dict, b"/Filter").map_or(&[][..], |key| &dict[key + 7..]);
    let many = named.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'[');
    let end = named.iter().position(|b| if many { *b == b']' } else { *b == b'>' });
    let names = named[..end.unwrap_or(named.len())].split(|b| *b == b'/').skip(1);
    let early_change = memmem::find(dict, b"/EarlyChange 0").is_none();
    let row = row_of(dict);
    let mut layers: Vec<Layer> = names
        .take(if many { MAX_LAYERS + 1 } else { 1 })
        .filter_map(|name| {
            let end = name.iter().position(|b| !b.is_ascii_alphanumeric());
            let name = &name[..end.unwrap_or(name.len())];
            let (_, filter) = NAMES.iter().find(|(known, _)| *known == name)?;
            Some(Layer { early_change, row, ..Layer::new(*filter) })
        })
        .collect();
    if layers.is_empty() {
        layers.push(Layer { row, ..Layer::new(Filter::FlateDecode) });
    }
    layers
}

/// Bytes of a row of the predictor that a dictionary names, if its numbers stand in it.
fn row_of(dict: &[u8]) -> u64 {
    if number_in(dict, b"/Predictor").is_none_or(|predictor| predictor <= 1) {
        return 0;
    }
    length_of_row(dict)
}

/// Whether a row of the predictor that a dictionary names has no bytes. Rows of PNG (10 and more) begin with one of
/// their own.
fn row_is_empty(dict: &[u8]) -> bool {
    let predictor = number_in(dict, b"/Predictor");
    predictor.is_some_and(|predictor| predictor != 1 && predictor < 10) && length_of_row(dict) == 0
}

fn length_of_row(dict: &[u8]) -> u64 {
    row_length(
        number_in(dict, b"/Columns").unwrap_or(1),
        number_in(dict, b"/Colors").unwrap_or(1),
        number_in(dict, b"/BitsPerComponent").unwrap_or(8),
    )
}

/// The number after a key of a dictionary.
fn number_in(dict: &[u8], key: &[u8]) -> Option<u64> {
    let value = dict[memmem::find(dict, key)? + key.len()..].trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0_u64, |number, digit| {
        number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    }))
}

/// How many bytes come out of the last of the filters; counting ends beyond `limit`, or at a filter of images.
fn decoded(raw: &[u8], layers: &[Layer], limit: u64) -> u64 {
    let mut reader: Box<dyn Read + '_> = Box::new(raw);
    for layer in layers {
        reader = match layer.reader(reader) {
            Some(reader) => reader,
            None => return 0,
        };
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
    use super::{decoded, decodes_beyond, largest_size, layers_of};
    use crate::filters::Layer;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    use hayro_syntax::Filter::{
        self, Ascii85Decode, AsciiHexDecode, DctDecode, FlateDecode, LzwDecode, RunLengthDecode,
    };
    use std::io::{Read, Write};

    fn layers(filters: &[Filter]) -> Vec<Layer> {
        filters.iter().copied().map(Layer::new).collect()
    }

    fn deflate(data: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).expect("a vector takes all");
        encoder.finish().expect("a vector takes all")
    }

    fn hex(data: &[u8]) -> Vec<u8> {
        data.iter().map(|byte| format!("{byte:02x} ")).collect::<String>().into_bytes()
    }

    /// Data of one byte that repeats, in codes that each stand for a string one byte longer than the one before.
    fn lzw(length: usize) -> Vec<u8> {
        let (mut bits, mut table, mut done, mut size) = (vec![], 258, 0, 1);
        let mut push = |code: usize, table: usize| {
            let width = (table + 1).ilog2().max(8) + 1;
            bits.extend((0..width.min(12)).rev().map(|bit| code >> bit & 1 == 1));
        };
        push(256, table);
        push(usize::from(b' '), table);
        done += 1;
        while done + size < length && table < 4095 {
            push(table, table);
            (table, size) = (table + 1, size + 1);
            done += size;
        }
        while table == 4095 && done + size <= length {
            push(table - 1, table);
            done += size;
        }
        bits.chunks(8)
            .map(|byte| {
                byte.iter().fold(0, |sum, bit| sum << 1 | u8::from(*bit)) << (8 - byte.len())
            })
            .collect()
    }

    #[test]
    fn sizes_are_found_without_keeping_them() {
        let spaces = vec![b' '; 1_000_000];
        let once = deflate(&spaces);
        let twice = deflate(&once);
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::best());
        bare.write_all(&spaces).expect("a vector takes all");
        let bare = bare.finish().expect("a vector takes all");
        let lengths: Vec<u8> =
            [129, b' '].repeat(7_812).into_iter().chain([193, b' ', 128]).collect();
        let z = b"z".repeat(250_000);
        for (data, filters) in [
            (&once, &[FlateDecode][..]),
            (&bare, &[FlateDecode]),
            (&twice, &[FlateDecode, FlateDecode]),
            (&hex(&once), &[AsciiHexDecode, FlateDecode]),
            (&hex(&hex(&once)), &[AsciiHexDecode, AsciiHexDecode, FlateDecode]),
            (&lengths, &[RunLengthDecode]),
            (&deflate(&lengths), &[FlateDecode, RunLengthDecode]),
            (&z, &[Ascii85Decode]),
        ] {
            let layers = layers(filters);
            assert_eq!(decoded(data, &layers, u64::MAX), 1_000_000, "{filters:?}");
            assert!(largest_size(data.len() as u64, &layers) >= 1_000_000);
            assert!(decodes_beyond(data, &layers, 999_999));
            assert!(!decodes_beyond(data, &layers, 1_000_000), "{filters:?}");
        }
        assert!(!decodes_beyond(b"not deflate", &layers(&[FlateDecode]), 0));
        assert!(!decodes_beyond(&once, &layers(&[DctDecode, FlateDecode]), 0));
        // What lies between two filters counts: here the second one's data end after a few bytes.
        let mut beginning = deflate(b"x");
        beginning.extend(&spaces);
        let outer = deflate(&beginning);
        assert_eq!(decoded(&outer, &layers(&[FlateDecode, FlateDecode]), u64::MAX), 1);
        assert!(decodes_beyond(&outer, &layers(&[FlateDecode, FlateDecode]), 999_999));
        // What a predictor makes of a stream is not known, but how much it may become.
        let mut predicted = layers(&[FlateDecode, FlateDecode]);
        predicted[0].predicted = true;
        assert!(decodes_beyond(&deflate(b"noise"), &predicted, 5_000));
        assert!(!decodes_beyond(&deflate(b"noise"), &predicted, 6_000));
        assert!(decodes_beyond(b"", &layers(&[AsciiHexDecode; 9]), u64::MAX));
    }

    #[test]
    fn filters_give_what_was_put_into_them() {
        let read = |data: &[u8], filter| {
            let mut out = Vec::new();
            let reader = Layer::new(filter).reader(Box::new(data));
            reader.expect("it is no image").read_to_end(&mut out).expect("memory does not fail");
            out
        };
        for (filter, data, expected) in [
            (AsciiHexDecode, &b"41 4\n2 4x43"[..], &b"AB@"[..]),
            (AsciiHexDecode, b"4142>43", b"AB"),
            (Ascii85Decode, b"87cUR\nD]i,\"Ebo80~>x", b"Hello World!"),
            (Ascii85Decode, b"87cURD]i,\"Ebo7", b"Hello World"),
            (Ascii85Decode, b"z!!", b"\0\0\0\0\0"),
            (Ascii85Decode, b"zs8W-\"", b"\0\0\0\0"),
            (RunLengthDecode, b"\x04abcde\xfdx\x80y", b"abcdexxxx"),
            (LzwDecode, b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", b"-----A---B"),
        ] {
            let found = read(data, filter);
            assert_eq!(found, expected, "{filter:?} {}", String::from_utf8_lossy(data));
        }
        for length in [1_000, 100_000, 10_000_000] {
            let (data, wanted) = (lzw(length), length - length / 10..=length);
            let found = decoded(&data, &layers(&[LzwDecode]), u64::MAX) as usize;
            assert!(wanted.contains(&found), "{length} {found}");
            assert!(largest_size(data.len() as u64, &layers(&[LzwDecode])) >= found as u64);
        }
    }

    #[test]
    fn filters_are_found_in_dictionaries() {
        let names =
            |dict: &[u8]| layers_of(dict).iter().map(|layer| layer.filter).collect::<Vec<_>>();
        for (dict, expected) in [
            (&b"<< /Type /ObjStm >> stream"[..], &[FlateDecode][..]),
            (b"3 0 obj << /Filter /LZWDecode /Type /XRef >> stream", &[LzwDecode]),
            (b"/Filter /LZWDecode endobj 3 0 obj << /Type /XRef >> stream", &[FlateDecode]),
            (b"<</Filter[/AHx/Fl]/Type/ObjStm>>stream", &[AsciiHexDecode, FlateDecode]),
            (
                b"<</Type/ObjStm/Filter [ /ASCII85Decode\n/RunLengthDecode ]>>stream",
                &[Ascii85Decode, RunLengthDecode],
            ),
        ] {
            assert_eq!(names(dict), expected, "{}", String::from_utf8_lossy(dict));
        }
    }
}
