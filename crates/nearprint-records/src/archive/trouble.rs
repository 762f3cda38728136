//! Records that give no document, and where the next one is.

use super::{Archive, Head, LOOK};
use crate::expansion::Damage;
use crate::{DocumentId, Place};

/// Why a record gives no document, and how to continue.
pub(super) struct Trouble {
    pub(super) damage: Damage,
    pub(super) id: Option<DocumentId>,
    pub(super) place: Place,
    pub(super) then: Then,
}

/// Where the next record is after trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// Where the stream is.
    Here,
    /// At the next line that begins one.
    Search,
    /// In another compressed member.
    Recover,
}

/// Trouble whose record is not known yet.
pub(super) type Fault = (Damage, Then);

pub(super) fn compressed(damage: Damage) -> Fault {
    (damage, Then::Recover)
}

pub(super) fn malformed(detail: impl Into<String>) -> Fault {
    (Damage::new(detail), Then::Search)
}

impl Archive {
    /// Trouble with the record of this header, whole or not, and its place.
    pub(super) fn trouble(
        &self,
        (damage, then): Fault,
        head: Option<&Head>,
        whole: bool,
    ) -> Trouble {
        let mut place = self.place_of(head, whole);
        let id = head.and_then(|head| self.id(head, &Place { record: None, ..place.clone() }));
        // What it is called says where it is.
        if id.is_none() {
            place.record = None;
        }
        Trouble { damage, id, place, then }
    }

    /// Goes to the next record after trouble.
    pub(super) fn recover(&mut self, then: Then) {
        if self.stream.is_exhausted() {
            self.ended = true;
            return;
        }
        let is_arc = self.is_arc;
        let begins = |bytes: &[u8]| Self::begins(is_arc, bytes);
        let found = match then {
            Then::Here => Ok(true),
            Then::Recover => self.stream.recover(begins),
            Then::Search => match self.search() {
                Ok(found) => Ok(found),
                // One kind of damage leads to the other.
                Err(_) => self.stream.recover(begins),
            },
        };
        self.ended = !matches!(found, Ok(true));
    }

    /// Goes to the next line that begins a record.
    fn search(&mut self) -> Result<bool, Damage> {
        self.stream.go_back();
        loop {
            let ahead = self.stream.peek(1)?;
            if ahead.is_empty() {
                if !self.stream.advance()? {
                    return Ok(false);
                }
            } else {
                let end = memchr::memchr(b'\n', ahead);
                let count = end.map_or(ahead.len(), |end| end + 1);
                self.stream.take(count);
                self.stream.charge(count)?;
                if end.is_none() {
                    continue;
                }
            }
            let (begins, looked) = Self::begins_by(self.is_arc, self.stream.peek(LOOK)?);
            self.stream.charge(looked)?;
            if begins {
                return Ok(true);
            }
        }
    }
}
