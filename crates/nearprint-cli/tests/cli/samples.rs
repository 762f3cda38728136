//! The samples, from files to clusters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::harness::Sandbox;

/// Documents that sd1 puts together within its loose distance although they are different: two English texts whose
/// function words rule their prints. It is what the command warns of.
const FALSE_COMPANY: [&str; 2] = ["balcony-tomatoes", "lighthouse"];

#[test]
fn loose_clusters_of_the_samples_are_the_true_ones_but_for_one_false_pair() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let labels = std::fs::read_to_string(samples.join("clusters.tsv")).unwrap();
    let label: BTreeMap<&str, &str> =
        labels.lines().filter_map(|line| line.split_once('\t')).collect();
    assert!(label.len() > 50, "labels are missing");
    let mut truth: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (&path, &cluster) in &label {
        if !cluster.is_empty() && cluster != "-" {
            truth.entry(cluster).or_default().insert(path);
        }
    }
    truth.retain(|_, members| members.len() > 1);

    let output = Sandbox::new()
        .command(["clusters", "--quiet", "--loose", "--format", "text", "documents"])
        .current_dir(&samples)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (cluster, path) in text.lines().filter_map(|line| line.split_once('\t')) {
        found.entry(cluster).or_default().insert(path);
    }

    let found: BTreeSet<BTreeSet<&str>> = found.into_values().collect();
    let company: BTreeSet<&str> =
        FALSE_COMPANY.iter().flat_map(|name| truth[name].iter().copied()).collect();
    let mut expected: BTreeSet<BTreeSet<&str>> = truth
        .iter()
        .filter(|(name, _)| !FALSE_COMPANY.contains(name))
        .map(|(_, members)| members.clone())
        .collect();
    expected.insert(company);
    assert_eq!(found, expected);
}
