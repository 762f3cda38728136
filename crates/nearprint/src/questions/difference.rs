//! What became of a collection: two editions of it compared, document by document.
//!
//! Documents are matched by id first: of a crawl by their addresses, of files by their paths below the directory that
//! was named. Those left over on both sides are matched by content: documents of the same bytes, whether they have a
//! text or not; else prints propose pairs, and the texts' exact similarity decides, the most similar first. What is
//! then left is gone, or new. A revisit of an archive is a document with the content of the capture that it refers to.

mod contents;
mod edition;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use nearprint_fingerprint::{Scheme, UnlikeSchemes};
use nearprint_records::{DifferenceKind, DifferenceRow, FingerprintRecord};
use nearprint_search::Measure;

use crate::questions::options::options;
use crate::questions::{QuestionError, json};
use crate::{
    Dedup, Documents, Engine, Error, Filter, Inputs, InputsError, Parts, Pipeline, PrintSet,
    Sameness, Search, Tally, TextRequest, Verification,
};

use contents::{Content, Contents};
pub use edition::{AddressedSource, Edition};

options! {
    /// How two editions are compared.
    ///
    /// ```
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Diff, Engine, Error, Settings};
    ///
    /// let edition = |pages: &[(&str, &str)]| -> Result<_, Error> {
    ///     let mut source = pages.iter().map(|(id, text)| {
    ///         Ok::<_, ErrorRecord>(Document::from_bytes(DocumentId::new(*id).unwrap(), *text))
    ///     });
    ///     let difference = Diff::default();
    ///     let engine = Engine::default();
    ///     let pipeline = engine.pipeline(Settings::default().scheme(difference.scheme()));
    ///     let mut edition = difference.edition(&engine);
    ///     pipeline.read(&mut source, &difference.wanted(), |record, made, arrival| {
    ///         edition.push(record, made.and_then(|made| made.features), arrival.digest)
    ///     })?;
    ///     Ok(edition)
    /// };
    /// let old = edition(&[("/a", "Fog came in at noon."), ("/b", "It rained all week long."), ("/c", "Bells rang in the dusk.")])?;
    /// let new = edition(&[("/a", "Fog came in at noon."), ("/e", "Bells rang in the dusk."), ("/d", "The mill stood still.")])?;
    /// let mut found = Vec::new();
    /// Diff::default().compare(&old, &new, |search| search, |row| {
    ///     found.push(format!("{} {}", row.kind, row.id));
    ///     Ok::<_, Error>(())
    /// })?;
    /// assert_eq!(found, ["identical /a", "moved /e", "new /d", "gone /b"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub struct Diff as "diff" {
        /// Minimum Jaccard similarity of the texts, 0 to 1, for changed-little rather than changed-much, and for
        /// matching by content
        threshold: f64 = 0.7,
        /// Omit identical documents
        changes: bool = false,
    }
}

/// How many documents there are of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DifferenceCounts(HashMap<DifferenceKind, u64>);

impl DifferenceCounts {
    /// Documents of a kind.
    #[must_use]
    pub fn of(&self, kind: DifferenceKind) -> u64 {
        self.0.get(&kind).copied().unwrap_or(0)
    }

    /// Each kind that there is, with its number of documents, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (DifferenceKind, u64)> {
        self.0.iter().map(|(&kind, &count)| (kind, count))
    }
}

impl Diff {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value.
    pub fn resolve(&self) -> Result<Self, QuestionError> {
        self.check()?;
        Ok(self.clone())
    }

