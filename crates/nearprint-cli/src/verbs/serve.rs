//! `nearprint serve`: collections over HTTP, until a signal ends it.

mod backup;
mod token;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nearprint::worker::PoolOptions;
use nearprint::{Engine, EngineSettings};
use nearprint_server::{ServeError, Server};

use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt;
use crate::options::WorkOptions;
use crate::server_options::{ServerLimitOptions, ServerOptions};
use crate::talk::Talk;

/// Serve collections of documents over HTTP, for programs and in the browser
///
/// DIRECTORY contains the collections, which are created over HTTP; it is created if it does not exist. The server is
/// for this machine: it listens on a loopback address, and refuses requests to other names and changes from other
/// sites. For other machines, make tokens first (`serve token create`). SIGINT or SIGTERM ends it after the requests
/// that are under way. A file that --config names has all these options, as has the environment
/// (NEARPRINT_SERVE_LISTEN). The server describes its API at /openapi.json, and for readers at /reference;
/// docs/SERVER.md is the guide.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  nearprint serve collections
  nearprint serve collections --listen 127.0.0.1:8080
  nearprint serve token create collections --name admin --right admin
  nearprint serve backup collections /backups/2026-11-26
  nearprint serve collections --config serve.toml --dry-run
  nearprint serve collections --allowed-host near.example.org
  nearprint serve collections --wayback crawl --replay 'https://example.org/web/{timestamp}/{url}'"
)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    verb: Option<ServeVerb>,
    /// The directory of the collections
    #[arg(value_name = "DIRECTORY", required = true)]
    directory: Option<PathBuf>,
    /// Check options, tokens and certificate, and exit without serving
    #[arg(long, help_heading = "Server")]
    dry_run: bool,
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    limits: ServerLimitOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Subcommand)]
enum ServeVerb {
    Token(token::TokenArgs),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
}

impl ServeArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        nearprint_server::keep_files_private();
        match self.verb {
            Some(ServeVerb::Token(args)) => return args.run(),
            Some(ServeVerb::Backup(args)) => return args.run(),
            Some(ServeVerb::Restore(args)) => return args.run(),
            None => {}
        }
        let talk = Talk::new(self.work.level(), false);
        let workers = crate::worker::workers();
        let mut settings = self.server.settings(self.directory.unwrap_or_default());
        self.limits.limit(&mut settings);
        let threads = self.work.threads;
        let workers = PoolOptions { workers: threads.unwrap_or(workers.workers), ..workers };
        let engine = EngineSettings::default().threads(threads).memory(self.limits.memory());
        settings.engine = Engine::new(engine.workers(workers));
        if self.dry_run {
            settings.check().map_err(failure)?;
            talk.summary(format_args!("nearprint: the configuration is valid"));
            return Ok(ExitStatus::Whole);
        }
        let server = Server::bind(&settings).map_err(failure)?;
        let stopper = server.stopper();
        interrupt::instead(move || stopper.stop());
        let scheme = if settings.tls.is_some() { "https" } else { "http" };
        talk.say(format_args!("nearprint: serving on {scheme}://{}/", server.address()));
        server.run().map_err(failure)?;
        talk.say(format_args!("nearprint: stopped"));
        Ok(ExitStatus::Whole)
    }
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::NoTokens { .. } => Failure::Usage(format!(
            "--listen: {error} (nearprint serve token create DIRECTORY --name NAME --right admin)"
        )),
        ServeError::NotEncrypted { .. } => Failure::Usage(format!(
            "--listen: {error} (--tls-certificate FILE --tls-key FILE, or --insecure-http)"
        )),
        ServeError::Certificate(_) => Failure::Usage(format!("--tls-certificate: {error}")),
        error => Failure::work(error),
    }
}
