//! The loops of [`lanes`](super::lanes) compiled for an instruction set, after plain function pointers.

/// `loops!(NAME, WORD, LANES, FEATURES)`: a function that gives out the loops over these lanes.
///
/// FEATURES is what the caller's `is_available` asks for: the dispatch gives the table out only where that says yes.
macro_rules! loops {
    ($name:ident, $word:ty, $lanes:ty, $features:literal) => {
        pub(super) const fn $name() -> Kernels<$word> {
            #[target_feature(enable = $features)]
            unsafe fn within_cells(
                items: &[$word],
                ends: &[u32],
                k: u32,
                limit: usize,
                found: &mut HitBuffer<'_, $word>,
            ) {
                // SAFETY: this function has the instruction set.
                unsafe { lanes::within_cells::<_, $lanes>(items, ends, k, limit, found) }
            }
            #[target_feature(enable = $features)]
            unsafe fn across(
                left: &[$word],
                right: &[$word],
                k: u32,
                found: &mut HitBuffer<'_, $word>,
            ) {
                // SAFETY: this function has the instruction set.
                unsafe { lanes::across::<_, $lanes>(left, right, k, found) }
            }
            #[target_feature(enable = $features)]
            unsafe fn one_to_many(print: $word, items: &[$word], k: u32, near: &mut Vec<u32>) {
                // SAFETY: this function has the instruction set.
                unsafe { lanes::one_to_many::<_, $lanes>(print, items, k, near) }
            }
            #[target_feature(enable = $features)]
            unsafe fn probes(
                items: &[$word],
                probes: &[Probe<$word>],
                k: u32,
                near: &mut Vec<(u32, u32)>,
            ) {
                // SAFETY: this function has the instruction set.
                unsafe { lanes::probes::<_, $lanes>(items, probes, k, near) }
            }
            Kernels {
                within_cells: |items, ends, k, limit, found| {
                    // SAFETY: the dispatch gives this table out only where `is_available` says yes.
                    unsafe { within_cells(items, ends, k, limit, found) }
                },
                across: |left, right, k, found| {
                    // SAFETY: as above.
                    unsafe { across(left, right, k, found) }
                },
                one_to_many: |print, items, k, near| {
                    // SAFETY: as above.
                    unsafe { one_to_many(print, items, k, near) }
                },
                probes: |items, buckets, k, near| {
                    // SAFETY: as above.
                    unsafe { probes(items, buckets, k, near) }
                },
            }
        }
    };
}
pub(super) use loops;
