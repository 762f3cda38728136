//! The passages that a page shows, chosen as they come.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use nearprint_records::SharedPassageRow;

use super::places::{PassageEnds, PassageSide, read};
use crate::{FoundPassage, Inputs, InputsError, Passages, Pipeline};

/// Pairs of documents, and frequent passages, that are shown.
const GROUPS: usize = 12;

/// Passages of a pair that are shown, and places of a frequent passage.
const PASSAGES: usize = 12;
const PLACES: usize = 4;

/// Documents with a frequent passage that are listed.
const LISTED: usize = 200;

/// The passages of a page, chosen as they come.
#[derive(Debug, Clone, Default)]
pub struct PassageExamples {
    /// Tokens of a run of passages that are joined, at least, and whether numbers are tokens.
    min_tokens: u64,
    numbers: bool,
    /// Whether the second document of two is a reference.
    has_references: bool,
    /// Passages of two documents by their tokens: the most tokens of a class (64, 128, …), and how many there are.
    pub(super) lengths: BTreeMap<u64, u64>,
    /// Frequent passages by their documents.
    pub(super) documents: BTreeMap<u64, u64>,
    /// The two documents whose passages come now.
    current: Option<PassageGroup>,
    pub(super) pairs: Vec<PassageGroup>,
    pub(super) frequent: Vec<PassageGroup>,
    /// Places of the frequent passage that comes next, as far as they are shown or listed.
    places: Vec<PassageSide>,
}

/// Passages under a heading: of two documents, or one that many have.
#[derive(Debug, Clone, Default)]
pub(super) struct PassageGroup {
    /// By which groups are chosen: the tokens that two documents share, or the number of documents.
    pub(super) weight: u64,
    /// How many passages two documents share, of which not all may be shown.
    pub(super) count: u64,
    pub(super) passages: Vec<ShownPassage>,
    /// The documents that have it.
    pub(super) documents: Vec<String>,
}

/// A passage in its places.
#[derive(Debug, Clone, Default)]
pub(super) struct ShownPassage {
    pub(super) tokens: u64,
    pub(super) sides: Vec<PassageSide>,
}

impl PassageExamples {
    /// No passages yet. With `has_references` the second document of two is one of them.
    #[must_use]
    pub fn new(question: &Passages, has_references: bool) -> Self {
        let Passages { min_tokens, numbers, .. } = *question;
        Self { min_tokens, numbers, has_references, ..Self::default() }
    }

    /// What is known of a passage that is shown: all of its tokens, or where runs are joined those of a run.
    fn ends(&self, row: &SharedPassageRow) -> Option<PassageEnds> {
        let tokens = if row.changed == 0 { row.tokens } else { self.min_tokens };
        PassageEnds::of(&row.text, usize::try_from(tokens).ok()?, self.numbers)
    }

    /// Takes what was found into account.
    pub fn push(&mut self, found: &FoundPassage) {
        let side = |id: &str, input, range, ends| PassageSide {
            id: id.to_owned(),
            input,
            range,
            ends,
            ..PassageSide::default()
        };
        match found {
            FoundPassage::Place(place) => {
                if self.places.len() < LISTED {
                    self.places.push(side(place.id.as_str(), 0, place.range(), None));
                }
            }
            FoundPassage::Passage(row) => match (&row.b, row.b_range()) {
                (Some(b), Some(b_range)) => {
                    *self.lengths.entry(row.tokens.next_power_of_two()).or_default() += 1;
                    let (a, b) = (row.a.as_str(), b.as_str());
                    let is_same = |group: &PassageGroup| group.documents == [a, b];
                    if !self.current.as_ref().is_some_and(is_same) {
                        self.finish_pair();
                        let documents = vec![a.to_owned(), b.to_owned()];
                        self.current = Some(PassageGroup { documents, ..PassageGroup::default() });
                    }
                    let is_shown =
                        self.current.as_ref().is_some_and(|group| group.passages.len() < PASSAGES);
                    let ends = if is_shown { self.ends(row) } else { None };
                    let Some(group) = &mut self.current else { return };
                    group.weight += row.tokens;
                    group.count += 1;
                    if is_shown {
                        let second = usize::from(self.has_references);
                        let sides =
                            vec![side(a, 0, row.a_range(), ends), side(b, second, b_range, ends)];
                        group.passages.push(ShownPassage { tokens: row.tokens, sides });
                    }
                }
                _ => {
                    *self.documents.entry(row.documents.next_power_of_two()).or_default() += 1;
                    let mut sides = std::mem::take(&mut self.places);
                    let mut documents: Vec<String> =
                        sides.iter().map(|side| side.id.clone()).collect();
                    documents.dedup();
                    sides.dedup_by(|one, other| one.id == other.id);
                    sides.truncate(PLACES);
                    let ends = self.ends(row);
                    sides.iter_mut().for_each(|side| side.ends = ends);
                    let passages = vec![ShownPassage { tokens: row.tokens, sides }];
                    let group =
                        PassageGroup { weight: row.documents, count: 1, passages, documents };
                    insert(&mut self.frequent, group);
                }
            },
        }
    }

    pub(super) fn finish_pair(&mut self) {
        if let Some(group) = self.current.take() {
            insert(&mut self.pairs, group);
        }
    }

    /// Reads the documents that are shown again, for a page that is written to `file`, unless an input is standard
    /// input: the page says so then.
    ///
    /// # Errors
    /// Where an input cannot be read again.
    pub fn read_again(
        &mut self,
        file: &Path,
        pipeline: &Pipeline<'_>,
        all: [&Inputs; 2],
    ) -> Result<(), InputsError> {
        self.finish_pair();
        if all.into_iter().any(Inputs::read_standard_input) {
            return Ok(());
        }
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).to_owned();
        for (input, inputs) in all.into_iter().enumerate() {
            let mut wanted: HashMap<String, Vec<&mut PassageSide>> = HashMap::new();
            let groups = self.pairs.iter_mut().chain(&mut self.frequent);
            let sides = groups.flat_map(|group| &mut group.passages).flat_map(|one| &mut one.sides);
            // Places of frequent passages may be in either.
            for side in sides.filter(|side| side.excerpt.is_none()) {
                if side.input == input || self.has_references && side.input == 0 {
                    wanted.entry(side.id.clone()).or_default().push(side);
                }
            }
            if !wanted.is_empty() {
                read(wanted, pipeline, &mut inputs.source()?, &folder);
            }
        }
        Ok(())
    }
}

/// Adds a group to those of the greatest weight.
fn insert(groups: &mut Vec<PassageGroup>, group: PassageGroup) {
    let at = groups.partition_point(|other| other.weight >= group.weight);
    if at < GROUPS {
        groups.insert(at, group);
        groups.truncate(GROUPS);
    }
}
