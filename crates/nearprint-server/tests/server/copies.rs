//! Snapshots, restored on an empty directory, and aliases, by which one collection takes the place of another.

use nearprint_server::Backup;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, OLD, OTHER, TestServer, encoded, new, settings};

fn upload(server: &TestServer, path: &str, bytes: &[u8]) -> Answer {
    server.send("PUT", path, &[("Content-Type", "application/x-ndjson")], bytes)
}

/// A snapshot of a collection with a few documents: its id and its bytes.
fn snapshot(server: &TestServer) -> (String, Vec<u8>) {
    server.create("pages");
    assert_eq!(server.add("pages", "old", OLD).status, 201);
    assert_eq!(server.add("pages", "https://example.org/a?b=c", OTHER).status, 201);
    let capture = json!({"url": "http://example.org/", "date": "20261123000000"});
    let item = json!({
        "fingerprint": "sd1:aerukz4jvpg66", "metadata": {"crawl": "2026-11"}, "capture": capture
    });
    let printed = server.send(
        "PUT",
        "/v1/collections/pages/documents?id=print",
        &[("Content-Type", "application/json")],
        item.to_string().as_bytes(),
    );
    assert_eq!(printed.status, 201, "{printed:?}");
    let made = server.post("/v1/collections/pages/snapshots", "", b"");
    assert_eq!(made.status, 201, "{made:?}");
    let body = made.json();
    let id = body["id"].as_str().unwrap().to_owned();
    assert_eq!(made.header("location"), Some(&*format!("/v1/collections/pages/snapshots/{id}")));
    assert_eq!(
        (&body["documents"], &body["scheme"], &body["texts"]),
        (&3.into(), &"sd1".into(), &true.into())
    );
    let page = server.get("/collections/pages");
    assert!(
        page.text().contains(&format!("/v1/collections/pages/snapshots/{id}")),
        "{}",
        page.text()
    );
    let listed = server.get("/v1/collections/pages/snapshots").json();
    assert_eq!(listed["items"], json!([body]));
    let downloaded = server.get(&format!("/v1/collections/pages/snapshots/{id}"));
    assert_eq!(downloaded.body.len() as u64, body["bytes"].as_u64().unwrap());
    (id, downloaded.body)
}

#[test]
fn a_snapshot_is_restored_on_an_empty_directory() {
    let server = TestServer::start();
    let (id, bytes) = snapshot(&server);
    // What changes afterwards is not in it.
    assert_eq!(server.add("pages", "late", &new()).status, 201);
    let all = |server: &TestServer, name: &str| {
        server.get(&format!("/v1/collections/{name}/documents?limit=1000")).json()
    };
    let before = {
        let mut found = all(&server, "pages");
        found["items"].as_array_mut().unwrap().retain(|item| item["id"] != "late");
        found
    };

    let empty = TestServer::start();
    let path = format!("/v1/collections/pages/snapshots/{id}");
    let uploaded = upload(&empty, &path, &bytes);
    assert_eq!(uploaded.status, 201, "{uploaded:?}");
    assert_eq!(empty.get(&path).body, bytes);
    assert_eq!(empty.get("/v1/collections/pages").status, 404);
    let restored = empty.post(&format!("{path}/restore"), "", b"");
    assert_eq!(
        (restored.status, &restored.json()["documents"]),
        (201, &Value::from(3)),
        "{restored:?}"
    );
    assert_eq!(all(&empty, "pages"), before);
    let text = empty.get("/v1/collections/pages/documents/text?id=old");
    assert_eq!(text.text().trim_end(), OLD);
    let found = empty.post("/v1/collections/pages/query?k=6", "text/plain", new().as_bytes());
    assert_eq!(found.lines()[0]["id"], "old");
    // The same snapshot again has the same bytes.
    let again = empty.post("/v1/collections/pages/snapshots", "", b"").json();
    assert_eq!(
        empty
            .get(&format!("/v1/collections/pages/snapshots/{}", again["id"].as_str().unwrap()))
            .body,
        bytes
    );

    // One that is there is replaced only if that is asked for.
    let path = format!("/v1/collections/pages/snapshots/{id}");
    let refused = server.post(&format!("{path}/restore"), "", b"");
    assert_eq!((refused.status, refused.problem().as_str()), (409, "collection-exists"));
    assert_eq!(all(&server, "pages")["items"].as_array().unwrap().len(), 4);
    assert_eq!(server.post(&format!("{path}/restore?replace"), "", b"").status, 201);
    assert_eq!(all(&server, "pages"), before);
    // It is so after another start, and nothing of the old one is left.
    let directory = server.stop().unwrap();
    let server = TestServer::of(&settings(directory.path()));
    assert_eq!(all(&server, "pages"), before);
    let folders = std::fs::read_dir(directory.path().join("collections")).unwrap();
    assert_eq!(folders.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count(), 1);
    // Another name takes it, too; and snapshots outlive their collection.
    assert_eq!(upload(&server, "/v1/collections/copy/snapshots/first", &bytes).status, 201);
    assert_eq!(server.post("/v1/collections/copy/snapshots/first/restore", "", b"").status, 201);
    assert_eq!(all(&server, "copy"), before);
    assert_eq!(server.send("DELETE", "/v1/collections/copy", &[], b"").status, 204);
    assert_eq!(server.post("/v1/collections/copy/snapshots/first/restore", "", b"").status, 201);
    let gone = server.send("DELETE", "/v1/collections/copy/snapshots/first", &[], b"");
    assert_eq!(gone.status, 204);
    let gone = server.get("/v1/collections/copy/snapshots/first");
    assert_eq!((gone.status, gone.problem().as_str()), (404, "unknown-snapshot"));
}

