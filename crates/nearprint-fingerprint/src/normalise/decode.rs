//! Code points of UTF-8 with their bytes, as fast as they are needed: one by one, or the places of a block's.

/// Bytes whose code points are found together by a mask.
pub(super) const BLOCK: usize = 32;

/// With so many code points in a block, most of them are ASCII.
const MANY: u32 = 25;

/// The places of code points in the block at the start, where all of them are of one or two bytes and many of two.
///
/// In such scripts words end too often and too irregularly for a branch on the length of each code point.
#[inline(always)]
pub(super) fn short_leads(bytes: &[u8]) -> Option<u64> {
    // With the bytes after that let the last code point be stored as four.
    let block = bytes.get(..BLOCK + 3)?;
    let mut leads = 0;
    let mut long = 0;
    for (i, bytes) in block[..BLOCK].as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*bytes);
        // 10xxxxxx continues a code point; 111xxxxx begins one of three or four bytes.
        let lead = ((!bytes >> 7) | (bytes >> 6)) & 0x0101_0101_0101_0101;
        leads |= (lead.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        long |= bytes & bytes << 1 & bytes << 2 & 0x8080_8080_8080_8080;
    }
    (long == 0 && leads.count_ones() < MANY).then_some(leads)
}

/// [`decode`] for code points of one or two bytes.
#[inline(always)]
pub(super) fn decode_short(text: &str, at: usize) -> (char, [u8; 4], usize) {
    if let Some(&utf8) = text.as_bytes()[at..].first_chunk::<4>() {
        let [a, b, ..] = utf8.map(u32::from);
        let is_long = a >= 0x80;
        let code_point = if is_long { (a & 0x1F) << 6 | b & 0x3F } else { a };
        if let Some(c) = char::from_u32(code_point) {
            return (c, utf8, 1 + usize::from(is_long));
        }
    }
    last_of(text, at)
}

/// The code point at `at`, its bytes with what is after them, and their number.
#[inline(always)]
pub(super) fn decode(text: &str, at: usize) -> (char, [u8; 4], usize) {
    if let Some(&utf8) = text.as_bytes()[at..].first_chunk::<4>() {
        let [a, b, c, d] = utf8.map(u32::from);
        let (b, c, d) = (b & 0x3F, c & 0x3F, d & 0x3F);
        let (code_point, length) = match a {
            0..0x80 => (a, 1),
            0x80..0xE0 => ((a & 0x1F) << 6 | b, 2),
            0xE0..0xF0 => ((a & 0xF) << 12 | b << 6 | c, 3),
            0xF0.. => ((a & 7) << 18 | b << 12 | c << 6 | d, 4),
        };
        if let Some(c) = char::from_u32(code_point) {
            return (c, utf8, length);
        }
    }
    last_of(text, at)
}

/// The same near the end of the text.
#[cold]
fn last_of(text: &str, at: usize) -> (char, [u8; 4], usize) {
    // `at` is a boundary before the end, so there is a code point.
    let c = text[at..].chars().next().unwrap_or_default();
    let mut utf8 = [0; 4];
    let length = c.encode_utf8(&mut utf8).len();
    (c, utf8, length)
}
