//! What verbs say on standard error about their results.

mod calibration;
mod clusters;
mod decisions;
mod difference;
mod index;
mod passages;
mod queries;

pub(crate) use calibration::{labels_left_out, recommended};
pub(crate) use clusters::{clusters, doubts};
pub(crate) use decisions::{decisions, kept};
pub(crate) use difference::difference;
pub(crate) use index::{index_change, not_in_index, removed};
pub(crate) use passages::{clean, cut, items, passages, repeats, resumed_search};
pub(crate) use queries::none_similar;