    /// The question as JSON: one object with the name of the question, in it the options that are set.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// The scheme of the prints by which documents are matched by content.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        Scheme::MD1
    }

    fn verification(&self) -> Verification {
        Verification::new(Measure::Jaccard).at(self.threshold).evidence(false)
    }

    /// What of each text is compared: to be taken where the text is at hand, and given to [`Edition::push`].
    #[must_use]
    pub fn wanted(&self) -> TextRequest {
        TextRequest { digest: true, ..self.verification().into() }
    }

    /// Room for one of two editions within the engine's memory: features beyond an eighth of it go to a temporary file.
    #[must_use]
    pub fn edition(&self, engine: &Engine) -> Edition {
        Edition::new(self.scheme(), engine)
    }

    /// All documents of a collection as an edition, known by their ids.
    ///
    /// # Errors
    /// Where their scheme is another one, or features and digests of their texts are not kept; where they cannot be
    /// read; and as for [`Edition::push`].
    pub fn edition_of(&self, documents: &dyn Documents, engine: &Engine) -> Result<Edition, Error> {
        UnlikeSchemes::check(self.scheme(), documents.scheme())?;
        let wanted = Parts::default().features(self.verification()).digests().words();
        let mut edition = self.edition(engine);
        documents.for_each(&wanted, Filter::all(), |document| {
            let (record, features) = document.into_record();
            edition.push(record, features, None)
        })?;
        Ok(edition)
    }

    /// Reads an edition: one path, whose documents are known by their address or by their path below it. Records come
    /// to `watch`, but for those of revisits, which the tally does not count as documents either.
    ///
    /// # Errors
    /// Where the inputs are refused, a fingerprint is of another scheme, or a temporary file fails.
    pub fn read<E: From<Error> + From<InputsError>>(
        &self,
        pipeline: &Pipeline<'_>,
        inputs: &Inputs,
        mut watch: impl FnMut(&FingerprintRecord),
    ) -> Result<(Edition, Tally), E> {
        let inputs = inputs.clone().with_revisits();
        let mut source = AddressedSource::new(inputs.source()?, inputs.only_path()?);
        let mut edition = self.edition(pipeline.engine());
        let mut tally = pipeline.read(&mut source, &self.wanted(), |record, made, arrival| {
            if !record.is_revisit() {
                watch(&record);
            }
            edition.push(record, made.and_then(|made| made.features), arrival.digest)
        })?;
        // The pipeline saw no text of these.
        let revisits = edition.revisits().len() as u64;
        tally.documents -= revisits;
        tally.without_fingerprint -= revisits;
        Ok((edition, tally))
    }

    /// Gives a row for each document of `new`, in its order (for changes alone, without identical ones), and then one
    /// for each of `old` that is gone. A revisit beside another capture of its address has a row only where the other
    /// edition has a capture for it, too. Where what a revisit refers to is in neither edition, the word of whoever
    /// made the archive counts: *identical*, without a similarity. The search takes half of the memory of the new
    /// edition's engine; `bounded` may bound it further.
    ///
    /// # Errors
    /// Those of the search, of temporary files, and of `take`.
    pub fn compare<'w, E: From<Error>>(
        &self,
        old: &Edition,
        new: &Edition,
        bounded: impl FnOnce(Search<'w>) -> Search<'w>,
        mut take: impl FnMut(DifferenceRow) -> Result<(), E>,
    ) -> Result<DifferenceCounts, E> {
        let by_id = by_id(old, new);
        let mut matched: Vec<Option<(u32, DifferenceKind, Option<f64>)>> = vec![None; new.len()];
        let mut is_gone = vec![true; old.len()];
        by_id.iter().flatten().for_each(|&of| is_gone[of as usize] = false);
        let mut is_new: Vec<bool> = by_id.iter().map(Option::is_none).collect();
        let (olds, news) = (Contents::new(old, new), Contents::new(new, old));
        olds.pass_over_repeated(&mut is_gone);
        news.pass_over_repeated(&mut is_new);
        for (number, of) in by_id.iter().enumerate() {
            let Some(of) = *of else { continue };
            let (kind, similarity) = self.verdict(&olds, of as usize, &news, number)?;
            matched[number] = Some((of, kind, similarity));
        }
        let moved = self.by_content([(&olds, &is_gone), (&news, &is_new)], bounded)?;
        for &(of, number, similarity) in &moved {
            is_gone[of as usize] = false;
            matched[number as usize] = Some((of, DifferenceKind::Moved, Some(similarity)));
        }
        let mut counts = DifferenceCounts::default();
        let mut give = |row: DifferenceRow| {
            *counts.0.entry(row.kind).or_default() += 1;
            let is_omitted = self.changes && row.kind == DifferenceKind::Identical;
            if is_omitted { Ok(()) } else { take(row) }
        };
        for (number, found) in matched.iter().enumerate() {
            let row = match *found {
                None if is_new[number] => DifferenceRow::new(DifferenceKind::New, new.id(number)),
                None => continue,
                Some((of, kind, similarity)) => {
                    let mut row = DifferenceRow::new(kind, new.id(number));
                    (row.old_id, row.similarity) = (Some(old.id(of as usize)), similarity);
                    let contents = olds.content(of as usize).zip(news.content(number));
                    if let Some((one, other)) = contents.filter(|_| similarity.is_some()) {
                        row.contradicts = self.contradictions(one, other)?;
                    }
                    row
                }
            };
            give(row)?;
        }
        for number in (0..old.len()).filter(|&number| is_gone[number]) {
            let id = old.id(number);
            let mut row = DifferenceRow::new(DifferenceKind::Gone, id.clone());
            row.old_id = Some(id);
            give(row)?;
        }
        Ok(counts)
    }

    /// What became of a document of which both editions have one of the same id.
    fn verdict(
        &self,
        olds: &Contents<'_>,
        a: usize,
        news: &Contents<'_>,
        b: usize,
    ) -> Result<(DifferenceKind, Option<f64>), Error> {
        let (Some(one), Some(other)) = (olds.content(a), news.content(b)) else {
            let kind = if olds.have_same_payload(a, news, b) {
                DifferenceKind::Identical
            } else {
                DifferenceKind::NotCompared
            };
            return Ok((kind, None));
        };
        let Some(similarity) = self.similarity(one, other)? else {
            return Ok((DifferenceKind::NotCompared, None));
        };
        let kind = match one.sameness(other) {
            Some(Sameness::Identical) => DifferenceKind::Identical,
            Some(Sameness::SameWords) => DifferenceKind::SameWords,
            _ if similarity >= self.threshold => DifferenceKind::ChangedLittle,
            _ => DifferenceKind::ChangedMuch,
        };
        Ok((kind, Some(similarity)))
    }

    /// The similarity of two documents; `None` where one has no text and their bytes are not the same.
    fn similarity(&self, one: Content<'_>, other: Content<'_>) -> Result<Option<f64>, Error> {
        if one.sameness(other) == Some(Sameness::Identical) {
            return Ok(Some(1.0));
        }
        let (Some(one), Some(other)) = (one.features()?, other.features()?) else {
            return Ok(None);
        };
        Ok(Some(self.verification().similarity(&one, &other)))
    }

    /// What contradicts between two documents, if anything does.
    fn contradictions(
        &self,
        one: Content<'_>,
        other: Content<'_>,
    ) -> Result<Option<String>, Error> {
        if one.sameness(other) == Some(Sameness::Identical) {
            return Ok(None);
        }
        let (Some(one), Some(other)) = (one.features()?, other.features()?) else {
            return Ok(None);
        };
        Ok(self.verification().differences(&one, &other).contradictions().text())
    }

    /// Pairs (old, new, similarity) of documents that are left of both editions, each once.
    fn by_content<'w>(
        &self,
        [(olds, is_gone), (news, is_new)]: [(&Contents<'_>, &[bool]); 2],
        bounded: impl FnOnce(Search<'w>) -> Search<'w>,
    ) -> Result<Vec<(u32, u32, f64)>, Error> {
        let left = |contents: &Contents<'_>, is_left: &[bool]| {
            let mut set = PrintSet::new(self.scheme());
            let mut numbers = Vec::new();
            for (number, _) in is_left.iter().enumerate().filter(|(_, is_left)| **is_left) {
                let content = contents.content(number);
                if let Some(print) = content.map(Content::print).transpose()?.flatten() {
                    set.push_numbered(&print)?;
                    numbers.push(number as u32);
                }
            }
            Ok::<_, Error>((set, numbers))
        };
        let mut found = same_bytes([(olds, is_gone), (news, is_new)]);
        let (one, numbers) = left(olds, is_gone)?;
        let (other, new_numbers) = left(news, is_new)?;
        let engine = news.engine();
        let settings = Dedup::default().scheme(self.scheme()).threshold(self.threshold);
        let search = settings.search().on(engine).sorted_up_to(Some(usize::MAX));
        let search = search.memory(Some(engine.settings().memory / 2));
        let are_compared = !numbers.is_empty() && !new_numbers.is_empty();
        let search = are_compared.then(|| bounded(search).candidates_between(&one, &other));
        for pair in search.transpose()?.into_iter().flatten() {
            let (a, b) = (numbers[pair.a as usize], new_numbers[pair.b as usize]);
            let (Some(one), Some(other)) = (olds.content(a as usize), news.content(b as usize))
            else {
                continue;
            };
            let similarity = self.similarity(one, other)?;
            if let Some(similarity) = similarity.filter(|&similarity| similarity >= self.threshold)
            {
                found.push((a, b, similarity));
            }
        }
        // The most similar first; of equal ones those that come first.
        found.sort_by(|x, y| y.2.total_cmp(&x.2).then((x.1, x.0).cmp(&(y.1, y.0))));
        let (mut of_old, mut of_new) = (vec![false; is_gone.len()], vec![false; is_new.len()]);
        found.retain(|&(a, b, _)| {
            let free = !of_old[a as usize] && !of_new[b as usize];
            if free {
                (of_old[a as usize], of_new[b as usize]) = (true, true);
            }
            free
        });
        Ok(found)
    }
}

