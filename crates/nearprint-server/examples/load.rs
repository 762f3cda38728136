//! Load on a server over loopback: insertions and queries of random fingerprints, in batches and one by one, with rates
//! and percentiles. The server is a process of its own, so that its memory is not that of its clients.
//! `bench/results` has the results.
//!
//! `load [DOCUMENTS] [CONNECTIONS] [SECONDS] [MIXED SECONDS]`
//!
//! `load texts [SECONDS]` adds texts to a collection that keeps them: in batches of 1,000, and one by one from 1, 8 and
//! 64 connections, with `if-new` and without.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint_server::{Server, ServerSettings};

const BATCH: u64 = 1000;

/// The server, in a process of its own.
struct ServerProcess {
    process: Child,
    address: SocketAddr,
}

impl ServerProcess {
    /// Starts this program again as the server of a directory.
    fn start(directory: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(SERVE).arg(directory).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a process");
        let mut line = String::new();
        let said = process.stdout.take().expect("it was piped");
        BufReader::new(said).read_line(&mut line).expect("the server says where it listens");
        Self { process, address: line.trim().parse().expect("an address") }
    }

    /// Memory of the server: what it allocated, and what of its tables is mapped.
    fn memory(&self) -> String {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let of = |name: &str| {
            let found = status.lines().find_map(|line| line.strip_prefix(name));
            let kib: u64 = found?.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(kib >> 10)
        };
        match (of("RssAnon:"), of("RssFile:")) {
            (Some(own), Some(mapped)) => format!("{own} MiB and {mapped} MiB of files"),
            _ => "unknown".to_owned(),
        }
    }

    /// Asks the server to stop, and waits for it.
    fn stop(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().expect("it was started").success(), "the server failed");
    }
}

/// The argument that makes this program the server.
const SERVE: &str = "serve";

/// Serves a directory until standard input ends; says where it listens.
fn serve(directory: &str) {
    let mut settings = ServerSettings::new(directory);
    settings.listen.set_port(0);
    let server = Server::bind(&settings).expect("a port");
    let (address, stopper) = (server.address(), server.stopper());
    println!("{address}");
    std::thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).expect("a pipe");
        stopper.stop();
    });
    server.run().expect("it stopped");
}

/// A connection that stays.
struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Self { reader: BufReader::new(stream) }
    }

    fn send(&mut self, method: &str, path: &str, media: &str, body: &str) -> usize {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.reader.get_mut().write_all(request.as_bytes()).expect("the server reads");
        let (mut line, mut length, mut status) = (String::new(), 0, String::new());
        loop {
            line.clear();
            self.reader.read_line(&mut line).expect("the server answers");
            if status.is_empty() {
                status = line.clone();
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.reader.read_exact(&mut answer).expect("the server answers");
        assert!(status.starts_with("HTTP/1.1 2"), "{status}{}", String::from_utf8_lossy(&answer));
        length
    }
}

/// The fingerprint of a number, spread over all bits.
fn print(number: u64) -> Fingerprint {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93);
    Fingerprint::from_bytes(Scheme::SD1, &(bits ^ bits >> 32).to_be_bytes()).expect("8 bytes")
}

/// Does `work` on so many connections for a while; prints the rate of `items` a request, and percentiles.
fn measure(
    name: &str,
    address: SocketAddr,
    connections: u64,
    seconds: u64,
    items: u64,
    work: impl Fn(&mut Client, u64) + Sync,
) {
    let (next, begun) = (AtomicU64::new(0), Instant::now());
    let end = begun + Duration::from_secs(seconds);
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|_| {
                scope.spawn(|| {
                    let (mut client, mut times) = (Client::new(address), Vec::new());
                    while Instant::now() < end {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let sent = Instant::now();
                        work(&mut client, number);
                        times.push(sent.elapsed());
                    }
                    times
                })
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
    });
    let took = begun.elapsed().as_secs_f64();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name}: {:.0} a second, p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms ({connections} connections, {} requests)",
        (times.len() as u64 * items) as f64 / took,
        at(0.5),
        at(0.99),
        at(1.0),
        times.len()
    );
}

/// Asks for a fingerprint; every second is one that is there.
fn query(client: &mut Client, number: u64, documents: u64) {
    let print =
        print(if number.is_multiple_of(2) { number % documents } else { u64::MAX - number });
    let body = format!("{{\"fingerprint\":\"{print}\"}}");
    client.send("POST", "/v1/collections/load/query?k=3", "application/json", &body);
}

/// Queries, single insertions and removals at the same time; prints the server's memory ten times.
fn measure_mixed(served: &ServerProcess, documents: u64, connections: u64, seconds: u64) {
    let address = served.address;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let name = "mixed: queries by fingerprint, k=3";
            measure(name, address, connections, seconds, 1, |client, number| {
                query(client, number, documents);
            });
        });
        scope.spawn(|| {
            measure("mixed: single insertions", address, 2, seconds, 1, |client, number| {
                let body = format!("{{\"fingerprint\":\"{}\"}}", print(!number));
                let path = format!("/v1/collections/load/documents?id=m{number}");
                client.send("PUT", &path, "application/json", &body);
            });
        });
        scope.spawn(|| {
            measure("mixed: single removals", address, 1, seconds, 1, |client, number| {
                let path = format!("/v1/collections/load/documents?id={}", number % documents);
                client.send("DELETE", &path, "application/json", "");
            });
        });
        for part in 1..=10 {
            std::thread::sleep(Duration::from_secs(seconds) / 10);
            println!("memory after {part} tenths: {}", served.memory());
        }
    });
}

