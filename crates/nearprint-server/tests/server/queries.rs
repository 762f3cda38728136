//! Queries, and documents that are not stored.

use nearprint::MemoryIndex;
use nearprint::OnDuplicate;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint::{Documents, Index};
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{OLD, OTHER, TestServer, new};

fn filled() -> TestServer {
    let server = TestServer::start();
    server.create("pages");
    for (id, text) in [("old", OLD), ("new", &new()), ("other", OTHER)] {
        assert_eq!(server.add("pages", id, text).status, 201);
    }
    server
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[test]
fn all_ways_of_asking_give_the_same_answer() {
    let server = filled();
    let path = "/v1/collections/pages/query?k=6";
    let by_bytes = server.post(path, "text/plain", OLD.as_bytes()).lines();
    assert_eq!(ids(&by_bytes), ["old", "new"]);
    assert_eq!(by_bytes[0]["schema"], "nearprint/match/1");
    let print = server.get("/v1/collections/pages/documents?id=old").json()["fingerprint"].clone();
    for (asked, name) in [
        (json!({"text": OLD}), "query"),
        (json!({"html": format!("<p>{OLD}</p>")}), "query"),
        (json!({"fingerprint": print}), print.as_str().unwrap()),
        (json!({"text": OLD, "query": "mine"}), "mine"),
    ] {
        let rows = server.post_json(path, &asked).lines();
        assert_eq!(ids(&rows), ["old", "new"], "{asked}");
        assert!(rows.iter().all(|row| row["query"] == name), "{rows:?}");
    }
    // A document of the collection is not a match of itself.
    let by_id = server.post_json(path, &json!({"id": "old"})).lines();
    assert_eq!((ids(&by_id), &by_id[0]["query"]), (vec!["new"], &json!("old")));
    let limited =
        server.post("/v1/collections/pages/query?k=64&limit=1", "text/plain", OLD.as_bytes());
    assert_eq!(ids(&limited.lines()), ["old"]);
    for wrong in [
        "limit=0",
        "limit=10001",
        "k=-1",
        "k=x",
        "verify=nonsense",
        "measure=nonsense",
        "threshold=0.5",
        "unknown=1",
        "threshold=2",
        "idf=words.idf",
        "scheme=custom:words,log,lookup3,32",
    ] {
        let answer =
            server.post(&format!("/v1/collections/pages/query?{wrong}"), "text/plain", b"fog");
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "invalid-parameter"),
            "{wrong}"
        );
    }
    for wrong in [
        json!({}),
        json!({"text": "a", "id": "b"}),
        json!({"text": "a", "html": "b"}),
        json!({"txt": ""}),
    ] {
        assert_eq!(server.post_json(path, &wrong).problem(), "invalid-parameter", "{wrong}");
    }
    assert_eq!(server.post_json(path, &json!({"id": "none"})).problem(), "unknown-document");
    assert_eq!(server.post(path, "application/json", b"{").problem(), "malformed-request");
}

