//! What reading a container costs, counted in bytes looked at, as parsers of documents count theirs: no container costs
//! more than a multiple of its length.
//!
//! Readers charge the bytes that they look at, each as often as they do. A reader whose time grows with the square of
//! its input is seen in a count, on any machine, before a clock shows it. The limit is the last resort: readers are
//! written to take linear time, and `container_work` compares their counts at several lengths. Containers are read in
//! the command itself, where no worker and no clock ends what does not end.

use crate::ReasonCode;
use crate::expansion::Damage;

/// Work that every container may take, whatever its length: what is short is never refused.
const FLOOR: u64 = 16 << 20;

/// Bytes looked at for each byte, where nothing else is said. Archives take about 4, lines of JSON 3.
pub(crate) const PER_BYTE: u64 = 256;

/// The work that reading has taken and may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    pub(crate) spent: u64,
    pub(crate) per_byte: u64,
}

impl Work {
    pub(crate) fn new(per_byte: u64) -> Self {
        Self { spent: 0, per_byte }
    }

    /// Records that so many bytes are looked at.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// Whether it is more than reading this many bytes may take.
    pub(crate) fn exceeds(&self, bytes: u64) -> bool {
        self.spent > FLOOR.saturating_add(self.per_byte.saturating_mul(bytes))
    }

    /// Refuses more work than reading this many bytes may take.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), Damage> {
        if !self.exceeds(bytes) {
            return Ok(());
        }
        let detail = format!(
            "reading {bytes} bytes takes more than {} steps for each of them (max_work_per_byte)",
            self.per_byte
        );
        Err(Damage { reason: ReasonCode::WORK_LIMIT, detail })
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::new(PER_BYTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_inclusive_and_short_containers_have_a_floor() {
        let mut work = Work::new(2);
        work.count(FLOOR + 10);
        work.check(5).unwrap();
        work.count(1);
        let Damage { reason, detail } = work.check(5).unwrap_err();
        assert_eq!(reason, ReasonCode::WORK_LIMIT);
        assert!(detail.contains("more than 2 steps"), "{detail}");
    }
}
