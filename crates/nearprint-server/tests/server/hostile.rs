//! Requests that nobody sends by accident: each is refused, and the server goes on.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::harness::{OLD, TestServer, encoded};

/// Whether the server still answers.
fn lives(server: &TestServer) {
    assert_eq!(server.get("/livez").text(), "ok\n");
}

#[test]
fn names_that_are_not_this_machines_are_refused() {
    let server =
        TestServer::start_with(|settings| settings.allowed_hosts.push("near.example".to_owned()));
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "[::]",
        "",
        "a@localhost",
    ] {
        for path in ["/v1/collections", "/livez", "/"] {
            let answer = server.send("GET", path, &[("Host", host)], b"");
            assert_eq!(answer.status, 403, "{host}: {answer:?}");
        }
    }
    for host in [
        "localhost",
        "LOCALHOST:7117",
        "127.0.0.1",
        "[::1]:7117",
        "near.example",
        "Near.Example:443",
    ] {
        assert_eq!(server.send("GET", "/livez", &[("Host", host)], b"").status, 200, "{host}");
    }
    assert_eq!(server.raw(b"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n").status, 400);
    let twice = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(server.raw(twice).status, 400);
    let absolute =
        b"GET http://evil.example/livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.raw(absolute).status, 403);
}

#[test]
fn changes_that_other_sites_send_are_refused() {
    let server = TestServer::start();
    let own = format!("http://{}", server.address);
    let create =
        |headers: &[(&str, &str)]| server.send("PUT", "/v1/collections/a", headers, b"").status;
    for headers in [
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
        [("Origin", "http://127.0.0.1:1")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
    ] {
        assert_eq!(create(&headers), 403, "{headers:?}");
        // Forms of pages, too.
        let form = server.send("POST", "/collections", &headers, b"");
        assert_eq!(form.status, 403, "{headers:?}");
    }
    assert_eq!(server.get("/v1/collections").json()["items"], json!([]));
    assert_eq!(create(&[("Origin", &own), ("Sec-Fetch-Site", "same-origin")]), 201);
    // Nothing tells another site's page that it may read anything.
    let read = server.send("GET", "/v1/collections", &[("Origin", "http://evil.example")], b"");
    assert_eq!(read.header("access-control-allow-origin"), None);
    assert_eq!(read.header("cross-origin-resource-policy"), Some("same-origin"));
    let asked =
        server.send("OPTIONS", "/v1/collections", &[("Origin", "http://evil.example")], b"");
    assert_eq!(asked.status, 403);
}

/// Pages of origins that the server was started with may ask and change, by tokens of their own, and no others.
#[test]
fn pages_of_allowed_origins_are_served() {
    let tools = "https://tools.example.org";
    let server = TestServer::start_with(|settings| settings.allowed_origins.push(tools.to_owned()));
    let send = |method: &str, origin: &str, more: (&str, &str)| {
        let headers = [("Origin", origin), ("Sec-Fetch-Site", "cross-site"), more];
        server.send(method, "/v1/collections/a", &headers, b"{}")
    };
    let json = ("Content-Type", "application/json");
    let made = send("PUT", tools, json);
    assert_eq!((made.status, made.header("access-control-allow-origin")), (201, Some(tools)));
    assert_eq!(made.header("access-control-allow-credentials"), None);
    let asked = send("OPTIONS", tools, ("Access-Control-Request-Method", "PUT"));
    assert_eq!(asked.header("access-control-allow-origin"), Some(tools));
    let methods = asked.header("access-control-allow-methods").unwrap();
    assert!(methods.contains("PUT") && methods.contains("DELETE"), "{methods}");
    for other in ["https://tools.example.org.evil.example", "http://tools.example.org", "null"] {
        let refused = send("PUT", other, json);
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, None));
    }
    // A cookie makes nobody of another origin known.
    let form = server.send("POST", "/collections", &[("Origin", tools)], b"");
    assert_ne!(form.status, 303, "{form:?}");
}

