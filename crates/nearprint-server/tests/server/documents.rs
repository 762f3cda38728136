//! Collections and their documents: what is acknowledged is there, also after the server was started again.

use serde_json::{Value, json};

use crate::harness::{OLD, OTHER, TestServer, encoded, new, settings};

#[test]
fn collections_are_created_listed_and_deleted() {
    let server = TestServer::start();
    assert_eq!(server.get("/v1/collections").json()["items"], json!([]));
    let created = server.put("/v1/collections/plain", b"");
    assert_eq!((created.status, created.header("location")), (201, Some("/v1/collections/plain")));
    let body = created.json();
    assert_eq!(
        (&body["scheme"], &body["features"], &body["texts"], &body["documents"]),
        (&json!("md1"), &json!(true), &json!(false), &json!(0))
    );
    assert_eq!(body["statistics"]["schema"], "nearprint/index/1");
    assert_eq!(server.put("/v1/collections/plain", b"{}").status, 200);
    assert_eq!(server.put("/v1/collections/plain", br#"{"scheme":"md1"}"#).status, 200);
    for (settings, scheme) in
        [(br#"{"features":false}"#.as_slice(), "sd1"), (br#"{"scheme":"sl1"}"#, "sl1")]
    {
        let made = server.put(&format!("/v1/collections/{scheme}"), settings).json();
        assert_eq!((&made["scheme"], &made["features"]), (&json!(scheme), &json!(false)));
        assert_eq!(
            server.send("DELETE", &format!("/v1/collections/{scheme}"), &[], b"").status,
            204
        );
    }
    let other = server.put("/v1/collections/plain", br#"{"scheme":"sd1"}"#);
    assert_eq!((other.status, other.problem().as_str()), (409, "collection-exists"));
    server.create("kept");
    let names: Vec<Value> = server.get("/v1/collections").json()["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].clone())
        .collect();
    assert_eq!(names, ["kept", "plain"]);
    assert_eq!(server.send("DELETE", "/v1/collections/kept", &[], b"").status, 204);
    assert_eq!(server.get("/v1/collections/kept").problem(), "unknown-collection");
    for wrong in ["A", "a.b", "%2e%2e", "a%2fb", "x%00", "%ff"] {
        let answer = server.put(&format!("/v1/collections/{wrong}"), b"");
        assert_eq!(answer.status, 400, "{wrong}: {answer:?}");
        answer.problem();
    }
    let wrong = server.put("/v1/collections/a", br#"{"scheme":"sd1","text":true}"#);
    assert_eq!(wrong.problem(), "invalid-parameter");
    let scheme = server.put("/v1/collections/a", br#"{"scheme":"custom:words,log,lookup3,32"}"#);
    assert_eq!(scheme.json()["errors"][0]["pointer"], "/scheme");
}

#[test]
fn documents_are_put_fetched_listed_and_removed() {
    let server = TestServer::start();
    server.create("pages");
    let id = "https://example.org/a b?c=d&e=%20#ü";
    let put = server.add("pages", id, OLD);
    assert_eq!(put.status, 201, "{put:?}");
    let added = put.json();
    assert_eq!((&added["outcome"], &added["id"]), (&json!("added"), &json!(id)));
    let address = format!("/v1/collections/pages/documents?id={}", encoded(id));
    let found = server.get(&address);
    let row = found.json();
    assert_eq!((&row["schema"], &row["id"]), (&json!("nearprint/indexed/1"), &json!(id)));
    assert_eq!(row["fingerprint"], added["fingerprint"]);
    assert!(row["extractor"].as_str().unwrap().starts_with("plain/"), "{row}");
    let tag = found.header("etag").unwrap();
    let again = server.send("GET", &address, &[("If-None-Match", tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    let text = server.get(&format!("/v1/collections/pages/documents/text?id={}", encoded(id)));
    assert_eq!(text.text().trim(), OLD);
    assert!(text.header("content-security-policy").unwrap().contains("sandbox"));
    let replaced = server.add("pages", id, OTHER);
    assert_eq!((replaced.status, &replaced.json()["outcome"]), (200, &json!("replaced")));
    let text = server.get(&format!("/v1/collections/pages/documents/text?id={}", encoded(id)));
    assert_eq!(text.text().trim(), OTHER);
    assert_ne!(server.get(&address).header("etag"), Some(tag));

    for number in 0..5 {
        assert_eq!(server.add("pages", &format!("b/{number}"), OLD).status, 201);
    }
    let mut ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = server
            .get(&format!("/v1/collections/pages/documents?prefix=b%2F&limit=2{cursor}"))
            .json();
        ids.extend(
            page["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["id"].as_str().unwrap().to_owned()),
        );
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(ids, ["b/0", "b/1", "b/2", "b/3", "b/4"]);
    let removed = server.post_json(
        "/v1/collections/pages/documents/delete",
        &json!({"ids": ["b/0", "b/1", "none"]}),
    );
    assert_eq!(removed.json(), json!({"removed": 2}));
    assert_eq!(server.send("DELETE", &address, &[], b"").status, 204);
    assert_eq!(server.send("DELETE", &address, &[], b"").problem(), "unknown-document");
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 3);
}

#[test]
fn what_was_acknowledged_is_there_after_another_start() {
    let server = TestServer::start();
    server.create("pages");
    assert_eq!(server.add("pages", "old", OLD).status, 201);
    assert_eq!(server.put("/v1/collections/gone", b"").status, 201);
    assert_eq!(server.send("DELETE", "/v1/collections/gone", &[], b"").status, 204);
    let directory = server.stop().unwrap();
    let server = TestServer::of(&settings(directory.path()));
    let text = server.get("/v1/collections/pages/documents/text?id=old");
    assert_eq!(text.text().trim(), OLD);
    assert_eq!(server.get("/v1/collections/gone").status, 404);
    // A second server of the directory is refused.
    let second =
        nearprint_server::Server::bind(&settings(directory.path())).map(|_| ()).unwrap_err();
    assert!(second.to_string().contains("another server"), "{second}");
}

#[test]
fn if_new_names_what_is_near_and_repeats_its_answer() {
    let server = TestServer::start();
    server.create("pages");
    let put = |id: &str, text: &str| {
        let path = format!("/v1/collections/pages/documents?id={id}&if-new&k=6");
        server.put(&path, text.as_bytes())
    };
    let first = put("old", OLD);
    assert_eq!((first.status, &first.json()["outcome"]), (201, &json!("added")));
    let near = put("new", &new());
    assert_eq!(near.status, 200, "{near:?}");
    let row = near.json();
    assert_eq!((&row["outcome"], &row["near"][0]["id"]), (&json!("near"), &json!("old")));
    // The same requests once more, as clients send them whose answers were lost.
    assert_eq!(put("old", OLD).body, first.body);
    assert_eq!(put("new", &new()).body, near.body);
    // Another content under the same id is not a repetition.
    let other = put("old", OTHER);
    assert_eq!((other.status, other.problem().as_str()), (409, "duplicate-document"));
    let replaced = server.put(
        "/v1/collections/pages/documents?id=old&if-new&on-duplicate=replace",
        OTHER.as_bytes(),
    );
    assert_eq!(replaced.json()["outcome"], "replaced");
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 1);
    let skipped =
        server.put("/v1/collections/pages/documents?id=old&on-duplicate=skip", OLD.as_bytes());
    assert_eq!(skipped.json()["outcome"], "skipped");
    let text = server.get("/v1/collections/pages/documents/text?id=old");
    assert_eq!(text.text().trim(), OTHER);
}

#[test]
fn a_budget_keeps_so_many_similar_pages() {
    let server = TestServer::start();
    assert_eq!(server.put("/v1/collections/pages", b"").status, 201);
    let put = |id: &str, text: &str, more: &str| {
        let path = format!("/v1/collections/pages/documents?id={id}&budget=2{more}");
        server.put(&path, text.as_bytes())
    };
    let outcome = |id: &str, text: &str, more: &str| {
        let row = put(id, text, more).json();
        (row["outcome"].clone(), row["similar"].clone())
    };
    let of = |outcome: &str, similar: u64| (json!(outcome), json!(similar));
    assert_eq!(outcome("a", OLD, ""), of("added", 0));
    assert_eq!(outcome("b", &new(), ""), of("added", 1));
    assert_eq!(outcome("c", OTHER, ""), of("added", 0));
    let spent = put("d", OLD, "");
    assert_eq!(spent.status, 200, "{spent:?}");
    let row = spent.json();
    assert_eq!((&row["outcome"], &row["similar"]), (&json!("spent"), &json!(2)));
    let near: Vec<&str> =
        row["near"].as_array().unwrap().iter().map(|near| near["id"].as_str().unwrap()).collect();
    assert_eq!(near, ["a", "b"]);
    // A page that was kept is kept again, and another threshold has another budget.
    assert_eq!(outcome("b", OLD, ""), of("replaced", 1));
    assert_eq!(outcome("b", &new(), ""), of("replaced", 1));
    assert_eq!(outcome("e", &new(), "&threshold=1"), of("added", 1));
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 4);
    let lines = ["f", "g"].map(|id| json!({"id": id, "text": OTHER}).to_string());
    let batch = "/v1/collections/pages/documents/batch?budget=2";
    let rows = server.post(batch, "application/x-ndjson", lines.join("\n").as_bytes()).lines();
    assert_eq!((&rows[0]["outcome"], &rows[0]["similar"]), (&json!("added"), &json!(1)));
    assert_eq!((&rows[1]["outcome"], &rows[1]["similar"]), (&json!("spent"), &json!(2)));
    for (more, pointer) in [("&if-new", "?budget"), ("&threshold=1.5", "?threshold")] {
        let refused = put("x", OLD, more);
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{refused:?}");
    }
    let path = "/v1/collections/pages/documents?id=x";
    for (more, pointer) in [("&budget=0", "?budget"), ("&threshold=0.5", "?threshold")] {
        let refused = server.put(&format!("{path}{more}"), OLD.as_bytes());
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{refused:?}");
    }
}

#[test]
fn a_batch_answers_for_each_of_its_items() {
    let server = TestServer::start();
    server.create("pages");
    let lines = [
        json!({"id": "a", "text": OLD, "metadata": {"crawl": "2026-11"}}).to_string(),
        json!({"id": "b", "html": format!("<title>x</title><p>{OTHER}")}).to_string(),
        json!({"id": "c", "fingerprint": "sd1:aerukz4jvpg66"}).to_string(),
        json!({"id": "d", "document": "Zm9n"}).to_string(),
        json!({"id": "e", "text": "1 2 3"}).to_string(),
        json!({"id": "f"}).to_string(),
        "not json".to_owned(),
        json!({"id": "g", "fingerprint": "md1:aaaa"}).to_string(),
        json!({"id": "a", "text": OTHER}).to_string(),
    ];
    let body = lines.join("\n");
    let path = "/v1/collections/pages/documents/batch?on-duplicate=error";
    let rows = server.post(path, "application/x-ndjson", body.as_bytes()).lines();
    let statuses: Vec<u64> = rows.iter().map(|row| row["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [201, 201, 201, 201, 422, 400, 400, 400, 409], "{rows:#?}");
    assert_eq!(rows[4]["problem"]["reason"], "no-tokens");
    assert_eq!(rows[5]["problem"]["errors"][0]["pointer"], "/5");
    assert_eq!(rows[8]["problem"]["kind"], "duplicate-document");
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 4);
    let row = server.get("/v1/collections/pages/documents?id=a").json();
    assert_eq!(row["metadata"], json!({"crawl": "2026-11"}));
    // Texts are kept of documents, not of fingerprints.
    assert_eq!(server.get("/v1/collections/pages/documents/text?id=c").problem(), "no-texts");

    let form = format!(
        "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"fog.txt\"\r\nContent-Type: text/plain\r\n\r\n{OLD}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"rain.html\"\r\n\r\n<p>{OTHER}\r\n--x--\r\n"
    );
    let path = "/v1/collections/pages/documents/batch";
    let rows = server.post(path, "multipart/form-data; boundary=x", form.as_bytes()).lines();
    let ids: Vec<_> = rows
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["status"].as_u64().unwrap()))
        .collect();
    assert_eq!(ids, [("fog.txt", 201), ("rain.html", 201)]);
}

#[test]
fn documents_without_text_and_of_unknown_types_are_refused() {
    let server = TestServer::start();
    server.create("pages");
    let path = "/v1/collections/pages/documents?id=x";
    let none = server.put(path, b"12 34");
    assert_eq!((none.status, none.problem().as_str()), (422, "no-fingerprint"));
    assert_eq!(none.json()["reason"], "no-tokens");
    let damaged = server.put(path, b"%PDF-1.7 and nothing more");
    assert_eq!((damaged.status, damaged.problem().as_str()), (422, "unreadable-document"));
    let image = server.send("PUT", path, &[("Content-Type", "image/png")], OLD.as_bytes());
    assert_eq!((image.status, image.problem().as_str()), (415, "unsupported-media-type"));
    let scheme = server.send(
        "PUT",
        path,
        &[("Content-Type", "application/json")],
        br#"{"fingerprint":"sl1:aerukz4jvpg66"}"#,
    );
    assert_eq!((scheme.status, scheme.problem().as_str()), (422, "other-scheme"));
    let batch = server.post(
        "/v1/collections/pages/documents/batch",
        "application/x-ndjson",
        br#"{"id":"y","fingerprint":"sl1:aerukz4jvpg66"}"#,
    );
    let row = &batch.lines()[0];
    assert_eq!((&row["status"], &row["problem"]["kind"]), (&422.into(), &"other-scheme".into()));
    assert_eq!(
        server.put("/v1/collections/none/documents?id=x", b"fog").problem(),
        "unknown-collection"
    );
    assert_eq!(
        server.put("/v1/collections/pages/documents", b"fog").json()["errors"][0]["pointer"],
        "?id"
    );
    let long = format!("/v1/collections/pages/documents?id={}", "x".repeat(4097));
    assert_eq!(server.put(&long, b"fog").status, 400);
    let longest = format!("/v1/collections/pages/documents?id={}", "%C3%A9".repeat(2048));
    assert_eq!(server.put(&longest, OLD.as_bytes()).status, 201);
}

#[test]
fn ids_of_addresses_are_what_was_meant_or_refused() {
    let server = TestServer::start();
    server.create("pages");
    let put = |id: &str| {
        let path = format!("/v1/collections/pages/documents?id={id}");
        server.put(&path, OLD.as_bytes())
    };
    // Two ids of Latin-1 were one, and a + was a blank.
    for id in ["caf%E9", "caf%E8", "http://example.org/?q=a+b"] {
        let answer = put(id);
        assert_eq!((answer.status, answer.problem().as_str()), (400, "invalid-parameter"), "{id}");
    }
    for id in ["caf%C3%A9", "http://example.org/?q=a%2Bb", "a%20b"] {
        assert_eq!(put(id).status, 201, "{id}");
    }
    let ids: Vec<Value> = server.get("/v1/collections/pages/documents").json()["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].clone())
        .collect();
    assert_eq!(ids, ["a b", "café", "http://example.org/?q=a+b"]);
}

#[test]
fn changes_may_depend_on_what_is_there() {
    let server = TestServer::start();
    server.create("pages");
    let path = "/v1/collections/pages/documents?id=a";
    let send = |method: &str, name: &str, value: &str, body: &[u8]| {
        let answer = server.send(method, path, &[(name, value)], body);
        if answer.status == 412 {
            assert_eq!(answer.problem(), "precondition-failed");
        }
        answer.status
    };
    let old = OLD.as_bytes();
    assert_eq!(send("PUT", "If-Match", "*", old), 412);
    assert_eq!(send("PUT", "If-None-Match", "*", old), 201);
    assert_eq!(send("PUT", "If-None-Match", "*", OTHER.as_bytes()), 412);
    let tag = server.get(path).header("etag").unwrap().to_owned();
    assert_eq!(send("PUT", "If-Match", "\"nope\"", OTHER.as_bytes()), 412);
    assert_eq!(server.get(path).header("etag"), Some(tag.as_str()), "nothing was changed");
    assert_eq!(send("PUT", "If-Match", &tag, OTHER.as_bytes()), 200);
    assert_eq!(send("DELETE", "If-Match", &tag, b""), 412);
    let tag = server.get(path).header("etag").unwrap().to_owned();
    assert_eq!(send("DELETE", "If-Match", &tag, b""), 204);
    assert_eq!(send("DELETE", "If-Match", "*", b""), 412);
}

#[test]
fn no_condition_is_passed_over() {
    let server = TestServer::start();
    server.create("pages");
    assert_eq!(server.add("pages", "a", OLD).status, 201);
    let path = "/v1/collections/pages/documents?id=a";
    let tag = server.get(path).header("etag").unwrap().to_owned();
    let read = |name: &str, value: &str| server.send("GET", path, &[(name, value)], b"").status;
    let weak = format!("\"x\", W/{tag}");
    assert_eq!(
        ["\"x\"", &tag, &weak, "*"].map(|known| read("If-None-Match", known)),
        [200, 304, 304, 304]
    );
    assert_eq!(
        ["\"x\"", &tag, &weak, "*"].map(|known| read("If-Match", known)),
        [412, 200, 412, 200]
    );
    // What has no tag is not changed.
    assert_eq!(server.put("/v1/aliases/now", br#"{"collection":"pages"}"#).status, 201);
    for (method, path, body) in [
        ("DELETE", "/v1/collections/pages", &b""[..]),
        ("PATCH", "/v1/collections/pages", br#"{"replay":null}"#),
        ("PUT", "/v1/aliases/now", br#"{"collection":"pages"}"#),
        ("DELETE", "/v1/aliases/now", b""),
        ("POST", "/v1/collections/pages/documents/batch", br#"{"id":"b","text":"Fog came."}"#),
        ("POST", "/v1/collections/pages/documents/metadata", br#"{"ids":["a"],"set":{"k":"v"}}"#),
        ("POST", "/v1/collections/pages/documents/delete", br#"{"ids":["a"]}"#),
    ] {
        for name in ["If-Match", "If-None-Match"] {
            let refused = server.send(method, path, &[(name, "*")], body);
            assert_eq!(refused.problem(), "invalid-parameter", "{method} {path}");
            assert_eq!(refused.json()["errors"][0]["pointer"], name);
        }
    }
    assert_eq!(server.get(path).header("etag"), Some(tag.as_str()));
    assert_eq!(server.get("/v1/aliases").json()["items"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_is_named_without_signs() {
    let server = TestServer::start();
    server.create("pages");
    let at = "/v1/collections/pages/documents";
    for (answer, detail, pointer) in [
        (server.post_json(&format!("{at}/delete"), &json!({})), "one of ids and where", Some("")),
        (server.get(&format!("{at}?id=2&id=4")), "?id: duplicate field", Some("?id")),
        (server.get(&format!("{at}?x=2")), "?x: unknown field", Some("?x")),
        (server.get(&format!("{at}?where=")), "?where: ", Some("?where")),
        (server.get(&format!("{at}/count?where=")), "?where: ", Some("?where")),
        (server.get(&format!("{at}/count?where=a%3D1&where=")), "?where: ", Some("?where")),
        (server.put("/v1/collections/Bad", b""), "a name has 1 to 64", None),
    ] {
        let problem = answer.json();
        assert_eq!(answer.status, 400, "{problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
        assert_eq!(problem["errors"][0]["pointer"].as_str(), pointer, "{problem}");
    }
}
