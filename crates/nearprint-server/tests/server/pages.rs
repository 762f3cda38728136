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
    assert_eq!((nothing.status, page(&nothing).contains("no document was chosen")), (400, true));

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
