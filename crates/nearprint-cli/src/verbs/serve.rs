//! `nearprint serve`: collections over HTTP, until a signal ends it.

mod token;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use nearprint::worker::PoolOptions;
use nearprint::{Engine, EngineSettings};
use nearprint_server::{ServeError, Server, ServerSettings};

use crate::ending::{Ending, Failure};
use crate::interrupt;
use crate::memory::MemoryOptions;
use crate::options::{WorkOptions, bytes};
use crate::talk::Talk;

/// Serve collections of documents over HTTP, for programs and in the browser
///
/// DIRECTORY contains the collections, which are created over HTTP; it is created if it does not exist. The server is
/// for this machine: it listens on a loopback address, and refuses requests to other names and changes from other
/// sites. For other machines, make tokens first (`serve token create`). SIGINT or SIGTERM ends it after the requests
/// that are under way. docs/SERVER.md is the guide.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  nearprint serve collections
  nearprint serve collections --listen 127.0.0.1:8080
  nearprint serve token create collections --name admin --right admin
  nearprint serve collections --allowed-host near.example.org"
)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    verb: Option<ServeVerb>,
    /// The directory of the collections
    #[arg(value_name = "DIRECTORY", required = true)]
    directory: Option<PathBuf>,
    /// Address and port to listen on; port 0 is any free one. Addresses that other machines reach need tokens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7117", help_heading = "Server")]
    listen: SocketAddr,
    /// Let other machines send tokens and documents without encryption, as in a private network
    #[arg(long, help_heading = "Server")]
    insecure_http: bool,
    /// Also answer requests to this host name, such as that of a proxy; can be repeated
    #[arg(long, value_name = "NAME", help_heading = "Server")]
    allowed_host: Vec<String>,
    /// Maximum size of a request; K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes, help_heading = "Server")]
    max_body: u64,
    /// Maximum number of documents or queries in a batch
    #[arg(long, value_name = "N", default_value = "1000", help_heading = "Server")]
    max_batch: NonZeroUsize,
    #[command(flatten)]
    memory: MemoryOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Subcommand)]
enum ServeVerb {
    Token(token::TokenArgs),
}

impl ServeArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        if let Some(ServeVerb::Token(args)) = self.verb {
            return args.run();
        }
        let talk = Talk::new(self.work.quiet, false);
        let workers = crate::worker::workers();
        let mut settings = ServerSettings::new(self.directory.unwrap_or_default());
        settings.listen = self.listen;
        settings.insecure_http = self.insecure_http;
        settings.allowed_hosts = self.allowed_host;
        settings.limits.body_bytes = self.max_body.max(1);
        settings.limits.batch_items = self.max_batch.get();
        settings.engine = Engine::new(EngineSettings {
            threads: self.work.threads,
            memory: self.memory.bytes(),
            temp: self.memory.temp.clone(),
            workers: PoolOptions {
                workers: self.work.threads.unwrap_or(workers.workers),
                ..workers
            },
            ..EngineSettings::default()
        });
        let server = Server::bind(&settings).map_err(failure)?;
        let stopper = server.stopper();
        interrupt::instead(move || stopper.stop());
        talk.say(format_args!("nearprint: serving on http://{}/", server.address()));
        server.run().map_err(failure)?;
        talk.say(format_args!("nearprint: stopped"));
        Ok(Ending::Whole)
    }
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::NoTokens { .. } => Failure::Usage(format!(
            "--listen: {error} (nearprint serve token create DIRECTORY --name NAME --right admin)"
        )),
        ServeError::NotEncrypted { .. } => {
            Failure::Usage(format!("--listen: {error} (--insecure-http)"))
        }
        error => Failure::work(error),
    }
}
