//! Options in a build without the feature `json`: they have no list, and no JSON.

/// Writes nothing.
macro_rules! by_name {
    ($($question:tt)*) => {};
}

pub(crate) use by_name;
