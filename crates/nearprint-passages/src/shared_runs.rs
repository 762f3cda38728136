//! The runs that two documents share, by their candidates: each is compared on its tokens, to the left and to the
//! right, and candidates within a run that is known are skipped. So time is linear in the runs and the candidates.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::candidates::{Candidate, SortedCandidates};
use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::places::{document, token};
use crate::rows::{PassageSink, SharedPassage};
use crate::selection::AnchorSelection;

/// Candidates that are compared together.
const BATCH: usize = 32 * 1024;

/// Tokens of runs whose texts are read together, about.
const BATCH_TOKENS: usize = 1 << 20;

/// A run that two documents share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SharedRun {
    documents: (u32, u32),
    a: usize,
    b: usize,
    tokens: usize,
}

/// Candidates of two documents in a batch.
struct DocumentPair {
    documents: (u32, u32),
    candidates: Range<usize>,
}

/// Counts of candidates and of runs.
#[derive(Debug, Default)]
pub(crate) struct RunCounts {
    pub(crate) candidates: u64,
    pub(crate) runs: u64,
}

/// What candidates are compared with.
pub(crate) struct RunSearch<'s> {
    pub(crate) store: &'s DocumentStore,
    pub(crate) selection: AnchorSelection,
    /// The hashes of frequent windows, and the first place of each.
    pub(crate) frequent: &'s HashMap<u64, u64>,
}

/// Gives all runs of T tokens and more to `sink`, in the order of their documents and places, unless all windows of a
/// run are frequent.
pub(crate) fn give_runs<E: From<PassageError>>(
    search: &RunSearch<'_>,
    candidates: &SortedCandidates,
    sink: &mut impl PassageSink<E>,
) -> Result<RunCounts, E> {
    let temporary = PassageError::TemporaryFile;
    let mut reader = candidates.read().map_err(temporary)?;
    let mut counts = RunCounts::default();
    let (mut batch, mut pairs): (Vec<Candidate>, Vec<DocumentPair>) = (Vec::new(), Vec::new());
    loop {
        let start = batch.len();
        let documents = reader.next_documents(&mut batch).map_err(temporary)?;
        let is_end = documents.is_none();
        if let Some(documents) = documents {
            pairs.push(DocumentPair { documents, candidates: start..batch.len() });
        }
        if !is_end && batch.len() < BATCH {
            continue;
        }
        let runs: Vec<io::Result<Vec<SharedRun>>> = pairs
            .par_iter()
            .map_init(
                || [search.store.reader(), search.store.reader()],
                |readers, pair| {
                    search.runs_of(pair.documents, &batch[pair.candidates.clone()], readers)
                },
            )
            .collect();
        let mut all = Vec::new();
        for runs in runs {
            all.append(&mut runs.map_err(temporary)?);
        }
        counts.candidates += batch.len() as u64;
        counts.runs += all.len() as u64;
        give_rows(search.store, &all, sink)?;
        if is_end {
            return Ok(counts);
        }
        batch.clear();
        pairs.clear();
    }
}

impl RunSearch<'_> {
    fn runs_of(
        &self,
        documents: (u32, u32),
        candidates: &[Candidate],
        [a, b]: &mut [DocumentReader<'_>; 2],
    ) -> io::Result<Vec<SharedRun>> {
        let mut runs = Vec::new();
        a.open(documents.0)?;
        b.open(documents.1)?;
        // The diagonal of the run that was found last, and where it ends.
        let mut last = None;
        for candidate in candidates {
            let is_known = |(diagonal, end)| diagonal == candidate.diagonal && candidate.a < end;
            if last.is_some_and(is_known) {
                continue;
            }
            let after = equal_after(a, b, candidate.a, candidate.b())?;
            let before = match after {
                0 => 0,
                _ => equal_before(a, b, candidate.a, candidate.b())?,
            };
            last = Some((candidate.diagonal, candidate.a + after));
            let run = candidate.a - before..candidate.a + after;
            if run.len() >= self.selection.least && !self.is_frequent(a, run.clone())? {
                let (a, b) = (run.start, candidate.b() - before);
                runs.push(SharedRun { documents, a, b, tokens: run.len() });
            }
        }
        runs.sort_unstable();
        Ok(runs)
    }

    /// Whether all windows of a run are frequent. An anchor may be rare and yet lie within such a run: the windows that
    /// have it are others, which reach beyond the run.
    fn is_frequent(&self, reader: &mut DocumentReader<'_>, run: Range<usize>) -> io::Result<bool> {
        if self.frequent.is_empty() {
            return Ok(false);
        }
        let least = self.selection.least;
        let (mut tokens, mut hashes) = (Vec::new(), Vec::new());
        let mut known = FrequentRun { reader: self.store.reader(), next: None };
        let mut start = run.start;
        // Most runs have a window that is not frequent among the first ones.
        while start + least <= run.end {
            let end = run.end.min(start + 2 * least - 1);
            tokens.clear();
            for at in start..end {
                tokens.push(nearprint_fingerprint::stages::token_hash(reader.token(at)?));
            }
            self.selection.hash_windows(&tokens, &mut hashes);
            for (hash, start) in hashes.iter().zip(start..) {
                let Some(&first) = self.frequent.get(hash) else { return Ok(false) };
                if !known.has(first, reader, start..start + least)? {
                    return Ok(false);
                }
            }
            start += hashes.len();
        }
        Ok(true)
    }
}

