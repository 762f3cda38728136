//! Options of a server, as typed, and as settings.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use nearprint::default_memory;
use nearprint_server::{LogLevel, LogSettings, ServerSettings, TlsFiles, TokenLimits};

use crate::keys::{Key, Keys, Setting, parsed};
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

/// What the server and its clients may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of the server")]
pub(crate) struct ServerLimitOptions {
    /// Set what the server and its clients may take; can be repeated. K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "KEY=VALUE", value_parser = server_keys())]
    limit: Vec<Setting>,
}

const MEMORY: &str = "Memory for searches; larger work uses a temporary file in TMPDIR [default: half of the machine's \
                      memory]";

/// The keys of `--limit` of a server.
fn server_keys() -> Keys {
    let (size, number) = (|text: &str| bytes(text).map(drop), |text: &str| whole(text).map(drop));
    [
        Key::new("memory", "BYTES", MEMORY, size),
        Key::new("body", "BYTES", "Size of a request [default: 64M]", size),
        Key::new("batch", "N", "Documents or queries in a batch [default: 1000]", number),
        Key::new("time", "SECONDS", "Time for a request [default: 300]", number),
        Key::new("connections", "N", "Open connections [default: 16384]", number),
        Key::new("waiting", "N", "Requests that wait for a thread [default: 8192]", number),
        Key::new(
            "collections",
            "N",
            "Collections that are open at the same time [default: 128]",
            number,
        ),
        Key::new(
            "job-days",
            "N",
            "Days for which a job is kept after its end [default: 30]",
            number,
        ),
    ]
    .into_iter()
    .chain(token_keys("no limit"))
    .collect()
}

/// The keys of `--limit` of a token.
pub(crate) fn token_keys(usual: &str) -> Vec<Key> {
    let (size, number) = (|text: &str| bytes(text).map(drop), |text: &str| whole(text).map(drop));
    let help = |what: &str| format!("{what} [default: {usual}]");
    vec![
        Key::new("rate", "N", help("Requests a second for each token"), number),
        Key::new("concurrent", "N", help("Requests at the same time for each token"), number),
        Key::new(
            "stored",
            "BYTES",
            help("Size on the disk of the collections that a token is for"),
            size,
        ),
    ]
}

/// The limits of a token that are set.
pub(crate) fn token_limits(settings: &[Setting]) -> TokenLimits {
    TokenLimits {
        rate: parsed(settings, "rate", whole),
        concurrent: parsed(settings, "concurrent", whole),
        stored_bytes: parsed(settings, "stored", bytes),
    }
}

/// A whole number from 1.
fn whole(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or("expected a whole number from 1".to_owned())
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
    /// Memory for searches, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        parsed(&self.limit, "memory", bytes).unwrap_or_else(default_memory)
    }

    /// Sets the limits of a server.
    pub(crate) fn limit(&self, settings: &mut ServerSettings) {
        let limits = &mut settings.limits;
        let number = |key| parsed(&self.limit, key, whole);
        let count = |key| number(key).map(|count| count as usize);
        if let Some(body) = parsed(&self.limit, "body", bytes) {
            limits.body_bytes = body.max(1);
        }
        limits.batch_items = count("batch").unwrap_or(limits.batch_items);
        let seconds = number("time").map(|time| Duration::from_secs(time.into()));
        limits.request_time = seconds.unwrap_or(limits.request_time);
        limits.connections = count("connections").unwrap_or(limits.connections);
        limits.waiting = count("waiting").unwrap_or(limits.waiting);
        limits.open_collections = count("collections").unwrap_or(limits.open_collections);
        let days = number("job-days").map(|days| Duration::from_secs(u64::from(days) * 86_400));
        limits.job_time = days.unwrap_or(limits.job_time);
        limits.token = token_limits(&self.limit);
    }
}
