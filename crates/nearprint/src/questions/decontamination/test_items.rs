//! Items of a test, in memory, and the search for them in documents that are only read.

use std::collections::{BTreeMap, HashMap};

use nearprint_passages::{ItemCluster, ItemClusters, ItemIndex, ItemMatch};
use nearprint_records::{ContaminationRow, DocumentId, ErrorRecord, ItemPart, Source, Verdict};

use super::ContaminationPolicy;
use super::contamination::{Contamination, ItemCounts};
use super::run_places::{RunPlaces, TextRuns};
use crate::questions::shared_passages::range;
use crate::{Pipeline, Tally};

/// Items of a test, in memory.
#[derive(Debug)]
pub struct TestItems {
    policy: ContaminationPolicy,
    index: ItemIndex,
    ids: Vec<DocumentId>,
    /// Of each text of the index: the number of its item, and which part of it the text is.
    parts: Vec<(u32, ItemPart)>,
    /// Answers and passages by the ids of items that are not read yet.
    answers: HashMap<DocumentId, String>,
    passages: HashMap<DocumentId, String>,
}

/// What is looked for in documents.
enum ItemSearch {
    Runs(ItemIndex),
    /// Runs that show something only where they are few in all documents.
    CountedRuns(ItemIndex),
    Clusters(ItemClusters),
}

/// What a document has.
enum DocumentMatches {
    Runs(Vec<ItemMatch>),
    CountedRuns(TextRuns),
    Clusters(Vec<ItemCluster>),
}

impl ItemSearch {
    fn new(policy: ContaminationPolicy, mut index: ItemIndex) -> Self {
        if policy == ContaminationPolicy::DeconLike {
            return Self::Clusters(ItemClusters::new(index));
        }
        index.finish();
        match policy {
            ContaminationPolicy::Gpt3 => Self::CountedRuns(index),
            _ => Self::Runs(index),
        }
    }

    fn index(&self) -> &ItemIndex {
        match self {
            Self::Runs(index) | Self::CountedRuns(index) => index,
            Self::Clusters(clusters) => clusters.index(),
        }
    }

    fn find(&self, text: &str) -> DocumentMatches {
        match self {
            Self::Runs(index) => DocumentMatches::Runs(index.matches(text)),
            Self::CountedRuns(index) => DocumentMatches::CountedRuns(TextRuns::of(text, index)),
            Self::Clusters(clusters) => DocumentMatches::Clusters(clusters.find(text)),
        }
    }
}

impl TestItems {
    pub(super) fn new(policy: ContaminationPolicy, index: ItemIndex) -> Self {
        let (ids, parts, answers, passages) = Default::default();
        Self { policy, index, ids, parts, answers, passages }
    }

    /// Reads the answers of items, which are read after that, by their ids.
    pub fn read_answers(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        left_out: impl FnMut(ErrorRecord),
    ) {
        read_texts(pipeline, source, left_out, &mut self.answers);
    }

    /// Reads the passages that items are about, which are read after that, by their ids. They are looked for as
    /// questions are, and reported apart; [`ContaminationPolicy::DeconLike`] does not look for them.
    pub fn read_passages(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        left_out: impl FnMut(ErrorRecord),
    ) {
        read_texts(pipeline, source, left_out, &mut self.passages);
    }

