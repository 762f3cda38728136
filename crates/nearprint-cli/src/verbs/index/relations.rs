//! `nearprint index pairs` and `clusters`: what lies near one another in an index.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::{ClusterRow, PairRow};
use nearprint::{Clusters, Documents, Engine, PairConditions, Pairs, Subject};

use super::for_reading;
use crate::conditions::WhereOption;
use crate::exit_status::{ExitStatus, Failure};
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::results::{ResultOptions, Results};

/// Print all pairs of an index within a distance, as lines A TAB B TAB DISTANCE
///
/// Where the index keeps features and no distance is given, texts are compared too, and lines have a SIMILARITY. All
/// fingerprints and ids are held in memory. Documents are in the order of addition.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index pairs -k 3 crawl.index
  nearprint index pairs --where 'date>=20260101' --not-same host crawl.index")]
pub(super) struct IndexPairsArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    conditions: WhereOption,
    /// Leave out pairs whose documents have the same value of this field of their metadata
    #[arg(long, value_name = "FIELD", help_heading = "Input")]
    not_same: Option<String>,
    #[command(flatten)]
    question: QuestionArgs<Pairs>,
    #[command(flatten)]
    output: ResultOptions,
}

/// Print the clusters of an index, as lines CLUSTER TAB ID
///
/// The number of a cluster is that of its earliest document in the order of addition. It stays as long as this document
/// does: when others join, when the cluster takes in later ones, and when it falls apart, of the part with that
/// document. All fingerprints and ids are held in memory. Documents are in the order of addition.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index clusters crawl.index")]
pub(super) struct IndexClustersArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    conditions: WhereOption,
    #[command(flatten)]
    question: QuestionArgs<Clusters>,
    #[command(flatten)]
    output: ResultOptions,
}

impl IndexPairsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let question = self.question.question.resolve(Subject::of(&index))?;
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let mut out = Results::open::<PairRow>(file, self.output.format(), index.scheme(), &[])?;
        let (engine, filter) = (Engine::default(), self.conditions.filter());
        let among = PairConditions { filter: &filter, not_same: self.not_same.as_deref() };
        question.run_on(&index, &engine, among, |search| search, |row| out.row(&row))?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

impl IndexClustersArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let question = self.question.question.resolve(Subject::of(&index))?;
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let mut out = Results::open::<ClusterRow>(file, self.output.format(), index.scheme(), &[])?;
        let (engine, filter) = (Engine::default(), self.conditions.filter());
        let found = question.run_on(&index, &engine, &filter, |search| search);
        for row in found?.rows {
            out.row(&row)?;
        }
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}
