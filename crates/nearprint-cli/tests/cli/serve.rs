//! The command as a server: the same answers as the command's own, the guide's recipes, and kills at any moment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::Sandbox;

const DOCUMENTS: &str = "../../samples/documents";
/// What every door reports in the same words.
const DAMAGED: &str = "../../samples/damaged";

/// The command as a server; killed when it is dropped.
struct ServerProcess {
    child: Child,
    errors: BufReader<ChildStderr>,
    address: String,
}

impl ServerProcess {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(["serve", "collections", "--listen", "127.0.0.1:0"]);
        Self::of(command.args(arguments))
    }

    /// The same in a process that may open only so many files.
    #[cfg(unix)]
    fn start_limited(sandbox: &Sandbox, files: u32) -> Self {
        let own = sandbox.command(["serve", "collections", "--listen", "127.0.0.1:0"]);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {files} && exec \"$@\""), "sh"]);
        command.arg(own.get_program()).args(own.get_args());
        command.current_dir(own.get_current_dir().unwrap());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self::of(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("nearprint: serving on http://")
            .and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, errors, address }
    }

    /// Status and body of an answer; nothing where the server was killed meanwhile.
    fn send(&self, method: &str, path: &str, media: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.write_all(&[head.as_bytes(), body].concat()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let length = head
            .to_lowercase()
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let body = answer[end + 4..].to_vec();
        // An answer that was cut is none.
        (length.unwrap_or(0) == body.len()).then_some((head.split(' ').nth(1)?.parse().ok()?, body))
    }

    /// The body of an answer that must be fine.
    fn body(&self, method: &str, path: &str, media: &str, body: &[u8]) -> Vec<u8> {
        let (status, answer) = self.send(method, path, media, body).expect("the server answers");
        assert!(status < 300, "{method} {path}: {status} {}", String::from_utf8_lossy(&answer));
        answer
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.body("GET", path, "", b"")).unwrap()
    }

    /// Ends the server as a service manager does, and returns what it said and its exit code.
    fn terminate(mut self) -> (String, Option<i32>) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(killed.success());
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        (said, code)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn encoded(value: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    value.bytes().map(byte).collect()
}

#[cfg(unix)]
#[test]
fn a_process_of_few_files_serves_many_collections() {
    let sandbox = Sandbox::new();
    let served = ServerProcess::start_limited(&sandbox, 160);
    let names: Vec<String> = (0..60).map(|n| format!("c{n:02}")).collect();
    for name in &names {
        served.body("PUT", &format!("/v1/collections/{name}"), "", br#"{"texts":true}"#);
        let path = format!("/v1/collections/{name}/documents?id=own");
        let text = format!("Fog came in at noon over the harbour of {name}.");
        served.body("PUT", &path, "text/plain", text.as_bytes());
    }
    // Several clients at once, each through all of them.
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (served, names) = (&served, &names);
            scope.spawn(move || {
                for at in 0..names.len() {
                    let name = &names[(at * 7 + client * 15) % names.len()];
                    let path = format!("/v1/collections/{name}/documents/text?id=own");
                    let text = served.body("GET", &path, "", b"");
                    assert!(String::from_utf8(text).unwrap().contains(name.as_str()));
                }
            });
        }
    });
    let listed = served.json("/v1/collections");
    let documents = listed["items"].as_array().unwrap().iter().map(|one| one["documents"].as_u64());
    assert_eq!(documents.collect::<Vec<_>>(), vec![Some(1); 60]);
    let health = served.json("/healthz");
    assert_eq!((&health["status"], &health["collections"]), (&json!("ok"), &json!(60)));
    let metrics = String::from_utf8(served.body("GET", "/metrics", "", b"")).unwrap();
    let value = |name: &str| -> f64 {
        let found = metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        found.unwrap_or_else(|| panic!("{name}"))
    };
    assert_eq!(value("process_max_fds "), 160.0);
    assert!(value("nearprint_collections_open ") <= value("nearprint_collections_open_limit "));
    assert_eq!(value("nearprint_collections_open_limit "), 5.0);
    // Another start opens all, one after the other.
    let (_, code) = served.terminate();
    assert_eq!(code, Some(0));
    let served = ServerProcess::start_limited(&sandbox, 160);
    assert_eq!(served.json("/healthz")["collections"], 60);
    served.body("GET", "/v1/collections/c00/documents/text?id=own", "", b"");
}

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

#[test]
fn addresses_of_other_machines_are_wrong_usage() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(["serve", "collections", "--listen", "0.0.0.0:0"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.err.contains("--listen") && run.err.contains("loopback"), "{}", run.err);
    assert_eq!(sandbox.names(), [""; 0]);
    sandbox.file("file", "x");
    let run = sandbox.run(["serve", "file", "--listen", "127.0.0.1:0"]);
    assert_eq!(run.code, Some(3), "{run:?}");
}

