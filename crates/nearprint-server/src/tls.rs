//! TLS: a certificate and its key, which are read again when their files change.
//!
//! The files are looked at for each new connection, which is two look-ups that the system answers from memory. A
//! certificate that cannot be read leaves the one before in use, and is logged.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

/// Where a certificate and its key are, as PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those that lead to its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// When a file was changed, and its length.
type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).ok().map(|found| (found.modified().ok(), found.len()))
}

/// The certificate that is in use.
struct Current {
    stamps: [Stamp; 2],
    key: Arc<CertifiedKey>,
}

/// Reads the files again when they change.
pub(crate) struct Certificates {
    files: TlsFiles,
    provider: Arc<CryptoProvider>,
    current: Mutex<Current>,
    /// Told of a certificate that was read again, or could not be.
    changed: Box<dyn Fn(Result<(), String>) + Send + Sync>,
}

impl fmt::Debug for Certificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificates").field("files", &self.files).finish_non_exhaustive()
    }
}

fn read(files: &TlsFiles, provider: &CryptoProvider) -> io::Result<Arc<CertifiedKey>> {
    let named = |path: &Path, error: &dyn fmt::Display| {
        io::Error::other(format!("{}: {error}", path.display()))
    };
    let bytes = |path: &Path| fs::read(path).map_err(|error| named(path, &error));
    let chain = CertificateDer::pem_slice_iter(&bytes(&files.certificate)?)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| named(&files.certificate, &error))?;
    if chain.is_empty() {
        return Err(named(&files.certificate, &"there is no certificate in it"));
    }
    let key = PrivateKeyDer::from_pem_slice(&bytes(&files.key)?)
        .map_err(|error| named(&files.key, &error))?;
    let key =
        CertifiedKey::from_der(chain, key, provider).map_err(|error| named(&files.key, &error))?;
    Ok(Arc::new(key))
}

impl Certificates {
    fn stamps(&self) -> [Stamp; 2] {
        stamps(&self.files)
    }

    /// The certificate as the files have it now, or the one before where they cannot be read.
    fn now(&self) -> Arc<CertifiedKey> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = self.stamps();
        if stamps != current.stamps {
            match read(&self.files, &self.provider) {
                Ok(key) => {
                    *current = Current { stamps, key };
                    (self.changed)(Ok(()));
                }
                Err(error) => {
                    current.stamps = stamps;
                    (self.changed)(Err(error.to_string()));
                }
            }
        }
        Arc::clone(&current.key)
    }
}

fn stamps(files: &TlsFiles) -> [Stamp; 2] {
    [stamp(&files.certificate), stamp(&files.key)]
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.now())
    }
}

/// What makes connections encrypted; fails where the files have no certificate and its key.
pub(crate) fn acceptor(
    files: &TlsFiles,
    changed: impl Fn(Result<(), String>) + Send + Sync + 'static,
) -> io::Result<TlsAcceptor> {
    let provider = Arc::new(ring::default_provider());
    let stamps = stamps(files);
    let key = read(files, &provider)?;
    let certificates = Certificates {
        files: files.clone(),
        provider: Arc::clone(&provider),
        current: Mutex::new(Current { stamps, key }),
        changed: Box::new(changed),
    };
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(rustls::DEFAULT_VERSIONS)
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(certificates));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
