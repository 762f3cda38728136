//! `nearprint index pairs` and `clusters`: what lies near one another in an index.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use nearprint::records::{ClusterRow, DocumentId, PairRow};
use nearprint::{Index, PrintSet, Search};
use nearprint_index::{DiskIndex, StoredDocument};

use super::conditions::WhereOption;
use super::for_reading;
use crate::ending::{Ending, Failure};
use crate::options::DistanceOptions;
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};

/// Print all pairs of an index within a distance, as lines A TAB B TAB DISTANCE
///
/// All fingerprints and ids are held in memory. Documents are in the order of addition.
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
    output: ResultOptions,
}

/// The documents that are meant, each also shown to `see`.
fn gathered(
    index: &DiskIndex,
    conditions: &WhereOption,
    mut see: impl FnMut(&StoredDocument),
) -> Result<PrintSet, Failure> {
    let mut set = PrintSet::new(index.scheme());
    index.for_each_where(&conditions.filter(), |document| {
        see(&document);
        set.push(&document.id, &document.fingerprint)
    })?;
    Ok(set)
}

impl IndexPairsArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let mut values: HashMap<DocumentId, String> = HashMap::new();
        let set = gathered(&index, &self.conditions, |document| {
            let value = self.not_same.as_ref().and_then(|field| document.metadata_field(field));
            values.extend(value.map(|value| (document.id.clone(), value)));
        })?;
        let differ = |row: &PairRow| match (values.get(&row.a), values.get(&row.b)) {
            (Some(a), Some(b)) => a != b,
            _ => true,
        };
        let mut out = Results::open::<PairRow>(file, self.output.format(), set.scheme(), &[])?;
        let search = Search::within(self.distance.of_join(set.scheme())?);
        search.pairs(&set, |row| if differ(&row) { out.row(&row) } else { Ok(()) })?;
        out.finish()?;
        Ok(Ending::Whole)
    }
}

impl IndexClustersArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        Outputs::new(self.output.force).rows(file).check([])?;
        let index = for_reading(&self.index)?;
        let set = gathered(&index, &self.conditions, |_| {})?;
        let mut out = Results::open::<ClusterRow>(file, self.output.format(), set.scheme(), &[])?;
        for mut row in Search::within(self.distance.of_join(set.scheme())?).clusters(&set)? {
            // Removed since the documents were read, it has no number any more.
            row.cluster = index.number(&row.representative)?.unwrap_or(row.cluster);
            out.row(&row)?;
        }
        out.finish()?;
        Ok(Ending::Whole)
    }
}
