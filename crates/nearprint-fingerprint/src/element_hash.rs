//! Hash tables of features: keys that are hashes already need no second one.
//!
//! Results never depend on the order of such a table. An attacker who makes tokens collide in lookup3 can slow a table
//! down; extraction's limits on a document's size bound by how much.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How often each feature occurs.
pub(crate) type Frequencies = HashMap<u64, u64, BuildHasherDefault<FeatureHasher>>;

/// Hasher of features by one multiplication: they are uniform in all bits.
#[derive(Default)]
pub(crate) struct FeatureHasher(u64);

impl Hasher for FeatureHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29);
    }
}