    /// Reads items: of each its question. One without a text is an item that cannot be decided about.
    pub fn read(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord),
    ) -> Tally {
        let Ok(tally) = pipeline.derive_all(source, owned, |found| {
            let found = match found {
                Err(ErrorRecord { id: Some(id), reason, .. }) if !reason.is_failure() => {
                    Ok((id, String::new()))
                }
                found => found,
            };
            match found {
                Ok((id, question)) => {
                    let answer = self.answers.remove(&id);
                    let number = self.ids.len() as u32;
                    self.index.push(&question, answer.as_deref());
                    self.parts.push((number, ItemPart::Question));
                    let passage = self.passages.remove(&id);
                    if let Some(passage) = passage.filter(|_| self.policy.finds_passages()) {
                        self.index.push(&passage, None);
                        self.parts.push((number, ItemPart::Passage));
                    }
                    self.ids.push(id);
                }
                Err(error) => left_out(error),
            }
            Ok::<_, std::convert::Infallible>(())
        });
        tally
    }

    /// Looks for the items in all documents of a source. Gives a row for each document and each item that it has, in
    /// the order of the documents and their places, and at the end one for each item that cannot be decided about.
    /// By `Gpt3` rows come when all documents are read, as what is at many places shows nothing, and say what is cut
    /// out of the document.
    ///
    /// # Errors
    /// The first one of `take`, which ends the work.
    pub fn find<E>(
        self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        mut left_out: impl FnMut(ErrorRecord),
        mut take: impl FnMut(ContaminationRow) -> Result<(), E>,
    ) -> Result<Contamination, E> {
        let Self { policy, index, ids, parts, .. } = self;
        let search = ItemSearch::new(policy, index);
        let items = FoundItems { policy, index: search.index(), ids: &ids, parts: &parts };
        let mut is_contaminated = vec![false; ids.len()];
        let mut give = |rows: Vec<(u32, ContaminationRow)>| {
            for (number, row) in rows {
                is_contaminated[number as usize] = true;
                take(row)?;
            }
            Ok(())
        };
        let mut places = RunPlaces::default();
        let derive = |text: &str| Some(search.find(text));
        let tally = pipeline.derive_all(source, derive, |found| {
            let (document, found) = match found {
                Ok(found) => found,
                Err(error) => {
                    left_out(error);
                    return Ok(());
                }
            };
            match found {
                DocumentMatches::CountedRuns(runs) => {
                    places.hold(document, runs, items.index);
                    Ok(())
                }
                DocumentMatches::Runs(matches) => give(items.of_runs(&document, matches)),
                DocumentMatches::Clusters(clusters) => give(items.of_clusters(&document, clusters)),
            }
        })?;
        let (found, run_counts) = places.rare(items.index);
        let mut words = Vec::new();
        for (document, mut runs) in found {
            let cuts = runs.cuts();
            let mut rows = items.of_runs(&document, std::mem::take(&mut runs.matches));
            for (_, row) in &mut rows {
                (row.cuts, row.pieces) = (Some(cuts.count), cuts.pieces.clone());
            }
            give(rows)?;
            words.push((document, runs.words));
        }
        let mut counts = ItemCounts { items: ids.len() as u64, ..ItemCounts::default() };
        counts.contaminated = is_contaminated.iter().filter(|&&is| is).count() as u64;
        for text in (0..items.index.len()).filter(|&text| !items.index.is_decidable(text)) {
            counts.undecidable += 1;
            counts.forms += u64::from(items.index.is_form(text));
            take(items.row(Verdict::Undecidable, text).1)?;
        }
        let mut contamination = Contamination::new(tally, counts);
        if let ItemSearch::CountedRuns(index) = search {
            contamination.cut_texts(index, run_counts, words);
        }
        Ok(contamination)
    }
}

/// Items and what documents have of them, as rows.
struct FoundItems<'i> {
    policy: ContaminationPolicy,
    index: &'i ItemIndex,
    ids: &'i [DocumentId],
    parts: &'i [(u32, ItemPart)],
}

