//! Jobs: results that end with their number of rows, keys that repeat, cancelling, and an end of the server between.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Answer, OLD, OTHER, TestServer, new, settings};

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
        (json!({"type": "pairs", "collection": "pages", "keep": "first"}), "invalid-parameter"),
        (json!({"type": "dedup", "collection": "pages", "k": 3}), "invalid-parameter"),
        (json!({"type": "dedup", "collection": "pages", "threshold": 1.5}), "invalid-parameter"),
        (json!({"type": "dedup", "collection": "pages", "keep": "best"}), "invalid-parameter"),
        (json!({"type": "import", "collection": "pages", "path": "a"}), "unsupported"),
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
fn jobs_are_listed_in_pages_with_their_times() {
    let server = filled();
    server.create("others");
    let mut ids: Vec<String> = Vec::new();
    for n in 0..5 {
        let of = if n == 3 { "others" } else { "pages" };
        let started = server.post_json("/v1/jobs", &json!({"type": "pairs", "collection": of}));
        ids.insert(0, started.json()["id"].as_str().unwrap().to_owned());
        let job = ended(&server, started.header("location").unwrap());
        let times =
            ["created", "started", "ended", "expires"].map(|name| job[name].as_u64().unwrap());
        assert!(times.is_sorted() && times[3] - times[2] == 30 * 86_400_000, "{job}");
    }
    let listed = |parameters: &str| {
        let page = server.get(&format!("/v1/jobs?{parameters}")).json();
        let items = page["items"].as_array().unwrap_or_else(|| panic!("{page}")).clone();
        let ids = items.iter().map(|job| job["id"].as_str().unwrap().to_owned());
        (ids.collect::<Vec<_>>(), page["next_cursor"].as_str().map(str::to_owned))
    };
    assert_eq!(listed(""), (ids.clone(), None));
    let (first, cursor) = listed("limit=2");
    let (second, next) = listed(&format!("limit=2&cursor={}", cursor.unwrap()));
    let (third, end) = listed(&format!("limit=2&cursor={}", next.unwrap()));
    assert_eq!(([first, second, third].concat(), end), (ids.clone(), None));
    assert_eq!(listed("collection=others").0, [ids[1].clone()]);
    assert_eq!(listed("state=done&limit=5").0, ids);
    assert_eq!(listed("state=failed").0, [""; 0]);
    for wrong in ["limit=0", "limit=1001", "state=odd", "page=2", "cursor=zzz", "cursor="] {
        assert_eq!(server.get(&format!("/v1/jobs?{wrong}")).problem(), "invalid-parameter");
    }
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

/// The rows of a job that must succeed, without the last line.
fn rows(server: &TestServer, asked: &Value) -> Vec<Value> {
    let started = server.post_json("/v1/jobs", asked);
    assert_eq!(started.status, 202, "{started:?}");
    let job = ended(server, started.header("location").unwrap());
    assert_eq!(job["state"], "done", "{job}");
    let mut rows = server.get(job["result"].as_str().unwrap()).lines();
    assert_eq!(rows.pop().unwrap()["rows"], rows.len());
    rows
}

#[test]
fn decisions_name_what_is_kept() {
    let server = filled();
    let batch = [
        json!({"id": "late", "text": OLD, "capture": {"url": "a.org", "date": "20250101000000"},
               "metadata": {"rank": 2}}),
        json!({"id": "early", "text": OLD, "capture": {"url": "a.org", "date": "20240101000000"},
               "metadata": {"rank": 5}}),
    ];
    let body: String = batch.iter().map(|item| format!("{item}\n")).collect();
    let added = server.post(
        "/v1/collections/pages/documents/batch",
        "application/x-ndjson",
        body.as_bytes(),
    );
    assert_eq!(added.status, 200, "{added:?}");
    server.put("/v1/collections/bare", br#"{"scheme":"sd1"}"#);
    assert_eq!(
        server.post_json("/v1/jobs", &json!({"type": "dedup", "collection": "bare"})).problem(),
        "no-texts"
    );
    for (keep, kept) in
        [("first", "old"), ("oldest", "early"), ("field:rank", "late"), ("field:rank:max", "early")]
    {
        let asked =
            json!({"type": "dedup", "collection": "pages", "keep": keep, "policy": "loose"});
        let rows = rows(&server, &asked);
        assert_eq!(rows.len(), 5);
        for row in rows {
            let id = row["id"].as_str().unwrap();
            let wanted = if id == kept || id == "other" { "keep" } else { "drop" };
            assert_eq!(row["decision"], wanted, "{keep} {row}");
            if wanted == "drop" {
                assert_eq!(row["representative"], kept, "{row}");
            }
        }
    }
    // By default what contradicts is kept.
    let rows = rows(&server, &json!({"type": "dedup", "collection": "pages"}));
    let new = rows.iter().find(|row| row["id"] == "new").unwrap();
    let stated = [&new["decision"], &new["reason"], &new["nearest"], &new["contradicts"]];
    assert_eq!(stated, ["keep", "contradicts", "old", "2 words"], "{new}");
    // Nothing is removed.
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 5);
}

#[test]
fn results_have_the_shape_that_the_description_names() {
    let imports = tempfile::tempdir().unwrap();
    std::fs::write(imports.path().join("empty.txt"), "").unwrap();
    let from = Some(imports.path().to_owned());
    let server = TestServer::start_with(|settings| settings.import_from = from);
    server.create("pages");
    for (id, text) in [("old", OLD), ("new", &new())] {
        assert_eq!(server.add("pages", id, text).status, 201);
    }
    let api = server.get("/openapi.json").json();
    let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect();
    let described =
        |row: &str| -> BTreeSet<String> { names(&api["components"]["schemas"][row]["properties"]) };
    let kinds = api["components"]["schemas"]["ResultRow"]["oneOf"].as_array().unwrap();
    assert_eq!(kinds.len(), 6);
    for (request, shapes) in [
        (json!({"type": "pairs"}), ["Pair", "End"].as_slice()),
        (json!({"type": "clusters"}), &["ClusterOfDocuments", "End"]),
        (json!({"type": "dedup"}), &["DocumentDecision", "DocumentDecision", "End"]),
        (
            json!({"type": "import", "path": "empty.txt"}),
            &["DocumentWithoutFingerprint", "CollectionChange", "End"],
        ),
    ] {
        let mut request = request;
        request["collection"] = json!("pages");
        let started = server.post_json("/v1/jobs", &request);
        let job = ended(&server, started.header("location").unwrap());
        let rows = server.get(job["result"].as_str().unwrap()).lines();
        assert_eq!(rows.len(), shapes.len(), "{rows:?}");
        for (row, shape) in rows.iter().zip(shapes) {
            assert!(
                kinds.iter().any(|kind| kind["$ref"] == format!("#/components/schemas/{shape}"))
            );
            let mut found: BTreeSet<String> = names(row);
            if *shape == "DocumentWithoutFingerprint" {
                // Of these rows the fields that are always null or empty are left out of the description.
                found.retain(|name| described(shape).contains(name));
            }
            assert_eq!(found, described(shape), "{row}");
        }
    }
}

#[test]
fn imports_stay_in_their_directory() {
    let imports = tempfile::tempdir().unwrap();
    let path = imports.path().join("imports");
    std::fs::create_dir_all(path.join("month")).unwrap();
    std::fs::write(path.join("month/old.txt"), OLD).unwrap();
    std::fs::write(path.join("month/empty.txt"), "").unwrap();
    let lines = format!("{}\n", json!({"name": "row", "body": OTHER}));
    std::fs::write(path.join("rows.jsonl"), lines).unwrap();
    std::fs::write(imports.path().join("secret.txt"), OTHER).unwrap();
    #[cfg(unix)]
    for (target, link) in [("", "out"), ("secret.txt", "month/link.txt")] {
        std::os::unix::fs::symlink(imports.path().join(target), path.join(link)).unwrap();
    }
    let server = TestServer::start_with(|settings| settings.import_from = Some(path.clone()));
    server.create("pages");
    let import = |path: &str| json!({"type": "import", "collection": "pages", "path": path});

    let found = rows(&server, &import("month"));
    assert_eq!(
        (&found[0]["id"], &found[0]["reason"]),
        (&json!("month/empty.txt"), &json!("empty"))
    );
    assert_eq!((&found[1]["added"], &found[1]["failed"]), (&json!(1), &json!(0)), "{found:?}");
    let text = server.get("/v1/collections/pages/documents?id=month%2Fold.txt");
    assert_eq!((text.status, &text.json()["id"]), (200, &json!("month/old.txt")));
    let mut again = import("month");
    assert_eq!(rows(&server, &again)[1]["replaced"], 1);
    again["on-duplicate"] = json!("skip");
    assert_eq!(rows(&server, &again)[1]["skipped"], 1);
    let mut table = import("rows.jsonl");
    (table["text-field"], table["id-field"]) = (json!("body"), json!("name"));
    assert_eq!(rows(&server, &table)[0]["added"], 1);
    assert_eq!(server.get("/v1/collections/pages/documents?id=row").status, 200);

    std::fs::write(path.join("rows.csv"), b"1;Caf\xE9 by the harbour at noon\n").unwrap();
    let mut table = import("rows.csv");
    (table["text-field"], table["id-field"]) = (json!("2"), json!("1"));
    for (field, value) in
        [("delimiter", json!(";")), ("no-header", json!(true)), ("charset", json!("latin1"))]
    {
        table[field] = value;
    }
    assert_eq!(rows(&server, &table)[0]["added"], 1);

    let refused = |asked: &Value| -> Answer { server.post_json("/v1/jobs", asked) };
    for (field, value) in [("delimiter", json!("::")), ("charset", json!("none"))] {
        let mut wrong = table.clone();
        wrong[field] = value;
        assert_eq!(refused(&wrong).problem(), "invalid-parameter", "{field}");
    }
    for path in
        ["../secret.txt", "/etc/passwd", "out/secret.txt", "month/../../secret.txt", "none", ""]
    {
        assert_eq!(refused(&import(path)).problem(), "invalid-parameter", "{path}");
    }
    let page = server.get("/jobs/00000000/rows");
    assert!(page.status == 200 && page.text().contains("month/empty.txt"), "{page:?}");
}

#[test]
fn imports_add_revisits_as_unchanged_captures() {
    let imports = tempfile::tempdir().unwrap();
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{OLD}");
    let head = |kind: &str, date: &str, digest: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{date}>\r\nWARC-Target-URI: http://e.org/\r\n\
             WARC-Date: {date}T00:00:00Z\r\nWARC-Payload-Digest: sha1:{digest}\r\nContent-Type: application/http\r\n"
        )
    };
    let end =
        |length: usize, block: &str| format!("Content-Length: {length}\r\n\r\n{block}\r\n\r\n");
    // A revisit may come before the capture that it refers to.
    let archive = head("revisit", "2026-02-01", "A")
        + &end(0, "")
        + &head("response", "2026-01-01", "A")
        + &end(http.len(), &http)
        + &head("revisit", "2026-03-01", "B")
        + &end(0, "");
    std::fs::write(imports.path().join("crawl.warc"), archive).unwrap();
    let server = TestServer::start_with(|settings| {
        settings.import_from = Some(imports.path().to_owned());
    });
    server.put("/v1/collections/crawl", br#"{"texts":true}"#);
    let mut asked = json!({"type": "import", "collection": "crawl", "path": "crawl.warc"});
    asked["revisits"] = json!(true);
    let found = rows(&server, &asked);
    assert_eq!(
        (&found[0]["id"], &found[0]["reason"]),
        (&json!("urn:2026-03-01"), &json!("unknown-target"))
    );
    assert_eq!(
        (&found[1]["added"], &found[1]["reused"], &found[1]["failed"]),
        (&json!(2), &json!(1), &json!(1))
    );
    let list = server.get("/v1/collections/crawl/captures?url=e.org").json();
    // A revisit without its original is listed, without a document.
    assert_eq!(list["items"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&list["items"][2]["id"], &list["items"][2]["revisit"]),
        (&json!(null), &json!(true))
    );
    assert_eq!(list["items"][1]["revisit"], true);
    assert_eq!(
        (&list["items"][1]["id"], &list["items"][1]["changed"]),
        (&json!("urn:2026-02-01"), &json!(0.0))
    );
}

