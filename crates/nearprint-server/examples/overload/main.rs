//! Many connections at a server over loopback: what is served and refused at 64 and at 5,000 connections, and how long
//! both take. Clients either wait after a refusal as the answer asks, or send the next request at once. Rates and
//! percentiles are those of requests after the first two seconds, in which all clients come at the same moment.
//! `bench/results` has the results.
//!
//! `overload [CONNECTIONS] [SECONDS] [ROUNDS] [query | addition]`

mod connection;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint_server::{Server, ServerSettings};
use tokio::task::LocalSet;

use crate::connection::{Answer, Connection};

/// Documents that are there when queries begin.
const DOCUMENTS: u64 = 100_000;

/// The argument that makes this program the server.
const SERVE: &str = "serve";

/// The server, in a process of its own.
struct ServerProcess {
    process: Child,
    address: SocketAddr,
}

impl ServerProcess {
    fn start(directory: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(SERVE).arg(directory).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a process");
        let mut line = String::new();
        let said = process.stdout.take().expect("it was piped");
        BufReader::new(said).read_line(&mut line).expect("the server says where it listens");
        Self { process, address: line.trim().parse().expect("an address") }
    }

    fn stop(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().expect("it was started").success(), "the server failed");
    }
}

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

/// What the clients send.
#[derive(Debug, Clone, Copy)]
enum Work {
    Query,
    Addition,
}

/// The fingerprint of a number, spread over all bits.
fn print(number: u64) -> Fingerprint {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93);
    Fingerprint::from_bytes(Scheme::SD1, &(bits ^ bits >> 32).to_be_bytes()).expect("8 bytes")
}

fn request(work: Work, number: u64) -> Vec<u8> {
    let (method, path, body) = match work {
        Work::Query => (
            "POST",
            "/v1/collections/load/query?k=3".to_owned(),
            format!("{{\"fingerprint\":\"{}\"}}", print(number % (2 * DOCUMENTS))),
        ),
        Work::Addition => (
            "PUT",
            format!("/v1/collections/load/documents?id=n{number}"),
            format!("{{\"fingerprint\":\"{}\"}}", print(!number)),
        ),
    };
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// When requests begin to count.
const WARM_UP: Duration = Duration::from_secs(2);

/// Times of requests in milliseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn at(&self, share: f64) -> f64 {
        self.0.get((self.0.len().saturating_sub(1) as f64 * share) as usize).copied().unwrap_or(0.0)
    }
}

/// Sends work on so many connections for a while; prints rates and times, and returns the rate of what was served.
async fn measure(
    name: &str,
    address: SocketAddr,
    (work, connections, is_patient): (Work, usize, bool),
    seconds: u64,
    next: &Rc<AtomicU64>,
) -> f64 {
    let mut opened = Vec::new();
    for _ in 0..connections {
        opened.push(Connection::open(address).await);
    }
    let begun = Instant::now();
    let end = begun + WARM_UP + Duration::from_secs(seconds);
    let mut clients = Vec::new();
    for mut connection in opened {
        let next = Rc::clone(next);
        clients.push(tokio::task::spawn_local(async move {
            let (mut served, mut refused) = (Vec::new(), Vec::new());
            let mut longest = 0.0;
            while Instant::now() < end {
                let bytes = request(work, next.fetch_add(1, Ordering::Relaxed));
                let counts = begun.elapsed() >= WARM_UP;
                let Answer { status, retry, took } = connection.send(&bytes).await;
                let took = took.as_secs_f64() * 1e3;
                longest = f64::max(longest, took);
                match status {
                    200 | 201 if counts => served.push(took),
                    200 | 201 => {}
                    503 => {
                        if counts {
                            refused.push(took);
                        }
                        if is_patient {
                            tokio::time::sleep(Duration::from_secs(retry)).await;
                        }
                    }
                    other => panic!("{other} {}", connection.text()),
                }
            }
            (served, refused, longest)
        }));
    }
    let (mut served, mut refused, mut longest) = (Times::default(), Times::default(), 0.0);
    for client in clients {
        let (more_served, more_refused, own_longest) = client.await.expect("no panic");
        longest = f64::max(longest, own_longest);
        served.0.extend(more_served);
        refused.0.extend(more_refused);
    }
    let took = seconds as f64;
    for times in [&mut served, &mut refused] {
        times.0.sort_by(f64::total_cmp);
    }
    let of = |times: &Times| {
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|share| times.at(share));
        format!("{:.0}/s p50 {p50:.1} p99 {p99:.1} most {most:.0} ms", times.0.len() as f64 / took)
    };
    println!(
        "{name}: served {}; refused {}; longest from the start {longest:.0} ms",
        of(&served),
        of(&refused)
    );
    served.0.len() as f64 / took
}

/// Lets the process open as many files as the system allows.
fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("the hard limit");
}

async fn run(connections: usize, seconds: u64, rounds: u64, works: &[Work]) {
    let directory = tempfile::tempdir().expect("a directory");
    let served = ServerProcess::start(directory.path());
    let mut connection = Connection::open(served.address).await;
    let create = b"PUT /v1/collections/load HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16\r\n\r\n{\"scheme\":\"sd1\"}";
    assert_eq!(connection.send(create).await.status, 201);
    for from in (0..DOCUMENTS).step_by(1000) {
        let lines: String = (from..from + 1000)
            .map(|n| format!("{{\"id\":\"{n}\",\"fingerprint\":\"{}\"}}\n", print(n)))
            .collect();
        let head = format!(
            "POST /v1/collections/load/documents/batch HTTP/1.1\r\nHost: localhost\r\n\
             Content-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
            lines.len()
        );
        let bytes = [head.as_bytes(), lines.as_bytes()].concat();
        assert_eq!(connection.send(&bytes).await.status, 200);
    }
    let next = Rc::new(AtomicU64::new(0));
    for round in 1..=rounds {
        for &work in works {
            let name = |who: &str| format!("{round} {work:?} {who}");
            let address = served.address;
            let few = measure(&name("64"), address, (work, 64, true), seconds, &next).await;
            for (who, is_patient) in [("patient", true), ("impatient", false)] {
                let name = name(&format!("{connections} {who}"));
                let many = (work, connections, is_patient);
                let rate = measure(&name, address, many, seconds, &next).await;
                println!("{name}: {:.0} % of the rate at 64", rate / few * 100.0);
            }
        }
    }
    drop(connection);
    served.stop();
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, verb, directory] = &arguments[..]
        && verb == SERVE
    {
        return serve(directory);
    }
    raise_open_files();
    let works = match arguments.get(4).map(String::as_str) {
        Some("query") => &[Work::Query][..],
        Some("addition") => &[Work::Addition],
        Some(other) => panic!("{other} is neither query nor addition"),
        None => &[Work::Query, Work::Addition],
    };
    let numbers = arguments.iter().skip(1).take(3);
    let mut numbers = numbers.map(|number| number.parse().expect("a number"));
    let connections = numbers.next().unwrap_or(5000);
    let seconds = numbers.next().unwrap_or(10);
    let rounds = numbers.next().unwrap_or(1);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let work = run(connections as usize, seconds, rounds, works);
    runtime.expect("a runtime").block_on(LocalSet::new().run_until(work));
}