#[test]
fn bodies_and_heads_beyond_the_limits_are_refused() {
    let server = TestServer::start_with(|settings| {
        settings.limits.body_bytes = 1000;
        settings.limits.bodies_bytes = 1000;
    });
    assert_eq!(server.put("/v1/collections/a", b"").status, 201);
    let path = "/v1/collections/a/documents?id=x";
    let long = server.put(path, &[b'x'; 1001]);
    assert_eq!((long.status, long.problem().as_str()), (413, "too-large"));
    // A length that is not meant: nothing of it is read.
    let promised = format!(
        "PUT {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: 1099511627776\r\n\r\n",
        server.address
    );
    assert_eq!(server.raw(promised.as_bytes()).status, 413);
    let chunks = format!(
        "PUT {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n\
         64\r\n{}\r\n3E8\r\n{}\r\n0\r\n\r\n",
        server.address,
        "x".repeat(100),
        "y".repeat(1000)
    );
    assert_eq!(server.raw(chunks.as_bytes()).status, 413);
    let head = format!(
        "GET /livez HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n",
        server.address,
        "x".repeat(100_000)
    );
    assert_eq!(server.raw(head.as_bytes()).status, 431);
    let many = format!(
        "GET /livez HTTP/1.1\r\nHost: {}\r\n{}\r\n",
        server.address,
        "A: b\r\n".repeat(1000)
    );
    assert_eq!(server.raw(many.as_bytes()).status, 431);
    lives(&server);
    assert_eq!(server.put(path, OLD.as_bytes()).status, 201);
}

#[test]
fn nonsense_on_the_wire_is_refused() {
    let server = TestServer::start();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nfog",
        b"PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: x\r\nContent-Length: 3\r\n\r\nfog",
    ] {
        let answer = server.raw(bytes);
        assert!((400..500).contains(&answer.status), "{answer:?}");
    }
    lives(&server);
}

#[test]
fn half_requests_end_after_their_time() {
    let server = TestServer::start_with(|settings| {
        settings.limits.head_time = Duration::from_millis(100);
        settings.limits.body_grace = Duration::from_millis(100);
        settings.limits.body_rate = 1 << 20;
    });
    let mut quiet = TcpStream::connect(server.address).unwrap();
    let mut half = TcpStream::connect(server.address).unwrap();
    half.write_all(b"GET /livez HTT").unwrap();
    // Each ends by the server's own clock.
    for stream in [&mut half, &mut quiet] {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(
            rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"),
            "{}",
            String::from_utf8_lossy(&rest)
        );
    }
    let body = format!(
        "PUT /v1/collections/a HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n{{",
        server.address
    );
    let answer = server.raw(body.as_bytes());
    assert_eq!((answer.status, answer.problem().as_str()), (408, "request-timeout"));
    lives(&server);
}

#[test]
fn a_body_that_ends_early_changes_nothing() {
    let server = TestServer::start();
    assert_eq!(server.put("/v1/collections/a", b"").status, 201);
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "PUT /v1/collections/a/documents?id=x HTTP/1.1\r\nHost: {}\r\nContent-Length: 9000\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(OLD.as_bytes()).unwrap();
    drop(stream);
    lives(&server);
    assert_eq!(server.get("/v1/collections/a").json()["documents"], 0);
}

