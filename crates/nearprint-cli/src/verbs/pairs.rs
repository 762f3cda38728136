//! `nearprint pairs`: all pairs of documents within a distance.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::PairRow;
use nearprint::report::{PairExamples, Report};
use nearprint::search::Expand;
use nearprint::{CollectionSettings, Inputs, Pairs, ResolvedQuestion};

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::promises::{say_found, say_open};
use crate::question::{QuestionArgs, print};
use crate::report::{is_page, report, write_page};
use crate::results::{ResultOptions, Results};
use crate::search_inputs::SearchInputOptions;
use crate::search_options::{SearchOptions, say_left_out};
use crate::talk::Talk;

/// Find all pairs of near-duplicates
///
/// Prints one line A TAB B TAB DISTANCE TAB SIMILARITY for each pair, in the order of the input. Fingerprints
/// (md1) propose candidates, the texts of the candidates are compared, and only similar pairs are reported.
///
/// Options of a fingerprint search (--scheme, -k, --similarity, --equal, --prints) report every match of fingerprints
/// instead, without a similarity. That search is exact, and standard error states how many false pairs to expect. Add
/// --verify to compare the texts with these options too.
///
/// --measure also takes the measures of words or characters of whole texts that compare knows, with a threshold of 0.8
/// unless another is given: jaccard-F, containment-F and dice-F, with F one of words, shingles-2 to shingles-8 and
/// chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs --idf) and edit (edit distance).
/// Fingerprints propose candidates for these too (wd1 for measures of words alone, else md1), but for most of them it
/// is not known which share of all such pairs they include; nearprint correlate measures it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint pairs reports
  nearprint pairs --threshold 0.8 reports
  nearprint pairs --measure containment --threshold 0.9 reports
  nearprint pairs --measure jaccard-words reports
  nearprint pairs --passages 5 reports
  nearprint pairs -k close --format jsonl reports archive
  nearprint pairs --prints -k 6 prints.txt
  nearprint pairs --prints=decimal numbers.txt
  nearprint pairs new --against archive
  nearprint pairs --measure containment new --against archive
  nearprint pairs --format csv --text content dump.jsonl.gz
  nearprint pairs --prints --equal star --max-pairs none --memory 4G --temp /var/tmp --explain all.prints")]
pub(crate) struct PairsArgs {
    /// Files, directories, quoted patterns, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Find only pairs of an INPUT document and a document of these files or directories (with --prints, fingerprint
    /// files), or of an index on disk (index:PATH)
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    /// Write pairs as they are found, in any order; saves 12 bytes of memory per pair
    #[arg(long, help_heading = "Work")]
    unsorted: bool,
    #[command(flatten)]
    question: QuestionArgs<Pairs>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    searched: SearchInputOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// examples side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl PairsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let searched = self.searched.with_scheme(self.question.question.scheme);
        let inputs = searched.inputs(&self.inputs)?;
        let (indexes, against) = searched.collection.against(&self.against, &searched.reading)?;
        let talk = Talk::new(searched.work.quiet, false);
        let question = self.question.question.resolve(searched.subject(&indexes))?;
        if self.question.dry_run {
            return print(&question.to_json(), self.output.output.as_deref());
        }
        Inputs::check_standard_input([&inputs, &against])?;
        let (scheme, references) = (question.scheme(), !self.against.is_empty());
        let one_set = !searched.are_documents() && !references;
        self.search.check_pairs(question.method(), one_set)?;
        refuse(&question, references, self.unsorted)?;
        let engine = searched.engine(Some(self.search.memory()));
        let mut collection =
            engine.collection(CollectionSettings { references, ..question.settings() });
        if let Some(candidates) = question.method().candidates() {
            let (all, shares) = (inputs.and(&against), collection.memory_shares());
            searched.announce(&engine, &all, candidates, shares, &talk)?;
        }
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).report(self.report.as_deref());
        outputs.check([&inputs, &against])?;
        searched.expect([&inputs, &against])?;
        let columns = &["A", "B", "DISTANCE", "SIMILARITY"];
        let mut out = Results::open::<PairRow>(file, self.output.format(), scheme, columns)?;
        let mut tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        if references {
            tally.add(&searched.read_references(&engine, &against, &mut collection, &talk)?);
            indexes.read_references(&mut collection)?;
        }
        let search = question
            .search(&collection)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report))
            .sorted_up_to((!self.unsorted).then_some(usize::MAX));
        let search = self.search.bound(search);
        let search = self.search.taught(search, collection.prints(), &talk)?;
        if self.search.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let page = self.report.as_deref().filter(|file| is_page(file));
        let mut examples = page.map(|_| PairExamples::new(references));
        let found = question.run(&collection, &search, |pair: PairRow| {
            if let Some(examples) = &mut examples {
                examples.push(&pair);
            }
            out.row(&pair)
        })?;
        out.finish()?;
        talk.clear();
        let are_documents = searched.are_documents();
        say_found(&talk, question.method(), are_documents, found.candidates, found.found);
        say_open(&talk, &found);
        let summary = tally.search_summary(&question, found.found);
        match (page, examples) {
            (Some(file), Some(mut examples)) => {
                let groups = examples.groups_mut();
                searched.read_examples(&engine, groups, file, &[&inputs, &against])?;
                write_page(file, &Report::of_pairs(inputs.names(), &summary, examples))?;
            }
            _ => report(self.report.as_deref(), summary, &talk)?,
        }
        Ok(conclude(&talk, &tally))
    }
}

/// Refuses options that a search of texts, or one between two sets, does not have.
fn refuse(
    question: &ResolvedQuestion<Pairs>,
    references: bool,
    unsorted: bool,
) -> Result<(), Failure> {
    let equal = question.question().equal;
    let text = if unsorted && question.method().candidates().is_some() {
        "--unsorted is for searches of fingerprints alone; add --no-verify"
    } else if references && equal.is_some_and(|equal| equal != Expand::AllPairs) {
        "--equal applies to the pairs of one set; between two sets (--against) all pairs are reported"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(text.to_owned()))
}
