//! From candidates to what repeats what: verified pairs, taken in the order in which texts are wanted.

use nearprint_search::{Components, Pair};
use rayon::prelude::*;

use super::Dedup;
use super::dedup_documents::DedupDocuments;
use super::partners::Partners;
use crate::store::feature_store::LastFeatures;
use crate::{Error, Search, Verification};

/// Candidates that are verified at once: what the first of them take need not be compared again.
const AT_ONCE: usize = 1 << 14;

/// A text that repeats another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Repeats {
    pub(super) text: u32,
    /// The text it repeats, which repeats none.
    pub(super) of: u32,
    pub(super) similarity: f64,
}

/// What repeats what.
#[derive(Debug)]
pub(super) struct RepeatedTexts {
    /// All texts that repeat another, ascending.
    pub(super) texts: Vec<Repeats>,
    /// Pairs of texts that were not compared because very many have the same words; see [`Partners`].
    pub(super) left_out: u64,
}

/// All texts that repeat another. `candidates` are pairs of word sets in any order.
pub(super) fn repeated(
    settings: &Dedup,
    gathered: &DedupDocuments,
    search: &Search<'_>,
    candidates: Vec<Pair>,
) -> Result<RepeatedTexts, Error> {
    let order = Order::of(gathered);
    let mut partners = search.in_pool(|| {
        let ranked =
            (0..gathered.wanted.len() as u32).map(|rank| gathered.word_sets.of(order.text(rank)));
        Partners::of(ranked, gathered.word_sets.len(), candidates)
    })?;
    let is_reference =
        |rank: u32| gathered.representative(order.text(rank)) < gathered.references();
    let verifying =
        RepeatVerifier { gathered, search, order: &order, verification: settings.verification() };
    let mut texts = if settings.chains {
        verifying.chains(&mut partners, is_reference)?
    } else {
        verifying.stars(&mut partners, is_reference)?
    };
    texts.sort_unstable_by_key(|repeats| repeats.text);
    Ok(RepeatedTexts { texts, left_out: partners.left_out() })
}

/// The order in which texts are wanted; nothing is held where it is that of their numbers.
enum Order {
    AsNumbered,
    Other(Vec<u32>),
}

impl Order {
    fn of(gathered: &DedupDocuments) -> Self {
        let wanted = &gathered.wanted;
        // There are no more documents than that.
        let references = gathered.references() as u32;
        let count = wanted.len() as u32;
        let compare = |a: &u32, b: &u32| wanted.compare(*a, *b, references);
        if (1..count).all(|text| compare(&(text - 1), &text).is_le()) {
            return Self::AsNumbered;
        }
        let mut texts: Vec<u32> = (0..count).collect();
        texts.sort_unstable_by(compare);
        Self::Other(texts)
    }

    fn text(&self, rank: u32) -> u32 {
        match self {
            Self::AsNumbered => rank,
            Self::Other(texts) => texts[rank as usize],
        }
    }
}

struct RepeatVerifier<'v> {
    gathered: &'v DedupDocuments,
    search: &'v Search<'v>,
    order: &'v Order,
    verification: Verification,
}

impl RepeatVerifier<'_> {
    /// The similarities of pairs of ranks, where they are what is demanded.
    fn similar(&self, pairs: &[Pair]) -> Result<Vec<Option<f64>>, Error> {
        let (store, order) = (&self.gathered.store, self.order);
        let verified: Result<Vec<_>, _> = self.search.in_pool(|| {
            let each = |read: &mut LastFeatures, pair: &Pair| {
                store.verified(&self.verification, order.text(pair.a), order.text(pair.b), read)
            };
            pairs.par_iter().map_init(LastFeatures::default, each).collect()
        })?;
        verified.map_err(Error::TemporaryFile)
    }

    /// Stars: pairs come in ascending order, so a text is known as kept or as taken before its own pairs come.
    fn stars(
        &self,
        partners: &mut Partners,
        is_reference: impl Fn(u32) -> bool,
    ) -> Result<Vec<Repeats>, Error> {
        let mut taken = vec![false; self.gathered.wanted.len()];
        let mut found = Vec::new();
        let mut open = Vec::new();
        let count = taken.len() as u32;
        for first in 0..count {
            if !taken[first as usize] {
                let others = partners.of_text(first);
                let others = others.filter(|&other| !taken[other as usize] && !is_reference(other));
                open.extend(others.map(|other| Pair { a: first, b: other, distance: 0 }));
            }
            if open.len() < AT_ONCE && first + 1 < count {
                continue;
            }
            if self.search.is_cancelled() {
                break;
            }
            for (pair, similarity) in open.iter().zip(self.similar(&open)?) {
                let Some(similarity) = similarity else { continue };
                if !taken[pair.a as usize] && !taken[pair.b as usize] {
                    taken[pair.b as usize] = true;
                    let (text, of) = (self.order.text(pair.b), self.order.text(pair.a));
                    found.push(Repeats { text, of, similarity });
                }
            }
            open.clear();
        }
        Ok(found)
    }

    /// Chains: everything that verified pairs connect repeats the first of it. References need not be connected.
    fn chains(
        &self,
        partners: &mut Partners,
        is_reference: impl Fn(u32) -> bool,
    ) -> Result<Vec<Repeats>, Error> {
        let count = self.gathered.wanted.len() as u32;
        let mut components = Components::new(count);
        let mut open = Vec::new();
        for first in 0..count {
            for other in partners.of_text(first).filter(|&other| !is_reference(other)) {
                if components.first(first) != components.first(other) {
                    open.push(Pair { a: first, b: other, distance: 0 });
                }
            }
            if open.len() < AT_ONCE && first + 1 < count {
                continue;
            }
            if self.search.is_cancelled() {
                break;
            }
            for (pair, similarity) in open.iter().zip(self.similar(&open)?) {
                if similarity.is_some() {
                    components.link(pair.a, pair.b);
                }
            }
            open.clear();
        }
        let clusters = components.finish();
        let mut pairs = Vec::new();
        for cluster in clusters.iter() {
            let of = cluster.representative;
            let others = cluster.members.iter().filter(|&&member| member != of);
            let others = others.filter(|&&member| !is_reference(member));
            pairs.extend(others.map(|&member| Pair { a: of, b: member, distance: 0 }));
        }
        let all = Self { verification: self.verification.at(0.0), ..*self };
        let mut found = Vec::with_capacity(pairs.len());
        for (pair, similarity) in pairs.iter().zip(all.similar(&pairs)?) {
            let (text, of) = (self.order.text(pair.b), self.order.text(pair.a));
            found.push(Repeats { text, of, similarity: similarity.unwrap_or(0.0) });
        }
        Ok(found)
    }
}