#[test]
fn tokens_are_made_listed_rotated_and_revoked() {
    let sandbox = Sandbox::new();
    let made = sandbox.run([
        "serve",
        "token",
        "create",
        "collections",
        "--name",
        "crawler",
        "--right",
        "write",
        "--expires",
        "2h",
    ]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let secret = made.out.trim();
    assert!(secret.starts_with("npt_") && !made.err.contains(&secret[12..]), "{made:?}");
    let id = &secret[4..12];
    let listed = sandbox.run(["serve", "token", "list", "collections"]);
    assert!(listed.out.contains(id) && listed.out.contains("crawler"), "{listed:?}");
    assert!(!listed.out.contains(&secret[13..]), "{listed:?}");
    let served = ServerProcess::start(&sandbox, &[]);
    assert_eq!(served.send("GET", "/v1/collections", "", b"").unwrap().0, 401);
    drop(served);
    let rotated = sandbox.run(["serve", "token", "rotate", "collections", id]);
    let new = &rotated.out.trim()[4..12];
    assert_ne!(new, id);
    let gone = sandbox.run(["serve", "token", "revoke", "collections", id]);
    assert_eq!(gone.code, Some(2), "{gone:?}");
    assert_eq!(sandbox.run(["serve", "token", "revoke", "collections", new]).code, Some(0));
    for wrong in [
        &["create", "collections", "--name", "x", "--right", "all"][..],
        &["create", "collections", "--name", "x"],
        &["create", "collections", "--name", "x", "--right", "read", "--expires", "soon"],
        &["create", "collections", "--name", "x", "--right", "read", "--collection", "A B"],
    ] {
        let arguments = [&["serve", "token"], wrong].concat();
        assert_eq!(sandbox.run(arguments).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_file_and_the_environment_give_options_and_are_checked() {
    let sandbox = Sandbox::new();
    sandbox.file("serve.toml", "listen = \"127.0.0.1:0\"\n[limit]\nbatch = 2\nrate = 1000\n");
    let check = |arguments: &[&str]| {
        sandbox.run([&["serve", "collections", "--config", "serve.toml"], arguments].concat())
    };
    let valid = check(&["--check-config"]);
    assert_eq!(
        (valid.code, valid.err.as_str()),
        (Some(0), "nearprint: the configuration is valid\n")
    );
    // Nothing was made.
    assert_eq!(sandbox.names(), ["serve.toml"]);
    let wide = check(&["--check-config", "--listen", "0.0.0.0:0"]);
    assert!(wide.code == Some(2) && wide.err.contains("token"), "{wide:?}");
    let key = check(&["--check-config", "--tls-certificate", "c.pem", "--tls-key", "k.pem"]);
    assert!(key.code == Some(2) && key.err.contains("c.pem"), "{key:?}");
    let wrong = sandbox
        .command(["serve", "collections", "--check-config"])
        .env("NEARPRINT_SERVE_LIMIT", "batch=many")
        .output()
        .unwrap();
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(wrong.status.code() == Some(2) && said.contains("batch=many"), "{said}");
    sandbox.file("serve.toml", "listne = 1");
    let wrong = check(&[]);
    assert!(
        wrong.code == Some(2) && wrong.err.contains("listne") && wrong.err.contains("allowed-host"),
        "{wrong:?}"
    );
    // What is typed overrules the file.
    sandbox.file("serve.toml", "listen = \"192.0.2.1:1\"\nlimit = [\"batch=2\"]");
    let served = ServerProcess::start(&sandbox, &["--config", "serve.toml"]);
    served.body("PUT", "/v1/collections/a", "", b"");
    let lines = b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n";
    let batch =
        served.send("POST", "/v1/collections/a/documents/batch", "application/x-ndjson", lines);
    assert_eq!(batch.unwrap().0, 413);
    let (said, code) = served.terminate();
    assert_eq!((said.as_str(), code), ("nearprint: stopped\n", Some(0)));
    // The file of the package is valid.
    let packaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/serve.toml");
    let valid =
        sandbox.run(["serve", "c", "--check-config", "--config", packaged.to_str().unwrap()]);
    assert_eq!(valid.code, Some(0), "{valid:?}");
}

/// Kills of one run: NEARPRINT_SERVER_KILLS, or a few.
fn kills() -> usize {
    std::env::var("NEARPRINT_SERVER_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(4)
}

#[test]
fn what_was_acknowledged_survives_kills() {
    let sandbox = Sandbox::new();
    let mut acknowledged: Vec<String> = Vec::new();
    let text = |id: &str| {
        format!("Fog came in at noon and stayed over the harbour until the bells rang for {id}.")
    };
    for round in 0..kills() {
        let mut served = ServerProcess::start(&sandbox, &[]);
        // Everything from before is there, with its text, and is found.
        if round == 0 {
            served.body("PUT", "/v1/collections/pages", "", br#"{"texts":true}"#);
        }
        for id in &acknowledged {
            let found = served.body(
                "GET",
                &format!("/v1/collections/pages/documents/text?id={id}"),
                "",
                b"",
            );
            assert_eq!(String::from_utf8(found).unwrap().trim_end(), text(id));
        }
        if let Some(last) = acknowledged.last() {
            let path = "/v1/collections/pages/query?k=0&limit=10000";
            let rows = served.body("POST", path, "text/plain", text(last).as_bytes());
            assert!(
                String::from_utf8(rows).unwrap().contains(&format!("\"id\":\"{last}\"")),
                "{last}"
            );
        }
        let count = AtomicUsize::new(0);
        let killed_at = 5 + round * 7 % 23;
        let clients: Vec<Vec<String>> = std::thread::scope(|scope| {
            let (served, count) = (&served, &count);
            let clients: Vec<_> = (0..2)
                .map(|client| {
                    scope.spawn(move || {
                        let mut done = Vec::new();
                        for number in 0.. {
                            let id = format!("r{round}c{client}n{number}");
                            let path = format!("/v1/collections/pages/documents?id={id}");
                            let Some((201, _)) =
                                served.send("PUT", &path, "text/plain", text(&id).as_bytes())
                            else {
                                break;
                            };
                            count.fetch_add(1, Ordering::SeqCst);
                            done.push(id);
                        }
                        done
                    })
                })
                .collect();
            while count.load(Ordering::SeqCst) < killed_at {
                std::thread::yield_now();
            }
            // Without any chance to tidy up.
            let pid = served.child.id().to_string();
            assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
            clients.into_iter().map(|client| client.join().unwrap()).collect()
        });
        served.child.wait().unwrap();
        acknowledged.extend(clients.into_iter().flatten());
    }
    let served = ServerProcess::start(&sandbox, &[]);
    let documents = served.json("/v1/collections/pages")["documents"].as_u64().unwrap();
    let (least, most) = (acknowledged.len() as u64, acknowledged.len() as u64 + 2 * kills() as u64);
    assert!((least..=most).contains(&documents), "{documents} of {least}");
    let index = std::fs::read_dir(sandbox.path("collections/collections"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    drop(served);
    let verified = sandbox.run(["index", "verify", index.join("index").to_str().unwrap()]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

/// Commands of a page with the lines that they print.
fn recipes(page: &str) -> Vec<(String, Vec<String>)> {
    let mut recipes: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    let mut goes_on = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = line == "```shell-session";
        } else if is_inside {
            match line.strip_prefix("$ ") {
                Some(command) => recipes.push((command.to_owned(), Vec::new())),
                None if goes_on => {
                    let command = &mut recipes.last_mut().unwrap().0;
                    command.push('\n');
                    command.push_str(line);
                }
                None => recipes.last_mut().unwrap().1.push(line.to_owned()),
            }
            goes_on = line.ends_with('\\');
        }
    }
    recipes
}

/// Whether a line is what a page shows, where `…` stands for anything.
fn is_shown(line: &str, shown: &str) -> bool {
    let mut pieces: Vec<&str> = shown.split('…').collect();
    let (Some(last), true) = (pieces.pop(), !pieces.is_empty()) else { return line == shown };
    let mut rest = line;
    for (at, piece) in pieces.into_iter().enumerate() {
        match rest.find(piece) {
            Some(found) if at > 0 || found == 0 => rest = &rest[found + piece.len()..],
            _ => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn the_recipes_of_the_guide_print_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/SERVER.md")).unwrap();
    let sandbox = Sandbox::new();
    let served = ServerProcess::start(&sandbox, &[]);
    let recipes = recipes(&page);
    // The command itself is a part of some.
    let programs = Path::new(env!("CARGO_BIN_EXE_nearprint")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    assert!(recipes.len() > 8, "{recipes:?}");
    for (recipe, shown) in recipes {
        let command = recipe
            .replace("127.0.0.1:7117", &served.address)
            .replace("samples/", root.join("samples/").to_str().unwrap());
        let run = Command::new("bash")
            .args(["-c", &command])
            .env("PATH", &path)
            .current_dir(sandbox.path(""))
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        let printed: Vec<&str> = printed.lines().collect();
        let fits = printed.len() == shown.len()
            && printed.iter().zip(&shown).all(|(line, shown)| is_shown(line, shown));
        assert!(fits, "{recipe}\nprinted {printed:#?}\nthe guide shows {shown:#?}");
    }
}
