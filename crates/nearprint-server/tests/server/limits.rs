//! What one token may use: requests, requests at the same time, bytes; and how long a request may take. The log says
//! what was refused, and no secret.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nearprint_server::{
    LogLevel, LogSettings, NewToken, Right, ServerSettings, TokenLimits, Tokens,
};
use serde_json::Value;

use crate::harness::{Answer, OLD, TestServer, settings};

/// A server with tokens of these limits.
fn limited(
    limits: &[TokenLimits],
    change: impl FnOnce(&mut ServerSettings),
) -> (TestServer, Vec<String>) {
    let directory = tempfile::tempdir().unwrap();
    let tokens = Tokens::of(directory.path());
    let made = |&limits: &TokenLimits| {
        let (name, rights) = ("a".to_owned(), vec![Right::Admin]);
        let new = NewToken { name, rights, collections: Vec::new(), lifetime: None, limits };
        tokens.create(&new).unwrap().1.expose().to_owned()
    };
    let secrets = limits.iter().map(made).collect();
    let mut settings = settings(directory.path());
    change(&mut settings);
    let mut server = TestServer::of(&settings);
    server.keep(directory);
    (server, secrets)
}

fn ask(server: &TestServer, secret: &str, method: &str, path: &str, body: &[u8]) -> Answer {
    let authorization = format!("Bearer {secret}");
    server.send(method, path, &[("Authorization", &authorization)], body)
}

#[test]
fn a_token_sends_as_many_requests_as_it_may() {
    // One in 1,000 seconds would need a clock; one a second, and two at once, need none to refuse the rest of many.
    let limits = [TokenLimits { rate: Some(1), ..TokenLimits::default() }, TokenLimits::default()];
    let (server, secrets) = limited(&limits, |_| {});
    let answers: Vec<_> =
        (0..20).map(|_| ask(&server, &secrets[0], "GET", "/v1/collections", b"")).collect();
    assert_eq!(answers[0].status, 200);
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!(!refused.is_empty());
    for answer in refused {
        assert_eq!(answer.problem(), "too-many-requests");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    for _ in 0..20 {
        assert_eq!(ask(&server, &secrets[1], "GET", "/v1/collections", b"").status, 200);
        // Whoever watches the server is not counted.
        assert_eq!(server.get("/livez").status, 200);
    }
}

#[test]
fn a_token_stores_as_much_as_it_may() {
    let limits =
        [TokenLimits { stored_bytes: Some(1), ..TokenLimits::default() }, TokenLimits::default()];
    let (server, secrets) = limited(&limits, |_| {});
    assert_eq!(ask(&server, &secrets[0], "PUT", "/v1/collections/a", b"").status, 201);
    let path = "/v1/collections/a/documents?id=x";
    let refused = ask(&server, &secrets[0], "PUT", path, OLD.as_bytes());
    assert_eq!((refused.status, refused.problem().as_str()), (413, "storage-limit"));
    let line = format!("{{\"id\":\"y\",\"text\":\"{OLD}\"}}");
    let authorization = format!("Bearer {}", secrets[0]);
    let headers =
        [("Authorization", authorization.as_str()), ("Content-Type", "application/x-ndjson")];
    let batch = server.send("POST", "/v1/collections/a/documents/batch", &headers, line.as_bytes());
    assert_eq!((batch.status, batch.problem().as_str()), (413, "storage-limit"));
    assert_eq!(ask(&server, &secrets[1], "PUT", path, OLD.as_bytes()).status, 201);
    // Room is made.
    assert_eq!(ask(&server, &secrets[0], "DELETE", path, b"").status, 204);
}

#[test]
fn a_request_that_takes_too_long_is_given_up() {
    let server =
        TestServer::start_with(|settings| settings.limits.request_time = Duration::from_millis(1));
    // Its body never comes.
    let head = format!(
        "PUT /v1/collections/a HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 9\r\n\r\n",
        server.address
    );
    let late = server.raw(head.as_bytes());
    assert_eq!((late.status, late.problem().as_str()), (503, "overloaded"));
    assert_eq!(late.header("retry-after"), Some("1"));
}

/// The lines that a server logs.
fn logged(level: LogLevel) -> (impl FnOnce(&mut ServerSettings), Receiver<Value>) {
    let (send, lines) = channel();
    let sink = move |line: &[u8]| {
        assert_eq!(line.last(), Some(&b'\n'));
        let _ = send.send(serde_json::from_slice(line).unwrap());
    };
    (move |settings| settings.log = Some(LogSettings::new(level, sink)), lines)
}

#[test]
fn the_log_has_a_line_for_each_request_and_no_secret() {
    let (change, lines) = logged(LogLevel::Requests);
    let (server, secrets) = limited(&[TokenLimits::default()], change);
    let secret = &secrets[0];
    let answer = ask(&server, secret, "GET", "/v1/collections/a/documents?id=private", b"");
    ask(&server, &format!("{secret}x"), "GET", "/v1/collections", b"");
    server.get("/livez");
    drop(server);
    let lines: Vec<Value> = lines.iter().collect();
    let text = format!("{lines:?}");
    assert!(!text.contains(&secret[13..]), "{text}");
    let events: Vec<_> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events, ["serving", "connections", "stopping"]);
    let requests: Vec<_> = lines.iter().filter(|line| line["path"].is_string()).collect();
    assert_eq!(requests.len(), 3, "{text}");
    let first = requests[0];
    assert_eq!(first["request_id"].as_str(), answer.header("x-request-id"));
    assert_eq!(
        (&first["method"], &first["path"], &first["status"], &first["level"], &first["problem"]),
        (
            &"GET".into(),
            &"/v1/collections/a/documents".into(),
            &404.into(),
            &"warning".into(),
            &"unknown-collection".into()
        )
    );
    assert_eq!(first["token"], secret[4..12]);
    assert!(first["time"].as_str().unwrap().ends_with('Z') && first["seconds"].is_f64(), "{first}");
    assert_eq!((&requests[1]["status"], &requests[1]["token"]), (&401.into(), &Value::Null));
}

#[test]
fn the_level_says_what_is_logged() {
    for (level, wanted) in [(LogLevel::Faults, 0), (LogLevel::Problems, 1), (LogLevel::Requests, 2)]
    {
        let (change, lines) = logged(level);
        let server = TestServer::start_with(change);
        server.get("/livez");
        server.get("/v1/nothing");
        drop(server);
        assert_eq!(
            lines.iter().filter(|line| line["path"].is_string()).count(),
            wanted,
            "{level:?}"
        );
    }
}
