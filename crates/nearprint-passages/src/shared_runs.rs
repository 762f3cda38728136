//! The runs that two documents share, by their candidates: each is compared on its tokens, to the left and to the
//! right, and candidates within a run that is known are skipped. So time is linear in the runs and the candidates.

use std::io;
use std::ops::Range;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::candidates::{Candidate, SortedCandidates};
use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::frequent_places::FrequentPlaces;
use crate::joined_runs::{JoinedRun, RunJoiner};
use crate::places::{document, place, token};
use crate::progress::Watch;
use crate::rows::{PassageSink, SharedPassage};
use crate::selection::AnchorSelection;

/// Candidates that are compared together, and by one thread.
const BATCH: usize = 32 * 1024;
const PIECE: usize = 1024;

/// Runs whose texts are read together, and the tokens of all of them, about.
const BATCH_RUNS: usize = 8 * 1024;
const BATCH_TOKENS: usize = 1 << 20;

/// A run that two documents share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SharedRun {
    documents: (u32, u32),
    a: usize,
    b: usize,
    tokens: usize,
}

impl SharedRun {
    /// The run in numbers that sort by the documents and the places.
    fn record(&self) -> [u64; 3] {
        // Places have 31 bits.
        let places = place(self.a as u32, self.b as u32);
        [place(self.documents.0, self.documents.1), places, self.tokens as u64]
    }
}

/// What candidates are compared with.
pub(crate) struct RunSearch<'s> {
    pub(crate) store: &'s DocumentStore,
    pub(crate) selection: AnchorSelection,
    pub(crate) frequent: &'s FrequentPlaces,
}

impl RunSearch<'_> {
    /// All runs of T tokens and more that are reported, in their order, and the number of candidates that were
    /// compared. A run may come several times: candidates of two documents that do not fit together are compared apart.
    pub(crate) fn runs(
        &self,
        candidates: &SortedCandidates,
        memory: usize,
        directory: &Path,
        watch: &mut Watch<'_>,
    ) -> Result<(SortedRecords<3>, u64), PassageError> {
        let (mut reader, mut runs) = (candidates.read()?, ExternalSort::new(memory, directory));
        let (mut batch, mut count) = (Vec::with_capacity(BATCH), 0);
        loop {
            let next = reader.next()?;
            let is_end = next.is_none();
            batch.extend(next);
            if !is_end && batch.len() < BATCH {
                continue;
            }
            let pieces: Vec<&[Candidate]> = batch
                .chunk_by(|one, other| one.documents == other.documents)
                .flat_map(|of_two| of_two.chunks(PIECE))
                .collect();
            let found: Vec<io::Result<Vec<SharedRun>>> = pieces
                .par_iter()
                .map_init(
                    || [self.store.reader(), self.store.reader()],
                    |readers, piece| self.runs_of(piece, readers),
                )
                .collect();
            for found in found {
                found?.iter().try_for_each(|run| runs.push(run.record()))?;
            }
            count += batch.len() as u64;
            watch.steps(batch.len() as u64)?;
            if is_end {
                return Ok((runs.finish()?, count));
            }
            batch.clear();
        }
    }

    /// The runs of candidates of two documents.
    fn runs_of(
        &self,
        candidates: &[Candidate],
        [a, b]: &mut [DocumentReader<'_>; 2],
    ) -> io::Result<Vec<SharedRun>> {
        let mut runs = Vec::new();
        let Some(&Candidate { documents, .. }) = candidates.first() else { return Ok(runs) };
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
            if run.len() >= self.selection.least && !self.is_frequent(documents.0, &run)? {
                let (a, b) = (run.start, candidate.b() - before);
                runs.push(SharedRun { documents, a, b, tokens: run.len() });
            }
        }
        Ok(runs)
    }

    /// Whether a run has frequent windows, and so few tokens in a row outside of them that it is not reported. The
    /// windows are those within the run, which are the same in both documents.
    fn is_frequent(&self, number: u32, run: &Range<usize>) -> io::Result<bool> {
        let least = self.selection.least;
        // Places have 31 bits.
        let at = |start: usize| place(number, start as u32);
        let (first, last) = (at(run.start), at(run.end - least));
        let (mut own, mut covered, mut is_any) = (0, run.start, false);
        self.frequent.each_within(first, last, |stretch| {
            let from = token(stretch.first.max(first)) as usize;
            own = own.max(from.saturating_sub(covered));
            covered = token(stretch.last.min(last)) as usize + least;
            is_any = true;
        })?;
        Ok(is_any && own.max(run.end - covered) < self.selection.least_own())
    }
}

/// The run of such numbers.
fn run_of([documents, places, tokens]: [u64; 3]) -> JoinedRun {
    let (a, b, tokens) = (document(places) as usize, token(places) as usize, tokens as usize);
    let documents = (document(documents), token(documents));
    JoinedRun { documents, a: a..a + tokens, b: b..b + tokens, tokens }
}

/// Gives runs to `sink`, each once, joined over gaps of `most_gap` tokens, and returns their number.
pub(crate) fn give_runs<E: From<PassageError>>(
    store: &DocumentStore,
    runs: &SortedRecords<3>,
    most_gap: usize,
    watch: &mut Watch<'_>,
    sink: &mut impl PassageSink<E>,
) -> Result<u64, E> {
    let temporary = PassageError::TemporaryFile;
    let mut reader = runs.read().map_err(temporary)?;
    let (mut batch, mut last, mut count) = (Vec::new(), None, 0);
    let (mut joiner, mut counted, mut tokens) = (RunJoiner::new(most_gap), 0, 0);
    loop {
        let next = reader.next().map_err(temporary)?;
        let is_end = next.is_none();
        let is_new = next.is_none_or(|run| last.replace(run) != Some(run));
        if is_new {
            joiner.push(next.map(run_of), &mut batch);
        }
        tokens += batch[counted..].iter().map(|run: &JoinedRun| run.tokens).sum::<usize>();
        counted = batch.len();
        if !is_end && batch.len() < BATCH_RUNS && tokens < BATCH_TOKENS {
            continue;
        }
        let rows: Vec<io::Result<SharedPassage>> =
            batch.par_iter().map_init(|| store.reader(), row).collect();
        for row in rows {
            sink.shared(row.map_err(temporary)?)?;
        }
        count += batch.len() as u64;
        watch.given(batch.len() as u64);
        watch.steps(batch.len() as u64)?;
        if is_end {
            return Ok(count);
        }
        batch.clear();
        (counted, tokens) = (0, 0);
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

fn row(reader: &mut DocumentReader<'_>, run: &JoinedRun) -> io::Result<SharedPassage> {
    let (a, b) = run.documents;
    reader.open(a)?;
    let a_place = reader.place(&run.a)?;
    let text = reader.text(&run.a)?;
    // Documents have fewer tokens than 2^31.
    let (tokens, changed) = (run.tokens as u32, run.changed() as u32);
    let a_tokens = reader.tokens() as u32;
    reader.open(b)?;
    let (b_place, b_tokens) = (reader.place(&run.b)?, reader.tokens() as u32);
    Ok(SharedPassage { a, b, tokens, changed, a_tokens, b_tokens, a_place, b_place, text })
}
