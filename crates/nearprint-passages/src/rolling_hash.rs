//! Hashes of all runs of some number of tokens of a text, each from the one before.

/// An odd number with bits all over.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Fills `hashes` with the hash of each run of `length` tokens, by the hashes of the tokens: as many as there are
/// tokens, less `length` - 1, or none. O(n) time.
pub(crate) fn run_hashes(tokens: &[u64], length: usize, hashes: &mut Vec<u64>) {
    hashes.clear();
    if length == 0 || tokens.len() < length {
        return;
    }
    let mut leaving_factor = 1u64;
    for _ in 0..length {
        leaving_factor = leaving_factor.wrapping_mul(BASE);
    }
    let next = |state: u64, token: u64| state.wrapping_mul(BASE).wrapping_add(token);
    let mut state = tokens[..length].iter().fold(0, |state, &token| next(state, token));
    hashes.reserve(tokens.len() - length + 1);
    hashes.push(mixed(state));
    for (&leaving, &token) in tokens.iter().zip(&tokens[length..]) {
        state = next(state, token).wrapping_sub(leaving.wrapping_mul(leaving_factor));
        hashes.push(mixed(state));
    }
}

/// A bijection of 64 bits in which each bit depends on all (the finaliser of SplitMix64, by S. Vigna).
fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_same_hash_wherever_it_is() {
        let tokens: Vec<u64> = (0..100u64).map(|n| n * n * 77 % 13).collect();
        let (mut all, mut alone) = (Vec::new(), Vec::new());
        for length in [1, 2, 7, 50, 100] {
            run_hashes(&tokens, length, &mut all);
            assert_eq!(all.len(), 101 - length);
            for (run, &hash) in tokens.windows(length).zip(&all) {
                run_hashes(run, length, &mut alone);
                assert_eq!(alone, [hash]);
            }
        }
        run_hashes(&tokens, 101, &mut all);
        assert!(all.is_empty());
    }
}