/// The frequent windows that those of a run are compared with, on their tokens.
struct FrequentRun<'s> {
    reader: DocumentReader<'s>,
    /// Where the next window is, if it follows the one before.
    next: Option<u64>,
}

impl FrequentRun<'_> {
    /// Whether the tokens at a place are those of a window.
    fn has(
        &mut self,
        place: u64,
        reader: &mut DocumentReader<'_>,
        mut window: Range<usize>,
    ) -> io::Result<bool> {
        let mut at = token(place) as usize;
        self.reader.open(document(place))?;
        if self.next.take() == Some(place) {
            // All but the last token were compared.
            at += window.len() - 1;
            window.start = window.end - 1;
        }
        for token in window {
            if reader.token(token)? != self.reader.token(at)? {
                return Ok(false);
            }
            at += 1;
        }
        self.next = Some(place + 1);
        Ok(true)
    }
}

/// How many tokens are equal from two places on.
fn equal_after(
    a: &mut DocumentReader<'_>,
    b: &mut DocumentReader<'_>,
    in_a: usize,
    in_b: usize,
) -> io::Result<usize> {
    let most = a.tokens().saturating_sub(in_a).min(b.tokens().saturating_sub(in_b));
    for equal in 0..most {
        if a.token(in_a + equal)? != b.token(in_b + equal)? {
            return Ok(equal);
        }
    }
    Ok(most)
}

/// How many tokens are equal before two places.
fn equal_before(
    a: &mut DocumentReader<'_>,
    b: &mut DocumentReader<'_>,
    in_a: usize,
    in_b: usize,
) -> io::Result<usize> {
    let most = in_a.min(in_b);
    for equal in 0..most {
        if a.token(in_a - equal - 1)? != b.token(in_b - equal - 1)? {
            return Ok(equal);
        }
    }
    Ok(most)
}

fn give_rows<E: From<PassageError>>(
    store: &DocumentStore,
    mut runs: &[SharedRun],
    sink: &mut impl PassageSink<E>,
) -> Result<(), E> {
    while !runs.is_empty() {
        let mut tokens = 0;
        let together = runs.iter().take_while(|run| {
            let fits = tokens < BATCH_TOKENS;
            tokens += run.tokens;
            fits
        });
        let (first, rest) = runs.split_at(together.count());
        runs = rest;
        let rows: Vec<io::Result<SharedPassage>> =
            first.par_iter().map_init(|| store.reader(), row).collect();
        for row in rows {
            sink.shared(row.map_err(PassageError::TemporaryFile)?)?;
        }
    }
    Ok(())
}

fn row(reader: &mut DocumentReader<'_>, run: &SharedRun) -> io::Result<SharedPassage> {
    let (a, b) = run.documents;
    let (in_a, in_b) = (run.a..run.a + run.tokens, run.b..run.b + run.tokens);
    reader.open(a)?;
    let a_place = reader.place(&in_a)?;
    let text = reader.text(&in_a)?;
    reader.open(b)?;
    let b_place = reader.place(&in_b)?;
    // Documents have fewer tokens than 2^31.
    Ok(SharedPassage { a, b, tokens: run.tokens as u32, a_place, b_place, text })
}
