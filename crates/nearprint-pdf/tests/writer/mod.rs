//! A minimal PDF writer for tests: numbered objects, a cross-reference table, pages of given content.
//!
//! Not a writer for anything else: it does not compress, and fonts are whatever dictionary the test gives.

/// A document under construction. Objects 1 and 2 are the catalog and the page tree.
pub(crate) struct PdfWriter {
    objects: Vec<Vec<u8>>,
    pages: Vec<usize>,
    catalog_extra: String,
}

#[allow(dead_code, reason = "each test binary uses its own part of the writer")]
impl PdfWriter {
    pub(crate) fn new() -> Self {
        Self {
            objects: vec![Vec::new(), Vec::new()],
            pages: Vec::new(),
            catalog_extra: String::new(),
        }
    }

    /// A document of one page with Helvetica as `/F1` and the given content.
    pub(crate) fn one_page(content: &str) -> Vec<u8> {
        let mut pdf = Self::new();
        pdf.helvetica_page(content);
        pdf.finish()
    }

    /// Adds an object and returns its number.
    pub(crate) fn object(&mut self, body: impl AsRef<[u8]>) -> usize {
        self.objects.push(body.as_ref().to_vec());
        self.objects.len()
    }

    /// Adds a stream with further dictionary entries and returns its number.
    pub(crate) fn stream(&mut self, entries: &str, data: impl AsRef<[u8]>) -> usize {
        let data = data.as_ref();
        let mut body = format!("<< /Length {} {entries} >>\nstream\n", data.len()).into_bytes();
        body.extend_from_slice(data);
        body.extend_from_slice(b"\nendstream");
        self.object(body)
    }

    /// Adds a page with the given resources and content.
    pub(crate) fn page(&mut self, resources: &str, content: &str) {
        let content = self.stream("", content);
        let page = self.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R \
             /Resources << {resources} >> >>"
        ));
        self.pages.push(page);
    }

    /// Adds a page whose `/F1` is Helvetica in WinAnsi encoding.
    pub(crate) fn helvetica_page(&mut self, content: &str) {
        self.page(
            "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
             /Encoding /WinAnsiEncoding >> >>",
            content,
        );
    }

    /// Makes an object a page.
    pub(crate) fn add_page(&mut self, object: usize) {
        self.pages.push(object);
    }

    /// Takes the last page out of the page tree and returns its number.
    pub(crate) fn take_page(&mut self) -> usize {
        self.pages.pop().expect("a page was added")
    }

    /// Lists the pages so many times over in the page tree.
    pub(crate) fn repeat_pages(&mut self, times: usize) {
        self.pages = self.pages.repeat(times);
    }

    /// Adds entries to the catalog.
    pub(crate) fn catalog(&mut self, entries: &str) {
        self.catalog_extra.push_str(entries);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.objects[0] =
            format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog_extra).into_bytes();
        let kids: Vec<String> = self.pages.iter().map(|n| format!("{n} 0 R")).collect();
        self.objects[1] =
            format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), self.pages.len())
                .into_bytes();
        let mut out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut offsets = Vec::new();
        for (index, body) in self.objects.iter().enumerate() {
            offsets.push(out.len());
            out.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
            out.extend_from_slice(body);
            out.extend_from_slice(b"\nendobj\n");
        }
        let xref = out.len();
        out.extend_from_slice(
            format!("xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).as_bytes(),
        );
        for offset in &offsets {
            out.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
        }
        out.extend_from_slice(
            format!(
                "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n",
                offsets.len() + 1
            )
            .as_bytes(),
        );
        out
    }
}
