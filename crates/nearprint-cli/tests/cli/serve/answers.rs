//! The server gives the answers of the command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::process::{ServerProcess, encoded};
use crate::harness::Sandbox;

const DOCUMENTS: &str = "../../samples/documents";
/// What every door reports in the same words.
const DAMAGED: &str = "../../samples/damaged";

/// The files of the samples, as the command names them.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut folders = vec![PathBuf::from(DOCUMENTS), PathBuf::from(DAMAGED)];
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).unwrap().map(Result::unwrap) {
            let path = folder.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false => files.push((
                    path.to_str().unwrap().to_owned(),
                    std::fs::read(root.join(&path)).unwrap(),
                )),
            }
        }
    }
    files.sort();
    files
}

fn digest(mut lines: Vec<Vec<u8>>) -> String {
    lines.sort();
    let digest = Sha256::digest(lines.concat());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The output of the command, run where the samples' ids are those of the digests.
fn command(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearprint"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap().stdout
}

#[test]
fn the_server_gives_the_answers_of_the_command() {
    let sandbox = Sandbox::new();
    let served = ServerProcess::start(&sandbox, &[]);
    let samples = samples();
    let fingerprint = |(name, bytes): &(String, Vec<u8>)| {
        served.body(
            "POST",
            &format!("/v1/fingerprint?id={}", encoded(name)),
            "application/octet-stream",
            bytes,
        )
    };
    let stated = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/digests.json");
    let stated: BTreeMap<String, String> =
        serde_json::from_slice(&std::fs::read(stated).unwrap()).unwrap();
    assert_eq!(digest(samples.iter().map(fingerprint).collect()), stated["fingerprints"]);

    let index = sandbox.path("samples.index");
    let index = index.to_str().unwrap();
    command(&["index", "create", index]);
    command(&["index", "add", "-qq", index, DOCUMENTS, DAMAGED]);
    served.body("PUT", "/v1/collections/samples", "", br#"{"texts":true}"#);
    for (name, bytes) in &samples {
        let path = format!("/v1/collections/samples/documents?id={}", encoded(name));
        let (status, answer) =
            served.send("PUT", &path, "application/octet-stream", bytes).unwrap();
        assert!(
            status == 201 || status == 422,
            "{name}: {status} {}",
            String::from_utf8_lossy(&answer)
        );
    }
    let lines = |bytes: Vec<u8>| {
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    for (name, bytes) in samples.iter().filter(|(name, _)| name.contains("lighthouse")) {
        for (parameter, options) in
            [("", &["query"][..]), ("&k=60", &["prints", "query", "-k", "60"])]
        {
            let path = format!("/v1/collections/samples/query?limit=10000&query={}", encoded(name));
            let path = path + parameter;
            let by_server = served.body("POST", &path, "application/octet-stream", bytes);
            let asked = [options, &["-qq", "--json", index, "--queries", name]].concat();
            let by_command = command(&asked);
            assert!(!by_command.is_empty(), "{name}");
            assert_eq!(lines(by_server), lines(by_command), "{name}");
        }
    }
    let exported = lines(command(&["index", "export", "--format", "jsonl", index]));
    let documents = served.json("/v1/collections/samples")["documents"].as_u64().unwrap();
    // A first and a last line are about all of them.
    assert_eq!(exported.len() as u64, documents + 2);

    // With no option, as of the index and of the documents themselves: texts are compared.
    let asked = json!({"type": "pairs", "collection": "samples"});
    let job: Value = serde_json::from_slice(&served.body(
        "POST",
        "/v1/jobs",
        "application/json",
        asked.to_string().as_bytes(),
    ))
    .unwrap();
    let address = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    while served.json(&address)["state"] != "done" {
        std::thread::yield_now();
    }
    let mut rows = lines(served.body("GET", &format!("{address}/result"), "", b""));
    let end: Value = serde_json::from_slice(&rows.pop().unwrap()).unwrap();
    assert_eq!(end["rows"], rows.len());
    // Documents are in the order of insertion, which is another here: a pair is its two ids in any order.
    let pairs = |rows: Vec<Vec<u8>>| {
        let mut pairs: Vec<[String; 2]> = rows
            .iter()
            .map(|row| {
                let row: Value = serde_json::from_slice(row).unwrap();
                let mut ids = ["a", "b"].map(|side| row[side].as_str().unwrap().to_owned());
                ids.sort();
                ids
            })
            .collect();
        pairs.sort();
        pairs
    };
    let by_server = pairs(rows);
    assert_eq!(by_server, pairs(lines(command(&["pairs", "-qq", "--format", "jsonl", index]))));
    let of_documents = command(&["pairs", "-qq", "--format", "jsonl", DOCUMENTS, DAMAGED]);
    assert_eq!(by_server, pairs(lines(of_documents)));

    let [a, b] =
        ["lighthouse/en.txt", "lighthouse/en.html"].map(|name| format!("{DOCUMENTS}/{name}"));
    let side = |name: &str| json!({"name": name, "collection": "samples", "id": name});
    let asked = json!({"a": side(&a), "b": side(&b), "details": 10}).to_string();
    let by_server = served.body("POST", "/v1/compare", "application/json", asked.as_bytes());
    assert_eq!(by_server, command(&["compare", "--details", "10", "--json", &a, &b]));

    let (said, code) = served.terminate();
    assert_eq!((said.as_str(), code), ("nearprint: stopped\n", Some(0)));
}

/// The rows of a job, without the last line.
fn rows_of_job(served: &ServerProcess, asked: &Value) -> Vec<Value> {
    let asked = asked.to_string();
    let job = served.body("POST", "/v1/jobs", "application/json", asked.as_bytes());
    let job: Value = serde_json::from_slice(&job).unwrap();
    let address = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let ended = loop {
        let job = served.json(&address);
        if !matches!(job["state"].as_str().unwrap(), "waiting" | "running") {
            break job;
        }
        std::thread::yield_now();
    };
    assert_eq!(ended["state"], "done", "{ended}");
    let rows = served.body("GET", &format!("{address}/result"), "", b"");
    let rows = String::from_utf8(rows).unwrap();
    let mut rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.pop().unwrap()["schema"], "nearprint/end/1");
    rows
}

/// A folder is imported, and its texts deduplicated: the decisions are those of `nearprint dedup` on the folder.
#[test]
fn imported_documents_have_the_decisions_of_the_command() {
    let sandbox = Sandbox::new();
    let served = ServerProcess::start(
        &sandbox,
        &["--import-from", concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples")],
    );
    served.body("PUT", "/v1/collections/samples", "application/json", br#"{"texts":true}"#);
    let asked = json!({"type": "import", "collection": "samples", "path": "documents"});
    let rows = rows_of_job(&served, &asked);
    let change = rows.last().unwrap();
    let printed = command(&["fingerprint", "-qq", DOCUMENTS]);
    let printed = printed.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(change["schema"], "nearprint/index-change/1");
    assert_eq!((&change["added"], &change["documents"]), (&json!(printed), &json!(printed)));

    for options in [json!({}), json!({"threshold": 0.4, "keep": "longest"})] {
        let mut asked = json!({"type": "dedup", "collection": "samples"});
        asked.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let decisions = |rows: Vec<Value>| {
            let fields = ["decision", "reason", "cluster", "representative", "similarity"];
            let row = |row: Value| {
                let short = |id: &str| id.trim_start_matches("../../samples/").to_owned();
                let values = fields.map(|field| match (field, row[field].as_str()) {
                    ("representative", Some(id)) => short(id),
                    // A collection does not keep digests of bytes.
                    ("reason", Some("same-bytes")) => "\"identical\"".to_owned(),
                    _ => row[field].to_string(),
                });
                (short(row["id"].as_str().unwrap()), values)
            };
            rows.into_iter().map(row).collect::<Vec<_>>()
        };
        let mut typed = vec!["dedup", "--format", "jsonl", "-qq"];
        let threshold = options["threshold"].to_string();
        if let Some(keep) = options["keep"].as_str() {
            typed.extend(["--threshold", &threshold, "--keep", keep]);
        }
        typed.push(DOCUMENTS);
        let by_command = String::from_utf8(command(&typed)).unwrap();
        let by_command = by_command.lines().map(|row| serde_json::from_str(row).unwrap());
        // What has no fingerprint was not imported.
        let mut by_command = decisions(by_command.collect());
        by_command.retain(|(_, values)| values[1] != "\"no-fingerprint\"");
        let by_server = decisions(rows_of_job(&served, &asked));
        assert!(by_server.iter().any(|(_, values)| values[0] == "\"drop\""));
        assert_eq!(by_server, by_command, "{options}");
    }
}
