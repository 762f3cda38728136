//! Pages: a document is checked, compared, added and found again, with forms alone.

use serde_json::json;

use crate::harness::{Answer, OLD, OTHER, TestServer, encoded, new};

/// Sends a form of text fields and files, which have a name of their own.
fn form(server: &TestServer, path: &str, fields: &[(&str, Option<&str>, &str)]) -> Answer {
    let mut body = String::new();
    for (name, file, value) in fields {
        let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
        body.push_str(&format!(
            "--x\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str("--x--\r\n");
    server.post(path, "multipart/form-data; boundary=x", body.as_bytes())
}

/// The page, which is whole and has no script.
fn page(answer: &Answer) -> &str {
    let html = whole(answer);
    assert!(!html.contains("<script"), "{html}");
    assert!(!answer.header("content-security-policy").unwrap().contains("script-src"));
    html
}

/// The page, which is whole. A browser that sends one of its forms says that it is of this server.
fn whole(answer: &Answer) -> &str {
    let html = answer.text();
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{answer:?}");
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"), "{html}");
    assert!(!html.contains(" style=") && !html.contains(" onclick"), "{html}");
    // The page of a job that still runs has a script, which its policy names.
    let policy = answer.header("content-security-policy").unwrap();
    assert_eq!(html.contains("<script"), policy.contains("script-src 'sha256-"), "{policy}");
    assert_eq!(html.matches("<h1").count(), 1, "{html}");
    for element in
        ["main", "form", "table", "ul", "dl", "div", "details", "section", "fieldset", "select"]
    {
        let opened = html.matches(&format!("<{element}>")).count()
            + html.matches(&format!("<{element} ")).count();
        assert_eq!(opened, html.matches(&format!("</{element}>")).count(), "{element}\n{html}");
    }
    html
}

#[test]
fn a_document_goes_through_all_pages() {
    let server = TestServer::start();
    assert!(page(&server.get("/")).contains("no collection yet"));
    assert!(page(&server.get("/collections")).contains("no collection yet"));
    assert!(page(&server.get("/jobs")).contains("no jobs"));
    page(&server.get("/compare"));
    page(&server.get("/reference"));
    let created = form(
        &server,
        "/collections",
        &[("name", None, "pages"), ("scheme", None, "sd1"), ("texts", None, "true")],
    );
    assert_eq!((created.status, created.header("location")), (303, Some("/collections/pages")));
    assert!(page(&server.get("/collections/pages")).contains("is empty"));
    let added = form(
        &server,
        "/collections/pages",
        &[("file", Some("old fog.txt"), OLD), ("id", None, "")],
    );
    assert_eq!(added.status, 303, "{added:?}");
    let location = added.header("location").unwrap().to_owned();
    assert_eq!(location, "/collections/pages/document?id=old%20fog.txt");
    assert!(page(&server.get(&location)).contains("No other document"));
    assert_eq!(server.add("pages", "other", OTHER).status, 201);

    let fields =
        [("file", Some("new.html"), &*format!("<p>{}", new())), ("collection", None, "pages")];
    let checked = form(&server, "/check", &fields);
    let html = page(&checked);
    for part in
        ["Seen before", "old fog.txt", "text/html", "Side by side", "the first boat out", "sd1:"]
    {
        assert!(html.contains(part), "{part}\n{html}");
    }
    let alone = form(&server, "/check", &[("text", None, "12"), ("collection", None, "")]);
    assert!(page(&alone).contains("no-tokens"));
    let nothing = form(&server, "/check", &[("text", None, " ")]);
    assert_eq!((nothing.status, page(&nothing).contains("No document was chosen")), (400, true));
    assert!(page(&nothing).contains("id=\"check-wrong\" role=\"alert\""));
    let nothing = form(&server, "/compare", &[("a-text", None, OLD)]);
    assert_eq!((nothing.status, page(&nothing).contains("id=\"compare-wrong\"")), (400, true));

    let fields = [
        ("a-name", None, "new.html"),
        ("a-text", None, &*new()),
        ("b-collection", None, "pages"),
        ("b-id", None, "old fog.txt"),
    ];
    let compared = form(&server, "/compare", &fields);
    let html = page(&compared);
    for part in [
        "nearly the same",
        "only-a",
        "only-b",
        "<p dir=\"auto\">first boat out.</p>",
        "<p dir=\"auto\">last boat home.</p>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert_eq!(server.add("pages", "new", &new()).status, 201);
    let stored = format!(
        "/compare?a-collection=pages&a-id=new&b-collection=pages&b-id={}",
        encoded("old fog.txt")
    );
    assert!(page(&server.get(&stored)).contains("nearly the same"));

    let started = form(
        &server,
        "/jobs",
        &[("type", None, "clusters"), ("collection", None, "pages"), ("k", None, "6")],
    );
    assert_eq!(started.status, 303);
    let job = started.header("location").unwrap().to_owned();
    whole(&server.get(&job));
    while server.get(&format!("/v1{job}")).json()["state"] != json!("done") {
        std::thread::yield_now();
    }
    assert!(page(&server.get(&job)).contains("Look at the result"));
    let rows = server.get(&format!("{job}/rows"));
    for part in ["1 clusters of pages", "2 documents", "old fog.txt", "side by side"] {
        assert!(page(&rows).contains(part), "{part}\n{}", rows.text());
    }
    assert!(page(&server.get("/jobs")).contains("Clusters of pages"));
    assert_eq!(form(&server, &format!("{job}/cancel"), &[]).status, 303);
}

#[test]
fn several_documents_are_added_at_once_and_each_has_its_outcome() {
    let server = TestServer::start();
    server.create("pages");
    let archive = "WARC/1.1\r\nWARC-Type: response\r\n";
    let fields = [
        ("file", Some("a/fog.txt"), OLD),
        ("file", Some("<b>.txt"), OTHER),
        ("file", Some("crawl.warc"), archive),
        ("file", Some("empty.txt"), "12"),
        ("file", Some(""), ""),
        ("id", None, ""),
    ];
    let added = form(&server, "/collections/pages", &fields);
    let html = page(&added);
    assert_eq!(added.status, 200);
    for part in [
        "2 of 4 documents added",
        "document?id=a/fog.txt",
        "&lt;b&gt;.txt</a></td><td>added",
        "This is a web archive of many captures",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], json!(2));
    let fields = [("file", Some("a"), OLD), ("file", Some("b"), OTHER), ("id", None, "c")];
    let refused = form(&server, "/collections/pages", &fields);
    assert_eq!(refused.status, 400);
    // In words, without a pointer.
    assert!(page(&refused).contains("Several documents cannot have one id."), "{}", refused.text());
    assert!(!page(&refused).contains("JSON"), "{}", refused.text());
    let refused = form(&server, "/collections/pages", &[("file", Some("12.txt"), "12")]);
    assert_eq!((refused.status, page(&refused).contains("was not added")), (422, true));
}

#[test]
fn an_empty_server_loads_samples_and_collections_get_names_and_end() {
    let server = TestServer::start();
    assert!(page(&server.get("/collections")).contains("Load samples"));
    let loaded = form(&server, "/samples", &[]);
    assert_eq!((loaded.status, loaded.header("location")), (303, Some("/collections/samples")));
    let html = server.get("/collections/samples");
    assert!(page(&html).contains("museum-notice-revised.txt"), "{}", html.text());
    assert!(!html.text().contains("id=\"import\""));
    let shown = server.get("/collections/samples/document?id=museum-notice.txt");
    assert!(page(&shown).contains("museum-notice.html"), "{}", shown.text());
    assert!(!page(&server.get("/collections")).contains("Load samples"));

    let named = form(&server, "/collections/samples/aliases", &[("alias", None, "first")]);
    assert_eq!(named.status, 303);
    assert!(page(&server.get("/collections/samples")).contains("first"));
    let delete =
        |name: &str| form(&server, "/collections/samples/delete", &[("confirmation", None, name)]);
    // What is refused is said in the form, which keeps what was entered.
    let refused = delete("<other>");
    assert_eq!(refused.status, 400);
    let html = page(&refused);
    let alert = "id=\"deletion-wrong\" role=\"alert\">This is not the name of the collection";
    assert!(html.contains(alert) && html.contains("<details open>"), "{html}");
    assert!(
        html.contains("value=\"&lt;other&gt;\" aria-describedby=\"deletion-wrong deletion-rule\"")
    );
    let refused = form(&server, "/collections/samples/aliases", &[("alias", None, "A b")]);
    assert!(refused.status == 400 && page(&refused).contains("id=\"new-alias-wrong\""));
    for (name, status) in [("A b", 400), ("samples", 409)] {
        let refused = form(&server, "/collections", &[("name", None, name)]);
        assert_eq!(refused.status, status, "{refused:?}");
        let html = page(&refused);
        assert!(html.contains("id=\"creation-wrong\""), "{html}");
        assert!(html.contains(&format!("value=\"{name}\"")), "{html}");
    }
    // Its alias is removed first.
    let refused = delete("samples");
    assert!(refused.status == 409 && page(&refused).contains("id=\"deletion-wrong\""));
    assert_eq!(server.send("DELETE", "/v1/aliases/first", &[], b"").status, 204);
    assert_eq!(delete("samples").status, 303);
    assert!(page(&server.get("/collections")).contains("no collection yet"));
}

#[test]
fn documents_are_listed_by_title_language_and_words() {
    let server = TestServer::start();
    assert_eq!(server.put("/v1/collections/pages", b"").status, 201);
    let html = format!("<html lang=en><title>Fog &amp; bells</title><p>{OLD}");
    let put = "/v1/collections/pages/documents?id=fog.html";
    assert_eq!(
        server.send("PUT", put, &[("Content-Type", "text/html")], html.as_bytes()).status,
        201
    );
    server.add("pages", "plain.txt", OTHER);
    let listed = server.get("/collections/pages");
    let html = page(&listed);
    assert!(
        html.contains(">Fog &amp; bells</a> <span class=\"soft address\">fog.html</span>"),
        "{html}"
    );
    assert!(html.contains("<td>en</td><td class=\"number\">57</td>"), "{html}");
    assert!(html.contains(">plain.txt</a></td><td>–</td>"), "{html}");
    let document = server.get("/collections/pages/document?id=fog.html");
    assert!(page(&document).contains("<dt>Language</dt><dd>en</dd>"));
    let row = server.get("/v1/collections/pages/documents?id=fog.html").json();
    assert_eq!((&row["title"], &row["language"]), (&json!("Fog & bells"), &json!("en")));
}

#[test]
fn decisions_are_counted_and_shown_by_reason() {
    let server = TestServer::start();
    server.create("pages");
    for (id, text) in [("a", OLD), ("b", OLD), ("c", &new()), ("d", OTHER)] {
        server.add("pages", id, text);
    }
    let fields = [("type", None, "dedup"), ("collection", None, "pages")];
    let started = form(&server, "/jobs", &fields);
    let job = started.header("location").expect("a job").to_owned();
    let result = loop {
        let found = server.get(&format!("{job}/rows"));
        if found.status == 200 {
            break found;
        }
        std::thread::yield_now();
    };
    let html = page(&result);
    assert!(html.contains("aria-current=\"true\">all <span class=\"soft\">4</span>"), "{html}");
    let row = server.get(&format!("/v1{job}")).json();
    let reasons = row["reasons"].as_object().expect("counts").clone();
    assert_eq!(reasons.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 4);
    for (reason, count) in reasons {
        let shown = server.get(&format!("{job}/rows?reason={reason}"));
        let html = page(&shown);
        assert_eq!(html.matches("<section class=\"card pair\">").count() as u64, count, "{html}");
        assert_eq!(html.matches("class=\"pill\">drop<").count() > 0, html.contains("repeats"));
    }
    assert_eq!(server.get(&format!("{job}/rows?reason=nonsense")).status, 400);
}

#[test]
fn files_of_the_server_are_imported_by_a_form() {
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("fog.txt"), OLD).unwrap();
    let server =
        TestServer::start_with(|settings| settings.import_from = Some(files.path().to_owned()));
    server.create("pages");
    assert!(page(&server.get("/collections/pages")).contains("id=\"import\""));
    let import = |path: &str| {
        let fields =
            [("type", None, "import"), ("collection", None, "pages"), ("path", None, path)];
        form(&server, "/jobs", &fields)
    };
    let refused = import("../fog.txt");
    assert!(refused.status == 400 && page(&refused).contains("id=\"import-wrong\""));
    let started = import("fog.txt");
    assert_eq!(started.status, 303, "{started:?}");
    let job = started.header("location").unwrap();
    while server.get(&format!("/v1{job}")).json()["state"] != json!("done") {
        std::thread::yield_now();
    }
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], json!(1));
}

#[test]
fn problems_are_pages_for_people_and_each_kind_is_explained() {
    let server = TestServer::start();
    let missing = server.get("/collections/none");
    assert_eq!(missing.status, 404);
    assert!(page(&missing).contains("unknown-collection"));
    assert_eq!(server.get("/nothing").status, 404);
    let kinds = server.get("/problems/not-found");
    let kinds: Vec<&str> = page(&kinds)
        .split("href=\"/problems/")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(kinds.len() > 20);
    for kind in kinds {
        assert!(page(&server.get(&format!("/problems/{kind}"))).contains(kind));
    }
    assert_eq!(server.get("/problems/none").status, 404);
}
