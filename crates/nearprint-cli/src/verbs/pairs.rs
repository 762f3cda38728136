//! `nearprint pairs`: all pairs of documents within a distance.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::PairRow;
use nearprint::report::{PairExamples, Report};
use nearprint::{CollectionSettings, Inputs, Role};

use super::conclude;
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::report::{is_page, report, write_page};
use crate::results::{ResultOptions, Results};
use crate::searched::SearchedOptions;
use crate::searching::{PairOptions, SearchOptions, say_left_out};
use crate::talk::Talk;
use crate::verifying::{Asked, VerifyOptions, say_open};

/// Find all pairs of near-duplicates
///
/// Prints one line A TAB B TAB DISTANCE TAB SIMILARITY for each pair, in the order of the input. Fingerprints
/// (md1) propose candidates, the texts of the candidates are compared, and only similar pairs are reported.
///
/// Options of a fingerprint search (--scheme, -k, --close, --loose, --plan, --blocks, --unsorted, --equal, --prints)
/// report every match of fingerprints instead, without a similarity. That search is exact, and standard error states
/// how many false pairs to expect. Add --verify to compare the texts with these options too.
///
/// --verify also takes the measures of words or characters of whole texts that compare knows, with a threshold of 0.8
/// unless another is given: jaccard-F and containment-F, with F one of words, shingles-2 to shingles-8 and chars-2 to
/// chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs --idf) and edit (edit distance). Fingerprints
/// propose candidates for these too (wd1 for measures of words alone, else md1), but for most of them it is not known
/// which share of all such pairs they include; nearprint correlate measures it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint pairs reports
  nearprint pairs --threshold 0.8 reports
  nearprint pairs --verify=containment --threshold 0.9 reports
  nearprint pairs --verify=jaccard-words reports
  nearprint pairs --passages=5 reports
  nearprint pairs --close --format jsonl reports archive
  nearprint pairs --prints -k 6 prints.txt
  nearprint pairs --prints=decimal numbers.txt
  nearprint pairs new --against archive
  nearprint pairs --verify=containment new --against archive
  nearprint pairs --format csv --text content dump.jsonl.gz
  nearprint pairs --prints --equal star --max-pairs none --memory 4G --temp /var/tmp --explain all.prints")]
pub(crate) struct PairsArgs {
    /// Files, directories, quoted patterns, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    /// Find only pairs of an INPUT document and a document of these files or directories (with --prints, fingerprint
    /// files), or of an index on disk (index:PATH)
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    /// Write pairs as they are found, in any order; saves 12 bytes of memory per pair
    #[arg(long, conflicts_with = "verify", help_heading = "Search")]
    unsorted: bool,
    #[command(flatten)]
    given: PairOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    verify: VerifyOptions,
    /// Table of document frequencies of words, made by nearprint idf, for --verify=cosine-tfidf
    #[arg(long, value_name = "FILE", requires = "verify", help_heading = "Verification")]
    idf: Option<PathBuf>,
    /// Also report the N longest passages that both documents of a pair contain, or only one of them [default: 10]
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        help_heading = "Verification"
    )]
    passages: Option<usize>,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// examples side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl PairsArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.searched.inputs(&self.inputs)?;
        let searched = &self.searched;
        let (indexes, against) = searched.collection.against(&self.against, &searched.reading)?;
        let talk = Talk::new(self.searched.work.quiet, false);
        let way = self.verify.way(&Asked {
            without_texts: self.searched.without_texts().or(indexes.without_texts()),
            index: indexes.scheme(),
            scheme: self.searched.scheme(),
            distance: &self.distance,
            joins: true,
            search: &self.search,
            fingerprints: self.unsorted || self.given.is_given(),
            needs_texts: self.passages.map(|_| "--passages"),
            whole_texts: true,
            table: self.idf.as_deref(),
        })?;
        let (scheme, distance) = (way.scheme, way.distance);
        Inputs::check_standard_input([&inputs, &against])?;
        self.search.check(scheme, distance)?;
        let verifies = way.candidates.is_some();
        self.given.check(verifies, !self.against.is_empty(), &self.search)?;
        let engine = self.searched.engine(Some(self.search.memory()));
        let mut collection = engine.collection(CollectionSettings {
            texts: self.passages.is_some() || way.collection().texts,
            weak_bits: self.search.is_probabilistic(),
            references: !self.against.is_empty(),
            ..way.collection()
        });
        if let Some(candidates) = way.candidates {
            let (all, shares) = (inputs.and(&against), collection.memory_shares());
            self.searched.announce(&engine, &all, candidates, shares, &talk)?;
        }
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).report(self.report.as_deref());
        outputs.check([&inputs, &against])?;
        self.searched.expect([&inputs, &against])?;
        let columns = &["A", "B", "DISTANCE", "SIMILARITY"];
        let mut out = Results::open::<PairRow>(file, self.output.format(), scheme, columns)?;
        let mut tally = self.searched.read(&engine, &inputs, &mut collection, &talk)?;
        if !self.against.is_empty() {
            let read = self.searched.read_references(&engine, &against, &mut collection, &talk)?;
            tally.add(&read);
            indexes.read_into(&mut collection, Role::Reference)?;
        }
        let search = way
            .search()
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report))
            .sorted_up_to((!self.unsorted).then_some(usize::MAX));
        let search = collection.search(self.given.bound(self.search.bound(search)));
        let search = self.search.taught(search, collection.prints(), &talk)?;
        if self.search.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let page = self.report.as_deref().filter(|file| is_page(file));
        let mut examples = page.map(|_| PairExamples::new(!self.against.is_empty()));
        let found = collection.pairs(&search, self.passages, |pair: PairRow| {
            if let Some(examples) = &mut examples {
                examples.push(&pair);
            }
            out.row(&pair)
        })?;
        out.finish()?;
        talk.clear();
        way.say_found(&talk, found.candidates, found.found);
        say_open(&talk, &found);
        let summary = tally.search_summary(scheme, distance, found.found);
        match (page, examples) {
            (Some(file), Some(mut examples)) => {
                let groups = examples.groups_mut();
                self.searched.read_examples(&engine, groups, file, &[&inputs, &against])?;
                write_page(file, &Report::of_pairs(inputs.names(), &summary, examples))?;
            }
            _ => report(self.report.as_deref(), summary, &talk)?,
        }
        Ok(conclude(&talk, &tally))
    }
}
