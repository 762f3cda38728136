//! What a search finds: `nearprint/pair/1`, `nearprint/match/1` and `nearprint/cluster/1`.

use std::io::{self, Write};

use crate::{DocumentId, PassageRow, Row};

/// What the comparison of two texts says beside their similarity. All is `None` where they were not compared, or by
/// whole texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TextVerdict {
    /// Whether they share more than a phrase of eight words.
    pub evidence: Option<bool>,
    /// Whether `dedup` would drop one of them for the other by its default rule.
    pub duplicate: Option<bool>,
    /// Why not: `similarity`, which is too low, `too-short`, where one has too few words to tell, or `contradicts` and
    /// what does, as `contradicts 2 numbers`.
    pub distinct: Option<String>,
}

impl TextVerdict {
    fn cells(&self) -> [&str; 3] {
        let flag = |flag: Option<bool>| flag.map_or("", |flag| if flag { "true" } else { "false" });
        [flag(self.evidence), flag(self.duplicate), self.distinct.as_deref().unwrap_or_default()]
    }
}

/// Two documents within the distance asked for. Text form: `A TAB B TAB DISTANCE`, and where they were verified, `TAB
/// SIMILARITY`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PairRow {
    /// The one that came first in the input.
    pub a: DocumentId,
    /// The other.
    pub b: DocumentId,
    /// Bits (of sketches, positions) in which their fingerprints differ.
    pub distance: u32,
    /// What the fingerprints say of the similarity: 1 - distance / width. Of md1 it estimates the Jaccard similarity.
    pub estimate: f64,
    /// By which measure the texts were compared: `jaccard`, `containment` or `cosine`; `None` if they were not, and
    /// the pair is a candidate.
    pub measure: Option<&'static str>,
    /// The exact similarity of the texts by that measure, 0 to 1.
    pub similarity: Option<f64>,
    /// What else was found.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub verdict: TextVerdict,
    /// The longest passages that both have or only one, in their order; `None` if they were not asked for. In the
    /// text form each is a line that begins with a tab, after that of the pair.
    pub passages: Option<Vec<PassageRow>>,
}

impl PairRow {
    /// A pair whose texts were not compared.
    #[must_use]
    pub fn new(a: DocumentId, b: DocumentId, distance: u32, estimate: f64) -> Self {
        let verdict = TextVerdict::default();
        Self { a, b, distance, estimate, measure: None, similarity: None, verdict, passages: None }
    }
}

impl Row for PairRow {
    const SCHEMA: &'static str = "nearprint/pair/1";

    const COLUMNS: &'static [&'static str] = &[
        "a",
        "b",
        "distance",
        "similarity",
        "estimate",
        "measure",
        "evidence",
        "duplicate",
        "distinct",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let similarity = self.similarity.map(|similarity| similarity.to_string());
        let [evidence, duplicate, distinct] = self.verdict.cells();
        line(&[
            self.a.as_str(),
            self.b.as_str(),
            &self.distance.to_string(),
            &similarity.unwrap_or_default(),
            &self.estimate.to_string(),
            self.measure.unwrap_or_default(),
            evidence,
            duplicate,
            distinct,
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}\t{}\t{}", self.a, self.b, self.distance)?;
        match self.similarity {
            Some(similarity) => writeln!(out, "\t{similarity:.4}")?,
            None => writeln!(out)?,
        }
        self.passages.iter().flatten().try_for_each(|passage| passage.write_line("\t", out))
    }
}

/// A document that matches a query. Text form: `ID TAB DISTANCE`, and where it was verified, `TAB SIMILARITY`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MatchRow {
    /// What was looked for.
    pub query: DocumentId,
    /// What was found.
    pub id: DocumentId,
    /// Bits (of sketches, positions) in which their fingerprints differ.
    pub distance: u32,
    /// What the fingerprints say of the similarity: 1 - distance / width, from 0 to 1. Of md1 it estimates the Jaccard
    /// similarity.
    pub estimate: f64,
    /// By which measure the texts were compared: `jaccard`, `containment` or `cosine`; `None` if they were not, and
    /// the match is a candidate.
    pub measure: Option<&'static str>,
    /// The exact similarity of the texts by that measure, 0 to 1.
    pub similarity: Option<f64>,
    /// What else was found.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub verdict: TextVerdict,
}

impl MatchRow {
    /// A match whose text was not compared.
    #[must_use]
    pub fn new(query: DocumentId, id: DocumentId, distance: u32, estimate: f64) -> Self {
        let verdict = TextVerdict::default();
        Self { query, id, distance, estimate, measure: None, similarity: None, verdict }
    }

    /// The columns after the ids in the text form.
    fn write_figures(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.similarity {
            Some(similarity) => writeln!(out, "\t{}\t{similarity:.4}", self.distance),
            None => writeln!(out, "\t{}", self.distance),
        }
    }
}

impl Row for MatchRow {
    const SCHEMA: &'static str = "nearprint/match/1";