/// A snapshot of these lines, with the end that belongs to them.
fn ended(lines: &[&str]) -> Vec<u8> {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let digest: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
    let end =
        json!({"schema": "nearprint/export-end/1", "rows": lines.len() - 1, "sha256": digest});
    format!("{body}{end}\n").into_bytes()
}

#[test]
fn what_is_no_whole_snapshot_is_refused_and_leaves_nothing() {
    let server = TestServer::start_with(|settings| settings.limits.snapshot_bytes = 100_000);
    let (_, bytes) = snapshot(&server);
    let head = r#"{"schema":"nearprint/export/1","scheme":"sd1","features":null,"texts":false}"#;
    let row = |id: &str, print: &str| {
        let schema = "nearprint/indexed/1";
        json!({"schema": schema, "id": id, "fingerprint": print, "time": 1, "metadata": null, "text": null}).to_string()
    };
    let good = row("a", "sd1:aerukz4jvpg66");
    let changed = String::from_utf8(bytes.clone()).unwrap().replace("noon", "moon");
    let twice = [bytes.clone(), b"{}\n".to_vec()].concat();
    let with_text = good.replace("\"text\":null", "\"text\":\"x\"");
    let wrong: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"{}".to_vec(),
        b"\n\n\n".to_vec(),
        bytes[..bytes.len() - 1].to_vec(),
        bytes[..bytes.len() / 2].to_vec(),
        changed.into_bytes(),
        twice,
        vec![b'x'; 90_000],
        ended(&[&head.replace("sd1", "custom:words,log,lookup3,32")]),
        ended(&[&head.replace("export/1", "export/2")]),
        ended(&[head, "{}"]),
        ended(&[head, &row("a\u{7}", "sd1:aerukz4jvpg66")]),
        ended(&[head, &row("a", "sl1:aerukz4jvpg66")]),
        ended(&[head, &row("a", "nothing")]),
        ended(&[head, &with_text]),
        ended(&[head, &good.replace("\"metadata\":null", "\"metadata\":[1]")]),
        ended(&[head, head]),
    ];
    for bytes in wrong {
        let answer = upload(&server, "/v1/collections/a/snapshots/x", &bytes);
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (422, "damaged-snapshot"),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
        assert_eq!(server.get("/v1/collections/a/snapshots").json()["items"], json!([]));
    }
    let long = upload(&server, "/v1/collections/a/snapshots/x", &[b'x'; 100_001]);
    assert_eq!((long.status, long.problem().as_str()), (413, "too-large"));
    // A document twice is found when it is restored, and nothing of the collection stays.
    let double = ended(&[head, &good, &good]);
    assert_eq!(upload(&server, "/v1/collections/a/snapshots/x", &double).status, 201);
    let refused = server.post("/v1/collections/a/snapshots/x/restore", "", b"");
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "duplicate-document"),
        "{refused:?}"
    );
    assert_eq!(server.get("/v1/collections/a").status, 404);
    let taken = upload(&server, "/v1/collections/a/snapshots/x", &ended(&[head, &good]));
    assert_eq!((taken.status, taken.problem().as_str()), (409, "snapshot-exists"));
    for id in ["..", "%2e%2e", "A", "x.jsonl", "%2fetc%2fpasswd", "a%00b"] {
        for (method, end) in [("GET", ""), ("PUT", ""), ("DELETE", ""), ("POST", "/restore")] {
            let answer =
                server.send(method, &format!("/v1/collections/a/snapshots/{id}{end}"), &[], b"");
            assert!(matches!(answer.status, 400 | 404), "{method} {id}: {answer:?}");
        }
    }
    let files = std::fs::read_dir(server.directory().join("snapshots/a")).unwrap();
    assert_eq!(files.count(), 1);
}

