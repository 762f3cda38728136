//! Kills at any moment: what was acknowledged is there afterwards.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::process::ServerProcess;
use crate::harness::Sandbox;

/// Kills of one run: NEARPRINT_SERVER_KILLS, or a few.
fn kills() -> usize {
    std::env::var("NEARPRINT_SERVER_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(4)
}

#[test]
fn what_was_acknowledged_survives_kills() {
    let sandbox = Sandbox::new();
    let mut acknowledged: Vec<String> = Vec::new();
    let text = |id: &str| {
        format!("Fog came in at noon and stayed over the harbour until the bells rang for {id}.")
    };
    for round in 0..kills() {
        let mut served = ServerProcess::start(&sandbox, &[]);
        // Everything from before is there, with its text, and is found.
        if round == 0 {
            served.body("PUT", "/v1/collections/pages", "", br#"{"texts":true}"#);
        }
        for id in &acknowledged {
            let found = served.body(
                "GET",
                &format!("/v1/collections/pages/documents/text?id={id}"),
                "",
                b"",
            );
            assert_eq!(String::from_utf8(found).unwrap().trim_end(), text(id));
        }
        if let Some(last) = acknowledged.last() {
            let path = "/v1/collections/pages/query?k=0&limit=10000";
            let rows = served.body("POST", path, "text/plain", text(last).as_bytes());
            assert!(
                String::from_utf8(rows).unwrap().contains(&format!("\"id\":\"{last}\"")),
                "{last}"
            );
        }
        let count = AtomicUsize::new(0);
        let killed_at = 5 + round * 7 % 23;
        let clients: Vec<Vec<String>> = std::thread::scope(|scope| {
            let (served, count) = (&served, &count);
            let clients: Vec<_> = (0..2)
                .map(|client| {
                    scope.spawn(move || {
                        let mut done = Vec::new();
                        for number in 0.. {
                            let id = format!("r{round}c{client}n{number}");
                            let path = format!("/v1/collections/pages/documents?id={id}");
                            let Some((201, _)) =
                                served.send("PUT", &path, "text/plain", text(&id).as_bytes())
                            else {
                                break;
                            };
                            count.fetch_add(1, Ordering::SeqCst);
                            done.push(id);
                        }
                        done
                    })
                })
                .collect();
            while count.load(Ordering::SeqCst) < killed_at {
                std::thread::yield_now();
            }
            // Without any chance to tidy up.
            let pid = served.child.id().to_string();
            assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
            clients.into_iter().map(|client| client.join().unwrap()).collect()
        });
        served.child.wait().unwrap();
        acknowledged.extend(clients.into_iter().flatten());
    }
    let served = ServerProcess::start(&sandbox, &[]);
    let documents = served.json("/v1/collections/pages")["documents"].as_u64().unwrap();
    let (least, most) = (acknowledged.len() as u64, acknowledged.len() as u64 + 2 * kills() as u64);
    assert!((least..=most).contains(&documents), "{documents} of {least}");
    let index = std::fs::read_dir(sandbox.path("collections/collections"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    drop(served);
    let verified = sandbox.run(["index", "verify", index.join("index").to_str().unwrap()]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}
