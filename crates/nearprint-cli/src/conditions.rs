//! Which documents of an index are meant, by their metadata.

use clap::Args;
use nearprint::{Condition, Filter};

/// Conditions on metadata.
#[derive(Debug, Args)]
pub(crate) struct WhereOption {
    /// Only documents of the index whose metadata fulfil CONDITION: FIELD=VALUE, or with !=, <, <=, > or >= between the
    /// two. Numbers are compared by value, anything else byte by byte. May be given several times: all must hold
    #[arg(long = "where", value_name = "CONDITION", help_heading = "Input")]
    conditions: Vec<Condition>,
}

impl WhereOption {
    pub(crate) fn filter(&self) -> Filter {
        self.conditions.iter().cloned().collect()
    }

    pub(crate) fn is_given(&self) -> bool {
        !self.conditions.is_empty()
    }
}
