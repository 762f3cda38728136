//! Options of a server, as typed, and as settings.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use nearprint_server::{LogLevel, LogSettings, ServerSettings, TlsFiles, TokenLimits};

use crate::options::bytes;

/// Where a server listens, and for whom.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerOptions {
    /// Address and port to listen on; port 0 is any free one. Addresses that other machines reach need tokens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7117")]
    listen: SocketAddr,
    /// Also answer requests to this host name, such as that of a proxy; can be repeated
    #[arg(long, value_name = "NAME")]
    allowed_host: Vec<String>,
    /// Let pages of this origin use the API in browsers, such as https://tools.example.org; can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Speak TLS with the certificate in FILE (PEM, with those that lead to its authority); read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Let other machines send tokens and documents without encryption, as in a private network
    #[arg(long)]
    insecure_http: bool,
    /// Answer the endpoints of wayback-discover-diff (/simhash, /calculate-simhash, /job) from this collection
    #[arg(long, value_name = "COLLECTION")]
    wayback: Option<String>,
    /// Where captures are replayed, such as 'https://example.org/web/{timestamp}/{url}'
    #[arg(long, value_name = "TEMPLATE", value_parser = template)]
    replay: Option<String>,
    /// Let jobs import the files in DIRECTORY
    #[arg(long, value_name = "DIRECTORY")]
    import_from: Option<PathBuf>,
    /// Log requests as lines of JSON on standard error
    #[arg(long, value_enum, value_name = "WHICH", default_value = "faults")]
    log: LogChoice,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LogChoice {
    /// No requests
    None,
    /// Requests that were answered with a fault of the server
    Faults,
    /// The same, and requests that were refused
    Problems,
    /// All requests
    Requests,
}

/// What clients may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of the server")]
pub(crate) struct ServerLimitOptions {
    /// Maximum size of a request; K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes)]
    max_body: u64,
    /// Maximum number of documents or queries in a batch
    #[arg(long, value_name = "N", default_value = "1000")]
    max_batch: NonZeroUsize,
    /// Maximum time for a request
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    max_time: NonZeroU32,
    /// Maximum number of open connections
    #[arg(long, value_name = "N", default_value = "16384")]
    max_connections: NonZeroUsize,
    /// Maximum number of requests that wait for a thread
    #[arg(long, value_name = "N", default_value = "1024")]
    max_waiting: usize,
    /// Maximum number of requests a second for each token [default: no limit]
    #[arg(long, value_name = "N")]
    max_rate: Option<NonZeroU32>,
    /// Maximum number of requests at the same time for each token [default: no limit]
    #[arg(long, value_name = "N")]
    max_concurrent: Option<NonZeroU32>,
    /// Maximum size on the disk of the collections that a token is for [default: no limit]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    max_stored: Option<u64>,
}

impl ServerOptions {
    /// The settings of a server of this directory.
    pub(crate) fn settings(self, directory: PathBuf) -> ServerSettings {
        let mut settings = ServerSettings::new(directory);
        settings.listen = self.listen;
        settings.insecure_http = self.insecure_http;
        settings.allowed_hosts = self.allowed_host;
        settings.allowed_origins = self.allow_origin;
        (settings.wayback, settings.replay) = (self.wayback, self.replay);
        settings.import_from = self.import_from;
        let tls = self.tls_certificate.zip(self.tls_key);
        settings.tls = tls.map(|(certificate, key)| TlsFiles { certificate, key });
        let level = match self.log {
            LogChoice::None => None,
            LogChoice::Faults => Some(LogLevel::Faults),
            LogChoice::Problems => Some(LogLevel::Problems),
            LogChoice::Requests => Some(LogLevel::Requests),
        };
        settings.log = level.map(LogSettings::to_standard_error);
        settings
    }
}

/// The origin of a page, as browsers write it.
fn origin(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:[]".contains(c);
    match rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_host)) {
        true => Ok(text.to_owned()),
        false => Err("an origin is http:// or https:// and a host in lower case, with its port \
                      unless that is the usual one, and nothing after it"
            .to_owned()),
    }
}

/// The template of the addresses of captures.
fn template(text: &str) -> Result<String, String> {
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    let is_whole = ["{timestamp}", "{url}"].iter().all(|part| text.contains(part));
    match is_address && is_whole {
        true => Ok(text.to_owned()),
        false => Err("an address has http:// or https://, {timestamp} and {url}".to_owned()),
    }
}

impl ServerLimitOptions {
    /// Sets the limits of a server.
    pub(crate) fn limit(&self, settings: &mut ServerSettings) {
        let limits = &mut settings.limits;
        limits.body_bytes = self.max_body.max(1);
        limits.batch_items = self.max_batch.get();
        limits.request_time = Duration::from_secs(self.max_time.get().into());
        limits.connections = self.max_connections.get();
        limits.waiting = self.max_waiting;
        limits.token = TokenLimits {
            rate: self.max_rate.map(NonZeroU32::get),
            concurrent: self.max_concurrent.map(NonZeroU32::get),
            stored_bytes: self.max_stored,
        };
    }
}
