//! JSON lines as another program reads them: into its own structs, which know every field and accept no other.

// The fields are there to be read by serde; not all are examined again.
#![allow(dead_code)]

use nearprint::FalsePairs;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::harness::Sandbox;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fingerprint {
    schema: String,
    id: String,
    fingerprint: Option<String>,
    scheme: String,
    tokens: Option<u64>,
    short: Option<bool>,
    reason: Option<String>,
    detail: Option<String>,
    media_type: Option<String>,
    wrappers: Vec<String>,
    charset: Option<String>,
    charset_source: Option<String>,
    extractor: Option<String>,
    extractor_version: Option<u32>,
    pages: Option<u32>,
    characters: Option<u64>,
    main_content: Option<String>,
    warnings: Vec<Warning>,
    capture: Option<Capture>,
    place: Place,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Capture {
    url: String,
    date: Option<String>,
    status: Option<u16>,
    mime: Option<String>,
    digest: Option<String>,
    truncated: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Warning {
    code: String,
    detail: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    file: String,
    member: Option<String>,
    offset: Option<u64>,
    length: Option<u64>,
    line: Option<u64>,
    row: Option<u64>,
    record: Option<String>,
    wrapper: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extraction {
    schema: String,
    id: String,
    text: String,
    media_type: String,
    wrappers: Vec<String>,
    charset: Option<String>,
    charset_source: Option<String>,
    extractor: String,
    extractor_version: u32,
    pages: Option<u32>,
    characters: u64,
    main_content: Option<String>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Pair {
    schema: String,
    a: String,
    b: String,
    distance: u32,
    estimate: f64,
    measure: Option<String>,
    similarity: Option<f64>,
    evidence: Option<bool>,
    duplicate: Option<bool>,
    distinct: Option<String>,
    passages: Option<Vec<Passage>>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Passage {
    r#in: String,
    a: Option<u64>,
    b: Option<u64>,
    words: u64,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    schema: String,
    query: String,
    id: String,
    distance: u32,
    estimate: f64,
    measure: Option<String>,
    similarity: Option<f64>,
    evidence: Option<bool>,
    duplicate: Option<bool>,
    distinct: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cluster {
    schema: String,
    cluster: u64,
    size: u64,
    representative: String,
    members: Vec<String>,
    distances: Vec<u32>,
    similarities: Option<Vec<f64>>,
    duplicates: Option<Vec<bool>>,
    distinct: Option<Vec<Option<String>>>,
    pairs: Option<u64>,
    chain: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparison {
    schema: String,
    a: String,
    b: String,
    fingerprint_a: String,
    fingerprint_b: String,
    distance: u32,
    fingerprint_similarity: f64,
    r#match: String,
    text_similarity: Option<f64>,
    measure: Option<String>,
    texts: Option<String>,
    verified: Option<bool>,
    shared: Option<Vec<Word>>,
    differs: Option<Vec<Word>>,
    passages: Option<Vec<Passage>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    word: String,
    a: u64,
    b: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scheme {
    schema: String,
    id: String,
    name: String,
    family: String,
    features: String,
    weight: String,
    token_hash: String,
    positions: u32,
    bytes: u64,
    close: u32,
    loose: u32,
    default_distance: u32,
    short_below: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    schema: String,
    scheme: String,
    documents: u64,
    fingerprints: u64,
    without_fingerprint: u64,
    failed: u64,
    bytes: u64,
    records: std::collections::BTreeMap<String, u64>,
    question: Option<String>,
    distance: Option<u32>,
    found: Option<u64>,
    largest_cluster: Option<u64>,
    longest_chain: Option<u32>,
    false_pairs_per_million_at_least: Option<f64>,
    false_pairs_per_million_at_most: Option<f64>,
    seconds: f64,
    documents_per_second: f64,
    bytes_per_second: f64,
}

const A: &str = "Fog came in at noon and stayed over the harbour until the bells rang.";
const B: &str =
    "<title>Fog</title><p>Fog came in at noon and stayed over the harbour until the bells rang.";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", A).file("b.html", B).file("c.txt", "1 2 3").file("d.txt", "");
    sandbox
}

fn lines<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(read).collect()
}

#[test]
fn fingerprints() {
    let run =
        sandbox().run_with(["fingerprint", "--format", "jsonl", ".", "--files-from", "-"], b"none");
    let rows: Vec<Fingerprint> = lines(&run.out);
    assert_eq!(run.code, Some(1));
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["./a.txt", "./b.html", "./c.txt", "./d.txt", "none"]);
    assert!(rows.iter().all(|row| row.schema == "nearprint/fingerprint/1" && row.scheme == "sd1"));
    assert!(rows.iter().all(|row| row.place.file == row.id));
    assert_eq!((rows[0].tokens, rows[0].short), (Some(14), Some(true)));
    assert_eq!(rows[0].media_type.as_deref(), Some("text/plain"));
    assert_eq!(
        (rows[1].extractor.as_deref(), rows[1].media_type.as_deref()),
        (Some("html"), Some("text/html"))
    );
    let reasons: Vec<_> =
        rows.iter().map(|row| (row.fingerprint.is_none(), row.reason.as_deref())).collect();
    assert_eq!(
        reasons[2..],
        [(true, Some("no-tokens")), (true, Some("empty")), (true, Some("unreadable"))]
    );
    assert_eq!(reasons[..2], [(false, None), (false, None)]);
}

#[test]
fn prints_written_as_jsonl_are_read_back() {
    let sandbox = sandbox();
    let fingerprint = ["fingerprint", "--format", "jsonl", "a.txt", "c.txt", "--files-from", "-"];
    sandbox.file("prints", sandbox.run_with(fingerprint, b"none").out);
    let run = sandbox.run(["prints", "query", "--format", "jsonl", "a.txt", "prints"]);
    let rows: Vec<Match> = lines(&run.out);
    assert_eq!((rows.len(), run.code), (1, Some(1)), "the line of `none` tells of a failure");
    assert_eq!(
        (rows[0].query.as_str(), rows[0].id.as_str(), rows[0].distance),
        ("a.txt", "a.txt", 0)
    );
    assert_eq!((rows[0].schema.as_str(), rows[0].similarity), ("nearprint/match/1", None));
    assert_eq!((rows[0].estimate, &rows[0].measure), (1.0, &None));
    assert!(run.err.contains("prints:2: no-tokens: "), "{}", run.err);
    assert!(run.err.contains("prints:3: unreadable: "), "{}", run.err);
    // Over documents the texts are compared.
    let run = sandbox.run(["query", "--format", "jsonl", "a.txt", "c.txt", "b.html"]);
    let rows: Vec<Match> = lines(&run.out);
    assert_eq!((rows.len(), rows[0].id.as_str()), (1, "b.html"));
    let measure = Some("jaccard".to_owned());
    assert_eq!((rows[0].similarity, &rows[0].measure), (Some(1.0), &measure));
}

#[test]
fn pairs_clusters_and_summaries() {
    let sandbox = Sandbox::new();
    let print = |value: u64| format!("{value:016x}\t{value:x}\n");
    sandbox.file("prints", [0x0, 0xf0f, 0x7, 0x1, 0xffff_0000].map(print).concat());
    let report = ["--format", "jsonl", "--report", "report", "--read", "format=hex", "prints"];
    let run = sandbox.run(["prints", "pairs", "-k2"].iter().chain(&report));
    let pair = |a: &str, b: &str, distance| Pair {
        schema: "nearprint/pair/1".to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        distance,
        estimate: 1.0 - f64::from(distance) / 64.0,
        measure: None,
        similarity: None,
        evidence: None,
        duplicate: None,
        distinct: None,
        passages: None,
    };
    assert_eq!(lines::<Pair>(&run.out), [pair("0", "1", 1), pair("7", "1", 2)]);

    let summary: Vec<Summary> = lines(&std::fs::read_to_string(sandbox.path("report")).unwrap());
    let [summary] = &summary[..] else { panic!("{summary:?}") };
    assert_eq!((summary.schema.as_str(), summary.scheme.as_str()), ("nearprint/summary/1", "sd1"));
    assert_eq!((summary.documents, summary.fingerprints, summary.failed), (5, 5, 0));
    assert_eq!((summary.distance, summary.found), (Some(2), Some(2)));
    let of_pairs = summary.question.clone().expect("something was asked");
    assert!(of_pairs.len() == 16 && of_pairs.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert!(summary.seconds >= 0.0 && summary.documents_per_second > 0.0);
    // Fingerprints have no bytes of documents.
    assert_eq!((summary.bytes, summary.bytes_per_second), (0, 0.0));
    let expected = FalsePairs::expected(nearprint::fingerprint::Scheme::SD1, 2).unwrap();
    assert_eq!(summary.false_pairs_per_million_at_most, expected.at_most());
    assert_eq!(summary.false_pairs_per_million_at_least, expected.at_least());

    let run = sandbox.run(["prints", "clusters", "-k2", "--force"].iter().chain(&report));
    let clusters: Vec<Cluster> = lines(&run.out);
    let [cluster] = &clusters[..] else { panic!("{clusters:?}") };
    assert_eq!(
        (cluster.schema.as_str(), cluster.cluster, cluster.size),
        ("nearprint/cluster/1", 1, 3)
    );
    assert_eq!(
        (cluster.representative.as_str(), &cluster.members[..]),
        ("0", &["0", "7", "1"].map(str::to_owned)[..])
    );
    // A chain: 7 is within 2 of 1, not of 0.
    assert_eq!((&cluster.distances[..], cluster.chain), (&[0, 3, 1][..], Some(2)));
    let summary: Vec<Summary> = lines(&std::fs::read_to_string(sandbox.path("report")).unwrap());
    assert_eq!((summary[0].largest_cluster, summary[0].longest_chain), (Some(3), Some(2)));
    assert_ne!(summary[0].question.as_deref(), Some(of_pairs.as_str()));
}

#[test]
fn comparisons() {
    let sandbox = sandbox();
    let run = sandbox.run(["compare", "--format", "jsonl", "--details", "3", "a.txt", "b.html"]);
    let rows: Vec<Comparison> = lines(&run.out);
    assert_eq!(rows[0].schema, "nearprint/comparison/1");
    assert_eq!(
        (rows[0].a.as_str(), rows[0].b.as_str(), rows[0].r#match.as_str()),
        ("a.txt", "b.html", "close")
    );
    assert_eq!((rows[0].distance, rows[0].fingerprint_similarity), (0, 1.0));
    assert_eq!((rows[0].text_similarity, rows[0].verified), (Some(1.0), Some(true)));
    assert_eq!(
        rows[0].measure.as_deref().zip(rows[0].texts.as_deref()),
        Some(("jaccard", "identical"))
    );
    assert_eq!(rows[0].fingerprint_a, rows[0].fingerprint_b);
    let shared = rows[0].shared.as_ref().unwrap();
    assert_eq!((shared.len(), shared[0].word.as_str(), shared[0].a, shared[0].b), (3, "the", 2, 2));
    let run = sandbox.run(["compare", "--format", "jsonl", "a.txt", "b.html"]);
    let plain = &lines::<Comparison>(&run.out)[0];
    assert!(plain.shared.is_none() && plain.differs.is_none() && plain.passages.is_none());
    let passage =
        Passage { r#in: "both".to_owned(), a: Some(1), b: Some(1), words: 14, text: A.to_owned() };
    assert_eq!(rows[0].passages.as_ref().unwrap(), &[passage]);
}

#[test]
fn verified_clusters_and_calibrations() {
    let sandbox = sandbox();
    let run = sandbox.run(["clusters", "--format", "jsonl", "a.txt", "b.html"]);
    let clusters: Vec<Cluster> = lines(&run.out);
    assert_eq!(clusters[0].similarities, Some(vec![1.0, 1.0]));
    assert_eq!((clusters[0].pairs, clusters[0].chain), (Some(1), Some(1)));

    sandbox.file("labels", "a.txt\tb.html\tsame\na.txt\te.txt\tdifferent\na.txt\tno\tsame\n");
    sandbox.file("e.txt", "It rained on the hills for a week, and every brook became a river.");
    let run = sandbox.run([
        "prints",
        "calibrate",
        "--labels",
        "labels",
        "--format",
        "jsonl",
        "a.txt",
        "b.html",
        "e.txt",
    ]);
    assert!(run.err.contains("1 labelled pair skipped"), "{}", run.err);
    for thin in ["based on 1 true pair only", "based on 1 different pair only"] {
        assert!(run.err.contains(thin), "{}", run.err);
    }
    let rows: Vec<serde_json::Value> = lines(&run.out);
    let recommended: Vec<_> = rows.iter().filter(|row| row["recommended"] == true).collect();
    assert_eq!(recommended.len(), 1);
    let row = recommended[0];
    assert_eq!((&row["scheme"], &row["distance"]), (&"sd1".into(), &0.into()));
    assert_eq!((&row["recall"], &row["measure"]), (&1.0.into(), &serde_json::Value::Null));
    assert_eq!(row["kinds"][0]["kind"], "labelled");
    assert!(rows.iter().all(|row| row["schema"] == "nearprint/calibration/1"));
}

#[test]
fn extractions_and_schemes() {
    let run = sandbox().run(["extract", "--json", "b.html"]).expect_fine();
    let rows: Vec<Extraction> = lines(&run.out);
    assert_eq!(
        (rows[0].schema.as_str(), rows[0].id.as_str()),
        ("nearprint/extraction/1", "b.html")
    );
    assert!(rows[0].text.contains("Fog came in at noon"), "{}", rows[0].text);
    assert_eq!(rows[0].characters, rows[0].text.chars().count() as u64);
    let run = sandbox().run(["prints", "schemes", "--format", "jsonl"]).expect_fine();
    let rows: Vec<Scheme> = lines(&run.out);
    assert_eq!((rows[0].schema.as_str(), rows[0].id.as_str()), ("nearprint/scheme/1", "sd1"));
    assert_eq!((rows[0].positions, rows[0].close, rows[0].loose), (64, 1, 6));
}
