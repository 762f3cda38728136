//! Tokens: who may do what, on which collections; changed while the server runs; and pages where somebody signs in.

use std::time::Duration;

use nearprint_server::{NewToken, Right, Server, ServerSettings, Token, TokenLimits, Tokens};
use serde_json::json;

use crate::harness::{Answer, OLD, TestServer, settings};

/// A server with tokens, and what makes them.
fn closed() -> (TestServer, Tokens) {
    let directory = tempfile::tempdir().unwrap();
    let tokens = Tokens::of(directory.path());
    made(&tokens, &[Right::Metrics], &[], None);
    let mut server = TestServer::of(&settings(directory.path()));
    server.keep(directory);
    (server, tokens)
}

fn made(
    tokens: &Tokens,
    rights: &[Right],
    collections: &[&str],
    lifetime: Option<Duration>,
) -> (Token, String) {
    let collections = collections.iter().map(|&pattern| pattern.to_owned()).collect();
    let new = NewToken {
        name: "<b>reader</b>".to_owned(),
        rights: rights.to_vec(),
        collections,
        lifetime,
        limits: TokenLimits::default(),
    };
    let (token, secret) = tokens.create(&new).unwrap();
    (token, secret.expose().to_owned())
}

fn with(server: &TestServer, secret: &str, method: &str, path: &str, body: &[u8]) -> Answer {
    let authorization = format!("Bearer {secret}");
    server.send(method, path, &[("Authorization", &authorization)], body)
}