/// Pairs (old, new, 1.0) of documents that are left of both editions and have the same bytes, each once.
fn same_bytes(
    [(olds, is_gone), (news, is_new)]: [(&Contents<'_>, &[bool]); 2],
) -> Vec<(u32, u32, f64)> {
    let mut left: HashMap<&[u8; 32], Vec<u32>> = HashMap::new();
    for number in (0..is_gone.len()).filter(|&number| is_gone[number]).rev() {
        if let Some(digest) = olds.content(number).and_then(Content::bytes) {
            left.entry(digest).or_default().push(number as u32);
        }
    }
    let pair = |number: usize| {
        let of = left.get_mut(news.content(number)?.bytes()?)?.pop()?;
        Some((of, number as u32, 1.0))
    };
    (0..is_new.len()).filter(|&number| is_new[number]).filter_map(pair).collect()
}

/// For each document of `new` the one of `old` that has its id: where several have, the first of one side is that of
/// the other.
fn by_id(old: &Edition, new: &Edition) -> Vec<Option<u32>> {
    let mut known: HashMap<&str, Vec<u32>> = HashMap::with_capacity(old.len());
    for number in (0..old.len()).rev() {
        known.entry(old.id_text(number)).or_default().push(number as u32);
    }
    (0..new.len()).map(|number| known.get_mut(new.id_text(number)).and_then(Vec::pop)).collect()
}