    const COLUMNS: &'static [&'static str] = &[
        "query",
        "id",
        "distance",
        "similarity",
        "estimate",
        "measure",
        "evidence",
        "duplicate",
        "distinct",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let similarity = self.similarity.map(|similarity| similarity.to_string());
        let [evidence, duplicate, distinct] = self.verdict.cells();
        line(&[
            self.query.as_str(),
            self.id.as_str(),
            &self.distance.to_string(),
            &similarity.unwrap_or_default(),
            &self.estimate.to_string(),
            self.measure.unwrap_or_default(),
            evidence,
            duplicate,
            distinct,
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.id)?;
        self.write_figures(out)
    }
}

/// A match where there are many queries. Text form: `QUERY TAB ID TAB DISTANCE`, and where it was verified, `TAB
/// SIMILARITY`; as JSON the same as [`MatchRow`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(transparent))]
pub struct MatchOfMany(pub MatchRow);

impl Row for MatchOfMany {
    const SCHEMA: &'static str = MatchRow::SCHEMA;

    const COLUMNS: &'static [&'static str] = MatchRow::COLUMNS;

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        self.0.write_cells(line)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}\t{}", self.0.query, self.0.id)?;
        self.0.write_figures(out)
    }
}

/// Documents connected by pairs. Text form: a line `CLUSTER TAB ID` for each of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ClusterRow {
    /// Counted from 1, in the order of the clusters' first documents.
    pub cluster: u64,
    /// Number of documents, at least 2.
    pub size: u64,
    /// The document that stands for all: the first in the input.
    pub representative: DocumentId,
    /// All documents, the representative included, in the order of the input.
    pub members: Vec<DocumentId>,
    /// Bits in which each member's fingerprint differs from the representative's, in the order of the members. A chain
    /// of pairs can lead further than the distance that was searched.
    pub distances: Vec<u32>,
    /// The exact similarity of each member's text to the representative's, 0 to 1, in the order of the members; `None`
    /// where pairs were not verified.
    pub similarities: Option<Vec<f64>>,
    /// Whether `dedup` would drop each member for the representative, or the other way round, by its default rule, in
    /// the order of the members; `None` where that is not known.
    pub duplicates: Option<Vec<bool>>,
    /// Why not, as in [`TextVerdict`], in the order of the members.
    pub distinct: Option<Vec<Option<String>>>,
    /// Verified pairs among the members, of size (size - 1) / 2 that there could be; `None` if pairs were not
    /// verified.
    pub pairs: Option<u64>,
    /// The most links one must follow from the representative to a member; `None` if it was not measured.
    pub chain: Option<u32>,
}

impl ClusterRow {
    /// A cluster of documents whose texts were not compared; `distances` are those of the members.
    #[must_use]
    pub fn new(
        cluster: u64,
        representative: DocumentId,
        members: Vec<DocumentId>,
        distances: Vec<u32>,
    ) -> Self {
        Self {
            cluster,
            size: members.len() as u64,
            representative,
            members,
            distances,
            similarities: None,
            duplicates: None,
            distinct: None,
            pairs: None,
            chain: None,
        }
    }

    /// The exact similarity of a member's text to the representative's, by its place among the members; `None` where
    /// pairs were not verified.
    #[must_use]
    pub fn similarity(&self, member: usize) -> Option<f64> {
        self.similarities.as_ref()?.get(member).copied()
    }

    /// Whether a member is a duplicate of the representative, by its place among the members, and why not.
    #[must_use]
    pub fn duplicate(&self, member: usize) -> (Option<bool>, Option<&str>) {
        let reason = self.distinct.as_ref().and_then(|reasons| reasons.get(member)?.as_deref());
        (self.duplicates.as_ref().and_then(|found| found.get(member).copied()), reason)
    }
}

impl Row for ClusterRow {
    const SCHEMA: &'static str = "nearprint/cluster/1";

    const COLUMNS: &'static [&'static str] = &[
        "cluster",
        "size",
        "representative",
        "id",
        "distance",
        "similarity",
        "duplicate",
        "distinct",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let (cluster, size) = (self.cluster.to_string(), self.size.to_string());
        let representative = self.representative.as_str();
        for (at, (member, distance)) in self.members.iter().zip(&self.distances).enumerate() {
            let similarity = self.similarity(at).map(|similarity| similarity.to_string());
            let (distance, similarity) = (distance.to_string(), similarity.unwrap_or_default());
            let (duplicate, distinct) = self.duplicate(at);
            let duplicate = duplicate.map_or("", |found| if found { "true" } else { "false" });
            line(&[
                &cluster,
                &size,
                representative,
                member.as_str(),
                &distance,
                &similarity,
                duplicate,
                distinct.unwrap_or_default(),
            ])?;
        }
        Ok(())
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for member in &self.members {
            writeln!(out, "{}\t{member}", self.cluster)?;
        }
        Ok(())
    }
}
