//! `nearprint pairs` and `nearprint prints pairs`: all pairs of near-duplicates, or of fingerprints within a distance.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::PairRow;
use nearprint::report::{PairExamples, Report};
use nearprint::search::Expand;
use nearprint::{FieldValues, Inputs, Pairs, SearchCounts};

use super::conclude;
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::groups::{Group, OfDocuments, OfPrints};
use crate::indexes::Indexes;
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::promises::{say_evidence, say_found, say_open, say_short};
use crate::question::{QuestionArgs, print};
use crate::report::{is_page, report, write_page};
use crate::results::{ResultOptions, Results};
use crate::search_inputs::SearchInputs;
use crate::search_options::say_left_out;
use crate::talk::Talk;

/// Find all pairs of near-duplicates
///
/// Prints one line A TAB B TAB DISTANCE TAB SIMILARITY for each pair, in the order of the input. Fingerprints
/// (md1) propose candidates, the texts of the candidates are compared, and only similar pairs are reported. DISTANCE is
/// that of md1, in how many of 128 positions they differ; compare prints that of sd1 unless --scheme names another.
///
/// --measure also takes the measures of words or characters of whole texts that compare knows, with a threshold of 0.8
/// unless another is given: jaccard-F, containment-F and dice-F, with F one of words, shingles-2 to shingles-8 and
/// chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs --idf) and edit (edit distance).
/// Fingerprints propose candidates for these too (wd1 for measures of words alone, else md1), but for most of them it
/// is not known which share of all such pairs they include; nearprint prints correlate measures it.
///
/// Of an index, the features that it keeps are compared, and no document is read. Fingerprints alone are compared by
/// nearprint prints pairs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint pairs reports
  nearprint pairs --threshold 0.8 reports
  nearprint pairs new --against archive
  nearprint pairs --measure containment --threshold 0.9 reports
  nearprint pairs --measure jaccard-words reports
  nearprint pairs --passages 5 reports
  nearprint pairs --measure containment new --against archive
  nearprint pairs --format csv --read text=content dump.jsonl.gz
  nearprint pairs --where 'date>=20260101' --not-same host index:crawl.index")]
pub(crate) struct PairsArgs {
    /// Files, directories, quoted patterns, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: PairsOptions<OfDocuments>,
}

/// Find all pairs of fingerprints within a distance
///
/// Prints one line A TAB B TAB DISTANCE for each pair, in the order of the input. The search for simhashes is exact;
/// sketches (md1, wd1) are searched by bands, which may miss pairs (--search recall), unless --search plan=brute-force
/// compares all. Standard error states how many false pairs to expect. The scheme is that of the fingerprints.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints pairs prints.txt
  nearprint prints pairs -k 6 prints.txt
  nearprint fingerprint --scheme sl1 reports | nearprint prints pairs -k 8 -
  nearprint prints pairs --read format=decimal numbers.txt
  nearprint prints pairs new.prints --against old.prints
  nearprint prints pairs --search equal=star --search max-pairs=none --search explain --limit memory=4G all.prints
  nearprint prints pairs -k 3 index:crawl.index")]
pub(crate) struct PrintsPairsArgs {
    /// Fingerprint files, - for standard input, or an index on disk (index:PATH, or its directory)
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    options: PairsOptions<OfPrints>,
}

impl PairsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(&self.inputs)
    }
}

impl PrintsPairsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        self.options.run(&self.inputs)
    }
}

#[derive(Debug, Args)]
struct PairsOptions<G: Group> {
    /// Find only pairs of an INPUT and one of these, which are named as INPUTs are
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    conditions: WhereOption,
    /// Leave out pairs of an index whose documents have the same value of this field of their metadata
    #[arg(long, value_name = "FIELD", help_heading = "Input")]
    not_same: Option<String>,
    #[command(flatten)]
    question: QuestionArgs<Pairs, G>,
    #[command(flatten)]
    searched: G::Options,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON, or if its name ends in .html as a page with plots and
    /// examples side by side, for which some documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl<G: Group> PairsOptions<G> {
    fn run(self, inputs: &[PathBuf]) -> Result<ExitStatus, Failure> {
        let (among, inputs) = Indexes::among(inputs)?;
        let named = self.question.question.scheme;
        let searched: SearchInputs = self.searched.into();
        let searched = searched.with_scheme(named);
        let inputs = searched.inputs(&inputs)?;
        let (indexes, against) = searched.collection.against(&self.against, &searched.reading)?;
        Inputs::check_standard_input([&inputs, &against])?;
        let searched = searched.opened(&inputs)?;
        let filter = self.conditions.filter_of(&among, &inputs)?;
        let talk = Talk::new(searched.work.level(), false);
        let subject = searched.subject(&[&among, &indexes])?;
        let question = self.question.resolve(|question| question.resolve(subject))?;
        let file = self.output.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let (scheme, references) = (question.scheme(), !self.against.is_empty());
        let search_options = &self.question.search;
        let one_set = !searched.are_documents() && !references;
        search_options.check_pairs(question.method(), one_set)?;
        if references && question.question().equal.is_some_and(|equal| equal != Expand::AllPairs) {
            let text = "--search equal applies to the pairs of one set; between two sets (--against) all pairs are \
                reported";
            return Err(Failure::Usage(text.to_owned()));
        }
        let values = match (&self.not_same, among.only().filter(|_| inputs.is_empty())) {
            (Some(field), Some(index)) => FieldValues::read(index, field, &filter)?,
            (Some(_), None) => {
                let text =
                    "--not-same is about the documents of an index; name it alone, as index:PATH";
                return Err(Failure::Usage(text.to_owned()));
            }
            (None, _) => FieldValues::default(),
        };
        let engine = searched.engine();
        let mut settings = question.settings();
        settings.references = references;
        let mut collection = engine.collection(settings);
        if let Some(candidates) = question.method().candidates() {
            let (all, shares) = (inputs.and(&against), collection.memory_shares());
            searched.announce(&engine, &all, candidates, shares, &talk)?;
        }
        let outputs = Outputs::new(self.output.force).rows(file).report(self.report.as_deref());
        outputs.check([&inputs, &against])?;
        searched.expect([&inputs, &against])?;
        let columns = &["A", "B", "DISTANCE", "SIMILARITY", "DUPLICATE"];
        let mut out = Results::open::<PairRow>(file, self.output.format(), scheme, columns)?;
        let mut tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        among.read_into(&mut collection, &filter)?;
        if references {
            tally.add(&searched.read_references(&engine, &against, &mut collection, &talk)?);
            indexes.read_references(&mut collection)?;
        }
        let search = question
            .search(&collection)
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report))
            .sorted_up_to((!search_options.unsorted).then_some(usize::MAX));
        let search = search_options.bound(search);
        let search = search_options.taught(search, collection.prints(), &talk)?;
        if search_options.explain {
            talk.say(collection.explain(&search)?.trim_end());
        }
        let page = self.report.as_deref().filter(|file| is_page(file));
        let mut examples = page.map(|_| PairExamples::new(references));
        let mut same = 0;
        let found = question.run(&collection, &search, |pair: PairRow| {
            if values.are_same(&pair) {
                same += 1;
                return Ok(());
            }
            if let Some(examples) = &mut examples {
                examples.push(&pair);
            }
            out.similar_row(&pair)
        })?;
        let found = SearchCounts { found: found.found - same, ..found };
        out.finish()?;
        talk.clear();
        say_found(&talk, question.method(), found.candidates, found.found);
        say_evidence(&talk, found.without_evidence);
        say_open(&talk, &found);
        say_short(&talk, question.method(), &found);
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
