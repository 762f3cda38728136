//! A storage that forgets what was not synchronised.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use super::Storage;

/// Files in memory that remember what lasts. Clones are one storage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fragile(Arc<Mutex<State>>);

#[derive(Debug, Clone, Default)]
struct State {
    /// What a reader sees.
    names: BTreeMap<String, usize>,
    /// What is left of the names after a cut.
    lasting_names: BTreeMap<String, usize>,
    files: Vec<Contents>,
    /// Operations after which every one fails, as if the power was cut.
    budget: Option<usize>,
    operations: usize,
}

#[derive(Debug, Clone, Default)]
struct Contents {
    bytes: Vec<u8>,
    lasting: Option<Vec<u8>>,
}

/// What a power cut makes of what was not synchronised.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// Names as synchronised, unsynchronised bytes gone.
    Forgets,
    /// Names as they were last, unsynchronised bytes gone: a name without its bytes.
    KeepsNames,
    /// All as it was: the process died, not the machine.
    KeepsAll,
}

pub(crate) const CUTS: [Cut; 3] = [Cut::Forgets, Cut::KeepsNames, Cut::KeepsAll];

impl Fragile {
    /// An empty storage whose power is cut after so many operations.
    pub(crate) fn cut_after(budget: usize) -> Self {
        Self::default().with_budget(budget)
    }

    /// The same whose power is cut after so many further operations.
    pub(crate) fn with_budget(self, budget: usize) -> Self {
        self.state().budget = Some(budget);
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Operations that changed something, or tried to.
    pub(crate) fn operations(&self) -> usize {
        self.state().operations
    }

    /// What is found when the power is back.
    pub(crate) fn after(&self, cut: Cut) -> Self {
        let mut found = self.state().clone();
        found.budget = None;
        if matches!(cut, Cut::Forgets) {
            found.names.clone_from(&found.lasting_names);
        }
        if !matches!(cut, Cut::KeepsAll) {
            for file in &mut found.files {
                let half = file.bytes.len() / 2;
                file.bytes = match &file.lasting {
                    Some(lasting) => lasting.clone(),
                    None => file.bytes[..half].to_vec(),
                };
            }
        }
        found.lasting_names.clone_from(&found.names);
        Self(Arc::new(Mutex::new(found)))
    }
}

impl State {
    fn spend(&mut self) -> io::Result<()> {
        self.operations += 1;
        match &mut self.budget {
            Some(0) => Err(io::Error::other("the power is cut")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Storage for Fragile {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.state().names.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let state = self.state();
        let file = state.names.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(state.files[*file].bytes.clone())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        state.files.push(Contents { bytes: bytes.to_vec(), lasting: None });
        let number = state.files.len() - 1;
        state.names.insert(name.to_owned(), number);
        Ok(())
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        let number = state.names[name];
        let file = &mut state.files[number];
        file.lasting = Some(file.bytes.clone());
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        let file = state.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        state.lasting_names = state.names.clone();
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        state.names.remove(name).map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
    }
}
