//! How a server is started and kept: addresses, tokens, options, and few open files.

use std::path::Path;

use serde_json::json;

use super::process::ServerProcess;
use crate::harness::Sandbox;

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
    let valid = check(&["--dry-run"]);
    assert_eq!(
        (valid.code, valid.err.as_str()),
        (Some(0), "nearprint: the configuration is valid\n")
    );
    // Nothing was made.
    assert_eq!(sandbox.names(), ["serve.toml"]);
    let wide = check(&["--dry-run", "--listen", "0.0.0.0:0"]);
    assert!(wide.code == Some(2) && wide.err.contains("token"), "{wide:?}");
    let key = check(&["--dry-run", "--tls-certificate", "c.pem", "--tls-key", "k.pem"]);
    assert!(key.code == Some(2) && key.err.contains("c.pem"), "{key:?}");
    let wrong = sandbox
        .command(["serve", "collections", "--dry-run"])
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
    let valid = sandbox.run(["serve", "c", "--dry-run", "--config", packaged.to_str().unwrap()]);
    assert_eq!(valid.code, Some(0), "{valid:?}");
}
