//! Compressed bodies, counted by what they expand to, and compressed answers.

use std::io::{Read, Write};

use crate::harness::{Answer, OLD, TestServer};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// Sends a query with a body in this encoding.
fn sent(server: &TestServer, encoding: &str, body: &[u8]) -> Answer {
    let headers = [("Content-Encoding", encoding), ("Content-Type", "text/plain")];
    server.send("POST", "/v1/collections/pages/query?k=0", &headers, body)
}

#[test]
fn compressed_bodies_are_read_and_counted_as_they_expand() {
    let server = TestServer::start_with(|settings| settings.limits.body_bytes = 100_000);
    server.create("pages");
    server.add("pages", "old", OLD);
    let text = OLD.as_bytes();
    for (encoding, body) in
        [("gzip", gzip(text)), ("zstd", zstd(text)), ("identity", text.to_vec())]
    {
        let found = sent(&server, encoding, &body).lines();
        assert_eq!(found.len(), 1, "{encoding}");
        assert_eq!(found[0]["id"], "old");
    }
    // 200 MB of one byte: refused when more has come out of it than a body may have.
    let large = vec![b'x'; 200 << 20];
    for (encoding, body) in [("gzip", gzip(&large)), ("zstd", zstd(&large))] {
        assert!(body.len() < 2 << 20);
        let small = &body[..body.len().min(90_000)];
        let refused = sent(&server, encoding, small);
        assert_eq!((refused.status, refused.problem().as_str()), (413, "too-large"), "{encoding}");
    }
    for (encoding, body) in
        [("gzip", &b"not gzip"[..]), ("zstd", b"nor zstd"), ("gzip", &gzip(text)[..30])]
    {
        let refused = sent(&server, encoding, body);
        assert_eq!((refused.status, refused.problem().as_str()), (400, "malformed-request"));
    }
    // All members of a body are read, whatever the case of the coding, and nothing else may follow them.
    let members = [gzip(&text[..20]), gzip(b""), gzip(&text[20..])].concat();
    for encoding in ["gzip", "GZip", "X-GZIP"] {
        let found = sent(&server, encoding, &members).lines();
        assert_eq!((found.len(), &found[0]["distance"]), (1, &0.into()), "{encoding}");
    }
    for wrong in [
        [gzip(text), b"garbage after a member".to_vec()].concat(),
        members[..members.len() - 3].to_vec(),
        Vec::new(),
    ] {
        let refused = sent(&server, "gzip", &wrong);
        assert_eq!((refused.status, refused.problem().as_str()), (400, "malformed-request"));
        assert!(
            refused.json()["detail"].as_str().unwrap().contains("not whole gzip"),
            "{refused:?}"
        );
    }
    for encoding in ["br", "gzip, gzip", "compress"] {
        let refused = sent(&server, encoding, text);
        assert_eq!(refused.header("accept-encoding"), Some("gzip, zstd"));
        assert!(refused.json()["detail"].as_str().unwrap().contains(encoding), "{refused:?}");
        assert_eq!((refused.status, refused.problem().as_str()), (415, "unsupported-media-type"));
        assert!(refused.json()["remedy"].as_str().unwrap().contains("zstd"), "{refused:?}");
    }
}

#[test]
fn answers_are_compressed_for_those_who_accept_it() {
    let server = TestServer::start();
    let whole = server.get("/openapi.json");
    assert_eq!(whole.header("content-encoding"), None);
    let accepting = |path: &str, encoding: &str| {
        server.send("GET", path, &[("Accept-Encoding", encoding)], b"")
    };
    let mut expanded = Vec::new();
    let packed = accepting("/openapi.json", "gzip");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let body = packed.body_without_chunks();
    flate2::read::GzDecoder::new(body.as_slice()).read_to_end(&mut expanded).unwrap();
    assert!(expanded == whole.body && body.len() * 3 < whole.body.len());
    let packed = accepting("/openapi.json", "gzip;q=0.5, zstd");
    assert_eq!(packed.header("content-encoding"), Some("zstd"));
    assert_eq!(zstd::decode_all(packed.body_without_chunks().as_slice()).unwrap(), whole.body);
    assert!(packed.header("vary").is_some_and(|vary| vary.contains("accept-encoding")));
    // What is short, and what has a tag of its bytes, stays as it is.
    server.create("pages");
    let metadata =
        format!("{{\"text\":\"Fog came.\",\"metadata\":{{\"a\":\"{}\"}}}}", "x".repeat(5000));
    let headers = [("Content-Type", "application/json")];
    let path = "/v1/collections/pages/documents?id=long";
    assert_eq!(server.send("PUT", path, &headers, metadata.as_bytes()).status, 201);
    for path in ["/livez", path] {
        assert_eq!(accepting(path, "gzip").header("content-encoding"), None, "{path}");
    }
    let list = accepting("/v1/collections/pages/documents", "gzip");
    assert_eq!(list.header("content-encoding"), Some("gzip"));
}
