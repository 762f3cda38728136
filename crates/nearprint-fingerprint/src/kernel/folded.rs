//! ASCII by tables, for machines that look up many octets in registers.

use super::BLOCK;
use crate::classed_text::ascii_class;

/// What each ASCII octet becomes, and the class of that: two tables of two blocks.
pub(super) static FOLDED: [[[u8; BLOCK]; 2]; 2] = {
    let mut folded = [[[0; BLOCK]; 2]; 2];
    let mut octet = 0;
    while octet < 128 {
        let lower = (octet as u8).to_ascii_lowercase();
        folded[0][octet / BLOCK][octet % BLOCK] = lower;
        folded[1][octet / BLOCK][octet % BLOCK] = ascii_class(lower);
        octet += 1;
    }
    folded
};
