//! Which documents of an index are meant, by their metadata.

use clap::Args;
use nearprint::{Condition, Filter, Inputs};

use crate::exit_status::Failure;
use crate::indexes::Indexes;

/// Conditions on metadata.
#[derive(Debug, Args)]
pub(crate) struct WhereOption {
    /// Only documents of the index whose metadata fulfil CONDITION: FIELD=VALUE, or with !=, <, <=, > or >= between the
    /// two, FIELD in (VALUE, VALUE), or FIELD exists; joined by and, or, not and parentheses. Names and values with
    /// blanks are JSON strings. Numbers are compared by value, anything else byte by byte. May be given several times:
    /// all must hold
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

    /// The filter of what is searched; refused where other inputs than indexes are.
    pub(crate) fn filter_of(&self, indexes: &Indexes, others: &Inputs) -> Result<Filter, Failure> {
        if self.is_given() && (indexes.is_empty() || !others.is_empty()) {
            let text =
                "--where is about the documents of indexes; name an index alone, as index:PATH";
            return Err(Failure::Usage(text.to_owned()));
        }
        Ok(self.filter())
    }
}
