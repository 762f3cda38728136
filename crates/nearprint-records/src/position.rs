//! Where a source stands, so that another one continues from there.

use crate::RecordCounts;

/// A place between two documents of an input that a source can go to without reading what is before it.
///
/// What it means depends on the file: lines continue at `offset`, members of an archive at `offset`, rows of a table
/// after `row`. It holds for the very files it was taken of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// Files and things that are none that were met before the one it is in.
    pub file: u64,
    /// Whether it is in a file that holds many documents, after some of them.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_false"))]
    pub within: bool,
    /// Bytes of the file before it.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub offset: u64,
    /// Bytes before it of what the file expands to.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub expanded: u64,
    /// Bytes that were read again before it, because of damage.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub reread: u64,
    /// Bytes that were looked at before it, each as often as it was.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub work: u64,
    /// Lines before it.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub line: u64,
    /// Rows before it.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub row: u64,
    /// Documents after it that are skipped, where one cannot go nearer.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "is_zero"))]
    pub behind: u64,
    /// Records of archives that were met before it.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "RecordCounts::is_empty"))]
    pub records: RecordCounts,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for line in [
            "{\"file\":0}",
            "{\"file\":3,\"within\":true,\"offset\":70,\"expanded\":90,\"records\":{\"response\":7,\"other\":1}}",
            "{\"file\":1,\"reread\":9,\"work\":8,\"line\":3,\"row\":5,\"behind\":2}",
        ] {
            let position: Position = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&position).unwrap(), line);
        }
        assert!(serde_json::from_str::<Position>("{\"file\":0,\"records\":{\"odd\":1}}").is_err());
    }
}
