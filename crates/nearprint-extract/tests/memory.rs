//! Documents of less than 20 MB that expand, or whose lists do: each is read or refused in bounded memory.

#[path = "packing/mod.rs"]
mod packing;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, Reason, extract};
use packing::Part;

/// Allocator that counts what is allocated at one time. The only test of this program uses it alone.
struct CountingAllocator;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator is unsafe; this one passes every call on")]
// SAFETY: every call goes to the system's allocator with its own arguments.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // In place where the system can: large blocks are never held twice.
        NOW.fetch_sub(layout.size(), Relaxed);
        count(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn count(size: usize) {
    let now = NOW.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(now, Relaxed);
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MIB: usize = 1 << 20;

/// Reads a document of less than 20 MB, which must take no more than 512 MiB.
#[track_caller]
fn read(name: &str, bytes: &[u8]) -> Result<Extraction, ExtractError> {
    assert!(bytes.len() < 20_000_000, "{name}: {} bytes", bytes.len());
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let found = extract(bytes, &Hints::default(), &Limits::default());
    let taken = PEAK.load(Relaxed) - before;
    assert!(taken < 512 * MIB, "{name}: {} MiB", taken / MIB);
    found
}

/// Numbers that look random and are the same every time.
fn numbers() -> impl FnMut() -> u32 {
    let mut state = 0x9E37_79B9_u32;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// Members of gzip that repeat a text up to this length. What looks random in it keeps the ratio low.
fn gzip(text: &[u8], length: usize) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap().repeat(length / text.len())
}

/// So many bytes of `text` again and again, at the beginning, and a letter for each 100 that does not compress well.
fn loose(text: &str, length: usize) -> Vec<u8> {
    let mut numbers = numbers();
    let mut out = Vec::with_capacity(length + 200);
    while out.len() < length {
        for _ in 0..100 / text.len() {
            out.extend(text.as_bytes());
        }
        write!(out, "{:02x} ", numbers() % 256).unwrap();
    }
    out
}

fn package(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let parts = parts.iter().map(|(name, content)| {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let mut deflate =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        deflate.write_all(content).unwrap();
        let packed = deflate.finish().unwrap();
        Part { name, packed, deflated: true, length: content.len(), checksum: crc.sum() }
    });
    packing::zip(&parts.collect::<Vec<_>>())
}

/// A part between the tags of an element.
fn within(begin: &str, middle: &[u8], end: &str) -> Vec<u8> {
    [begin.as_bytes(), middle, end.as_bytes()].concat()
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn documents_that_expand_take_bounded_memory() {
    let refused = |name: &str, bytes: &[u8], reason: Reason| {
        let error = read(name, bytes).expect_err(name);
        assert_eq!(error.reason(), reason, "{name}: {error}");
        assert!(error.detail().contains("max_growth_bytes = 134217728"), "{name}: {error}");
    };
    // Compressed text, as far as it may expand and beyond.
    let text = loose("some words ", MIB);
    let found = read("text", &gzip(&text, 120 * MIB)).unwrap();
    assert!(found.text.len() > 119 * MIB);
    drop(found);
    refused("long text", &gzip(&text, 200 * MIB), Reason::ExpansionLimit);
    // Letters of two bytes that become three.
    let mut numbers = numbers();
    let mut letters = String::new();
    while letters.len() < MIB {
        letters.push_str(&"雨霧港丘".repeat(6));
        letters.extend(char::from_u32(0x4E00 + numbers() % 20_000));
    }
    let wide: Vec<u8> = letters.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [gzip(b"\xFF\xFE", 2), gzip(&wide, 120 * MIB)].concat();
    refused("UTF-16", &marked, Reason::TextLimit);
    // Parts of packages: one that is long, and lists of things that take more memory than bytes.
    let types = || ("[Content_Types].xml", b"<Types/>".to_vec());
    let words =
        within("<w:document><w:p><w:t>", &loose("word ", 160 * MIB), "</w:t></w:p></w:document>");
    let root = || ("_rels/.rels", b"<x/>".to_vec());
    refused(
        "DOCX",
        &package(&[types(), root(), ("word/document.xml", words)]),
        Reason::ExpansionLimit,
    );
    let cell = r#"<c t="s"><v>0</v></c>"#;
    let shown = package(&[
        types(),
        ("xl/workbook.xml", b"<workbook/>".to_vec()),
        ("xl/sharedStrings.xml", within("<sst><si><t>", &loose("word ", MIB), "</t></si></sst>")),
        (
            "xl/worksheets/sheet1.xml",
            within("<worksheet><row>", cell.repeat(200).as_bytes(), "</row></worksheet>"),
        ),
    ]);
    refused("XLSX", &shown, Reason::TextLimit);
    // LaTeX may expand to 16 times its length.
    let latex = format!(
        "\\documentclass{{article}}\\begin{{document}}\\def\\a{{{}}}{}\\end{{document}}",
        "word ".repeat(8),
        "\\a ".repeat(5 * MIB)
    );
    refused("LaTeX", latex.as_bytes(), Reason::TextLimit);
    lists_in_packages_have_an_end();
}

/// A list in a part has an end: each of its entries takes more memory than it has bytes.
fn lists_in_packages_have_an_end() {
    let relationships = "<Relationship Target='a'/>".repeat(500_001);
    let book: String =
        (0..500_001).map(|n| format!("<item id='{n}' href='{n}' media-type='html'/>")).collect();
    let container = "<container><rootfile full-path='b.opf'/></container>";
    for parts in [
        &[
            ("[Content_Types].xml", b"<Types/>".to_vec()),
            (
                "_rels/.rels",
                within("<Relationships>", relationships.as_bytes(), "</Relationships>"),
            ),
            ("word/document.xml", b"<w:document><w:p><w:t>word</w:t></w:p></w:document>".to_vec()),
        ][..],
        &[
            ("mimetype", b"application/epub+zip".to_vec()),
            ("META-INF/container.xml", container.into()),
            ("b.opf", within("<package><manifest>", book.as_bytes(), "</manifest></package>")),
        ],
    ] {
        let limits = Limits { max_expansion_ratio: 10_000, ..Limits::default() };
        let error = extract(&package(parts), &Hints::default(), &limits).unwrap_err();
        assert_eq!(error.reason(), Reason::PartLimit, "{error}");
    }
}
