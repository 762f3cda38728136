//! The samples, from files to clusters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::harness::Sandbox;

/// Documents that sd1 puts together within its loose distance although they are different: two English texts whose
/// function words rule their fingerprints. It is what the command warns of.
const FALSE_COMPANY: [&str; 2] = ["balcony-tomatoes", "lighthouse"];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

type Clusters = BTreeMap<String, BTreeSet<String>>;

/// Clusters of two members or more, of lines that name a cluster and a member.
fn clusters<'l>(lines: impl Iterator<Item = (&'l str, &'l str)>) -> Clusters {
    let mut clusters = Clusters::new();
    for (cluster, member) in lines {
        clusters.entry(cluster.to_owned()).or_default().insert(member.to_owned());
    }
    clusters.retain(|cluster, members| members.len() > 1 && !cluster.is_empty() && cluster != "-");
    clusters
}

fn truth() -> Clusters {
    let labels = std::fs::read_to_string(samples().join("clusters.tsv")).unwrap();
    let truth = clusters(
        labels
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(path, cluster)| (cluster, path)),
    );
    assert!(truth.len() >= 10, "labels are missing");
    truth
}

/// The clusters of the samples by their texts.
fn found(options: &[&str]) -> BTreeSet<BTreeSet<String>> {
    let verb = ["clusters", "-qq", "--format", "text", "documents"];
    found_by(&Sandbox::new(), &[&verb, options].concat())
}

/// The clusters of their fingerprints by a scheme within a distance.
fn found_within(scheme: &str, distance: &str) -> BTreeSet<BTreeSet<String>> {
    let sandbox = Sandbox::new();
    let prints = sandbox.path("prints");
    let prints = prints.to_str().unwrap();
    let fingerprint = ["fingerprint", "-qq", "--scheme", scheme, "-o", prints, "documents"];
    found_by(&sandbox, &fingerprint);
    found_by(&sandbox, &["prints", "clusters", "-qq", "--format", "text", "-k", distance, prints])
}

fn found_by(sandbox: &Sandbox, arguments: &[&str]) -> BTreeSet<BTreeSet<String>> {
    let output = sandbox.command(arguments).current_dir(samples()).output().unwrap();
    // Every sample is read, so that the first command of a newcomer succeeds.
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    clusters(text.lines().filter_map(|line| line.split_once('\t'))).into_values().collect()
}

#[test]
fn sl1_finds_the_true_clusters() {
    let truth: BTreeSet<_> = truth().into_values().collect();
    for distance in ["8", "12"] {
        assert_eq!(found_within("sl1", distance), truth, "within {distance}");
    }
}

#[test]
fn verification_finds_the_true_clusters_by_every_measure() {
    let truth: BTreeSet<_> = truth().into_values().collect();
    for options in [
        &[][..],
        &["--linkage", "star"],
        &["--linkage", "bounded"],
        &["--measure", "cosine"],
        &["--measure", "containment"],
        &["--search", "scheme=sd1", "--search", "k=9"],
        &["--search", "scheme=wd1", "--limit", "memory=48M"],
        &["--search", "bands=32x4", "--threads", "1"],
    ] {
        assert_eq!(found(options), truth, "{options:?}");
    }
}

#[test]
fn sd1_finds_the_true_clusters_and_takes_two_for_one() {
    let mut expected = truth();
    let company = FALSE_COMPANY.iter().flat_map(|name| expected.remove(*name).unwrap()).collect();
    expected.insert("false company".to_owned(), company);
    assert_eq!(found_within("sd1", "loose"), expected.into_values().collect());
}
