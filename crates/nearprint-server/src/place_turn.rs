//! What waits for places, and what it does when its turn comes.

use tokio::sync::oneshot;

use crate::places::Place;

/// What waits for places.
pub(crate) trait PlaceTurn: Send {
    /// Whether nobody wants the places any more.
    fn is_gone(&self) -> bool;

    /// Its turn has come. Nothing is locked.
    fn begin(self: Box<Self>, place: Place);

    /// The same on the thread that had the place before: does the work there, and returns what is next.
    fn begin_here(self: Box<Self>, place: Place) -> Option<NextTurn> {
        self.begin(place);
        None
    }
}

/// What waited, and its places.
pub(crate) struct NextTurn {
    pub(crate) turn: Box<dyn PlaceTurn>,
    pub(crate) place: Place,
}

impl NextTurn {
    /// Does its work on this thread, and then that of what is next, until nothing waits.
    pub(crate) fn work_through(self) {
        let mut next = Some(self);
        while let Some(Self { turn, place }) = next {
            next = turn.begin_here(place);
        }
    }

    /// Begins it, on a thread of its own where it is long.
    pub(crate) fn begin(self) {
        self.turn.begin(self.place);
    }
}

impl PlaceTurn for oneshot::Sender<Place> {
    fn is_gone(&self) -> bool {
        self.is_closed()
    }

    fn begin(self: Box<Self>, place: Place) {
        // A place that nobody takes goes to the next one as it is dropped.
        let _ = self.send(place);
    }
}
