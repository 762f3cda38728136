//! The operations for programs, a file for each subject.

pub(crate) mod additions;
pub(crate) mod addresses;
pub(crate) mod aliases;
pub(crate) mod captures;
pub(crate) mod collections;
pub(crate) mod documents;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod memento;
pub(crate) mod queries;
pub(crate) mod snapshots;
pub(crate) mod stateless;
