//! Small files that once took gigabytes: each is refused by a counted limit, or read, in little memory.

mod writer;

use nearprint_pdf::{Limit, Options, PdfError, PdfText, extract_text};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use writer::PdfWriter;

/// Allocator that counts what is allocated at one time. The only test of this program uses it alone.
struct CountingAllocator;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator is unsafe; this one passes every call on")]
// SAFETY: every call goes to the system's allocator with its own arguments.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Reads a document; also returns the most bytes that were allocated for it at one time.
fn measured(bytes: &[u8]) -> (Result<PdfText, PdfError>, usize) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let read = extract_text(bytes, &Options::default());
    (read, PEAK.load(Relaxed) - before)
}

/// A page in a composite font with further entries.
fn composite(entries: &str, map: &str, content: &str) -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let map = pdf.stream("", format!("begincmap {map} endcmap"));
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type0 /BaseFont /Made /Encoding /Identity-H /ToUnicode {map} 0 R \
             /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /DW 600 {entries} >>] >> >>"
        ),
        content,
    );
    pdf.finish()
}

const A: &str = "1 beginbfchar <0001> <0041> endbfchar";
const MIB: usize = 1 << 20;

/// One test, so that nothing else allocates meanwhile.
#[test]
fn small_files_take_little_memory() {
    let font = |entries: &str| composite(entries, A, "BT /F1 9 Tf <0001> Tj ET");
    let limit = |limit, value| Err(PdfError::LimitReached { limit, value });
    let text = |read: Result<PdfText, PdfError>| read.map(|read| read.text);
    // Ranges of widths.
    for widths in [
        "/W [0 2147483647 500]",
        "/W [0 60000000 500]",
        "/W [7 [500 500] 0 4294967295 500]",
        "/W2 [0 60000000 -500 500 500]",
    ] {
        let (read, peak) = measured(&font(widths));
        assert_eq!(text(read), limit(Limit::FontEntries, 8 << 20), "{widths}");
        assert!(peak < 8 * MIB, "{widths}: {peak}");
    }
    for widths in ["/W [0 65535 500]", "/W [1 1 500]", "/W [65535 0 500]", "/W [1]", "/W [null 5]"]
    {
        let (read, peak) = measured(&font(widths));
        assert_eq!(text(read).as_deref(), Ok("A\n"), "{widths}");
        assert!(peak < 16 * MIB, "{widths}: {peak}");
    }
    let mut first = PdfWriter::new();
    first.page(
        "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 2000000000 \
         /LastChar 2000000001 /Widths [500] >> >>",
        "BT /F1 9 Tf (A) Tj ET",
    );
    let (read, peak) = measured(&first.finish());
    assert_eq!(text(read), limit(Limit::FontEntries, 8 << 20));
    assert!(peak < 8 * MIB, "{peak}");

    // A glyph that stands for 50,000 letters, shown 20,000 times; one text instead of each of 20,000 glyphs.
    let letters = "0041".repeat(50_000);
    let map = format!("1 beginbfchar <0001> <{letters}> endbfchar");
    let shown = format!("BT /F1 9 Tf {} ET", "<0001> Tj 0 -9 Td ".repeat(20_000));
    let (read, peak) = measured(&composite("", &map, &shown));
    assert_eq!(text(read), limit(Limit::Text, 256 << 20));
    assert!(peak < 32 * MIB, "{peak}");
    let mut actual = PdfWriter::new();
    let long = actual.object(format!("<< /ActualText ({}) >>", "a".repeat(50_000)));
    actual.page(&format!("/Properties << /P {long} 0 R >>"), &"/Span /P BDC EMC ".repeat(20_000));
    let (read, peak) = measured(&actual.finish());
    assert_eq!(text(read), limit(Limit::Text, 256 << 20));
    assert!(peak < 512 * MIB, "{peak}");

    // Drawings that draw others ten times over, with text in the last of them.
    let mut pdf = PdfWriter::new();
    let mut next = pdf.stream("/Subtype /Form /BBox [0 0 9 9]", "BT /F1 9 Tf (0123456789) Tj ET");
    for _ in 0..20 {
        let resources = format!("/Resources << /XObject << /X {next} 0 R >> >>");
        let entries = format!("/Subtype /Form /BBox [0 0 9 9] {resources}");
        next = pdf.stream(&entries, "/X Do ".repeat(10));
    }
    pdf.page(&format!("/XObject << /X {next} 0 R >>"), "/X Do");
    let (read, peak) = measured(&pdf.finish());
    assert!(matches!(read, Err(PdfError::LimitReached { .. })), "{read:?}");
    assert!(peak < 256 * MIB, "{peak}");

    // Rows of predictors that no memory holds: of a content, and of a stream of objects.
    let refused = Err(PdfError::LimitReached { limit: Limit::ExpansionRatio, value: 300 });
    for (columns, colors) in
        [("9223372036854775807", 1), ("4000000000", 7), ("100000000", 1), ("9", 127)]
    {
        let entries = format!(
            "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns {columns} /Colors {colors} >>"
        );
        let content = |pdf: &mut PdfWriter| {
            let content = pdf.stream(&entries, b"x");
            let page =
                pdf.object(format!("<< /Type /Page /Parent 2 0 R /Contents {content} 0 R >>"));
            pdf.add_page(page);
        };
        let objects = |pdf: &mut PdfWriter| {
            pdf.stream(&format!("/Type /ObjStm /N 1 /First 4 {entries}"), b"x");
            pdf.helvetica_page("BT /F1 9 Tf (A) Tj ET");
        };
        for make in [&content as &dyn Fn(&mut PdfWriter), &objects] {
            let mut pdf = PdfWriter::new();
            make(&mut pdf);
            let (read, peak) = measured(&pdf.finish());
            assert_eq!(text(read), refused, "{entries}");
            assert!(peak < 4 * MIB, "{entries}: {peak}");
        }
    }

    // A million entries of one stream, and a million streams.
    let entries = |count: usize, distinct: bool, data: &str| {
        let mut pdf = PdfWriter::new();
        let streams: Vec<String> = (0..if distinct { count } else { 1 })
            .map(|_| format!("{} 0 R", pdf.stream("", data)))
            .collect();
        let list =
            if distinct { streams.join(" ") } else { format!("{} ", streams[0]).repeat(count) };
        let page = pdf.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents [{list}] >>"
        ));
        pdf.add_page(page);
        pdf.finish()
    };
    for (document, factor) in [
        (entries(1_000_000, false, "q Q"), 6),
        (entries(100_000, false, &"q Q ".repeat(1_000)), 40),
        (entries(100_000, false, &"1 2 ".repeat(1_000)), 200),
        (entries(1_000_000, true, "q Q"), 4),
    ] {
        let (read, peak) = measured(&document);
        let allowed = factor * document.len() + 16 * MIB;
        eprintln!("{} bytes: {peak} {:?}", document.len(), read.as_ref().map(|r| r.text.len()));
        assert!(peak < allowed, "{} bytes: {peak}", document.len());
    }
}