/// The text of a number: some 250 words, of which few are frequent, as in a language.
fn text(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut words = String::new();
    for _ in 0..250 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // The product of two equal distributions falls off as ranks of words do.
        let rank = (state >> 16 & 0xff) * (state >> 32 & 0x3f);
        let syllables = ["ka", "lo", "mer", "tin", "sa", "vu", "pre", "dol"];
        let mut rest = rank + 8;
        while rest > 0 {
            words.push_str(syllables[rest as usize % syllables.len()]);
            rest /= syllables.len() as u64;
        }
        words.push(' ');
    }
    words
}

/// Adds texts to a collection that keeps them.
fn measure_texts(seconds: u64) {
    let directory = tempfile::tempdir().expect("a directory");
    let served = ServerProcess::start(directory.path());
    let address = served.address;
    let mut client = Client::new(address);
    client.send("PUT", "/v1/collections/load", "application/json", r#"{"texts":true}"#);
    println!("the server is process {}", served.process.id());
    let numbers = AtomicU64::new(0);
    measure("texts in batches of 1,000", address, 1, seconds, BATCH, |client, _| {
        let from = numbers.fetch_add(BATCH, Ordering::Relaxed);
        let line = |n| format!("{{\"id\":\"{n}\",\"text\":\"{}\"}}\n", text(n));
        let body: String = (from..from + BATCH).map(line).collect();
        client.send("POST", "/v1/collections/load/documents/batch", "application/x-ndjson", &body);
    });
    for parameters in ["", "&if-new&k=0"] {
        for connections in [1, 8, 64] {
            let name = format!("single texts{parameters}");
            measure(&name, address, connections, seconds, 1, |client, _| {
                let number = numbers.fetch_add(1, Ordering::Relaxed);
                let body = format!("{{\"text\":\"{}\"}}", text(number));
                let path = format!("/v1/collections/load/documents?id={number}{parameters}");
                client.send("PUT", &path, "application/json", &body);
            });
        }
    }
    println!("memory at the end: {}", served.memory());
    served.stop();
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, verb, directory] = &arguments[..]
        && verb == SERVE
    {
        return serve(directory);
    }
    if let [_, verb, rest @ ..] = &arguments[..]
        && verb == "texts"
    {
        let seconds = rest.first().map_or(5, |seconds| seconds.parse().expect("a number"));
        return measure_texts(seconds);
    }
    let mut numbers = std::env::args().skip(1).map(|number| number.parse().expect("a number"));
    let documents: u64 = numbers.next().unwrap_or(100_000);
    let connections: u64 = numbers.next().unwrap_or(64);
    let seconds: u64 = numbers.next().unwrap_or(5);
    let mixed: u64 = numbers.next().unwrap_or(0);
    let directory = tempfile::tempdir().expect("a directory");
    let served = ServerProcess::start(directory.path());
    let address = served.address;

    let mut client = Client::new(address);
    client.send("PUT", "/v1/collections/load", "application/json", r#"{"scheme":"sd1"}"#);
    let begun = Instant::now();
    let lines = |from: u64, to: u64, field: &str| -> String {
        (from..to)
            .map(|n| format!("{{\"{field}\":\"{n}\",\"fingerprint\":\"{}\"}}\n", print(n)))
            .collect()
    };
    for from in (0..documents).step_by(BATCH as usize) {
        let body = lines(from, (from + BATCH).min(documents), "id");
        client.send("POST", "/v1/collections/load/documents/batch", "application/x-ndjson", &body);
    }
    let rate = documents as f64 / begun.elapsed().as_secs_f64();
    println!("insertions in batches of {BATCH}: {rate:.0} a second, {documents} documents");
    println!("memory after the insertions: {}", served.memory());

    measure("queries by fingerprint, k=3", address, connections, seconds, 1, |client, number| {
        query(client, number, documents);
    });
    measure("queries in batches of 1,000, k=3", address, 4, seconds, BATCH, |client, number| {
        let from = number * BATCH % (2 * documents);
        let body = lines(from, from + BATCH, "query");
        client.send("POST", "/v1/collections/load/query/batch?k=3", "application/x-ndjson", &body);
    });
    measure("single insertions", address, 4, seconds, 1, |client, number| {
        let body = format!("{{\"fingerprint\":\"{}\"}}", print(documents + number));
        let path = format!("/v1/collections/load/documents?id=n{number}");
        client.send("PUT", &path, "application/json", &body);
    });
    if mixed > 0 {
        measure_mixed(&served, documents, connections, mixed);
    }
    served.stop();
}
