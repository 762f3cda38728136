//! Conditions on the metadata of documents, as requests state them. What they mean is the library's business.

use nearprint::{Condition, Filter};

use crate::problem::Problem;

/// The conditions of a parameter that was repeated, which has a line for each. An empty one is refused: whoever sends
/// it did not mean everything.
pub(crate) fn filter_of_lines(conditions: Option<&str>) -> Result<Filter, Problem> {
    conditions
        .into_iter()
        .flat_map(|lines| lines.split('\n'))
        .map(|text| condition("?where", text))
        .collect()
}

/// The condition of a field.
pub(crate) fn filter_of_field(pointer: &str, text: &str) -> Result<Filter, Problem> {
    Ok([condition(pointer, text)?].into_iter().collect())
}

fn condition(pointer: &str, text: &str) -> Result<Condition, Problem> {
    text.parse()
        .map_err(|error: nearprint::NotACondition| Problem::invalid(pointer, error.to_string()))
}