#[test]
fn texts_are_verified_where_they_are_kept() {
    let server = TestServer::start();
    // Features and md1 come where neither is named.
    let made = server.put("/v1/collections/pages", br#"{"texts":true}"#).json();
    assert_eq!((&made["scheme"], &made["features"]), (&json!("md1"), &json!(true)));
    for (id, text) in [("old", OLD), ("new", &new()), ("other", OTHER)] {
        assert_eq!(server.add("pages", id, text).status, 201);
    }
    let usual = server.post("/v1/collections/pages/query", "text/plain", OLD.as_bytes()).lines();
    assert_eq!(ids(&usual), ["old", "new"]);
    let path = "/v1/collections/pages/query?threshold=0.5";
    let rows = server.post(path, "text/plain", OLD.as_bytes()).lines();
    assert_eq!(ids(&rows), ["old", "new"]);
    assert_eq!((&rows[0]["similarity"], &rows[0]["measure"]), (&json!(1.0), &json!("jaccard")));
    let similarity = rows[1]["similarity"].as_f64().unwrap();
    assert!((0.5..1.0).contains(&similarity), "{similarity}");
    let alone =
        server.post("/v1/collections/pages/query?verify=false", "text/plain", OLD.as_bytes());
    assert!(alone.lines().iter().all(|row| row["similarity"].is_null()));
    // A fingerprint has no text to be compared.
    let print = server.get("/v1/collections/pages/documents?id=old").json()["fingerprint"].clone();
    let asked = json!({"fingerprint": print});
    let by_print = server.post_json("/v1/collections/pages/query?k=0", &asked);
    assert_eq!(ids(&by_print.lines()), ["old"]);
    let wrong = server.post_json(path, &asked);
    assert_eq!((wrong.status, wrong.problem().as_str()), (400, "invalid-parameter"));
    assert_eq!(server.put("/v1/collections/bare", br#"{"features":false}"#).status, 201);
    let bare = server.post("/v1/collections/bare/query?verify", "text/plain", b"fog");
    assert_eq!((bare.status, bare.problem().as_str()), (400, "invalid-parameter"));
}

#[test]
fn batches_are_answered_in_order_and_as_an_index_in_memory_does() {
    let server = TestServer::start();
    assert_eq!(server.put("/v1/collections/prints", br#"{"scheme":"sd1"}"#).status, 201);
    let index = MemoryIndex::new(Scheme::SD1);
    let mut state = 7u64;
    let mut print = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Few bits differ, so that there are matches.
        Fingerprint::from_bytes(Scheme::SD1, &((state >> 33) & 0x0303_0303).to_be_bytes()).unwrap()
    };
    let mut lines = String::new();
    for number in 0..500 {
        let print = print();
        let id = DocumentId::new(format!("d{number}")).unwrap();
        index.insert(&id, &print, OnDuplicate::Refuse).unwrap();
        lines.push_str(&format!("{}\n", json!({"id": id, "fingerprint": print.to_string()})));
    }
    let added = server.post(
        "/v1/collections/prints/documents/batch",
        "application/x-ndjson",
        lines.as_bytes(),
    );
    assert!(added.lines().iter().all(|row| row["status"] == 201));
    let asked: Vec<_> = (0..50).map(|_| print()).collect();
    let mut body = String::new();
    for (number, print) in asked.iter().enumerate() {
        body.push_str(&format!(
            "{}\n",
            json!({"query": format!("q{number}"), "fingerprint": print.to_string()})
        ));
    }
    body.push_str("{\"id\":\"none\"}\n{\"text\":\"12\"}\nx\n");
    let path = "/v1/collections/prints/query/batch?k=2&limit=10000";
    let rows = server.post(path, "application/x-ndjson", body.as_bytes()).lines();
    let mut rows = rows.iter();
    for (number, print) in asked.iter().enumerate() {
        for found in index.query(print, 2).unwrap() {
            let row = rows.next().unwrap();
            assert_eq!(row["query"], format!("q{number}"));
            assert_eq!((&row["id"], &row["distance"]), (&json!(found.id), &json!(found.distance)));
            assert_eq!(row["estimate"], 1.0 - f64::from(found.distance) / 64.0);
        }
    }
    let problems: Vec<_> =
        rows.map(|row| (row["query"].clone(), row["problem"]["kind"].clone())).collect();
    let kind = |query: &str, kind: &str| (json!(query), json!(kind));
    assert_eq!(
        problems,
        [
            kind("none", "unknown-document"),
            kind("query-52", "no-fingerprint"),
            kind("query-53", "malformed-request")
        ]
    );
    let many = "{}\n".repeat(1001);
    assert_eq!(server.post(path, "application/x-ndjson", many.as_bytes()).problem(), "too-large");
    assert_eq!(server.post(path, "text/plain", b"{}").problem(), "unsupported-media-type");
}

#[test]
fn documents_are_read_and_compared_without_being_stored() {
    let server = filled();
    let row = server.post(
        "/v1/fingerprint?id=fog.html&digests",
        "text/html; charset=utf-8",
        format!("<p>{OLD}").as_bytes(),
    );
    let row = row.json();
    assert_eq!(
        (&row["schema"], &row["id"]),
        (&json!("nearprint/fingerprint/1"), &json!("fog.html"))
    );
    assert_eq!(row["content_sha256"].as_str().unwrap().len(), 64);
    let none = server.post("/v1/fingerprint?scheme=md1", "text/plain", b"12").json();
    assert_eq!((&none["fingerprint"], &none["reason"]), (&Value::Null, &json!("no-tokens")));
    let text = server
        .post("/v1/extract", "application/octet-stream", b"<html><p>Fog <b>came</b> in.</p></html>")
        .json();
    assert_eq!(text["schema"], "nearprint/extraction/1");
    assert_eq!(text["text"].as_str().unwrap().trim(), "Fog came in.");
    assert_eq!(server.post("/v1/extract", "text/plain", b"").problem(), "no-fingerprint");

    let asked = json!({"a": {"text": OLD}, "b": {"collection": "pages", "id": "new"}, "measure": "jaccard", "details": 5});
    let row = server.post_json("/v1/compare", &asked).json();
    assert_eq!(
        (&row["schema"], &row["a"], &row["b"]),
        (&json!("nearprint/comparison/1"), &json!("a"), &json!("new"))
    );
    assert_eq!((&row["texts"], &row["verified"]), (&json!("near"), &json!(true)));
    let passages = row["passages"].as_array().unwrap();
    assert!(
        passages.iter().any(|row| row["in"] == "only-a" && row["text"] == "last boat home."),
        "{passages:?}"
    );
    for (wrong, kind) in [
        (json!({"a": {"text": OLD}, "b": {}}), "invalid-parameter"),
        (json!({"a": {"text": OLD}}), "invalid-parameter"),
        (json!({"a": {"text": OLD}, "b": {"text": "1"}}), "no-fingerprint"),
        (json!({"a": {"text": OLD}, "b": {"collection": "none", "id": "x"}}), "unknown-collection"),
        (json!({"a": {"text": OLD}, "b": {"text": OLD}, "details": 1001}), "invalid-parameter"),
        (json!({"a": {"text": OLD}, "b": {"text": OLD}, "scheme": "x"}), "invalid-parameter"),
    ] {
        assert_eq!(server.post_json("/v1/compare", &wrong).problem(), kind, "{wrong}");
    }
}

#[test]
fn rows_have_the_shape_that_the_description_names() {
    let server = filled();
    let api = server.get("/openapi.json").json();
    let described = |name: &str, of: &str| {
        let schema = &api["components"]["schemas"][name][of];
        let names: BTreeSet<String> = match schema.as_array() {
            Some(required) => required.iter().map(|name| name.as_str().unwrap().into()).collect(),
            None => schema.as_object().unwrap().keys().cloned().collect(),
        };
        names
    };
    let names = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    // Some fields are there only where they are asked for.
    let asked = ["metadata", "text"];
    for parameters in ["", "?metadata&text"] {
        let path = format!("/v1/collections/pages/query{parameters}");
        let row = &server.post(&path, "text/plain", OLD.as_bytes()).lines()[0];
        let mut fields = described("Match", "properties");
        fields.retain(|name| !parameters.is_empty() || !asked.contains(&name.as_str()));
        assert_eq!(fields, names(row));
    }
    let item = json!({
        "html": format!("<body><div><p>{OTHER}</p></div><main><p>{OLD}</p></main></body>"),
        "capture": {
            "url": "e.org", "date": "20260101000000", "payload_digest": "sha1:A", "title": "Rain", "status": 200,
            "mime": "text/html", "file": "a.warc", "offset": 7, "length": 90, "revisit": true,
        },
    });
    let path = "/v1/collections/pages/documents?id=capture";
    let headers = [("Content-Type", "application/json")];
    assert_eq!(server.send("PUT", path, &headers, item.to_string().as_bytes()).status, 201);
    let row = server.get(&format!("{path}&text")).json();
    let rest: Vec<_> =
        described("StoredDocumentRow", "properties").difference(&names(&row)).cloned().collect();
    assert!(rest.is_empty(), "{rest:?}");
    assert!(names(&row).is_subset(&described("StoredDocumentRow", "properties")), "{row}");
    assert!(described("StoredDocumentRow", "required").is_subset(&names(&row)), "{row}");
}

#[test]
fn parameters_have_patterns_ranges_and_lengths() {
    let server = TestServer::start();
    let api = server.get("/openapi.json").json();
    let mut count = 0;
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let (name, schema) = (&parameter["name"], &parameter["schema"]);
                let types = match &schema["type"] {
                    Value::Array(types) => types.clone(),
                    one => vec![one.clone()],
                };
                let is_closed = !schema["enum"].is_null();
                let is_bounded = |kind: &Value| match kind.as_str().unwrap() {
                    "string" => is_closed || schema["maxLength"].is_u64(),
                    "integer" | "number" => schema["minimum"].is_number(),
                    _ => true,
                };
                assert!(types.iter().all(is_bounded), "{method} {path} {name}: {schema}");
                assert!(
                    parameter["in"] != "path" || schema["pattern"].is_string(),
                    "{path} {name}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
    let fields = &api["components"]["schemas"];
    assert_eq!(fields["SelectionBody"]["properties"]["ids"]["items"]["maxLength"], 4096);
    assert_eq!(fields["Match"]["properties"]["similarity"]["maximum"], 1);
}

#[test]
fn who_asks_for_json_gets_one_object() {
    let server = filled();
    let path = "/v1/collections/pages/query";
    let lines = server.post(path, "text/plain", OLD.as_bytes()).lines();
    let accept = [("Accept", "application/json"), ("Content-Type", "text/plain")];
    let object = server.send("POST", path, &accept, OLD.as_bytes());
    assert_eq!(object.header("content-type"), Some("application/json"));
    assert_eq!(object.json()["items"], Value::from(lines));
    let line = json!({"id": "more", "text": OTHER}).to_string();
    let accept = [("Accept", "application/json"), ("Content-Type", "application/x-ndjson")];
    let path = "/v1/collections/pages/documents/batch";
    let added = server.send("POST", path, &accept, line.as_bytes()).json();
    assert_eq!(added["items"][0]["outcome"], "added");
    // Batches may be objects too.
    let accept = [("Accept", "application/json"), ("Content-Type", "application/json")];
    let batch = json!({"items": [{"id": "m", "text": OTHER}, {"id": "n"}]}).to_string();
    let added = server.send("POST", path, &accept, batch.as_bytes()).json();
    assert_eq!(
        (&added["items"][0]["outcome"], &added["items"][1]["status"]),
        (&json!("added"), &json!(400))
    );
    let path = "/v1/collections/pages/query/batch?k=0";
    let batch = json!({"items": [{"query": "q", "id": "m"}, {"text": OTHER}]}).to_string();
    let found = server.send("POST", path, &accept, batch.as_bytes()).json();
    let found: Vec<_> =
        found["items"].as_array().unwrap().iter().map(|row| row["query"].clone()).collect();
    assert!(found.contains(&json!("q")) && found.contains(&json!("query-2")), "{found:?}");
    for wrong in [json!([]), json!({"lines": []}), json!({"items": 7})] {
        let refused = server.post_json("/v1/collections/pages/query/batch", &wrong);
        assert_eq!(refused.problem(), "invalid-parameter", "{wrong}");
    }
}

#[test]
fn conditions_on_metadata_choose_among_matches() {
    let server = TestServer::start();
    server.create("pages");
    for (id, metadata) in [
        ("a", json!({"crawl": "1", "words": 7})),
        ("b", json!({"crawl": "2", "words": 70})),
        ("c", json!(null)),
    ] {
        let item = json!({"text": OLD, "metadata": metadata});
        let item = if metadata.is_null() { json!({"text": OLD}) } else { item };
        let path = format!("/v1/collections/pages/documents?id={id}");
        let answer = server.send(
            "PUT",
            &path,
            &[("Content-Type", "application/json")],
            item.to_string().as_bytes(),
        );
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let found = |parameters: &str| {
        let path = format!("/v1/collections/pages/query?{parameters}");
        let rows = server.post(&path, "text/plain", OLD.as_bytes()).lines();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(""), ["a", "b", "c"]);
    assert_eq!(found("where=crawl%3D1"), ["a"]);
    assert_eq!(found("where=crawl!=1"), ["b"]);
    assert_eq!(found("where=words%3E%3D7&k=3"), ["a", "b"]);
    assert_eq!(found("where=words%3E%3D7&k=3&where=crawl=2"), ["b"]);
    assert_eq!(found("where=words%3C8&where=crawl=2&where=x=y"), [""; 0]);
    assert_eq!(found("limit=1&where=crawl=2"), ["b"]);
    let wrong =
        server.post("/v1/collections/pages/query?where=crawl", "text/plain", OLD.as_bytes());
    assert_eq!((wrong.status, wrong.problem().as_str()), (400, "invalid-parameter"));
    assert_eq!(wrong.json()["errors"][0]["pointer"], "?where");
}

#[test]
fn matches_are_explained_by_what_both_texts_share() {
    let server = TestServer::start();
    server.create("pages");
    assert_eq!(server.add("pages", "old", OLD).status, 201);
    let path = "/v1/collections/pages/query?k=10&explain";
    let rows = server.post(path, "text/plain", new().as_bytes()).lines();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!((&rows[0]["schema"], &rows[0]["id"]), (&json!("nearprint/match/1"), &json!("old")));
    assert_eq!(
        (&rows[1]["schema"], &rows[1]["b"]),
        (&json!("nearprint/comparison/1"), &json!("old"))
    );
    assert!(rows[1]["passages"].as_array().is_some_and(|found| !found.is_empty()), "{}", rows[1]);
    let batch = "{\"query\":\"q\",\"id\":\"old\"}\n{\"query\":\"r\",\"fingerprint\":\"sd1:aerukz4jvpg66\"}\n";
    let path = "/v1/collections/pages/query/batch?k=10&explain";
    assert_eq!(server.post(path, "application/x-ndjson", batch.as_bytes()).lines().len(), 0);
    let many =
        server.post("/v1/collections/pages/query?explain&limit=101", "text/plain", OLD.as_bytes());
    assert_eq!((many.status, many.problem().as_str()), (400, "invalid-parameter"));
}
