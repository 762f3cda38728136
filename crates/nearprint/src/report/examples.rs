//! Examples of a report: groups of documents, some of which have their texts read again to be shown side by side.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use nearprint_records::{ClusterRow, DifferenceKind, DifferenceRow, PairRow, Source};

use super::Distributions;
use super::links::link;
use crate::questions::deduplication::{Contradiction, Decisions, DedupDocuments};
use crate::{Error, Pipeline};

/// Bytes kept of a text: more than is shown of it.
pub(super) const KEPT_TEXT: usize = 64 << 10;

/// Groups shown.
const GROUPS: usize = 12;

/// Members of a group that are shown with their texts.
const SHOWN: usize = 3;

/// A document of a report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExampleDocument {
    /// Its id.
    pub id: String,
    /// Its number in the order of reading, if that is known; else it is found again by its id.
    pub number: Option<u64>,
    /// The input that it is from: 0, or 1 for the second of two that were compared.
    pub input: usize,
    /// What is shown instead of the similarity.
    pub label: Option<String>,
    /// Its similarity to the document of its group, 0 to 1.
    pub similarity: Option<f64>,
    /// Whether its text is shown.
    pub is_shown: bool,
    /// Its text, once read.
    pub text: Option<String>,
    /// Where it leads, once read.
    pub link: Option<String>,
}

/// A document and those that are similar to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExampleGroup {
    /// Number of documents.
    pub size: u64,
    /// The document that the others are compared with.
    pub document: ExampleDocument,
    /// The others.
    pub members: Vec<ExampleDocument>,
}

impl ExampleDocument {
    /// The same with why it is kept beside the document of its group although it is similar to that one; a similarity
    /// that is too low stands there anyway.
    fn distinct(self, why: Option<&str>) -> Self {
        let (Some(similarity), Some(why)) = (self.similarity, why) else { return self };
        match why {
            "similarity" => self,
            why => Self { label: Some(format!("{similarity:.3}, {why}")), ..self },
        }
    }
}

impl ExampleGroup {
    fn pair(one: ExampleDocument, other: ExampleDocument) -> Self {
        let shown = |document| ExampleDocument { is_shown: true, ..document };
        Self { size: 2, document: shown(one), members: vec![shown(other)] }
    }

    /// Chooses the members that are shown: the first ones that differ, else the first.
    fn choose(&mut self) {
        self.document.is_shown = true;
        let differs = |member: &ExampleDocument| member.similarity.is_none_or(|value| value < 1.0);
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by_key(|&at| !differs(&self.members[at]));
        for at in order.into_iter().take(SHOWN) {
            self.members[at].is_shown = true;
        }
    }
}

impl Decisions {
    /// How large clusters are, and how similar the dropped documents are.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn distributions(&self, gathered: &DedupDocuments) -> Result<Distributions, Error> {
        let mut distributions = Distributions { sizes: Vec::new(), similarities: vec![0; 20] };
        self.cluster_sizes().for_each(|size| distributions.add_size(size));
        for similarity in self.similarities(gathered)? {
            distributions.add_similarity(similarity);
        }
        Ok(distributions)
    }

    /// The largest clusters with all their documents.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn examples(&self, gathered: &mut DedupDocuments) -> Result<Vec<ExampleGroup>, Error> {
        let mut largest: Vec<(u64, u32)> = self.clustered_texts().collect();
        largest.sort_unstable_by_key(|&(size, text)| (Reverse(size), text));
        largest.truncate(GROUPS);
        let mut found: BTreeMap<u32, Vec<(u64, f64)>> =
            largest.iter().map(|&(_, text)| (text, Vec::new())).collect();
        self.each_dropped(gathered, |document, of, similarity| {
            if let Some(some) = found.get_mut(&of) {
                some.push((document, similarity));
            }
        })?;
        let mut groups = Vec::new();
        for (size, text) in largest {
            let number = gathered.representative(text);
            let mut group = ExampleGroup { size, ..ExampleGroup::default() };
            group.document.id = gathered.id(number)?;
            group.document.number = Some(number);
            for (number, similarity) in found.remove(&text).unwrap_or_default() {
                group.members.push(ExampleDocument {
                    id: gathered.id(number)?,
                    number: Some(number),
                    similarity: Some(similarity),
                    ..ExampleDocument::default()
                });
            }
            group.choose();
            groups.push(group);
        }
        Ok(groups)
    }
}

