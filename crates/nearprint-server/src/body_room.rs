//! Room for the bodies of requests, which all connections share.

use crate::places::Place;

/// Bytes of a body that need no room: so many at most are taken by each connection, and small requests never wait for
/// large ones.
pub(crate) const FREE_BYTES: u64 = 16 << 10;

/// Bytes by which the room of a body grows.
pub(crate) const STEP_BYTES: u64 = 64 << 10;

/// Room for what has arrived of a body, until it is dropped.
pub(crate) struct BodyRoom {
    bytes: u64,
    place: Option<Place>,
}

impl BodyRoom {
    /// Room for a body of which nothing has arrived.
    pub(crate) fn new() -> Self {
        Self { bytes: FREE_BYTES, place: None }
    }

    /// The bytes that a body of this length still needs, in steps; `None` where it has room.
    pub(crate) fn missing(&self, bytes: u64) -> Option<u64> {
        (bytes > self.bytes).then(|| (bytes - self.bytes).next_multiple_of(STEP_BYTES))
    }

    /// Adds places, one for each byte.
    pub(crate) fn add(&mut self, bytes: u64, more: Place) {
        self.bytes += bytes;
        self.place = Some(match self.place.take() {
            Some(place) => place.with(more),
            None => more,
        });
    }
}
