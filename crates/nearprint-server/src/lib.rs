//! The service of nearprint: collections of documents on disk, over HTTP and in the browser.
//!
//! A [`Server`] answers from indexes of `nearprint-index` in one directory; documents take the same way as those of the
//! command (`nearprint::Pipeline`), and rows are written by the same serialiser. docs/SERVER.md is the guide; the
//! server describes its operations itself at `/openapi.json`.
//!
//! ```no_run
//! use nearprint_server::{Server, ServerSettings};
//!
//! let server = Server::bind(&ServerSettings::new("collections"))?;
//! println!("listening on http://{}", server.address());
//! let stopper = server.stopper(); // another thread may stop it
//! # drop(stopper);
//! server.run()?;
//! # Ok::<(), nearprint_server::ServeError>(())
//! ```
//!
//! # What it guarantees
//!
//! - A change that was acknowledged is on the disk, and the next query finds it.
//! - Without tokens, the server is for one machine: it listens on loopback addresses only, and answers only to names of
//!   the machine. With [`Tokens`], every request needs one that allows it.
//! - Changes that pages of other sites send are refused.
//! - Bodies, heads, times, connections and waiting requests are bounded. What exceeds a bound is refused with a problem
//!   (RFC 9457) that names it.
//! - Threads that answer connections never wait for a disk or a document, but for look-ups that are quick at the mean;
//!   one of them does none.

mod access;
mod address;
mod alarm;
mod api;
mod backup;
mod body_room;
mod capture_overview;
mod captures;
mod client;
mod clock;
mod collection;
mod collections;
mod compression;
mod condition;
mod connections;
mod constraints;
mod content_codec;
mod descriptors;
mod document_form;
mod document_reader;
mod file_body;
mod form;
mod gate;
mod guard;
mod jobs;
mod lane;
mod lane_task;
mod lines;
mod log;
mod metrics;
mod ownership;
mod pace;
mod pages;
mod path_prefix;
mod peer;
mod place_turn;
mod places;
mod precondition;
mod problem;
mod problem_kind;
mod process_metrics;
mod quarantine;
mod query_request;
mod question;
mod queue;
mod refusals;
mod request;
mod routes;
mod schemas;
mod serve_error;
mod server;
mod settings;
mod snapshots;
mod state;
mod stream;
mod throttle;
mod tls;
mod tokens;
mod wayback;
mod work;

pub use backup::{Backup, BackupError};
pub use log::{LogLevel, LogSettings};
pub use ownership::keep_files_private;
pub use serve_error::ServeError;
pub use server::{Server, Stopper};
pub use settings::{ServerLimits, ServerSettings, TokenLimits};
pub use tls::TlsFiles;
pub use tokens::{NewToken, Right, Secret, Token, TokenError, Tokens};
