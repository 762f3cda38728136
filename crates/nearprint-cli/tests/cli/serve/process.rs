//! The command as a server, in a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;

use crate::harness::Sandbox;

/// The command as a server; killed when it is dropped.
pub(super) struct ServerProcess {
    pub(super) child: Child,
    errors: BufReader<ChildStderr>,
    pub(super) address: String,
}

impl ServerProcess {
    pub(super) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(["serve", "collections", "--listen", "127.0.0.1:0"]);
        Self::of(command.args(arguments))
    }

    /// The same in a process that may open only so many files.
    pub(super) fn start_limited(sandbox: &Sandbox, files: u32) -> Self {
        let own = sandbox.command(["serve", "collections", "--listen", "127.0.0.1:0"]);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {files} && exec \"$@\""), "sh"]);
        command.arg(own.get_program()).args(own.get_args());
        command.current_dir(own.get_current_dir().unwrap());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self::of(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("nearprint: serving on http://")
            .and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, errors, address }
    }

    /// Status and body of an answer; nothing where the server was killed meanwhile.
    pub(super) fn send(
        &self,
        method: &str,
        path: &str,
        media: &str,
        body: &[u8],
    ) -> Option<(u16, Vec<u8>)> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.write_all(&[head.as_bytes(), body].concat()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let length = head
            .to_lowercase()
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let body = answer[end + 4..].to_vec();
        // An answer that was cut is none.
        (length.unwrap_or(0) == body.len()).then_some((head.split(' ').nth(1)?.parse().ok()?, body))
    }

    /// The body of an answer that must be fine.
    pub(super) fn body(&self, method: &str, path: &str, media: &str, body: &[u8]) -> Vec<u8> {
        let (status, answer) = self.send(method, path, media, body).expect("the server answers");
        assert!(status < 300, "{method} {path}: {status} {}", String::from_utf8_lossy(&answer));
        answer
    }

    pub(super) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.body("GET", path, "", b"")).unwrap()
    }

    /// Ends the server as a service manager does, and returns what it said and its exit code.
    pub(super) fn terminate(mut self) -> (String, Option<i32>) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(killed.success());
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        (said, code)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn encoded(value: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    value.bytes().map(byte).collect()
}
