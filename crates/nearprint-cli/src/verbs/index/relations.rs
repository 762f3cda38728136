//! `nearprint index pairs` and `clusters`: what lies near one another in an index.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use nearprint::records::{ClusterRow, DocumentId, PairRow};
use nearprint::search::Linkage;
use nearprint::{Engine, Index, Role};

use super::conditions::WhereOption;
use super::for_reading;
use super::verified::{Asked, VerifiedOptions};
use crate::ending::{Ending, Failure};
use crate::options::DistanceOptions;
use crate::outputs::Outputs;
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
    distance: DistanceOptions,
    #[command(flatten)]
    verified: VerifiedOptions,
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
    distance: DistanceOptions,
    #[command(flatten)]
    verified: VerifiedOptions,
    #[command(flatten)]
    output: ResultOptions,
}

impl IndexPairsArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let method = self.verified.method(&index, &self.distance, Asked::Join)?;
        let mut collection = Engine::default().collection(method.collection());
        index.read_into(&mut collection, Role::Candidate, &self.conditions.filter())?;
        let mut values: HashMap<DocumentId, String> = HashMap::new();
        if let Some(field) = &self.not_same {
            index.for_each(|document| {
                let value = document.metadata_field(field);
                values.extend(value.map(|value| (document.id, value)));
                Ok::<_, Failure>(())
            })?;
        }
        let differ = |row: &PairRow| match (values.get(&row.a), values.get(&row.b)) {
            (Some(a), Some(b)) => a != b,
            _ => true,
        };
        let mut out = Results::open::<PairRow>(file, self.output.format(), index.scheme(), &[])?;
        let search = collection.search(method.search());
        collection.pairs(&search, None, |row| if differ(&row) { out.row(&row) } else { Ok(()) })?;
        out.finish()?;
        Ok(Ending::Whole)
    }
}

impl IndexClustersArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let method = self.verified.method(&index, &self.distance, Asked::Join)?;
        let mut collection = Engine::default().collection(method.collection());
        index.read_into(&mut collection, Role::Candidate, &self.conditions.filter())?;
        let mut out = Results::open::<ClusterRow>(file, self.output.format(), index.scheme(), &[])?;
        let search = collection.search(method.search());
        for mut row in collection.clusters(&search, Linkage::Components)?.rows {
            // Removed since the documents were read, it has no number any more.
            row.cluster = index.number(&row.representative)?.unwrap_or(row.cluster);
            out.row(&row)?;
        }
        out.finish()?;
        Ok(Ending::Whole)
    }
}