#[test]
fn an_alias_takes_the_place_of_a_collection() {
    let server = TestServer::start();
    let set = |alias: &str, name: &str| {
        let body = json!({"collection": name}).to_string();
        server.put(&format!("/v1/aliases/{alias}"), body.as_bytes())
    };
    let kind = |answer: Answer| (answer.status, answer.problem());
    server.create("crawl-1");
    server.create("crawl-2");
    assert_eq!(server.add("crawl-1", "x", OLD).status, 201);
    assert_eq!(set("now", "crawl-1").status, 201);
    let found = || server.get("/v1/collections/now/documents?id=x").status;
    assert_eq!(found(), 200);
    assert_eq!(server.add("now", "y", OTHER).status, 201);
    assert_eq!(server.get("/v1/collections/crawl-1/documents?id=y").status, 200);
    assert_eq!(set("now", "crawl-2").status, 200);
    assert_eq!(found(), 404);
    let listed = json!({"items": [{"alias": "now", "collection": "crawl-2"}]});
    assert_eq!(server.get("/v1/aliases").json(), listed);
    assert_eq!(kind(set("crawl-1", "crawl-2")), (409, "alias-conflict".to_owned()));
    assert_eq!(kind(set("again", "now")), (404, "unknown-collection".to_owned()));
    assert_eq!(kind(set("again", "nothing")), (404, "unknown-collection".to_owned()));
    assert_eq!(kind(set("A", "crawl-1")), (400, "invalid-parameter".to_owned()));
    assert_eq!(kind(server.put("/v1/collections/now", b"")), (409, "alias-conflict".to_owned()));
    let delete = |path: &str| server.send("DELETE", path, &[], b"");
    assert_eq!(kind(delete("/v1/collections/now")), (409, "alias-conflict".to_owned()));
    assert_eq!(kind(delete("/v1/collections/crawl-2")), (409, "alias-conflict".to_owned()));
    assert_eq!(server.get(&format!("/collections/now/document?id={}", encoded("x"))).status, 404);
    let directory = server.stop().unwrap();
    let server = TestServer::of(&settings(directory.path()));
    assert_eq!(server.get("/v1/aliases").json(), listed);
    assert_eq!(server.send("DELETE", "/v1/aliases/now", &[], b"").status, 204);
    assert_eq!(server.send("DELETE", "/v1/aliases/now", &[], b"").status, 404);
    assert_eq!(server.send("DELETE", "/v1/collections/crawl-2", &[], b"").status, 204);
    assert_eq!(server.get("/v1/collections/now").status, 404);
}

#[test]
fn a_file_that_is_no_snapshot_takes_nothing_away() {
    let server = TestServer::start();
    let (id, _) = snapshot(&server);
    let folder = server.directory().join("snapshots/pages");
    std::fs::write(folder.join("bad.jsonl"), "x\n").unwrap();
    std::fs::write(folder.join("No Id.jsonl"), "").unwrap();
    std::fs::create_dir(folder.join("folder.jsonl")).unwrap();
    let listed = server.get("/v1/collections/pages/snapshots").json();
    assert_eq!(listed["items"][0]["id"], id.as_str());
    let ids = |list: &Value| {
        let ids =
            list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(&listed["damaged"]), ["folder", "bad", "No Id"]);
    let page = server.get("/collections/pages");
    assert!(page.status == 200 && page.text().contains("<td>bad</td>"), "{}", page.text());
    let refused = server.get("/v1/collections/pages/snapshots/bad");
    assert_eq!(refused.problem(), "damaged-snapshot");
    assert!(refused.json()["detail"].as_str().unwrap().contains("the snapshot bad"), "{refused:?}");
    let path = "/v1/collections/pages/snapshots/bad";
    assert_eq!(server.send("DELETE", path, &[], b"").status, 204);
}