#[test]
fn paths_lead_nowhere_but_to_what_is_declared() {
    let server = TestServer::start();
    server.create("pages");
    for path in [
        "/../server.lock",
        "/%2e%2e/server.lock",
        "/v1/collections/..",
        "/v1/collections/%2e%2e%2fjobs",
        "/v1/jobs/..",
        "/v1/jobs/%2e%2e/result",
        "/v1/jobs/..%2f..%2fserver.lock/result",
        "//etc/passwd",
        "/v1/collections/pages/../pages",
        "/collections/%2e%2e",
        "/jobs/..%5c",
        "/problems/..",
        "/v1//collections",
        "/v1/collections/pages/",
        "/.git/config",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
    for method in ["PATCH", "TRACE", "CONNECT", "BREW"] {
        let answer = server.send(method, "/v1/collections", &[], b"");
        assert!(matches!(answer.status, 400 | 404 | 405), "{method}: {answer:?}");
    }
    let wrong = server.send("DELETE", "/v1/collections", &[], b"");
    assert_eq!((wrong.status, wrong.problem().as_str()), (405, "method-not-allowed"));
    assert!(wrong.header("allow").unwrap().contains("GET"), "{wrong:?}");
}

#[test]
fn markup_in_ids_names_and_texts_is_inert() {
    let server = TestServer::start();
    server.create("pages");
    let script = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{202e}";
    let text = format!("{OLD} {script} \u{202e}gnp.exe");
    for id in [format!("{script}1"), format!("{script}2")] {
        assert_eq!(server.add("pages", &id, &text).status, 201);
    }
    let id = encoded(&format!("{script}1"));
    let other = encoded(&format!("{script}2"));
    let form = format!(
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"<script>alert(3)</script>.txt\"\r\n\r\n{text}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\npages\r\n--x--\r\n"
    );
    let pages = [
        server.get("/collections/pages"),
        server.get(&format!("/collections/pages?prefix={}", encoded(script))),
        server.get(&format!("/collections/pages/document?id={id}")),
        server
            .get(&format!("/compare?a-collection=pages&a-id={id}&b-collection=pages&b-id={other}")),
        server.get(&format!(
            "/collections/pages/document?id={}",
            encoded("<script>alert(4)</script>")
        )),
        server.get(&format!("/collections/{}", encoded(script))),
        server.post("/check", "multipart/form-data; boundary=x", form.as_bytes()),
    ];
    for page in pages {
        let html = page.text();
        assert!(
            !html.contains("<script") && !html.contains("<img") && !html.contains('\u{202e}'),
            "{html}"
        );
        assert!(html.contains("&lt;"), "{html}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    }
    // What was stored comes back as text, never as a page.
    let stored = server.get(&format!("/v1/collections/pages/documents/text?id={id}"));
    assert_eq!(stored.header("content-type"), Some("text/plain; charset=utf-8"));
}

/// A connection that has sent the head of a large body, and so many bytes of it.
fn begun_body(server: &TestServer, length: usize, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "PUT /v1/collections/a/documents?id=x HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&vec![b'x'; sent]).unwrap();
    stream
}

#[test]
fn bodies_that_are_only_promised_hold_up_nobody() {
    // As many as filled all the room when their length was believed, and with the documented largest body.
    for body_bytes in [64 << 20, 1 << 30] {
        let server = TestServer::start_with(|settings| settings.limits.body_bytes = body_bytes);
        assert_eq!(server.put("/v1/collections/a", b"").status, 201);
        let slow: Vec<_> = (0..32).map(|_| begun_body(&server, body_bytes as usize, 1)).collect();
        let body = vec![b'y'; 3 << 20];
        for id in ["small", "large"] {
            let path = format!("/v1/collections/a/documents?id={id}");
            let body = if id == "small" { OLD.as_bytes() } else { body.as_slice() };
            let answer = server.put(&path, body);
            assert!(matches!(answer.status, 201 | 422), "{id}: {answer:?}");
        }
        drop(slow);
    }
}

#[test]
fn too_much_at_once_is_refused_with_a_time_to_come_back() {
    let server = TestServer::start_with(|settings| {
        settings.limits.body_bytes = 1 << 20;
        settings.limits.bodies_bytes = 1 << 20;
        settings.limits.wait = Duration::from_millis(50);
    });
    assert_eq!(server.put("/v1/collections/a", b"").status, 201);
    // One client has half of the room for bodies, which is one of the largest.
    let slow = begun_body(&server, 1 << 20, (1 << 20) - 1);
    let path = "/v1/collections/a/documents?id=y";
    let large = vec![b'y'; 900_000];
    while !server.get("/metrics").text().contains("nearprint_body_bytes 1048576\n") {}
    let refused = server.put(path, &large);
    assert_eq!((refused.status, refused.problem().as_str()), (503, "overloaded"));
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Small requests need no room.
    assert_eq!(server.put(path, OLD.as_bytes()).status, 201);
    lives(&server);
    drop(slow);
}

#[test]
fn too_many_connections_are_told_so() {
    let server = TestServer::start_with(|settings| settings.limits.connections = 4);
    // Three quarters are for one address.
    let held: Vec<_> = (0..3).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let refused = server.get("/livez");
    // It is said before anything is known of the request.
    assert_eq!((refused.status, &refused.json()["kind"]), (503, &"overloaded".into()));
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(held);
    while server.get("/livez").status != 200 {}
}