/// A record of a response with this status and body.
fn response(status: u16, path: &str, date: &str, body: &str) -> String {
    let http = format!("HTTP/1.1 {status} X\r\nContent-Type: text/html\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{status}:{path}:{date}>\r\nWARC-Target-URI: \
         http://e.org/{path}\r\nWARC-Date: {date}T00:00:00Z\r\nContent-Type: application/http; \
         msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn imports_keep_redirects_and_errors_as_captures_that_match_nothing() {
    let imports = tempfile::tempdir().unwrap();
    let page = format!("<title>A page</title><p>{OLD}</p>");
    let archive = response(200, "a", "2026-01-01", &page)
        + &response(
            404,
            "a",
            "2026-02-01",
            "<title>Not found</title><p>There is no such page.</p>",
        )
        + &response(301, "old", "2026-01-01", "")
        + &response(200, "image", "2026-01-01", "\u{1}");
    std::fs::create_dir(imports.path().join("crawl")).unwrap();
    std::fs::write(imports.path().join("crawl/a.warc"), archive).unwrap();
    // An index of captures beside it names one of its records, and another one.
    let index = "org,e)/a 20260101000000 {\"url\":\"http://e.org/a\",\"status\":\"200\"}\n\
                 org,e)/b 20260101000000 {\"url\":\"http://e.org/b\",\"status\":\"200\",\"filename\":\"b.warc.gz\",\"offset\":\"7\"}\n\
                 org,e)/c nothing\n";
    std::fs::write(imports.path().join("crawl/index.cdxj"), index).unwrap();
    let server = TestServer::start_with(|settings| {
        settings.import_from = Some(imports.path().to_owned());
    });
    server.put("/v1/collections/crawl", br#"{"texts":true}"#);
    let asked = json!({"type": "import", "collection": "crawl", "path": "crawl"});
    let found = rows(&server, &asked);
    let change = found.last().unwrap();
    let counts =
        ["added", "captures", "failed", "documents"].map(|name| change[name].as_u64().unwrap());
    // The last line of the index is none. A page without words is none that failed.
    assert_eq!(counts, [1, 4, 1, 1], "{found:?}");
    assert!(found.iter().any(|row| row["reason"] == "bad-line" && row["id"] == "crawl/index.cdxj"));
    let captures = |query: &str| {
        let list = server.get(&format!("/v1/collections/crawl/captures?{query}")).json();
        let row = |item: &Value| {
            (
                item["url"].as_str().unwrap().to_owned(),
                item["status"].clone(),
                item["title"].clone(),
                item["id"].is_string(),
            )
        };
        list["items"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let row = |path: &str, status: Value, title: Value, is_document: bool| {
        (format!("http://e.org/{path}"), status, title, is_document)
    };
    let expected = [
        row("a", json!(200), json!("A page"), true),
        row("a", json!(404), json!("Not found"), false),
        row("b", json!(200), json!(null), false),
        row("image", json!(200), json!(null), false),
        row("old", json!(301), json!(null), false),
    ];
    assert_eq!(captures("prefix="), expected);
    // The same again changes nothing.
    let again = rows(&server, &asked);
    let change = again.last().unwrap();
    assert_eq!((&change["replaced"], &change["captures"]), (&json!(1), &json!(0)), "{again:?}");
    assert_eq!(captures("prefix="), expected);
    let addresses = server.get("/v1/collections/crawl/addresses?prefix=http://e.org/a").json();
    assert_eq!(
        (&addresses["items"][0]["captures"], &addresses["items"][0]["status"]),
        (&json!(2), &json!(404))
    );
    let page = server.get("/collections/crawl/captures?url=e.org/a&only=other-status");
    assert!(page.text().contains("404 not found") && page.text().contains("Redirects and errors"));
    // A single file is known by its content.
    std::fs::write(imports.path().join("list"), index).unwrap();
    let alone = rows(&server, &json!({"type": "import", "collection": "crawl", "path": "list"}));
    assert_eq!(alone.last().unwrap()["captures"], 0, "{alone:?}");
    // A snapshot has all of it.
    let made = server.post("/v1/collections/crawl/snapshots", "application/json", b"");
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let restore = format!("/v1/collections/crawl/snapshots/{id}/restore?replace");
    assert!(server.post(&restore, "application/json", b"").status < 300);
    assert_eq!(captures("prefix="), expected);
}
