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
    drops: Vec<StatedDecision>,
    /// Of each drop its place and the place of the document that was kept, where the file has it.
    places: Vec<[Option<String>; 2]>,
    /// Documents that are kept in the stead of others by some rows, and dropped by others.
    dropped: HashSet<DocumentId>,
    /// All drops of the file.
    stated: u64,
    documents: HashMap<String, Option<ReadDocument>>,
    files: Vec<PathBuf>,
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
                dropped.insert(row.id);
            } else {
                kept.entry(row.id.clone()).or_default().push(row);
            }
        })?;
        dropped.retain(|id| !kept.contains_key(id));
        let mut check = Self {
            places: Vec::new(),
            dropped,
            stated,
            documents: HashMap::new(),
            files: Vec::new(),
            drops: Vec::new(),
        };
        for drop in drops {
            let kept = drop.representative.as_ref().and_then(|id| kept.get(id)).and_then(|rows| {
                let is_it =
                    |row: &&StatedDecision| row.cluster.is_some() && row.cluster == drop.cluster;
                rows.iter().find(is_it).or(rows.first())
            });
            let places = [Some(&drop), kept].map(|row| row.map(|row| row.place.clone()));
            for place in places.iter().flatten() {
                if let Some(file) = place.path().filter(|file| !check.files.contains(file)) {
                    check.files.push(file);
                }
                check.documents.insert(place.to_string(), None);
            }
            check.places.push(places.map(|place| place.map(|place| place.to_string())));
            check.drops.push(drop);
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

    /// Gives a row for each drop to `take`, in the order of the file.
    ///
    /// # Errors
    /// The first one of `take`.
    pub fn rows<E>(&self, mut take: impl FnMut(CheckRow) -> Result<(), E>) -> Result<(), E> {
        for (drop, places) in self.drops.iter().zip(&self.places) {
            let [dropped, kept] = places
                .each_ref()
                .map(|place| place.as_ref().and_then(|place| self.documents.get(place)?.as_ref()));
            let is_dropped_itself =
                drop.representative.as_ref().is_some_and(|id| self.dropped.contains(id));
            let (holds, found) = match (dropped, kept) {
                _ if is_dropped_itself => {
                    (Some(false), "the document that is kept is dropped itself".to_owned())
                }
                (None, _) => (None, "the document was not found again".to_owned()),
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
