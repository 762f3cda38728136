//! ASCII by tables, for machines that look up many bytes in registers.

use super::BLOCK;
use crate::unicode::ascii_class;

/// What each ASCII byte becomes, and the class of that: two tables of two blocks.
pub(super) static FOLDED: [[[u8; BLOCK]; 2]; 2] = {
    let mut folded = [[[0; BLOCK]; 2]; 2];
    let mut byte = 0;
    while byte < 128 {
        let lower = (byte as u8).to_ascii_lowercase();
        folded[0][byte / BLOCK][byte % BLOCK] = lower;
        folded[1][byte / BLOCK][byte % BLOCK] = ascii_class(lower);
        byte += 1;
    }
    folded
};
