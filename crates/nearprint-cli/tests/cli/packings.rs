//! The samples as files, in archives of every packing, and as lines: the same fingerprints.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::harness::{Run, Sandbox};

/// All samples, in the order in which a walk finds them.
fn samples() -> Vec<PathBuf> {
    fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/documents"), &mut found);
    found.sort();
    assert!(found.len() > 50, "samples are missing");
    found
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn record(kind: &str, number: usize, media_type: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://e.org/{number}\r\nWARC-Record-ID: <n:{number}>\r\nWARC-Date: 2021-03-04T05:06:07Z\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response in one of the codings that servers use.
fn response(number: usize, body: &[u8]) -> Vec<u8> {
    let (mut head, mut body) = ("HTTP/1.1 200 OK\r\n".to_owned(), body.to_vec());
    if number.is_multiple_of(2) {
        body = gzip(&body);
        head += "Content-Encoding: gzip\r\n";
    }
    if number.is_multiple_of(3) {
        let chunks = body
            .chunks(999)
            .map(|c| [format!("{:x}\r\n", c.len()).as_bytes(), c, b"\r\n"].concat());
        body = chunks.chain([b"0\r\n\r\n".to_vec()]).flatten().collect();
        head += "Transfer-Encoding: chunked\r\n";
    }
    record(
        "response",
        number,
        "application/http; msgtype=response",
        &[head.as_bytes(), b"\r\n", &body].concat(),
    )
}

/// What happened to each document: its fingerprint, or the reason why it has none.
fn outcomes(run: &Run) -> Vec<String> {
    let outcome = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().map(str::to_owned);
        field("fingerprint").or(field("reason")).unwrap()
    };
    run.out.lines().map(outcome).collect()
}

#[test]
fn documents_have_the_same_prints_however_they_are_packed() {
    let (samples, sandbox) = (samples(), Sandbox::new());
    let contents: Vec<Vec<u8>> = samples.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let files: Vec<&str> = samples.iter().map(|path| path.to_str().unwrap()).collect();
    let fingerprint = |inputs: &[&str]| {
        let options = ["fingerprint", "-qq", "--format", "jsonl"];
        sandbox.run(options.iter().chain(inputs))
    };
    let expected = outcomes(&fingerprint(&files));
    assert_eq!(expected.len(), samples.len());
    let records = || contents.iter().enumerate().map(|(number, body)| response(number, body));
    sandbox.file("plain", records().flatten().collect::<Vec<u8>>());
    sandbox.file("members", records().flat_map(|record| gzip(&record)).collect::<Vec<u8>>());
    sandbox.file("whole", gzip(&records().flatten().collect::<Vec<u8>>()));
    let resources = contents.iter().enumerate();
    let resources =
        resources.map(|(n, body)| record("resource", n, "application/octet-stream", body));
    sandbox.file("resources", resources.flatten().collect::<Vec<u8>>());
    for archive in ["plain", "members", "whole", "resources"] {
        assert_eq!(outcomes(&fingerprint(&[archive])), expected, "{archive}");
    }
    // Texts as lines: only documents that have one.
    let lines = sandbox.run(["extract", "-qq", "--json", "members"]).out;
    sandbox.file("lines", &lines);
    let prints: Vec<&String> = expected.iter().filter(|outcome| outcome.contains(':')).collect();
    let found = outcomes(&fingerprint(&["lines"]));
    let found: Vec<&String> = found.iter().filter(|outcome| outcome.contains(':')).collect();
    assert_eq!(found, prints);
}

#[test]
fn the_number_of_threads_decides_nothing() {
    let sandbox = Sandbox::new();
    let records: Vec<u8> = (0..200)
        .flat_map(|number| {
            let text =
                format!("<p>{}", format!("fog {number} rain {} ", number % 7).repeat(number % 50));
            gzip(&response(number, text.as_bytes()))
        })
        .collect();
    let damaged: Vec<u8> = records
        .iter()
        .enumerate()
        .map(|(at, byte)| if at % 5003 == 4999 { byte ^ 0x55 } else { *byte })
        .collect();
    sandbox.file("crawl", damaged);
    let run = |threads| {
        let run = sandbox.run(["fingerprint", "--format", "jsonl", "--threads", threads, "crawl"]);
        (run.out, run.err)
    };
    let one = run("1");
    assert!(one.0.lines().count() > 150 && one.1.contains("damaged"), "{one:?}");
    assert_eq!(run("2"), one);
    assert_eq!(run("5"), one);
}

/// Transcripts cannot show carriage returns.
#[test]
fn rows_as_separated_values_end_with_cr_lf() {
    let sandbox = Sandbox::new();
    let text = "Fog came in at noon.";
    sandbox.file(
        "lines",
        format!("{{\"id\":\"a,b\",\"text\":\"{text}\"}}\n{{\"text\":\"{text}\"}}\n"),
    );
    sandbox.run(["fingerprint", "--output", "prints", "lines"]).expect_fine();
    let run = |verb: &[&str], input| {
        sandbox.run([verb, &["-qq", "--format", "csv", input]].concat()).expect_fine().out
    };
    let columns = "a,b,distance,similarity,estimate,measure,evidence,duplicate,distinct\r\n";
    for (group, input, similarity, measure, duplicate) in
        [(&["prints"][..], "prints", "", "", ""), (&[], "lines", "1", "jaccard", "true")]
    {
        assert_eq!(
            run(&[group, &["pairs"]].concat(), input),
            format!(
                "{columns}\"a,b\",lines:2,0,{similarity},1,{measure},{duplicate},{duplicate},\r\n"
            )
        );
        let row = |id: &str| format!("1,2,\"a,b\",{id},0,{similarity},{duplicate},\r\n");
        let columns = "cluster,size,representative,id,distance,similarity,duplicate,distinct\r\n";
        let expected = format!("{columns}{}{}", row("\"a,b\""), row("lines:2"));
        assert_eq!(run(&[group, &["clusters"]].concat(), input), expected);
    }
}
