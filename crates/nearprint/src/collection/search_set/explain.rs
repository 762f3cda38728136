//! What a search is about to do, told before it does it.

use std::fmt::Write;

use nearprint_search::{
    Groups, Join, MAX_QUERY_DISTANCE, Plan, PlanChoice, SketchSample, SketchSource,
};

use super::join::Sides;
use super::queries::INDEX;
use super::{Search, Sets};
use crate::engine::machine::free_space;
use crate::error::{Bytes, rounded};
use crate::store::print_set::{Prints, Word, with_words};
use crate::store::sketch_list::Both;
use crate::store::spill_file::SpillFile;
use crate::{Error, PrintSet};

impl Search<'_> {
    /// How the pairs of a set, or between two, would be found, with what memory, disk and time, and how many to expect,
    /// for a person to read.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, the plan or the memory do not suffice, or the sets are of two
    /// schemes.
    pub fn explain<'s>(&self, sets: impl Into<Sets<'s>>) -> Result<String, Error> {
        self.explain_sides(sets.into().sides()?)
    }

    /// How so many queries of this set would be answered, for a person to read.
    #[must_use]
    pub fn explain_queries(&self, set: &PrintSet, queries: usize) -> String {
        let indexed = queries > 1
            && !matches!(set.prints(), Prints::Sketches(_))
            && self.distance <= MAX_QUERY_DISTANCE
            && self.plan != PlanChoice::BruteForce;
        let how = if let Some(bands) = self.query_bands(set, queries) {
            let least = self.similarity_sought();
            format!(
                "by bands {bands}, which find {:.4} of the pairs with similarity {least:.2}, and \
                    more of more similar ones",
                bands.chance(least)
            )
        } else if self.is_planned() {
            "by a join of queries and fingerprints with the plan named".to_owned()
        } else if !indexed {
            "by comparing every fingerprint".to_owned()
        } else {
            let index = set.len() as u64 * INDEX;
            match self.memory {
                Some(allowed) if allowed.saturating_sub(set.memory()) < index => {
                    "by a join of queries and fingerprints, because an index would not fit in \
                        memory"
                        .to_owned()
                }
                _ => format!("by an index in memory of up to {}", Bytes(index)),
            }
        };
        format!("prints    {}\nqueries   {queries}\nanswered  {how}", set.len())
    }

    fn explain_sides(&self, sides: Sides<'_>) -> Result<String, Error> {
        match (sides.left.prints(), sides.right.map(PrintSet::prints)) {
            (Prints::Sketches(sketches), None) => return self.explain_sketches(sides, sketches),
            (Prints::Sketches(left), Some(Prints::Sketches(right))) => {
                return self.explain_sketches(sides, &Both(left, right));
            }
            _ => {}
        }
        let parts = if self.most_sorted.is_some() { 2 } else { 1 };
        let held = sides.memory();
        let memory = self.beside(held, parts)?.map(|bytes| bytes / parts);
        let mut text = with_words!(
            sides.left.prints(),
            words => self.explain_words(words, sides, memory)?,
            else return Err(Error::NotSearchable { scheme: sides.left.scheme() })
        );
        let why = match (&self.learned_join, &self.plan) {
            (Some(join), _) => {
                format!("as requested instead of this plan, which finds all: {join}")
            }
            (None, PlanChoice::Auto) => {
                "the cheapest by the cost model for this number of fingerprints, their skew and \
                    this machine"
                    .to_owned()
            }
            (None, choice) => format!("as requested: {choice}"),
        };
        let allowed = match self.memory {
            Some(allowed) => format!("{} allowed, ", Bytes(allowed)),
            None => String::new(),
        };
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "\nwhy       {why}\nmemory    {allowed}{} used by fingerprints and ids",
            Bytes(held)
        );
        Ok(text)
    }

    fn explain_sketches(
        &self,
        sides: Sides<'_>,
        sketches: &dyn SketchSource,
    ) -> Result<String, Error> {
        let bands = self.bands_for(sketches)?;
        let sample = SketchSample::of(sketches)?;
        let candidates = self.in_pool(|| sample.candidates(bands))?;
        let chances: Vec<String> = (1..=9)
            .map(|tenth| {
                let similarity = f64::from(tenth) / 10.0;
                format!("{similarity:.1}: {:.4}", bands.chance(similarity))
            })
            .collect();
        let why = match (self.bands, self.recall, self.proposed) {
            _ if self.compares_all() => "all are compared, as requested".to_owned(),
            (Some(_), ..) => "as requested".to_owned(),
            (None, Some(recall), _) => {
                let sought = self.similarity_sought();
                format!(
                    "the cheapest by a sample that find {recall} of the pairs with similarity \
                        {sought:.2}"
                )
            }
            (None, None, Some(_)) => "chosen from the measure and the threshold".to_owned(),
            (None, None, None) => "from the number of sketches".to_owned(),
        };
        let (sets, disk) = match sides.right {
            None => (format!("{}", sides.len()), sides.left.on_disk()),
            Some(right) => {
                let sets = format!("{} with {}", sides.left.len(), right.len());
                (sets, sides.left.on_disk() + right.on_disk())
            }
        };
        let bound = match self.bucket.filter(|_| !self.compares_all()) {
            Some(most) => format!("at most {} for each value of a band", rounded(most as f64)),
            None => "without a bound".to_owned(),
        };
        let allowed = match self.memory {
            Some(allowed) => format!("{} allowed, ", Bytes(allowed)),
            None => String::new(),
        };
        Ok(format!(
            "sketches  {sets}\nbands     {bands}\nwhy       {why}\ncurve     probability of being found by similarity: {}\n\
             expected  about {} candidates, counted for each band, {bound}\n\
             disk      {} hold sketches\nmemory    {allowed}{} used by fingerprints and ids",
            chances.join(", "),
            rounded(candidates),
            Bytes(disk),
            Bytes(sides.memory())
        ))
    }

    /// Of sets whose words are as wide as those of `like`.
    fn explain_words<W: Word>(
        &self,
        like: &[W],
        sides: Sides<'_>,
        memory: Option<u64>,
    ) -> Result<String, Error> {
        let _ = like;
        if self.fits::<W>(sides, memory) {
            self.explain_in_memory::<W>(sides)
        } else {
            self.explain_on_disk::<W>(sides, memory)
        }
    }

    fn explain_in_memory<W: Word>(&self, sides: Sides<'_>) -> Result<String, Error> {
        let words = |set: &PrintSet| W::of(set.prints()).map(Groups::of).transpose();
        let join = self.planned();
        let Some(right) = sides.right else {
            let Some(groups) = self.in_pool(|| words(sides.left))?? else {
                return Ok(String::new());
            };
            let explanation = self.in_pool(|| join.explain(&groups))??;
            return Ok(explanation.to_string());
        };
        let larger = if right.len() > sides.left.len() { right } else { sides.left };
        let Some(groups) = self.in_pool(|| words(larger))?? else { return Ok(String::new()) };
        let explanation = self.in_pool(|| join.explain(&groups))??;
        let forecast = self.forecast::<W>(sides, None, self.expand)?;
        Ok(format!(
            "prints    {} with {} of {} bits\nplan      {}\nsearch    about {:.2} s\nexpected  about {} pairs between the two",
            sides.left.len(),
            right.len(),
            explanation.plan.width(),
            explanation.plan,
            explanation.seconds,
            rounded(forecast.pairs)
        ))
    }

    /// Bytes of the temporary file that a search of so many prints as those of `like` uses at most, within its memory;
    /// none where it needs none.
    pub(crate) fn disk(&self, like: &PrintSet, prints: u64) -> Result<u64, Error> {
        with_words!(
            like.prints(),
            words => self.disk_of_words(words, prints),
            else Ok(0)
        )
    }

    fn disk_of_words<W: Word>(&self, like: &[W], prints: u64) -> Result<u64, Error> {
        let _ = like;
        let least = Join::least_memory::<W>(usize::try_from(prints).unwrap_or(usize::MAX));
        if self.memory.is_none_or(|bytes| least <= bytes) {
            return Ok(0);
        }
        Ok(self.spilling::<W>(prints, self.memory)?.1)
    }

    /// The plan of a join on disk, and bytes of its file.
    fn spilling<W: Word>(&self, prints: u64, memory: Option<u64>) -> Result<(Plan, u64), Error> {
        let directory = self.directory();
        let mut file = SpillFile::create(&directory).map_err(Error::TemporaryFile)?;
        let join = match memory {
            Some(bytes) => self.planned().memory(bytes),
            None => self.planned(),
        };
        let spilling = join.spilling::<W>(prints, &mut file)?;
        Ok((spilling.plan().clone(), spilling.disk(prints)))
    }

    fn explain_on_disk<W: Word>(
        &self,
        sides: Sides<'_>,
        memory: Option<u64>,
    ) -> Result<String, Error> {
        let directory = self.directory();
        let prints = sides.len() as u64;
        let (plan, disk) = self.spilling::<W>(prints, memory)?;
        let forecast = self.forecast::<W>(sides, None, self.expand)?;
        let free = match free_space(&directory) {
            Some(free) => format!(", {} are free", Bytes(free)),
            None => String::new(),
        };
        Ok(format!(
            "prints {prints} of {} bits, more than fit in memory\nplan      {}\ndisk      up to {} in {}{free}\nexpected  about {} pairs",
            W::WIDTH,
            plan,
            Bytes(disk),
            directory.display(),
            rounded(forecast.pairs)
        ))
    }
}
