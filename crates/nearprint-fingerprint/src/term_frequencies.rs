//! How often each token has occurred, counted as they come.

/// Slots to begin with: what a document of some hundred words needs.
const FEWEST: usize = 1024;

/// A hash table of features: their hashes need no second one.
///
/// Results never depend on the order of such a table. An attacker who makes tokens collide in lookup3 can slow it down;
/// extraction's limits on a document's size bound by how much. Memory: up to 90 bytes for each distinct feature.
pub(crate) struct TermFrequencies {
    /// A power of two of them. A feature is in the first slot from that of its highest bits on that is free or its own.
    slots: Vec<Slot>,
    distinct: usize,
}

#[derive(Default, Clone, Copy)]
struct Slot {
    feature: u64,
    /// 0: the slot is free.
    frequency: u64,
}

impl Default for TermFrequencies {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); FEWEST], distinct: 0 }
    }
}

impl TermFrequencies {
    /// Counts an occurrence of a feature and returns how many there have been.
    #[inline(always)]
    pub(crate) fn count(&mut self, feature: u64) -> u64 {
        // So few are taken that the first slot examined is nearly always the right one.
        if 8 * self.distinct >= 3 * self.slots.len() {
            self.grow();
        }
        let slot = slot_of(&mut self.slots, feature);
        self.distinct += usize::from(slot.frequency == 0);
        slot.feature = feature;
        slot.frequency += 1;
        slot.frequency
    }

    #[cold]
    fn grow(&mut self) {
        let twice = vec![Slot::default(); 2 * self.slots.len()];
        let before = std::mem::replace(&mut self.slots, twice);
        for slot in before.into_iter().filter(|slot| slot.frequency > 0) {
            *slot_of(&mut self.slots, slot.feature) = slot;
        }
    }
}

#[inline(always)]
fn slot_of(slots: &mut [Slot], feature: u64) -> &mut Slot {
    let last = slots.len() - 1;
    let mut at = (feature >> last.leading_zeros()) as usize;
    loop {
        let slot = &slots[at & last];
        // One branch for both: whether a token is new cannot be foreseen.
        if (slot.frequency == 0) | (slot.feature == feature) {
            return &mut slots[at & last];
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn frequencies_are_those_of_a_map() {
        let mut frequencies = TermFrequencies::default();
        let mut wanted: HashMap<u64, u64> = HashMap::new();
        let mut state = 5u64;
        for round in 0..60_000u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let feature = match state >> 62 {
                // Of all bits, of one slot, of the last slot, and 0.
                0 => state >> (state >> 58 & 31),
                1 => round % 300,
                2 => u64::MAX - round % 50,
                _ => (state >> 40 & 0xFFF) << 52,
            };
            let occurrences = wanted.entry(feature).or_default();
            *occurrences += 1;
            assert_eq!(frequencies.count(feature), *occurrences, "{feature:x}");
        }
    }
}
