//! The next trigger of a text, a byte at which a match may be recognised, looked for a block at a time.

use crate::classed_text::ClassedText;
use crate::kernel::trigger::{BEFORE, PaddedBlock};
use crate::kernel::{BLOCK, Kernel, Work};

/// The first byte from `from` on at which a match may be recognised.
pub(super) struct NextTrigger<'a> {
    pub(super) text: &'a ClassedText,
    pub(super) from: usize,
}

impl Work for NextTrigger<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self, kernel: impl Kernel) -> Option<usize> {
        let text = self.text.text();
        let mut from = self.from;
        while from < text.len() {
            let (classes, length) = self.text.block(from, text.len());
            let inside = from.checked_sub(BEFORE).and_then(|before| text[before..].first_chunk());
            let triggers = match inside {
                Some(bytes) => kernel.triggers(&classes, bytes),
                None => kernel.triggers(&classes, &with_neighbours(text, from)),
            };
            if triggers != 0 {
                return Some(from + triggers.trailing_zeros() as usize);
            }
            from += length;
        }
        None
    }
}

/// The bytes from `from` on, at most a block of them, with those around them. What is not there yet may become
/// anything; the solidus makes most of it.
#[cold]
fn with_neighbours(text: &[u8], from: usize) -> PaddedBlock {
    let mut bytes = [0; BEFORE + BLOCK + 1];
    let before = from.min(BEFORE);
    let rest = &text[from - before..];
    let rest = &rest[..rest.len().min(before + BLOCK + 1)];
    let to = &mut bytes[BEFORE - before..];
    to[..rest.len()].copy_from_slice(rest);
    if let Some(behind) = to.get_mut(rest.len()) {
        *behind = b'/';
    }
    bytes
}
