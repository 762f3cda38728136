//! Captures of one address through time: rows, TimeMap, page, and the endpoints of wayback-discover-diff.

use serde_json::json;

use crate::harness::TestServer;

const TEXTS: [&str; 4] = [
    "fog came in at noon and stayed over the harbour",
    "fog came in at noon and stayed over the harbour",
    "fog came in at dusk and stayed over the harbour",
    "the harbour is closed",
];

const DATES: [&str; 4] = ["20190504221015", "20200102030405", "20200601000000", "20210101000000"];

fn server() -> TestServer {
    let server = TestServer::start_with(|settings| {
        settings.wayback = Some("crawl".to_owned());
        settings.replay = Some("https://web.example.org/{timestamp}/{url}".to_owned());
    });
    let made = server.put("/v1/collections/crawl", br#"{"scheme":"sd1","texts":true}"#);
    assert_eq!(made.status, 201, "{made:?}");
    let mut lines = String::new();
    // Not in the order of time, in which they are listed.
    for at in [2, 0, 3, 1] {
        let url = ["http://example.org/a", "https://www.EXAMPLE.org/a"][at % 2];
        let capture = json!({ "url": url, "date": DATES[at], "payload_digest": "sha1:X" });
        lines +=
            &json!({ "id": format!("c{at}"), "text": TEXTS[at], "capture": capture }).to_string();
        lines.push('\n');
    }
    let other = json!({ "url": "http://example.org/ab", "date": DATES[0] });
    lines += &json!({ "id": "other", "text": TEXTS[0], "capture": other }).to_string();
    let added = server.post(
        "/v1/collections/crawl/documents/batch",
        "application/x-ndjson",
        lines.as_bytes(),
    );
    assert_eq!(added.status, 200, "{added:?}");
    assert!(!String::from_utf8_lossy(&added.body).contains("problem\":{"), "{added:?}");
    server
}

#[test]
fn captures_are_listed_by_time_with_what_changed() {
    let server = server();
    let list = |query: &str| {
        let answer =
            server.get(&format!("/v1/collections/crawl/captures?url=example.org/a{query}"));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let all = list("");
    let items = all["items"].as_array().unwrap();
    let dates: Vec<_> = items.iter().map(|item| item["date"].as_str().unwrap()).collect();
    assert_eq!(dates, DATES);
    assert_eq!(items[0]["changed"], json!(null));
    assert_eq!((&items[1]["changed"], &items[1]["distance"]), (&json!(0.0), &json!(0)));
    assert_eq!(items[2]["changed"], json!(0.1));
    assert!(items[3]["changed"].as_f64().unwrap() > 0.5);
    assert_eq!(items[0]["url_key"], "org,example)/a");
    assert_eq!(items[0]["payload_digest"], "sha1:X");
    // The pages are the list in pieces, and what changed goes on.
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = list(&format!("&limit=1{cursor}"));
        seen.extend(page["items"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, *items);
    assert_eq!(list("&from=2020&to=2020")["items"].as_array().unwrap().len(), 2);
    for bad in ["", "?url=", "?url=e.org&from=x", "?url=e.org&limit=0", "?url=e.org&cursor=x"] {
        let answer = server.get(&format!("/v1/collections/crawl/captures{bad}"));
        assert_eq!(answer.status, 400, "{bad}: {answer:?}");
    }
}

#[test]
fn bad_captures_are_refused_by_name() {
    let server = server();
    for (capture, pointer) in [
        (json!({ "date": DATES[0] }), "/0/capture/url"),
        (json!({ "url": "http://e.org/", "date": "yesterday" }), "/0/capture/date"),
        (json!({ "url": "http://e.org/", "date": "20200230000000" }), "/0/capture/date"),
    ] {
        let line = json!({ "id": "x", "text": TEXTS[0], "capture": capture }).to_string();
        let path = "/v1/collections/crawl/documents/batch";
        let added = server.post(path, "application/x-ndjson", line.as_bytes());
        assert_eq!(added.json()["problem"]["errors"][0]["pointer"], pointer, "{added:?}");
    }
}

#[test]
fn a_timemap_leads_to_the_replay() {
    let server = server();
    let answer = server.get("/v1/collections/crawl/timemap?url=http://example.org/a");
    assert_eq!(answer.status, 200, "{answer:?}");
    let map = String::from_utf8(answer.body).unwrap();
    assert_eq!(map.matches("memento\"").count(), 4, "{map}");
    assert!(map.contains("<https://web.example.org/20190504221015/http://example.org/a>; rel=\"first memento\"; datetime=\"Sat, 04 May 2019 22:10:15 GMT\""));
    assert_eq!(server.get("/v1/collections/crawl/timemap?url=http://nowhere.org/").status, 404);
    let plain = TestServer::start();
    plain.put("/v1/collections/crawl", br#"{"scheme":"sd1"}"#);
    let refused = plain.get("/v1/collections/crawl/timemap?url=http://example.org/a");
    assert_eq!(refused.status, 404);
    assert!(String::from_utf8_lossy(&refused.body).contains("`replay`"), "{refused:?}");
}

#[test]
fn the_page_of_captures_shows_changes_and_where_to_look() {
    let server = server();
    let page = server.get("/collections/crawl/captures?url=http://example.org/a&from=&to=");
    assert_eq!(page.status, 200, "{page:?}");
    let html = String::from_utf8(page.body).unwrap();
    for piece in [
        "<svg",
        "unchanged",
        "10 %",
        "what changed",
        "https://web.example.org/20200601000000/http://example.org/a",
        "2021-01-01",
    ] {
        assert!(html.contains(piece), "{piece}: {html}");
    }
    assert_eq!(server.get("/collections/crawl/captures").status, 200);
    let hostile = server.get("/collections/crawl/captures?url=%22%3E%3Cscript%3E");
    assert!(!String::from_utf8_lossy(&hostile.body).contains("<script>"));
}

#[test]
fn the_endpoints_of_the_wayback_machine_are_there_if_asked_for() {
    let server = server();
    let get = |path: &str| {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    };
    let one = get("/simhash?url=example.org/a&timestamp=20200102030405");
    assert_eq!(one.as_object().unwrap().len(), 1, "{one}");
    let year = get("/simhash?url=http%3A%2F%2Fexample.org%2Fa&year=2020");
    assert_eq!(year["total_captures"], 2);
    assert_eq!(year["status"], "COMPLETE");
    assert_eq!(year["captures"][0], json!(["20200102030405", one["simhash"]]));
    let packed = get("/simhash?url=example.org/a&year=2020&compress=1");
    assert_eq!(packed["captures"][0][1], json!([1, [2, ["030405", 0]]]));
    assert_eq!(get("/simhash?url=example.org/a&year=1999")["message"], "NO_CAPTURES");
    let job = get("/calculate-simhash?url=example.org/a&year=2020");
    assert_eq!(job["status"], "started");
    let id = job["job_id"].as_str().unwrap();
    assert_eq!(get(&format!("/job?job_id={id}"))["status"], "SUCCESS");
    assert_eq!(get("/job")["status"], "error");
    let plain = TestServer::start();
    for path in ["/simhash?url=example.org/a&year=2020", "/calculate-simhash", "/job"] {
        assert_eq!(plain.get(path).status, 404, "{path}");
    }
}

/// A page with this advertisement and this article.
fn page(advertisement: &str, article: &str) -> String {
    let words =
        "fog came in at noon and stayed over the harbour until the bells rang in the evening "
            .repeat(9);
    format!(
        "<body><div><p>{advertisement}</p></div><main><h1>Fog</h1><p>{words}{article}</p></main></body>"
    )
}

#[test]
fn the_main_content_of_captures_is_compared_alone_if_asked() {
    let server = TestServer::start();
    server.put("/v1/collections/crawl", br#"{"texts":true}"#);
    let advertisements =
        ["buy lamps today".repeat(9), "boats for sale".repeat(9), "boats for sale".repeat(9)];
    let articles = ["the end", "the end", "another end"];
    for at in 0..3 {
        let capture = json!({ "url": "http://e.org/", "date": DATES[at] });
        let page = page(&advertisements[at], articles[at]);
        let body = json!({ "html": page, "capture": capture }).to_string();
        let address = format!("/v1/collections/crawl/documents?id=c{at}");
        let answer =
            server.send("PUT", &address, &[("Content-Type", "application/json")], body.as_bytes());
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let changed = |query: &str| {
        let list = server.get(&format!("/v1/collections/crawl/captures?url=e.org{query}"));
        let items = list.json()["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["changed"].as_f64()).collect::<Vec<_>>()
    };
    let (whole, main) = (changed(""), changed("&main-content"));
    assert!(whole[1] > Some(0.01) && whole[2] > Some(0.001), "{whole:?}");
    assert!(main[1] == Some(0.0) && main[2] > whole[2], "{main:?}");
    let shown = server.get("/collections/crawl/captures?url=e.org&main-content=true");
    assert!(
        shown.status == 200
            && shown.text().contains("checked")
            && shown.text().contains("unchanged")
    );
    let sides = "/compare?a-collection=crawl&a-id=c0&b-collection=crawl&b-id=c1";
    assert!(shown.text().contains("main-content=true\">"));
    assert!(server.get(sides).text().contains("boats"));
    assert!(!server.get(&format!("{sides}&main-content=true")).text().contains("boats"));

    // A snapshot has it, too.
    let made = server.post("/v1/collections/crawl/snapshots", "application/json", b"");
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let restored = server.post(
        &format!("/v1/collections/crawl/snapshots/{id}/restore?replace"),
        "application/json",
        b"",
    );
    assert!(restored.status < 300, "{restored:?}");
    assert_eq!(changed("&main-content"), main);
}

#[test]
fn months_are_shown_with_their_captures() {
    let server = server();
    let page = server.get("/collections/crawl/captures?url=http://example.org/a");
    let june = "&amp;from=202006&amp;to=202006\" title=\"1 capture, 1 changed by up to 10 %\"";
    let html = page.text();
    assert!(html.contains(june) && html.contains("<td class=\"shade-3\"><a "), "{html}");
    // A bar of each year, which leads to its months; the rows are those of the year.
    assert!(html.contains("aria-label=\"2020: 2 captures, 1 changed by up to 10 %\""), "{html}");
    let year = server.get("/collections/crawl/captures?url=http://example.org/a&from=2020&to=2020");
    let html = year.text();
    assert!(html.contains("Captures of 2020") && html.contains("Jun 2020: 1 capture"), "{html}");
    assert!(html.contains("2020-06-01") && !html.contains("2019-05-04</time>"), "{html}");
    let month = "/collections/crawl/captures?url=http://example.org/a&from=202006&to=202006";
    assert!(server.get(month).text().contains("from=20200601&amp;to=20200601"));
}

#[test]
fn where_captures_are_replayed_is_a_setting_of_a_collection() {
    let server = TestServer::start();
    let template = "https://web.example.org/x/{timestamp}/{url}";
    let body = json!({"scheme": "sd1", "texts": true, "replay": template}).to_string();
    let path = "/v1/collections/crawl";
    assert_eq!(server.put(path, body.as_bytes()).status, 201);
    assert_eq!(server.put(path, body.as_bytes()).status, 200, "the same again");
    assert_eq!(server.put(path, br#"{"scheme":"sd1","texts":true}"#).status, 200);
    let other = body.replace("/x/", "/y/");
    assert_eq!(server.put(path, other.as_bytes()).status, 409);
    let dates = ["20190504221015", "20200102030405", "20210101000000"];
    for date in dates {
        let capture = json!({"url": "http://www.example.org/a?b=c", "date": date});
        let body = json!({"text": TEXTS[0], "capture": capture}).to_string();
        let address = format!("{path}/documents?id={date}");
        let json = [("Content-Type", "application/json")];
        assert_eq!(server.send("PUT", &address, &json, body.as_bytes()).status, 201);
    }
    // The TimeMap has full addresses.
    let map = server.get(&format!("{path}/timemap/link/http://example.org/a?b=c"));
    let text = map.text().to_string();
    let host = server.address;
    for piece in [
        "<http://example.org/a?b=c>; rel=\"original\"".to_owned(),
        format!("<http://{host}{path}/timegate/http://example.org/a?b=c>; rel=\"timegate\""),
        format!("<http://{host}{path}/timemap?url=http://example.org/a%3Fb%3Dc>; rel=\"self\""),
        "<https://web.example.org/x/20190504221015/http://www.example.org/a?b=c>; rel=\"first memento\""
            .to_owned(),
    ] {
        assert!(text.contains(&piece), "{piece}: {text}");
    }
    assert_eq!(server.get(&format!("{path}/timemap?url=example.org/a%3Fb%3Dc")).status, 200);
    // The TimeGate leads to the nearest capture, without a time to the last.
    let gate = |wanted: &[(&str, &str)]| {
        server.send("GET", &format!("{path}/timegate/http://example.org/a?b=c"), wanted, b"")
    };
    for (wanted, date) in [
        (None, dates[2]),
        (Some("Thu, 01 Jan 1970 00:00:00 GMT"), dates[0]),
        (Some("Wed, 01 Jan 2020 00:00:00 GMT"), dates[1]),
        (Some("Sat, 01 Jan 2050 00:00:00 GMT"), dates[2]),
    ] {
        let headers: Vec<_> =
            wanted.map(|wanted| ("Accept-Datetime", wanted)).into_iter().collect();
        let answer = gate(&headers);
        assert_eq!(answer.status, 302, "{answer:?}");
        let location = format!("https://web.example.org/x/{date}/http://www.example.org/a?b=c");
        assert_eq!(answer.header("location"), Some(location.as_str()));
        assert!(format!("{answer:?}").contains("vary: accept-datetime"), "{answer:?}");
        let link = answer.header("link").unwrap();
        for relation in ["original", "timemap", "memento"] {
            assert!(link.contains(relation), "{relation}: {link}");
        }
        assert_eq!(answer.header("memento-datetime"), None);
    }
    assert_eq!(gate(&[("Accept-Datetime", "yesterday")]).status, 400);
    assert_eq!(server.get(&format!("{path}/timegate/http://nowhere.org/")).status, 404);
    let page = server.get("/collections/crawl/captures?url=example.org/a%3Fb%3Dc");
    assert!(page.text().contains("TimeGate") && page.text().contains("https://web.example.org/x/"));
    assert_eq!(page.header("memento-datetime"), None);
    // It can be changed, and taken away.
    let json = [("Content-Type", "application/json")];
    let patch = |body: &str| server.send("PATCH", path, &json, body.as_bytes());
    let changed = patch(&json!({"replay": template.replace("/x/", "/y/")}).to_string());
    assert_eq!(
        (changed.status, changed.json()["replay"].as_str().unwrap().contains("/y/")),
        (200, true)
    );
    assert!(gate(&[]).header("location").unwrap().contains("/y/"));
    for bad in [
        "web.example.org/{timestamp}/{url}",
        "https://e.org/{url}",
        "https://e.org/ {timestamp}/{url}",
    ] {
        let refused = patch(&json!({"replay": bad}).to_string());
        assert_eq!(refused.status, 400, "{bad}");
    }
    assert_eq!(patch(r#"{"replay":null}"#).json()["replay"], json!(null));
    assert_eq!(gate(&[]).status, 404);
    let page = server.get("/collections/crawl/captures?url=example.org/a%3Fb%3Dc");
    assert!(page.text().contains("no TimeGate: the collection does not say"), "{page:?}");
}

#[test]
fn captures_are_found_by_host_and_prefix() {
    let server = server();
    let get = |path: &str| server.get(&format!("/v1/collections/crawl/{path}")).json();
    let hosts = get("hosts");
    assert_eq!(
        hosts["items"],
        json!([{"schema": "nearprint/host/1", "host": "example.org", "captures": 5, "more": false}])
    );
    let of_host = get("addresses?host=example.org");
    let urls: Vec<_> =
        of_host["items"].as_array().unwrap().iter().map(|item| item["url"].clone()).collect();
    assert_eq!(urls, ["https://www.EXAMPLE.org/a", "http://example.org/ab"]);
    assert_eq!(of_host["items"][0]["captures"], 4);
    assert_eq!(
        (&of_host["items"][0]["first"], &of_host["items"][0]["last"]),
        (&json!(DATES[0]), &json!(DATES[3]))
    );
    let first = get("addresses?prefix=http://example.org/&limit=1");
    let next = first["next_cursor"].as_str().unwrap();
    let second = get(&format!("addresses?prefix=http://example.org/&limit=1&cursor={next}"));
    assert_eq!(
        (&second["items"][0]["url"], &second["next_cursor"]),
        (&json!("http://example.org/ab"), &json!(null))
    );
    assert_eq!(get("captures?prefix=")["items"].as_array().unwrap().len(), 5);
    for bad in [
        "addresses?limit=0",
        "addresses?host=a&prefix=b",
        "addresses?cursor=*",
        "captures?url=a&prefix=b",
    ] {
        assert_eq!(server.get(&format!("/v1/collections/crawl/{bad}")).status, 400, "{bad}");
    }
    let page = server.get("/collections/crawl/addresses");
    assert!(page.text().contains("/collections/crawl/addresses?host=example.org"), "{page:?}");
    let page = server.get("/collections/crawl/addresses?host=example.org");
    assert!(
        page.text().contains("/collections/crawl/captures?url=https://www.EXAMPLE.org/a"),
        "{page:?}"
    );
    assert!(page.text().contains("2021-01-01"), "{page:?}");
    let page = server.get("/collections/crawl/addresses?prefix=http://nowhere.org");
    assert!(page.text().contains("no captures of such addresses"), "{page:?}");
    let collection = server.get("/v1/collections/crawl").json();
    assert_eq!(collection["captures"], 5);
}

#[test]
fn captures_come_out_as_an_index_of_captures() {
    let server = server();
    let path = "/v1/collections/crawl/captures?url=example.org/a";
    let by_name = server.get(&format!("{path}&format=cdxj"));
    let by_header = server.send("GET", path, &[("Accept", "text/x-cdxj")], b"");
    assert_eq!(by_name.text(), by_header.text());
    assert_eq!(by_name.header("content-type"), Some("text/x-cdxj"));
    let text = by_name.text().to_string();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("org,example)/a 20190504221015 {\"url\":\"http"), "{text}");
    assert!(lines[2].contains("\"changed\":\"0.1\""), "{text}");
    let first = server.get(&format!("{path}&format=cdxj&limit=3"));
    let link = first.header("link").unwrap();
    let next =
        link.strip_prefix('<').and_then(|link| link.split_once(">; rel=\"next\"")).unwrap().0;
    assert_eq!(server.get(next).text().lines().collect::<Vec<_>>(), lines[3..]);
}
