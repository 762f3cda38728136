//! The kind of a document, detected from its content. Where the content of a text is silent, the name of its file
//! decides.

pub(crate) mod latex;
mod noise;
pub(crate) mod roff;
mod signature;
pub(crate) mod texinfo;
mod text_kind;

pub(crate) use noise::{has_controls, is_noise, is_replaced};
pub(crate) use signature::{PDF_HEADER, PDF_WINDOW, Signature, signature};
pub(crate) use text_kind::text_kind;

/// Characters of a text that are examined.
const MARKUP_WINDOW: usize = 64 << 10;

/// The part of a text that is examined.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(MARKUP_WINDOW)]
}
