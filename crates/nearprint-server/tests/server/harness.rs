//! A server in this process, and a client of a few lines.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;

use nearprint::worker::Isolation;
use nearprint::{Engine, EngineSettings};
use nearprint_server::{ServeError, Server, ServerSettings, Stopper};
use serde_json::Value;
use tempfile::TempDir;

/// A server that runs until it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
    directory: Option<TempDir>,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

/// Settings for a directory: any port, no worker processes.
pub(crate) fn settings(directory: &Path) -> ServerSettings {
    let mut settings = ServerSettings::new(directory);
    settings.listen.set_port(0);
    settings.engine = Engine::new(EngineSettings::default().isolation(Isolation::Never));
    settings
}

impl TestServer {
    /// A server of a new directory.
    pub(crate) fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// The same with other settings.
    pub(crate) fn start_with(change: impl FnOnce(&mut ServerSettings)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut settings = settings(directory.path());
        change(&mut settings);
        let mut server = Self::of(&settings);
        server.directory = Some(directory);
        server
    }

    /// A server with these settings.
    pub(crate) fn of(settings: &ServerSettings) -> Self {
        let server = Server::bind(settings).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { address, stopper, thread, directory: None }
    }

    /// Keeps the directory of the server as long as the server.
    pub(crate) fn keep(&mut self, directory: TempDir) {
        self.directory = Some(directory);
    }

    /// The directory of the server.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.as_ref().unwrap().path()
    }

    /// Stops the server and waits for its end; returns the directory.
    pub(crate) fn stop(mut self) -> Option<TempDir> {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap().unwrap();
        self.directory.take()
    }

    /// Sends a request and reads the answer.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method != "GET" {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// Sends bytes and reads all that comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn put(&self, path: &str, body: &[u8]) -> Answer {
        self.send("PUT", path, &[], body)
    }

    pub(crate) fn post(&self, path: &str, media: &str, body: &[u8]) -> Answer {
        self.send("POST", path, &[("Content-Type", media)], body)
    }

    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.post(path, "application/json", body.to_string().as_bytes())
    }

    /// Creates a collection of simhashes that keeps texts.
    pub(crate) fn create(&self, name: &str) {
        let answer =
            self.put(&format!("/v1/collections/{name}"), br#"{"scheme":"sd1","texts":true}"#);
        assert_eq!(answer.status, 201, "{answer:?}");
    }

    /// Adds a text under an id.
    pub(crate) fn add(&self, collection: &str, id: &str, text: &str) -> Answer {
        self.put(
            &format!("/v1/collections/{collection}/documents?id={}", encoded(id)),
            text.as_bytes(),
        )
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no head: {}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let body = bytes[end + 4..].to_vec();
        let answer = Self { status, head, body };
        if let Some(length) = answer.header("content-length") {
            assert_eq!(length, answer.body.len().to_string(), "{}", answer.head);
        }
        answer
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The body, put together where it came in chunks.
    pub(crate) fn body_without_chunks(&self) -> Vec<u8> {
        if self.header("transfer-encoding") != Some("chunked") {
            return self.body.clone();
        }
        let (mut rest, mut whole) = (self.body.as_slice(), Vec::new());
        loop {
            let end = rest.windows(2).position(|window| window == b"\r\n").unwrap();
            let length = std::str::from_utf8(&rest[..end]).unwrap();
            let length = usize::from_str_radix(length, 16).unwrap();
            if length == 0 {
                return whole;
            }
            whole.extend_from_slice(&rest[end + 2..end + 2 + length]);
            rest = &rest[end + length + 4..];
        }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The lines of the body.
    pub(crate) fn lines(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("application/x-ndjson"), "{self:?}");
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The kind of the problem that it is, with its status checked.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status, "{problem}");
        assert_eq!(problem["request_id"].as_str(), self.header("x-request-id"), "{problem}");
        for field in ["title", "detail", "instance"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
        }
        let kind = problem["kind"].as_str().unwrap().to_owned();
        assert_eq!(problem["type"], format!("/problems/{kind}"));
        kind
    }
}

/// A value of an address's parameter.
pub(crate) fn encoded(value: &str) -> String {
    value
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

/// Texts that are nearly the same.
pub(crate) const OLD: &str = "The keeper of the lighthouse lit the lamp at noon, because fog had come in from the sea \
    and stayed over the harbour until the bells rang for the last boat home. Nobody had seen such weather on this coast \
    since the year of the long frost, when the bay was covered with ice for seven weeks.";

/// The same text with other words in one place.
pub(crate) fn new() -> String {
    OLD.replace("the last boat home", "the first boat out")
}

pub(crate) const OTHER: &str = "It rained on the hills for a week, and every brook became a river; the miller counted \
    his sacks, the baker his loaves, and the children sailed boats of bark from one end of the village to the other.";
