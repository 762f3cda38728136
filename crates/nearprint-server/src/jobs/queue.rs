//! The jobs of a server by their ids and keys, and one after the other.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use nearprint::Engine;

use super::{Job, JobRecord, JobState, failed, lock};
use crate::client::Client;
use crate::clock::now;
use crate::collection::Collection;
use crate::problem::Problem;
use crate::quarantine::Quarantine;

/// Jobs, and the thread that does them.
pub(super) struct Queue {
    pub(super) state: Mutex<QueueState>,
    pub(super) news: Condvar,
    /// The directory of files that may be imported.
    pub(super) imports: Option<PathBuf>,
}

/// Opens the collection of a job when its turn comes: while it waits, others may be open.
pub(super) type OpenCollection = Box<dyn FnOnce() -> Result<Arc<Collection>, Problem> + Send>;

/// A job that waits for its turn.
pub(super) struct WaitingJob {
    pub(super) job: Arc<Job>,
    pub(super) client: Client,
    pub(super) collection: OpenCollection,
    pub(super) engine: Engine,
}

#[derive(Default)]
pub(super) struct QueueState {
    pub(super) all: BTreeMap<String, Arc<Job>>,
    /// The ids of jobs by the keys that they came with.
    pub(super) keys: HashMap<String, String>,
    pub(super) waiting: VecDeque<WaitingJob>,
    /// Whose job ran last.
    last: Option<Client>,
    pub(super) running: Option<Arc<Job>>,
    pub(super) next: u64,
    pub(super) stopping: bool,
}

impl QueueState {
    /// The jobs of a directory. Those that had not ended when the server stopped have failed.
    pub(super) fn read(directory: &Path, quarantine: &Quarantine) -> Result<Self, Problem> {
        let mut state = Self::default();
        for entry in fs::read_dir(directory).map_err(|error| failed(directory, error))? {
            let path = entry.map_err(|error| failed(directory, error))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let Ok(number) = u64::from_str_radix(name, 16) else { continue };
            state.next = state.next.max(number + 1);
            let file = path.join("job.json");
            let read = fs::read(&file).map_err(|error| error.to_string());
            let read = read.and_then(|bytes| {
                serde_json::from_slice::<JobRecord>(&bytes).map_err(|error| error.to_string())
            });
            let record = match read {
                Ok(record) => record,
                // A crash came before the job was acknowledged, or the disk lost it.
                Err(error) => {
                    quarantine.take(&path, &format!("its job.json cannot be read: {error}"))?;
                    continue;
                }
            };
            let id = record.id.clone();
            let is_cut = !record.state.has_ended();
            let job = Job::new(path, record);
            if is_cut {
                job.change(|record| {
                    record.state = JobState::Failed;
                    record.ended = Some(now());
                    record.detail = Some("the server stopped before the job ended".to_owned());
                })?;
            }
            if let Some(key) = job.record().key {
                state.keys.insert(key, id.clone());
            }
            state.all.insert(id, Arc::new(job));
        }
        Ok(state)
    }

    /// Takes the next job out of the queue: the first of another client than the one whose job ran last, else the
    /// first.
    fn next(&mut self) -> Option<WaitingJob> {
        let is_other = |waiting: &WaitingJob| Some(&waiting.client) != self.last.as_ref();
        let at = self.waiting.iter().position(is_other).unwrap_or(0);
        let next = self.waiting.remove(at)?;
        self.last = Some(next.client.clone());
        Some(next)
    }

    /// Jobs of a client that wait.
    pub(super) fn waiting_of(&self, client: &Client) -> usize {
        self.waiting.iter().filter(|waiting| waiting.client == *client).count()
    }

    /// Takes a job off the list.
    pub(super) fn forget(&mut self, record: &JobRecord) {
        self.all.remove(&record.id);
        if let Some(key) = &record.key {
            self.keys.remove(key);
        }
    }
}

impl Queue {
    /// Does one job after the other, until the server stops.
    pub(super) fn work(&self) {
        let mut state = lock(&self.state);
        loop {
            if state.stopping {
                return;
            }
            let Some(WaitingJob { job, collection, engine, .. }) = state.next() else {
                state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.running = Some(Arc::clone(&job));
            drop(state);
            job.run(collection, &engine, self.imports.as_deref());
            state = lock(&self.state);
            state.running = None;
            self.news.notify_all();
        }
    }
}
