//! A server on a port of its own, asked over a socket as any client does.

mod captures;
mod compression;
mod copies;
mod documents;
mod harness;
mod hostile;
mod jobs;
mod limits;
mod operation;
mod pages;
mod queries;
mod selection;
mod tls;
mod tokens;
