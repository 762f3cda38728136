//! Decisions checked: both documents of a stated drop are read again and compared with each other, by code that shares
//! nothing with the search that proposed them and the comparison that decided ([`PlainText`]).

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::convert::Infallible;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use nearprint_records::{
    CheckRow, Document, DocumentId, ErrorRecord, Sha256Digest, Source, StatedDecision,
    StatedDecisionError,
};
use twox_hash::XxHash3_64;

use crate::text::plain_text::{PlainText, Relation};
use crate::{Pipeline, TextRequest};

/// How far a stated similarity may be from the one that is found: features are kept in fewer bits, and only texts that
/// are identical with all that stands around them have 1.
const TOLERANCE: f64 = 0.0002;

/// Drops of a file of decisions, of which both documents are to be compared again.
///
/// Memory: that of the rows that are checked, and of the texts of their documents.
#[derive(Debug)]
pub struct DecisionCheck {
    drops: Vec<CheckedDrop>,
    /// Documents that are kept in the stead of others by some rows, and dropped by others.
    dropped: HashSet<DocumentId>,
    /// All drops of the file.
    stated: u64,
    documents: HashMap<String, Option<ReadDocument>>,
    files: Vec<PathBuf>,
    /// Documents that are kept in the stead of others and that the file has no row of their cluster for, by their ids:
    /// the digests that are stated of their bytes, and what was read.
    references: HashMap<DocumentId, ReferenceDocuments>,
}

/// A drop, and where its documents are.
#[derive(Debug)]
struct CheckedDrop {
    row: StatedDecision,
    place: String,
    /// The place of the document that was kept, where the file has it.
    kept: Option<String>,
    /// Whether that one is of the same cluster; else a reference of this id comes first.
    is_of_cluster: bool,
}

/// The references of one id.
#[derive(Debug, Default)]
struct ReferenceDocuments {
    stated: HashSet<Sha256Digest>,
    read: Vec<ReadDocument>,
}

/// What was read again of a document.
#[derive(Debug)]
struct ReadDocument {
    text: Option<String>,
    sha256: Option<Sha256Digest>,
}

/// A drop in the order in which samples are taken.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Draw(u64, u64);

impl DecisionCheck {
    /// Reads the drops of a file of decisions, lines of JSON: all, or a sample of so many, which is the same whenever
    /// it is drawn.
    ///
    /// # Errors
    /// If the file cannot be read, or is not one of decisions.
    pub fn of_file(file: &Path, sample: Option<usize>) -> Result<Self, StatedDecisionError> {
        let open = || File::open(file).map(BufReader::new).map_err(StatedDecisionError::Io);
        let (mut stated, mut drawn) = (0, BinaryHeap::new());
        StatedDecision::each(open()?, |row| {
            if row.is_drop() {
                let name = format!("{}\n{}", row.id, row.place);
                drawn.push(Draw(XxHash3_64::oneshot(name.as_bytes()), stated));
                if sample.is_some_and(|most| drawn.len() > most) {
                    drawn.pop();
                }
                stated += 1;
            }
        })?;
        let chosen: HashSet<u64> = drawn.into_iter().map(|Draw(_, number)| number).collect();
        let (mut number, mut drops) = (0, Vec::new());
        StatedDecision::each(open()?, |row| {
            if row.is_drop() {
                if chosen.contains(&number) {
                    drops.push(row);
                }
                number += 1;
            }
        })?;
        let wanted: HashSet<DocumentId> =
            drops.iter().filter_map(|drop| drop.representative.clone()).collect();
        // Inputs may have an id twice: the cluster says which of them it is.
        let mut kept: HashMap<DocumentId, Vec<StatedDecision>> = HashMap::new();
        let mut dropped = HashSet::new();
        StatedDecision::each(open()?, |row| {
            if !wanted.contains(&row.id) {
            } else if row.is_drop() {
                // What is dropped for a document of its own id is dropped for a reference.
                if row.sha256.is_none() || row.representative.as_ref() != Some(&row.id) {
                    dropped.insert(row.id);
                }
            } else {
                kept.entry(row.id.clone()).or_default().push(row);
            }
        })?;
        dropped.retain(|id| !kept.contains_key(id));
        let mut check = Self {
            dropped,
            stated,
            documents: HashMap::new(),
            files: Vec::new(),
            references: HashMap::new(),
            drops: Vec::new(),
        };
        for drop in drops {
            let is_it =
                |row: &&StatedDecision| row.cluster.is_some() && row.cluster == drop.cluster;
            let rows = drop.representative.as_ref().and_then(|id| kept.get(id));
            let of_cluster = rows.and_then(|rows| rows.iter().find(is_it));
            if let (None, Some(id)) = (of_cluster, &drop.representative) {
                let of_id = check.references.entry(id.clone()).or_default();
                of_id.stated.extend(drop.representative_sha256);
            }
            let kept = of_cluster.or(rows.and_then(|rows| rows.first()));
            for row in [Some(&drop), kept].into_iter().flatten() {
                if let Some(file) = row.place.path().filter(|file| !check.files.contains(file)) {
                    check.files.push(file);
                }
                check.documents.insert(row.place.to_string(), None);
            }
            let (place, is_of_cluster) = (drop.place.to_string(), of_cluster.is_some());
            let kept = kept.map(|row| row.place.to_string());
            check.drops.push(CheckedDrop { row: drop, place, kept, is_of_cluster });
        }
        Ok(check)
    }

