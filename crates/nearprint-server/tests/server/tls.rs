//! Encrypted connections, and a certificate that changes while the server runs. Keys of the tests are worth nothing.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use nearprint_server::{Server, TlsFiles};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DEFAULT_VERSIONS, RootCertStore, Stream,
};

use crate::harness::{TestServer, settings};

const CERTIFICATES: &str = "tests/server/tls";

/// Puts a certificate and its key where the server looks.
fn install(name: &str, directory: &Path) -> TlsFiles {
    let files = TlsFiles { certificate: directory.join("c.pem"), key: directory.join("k.pem") };
    // Whole files take the places of others, as those that renew certificates do it.
    for (from, to) in
        [(format!("{name}.key.pem"), &files.key), (format!("{name}.pem"), &files.certificate)]
    {
        let part = directory.join("part");
        std::fs::copy(Path::new(CERTIFICATES).join(from), &part).unwrap();
        std::fs::rename(&part, to).unwrap();
    }
    files
}

/// What a server answers to a client that trusts one certificate.
fn ask(server: &TestServer, trusted: &str) -> io::Result<String> {
    let certificate = Path::new(CERTIFICATES).join(format!("{trusted}.pem"));
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(DEFAULT_VERSIONS)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = TcpStream::connect(server.address)?;
    let mut stream = Stream::new(&mut connection, &mut stream);
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn connections_are_encrypted_and_certificates_change_without_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let files = install("first", directory.path());
    let server = TestServer::start_with(|settings| settings.tls = Some(files.clone()));
    assert!(ask(&server, "first").unwrap().ends_with("ok\n"));
    assert!(ask(&server, "second").is_err());
    install("second", directory.path());
    assert!(ask(&server, "second").unwrap().ends_with("ok\n"));
    assert!(ask(&server, "first").is_err());
    // One that cannot be read leaves the one before in use.
    std::fs::write(&files.certificate, "damaged").unwrap();
    assert!(ask(&server, "second").unwrap().ends_with("ok\n"));
    std::fs::remove_file(&files.key).unwrap();
    assert!(ask(&server, "second").unwrap().ends_with("ok\n"));
    // What is not encrypted is not answered.
    let mut plain = TcpStream::connect(server.address).unwrap();
    plain.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    assert!(ask(&server, "second").unwrap().ends_with("ok\n"));
}

#[test]
fn a_certificate_without_its_key_is_refused_before_anything_is_done() {
    let directory = tempfile::tempdir().unwrap();
    let files = install("first", directory.path());
    std::fs::copy(Path::new(CERTIFICATES).join("second.key.pem"), &files.key).unwrap();
    let root = directory.path().join("collections");
    let mut wrong = settings(&root);
    wrong.tls = Some(files.clone());
    let error = Server::bind(&wrong).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("k.pem"), "{error}");
    std::fs::write(&files.certificate, "").unwrap();
    assert!(wrong.check().unwrap_err().to_string().contains("c.pem"));
    assert!(!root.exists());
}