/// The directory of a collection.
fn directory_of(server: &std::path::Path, name: &str) -> std::path::PathBuf {
    let entries = std::fs::read_dir(server.join("collections")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let begin = format!("/{name}@");
    paths.find(|path| path.to_str().unwrap().contains(&begin)).unwrap()
}

#[test]
fn what_a_backup_lacks_is_named() {
    let server = TestServer::start();
    for name in ["gone", "json", "whole"] {
        server.create(name);
        assert_eq!(server.add(name, "a", OLD).status, 201);
    }
    assert_eq!(server.post("/v1/collections/whole/snapshots", "", b"").status, 201);
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| folder.path().join(name);
    std::fs::write(server.directory().join("snapshots/whole/bad.jsonl"), "x\n").unwrap();
    let made = Backup::make(server.directory(), &copy("copy"), |_| ()).unwrap();
    let names = |backup: &Backup| backup.left_out.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        (made.collections.len(), names(&made)),
        (3, vec!["snapshots/whole/bad.jsonl".to_owned()])
    );
    // A copy that was cut, and bytes that the disk changed.
    std::fs::remove_dir_all(directory_of(&copy("copy"), "gone")).unwrap();
    std::fs::write(directory_of(&copy("copy"), "json").join("collection.json"), "{\"texts\":true}")
        .unwrap();
    let snapshots = copy("copy").join("snapshots/whole");
    let snapshot = std::fs::read_dir(&snapshots).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&snapshot).unwrap();
    assert!(text.contains("lighthouse"));
    std::fs::write(&snapshot, text.replace("lighthouse", "lightmouse")).unwrap();
    std::fs::write(copy("copy").join("collections/aliases.json"), "{bad").unwrap();
    let restored = Backup::restore(&copy("copy"), &copy("again"), |_| ()).unwrap();
    let named = names(&restored);
    assert_eq!(restored.collections.keys().collect::<Vec<_>>(), ["whole"]);
    let file = snapshot.file_name().unwrap().to_str().unwrap();
    let wanted = ["collections/aliases.json", "gone", "json", &format!("snapshots/whole/{file}")];
    assert_eq!(named, wanted);
}

#[cfg(unix)]
#[test]
fn what_is_written_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    fn check(path: &std::path::Path) {
        let mode = std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o} {}", path.display());
        if path.is_dir() {
            std::fs::read_dir(path).unwrap().for_each(|entry| check(&entry.unwrap().path()));
        }
    }

    nearprint_server::keep_files_private();
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("open");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o755)).unwrap();
    let server = TestServer::of(&settings(&directory));
    snapshot(&server);
    let job = server.post_json("/v1/jobs", &json!({"type": "pairs", "collection": "pages"}));
    assert_eq!(job.status, 202);
    let backup = folder.path().join("backup");
    std::fs::set_permissions(directory.join("server.lock"), std::fs::Permissions::from_mode(0o600))
        .unwrap();
    Backup::make(&directory, &backup, |_| ()).unwrap();
    server.stop();
    std::fs::read_dir(&directory).unwrap().for_each(|entry| check(&entry.unwrap().path()));
    check(&backup);
}

#[test]
fn a_backup_is_made_while_the_server_runs_and_restored() {
    let server = TestServer::start();
    for name in ["one", "two", "broken"] {
        server.create(name);
        for id in ["a", "b"] {
            assert_eq!(server.add(name, id, &format!("{OLD} {name} {id}")).status, 201);
        }
    }
    let alias = server.put("/v1/aliases/now", br#"{"collection":"one"}"#);
    assert_eq!(alias.status, 201, "{alias:?}");
    assert_eq!(server.post("/v1/collections/two/snapshots", "", b"").status, 201);
    let folder = tempfile::tempdir().unwrap();
    let (copy, again) = (folder.path().join("copy"), folder.path().join("again"));
    let mut told = Vec::new();
    let made = Backup::make(server.directory(), &copy, |name| told.push(name.to_owned())).unwrap();
    assert_eq!(told, ["broken", "one", "two"]);
    assert_eq!((made.collections["one"], made.left_out.len()), (2, 0));
    assert!(Backup::make(server.directory(), &copy, |_| ()).is_err(), "it is there already");
    // What comes later is not in it.
    assert_eq!(server.add("one", "c", OLD).status, 201);
    let directory = server.stop().unwrap();

    // A store that is damaged in the copy is named, and nothing else suffers.
    let broken = std::fs::read_dir(copy.join("collections")).unwrap();
    let broken = broken.map(|entry| entry.unwrap().path());
    let is_broken = |path: &std::path::PathBuf| path.to_string_lossy().contains("broken@");
    let broken = broken.into_iter().find(is_broken).unwrap();
    std::fs::write(broken.join("index/store.redb"), "Not a store").unwrap();
    let restored = Backup::restore(&copy, &again, |_| ()).unwrap();
    assert_eq!(restored.collections.keys().collect::<Vec<_>>(), ["one", "two"]);
    assert!(restored.left_out["broken"].contains("store.redb"), "{restored:?}");
    assert!(Backup::restore(directory.path(), &folder.path().join("no"), |_| ()).is_err());

    let server = TestServer::of(&settings(&again));
    assert_eq!(server.get("/v1/collections/now").json()["documents"], 2);
    let text = server.get("/v1/collections/two/documents/text?id=b");
    assert!(text.text().contains(" two b"), "{text:?}");
    let snapshots = server.get("/v1/collections/two/snapshots").json();
    assert_eq!(snapshots["items"].as_array().unwrap().len(), 1);
    server.stop();
}
