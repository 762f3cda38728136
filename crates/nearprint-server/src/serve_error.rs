//! Why a server cannot start.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a server cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// Other machines reach the address, and there are no tokens that say who may use the server.
    NoTokens {
        /// The address.
        address: SocketAddr,
    },
    /// Other machines reach the address, and tokens would go over the network unencrypted.
    NotEncrypted {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The directory cannot be used.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// There is no certificate with its key.
    Certificate(io::Error),
    /// The system gives no threads.
    Threads(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTokens { address } => write!(
                f,
                "{address} can be reached from other machines, and everybody there could change the collections: \
                 create a token first, or listen on a loopback address such as 127.0.0.1:7117"
            ),
            Self::NotEncrypted { address } => write!(
                f,
                "{address} can be reached from other machines, and tokens and documents would go there unencrypted: \
                 name a certificate, put a proxy that speaks TLS in front of a loopback address, or allow HTTP without \
                 encryption"
            ),
            Self::Listen { address, error } => write!(f, "cannot listen on {address}: {error}"),
            Self::Directory { path, detail } => {
                write!(f, "cannot use {}: {detail}", path.display())
            }
            Self::Certificate(error) => write!(f, "cannot use the certificate: {error}"),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Listen { error, .. } | Self::Certificate(error) | Self::Threads(error) => {
                Some(error)
            }
            _ => None,
        }
    }
}