impl FoundItems<'_> {
    /// The rows of a document: of each item its longest run, the first of equally long ones.
    fn of_runs(
        &self,
        document: &DocumentId,
        matches: Vec<ItemMatch>,
    ) -> Vec<(u32, ContaminationRow)> {
        let mut by_item: BTreeMap<u32, Vec<ItemMatch>> = BTreeMap::new();
        matches.into_iter().for_each(|found| by_item.entry(found.item).or_default().push(found));
        let mut rows: Vec<(u32, ContaminationRow)> = Vec::new();
        for (number, runs) in by_item {
            let all = self.index.item_tokens(number);
            let longest = runs.iter().map(|run| run.tokens).max().unwrap_or(0);
            let share = match self.policy {
                ContaminationPolicy::Share8 => share_of_runs(&runs, all),
                _ => f64::from(longest) / f64::from(all.max(1)),
            };
            let shows =
                self.policy != ContaminationPolicy::Share8 || share >= ContaminationPolicy::SHARE;
            let longest = runs.iter().rev().max_by_key(|run| run.tokens);
            let Some(longest) = longest.filter(|_| shows) else { continue };
            let (number, mut row) = self.row(Verdict::Contaminated, number);
            row.found_in(document.clone(), range(longest.place), longest.tokens.into(), share);
            row.answer = longest.answer.map(|_| runs.iter().any(|run| run.answer == Some(true)));
            rows.push((number, row));
        }
        rows.sort_by_key(|(number, row)| (row.start, *number));
        rows
    }

    /// The rows of a document: of each item the cluster of the highest score, the first of equal ones.
    fn of_clusters(
        &self,
        document: &DocumentId,
        clusters: Vec<ItemCluster>,
    ) -> Vec<(u32, ContaminationRow)> {
        let best = |of_item: &[ItemCluster]| {
            let best = of_item.iter().rev().max_by(|one, other| one.score.total_cmp(&other.score));
            best.map(|best| {
                let (number, mut row) = self.row(Verdict::Contaminated, best.item);
                let place = range(best.place);
                row.found_in(document.clone(), place, best.tokens.into(), best.score);
                row.answer = best.answer.map(|share| share >= ItemClusters::ANSWERED);
                (number, row)
            })
        };
        let by_item = clusters.chunk_by(|one, next| one.item == next.item);
        let mut rows: Vec<(u32, ContaminationRow)> = by_item.filter_map(best).collect();
        rows.sort_by_key(|(number, row)| (row.start, *number));
        rows
    }

    /// The row of a text of the index, and the number of its item.
    fn row(&self, verdict: Verdict, text: u32) -> (u32, ContaminationRow) {
        let (number, part) = self.parts[text as usize];
        let (id, all) = (self.ids[number as usize].clone(), self.index.item_tokens(text));
        let mut row = ContaminationRow::new(verdict, id, all.into());
        row.part = part;
        (number, row)
    }
}

/// Reads texts by the ids of their items.
fn read_texts(
    pipeline: &Pipeline<'_>,
    source: &mut dyn Source,
    mut left_out: impl FnMut(ErrorRecord),
    texts: &mut HashMap<DocumentId, String>,
) {
    let Ok(_) = pipeline.derive_all(source, owned, |found| {
        match found {
            Ok((id, text)) => drop(texts.insert(id, text)),
            // An item may have none. Rows that cannot be read at all are reported with the questions.
            Err(error) if error.lacks_text() || error.id.is_none() => {}
            Err(error) if error.reason.is_failure() => left_out(error),
            Err(_) => {}
        }
        Ok::<_, std::convert::Infallible>(())
    });
}

fn owned(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The share of an item's runs of 8 tokens that are in some of these.
fn share_of_runs(runs: &[ItemMatch], all: u32) -> f64 {
    let mut starts: Vec<(u32, u32)> = runs
        .iter()
        .map(|run| {
            (
                run.item_start,
                (run.item_start + run.tokens + 1).saturating_sub(ContaminationPolicy::RUN),
            )
        })
        .collect();
    starts.sort_unstable();
    let (mut covered, mut count) = (0, 0);
    for (start, end) in starts {
        count += end.saturating_sub(start.max(covered));
        covered = covered.max(end);
    }
    f64::from(count) / f64::from((all + 1).saturating_sub(ContaminationPolicy::RUN).max(1))
}