impl Decisions {
    /// Pairs of documents that are both kept because they contradict one another, the most similar ones first.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn contradictions(
        &self,
        gathered: &mut DedupDocuments,
    ) -> Result<Vec<ExampleGroup>, Error> {
        let mut groups = Vec::new();
        let found = self.contradicting(gathered, GROUPS);
        for Contradiction { kept, document, similarity, what } in found {
            let mut example = |number| {
                let id = gathered.id(number)?;
                Ok::<_, Error>(ExampleDocument { id, number: Some(number), ..Default::default() })
            };
            let (one, other) = (example(kept)?, example(document)?);
            let label = Some(format!("{similarity:.3}, contradicts {what}"));
            groups.push(ExampleGroup::pair(one, ExampleDocument { label, ..other }));
        }
        Ok(groups)
    }
}

/// The largest clusters.
#[derive(Debug, Clone, Default)]
pub struct ClusterExamples {
    /// A group for each.
    pub groups: Vec<ExampleGroup>,
}

impl ClusterExamples {
    /// Of all clusters the largest.
    #[must_use]
    pub fn of(clusters: &[ClusterRow]) -> Self {
        let mut largest: Vec<&ClusterRow> = clusters.iter().collect();
        largest.sort_by_key(|cluster| (Reverse(cluster.size), cluster.cluster));
        let groups = largest.into_iter().take(GROUPS).map(|cluster| {
            let member = |(at, id): (usize, &nearprint_records::DocumentId)| {
                ExampleDocument {
                    id: id.to_string(),
                    similarity: cluster.similarity(at),
                    ..ExampleDocument::default()
                }
                .distinct(cluster.duplicate(at).1)
            };
            let mut members = cluster.members.iter().enumerate().map(member);
            let document = members.next().unwrap_or_default();
            let members = members.collect();
            let mut group = ExampleGroup { size: cluster.size, document, members };
            group.choose();
            group
        });
        Self { groups: groups.collect() }
    }
}

/// The least similar pairs and the most similar ones that differ, chosen as pairs come.
#[derive(Debug, Clone, Default)]
pub struct PairExamples {
    pub(super) found: u64,
    pub(super) unverified: bool,
    pub(super) distributions: Distributions,
    /// Whether the second document of a pair is from another input.
    has_references: bool,
    least: Vec<(f64, ExampleGroup)>,
    most: Vec<(f64, ExampleGroup)>,
}

impl PairExamples {
    /// No pairs yet. With `has_references` the second document of each is from another input.
    #[must_use]
    pub fn new(has_references: bool) -> Self {
        Self { has_references, ..Self::default() }
    }

    /// Takes a pair into account.
    pub fn push(&mut self, pair: &PairRow) {
        let similarity = pair.similarity.unwrap_or(pair.estimate);
        self.found += 1;
        self.unverified |= pair.similarity.is_none();
        self.distributions.add_similarity(similarity);
        let group = || {
            let document = |id: &nearprint_records::DocumentId, input| ExampleDocument {
                id: id.to_string(),
                input,
                similarity: Some(similarity),
                ..ExampleDocument::default()
            };
            let second = document(&pair.b, usize::from(self.has_references));
            let second = second.distinct(pair.verdict.distinct.as_deref());
            (similarity, ExampleGroup::pair(document(&pair.a, 0), second))
        };
        if self.least.len() < GROUPS || self.least.last().is_some_and(|last| similarity < last.0) {
            let at = self.least.partition_point(|other| other.0 <= similarity);
            self.least.insert(at, group());
            // What is no longer among the least may be among the most similar.
            if self.least.len() > GROUPS
                && let Some(dropped) = self.least.pop()
            {
                self.push_most(dropped);
            }
        } else if similarity < 1.0 {
            let group = group();
            self.push_most(group);
        }
    }

    fn push_most(&mut self, pair: (f64, ExampleGroup)) {
        if pair.0 >= 1.0 {
            return;
        }
        let at = self.most.partition_point(|other| other.0 >= pair.0);
        self.most.insert(at, pair);
        self.most.truncate(GROUPS);
    }

    /// The groups whose texts are to be read.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut ExampleGroup> {
        self.least.iter_mut().chain(&mut self.most).map(|(_, group)| group)
    }

    pub(super) fn into_groups(self) -> Vec<ExampleGroup> {
        self.least.into_iter().chain(self.most.into_iter().rev()).map(|(_, group)| group).collect()
    }
}