    /// Drops that the file states, and how many of them are checked.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.stated, self.drops.len() as u64)
    }

    /// The files whose documents are to be read again, of which some may be gone.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Reads the documents again that are among those of a source; the others are skipped without being extracted.
    pub fn read(&mut self, pipeline: &Pipeline<'_>, source: &mut dyn Source) {
        let mut left = self.documents.len();
        while left > 0
            && let Some(found) = source.next_document()
        {
            let Ok(document) = found else { continue };
            let slot = self.documents.get_mut(&document.place.to_string());
            if let Some(slot) = slot.filter(|slot| slot.is_none()) {
                *slot = Some(ReadDocument::of(pipeline, document));
                left -= 1;
            }
        }
    }

    /// Drops that are checked of which the file has no row for the document that is kept, as it is a reference, and of
    /// which no reference was read.
    #[must_use]
    pub fn of_unread_references(&self) -> u64 {
        let is_unread = |drop: &&CheckedDrop| {
            self.reference(drop).is_none() && self.kept_candidate(drop).is_none()
        };
        self.drops.iter().filter(is_unread).count() as u64
    }

    /// Reads references again, the documents that were only compared with, where drops name one of their ids. Of
    /// several documents of one id, those are taken whose bytes are the stated ones, else the first.
    pub fn read_references(&mut self, pipeline: &Pipeline<'_>, source: &mut dyn Source) {
        while !self.references.is_empty()
            && let Some(found) = source.next_document()
        {
            let Ok(document) = found else { continue };
            let Some(of_id) = self.references.get_mut(&document.id) else { continue };
            if !of_id.read.is_empty() && of_id.stated.is_empty() {
                continue;
            }
            let read = ReadDocument::of(pipeline, document);
            // Each digest is taken once, so no number of documents of one id takes more memory than the drops.
            if read.sha256.is_some_and(|digest| of_id.stated.remove(&digest))
                || of_id.read.is_empty()
            {
                of_id.read.push(read);
            }
        }
    }

    /// The reference that a document was dropped for, where one of its id was read.
    fn reference(&self, drop: &CheckedDrop) -> Option<&ReadDocument> {
        let CheckedDrop { row, is_of_cluster, .. } = drop;
        let of_id = self.references.get(row.representative.as_ref()?).filter(|_| !is_of_cluster)?;
        let stated = |read: &&ReadDocument| read.sha256 == row.representative_sha256;
        of_id.read.iter().find(stated).or(of_id.read.first())
    }

    /// The place of the document that was kept, where it is one of those decided about. Of another cluster it is that
    /// document only if its bytes are the stated ones: references may have the ids of candidates.
    fn kept_candidate<'d>(&self, drop: &'d CheckedDrop) -> Option<&'d String> {
        let stated = drop.row.representative_sha256;
        drop.kept.as_ref().filter(|place| {
            let read = self.documents.get(*place).and_then(Option::as_ref);
            let found = read.and_then(|read| read.sha256);
            drop.is_of_cluster || stated.is_none() || found.is_none() || stated == found
        })
    }

    /// Gives a row for each drop to `take`, in the order of the file.
    ///
    /// # Errors
    /// The first one of `take`.
    pub fn rows<E>(&self, mut take: impl FnMut(CheckRow) -> Result<(), E>) -> Result<(), E> {
        let read = |place: &String| self.documents.get(place)?.as_ref();
        for checked in &self.drops {
            let CheckedDrop { row: drop, place, .. } = checked;
            let reference = self.reference(checked);
            let kept_place = self.kept_candidate(checked);
            let dropped = read(place);
            let kept = reference.or_else(|| read(kept_place?));
            let is_dropped = |id: &DocumentId| self.dropped.contains(id);
            let is_dropped_itself =
                reference.is_none() && drop.representative.as_ref().is_some_and(is_dropped);
            let (holds, found) = match (dropped, kept) {
                _ if is_dropped_itself => {
                    (Some(false), "the document that is kept is dropped itself".to_owned())
                }
                (None, _) => (None, "the document was not found again".to_owned()),
                (_, None) if kept_place.is_none() => {
                    (None, "the document that is kept is none of those decided about".to_owned())
                }
                (_, None) => (None, "the document that is kept was not found again".to_owned()),
                (Some(dropped), Some(kept)) => match judged(drop, dropped, kept) {
                    Ok(found) => (Some(true), found),
                    Err(found) => (Some(false), found),
                },
            };
            let (id, kept) = (drop.id.clone(), drop.representative.clone());
            let mut row = CheckRow::new(id, kept, drop.reason.clone());
            (row.similarity, row.holds, row.found) = (drop.similarity, holds, found);
            take(row)?;
        }
        Ok(())
    }
}

