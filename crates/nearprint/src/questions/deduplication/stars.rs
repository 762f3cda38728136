//! From candidates to what repeats what: verified pairs, taken in the order in which texts are wanted.

use std::collections::HashMap;

use nearprint_search::{Components, Pair, tasks};

use super::Dedup;
use super::dedup_documents::DedupDocuments;
use super::partners::Partners;
use crate::store::feature_store::LastFeatures;
use crate::{Differences, DuplicateRule, Error, RelatedTexts, Relation, Search};

/// Candidates that are verified at once: what the first of them take need not be compared again.
const AT_ONCE: usize = 1 << 14;

/// Candidates that a thread verifies one after the other, so that it reads the first text of several only once.
const TOGETHER: usize = 32;

/// A text that repeats another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Repeats {
    pub(super) text: u32,
    /// The text it repeats, which repeats none.
    pub(super) of: u32,
    pub(super) similarity: f64,
    pub(super) differences: Differences,
}

/// What repeats what.
#[derive(Debug, Default)]
pub(super) struct RepeatedTexts {
    /// All texts that repeat another, ascending.
    pub(super) texts: Vec<Repeats>,
    /// All texts that stand for themselves and contradict one that does, which would else be dropped; ascending, each
    /// with the most similar of these.
    pub(super) contradicting: Vec<Repeats>,
    /// Pairs of texts that were not compared because very many have the same words; see [`Partners`].
    pub(super) left_out: u64,
}

fn sort_by_text(found: &mut [Repeats]) {
    found.sort_unstable_by_key(|repeats| repeats.text);
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
    let verifying = RepeatVerifier { gathered, search, order: &order, rule: settings.rule() };
    let mut contradicting = ContradictionList::default();
    let mut texts = if settings.chains {
        verifying.chains(&mut partners, &mut contradicting, is_reference)?
    } else {
        verifying.stars(&mut partners, &mut contradicting, is_reference)?
    };
    sort_by_text(&mut texts);
    let contradicting = contradicting.finish(&texts);
    Ok(RepeatedTexts { texts, contradicting, left_out: partners.left_out() })
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

/// Texts that contradict an earlier one, each with the most similar of these.
#[derive(Default)]
struct ContradictionList(HashMap<u32, Repeats>);

impl ContradictionList {
    fn push(&mut self, found: Repeats) {
        let nearest = self.0.entry(found.text).or_insert(found);
        if found.similarity > nearest.similarity {
            *nearest = found;
        }
    }

    /// Those that repeat no text, ascending.
    fn finish(self, repeated: &[Repeats]) -> Vec<Repeats> {
        let is_kept = |text: u32| repeated.binary_search_by_key(&text, |found| found.text).is_err();
        let mut kept: Vec<Repeats> =
            self.0.into_values().filter(|found| is_kept(found.text)).collect();
        sort_by_text(&mut kept);
        kept
    }
}

struct RepeatVerifier<'v> {
    gathered: &'v DedupDocuments,
    search: &'v Search<'v>,
    order: &'v Order,
    rule: DuplicateRule,
}

impl RepeatVerifier<'_> {
    /// What the texts of pairs of ranks are to one another.
    fn related(&self, pairs: &[Pair]) -> Result<Vec<RelatedTexts>, Error> {
        let (store, order) = (&self.gathered.store, self.order);
        let related_among = |pairs: &[Pair]| {
            let mut read = LastFeatures::default();
            let related = |pair: &Pair| {
                store.related(&self.rule, order.text(pair.a), order.text(pair.b), &mut read)
            };
            pairs.iter().map(related).collect::<std::io::Result<Vec<RelatedTexts>>>()
        };
        let related =
            self.search.in_pool(|| tasks::map(pairs.chunks(TOGETHER).collect(), related_among))?;
        let mut all = Vec::with_capacity(pairs.len());
        for some in related {
            all.extend(some.map_err(Error::TemporaryFile)?);
        }
        Ok(all)
    }

    /// Stars: pairs come in ascending order, so a text is known as kept or as taken before its own pairs come.
    fn stars(
        &self,
        partners: &mut Partners,
        contradicting: &mut ContradictionList,
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
            for (pair, related) in open.iter().zip(self.related(&open)?) {
                if taken[pair.a as usize] || taken[pair.b as usize] {
                    continue;
                }
                match related.relation {
                    Relation::Duplicate => {
                        taken[pair.b as usize] = true;
                        found.push(self.repeats(pair, related));
                    }
                    Relation::Contradiction => contradicting.push(self.repeats(pair, related)),
                    Relation::TooShort | Relation::Different => {}
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
        contradicting: &mut ContradictionList,
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
            for (pair, related) in open.iter().zip(self.related(&open)?) {
                match related.relation {
                    Relation::Duplicate => components.link(pair.a, pair.b),
                    Relation::Contradiction => contradicting.push(self.repeats(pair, related)),
                    Relation::TooShort | Relation::Different => {}
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
        let related = self.related(&pairs)?;
        Ok(pairs.iter().zip(related).map(|(pair, related)| self.repeats(pair, related)).collect())
    }

    /// A pair of ranks as texts, of which the second repeats or contradicts the first.
    fn repeats(&self, pair: &Pair, related: RelatedTexts) -> Repeats {
        let RelatedTexts { similarity, differences, .. } = related;
        let (text, of) = (self.order.text(pair.b), self.order.text(pair.a));
        Repeats { text, of, similarity, differences }
    }
}