/// Changed documents, and lists of those that moved, are new or gone.
#[derive(Debug, Clone, Default)]
pub struct DifferenceExamples {
    counts: BTreeMap<DifferenceKind, u64>,
    pub(super) groups: Vec<ExampleGroup>,
    pub(super) lists: Vec<(&'static str, Vec<ExampleDocument>)>,
    pub(super) distributions: Distributions,
}

impl DifferenceExamples {
    /// Takes a difference into account.
    pub fn push(&mut self, row: &DifferenceRow) {
        *self.counts.entry(row.kind).or_default() += 1;
        let (list, label) = match row.kind {
            DifferenceKind::Identical => return,
            DifferenceKind::SameWords => ("Changed", "same-words"),
            DifferenceKind::ChangedLittle => ("Changed", "changed-little"),
            DifferenceKind::ChangedMuch => ("Changed", "changed-much"),
            DifferenceKind::Moved => ("Moved", "moved"),
            DifferenceKind::New => ("New", "new"),
            DifferenceKind::Gone => ("Gone", "gone"),
            _ => ("Not compared", "not-compared"),
        };
        let gone = row.kind == DifferenceKind::Gone;
        let document = |id: &nearprint_records::DocumentId, input| ExampleDocument {
            id: id.to_string(),
            input,
            similarity: row.similarity,
            ..ExampleDocument::default()
        };
        let why = row.contradicts.as_ref().map(|what| format!("contradicts {what}"));
        let new = document(&row.id, usize::from(!gone)).distinct(why.as_deref());
        if let (Some(old), Some(similarity)) = (&row.old_id, row.similarity) {
            self.distributions.add_similarity(similarity);
            let at = self.groups.partition_point(|other| {
                other.document.similarity.is_some_and(|value| value <= similarity)
            });
            if at < 2 * GROUPS {
                self.groups.insert(at, ExampleGroup::pair(document(old, 0), new.clone()));
                self.groups.truncate(2 * GROUPS);
            }
        }
        let label = match why {
            Some(why) => format!("{label}, {why}"),
            None => label.to_owned(),
        };
        let listed = ExampleDocument { label: Some(label), ..new };
        match self.lists.iter_mut().find(|(heading, _)| *heading == list) {
            Some((_, documents)) => documents.push(listed),
            None => self.lists.push((list, vec![listed])),
        }
    }

    pub(super) fn count(&self, kind: DifferenceKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// The groups whose texts are to be read.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut ExampleGroup> {
        self.groups.iter_mut()
    }
}

/// Reads the documents of examples again: texts of those that are shown, links of all.
pub struct ExampleReader<'g> {
    by_number: BTreeMap<u64, Vec<&'g mut ExampleDocument>>,
    by_id: HashMap<(usize, String), Vec<&'g mut ExampleDocument>>,
    folder: Option<PathBuf>,
    next: u64,
}

impl<'g> ExampleReader<'g> {
    /// A reader for these groups; `report` is the file of the report, from which links to files lead.
    #[must_use]
    pub fn new(groups: impl IntoIterator<Item = &'g mut ExampleGroup>, report: &Path) -> Self {
        let parent = report.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = Some(parent.unwrap_or(Path::new(".")).to_owned());
        let mut reader =
            Self { by_number: BTreeMap::new(), by_id: HashMap::new(), folder, next: 0 };
        for group in groups {
            for document in std::iter::once(&mut group.document).chain(&mut group.members) {
                match document.number {
                    Some(number) => reader.by_number.entry(number).or_default().push(document),
                    None => {
                        let key = (document.input, document.id.clone());
                        reader.by_id.entry(key).or_default().push(document);
                    }
                }
            }
        }
        reader
    }

    /// Reads from one input, after those before it. Documents that are not wanted are skipped without being extracted.
    /// Of several documents with one id the first is taken, unless their numbers are known.
    pub fn read(&mut self, pipeline: &Pipeline<'_>, source: &mut dyn Source, input: usize) {
        let last = self.by_number.last_key_value().map(|(&last, _)| last);
        while !self.by_id.is_empty() || last.is_some_and(|last| self.next <= last) {
            let Some(found) = source.next_document() else { break };
            let number = self.next;
            self.next += 1;
            let Ok(document) = found else { continue };
            let mut wanted = self.by_number.remove(&number).unwrap_or_default();
            if !self.by_id.is_empty() {
                let key = (input, document.id.to_string());
                wanted.extend(self.by_id.remove(&key).unwrap_or_default());
            }
            if wanted.is_empty() {
                continue;
            }
            let link = link(&document, self.folder.as_deref());
            let is_shown = wanted.iter().any(|document| document.is_shown);
            let text = match is_shown.then(|| pipeline.extract(document)) {
                Some(Ok(extraction)) => {
                    let end = extraction.text.floor_char_boundary(KEPT_TEXT);
                    Some(extraction.text[..end].to_owned())
                }
                _ => None,
            };
            for document in wanted {
                document.link.clone_from(&link);
                if document.is_shown {
                    document.text.clone_from(&text);
                }
            }
        }
    }
}
