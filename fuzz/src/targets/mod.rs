//! All targets by name.

mod copies;
mod documents;
mod dtd;
mod members;
mod mime;
#[path = "../../../crates/nearprint-extract/tests/packing/mod.rs"]
mod packing;
mod pdf_objects;
mod pieces;
mod readers;
mod records;
mod table;

pub use copies::{record_copy, row_copy};
pub use documents::{
    asciidoc, bibtex, charset, extract, html, info, latex, mail, main_content, markdown, mediawiki,
    package, pdf, pdf_page, plain, restructured, ris, roff, rtf, texinfo, wrapper, xhtml, xml,
};
pub use dtd::dtd;
pub use members::members;
pub use mime::mime;
pub use pdf_objects::pdf_objects;
pub use readers::{arc, input_file, json_lines, separated, warc};
pub use records::{
    addresses, http_body, ids, job_parts, notation, path_list, print_file, print_lines,
};
pub use table::table;

/// A target: its name, as a folder of seeds has it, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 43] = [
    ("addresses", addresses),
    ("arc", arc),
    ("asciidoc", asciidoc),
    ("bibtex", bibtex),
    ("charset", charset),
    ("dtd", dtd),
    ("extract", extract),
    ("html", html),
    ("http_body", http_body),
    ("ids", ids),
    ("info", info),
    ("input_file", input_file),
    ("job_parts", job_parts),
    ("json_lines", json_lines),
    ("latex", latex),
    ("mail", mail),
    ("main_content", main_content),
    ("markdown", markdown),
    ("mediawiki", mediawiki),
    ("members", members),
    ("mime", mime),
    ("notation", notation),
    ("package", package),
    ("path_list", path_list),
    ("pdf", pdf),
    ("pdf_objects", pdf_objects),
    ("pdf_page", pdf_page),
    ("plain", plain),
    ("print_file", print_file),
    ("print_lines", print_lines),
    ("record_copy", record_copy),
    ("restructured", restructured),
    ("ris", ris),
    ("roff", roff),
    ("row_copy", row_copy),
    ("rtf", rtf),
    ("separated", separated),
    ("table", table),
    ("texinfo", texinfo),
    ("warc", warc),
    ("wrapper", wrapper),
    ("xhtml", xhtml),
    ("xml", xml),
];
