//! What the first bytes of a document say: formats that are not text, most of which nothing here reads.

use crate::media::Media;
use crate::{legacy_office, mail, package, rtf};

/// Bytes in which a PDF may hide its header after what mail and printers put before it.
pub(crate) const PDF_WINDOW: usize = 1024;

/// The first bytes of that header.
pub(crate) const PDF_HEADER: &[u8] = b"%PDF-";

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    /// A medium with its own byte format.
    Media(Media),
    /// Something no extractor reads, by name.
    Unsupported(&'static str),
    /// An office document that is encrypted as a whole.
    EncryptedOffice,
    /// An office document of before 2007, or a message of Outlook, by name.
    LegacyOffice(&'static str),
    /// An office document that is cut off before it says of which kind it is.
    CutOffice,
    /// Text, or nothing known.
    None,
}

/// Byte formats that are documents to nobody, or that nothing here reads yet: offset, magic, name.
const UNSUPPORTED: [(usize, &[u8], &str); 34] = [
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xFF\xD8\xFF", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (8, b"WEBP", "image/webp"),
    (0, b"\0\0\x01\0", "image/x-icon"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (0, b"AT&TFORM", "image/vnd.djvu"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xDF\xA3", "video/x-matroska"),
    (0, b"OggS", "application/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (0, b"\x7fELF", "application/x-elf"),
    (0, b"MZ", "application/x-msdownload"),
    (0, b"\xCA\xFE\xBA\xBE", "application/java-vm"),
    (0, b"\0asm", "application/wasm"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"),
    (0, b"LZIP\x01", "application/x-lzip"),
    (0, b"\x04\x22\x4D\x18", "application/x-lz4"),
    (0, b"\x1F\x9D", "application/x-compress"),
    (257, b"ustar", "application/x-tar"),
    (0, legacy_office::STORAGE, "application/x-ole-storage"),
    (0, b"SQLite format 3\0", "application/vnd.sqlite3"),
    (0, b"%!PS", "application/postscript"),
    (0, b"wOFF", "font/woff"),
    (0, b"SIMPLE  =                    T", "image/fits"),
    (0, b"\xD9\xD9\xF7", "application/cbor"),
];

/// Whether bytes are of the old LZMA format, which has no magic: a byte of properties (0x5D is all that is in use), the
/// size of the dictionary, a power of two or one and a half, the expanded length or all ones where it is not known, and
/// the first byte of every range coder, 0. The bounds are those of xz. No text begins with so many zeros.
fn is_lzma(bytes: &[u8]) -> bool {
    let Some((header, rest)) = bytes.split_first_chunk::<13>() else { return false };
    let [0x5D, d0, d1, d2, d3, length @ ..] = *header else { return false };
    let dictionary = u32::from_le_bytes([d0, d1, d2, d3]);
    let length = u64::from_le_bytes(length);
    let plain = dictionary.is_power_of_two()
        || (dictionary % 3 == 0 && (dictionary / 3).is_power_of_two() && dictionary > 3);
    plain
        && dictionary >= 1 << 12
        && (length == u64::MAX || length < 1 << 38)
        && rest.first() == Some(&0)
}

/// Whether bytes are a stream of zlib: its header, and data behind it that can be expanded.
fn is_zlib(bytes: &[u8]) -> bool {
    let [method, flags, ..] = *bytes else { return false };
    let begins = method & 0x0F == 8
        && method >> 4 <= 7
        && u16::from_be_bytes([method, flags]).is_multiple_of(31)
        && flags & 0x20 == 0;
    if !begins || looks_like_text(&bytes[..bytes.len().min(PDF_WINDOW)]) {
        return false;
    }
    is_inflatable(bytes)
}

/// Whether the data of a stream of zlib can be expanded.
#[cfg(any(feature = "archives", feature = "office"))]
fn is_inflatable(bytes: &[u8]) -> bool {
    let mut expanded = [0; 64];
    let mut stream = flate2::Decompress::new(true);
    let done = stream.decompress(bytes, &mut expanded, flate2::FlushDecompress::None);
    done.is_ok_and(|status| status == flate2::Status::StreamEnd || stream.total_out() == 64)
}

/// The header must do in a build that inflates nothing.
#[cfg(not(any(feature = "archives", feature = "office")))]
fn is_inflatable(_: &[u8]) -> bool {
    true
}

/// Whether a file is binary data written as letters: `begin`, a mode and a name, then lines that state their lengths.
fn is_uuencoded(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let is_begin = lines.next().and_then(|line| line.strip_prefix(b"begin ")).is_some_and(|rest| {
        let mode = rest.iter().take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        (3..=4).contains(&mode) && rest.get(mode) == Some(&b' ') && rest.len() > mode + 1
    });
    // Of a line the first letter is its number of bytes, of which three are four letters; blanks at its end may be
    // lost.
    let is_line = |line: &[u8]| {
        let [first, rest @ ..] = line else { return false };
        let length = usize::from(first.wrapping_sub(b' ')) & 63;
        line.iter().all(|byte| (b' '..=b'`').contains(byte))
            && rest.len() <= length.div_ceil(3) * 4 + 1
    };
    is_begin && lines.next().is_some_and(is_line)
}

/// Whether bytes are a signed or encrypted message in DER: a sequence that begins with an identifier of PKCS#7.
fn is_pkcs7(bytes: &[u8]) -> bool {
    const IDENTIFIERS: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07";
    let window = &bytes[..bytes.len().min(24)];
    window.starts_with(b"\x30") && memchr::memmem::find(window, IDENTIFIERS).is_some()
}

/// Whether bytes are a tar archive without the mark of its later versions: the first header holds its own checksum, the
/// sum of its bytes with blanks in the place of the checksum.
fn is_old_tar(bytes: &[u8]) -> bool {
    let Some((header, _)) = bytes.split_first_chunk::<512>() else { return false };
    let field = &header[148..156];
    let digits = field.trim_ascii_start().iter().take_while(|b| (b'0'..=b'7').contains(*b));
    let (count, wanted) =
        digits.fold((0, 0u32), |(count, sum), b| (count + 1, sum << 3 | u32::from(b - b'0')));
    let sum: u32 = header.iter().map(|b| u32::from(*b)).sum();
    let of_field: u32 = field.iter().map(|b| u32::from(*b)).sum();
    (4..=7).contains(&count) && header[0] != 0 && sum - of_field + 8 * u32::from(b' ') == wanted
}

/// Looks at the first bytes.
pub(crate) fn signature(bytes: &[u8]) -> Signature {
    let window = &bytes[..bytes.len().min(PDF_WINDOW)];
    if memchr::memmem::find(window, PDF_HEADER).is_some() {
        return Signature::Media(Media::Pdf);
    }
    if rtf::is_rtf(bytes) {
        return Signature::Media(Media::Rtf);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return package::sniff(bytes);
    }
    if legacy_office::is_encrypted_package(bytes) {
        return Signature::EncryptedOffice;
    }
    if let Some(kind) = legacy_office::kind(bytes) {
        return Signature::LegacyOffice(kind);
    }
    for (at, magic, name) in UNSUPPORTED {
        if bytes.get(at..).is_some_and(|rest| rest.starts_with(magic))
            // Two or three letters may well begin a text.
            && (magic.len() > 3 || !looks_like_text(window))
        {
            return Signature::Unsupported(name);
        }
    }
    if is_lzma(bytes) {
        return Signature::Unsupported("application/x-lzma");
    }
    if is_zlib(bytes) {
        return Signature::Unsupported("application/zlib");
    }
    if is_pkcs7(bytes) {
        return Signature::Unsupported("application/pkcs7-mime");
    }
    if is_old_tar(bytes) {
        return Signature::Unsupported("application/x-tar");
    }
    if is_uuencoded(bytes) {
        return Signature::Unsupported("text/x-uuencode");
    }
    if mail::is_mail(bytes) {
        return Signature::Media(Media::Mail);
    }
    Signature::None
}

/// Whether bytes have none of those that text never has.
fn looks_like_text(bytes: &[u8]) -> bool {
    !bytes.iter().any(|b| *b < 9 || (14..27).contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magic_of_two_letters_needs_more_than_letters() {
        assert_eq!(signature(b"BMW builds cars"), Signature::None);
        assert_eq!(signature(b"BM\x36\x84\x03\0\0\0"), Signature::Unsupported("image/bmp"));
        assert_eq!(signature(b"junk\n%PDF-1.4"), Signature::Media(Media::Pdf));
        assert_eq!(signature(b"\x7fELF"), Signature::Unsupported("application/x-elf"));
    }

    #[test]
    fn binary_data_that_is_written_as_letters_is_no_text() {
        let data = r#"begin 644 test.7z
M-WJ\KR<<``3(R<K+S,W.S]#1TM/4U=;7V-G:V]S=WM_@X>+CY.7FY^CIZNOL
"#;
        let uuencoded = Signature::Unsupported("text/x-uuencode");
        assert_eq!(signature(data.as_bytes()), uuencoded);
        for text in
            ["begin 644 words\nof a text\n", "begin here\nM", "begin 64 x\nM", "begin 644 x"]
        {
            assert_eq!(signature(text.as_bytes()), Signature::None, "{text}");
        }
    }

    #[test]
    fn office_documents_with_a_password_are_told_from_old_ones() {
        let storage = |names: &[&str]| {
            let names =
                names.iter().flat_map(|name| name.encode_utf16().flat_map(u16::to_le_bytes));
            [legacy_office::STORAGE, &[0; 500], &names.collect::<Vec<_>>()].concat()
        };
        let encrypted = storage(&["Root Entry", "EncryptedPackage", "EncryptionInfo"]);
        assert_eq!(signature(&encrypted), Signature::EncryptedOffice);
        let error = crate::extract(&encrypted, &Default::default(), &Default::default());
        assert_eq!(error.unwrap_err().reason(), crate::Reason::Encrypted);
        let old = Signature::Unsupported("application/x-ole-storage");
        assert_eq!(signature(&storage(&["Root Entry", "WordDocument", "EncryptionInfo"])), old);
        assert_eq!(signature(&encrypted[1..]), Signature::None);
    }

    #[test]
    fn lzma_is_told_by_a_plausible_header() {
        let named = |bytes: &[u8]| match signature(bytes) {
            Signature::Unsupported(name) => name,
            _ => "",
        };
        // What `xz --format=lzma` writes of "one two three", and of a length that is known.
        let file = b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x37\x9B\xC9";
        assert_eq!(named(file), "application/x-lzma");
        let known = b"\x5D\0\0\x00\x01\x0E\0\0\0\0\0\0\0\0\x37\x9B";
        assert_eq!(named(known), "application/x-lzma");
        for (at, byte) in [(0, 0x5E), (1, 1), (3, 0x81), (12, 1), (13, 1)] {
            let mut other = known.to_vec();
            other[at] = byte;
            assert_eq!(named(&other), "", "{at}");
        }
        assert_eq!(named(&known[..13]), "");
        let wide: Vec<u8> = "]  one two".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(named(&wide), "");
        assert_eq!(named(b"LZIP is a format"), "");
        assert_eq!(named(b"LZIP\x01\x0c"), "application/x-lzip");
    }

    #[test]
    fn archives_and_messages_in_bytes_are_no_texts() {
        use std::io::Write;
        let named = |bytes: &[u8]| match signature(bytes) {
            Signature::Unsupported(name) => name,
            _ => "",
        };
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(&b"some text, ".repeat(100)).unwrap();
        let zlib = zlib.finish().unwrap();
        assert_eq!(named(&zlib), "application/zlib");
        assert_eq!(named(b"x^2 and y^2 are the squares"), "");
        let signed = b"\x30\x82\x06\x10\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x82";
        assert_eq!(named(signed), "application/pkcs7-mime");
        // As `tar --format=v7` writes it.
        let mut tar = vec![0; 512];
        tar[..5].copy_from_slice(b"a.txt");
        tar[100..107].copy_from_slice(b"0000644");
        tar[124..136].copy_from_slice(b"00000000013 ");
        tar[148..156].copy_from_slice(b"        ");
        let sum: u32 = tar.iter().map(|b| u32::from(*b)).sum();
        tar[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tar.extend("words of a text\n".repeat(10_000).bytes());
        assert_eq!(named(&tar), "application/x-tar");
        tar[0] = b'b';
        assert_eq!(named(&tar), "");
        let mut fits =
            format!("{:<80}", "SIMPLE  =                    T / x").repeat(36).into_bytes();
        fits.extend([0x41; 2880]);
        assert_eq!(named(&fits), "image/fits");
        assert_eq!(named(b"\xD9\xD9\xF7\x83\x01\x02\x03"), "application/cbor");
    }
}
