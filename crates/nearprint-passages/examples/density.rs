//! How many anchors a token several rules select, of random tokens and of texts: `density [FILE...]`.
//!
//! All rules are local: of each window of T = 50 tokens they select one run, by its tokens alone. The least that any
//! such rule can have is about 2 / (T + 1) where runs are shorter than half of a window (Kille and others, 2024).

use std::collections::BTreeSet;

const LEAST: usize = 50;

fn main() {
    let mut state = 1u64;
    let random: Vec<u64> = (0..1_000_000).map(|_| next(&mut state)).collect();
    let mut sources = vec![("random tokens".to_owned(), vec![random])];
    let mut texts = Vec::new();
    for file in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let mut tokens = Vec::new();
        let text = nearprint_fingerprint::stages::repair(&bytes);
        nearprint_fingerprint::placed_tokens(&text, false, |token| tokens.push(token.hash));
        texts.push(tokens);
    }
    if !texts.is_empty() {
        sources.push((format!("{} texts", texts.len()), texts));
    }
    println!("lower bound {:.4}", 2.0 / (LEAST as f64 + 1.0));
    for (name, texts) in &sources {
        println!("{name}");
        for gram in [4, 8, 12, 16, 25] {
            for (rule, order) in
                [("winnowing", Order::Random), ("open-closed syncmers first", Order::OpenClosed)]
            {
                report(texts, gram, rule, |hashes| minimizers(hashes, gram, order));
            }
            report(texts, gram, "mod-minimizer", |hashes| mod_minimizers(hashes, gram));
        }
    }
}

fn report(texts: &[Vec<u64>], gram: usize, rule: &str, select: impl Fn(&[u64]) -> BTreeSet<usize>) {
    let (mut selected, mut tokens) = (0, 0);
    // What repeats in a collection says nothing about a rule, so each text counts by itself.
    for text in texts.iter().filter(|text| text.len() >= LEAST) {
        selected += select(text).len();
        tokens += text.len();
    }
    println!("  {gram:2} tokens  {:.4}  {rule}", selected as f64 / tokens.max(1) as f64);
}

#[derive(Clone, Copy)]
enum Order {
    Random,
    /// First runs whose least part of two tokens is in the middle, then those in which it is at an end.
    OpenClosed,
}

/// The leftmost least run of each window.
fn minimizers(tokens: &[u64], gram: usize, order: Order) -> BTreeSet<usize> {
    let keys: Vec<(u8, u64)> = tokens
        .windows(gram)
        .map(|run| {
            let class = match order {
                Order::Random => 0,
                Order::OpenClosed => {
                    let parts = run.windows(2).map(hash).enumerate();
                    let least = parts.min_by_key(|part| part.1).map_or(0, |part| part.0);
                    if least == (gram - 2) / 2 {
                        0
                    } else {
                        1 + u8::from(least != 0 && least != gram - 2)
                    }
                }
            };
            (class, hash(run))
        })
        .collect();
    let window = LEAST - gram + 1;
    let least = |(start, keys): (usize, &[(u8, u64)])| {
        start + keys.iter().enumerate().min_by_key(|key| key.1).map_or(0, |key| key.0)
    };
    keys.windows(window).enumerate().map(least).collect()
}

/// The place of the least part of t tokens in the window, modulo the number of runs in it (Groot Koerkamp and Pibiri,
/// 2024).
fn mod_minimizers(tokens: &[u64], gram: usize) -> BTreeSet<usize> {
    let window = LEAST - gram + 1;
    let part = if gram > 3 { 3 + (gram - 3) % window } else { gram };
    let keys: Vec<u64> = tokens.windows(part).map(hash).collect();
    let parts = LEAST - part + 1;
    keys.windows(parts)
        .enumerate()
        .map(|(start, keys)| {
            let least = keys.iter().enumerate().min_by_key(|key| key.1).map_or(0, |key| key.0);
            start + least % window
        })
        .collect()
}

fn hash(run: &[u64]) -> u64 {
    run.iter().fold(7, |state: u64, token| {
        let state = (state ^ token).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^ state >> 29
    })
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 27
}
