//! Health, numbers, the description of the operations, and an end that loses nothing.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use nearprint_server::{LogLevel, LogSettings, Server, ServerSettings};

use crate::harness::{OLD, TestServer, settings};

#[test]
fn the_server_says_how_it_is() {
    let server = TestServer::start();
    server.create("pages");
    assert_eq!(server.add("pages", "a", OLD).status, 201);
    assert_eq!((server.get("/livez").status, server.get("/readyz").status), (200, 200));
    let health = server.get("/healthz").json();
    assert_eq!((health["status"].as_str(), health["collections"].as_u64()), (Some("ok"), Some(1)));
    server.get("/v1/nothing/here");
    let metrics = server.get("/metrics");
    let numbers = metrics.text();
    for line in [
        "nearprint_documents{collection=\"pages\"} 1",
        "nearprint_requests_total{method=\"PUT\",route=\"/v1/collections/{collection}/documents\",status=\"201\"} 1",
        "nearprint_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 1",
        "nearprint_problems_total{kind=\"not-found\"} 1",
        "nearprint_collections_open 1",
    ] {
        assert!(numbers.lines().any(|found| found == line), "{line}\n{numbers}");
    }
}

#[test]
fn every_refusal_is_counted_by_its_kind() {
    let server = TestServer::start();
    assert_eq!(server.post("/livez", "text/plain", b"").status, 405);
    assert_eq!(server.raw(b"GET\r\n\r\n").status, 400);
    let long = format!("GET /livez HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    assert_eq!(server.raw(long.as_bytes()).status, 431);
    // A head is counted once its connection has ended, of which the client hears before.
    let is_counted = |kind: &str| {
        let line = format!("nearprint_problems_total{{kind=\"{kind}\"}} 1");
        (0..1000).any(|_| server.get("/metrics").text().lines().any(|found| found == line))
    };
    for kind in ["method-not-allowed", "malformed-request", "head-too-large"] {
        assert!(is_counted(kind), "{kind}\n{}", server.get("/metrics").text());
    }
}

#[test]
fn the_numbers_have_the_form_that_prometheus_reads() {
    let server = TestServer::start();
    server.create("pages");
    server.create("others");
    server.get("/v1/nothing/here");
    server.get("/metrics");
    let answer = server.get("/metrics");
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    // Each family has its help and its type once, right before its samples, and no sample comes twice.
    let (mut families, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut lines = answer.text().lines().peekable();
    while let Some(line) = lines.next() {
        let (name, help) =
            line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')).unwrap();
        assert!(help.ends_with('.') && families.insert(name.to_owned()), "{line}");
        let kind = lines.next().and_then(|line| line.strip_prefix("# TYPE ")).unwrap();
        let kind = kind.strip_prefix(name).unwrap().trim();
        assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
        let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(name.chars().all(is_plain), "{name}");
        assert!(name.starts_with("nearprint_") || name.starts_with("process_"), "{name}");
        let mut last_bucket: Option<(String, f64)> = None;
        while let Some(sample) = lines.next_if(|line| !line.starts_with('#')) {
            assert!(seen.insert(sample.rsplit_once(' ').unwrap().0.to_owned()), "{sample}");
            let (series, value) = sample.rsplit_once(' ').unwrap();
            let value: f64 = value.parse().unwrap();
            assert!(value.is_finite() && value >= 0.0, "{sample}");
            let own = series.split('{').next().unwrap();
            let of_family = match kind {
                "histogram" => {
                    ["_bucket", "_sum", "_count"].map(|end| format!("{name}{end}")).to_vec()
                }
                _ => vec![name.to_owned()],
            };
            assert!(of_family.iter().any(|known| known == own), "{sample} of {name}");
            if let Some((labels, _)) = series.split_once("le=\"") {
                let before = last_bucket.replace((labels.to_owned(), value));
                let grows = before.is_none_or(|(other, less)| other != labels || less <= value);
                assert!(grows, "{sample}");
            }
        }
    }
    for name in [
        "nearprint_build_info",
        "nearprint_index_bytes",
        "nearprint_connections_refused_total",
        "nearprint_workers_started_total",
    ] {
        assert!(families.contains(name), "{name}");
    }
    #[cfg(target_os = "linux")]
    for name in [
        "process_cpu_seconds_total",
        "process_open_fds",
        "process_max_fds",
        "process_resident_memory_bytes",
        "process_virtual_memory_bytes",
        "process_start_time_seconds",
    ] {
        assert!(families.contains(name), "{name}");
    }
}

#[test]
fn the_operations_are_described() {
    let server = TestServer::start();
    let api = server.get("/openapi.json").json();
    assert!(api["openapi"].as_str().unwrap().starts_with("3.1"));
    let text = api.to_string();
    // Every reference leads somewhere.
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(api["components"]["schemas"][name].is_object(), "{name}");
    }
    let reference = server.get("/reference");
    for path in api["paths"].as_object().unwrap().keys() {
        assert!(reference.text().contains(path.as_str()), "{path}");
    }
}

#[test]
fn only_loopback_addresses_are_listened_on() {
    let directory = tempfile::tempdir().unwrap();
    let mut wide: ServerSettings = settings(directory.path());
    wide.listen = ([0, 0, 0, 0], 0).into();
    let error = Server::bind(&wide).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("create a token first"), "{error}");
    assert!(!directory.path().join("server.lock").exists());
    let used = TestServer::of(&settings(directory.path()));
    let mut same = settings(directory.path());
    same.listen = used.address;
    let error = Server::bind(&same).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("cannot listen"), "{error}");
}

