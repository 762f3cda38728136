//! Constructions of 128 minima compared: bias and variance of the estimated Jaccard similarity, by size of the sets.
//!
//! `cargo run --release --bin sketches [REPETITIONS]` prints a Markdown table: for each construction the mean error and
//! the variance divided by that of 128 independent trials, s(1 - s)/128. It is why the standard's sketches are made as
//! SPEC section 11 says.

use std::collections::HashSet;

/// Numbers in a sketch.
const POSITIONS: usize = 128;

type Sketch = Vec<u64>;

/// A name and a way to make a sketch of a set.
type Construction = (&'static str, fn(&[u64]) -> Sketch);

/// SplitMix64: the source of elements, and the hash of those constructions that want an ideal one.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn hash(mut element: u64) -> u64 {
    next(&mut element)
}

/// k-permutation (Broder 1997) with an ideal hash for each position.
fn permutations(set: &[u64]) -> Sketch {
    (0..POSITIONS as u64)
        .map(|at| set.iter().map(|&x| hash(x ^ hash(at))).min().unwrap_or(0))
        .collect()
}

/// k-permutation with one multiplication of 32 bits for each position.
fn multiplications(set: &[u64]) -> Sketch {
    let one = |at: u64, x: u64| {
        let (factor, more) = (hash(at) as u32 | 1, hash(!at) as u32);
        u64::from((x as u32).wrapping_mul(factor).wrapping_add(more))
    };
    (0..POSITIONS as u64).map(|at| set.iter().map(|&x| one(at, x)).min().unwrap_or(0)).collect()
}

/// One permutation with optimal densification (Shrivastava 2017).
fn one_permutation(set: &[u64]) -> Sketch {
    let mut least = vec![u64::MAX; POSITIONS];
    for &x in set {
        let bin = (x >> 57) as usize;
        least[bin] = least[bin].min(x << 7);
    }
    let borrowed = |bin: usize| {
        let mut state = (bin as u64) << 32;
        loop {
            let from = (next(&mut state) >> 57) as usize;
            if least[from] != u64::MAX {
                return least[from];
            }
        }
    };
    (0..POSITIONS)
        .map(|bin| if least[bin] == u64::MAX { borrowed(bin) } else { least[bin] })
        .collect()
}

/// Fast similarity sketching (Dahlgaard, Knudsen, Thorup 2017), as in SPEC section 11.
fn fast_similarity(set: &[u64]) -> Sketch {
    let mut least = vec![u64::MAX; POSITIONS];
    for round in 0..2 * POSITIONS as u64 {
        let before = least.clone();
        for &x in set {
            let hashed = hash(x.wrapping_add(round.wrapping_mul(0xd6e8_feb8_6659_fd93)));
            let bin = if round < POSITIONS as u64 {
                (hashed >> 57) as usize
            } else {
                round as usize - POSITIONS
            };
            if before[bin] == u64::MAX {
                least[bin] = least[bin].min(hashed);
            }
        }
        if least.iter().all(|&word| word != u64::MAX) {
            break;
        }
    }
    least
}

/// SuperMinHash (Ertl 2017).
fn super_minhash(set: &[u64]) -> Sketch {
    let mut least = vec![f64::INFINITY; POSITIONS];
    for &x in set {
        let mut state = x;
        let mut order: Vec<usize> = (0..POSITIONS).collect();
        for at in 0..POSITIONS {
            let fraction = (next(&mut state) >> 11) as f64 / (1u64 << 53) as f64;
            let other = at + (next(&mut state) % (POSITIONS - at) as u64) as usize;
            order.swap(at, other);
            least[order[at]] = least[order[at]].min(fraction + at as f64);
        }
    }
    least.into_iter().map(f64::to_bits).collect()
}

fn main() {
    let repetitions: usize =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    let constructions: [Construction; 5] = [
        ("k permutations, ideal", permutations),
        ("k multiplications", multiplications),
        ("one permutation, densified", one_permutation),
        ("fast similarity", fast_similarity),
        ("SuperMinHash", super_minhash),
    ];
    println!("| elements | similarity | {} |", constructions.map(|(name, _)| name).join(" | "));
    println!("|---|---|{}", "---|".repeat(constructions.len()));
    let mut state = 1;
    for size in [10usize, 30, 100, 200, 1000] {
        for wanted in [0.2, 0.5, 0.8] {
            let common = (wanted * 2.0 * size as f64 / (1.0 + wanted)).round() as usize;
            let similarity = common as f64 / (2 * size - common) as f64;
            let mut errors = vec![(0.0, 0.0); constructions.len()];
            for _ in 0..repetitions {
                let all: HashSet<u64> = (0..2 * size - common).map(|_| next(&mut state)).collect();
                let all: Vec<u64> = all.into_iter().collect();
                let (a, b) = (&all[..size], &all[size - common..]);
                for ((_, sketch), error) in constructions.iter().zip(&mut errors) {
                    let (a, b) = (sketch(a), sketch(b));
                    let equal = a.iter().zip(&b).filter(|(a, b)| a == b).count();
                    let off = equal as f64 / POSITIONS as f64 - similarity;
                    *error = (error.0 + off, error.1 + off * off);
                }
            }
            let trials = similarity * (1.0 - similarity) / POSITIONS as f64;
            let cell = |(sum, squares): &(f64, f64)| {
                format!(
                    "{:+.4}, {:.2}",
                    sum / repetitions as f64,
                    squares / repetitions as f64 / trials
                )
            };
            let cells: Vec<String> = errors.iter().map(cell).collect();
            println!("| {size} | {similarity:.2} | {} |", cells.join(" | "));
        }
    }
}
