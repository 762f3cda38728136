//! What documents are there for in a decision.

/// What a document is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// To be compared with: what repeats it is dropped, nothing is said about it itself.
    Reference,
    /// To be kept or dropped.
    #[default]
    Candidate,
}
