//! Which pages show the same slide: presentations show a slide once for each step in which it is built up.
//!
//! What stands on all pages of one slide is not repeated by the document, so that only slides are counted where
//! repetition tells something. In other documents every page is a slide.

use crate::lines::Line;
use std::collections::{HashMap, HashSet};

/// Lines that stand on more than this share of the pages say nothing of a slide: they may be heads and feet.
const COMMON: f64 = 1.0 / 3.0;
/// Share of a page's other lines that the page before it has on the same slide.
const SHARED: f64 = 0.5;

/// The number of the slide that each page shows.
pub(crate) fn number(pages: &[Vec<Line>]) -> Vec<usize> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        for text in texts(page) {
            *counts.entry(text).or_default() += 1;
        }
    }
    let common = COMMON * pages.len() as f64;
    let mut slide = 0;
    let mut before: HashSet<&str> = HashSet::new();
    let mut slides = Vec::with_capacity(pages.len());
    for (index, page) in pages.iter().enumerate() {
        let own: HashSet<&str> = texts(page)
            .into_iter()
            .filter(|text| counts.get(text).is_some_and(|n| (*n as f64) <= common.max(2.0)))
            .collect();
        let shared = own.intersection(&before).count();
        let fewest = own.len().min(before.len());
        if index > 0 && (shared == 0 || (shared as f64) < SHARED * fewest as f64) {
            slide += 1;
        }
        slides.push(slide);
        before = own;
    }
    slides
}

fn texts(page: &[Line]) -> HashSet<&str> {
    page.iter().map(|line| line.text.as_str()).collect()
}
