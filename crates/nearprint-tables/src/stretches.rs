//! Runs of rows that are decoded each by one thread, several at once.

use crate::decoder_thread::apart;
use crate::rows::Rows;

/// Bytes of decoded rows, in memory, from which on a stretch stops: what is left of it is decoded when it is asked for.
pub(crate) const LONG_STRETCH: usize = 32 << 20;

/// The stretches of a table, in their order.
pub(crate) trait Stretches: Send {
    /// The next one, where so many are decoded at once; `None` is the end, and an error is the last.
    ///
    /// What is decoded is the same rows in the same batches for any number.
    fn next(&mut self, decoders: usize) -> Option<Result<Stretch, String>>;

    /// How many may be decoded at once (>= 1).
    fn most_decoders(&self) -> usize {
        usize::MAX
    }

    /// Continues after a unit of the table in which something cannot be read, where it is not after it already.
    fn leave(&mut self, _unit: usize) {}
}

/// Rows that follow each other, not decoded yet.
pub(crate) struct Stretch {
    /// Bytes that they are thought to take of memory.
    pub(crate) bytes: usize,
    /// Which part of the table it is of, that is lost from damage on.
    pub(crate) unit: usize,
    decode: Box<dyn FnOnce() -> Result<DecodedStretch, String> + Send>,
}

/// Decoded stretch: its batches, and what follows them.
#[derive(Default)]
pub(crate) struct DecodedStretch {
    pub(crate) batches: Vec<Rows>,
    pub(crate) end: End,
}

/// What follows the batches of a stretch that were decoded.
#[derive(Default)]
pub(crate) enum End {
    /// The next stretch.
    #[default]
    Next,
    /// The rest of this one.
    Rest(Stretch),
    /// Rows that cannot be read: what is left of a unit of the table.
    Damaged(DamagedRows),
    /// Nothing: what is left cannot be read.
    Error(String),
}

/// Rows that cannot be read.
pub(crate) struct DamagedRows {
    /// How many.
    pub(crate) rows: usize,
    /// Why.
    pub(crate) error: String,
    /// What follows them; where there is nothing, the next unit.
    pub(crate) rest: Option<Stretch>,
}

impl Stretch {
    pub(crate) fn new(
        bytes: usize,
        unit: usize,
        decode: impl FnOnce() -> Result<DecodedStretch, String> + Send + 'static,
    ) -> Self {
        Self { bytes, unit, decode: Box::new(decode) }
    }

    /// Decodes it on a thread of its own, for its stack and for the panics of the libraries, while the caller waits.
    pub(crate) fn decode(self) -> DecodedStretch {
        apart(self.decode)
            .unwrap_or_else(|error| DecodedStretch { batches: Vec::new(), end: End::Error(error) })
    }
}

impl DecodedStretch {
    /// Bytes of memory that its batches lie in (<=): they may share it.
    pub(crate) fn bytes(&self) -> usize {
        self.batches.iter().fold(0, |bytes, rows| bytes.saturating_add(rows.bytes))
    }
}
