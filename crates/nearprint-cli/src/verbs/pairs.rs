//! `nearprint pairs`: all pairs of documents within a distance.

use std::path::PathBuf;

use clap::Args;
use nearprint::Search;
use nearprint::fingerprint::Scheme;
use nearprint::records::PairRow;

use super::{caution, conclude, report};
use crate::ending::{Ending, Failure};
use crate::inputs::{SearchedOptions, expanded, read_once};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::searching::{PairOptions, SearchOptions, say_left_out};
use crate::talk::{Talk, counted};
use crate::verifying::VerifyOptions;

/// Find all pairs of near-duplicates: one line A TAB B TAB DISTANCE for each
///
/// Each pair comes once, in the order of the input. The search is exact; whether two documents whose prints are near
/// are duplicates is another question, and standard error says how many false pairs to expect. With --verify their texts
/// are compared: the lines have the similarity as a fourth column, and only what is similar is given out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint pairs reports
  nearprint pairs --verify reports
  nearprint pairs --verify=containment --at 0.9 reports
  nearprint pairs --verify --passages=5 reports
  nearprint pairs --close --format jsonl reports archive
  nearprint pairs --prints -k 6 prints.txt
  nearprint pairs --prints=decimal numbers.txt
  nearprint pairs new --against archive
  nearprint pairs --verify=containment new --against archive
  nearprint pairs --format csv --text content dump.jsonl.gz
  nearprint pairs --prints --equal star --max-pairs none --memory 4G --temp /var/tmp --explain all.prints")]
pub(crate) struct PairsArgs {
    /// Files, directories, or - for standard input; with --prints, files of prints
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    /// Find only pairs of one document of the INPUTs and one of these: files or directories, or with --prints files of prints
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    /// Write pairs as they are found, in any order, without holding them, 12 bytes each
    #[arg(long, conflicts_with = "verify", help_heading = "Search")]
    unsorted: bool,
    #[command(flatten)]
    given: PairOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    verify: VerifyOptions,
    /// With --verify, give the passages that both documents of a pair have or only one, in their order: of each pair the N longest, 10
    /// where no number is given
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        requires = "verify",
        help_heading = "Verification"
    )]
    passages: Option<usize>,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl PairsArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        expanded(&mut self.inputs)?;
        expanded(&mut self.against)?;
        let talk = Talk::new(self.searched.work.quiet, false);
        let scheme = self.searched.scheme_or(self.verify.scheme());
        let distance = match self.verify.candidates_within(scheme) {
            Some(distance) if !self.distance.is_given() => distance,
            _ => self.distance.of_join(scheme)?,
        };
        self.check(scheme, distance)?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        self.searched.check_outputs(outputs, self.inputs.iter().chain(&self.against))?;
        self.searched.expect(self.inputs.iter().chain(&self.against))?;
        let mut out = Results::open::<PairRow>(file, self.output.format, scheme)?;
        let bands = self.verify.bands(scheme)?;
        let verification = self.verify.verification();
        let memory = self.search.memory();
        let mut store = self.verify.store(&self.search);
        let mut texts = self.passages.map(|_| self.verify.texts(&self.search));
        let for_features = match verification {
            Some(_) => self.verify.memory(&self.search) * (1 + u64::from(texts.is_some())),
            None => 0,
        };
        let sets = if self.against.is_empty() { 1 } else { 2 };
        let empty = || self.search.set(scheme, memory - for_features, sets);
        let (set, mut tally) = match verification {
            Some(verification) => self.searched.gather_features(
                self.searched.documents(&self.inputs, &talk)?,
                empty(),
                verification,
                &mut store,
                texts.as_mut(),
                &talk,
            )?,
            None => {
                let weak_bits = self.search.is_probabilistic();
                self.searched.gather(&self.inputs, empty(), weak_bits, &talk)?
            }
        };
        let mut against = None;
        if !self.against.is_empty() {
            let (other, of_other) = match verification {
                Some(verification) => self.searched.gather_features(
                    self.searched.documents_beside(&self.against)?,
                    empty(),
                    verification,
                    &mut store,
                    texts.as_mut(),
                    &talk,
                )?,
                None => self.searched.gather_beside(&self.against, empty(), &talk)?,
            };
            tally.add(&of_other);
            against = Some(other);
        }
        let search = Search::within(distance)
            .bands(bands)
            .threads(self.searched.work.threads)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report))
            .sorted_up_to((!self.unsorted).then_some(usize::MAX));
        let search = self.given.bound(self.search.bound(search, memory - for_features));
        let search = self.search.taught(search, &set, &talk)?;
        if self.search.explain {
            let text = match &against {
                Some(other) => search.explain_between(&set, other)?,
                None => search.explain(&set)?,
            };
            talk.say(text.trim_end());
        }
        let found = match (verification, &against) {
            (Some(verification), against) => {
                let texts = texts.as_ref().zip(self.passages);
                let take = |pair: PairRow| out.row(&pair);
                let (candidates, found) = match (against, texts) {
                    (Some(other), texts) => search.verified_pairs_between(
                        (&set, other),
                        &store,
                        texts,
                        verification,
                        take,
                    )?,
                    (None, Some(texts)) => {
                        search.explained_pairs(&set, &store, texts, verification, take)?
                    }
                    (None, None) => search.verified_pairs(&set, &store, verification, take)?,
                };
                let candidates = counted(candidates, "candidate");
                talk.say(format_args!("nearprint: {found} of {candidates} of {scheme} verified"));
                found
            }
            (None, Some(other)) => search.pairs_between(&set, other, |pair| out.row(&pair))?,
            (None, None) => search.pairs(&set, |pair| out.row(&pair))?,
        };
        out.finish()?;
        talk.clear();
        if found > 0 && verification.is_none() {
            caution(&talk, scheme, distance);
        }
        report(self.report.as_deref(), tally.search_summary(scheme, distance, found), &talk)?;
        Ok(conclude(&talk, &tally))
    }

    /// What can be refused before anything is read.
    fn check(&self, scheme: Scheme, distance: u32) -> Result<(), Failure> {
        let against = self.against.iter().map(PathBuf::as_path);
        read_once(self.searched.named(&self.inputs).chain(against))?;
        self.search.check(scheme, distance)?;
        let text = if !self.given.all() && self.verify.verification().is_some() {
            "--equal chooses among pairs of equal prints; with --verify all pairs are verified and given out"
        } else if self.against.is_empty() {
            return Ok(());
        } else if !self.given.all() {
            "--equal chooses among the pairs of one set; between two sets (--against) all are given out"
        } else if self.search.is_probabilistic() {
            "--plan probabilistic searches one set; give it without --against"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(text.to_owned()))
    }
}