impl ReadDocument {
    fn of(pipeline: &Pipeline<'_>, document: Document) -> Self {
        let request = TextRequest { text: true, digest: true, ..TextRequest::default() };
        let mut found = Self { text: None, sha256: None };
        let mut source = std::iter::once(Ok::<_, ErrorRecord>(document));
        let done = pipeline.read(&mut source, &request, |_, parts, arrival| {
            found = Self { text: parts.and_then(|parts| parts.text), sha256: arrival.digest };
            Ok::<_, Infallible>(())
        });
        let Ok(_) = done;
        found
    }
}

/// What was found of a drop, as the error where it does not hold.
fn judged(
    drop: &StatedDecision,
    dropped: &ReadDocument,
    kept: &ReadDocument,
) -> Result<String, String> {
    let is_exact = matches!(drop.reason.as_str(), "same-bytes" | "identical");
    if drop.policy.as_deref() == Some("exact") && !is_exact {
        return Err(format!("the policy exact drops nothing as {}", drop.reason));
    }
    let stated = [(drop.sha256, dropped.sha256), (drop.representative_sha256, kept.sha256)];
    for (name, (stated, found)) in ["the document", "the document that is kept"].iter().zip(stated)
    {
        if stated.is_some() && stated != found {
            return Err(format!("{name} has other bytes than when it was decided about"));
        }
    }
    if drop.reason == "same-bytes" {
        return match (dropped.sha256, kept.sha256) {
            (Some(one), Some(other)) if one == other => Ok("the same bytes".to_owned()),
            _ => Err("other bytes".to_owned()),
        };
    }
    let (Some(text), Some(kept)) = (&dropped.text, &kept.text) else {
        return Err("a text that is not there".to_owned());
    };
    let (text, kept) = (PlainText::new(text), PlainText::new(kept));
    let (relation, similarity) = (text.relation(&kept), text.similarity(&kept));
    let found = format!("{} {similarity:.4}", relation.name());
    let is_as_stated = match (drop.reason.as_str(), relation) {
        ("identical", relation) => relation == Relation::Identical,
        ("same-words", Relation::Other) => false,
        ("same-words" | "near", _) => {
            (drop.similarity.unwrap_or_default() - similarity).abs() <= TOLERANCE
        }
        (reason, _) => return Err(format!("an unknown reason: {reason}")),
    };
    if !is_as_stated {
        return Err(found);
    }
    // Chains drop what contradicts, and their rows say so.
    let is_careful = drop.reason != "identical" && drop.policy.as_deref() == Some("careful");
    match kept.contradiction(&text).filter(|_| is_careful) {
        Some(what) if drop.contradicts.as_ref() != Some(&what) => {
            Err(format!("contradicts {what}"))
        }
        _ => Ok(found),
    }
}
