//! Which prints are short, as far as it is known: two bits for each print up to the last of which it is.

/// Bits of a block.
const BLOCK: usize = u64::BITS as usize;

/// Marks of short prints by position.
#[derive(Debug, Default)]
pub(crate) struct ShortList {
    /// Of each 64 prints, of which it is known, and which are short.
    blocks: Vec<(u64, u64)>,
}

impl ShortList {
    /// Notes whether the print at a position is short.
    pub(crate) fn note(&mut self, position: usize, short: bool) {
        let (block, bit) = (position / BLOCK, position % BLOCK);
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, (0, 0));
        }
        let (known, marks) = &mut self.blocks[block];
        *known |= 1 << bit;
        *marks |= u64::from(short) << bit;
    }

    /// Whether the print at a position is short, where it is known.
    pub(crate) fn of(&self, position: usize) -> Option<bool> {
        let &(known, marks) = self.blocks.get(position / BLOCK)?;
        let bit = position % BLOCK;
        (known >> bit & 1 == 1).then_some(marks >> bit & 1 == 1)
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> u64 {
        (self.blocks.capacity() * size_of::<(u64, u64)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_known_and_nothing_else() {
        let mut list = ShortList::default();
        for (position, short) in [(0, true), (63, false), (64, true), (200, false)] {
            list.note(position, short);
        }
        let known: Vec<_> = (0..300).filter_map(|at| Some((at, list.of(at)?))).collect();
        assert_eq!(known, [(0, true), (63, false), (64, true), (200, false)]);
    }
}
