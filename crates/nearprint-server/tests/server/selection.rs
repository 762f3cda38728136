//! Many documents in one request: fetched, counted, listed, changed and removed by their ids or by a condition.

use serde_json::{Value, json};

use crate::harness::{Answer, OLD, OTHER, TestServer, encoded, new};

/// Documents `0` to `9`, whose metadata have their number and a crawl, and one without metadata.
fn filled() -> TestServer {
    let server = TestServer::start();
    server.create("pages");
    let mut lines: String = (0..10)
        .map(|n| {
            let text = if n % 2 == 0 { OLD } else { OTHER };
            let metadata =
                json!({"n": n, "crawl": format!("2026-{}", n % 3), "host": {"name": "e.org"}});
            format!("{}\n", json!({"id": n.to_string(), "text": text, "metadata": metadata}))
        })
        .collect();
    lines.push_str(&json!({"id": "bare", "text": new()}).to_string());
    let path = "/v1/collections/pages/documents/batch";
    assert_eq!(server.post(path, "application/x-ndjson", lines.as_bytes()).status, 200);
    server
}

fn post(server: &TestServer, what: &str, body: &Value) -> Answer {
    server.post_json(&format!("/v1/collections/pages/documents/{what}"), body)
}

fn count(server: &TestServer, parameters: &str) -> u64 {
    let path = format!("/v1/collections/pages/documents/count?{parameters}");
    let answer = server.get(&path);
    answer.json()["count"].as_u64().unwrap_or_else(|| panic!("{path}: {answer:?}"))
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[test]
fn documents_are_counted_by_conditions() {
    let server = filled();
    for (condition, wanted) in [
        ("n<5", 5),
        ("n>=5 and crawl=2026-0", 2),
        ("n in (1, 7, 99) or not n exists", 3),
        ("crawl in (2026-0, 2026-1) and not (n<3 or n>7)", 4),
        ("not crawl=2026-0", 7),
        ("crawl!=2026-0", 6),
    ] {
        assert_eq!(count(&server, &format!("where={}", encoded(condition))), wanted, "{condition}");
    }
    assert_eq!(
        (count(&server, ""), count(&server, "prefix=b"), count(&server, "prefix=x")),
        (11, 1, 0)
    );
    assert_eq!(count(&server, "prefix=7&where=n%3D7&where=crawl%3D2026-1"), 1);
    let wrong = server.get("/v1/collections/pages/documents/count?where=n%3D1%20or");
    assert_eq!((wrong.status, wrong.problem().as_str()), (400, "invalid-parameter"));
    assert_eq!(wrong.json()["errors"][0]["pointer"], "?where");
}

#[test]
fn lists_have_conditions_and_texts() {
    let server = filled();
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!(
            "/v1/collections/pages/documents?where=n%3E3&where=crawl!=2026-1&limit=2&text{cursor}"
        );
        let page = server.get(&path).json();
        let items = page["items"].as_array().unwrap().clone();
        assert!(items.len() <= 2 && items.iter().all(|row| row["text"].is_string()), "{page}");
        found.extend(items);
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(ids(&found), ["5", "6", "8", "9"]);
    let one = "/v1/collections/pages/documents?id=5";
    let (without, with) = (server.get(one), server.get(&format!("{one}&text")));
    assert_eq!((&without.json()["text"], &with.json()["text"]), (&Value::Null, &json!(OTHER)));
    assert_eq!(without.header("etag"), with.header("etag"));
    assert_eq!(server.get(&format!("{one}&where=n%3D1")).problem(), "invalid-parameter");
    server.put("/v1/collections/bare", br#"{"scheme":"sd1"}"#);
    assert_eq!(server.get("/v1/collections/bare/documents?text").problem(), "no-texts");
}

#[test]
fn a_thousand_documents_are_fetched_and_removed_at_once() {
    let server = filled();
    let mut wanted: Vec<String> = (0..989).map(|n| format!("missing {n}")).collect();
    wanted.extend((0..10).rev().map(|n| n.to_string()));
    wanted.push("bare".to_owned());
    assert_eq!(wanted.len(), 1000);
    let rows = post(&server, "fetch", &json!({"ids": wanted})).lines();
    assert_eq!(ids(&rows), ["9", "8", "7", "6", "5", "4", "3", "2", "1", "0", "bare"]);
    assert_eq!(
        (&rows[0]["schema"], &rows[0]["metadata"]["n"]),
        (&json!("nearprint/indexed/1"), &json!(9))
    );
    assert!(rows.iter().all(|row| row.get("text").is_none()));
    let texts = post(&server, "fetch", &json!({"ids": ["bare", "1"], "text": true})).lines();
    assert_eq!((&texts[0]["text"], &texts[1]["text"]), (&json!(new()), &json!(OTHER)));
    let headers = [("Content-Type", "application/json"), ("Accept", "application/json")];
    let path = "/v1/collections/pages/documents/fetch";
    let object = server.send("POST", path, &headers, br#"{"ids":["3"]}"#).json();
    assert_eq!(object["items"][0]["id"], "3");
    wanted.push("one more".to_owned());
    for what in ["fetch", "delete"] {
        let refused = post(&server, what, &json!({"ids": wanted}));
        assert_eq!((refused.status, refused.problem().as_str()), (413, "too-large"), "{what}");
        let wrong = post(&server, what, &json!({"ids": ["a", ""]}));
        assert_eq!(wrong.json()["errors"][0]["pointer"], "/ids/1", "{what}");
    }
    wanted.pop();
    assert_eq!(post(&server, "delete", &json!({"ids": wanted})).json(), json!({"removed": 11}));
    assert_eq!(count(&server, ""), 0);
    // An answer that is too long is refused, and says what to do.
    let server = TestServer::start_with(|settings| settings.limits.body_bytes = 500);
    server.create("pages");
    for id in ["a", "b"] {
        assert_eq!(server.add("pages", id, OLD).status, 201);
    }
    let long = post(&server, "fetch", &json!({"ids": ["a", "b"], "text": true}));
    assert_eq!((long.status, long.problem().as_str()), (413, "too-large"));
}

#[test]
fn documents_are_removed_by_a_condition() {
    let server = filled();
    for wrong in [json!({}), json!({"ids": [], "where": "n=1"}), json!({"where": ""})] {
        assert_eq!(post(&server, "delete", &wrong).problem(), "invalid-parameter", "{wrong}");
    }
    let removed = post(&server, "delete", &json!({"where": "crawl=2026-0 or n in (1, 2)"}));
    assert_eq!(removed.json(), json!({"removed": 6}));
    let left = server.get("/v1/collections/pages/documents").json();
    assert_eq!(ids(left["items"].as_array().unwrap()), ["4", "5", "7", "8", "bare"]);
}

#[test]
fn metadata_are_changed_alone() {
    let server = filled();
    let one = "/v1/collections/pages/documents?id=4&text";
    let before = server.get(one).json();
    let tag = server.get(one).header("etag").unwrap().to_owned();
    let patch = json!({"ids": ["4", "4", "none"], "metadata": {"n": null, "host": {"port": 80}, "seen": true}});
    assert_eq!(post(&server, "metadata", &patch).json(), json!({"changed": 1}));
    let after = server.get(one);
    assert_ne!(after.header("etag").unwrap(), tag);
    let mut expected = before.clone();
    expected["metadata"] =
        json!({"crawl": "2026-1", "host": {"name": "e.org", "port": 80}, "seen": true});
    assert_eq!(after.json(), expected);
    let by_condition =
        json!({"where": "n>=8 or not crawl exists", "metadata": {"late": 1}, "replace": true});
    assert_eq!(post(&server, "metadata", &by_condition).json(), json!({"changed": 3}));
    assert_eq!((count(&server, "where=late%3D1"), count(&server, "where=crawl%20exists")), (3, 8));
    let none = json!({"where": "late=1", "metadata": {}, "replace": true});
    assert_eq!(post(&server, "metadata", &none).json(), json!({"changed": 3}));
    assert_eq!(count(&server, "where=late%20exists"), 0);
    // Queries find documents as before.
    let path = "/v1/collections/pages/query?where=seen%3Dtrue";
    assert_eq!(ids(&server.post(path, "text/plain", OLD.as_bytes()).lines()), ["4"]);
    // What would be too long changes nothing.
    let long = json!({"ids": ["5", "6"], "metadata": {"x": "y".repeat(70_000)}});
    assert_eq!(post(&server, "metadata", &long).status, 422);
    assert_eq!(count(&server, "where=x%20exists"), 0);
    for wrong in [json!({"ids": []}), json!({"ids": [], "metadata": 7}), json!({"metadata": {}})] {
        assert_eq!(post(&server, "metadata", &wrong).problem(), "invalid-parameter", "{wrong}");
    }
    // All of it is there after another start.
    let directory = server.stop().unwrap();
    let server = TestServer::of(&crate::harness::settings(directory.path()));
    assert_eq!(server.get(one).json(), expected);
}

#[test]
fn matches_have_metadata_and_texts_where_they_are_asked_for() {
    let server = filled();
    let asked = |parameters: &str| {
        let path = format!("/v1/collections/pages/query?k=0&limit=1&{parameters}");
        server.post(&path, "text/plain", OTHER.as_bytes()).lines().remove(0)
    };
    let plain = asked("");
    assert!(plain.get("metadata").is_none() && plain.get("text").is_none(), "{plain}");
    let row = asked("metadata&text");
    assert_eq!(
        (&row["id"], &row["metadata"]["n"], &row["text"]),
        (&json!("1"), &json!(1), &json!(OTHER))
    );
    let mut rest = row;
    for field in ["metadata", "text"] {
        rest.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(rest, plain);
    let path = "/v1/collections/pages/query?where=not%20n%20exists&metadata=true&k=6";
    let bare = server.post(path, "text/plain", new().as_bytes()).lines().remove(0);
    assert_eq!((&bare["id"], &bare["metadata"]), (&json!("bare"), &Value::Null));
    assert!(bare.get("metadata").is_some());
    server.put("/v1/collections/small", br#"{"scheme":"sd1"}"#);
    let refused = server.post("/v1/collections/small/query?text", "text/plain", OLD.as_bytes());
    assert_eq!(refused.problem(), "no-texts");
    // The long answer of few matches is refused, not cut.
    let server = TestServer::start_with(|settings| settings.limits.body_bytes = 500);
    server.create("pages");
    for id in ["a", "b"] {
        server.add("pages", id, OLD);
    }
    let long = server.post("/v1/collections/pages/query?text&k=0", "text/plain", OLD.as_bytes());
    assert_eq!((long.status, long.problem().as_str()), (413, "too-large"));
}