#[test]
fn without_a_valid_token_nothing_is_answered() {
    let (server, tokens) = closed();
    let (_, expired) = made(&tokens, &[Right::Admin], &[], Some(Duration::ZERO));
    let (_, secret) = made(&tokens, &[Right::Admin], &[], None);
    let cut = &secret[..secret.len() - 1];
    let other = format!("{cut}{}", if secret.ends_with('A') { 'B' } else { 'A' });
    let long = "x".repeat(20_000);
    let wrong = [
        format!("Bearer {expired}"),
        format!("Bearer {cut}"),
        format!("Bearer {other}"),
        format!("Bearer {long}"),
        format!("Basic {secret}"),
        secret.clone(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Bearer npt_".to_owned(),
        "Bearer npt__".to_owned(),
        "Bearer \u{e9}".to_owned(),
    ];
    for (method, path) in [
        ("GET", "/v1/collections"),
        ("PUT", "/v1/collections/a"),
        ("POST", "/v1/fingerprint"),
        ("DELETE", "/v1/jobs/0"),
        ("GET", "/metrics"),
        ("GET", "/healthz"),
        ("PATCH", "/v1/collections"),
    ] {
        let none = server.send(method, path, &[], b"");
        assert_eq!(
            (none.status, none.problem().as_str()),
            (401, "unauthenticated"),
            "{method} {path}"
        );
        assert_eq!(none.header("www-authenticate"), Some("Bearer realm=\"nearprint\""));
        for value in &wrong {
            let answer = server.send(method, path, &[("Authorization", value)], b"");
            assert_eq!(
                (answer.status, answer.problem().as_str()),
                (401, "unauthenticated"),
                "{value}"
            );
            // Nothing of a token comes back, and nothing says what was wrong with it.
            assert!(!answer.text().contains(&secret[13..]), "{}", answer.text());
            assert!(answer.text().contains("unknown, expired or revoked"), "{}", answer.text());
        }
    }
    let good = format!("Bearer {secret}");
    let twice = [("Authorization", good.as_str()), ("Authorization", good.as_str())];
    assert_eq!(server.send("GET", "/v1/collections", &twice, b"").status, 401);
    // A token in an address would be in logs: it is nothing there.
    assert_eq!(server.get(&format!("/v1/collections?token={secret}")).status, 401);
    for open in
        ["/livez", "/readyz", "/openapi.json", "/reference", "/problems/forbidden", "/sign-in"]
    {
        assert_eq!(server.get(open).status, 200, "{open}");
    }
    assert_eq!(with(&server, &secret, "GET", "/v1/collections", b"").status, 200);
}

#[test]
fn each_right_allows_what_it_says() {
    let (server, tokens) = closed();
    let [read, write, admin, metrics] =
        Right::ALL.map(|right| made(&tokens, &[right], &[], None).1);
    let status = |secret: &str, method: &str, path: &str, body: &[u8]| {
        let answer = with(&server, secret, method, path, body);
        if answer.status == 403 {
            assert_eq!(answer.problem(), "forbidden");
        }
        answer.status
    };
    let documents = "/v1/collections/a/documents?id=x";
    for (method, path, body, allowed) in [
        ("PUT", "/v1/collections/a", &b"{\"texts\":true}"[..], [403, 403, 201, 403]),
        ("PUT", documents, OLD.as_bytes(), [403, 201, 200, 403]),
        ("GET", documents, b"", [200, 200, 200, 403]),
        ("POST", "/v1/collections/a/query", OLD.as_bytes(), [200, 200, 200, 403]),
        ("POST", "/v1/fingerprint", OLD.as_bytes(), [200, 200, 200, 403]),
        ("POST", "/v1/jobs", b"{\"type\":\"pairs\",\"collection\":\"a\"}", [403, 202, 202, 403]),
        ("GET", "/v1/jobs", b"", [200, 200, 200, 403]),
        ("GET", "/metrics", b"", [403, 403, 200, 200]),
        ("GET", "/healthz", b"", [403, 403, 200, 200]),
        ("DELETE", documents, b"", [403, 204, 404, 403]),
        ("DELETE", "/v1/collections/a", b"", [403, 403, 204, 403]),
    ] {
        let found =
            [&read, &write, &admin, &metrics].map(|secret| status(secret, method, path, body));
        assert_eq!(found, allowed, "{method} {path}");
    }
}

#[test]
fn an_alias_is_a_name_and_not_a_right() {
    let (server, tokens) = closed();
    let admin = made(&tokens, &[Right::Admin], &[], None).1;
    let [narrow, wide] =
        [&["now"][..], &["now", "b*"]].map(|names| made(&tokens, &[Right::Read], names, None).1);
    for (path, body) in [
        ("/v1/collections/b1", &b"{}"[..]),
        ("/v1/collections/b1/documents?id=x", OLD.as_bytes()),
        ("/v1/aliases/now", b"{\"collection\":\"b1\"}"),
    ] {
        assert_eq!(with(&server, &admin, "PUT", path, body).status, 201, "{path}");
    }
    let path = "/v1/collections/now/documents?id=x";
    let read = |secret: &str| with(&server, secret, "GET", path, b"").status;
    assert_eq!([&narrow, &wide, &admin].map(|secret| read(secret)), [403, 200, 200]);
    // The same of jobs, whatever name they came with and whatever it names now, and of the list of aliases.
    let asked = br#"{"type":"pairs","collection":"now"}"#;
    let job = with(&server, &admin, "POST", "/v1/jobs", asked).json();
    assert_eq!((&job["collection"], &job["request"]["collection"]), (&"b1".into(), &"now".into()));
    let address = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let seen = |secret: &str| {
        let list = |path: &str| {
            let listed = with(&server, secret, "GET", path, b"").json();
            listed["items"].as_array().unwrap().len()
        };
        let one = with(&server, secret, "GET", &address, b"").status;
        (one, list("/v1/jobs"), list("/v1/aliases"))
    };
    assert_eq!([&narrow, &wide].map(|secret| seen(secret)), [(404, 0, 0), (200, 1, 1)]);
    for (path, body) in
        [("/v1/collections/now-2", &b"{}"[..]), ("/v1/aliases/now", b"{\"collection\":\"now-2\"}")]
    {
        assert!(with(&server, &admin, "PUT", path, body).status < 300, "{path}");
    }
    let of = |name: &str| {
        let path = format!("/v1/jobs?collection={name}");
        with(&server, &admin, "GET", &path, b"").json()["items"].as_array().unwrap().len()
    };
    // Keys of two clients are two, and numbers are of the collections that a token is for.
    let started = |secret: &str, name: &str| {
        let body = format!("{{\"type\":\"pairs\",\"collection\":\"{name}\"}}");
        let authorization = format!("Bearer {secret}");
        let headers = [("Authorization", authorization.as_str()), ("Idempotency-Key", "1")];
        server.send("POST", "/v1/jobs", &headers, body.as_bytes()).json()["id"].clone()
    };
    let writer = made(&tokens, &[Right::Write], &["now-2"], None).1;
    let first = started(&writer, "now-2");
    assert!(first.is_string() && started(&writer, "now-2") == first);
    assert!(![json!(null), first].contains(&started(&admin, "b1")));
    let watcher = made(&tokens, &[Right::Metrics], &["now*"], None).1;
    let numbers = with(&server, &watcher, "GET", "/metrics", b"");
    assert!(numbers.text().contains("nearprint_documents{collection=\"now-2\"}"));
    assert!(!numbers.text().contains("{collection=\"b1\"}"));
    assert_eq!((seen(&narrow).0, of("b1"), of("now"), of("now-2")), (404, 2, 1, 1));
}

#[test]
fn a_token_is_for_its_collections_only() {
    let (server, tokens) = closed();
    let admin = made(&tokens, &[Right::Admin], &[], None).1;
    let own = made(&tokens, &[Right::Admin], &["crawl-*"], None).1;
    for name in ["crawl-1", "secret"] {
        assert_eq!(
            with(&server, &admin, "PUT", &format!("/v1/collections/{name}"), b"{\"texts\":true}")
                .status,
            201
        );
        let path = format!("/v1/collections/{name}/documents?id=x");
        assert_eq!(with(&server, &admin, "PUT", &path, OLD.as_bytes()).status, 201);
        let job = json!({"type": "clusters", "collection": name}).to_string();
        assert_eq!(with(&server, &admin, "POST", "/v1/jobs", job.as_bytes()).status, 202);
    }
    let listed = with(&server, &own, "GET", "/v1/collections", b"").json();
    let names: Vec<_> =
        listed["items"].as_array().unwrap().iter().map(|found| &found["name"]).collect();
    assert_eq!(names, ["crawl-1"]);
    let jobs = with(&server, &own, "GET", "/v1/jobs", b"").json();
    assert_eq!(jobs["items"].as_array().unwrap().len(), 1, "{jobs}");
    let both = json!({"a": {"collection": "crawl-1", "id": "x"}, "b": {"collection": "secret", "id": "x"}});
    let job = json!({"type": "pairs", "collection": "secret"});
    // Whether a collection exists makes no difference.
    for name in ["secret", "nothing"] {
        let c = format!("/v1/collections/{name}");
        for (method, path, body) in [
            ("GET", c.clone(), String::new()),
            ("PUT", c.clone(), String::new()),
            ("DELETE", c.clone(), String::new()),
            ("GET", format!("{c}/documents"), String::new()),
            ("GET", format!("{c}/documents/text?id=x"), String::new()),
            ("PUT", format!("{c}/documents?id=y"), OLD.to_owned()),
            ("POST", format!("{c}/query"), OLD.to_owned()),
            ("POST", "/v1/compare".to_owned(), both.to_string()),
            ("POST", "/v1/jobs".to_owned(), job.to_string()),
        ] {
            let answer = with(&server, &own, method, &path, body.as_bytes());
            assert_eq!(
                (answer.status, answer.problem().as_str()),
                (403, "forbidden"),
                "{method} {path}"
            );
        }
    }
    for (method, path) in [("GET", ""), ("GET", "/result"), ("POST", "/cancel"), ("DELETE", "")] {
        let answer = with(&server, &own, method, &format!("/v1/jobs/00000001{path}"), b"");
        assert_eq!(answer.status, 404, "{method} {path}");
    }
    // Nor do pages show more than the operations.
    let authorization = format!("Bearer {own}");
    let page = |path: &str| server.send("GET", path, &[("Authorization", &authorization)], b"");
    for path in ["/", "/collections", "/jobs"] {
        let page = page(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(
            page.text().contains("crawl-1") && !page.text().contains("secret"),
            "{}",
            page.text()
        );
    }
    for path in [
        "/collections/secret",
        "/collections/secret/document?id=x",
        "/compare?a-collection=secret&a-id=x&b-collection=secret&b-id=x",
    ] {
        assert_eq!(page(path).status, 403, "{path}");
    }
}

#[test]
fn tokens_change_while_the_server_runs() {
    let server = TestServer::start();
    // Without tokens, the machine's users need none; from the first one on, they do.
    assert_eq!(server.get("/v1/collections").status, 200);
    let tokens = Tokens::of(server.directory());
    let (first, secret) = made(&tokens, &[Right::Read], &[], None);
    assert_eq!(server.get("/v1/collections").status, 401);
    let status = |secret: &str| with(&server, secret, "GET", "/v1/collections", b"").status;
    assert_eq!(status(&secret), 200);
    let (second, rotated) = tokens.rotate(&first.id, Duration::from_secs(3600)).unwrap();
    assert_eq!((status(&secret), status(rotated.expose())), (200, 200));
    tokens.revoke(&first.id).unwrap();
    assert_eq!((status(&secret), status(rotated.expose())), (401, 200));
    // Revoking the last one, or removing the file, lets nobody in rather than everybody.
    tokens.revoke(&second.id).unwrap();
    assert_eq!((status(rotated.expose()), server.get("/v1/collections").status), (401, 401));
    let file = server.directory().join("tokens.json");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(server.get("/v1/collections").status, 401);
    std::fs::write(&file, "{").unwrap();
    let damaged = server.get("/v1/collections");
    assert_eq!((damaged.status, damaged.problem().as_str()), (503, "storage"));
}

/// Signs in on the page, as a browser of this address does; returns the cookie.
fn signed_in(server: &TestServer, secret: &str, next: &str) -> (Answer, String) {
    let body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n{secret}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"next\"\r\n\r\n{next}\r\n--x--\r\n"
    );
    let origin = format!("http://{}", server.address);
    let headers = [("Content-Type", "multipart/form-data; boundary=x"), ("Origin", &origin)];
    let answer = server.send("POST", "/sign-in", &headers, body.as_bytes());
    let cookie = answer.header("set-cookie").unwrap_or("").split(';').next().unwrap().to_owned();
    (answer, cookie)
}

#[test]
fn somebody_signs_in_on_a_page_and_out_again() {
    let (server, tokens) = closed();
    let admin = made(&tokens, &[Right::Admin], &[], None).1;
    let (reader, read) = made(&tokens, &[Right::Read], &[], None);
    let away = server.get("/collections?prefix=%3Cb%3E");
    let wanted = "/sign-in?next=/collections%3Fprefix%3D%253Cb%253E";
    assert_eq!((away.status, away.header("location")), (303, Some(wanted)));
    let form = server.get(wanted);
    assert!(
        form.text().contains("type=\"password\"") && !form.text().contains("<b>"),
        "{}",
        form.text()
    );
    let (wrong, none) = signed_in(&server, "npt_00000000_x", "/");
    assert_eq!((wrong.status, none.as_str()), (403, ""));
    assert!(wrong.text().contains("unknown, expired or revoked"));
    for elsewhere in ["//evil.example", "https://evil.example", "/\\evil.example"] {
        assert_eq!(
            signed_in(&server, &read, elsewhere).0.header("location"),
            Some("/"),
            "{elsewhere}"
        );
    }
    let (answer, cookie) = signed_in(&server, &admin, "/collections");
    assert_eq!((answer.status, answer.header("location")), (303, Some("/collections")));
    let set = answer.header("set-cookie").unwrap();
    assert!(set.contains("; HttpOnly; SameSite=Strict") && !set.contains(&admin[4..]), "{set}");
    let page = |cookie: &str, path: &str| server.send("GET", path, &[("Cookie", cookie)], b"");
    let collections = page(&cookie, "/collections");
    assert!(
        collections.text().contains("New collection") && collections.text().contains("Sign out")
    );
    // The name of a token is text.
    assert!(!collections.text().contains("<b>reader"), "{}", collections.text());
    assert_eq!(page(&cookie, "/v1/collections").status, 200);

    // A change needs the browser's word that a page of this server sent it.
    let own = format!("http://{}", server.address);
    let create = |headers: &[(&str, &str)]| {
        let cookie = [("Cookie", cookie.as_str())];
        server.send("PUT", "/v1/collections/a", &[&cookie, headers].concat(), b"").status
    };
    assert_eq!(create(&[]), 403);
    assert_eq!(create(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(create(&[("Sec-Fetch-Site", "none")]), 403);
    assert_eq!(create(&[("Sec-Fetch-Site", "cross-site"), ("Origin", &own)]), 403);
    assert_eq!(create(&[("Origin", &own)]), 201);

    // Who may only read sees no forms that change something, and ends with the token.
    let reading = signed_in(&server, &read, "/").1;
    let seen = page(&reading, "/collections");
    assert!(seen.status == 200 && !seen.text().contains("New collection"), "{}", seen.text());
    assert!(!page(&reading, "/collections/a").text().contains("Add a document"));
    tokens.revoke(&reader.id).unwrap();
    assert_eq!(page(&reading, "/collections").status, 303);

    let out = server.send("POST", "/sign-out", &[("Cookie", &cookie), ("Origin", &own)], b"");
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(
        (page(&cookie, "/v1/collections").status, page("", "/v1/collections").status),
        (401, 401)
    );
    assert_eq!(page("nearprint_session=; x; =", "/v1/collections").status, 401);
}

#[test]
fn other_machines_need_a_token_and_encryption() {
    let directory = tempfile::tempdir().unwrap();
    let mut wide: ServerSettings = settings(directory.path());
    wide.listen = ([0, 0, 0, 0], 0).into();
    let refused =
        |settings: &ServerSettings| Server::bind(settings).map(|_| ()).unwrap_err().to_string();
    assert!(refused(&wide).contains("token"), "{}", refused(&wide));
    wide.insecure_http = true;
    assert!(refused(&wide).contains("token"), "{}", refused(&wide));
    let secret = made(&Tokens::of(directory.path()), &[Right::Read], &[], None).1;
    wide.insecure_http = false;
    assert!(refused(&wide).contains("unencrypted"), "{}", refused(&wide));
    wide.insecure_http = true;
    let server = TestServer::of(&wide);
    let authorization = format!("Bearer {secret}");
    let asked = |host: &str| {
        server
            .send(
                "GET",
                "/v1/collections",
                &[("Host", host), ("Authorization", &authorization)],
                b"",
            )
            .status
    };
    // Addresses are answered to, foreign names are not.
    assert_eq!(
        (asked("192.0.2.7:80"), asked("[2001:db8::1]"), asked("evil.example")),
        (200, 200, 403)
    );
    assert_eq!(server.send("GET", "/v1/collections", &[("Host", "192.0.2.7")], b"").status, 401);
}

#[test]
fn tokens_are_made_and_revoked_on_a_page() {
    let server = TestServer::start();
    let send = |secret: &str, path: &str, fields: &[(&str, &str)]| {
        let mut body = String::new();
        for (name, value) in fields {
            body += &format!(
                "--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
        }
        body += "--x--\r\n";
        let authorization = format!("Bearer {secret}");
        let media = ("Content-Type", "multipart/form-data; boundary=x");
        let headers = [media, ("Authorization", &*authorization)];
        let headers = if secret.is_empty() { &headers[..1] } else { &headers[..] };
        server.send("POST", path, headers, body.as_bytes())
    };
    let secret_of = |answer: &Answer| {
        let html = answer.text();
        let start = html.find("<code>npt_").expect("a token") + "<code>".len();
        html[start..].split('<').next().expect("an end").to_owned()
    };
    let named = |name, right, collections| {
        [("name", name), ("right", right), ("collections", collections), ("days", "0")]
    };
    // The first one must leave somebody who can make others.
    let refused = send("", "/tokens", &named("crawler", "write", ""));
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(
        refused.text().contains("id=\"token-wrong\"") && refused.text().contains("\"crawler\"")
    );
    assert!(!Tokens::of(server.directory()).are_needed());
    let made = send("", "/tokens", &named("<me>", "admin", ""));
    assert_eq!(made.status, 200, "{made:?}");
    let admin = secret_of(&made);
    assert!(made.text().contains("The token of &lt;me&gt;"));
    assert_eq!(server.get("/v1/collections").status, 401);
    let some = secret_of(&send(&admin, "/tokens", &named("some", "admin", "crawl-*, news")));
    let listed = with(&server, &admin, "GET", "/tokens", b"");
    let html = listed.text();
    assert!(html.contains("crawl-*, news") && html.contains("yours"), "{html}");
    assert!(!html.contains(&admin) && !html.contains(&some), "secrets are shown once");
    for wrong in [named("", "read", ""), named("x", "all", ""), named("x", "read", "A/b")] {
        let refused = send(&admin, "/tokens", &wrong);
        assert!(refused.status == 400 && refused.text().contains("role=\"alert\""), "{refused:?}");
    }
    // Who is for some collections makes no tokens for others.
    assert_eq!(with(&server, &some, "GET", "/tokens", b"").status, 403);
    assert_eq!(send(&some, "/tokens", &named("x", "read", "news")).status, 403);
    let reader = secret_of(&send(&admin, "/tokens", &named("reader", "read", "")));
    assert_eq!(with(&server, &reader, "GET", "/tokens", b"").status, 403);
    let id = |secret: &str| secret.split('_').nth(1).expect("an id").to_owned();
    assert_eq!(send(&some, &format!("/tokens/{}/revoke", id(&admin)), &[]).status, 403);
    assert_eq!(send(&admin, &format!("/tokens/{}/revoke", id(&admin)), &[]).status, 400);
    assert_eq!(send(&admin, &format!("/tokens/{}/revoke", id(&reader)), &[]).status, 303);
    assert_eq!(with(&server, &reader, "GET", "/v1/collections", b"").status, 401);
    assert_eq!(send(&admin, "/tokens/7f7f7f7f/revoke", &[]).status, 404);
}