#[test]
fn stopping_ends_requests_and_loses_nothing_acknowledged() {
    let server = TestServer::start();
    server.create("pages");
    let acknowledged = AtomicUsize::new(0);
    let address = server.address;
    let directory = std::thread::scope(|scope| {
        for client in 0..4 {
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                for number in 0.. {
                    let body = format!("{OLD} {client} {number}");
                    let request = format!(
                        "PUT /v1/collections/pages/documents?id=c{client}n{number} HTTP/1.1\r\nHost: {address}\r\n\
                         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    let Ok(mut stream) = TcpStream::connect(address) else { return };
                    let mut answer = Vec::new();
                    let done = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
                    if done.is_err() || !answer.starts_with(b"HTTP/1.1 201") {
                        return;
                    }
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        while acknowledged.load(Ordering::SeqCst) < 20 {
            std::thread::yield_now();
        }
        server.stop().unwrap()
    });
    let server = TestServer::of(&settings(directory.path()));
    let documents = server.get("/v1/collections/pages").json()["documents"].as_u64().unwrap();
    // The last answer of each client may have been lost on its way.
    let acknowledged = acknowledged.load(Ordering::SeqCst) as u64;
    assert!((acknowledged..=acknowledged + 4).contains(&documents), "{documents}, {acknowledged}");
}

#[test]
fn a_collection_of_an_earlier_format_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let collection = directory.path().join("collections/lights@7");
    std::fs::create_dir_all(collection.join("index/tables")).unwrap();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../nearprint-index/fixtures/v1/store.redb");
    std::fs::copy(fixture, collection.join("index/store.redb")).unwrap();
    let description = r#"{"name":"lights","texts":false}"#;
    std::fs::write(collection.join("collection.json"), description).unwrap();
    let server = TestServer::of(&settings(directory.path()));
    let refused = server.get("/v1/collections/lights").json()["detail"].to_string();
    for said in ["the collection lights", "format version 1", "nearprint index list"] {
        assert!(refused.contains(said), "{refused}");
    }
    assert!(collection.join("collection.json").exists());
}

#[test]
fn additions_of_many_clients_share_commits() {
    let server = TestServer::start();
    server.create("pages");
    let added = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..8 {
            let (server, added) = (&server, &added);
            scope.spawn(move || {
                for number in 0..20 {
                    let text = format!("{OLD} {client} {number}");
                    let answer = server.add("pages", &format!("{client}/{number}"), &text);
                    assert_eq!(answer.status, 201, "{answer:?}");
                    added.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(added.into_inner(), 160);
    for client in 0..8 {
        let path = format!("/v1/collections/pages/documents/text?id={client}/19");
        assert_eq!(server.get(&path).text().trim_end(), format!("{OLD} {client} 19"));
    }
    assert_eq!(server.get("/v1/collections/pages").json()["documents"], 160);
}

#[test]
fn a_damaged_collection_is_shown_and_others_answer() {
    let server = TestServer::start();
    for name in ["good", "bad", "held"] {
        server.create(name);
        assert_eq!(server.add(name, "a", OLD).status, 201);
    }
    let directory = server.stop().unwrap();
    let collections = directory.path().join("collections");
    let find = |name: &str| {
        let entries = std::fs::read_dir(&collections).unwrap();
        let mut paths = entries.map(|entry| entry.unwrap().path());
        let begin = format!("{name}@");
        paths.find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&begin)).unwrap()
    };
    let store = find("bad").join("index/store.redb");
    let whole = std::fs::read(&store).unwrap();
    let held = std::fs::File::create(find("held").join("index/writer.lock")).unwrap();
    held.try_lock().unwrap();
    std::fs::write(&store, "Not a store").unwrap();
    let job = directory.path().join("jobs/00000007");
    std::fs::create_dir_all(&job).unwrap();
    std::fs::write(job.join("job.json"), "").unwrap();
    let unknown = collections.join("copy@3");
    std::fs::create_dir_all(unknown.join("index")).unwrap();

    let mut all = settings(directory.path());
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&lines);
    all.log = Some(LogSettings::new(LogLevel::Faults, move |line| {
        taken.lock().unwrap().push(String::from_utf8_lossy(line).into_owned());
    }));
    let mut server = TestServer::of(&all);
    server.keep(directory);
    assert_eq!(server.get("/v1/collections/good").json()["documents"], 1);
    let listed = server.get("/v1/collections").json();
    assert_eq!(
        (&listed["items"][0]["name"], &listed["damaged"][0]["collection"]),
        (&"good".into(), &"bad".into())
    );
    assert_eq!(listed["damaged"][0]["state"], "damaged");
    let ready = server.get("/readyz");
    assert!(ready.status == 200 && ready.text().starts_with("degraded: 2"), "{ready:?}");
    let refused = server.get("/v1/collections/bad");
    assert_eq!((refused.status, refused.problem().as_str()), (503, "damaged-collection"));
    let health = server.get("/healthz").json();
    assert_eq!(health["status"], "degraded");
    assert_eq!(
        (&health["damaged"][0]["collection"], &health["damaged"][0]["state"]),
        (&"bad".into(), &"damaged".into())
    );
    assert!(server.get("/metrics").text().contains("nearprint_collections_damaged 2\n"));
    let page = server.get("/collections");
    assert!(page.text().contains("Cannot be opened") && page.text().contains("<td>bad</td>"));
    assert!(page.text().contains("Can only be read") && page.text().contains("<td>held</td>"));
    // Nothing was deleted.
    let quarantine = server.directory().join("quarantine");
    assert!(
        quarantine.join("copy@3/index").is_dir() && quarantine.join("00000007/job.json").exists()
    );
    // At every level, the log says so.
    let count = |event: &str| {
        let named = format!("\"{event}\"");
        lines.lock().unwrap().iter().filter(|line| line.contains(&named)).count()
    };
    while count("quarantine") < 2 || count("read-only-collection") < 1 {}
    drop(held);
    // It opens by itself once its files are whole.
    std::fs::write(&store, whole).unwrap();
    while server.get("/v1/collections/bad").status == 503 {}
    while server.get("/readyz").text() != "ok\n" {}
    assert_eq!(server.get("/v1/collections/bad").json()["documents"], 1);
    assert_eq!(server.get("/healthz").json()["status"], "ok");
}

#[test]
fn a_store_that_fails_takes_nothing_from_others() {
    let server = TestServer::start();
    for name in ["good", "bad"] {
        server.create(name);
        assert_eq!(server.add(name, "a", OLD).status, 201);
    }
    let entries = std::fs::read_dir(server.directory().join("collections")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let bad = paths.find(|path| path.to_str().unwrap().contains("/bad@")).unwrap();
    std::fs::remove_file(bad.join("index/store.redb")).unwrap();
    for path in ["/metrics", "/v1/collections", "/collections", "/", "/v1/collections/good"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let health = server.get("/healthz").json();
    assert_eq!(health["status"], "degraded", "{health}");
    assert_eq!(health["damaged"][0]["collection"], "bad", "{health}");
    let listed = server.get("/v1/collections").json();
    assert_eq!(listed["items"].as_array().unwrap()[0]["name"].as_str(), Some("good"));
    assert_eq!(listed["damaged"][0]["collection"], "bad", "{listed}");
    assert!(server.get("/metrics").text().contains("nearprint_documents{collection=\"good\"} 1\n"));
}
