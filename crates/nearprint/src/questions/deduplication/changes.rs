//! What is decided otherwise than in an earlier file of decisions: by another version, another policy, other options.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use nearprint_records::{DocumentId, StatedDecision, StatedDecisionError};
use twox_hash::XxHash3_128;

/// Ids that a line of changes names.
const EXAMPLES: usize = 3;

/// Changes against an earlier file of decisions, counted by what was decided then and now.
///
/// Documents are known by their ids, and those of one id by their order. Memory: some 50 bytes for each document of the
/// earlier file.
#[derive(Debug, Default)]
pub struct DecisionChanges {
    /// Each decision with its reason, once.
    verdicts: Vec<String>,
    /// Of each document what was decided, by the number of the verdict.
    earlier: HashMap<u128, u16>,
    /// How often each id has come.
    times: HashMap<u128, u32>,
    changes: BTreeMap<(String, String), Change>,
    same: u64,
}

/// Documents that changed in one way.
#[derive(Debug, Default)]
struct Change {
    documents: u64,
    examples: Vec<String>,
}

impl DecisionChanges {
    /// What an earlier file of decisions states, lines of JSON; nothing has changed yet.
    ///
    /// # Errors
    /// If the file cannot be read, or is not one of decisions.
    pub fn of_file(file: &Path) -> Result<Self, StatedDecisionError> {
        let mut changes = Self::default();
        StatedDecision::each(opened(file)?, |row| {
            let verdict = format!("{} {}", row.decision, row.reason);
            let known = changes.verdicts.iter().position(|known| *known == verdict);
            let number = known.unwrap_or(changes.verdicts.len());
            if known.is_none() {
                changes.verdicts.push(verdict);
            }
            let key = changes.key(&row.id);
            // There are some dozen verdicts.
            changes.earlier.insert(key, u16::try_from(number).unwrap_or(u16::MAX));
        })?;
        changes.times.clear();
        Ok(changes)
    }

    /// A document by its id and how often that has come.
    fn key(&mut self, id: &DocumentId) -> u128 {
        let hash = XxHash3_128::oneshot(id.as_str().as_bytes());
        let times = self.times.entry(hash).or_default();
        *times += 1;
        hash.wrapping_add(u128::from(*times - 1))
    }

    /// Compares a later file with it.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn compare(&mut self, file: &Path) -> Result<(), StatedDecisionError> {
        StatedDecision::each(opened(file)?, |row| self.push(&row))
    }

    fn push(&mut self, row: &StatedDecision) {
        let now = format!("{} {}", row.decision, row.reason);
        let key = self.key(&row.id);
        let verdict = self.earlier.remove(&key);
        let then = verdict.and_then(|number| self.verdicts.get(usize::from(number)));
        let then = then.map_or("absent", String::as_str);
        if then == now {
            self.same += 1;
            return;
        }
        let change = self.changes.entry((then.to_owned(), now)).or_default();
        change.documents += 1;
        if change.examples.len() < EXAMPLES {
            change.examples.push(row.id.to_string());
        }
    }

    /// Documents that are decided as before.
    #[must_use]
    pub fn same(&self) -> u64 {
        self.same
    }
}

fn opened(file: &Path) -> Result<BufReader<File>, StatedDecisionError> {
    File::open(file).map(BufReader::new).map_err(StatedDecisionError::Io)
}

/// A line for each kind of change: how many documents, what was decided then and now, and the first of them.
impl fmt::Display for DecisionChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} decided as before", self.same)?;
        for ((then, now), Change { documents, examples }) in &self.changes {
            writeln!(f, "{documents} {then}, now {now}: {}", examples.join(", "))?;
        }
        if !self.earlier.is_empty() {
            writeln!(f, "{} in the earlier file alone", self.earlier.len())?;
        }
        Ok(())
    }
}
