//! Jobs: results that end with their number of rows, keys that repeat, cancelling, and an end of the server between.

use serde_json::{Value, json};

use crate::harness::{OLD, OTHER, TestServer, new, settings};

fn filled() -> TestServer {
    let server = TestServer::start();
    server.create("pages");
    for (id, text) in [("old", OLD), ("new", &new()), ("other", OTHER)] {
        assert_eq!(server.add("pages", id, text).status, 201);
    }
    server
}

/// The job when it has ended.
fn ended(server: &TestServer, address: &str) -> Value {
    loop {
        let job = server.get(address).json();
        if !matches!(job["state"].as_str().unwrap(), "waiting" | "running") {
            return job;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_job_leaves_rows_and_their_number() {
    let server = filled();
    for (kind, schema) in [("pairs", "nearprint/pair/1"), ("clusters", "nearprint/cluster/1")] {
        let started =
            server.post_json("/v1/jobs", &json!({"type": kind, "collection": "pages", "k": 6}));
        assert_eq!(started.status, 202, "{started:?}");
        let address = started.header("location").unwrap().to_owned();
        let job = ended(&server, &address);
        assert_eq!((&job["state"], &job["rows"]), (&json!("done"), &json!(1)), "{job}");
        let rows = server.get(job["result"].as_str().unwrap()).lines();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0]["schema"], schema);
        assert_eq!(rows[1], json!({"schema": "nearprint/end/1", "rows": 1}));
    }
    assert_eq!(server.get("/v1/jobs").json()["items"].as_array().unwrap().len(), 2);
    for (wrong, kind) in [
        (json!({"type": "pairs", "collection": "none"}), "unknown-collection"),
        (json!({"type": "nonsense", "collection": "pages"}), "invalid-parameter"),
        (json!({"type": "pairs", "collection": "pages", "k": 99}), "invalid-parameter"),
        (json!({"type": "pairs"}), "invalid-parameter"),
    ] {
        assert_eq!(server.post_json("/v1/jobs", &wrong).problem(), kind, "{wrong}");
    }
    assert_eq!(server.get("/v1/jobs/7f").problem(), "unknown-job");
}

#[test]
fn a_key_brings_one_job() {
    let server = filled();
    let body = json!({"type": "pairs", "collection": "pages"}).to_string();
    let send = |key: &str, body: &str| {
        let headers = [("Idempotency-Key", key), ("Content-Type", "application/json")];
        server.send("POST", "/v1/jobs", &headers, body.as_bytes())
    };
    let first = send("one", &body);
    let second = send("one", &body);
    assert_eq!((first.status, first.header("location")), (202, second.header("location")));
    assert_ne!(send("two", &body).header("location"), first.header("location"));
    let other = json!({"type": "clusters", "collection": "pages"}).to_string();
    assert_eq!(
        (send("one", &other).status, send("one", &other).problem().as_str()),
        (422, "key-reused")
    );
    assert_eq!(send("", &body).status, 400);
    // The key is known after another start, too.
    let location = first.header("location").unwrap().to_owned();
    ended(&server, &location);
    let directory = server.stop().unwrap();
    let server = TestServer::of(&settings(directory.path()));
    let headers = [("Idempotency-Key", "one"), ("Content-Type", "application/json")];
    let again = server.send("POST", "/v1/jobs", &headers, body.as_bytes());
    assert_eq!(again.header("location"), Some(location.as_str()));
    assert_eq!(server.get(&location).json()["state"], "done");
}

#[test]
fn jobs_are_cancelled_and_deleted() {
    let server = filled();
    let started = server.post_json("/v1/jobs", &json!({"type": "pairs", "collection": "pages"}));
    let address = started.header("location").unwrap().to_owned();
    let cancelled = server.post_json(&format!("{address}/cancel"), &json!({}));
    assert_eq!(cancelled.status, 202);
    // It may have been done before.
    let job = ended(&server, &address);
    if job["state"] == "cancelled" {
        assert_eq!(server.get(&format!("{address}/result")).problem(), "no-result");
    }
    assert_eq!(server.send("DELETE", &address, &[], b"").status, 204);
    assert_eq!(server.get(&address).problem(), "unknown-job");
    assert_eq!(server.get("/v1/jobs").json()["items"], json!([]));
}

#[test]
fn a_job_that_had_not_ended_has_failed() {
    let directory = tempfile::tempdir().unwrap();
    let job = directory.path().join("jobs/0000000a");
    std::fs::create_dir_all(&job).unwrap();
    std::fs::create_dir_all(directory.path().join("jobs/0000000b")).unwrap();
    let record = json!({
        "id": "0000000a", "request": {"type": "pairs", "collection": "pages", "k": null}, "state": "running",
        "created": 1, "ended": null, "rows": null, "detail": null, "key": null,
    });
    std::fs::write(job.join("job.json"), record.to_string()).unwrap();
    let server = TestServer::of(&settings(directory.path()));
    let found = server.get("/v1/jobs/0000000a").json();
    assert_eq!(found["state"], "failed");
    assert!(found["detail"].as_str().unwrap().contains("stopped"), "{found}");
    assert!(!directory.path().join("jobs/0000000b").exists());
    server.create("pages");
    let next = server.post_json("/v1/jobs", &json!({"type": "pairs", "collection": "pages"}));
    assert_eq!(next.json()["id"], "0000000c");
}
