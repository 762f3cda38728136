//! Long work: jobs that wait for their turn, run one after the other, can be cancelled, and leave a file of rows.
//!
//! A job is a directory `jobs/ID` with `job.json`, which is written whenever its state changes, and `result.jsonl`,
//! which appears when it is complete. A job that was running when the server stopped has failed.

mod capture_index;
mod dedup;
mod import;
mod job;
mod queue;
mod request;
mod run;

pub(crate) use job::{Job, JobFilter, JobRecord, JobState, RESULT};
pub(crate) use request::{JobRequest, JobType};

use queue::{Queue, QueueState, WaitingJob};

use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use nearprint::Engine;

use crate::access::Access;
use crate::client::Client;
use crate::clock::now;
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::quarantine::Quarantine;
use crate::settings::ServerLimits;

/// All jobs of a server.
pub(crate) struct Jobs {
    directory: PathBuf,
    most: usize,
    /// How long jobs are kept after their end.
    kept: Duration,
    shared: Arc<Queue>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(path: &Path, error: impl std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Storage, format!("{}: {error}", path.display()))
}

impl Jobs {
    /// Opens the jobs of a directory; files in `imports` may be imported.
    pub(crate) fn open(
        directory: PathBuf,
        limits: &ServerLimits,
        imports: Option<PathBuf>,
        quarantine: &Quarantine,
    ) -> Result<Self, Problem> {
        fs::create_dir_all(&directory).map_err(|error| failed(&directory, error))?;
        let state = QueueState::read(&directory, quarantine)?;
        let shared = Queue { state: Mutex::new(state), news: Condvar::new(), imports };
        let shared = Arc::new(shared);
        let (most, kept) = (limits.jobs, limits.job_time);
        Ok(Self { directory, most, kept, shared, worker: Mutex::default() })
    }

    /// Refuses what no job does with this collection.
    pub(crate) fn check(&self, request: &JobRequest, of: &Collection) -> Result<(), Problem> {
        request.check(of, self.shared.imports.as_deref())
    }

    /// Whether there is a directory to import from.
    pub(crate) fn may_import(&self) -> bool {
        self.shared.imports.is_some()
    }

    /// Adds a job of a client that was checked, or finds the one that the same key brought; whether it is new. `open`
    /// opens the collection `of` when the turn of the job comes.
    pub(crate) fn add(
        &self,
        request: JobRequest,
        (client, key): (Client, Option<String>),
        (of, open): (String, impl FnOnce() -> Result<Arc<Collection>, Problem> + Send + 'static),
        engine: &Engine,
    ) -> Result<(Arc<Job>, bool), Problem> {
        let mut state = lock(&self.shared.state);
        let known = key.as_ref().and_then(|key| state.all.get(state.keys.get(key)?));
        if let Some(there) = known {
            let record = there.record();
            if record.request == request {
                return Ok((Arc::clone(there), false));
            }
            let detail = format!("the key came with job {} before", record.id);
            return Err(Problem::new(ProblemKind::KeyReused, detail));
        }
        if state.stopping {
            return Err(Problem::overloaded("the server is stopping"));
        }
        if state.waiting.len() + usize::from(state.running.is_some()) >= self.most {
            let detail = format!("{} jobs wait or run, which is the limit", self.most);
            return Err(Problem::overloaded(detail));
        }
        // A quarter is for others.
        let most_each = (self.most - self.most / 4).max(1);
        if state.waiting_of(&client) >= most_each {
            let detail = format!("{most_each} jobs of this client wait, which is the limit");
            return Err(Problem::overloaded(detail));
        }
        let id = format!("{:08x}", state.next);
        state.next += 1;
        let directory = self.directory.join(&id);
        fs::create_dir(&directory).map_err(|error| failed(&directory, error))?;
        let record = JobRecord {
            id: id.clone(),
            request,
            collection: Some(of),
            state: JobState::Waiting,
            created: now(),
            started: None,
            ended: None,
            rows: None,
            reasons: BTreeMap::new(),
            detail: None,
            key: key.clone(),
        };
        let job = Arc::new(Job::new(directory, record));
        job.change(|_| ())?;
        state.keys.extend(key.map(|key| (key, id.clone())));
        state.all.insert(id, Arc::clone(&job));
        let collection = Box::new(open);
        let (waiting, engine) = (Arc::clone(&job), engine.clone());
        state.waiting.push_back(WaitingJob { job: waiting, client, collection, engine });
        drop(state);
        self.start();
        self.shared.news.notify_all();
        Ok((job, true))
    }

    /// Starts the thread that does the jobs, if it does not run.
    fn start(&self) {
        let mut worker = lock(&self.worker);
        if worker.is_none() {
            let queue = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("nearprint-jobs".to_owned());
            *worker = thread.spawn(move || queue.work()).ok();
        }
    }

    /// Jobs of collections that somebody may use, the newest first: those before an id, at most so many, and the id
    /// before which the next page begins.
    pub(crate) fn page(
        &self,
        access: &Access,
        wanted: &JobFilter,
        before: Option<&str>,
        most: usize,
    ) -> (Vec<Arc<Job>>, Option<String>) {
        let state = lock(&self.shared.state);
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let all = state.all.range::<str, _>((Bound::Unbounded, end)).rev().map(|(_, job)| job);
        let is_meant = |job: &&Arc<Job>| {
            let record = lock(&job.record);
            access.covers(record.collection()) && wanted.allows(&record)
        };
        let mut found: Vec<_> = all.filter(is_meant).take(most + 1).cloned().collect();
        drop(state);
        let is_cut = found.len() > most;
        found.truncate(most);
        let next = found.last().filter(|_| is_cut).map(|last| last.record().id);
        (found, next)
    }

    /// When a job is deleted that has ended, in milliseconds since 1970.
    pub(crate) fn expires(&self, record: &JobRecord) -> Option<u64> {
        let kept = u64::try_from(self.kept.as_millis()).unwrap_or(u64::MAX);
        record.ended.map(|ended| ended.saturating_add(kept))
    }

    /// Deletes the jobs that ended long enough ago, with their results.
    pub(crate) fn expire(&self, now: u64) {
        let mut state = lock(&self.shared.state);
        let is_over = |job: &Arc<Job>| self.expires(&lock(&job.record)).is_some_and(|at| at <= now);
        let over: Vec<_> = state.all.values().filter(|job| is_over(job)).cloned().collect();
        for job in &over {
            state.forget(&job.record());
        }
        drop(state);
        for job in over {
            // What cannot be removed now is there when the server starts, and expires again.
            let _ = fs::remove_dir_all(&job.directory);
        }
    }

    /// The job of an id, if it is of a collection that somebody may use.
    pub(crate) fn get(&self, access: &Access, id: &str) -> Result<Arc<Job>, Problem> {
        let found = lock(&self.shared.state).all.get(id).cloned();
        let found = found.filter(|job| access.covers(job.record().collection()));
        found.ok_or_else(|| {
            let shown: String = id.chars().take(32).collect();
            let detail = format!("there is no job {}", shown.escape_debug());
            Problem::new(ProblemKind::UnknownJob, detail)
        })
    }

    /// Jobs that wait or run.
    pub(crate) fn under_way(&self) -> usize {
        let state = lock(&self.shared.state);
        state.waiting.len() + usize::from(state.running.is_some())
    }

    /// Cancels a job; one that has ended stays as it is.
    pub(crate) fn cancel(&self, access: &Access, id: &str) -> Result<Arc<Job>, Problem> {
        let job = self.get(access, id)?;
        job.cancel.cancel();
        let mut state = lock(&self.shared.state);
        let waited = state.waiting.len();
        state.waiting.retain(|waiting| !Arc::ptr_eq(&waiting.job, &job));
        if state.waiting.len() < waited {
            job.end(Err(None))?;
        }
        Ok(job)
    }

    /// Deletes a job that has ended, with its result; one that has not is cancelled before.
    pub(crate) fn delete(&self, access: &Access, id: &str) -> Result<(), Problem> {
        let job = self.cancel(access, id)?;
        let mut state = lock(&self.shared.state);
        while state.running.as_ref().is_some_and(|running| Arc::ptr_eq(running, &job)) {
            state = self.shared.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.forget(&job.record());
        fs::remove_dir_all(&job.directory).map_err(|error| failed(&job.directory, error))
    }

    /// Cancels everything and waits for the job that runs. Jobs that had not ended have failed when the server starts
    /// again.
    pub(crate) fn stop(&self) {
        let mut state = lock(&self.shared.state);
        state.stopping = true;
        state.waiting.clear();
        if let Some(running) = &state.running {
            running.cancel.cancel();
        }
        drop(state);
        self.shared.news.notify_all();
        if let Some(worker) = lock(&self.worker).take() {
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_expire_with_their_results_and_keys() {
        let directory = tempfile::tempdir().unwrap();
        let request = JobRequest::new(JobType::Pairs, "pages".to_owned());
        for (id, ended, key) in [("00000000", 5000, "one"), ("00000001", 7000, "two")] {
            let record = JobRecord {
                id: id.to_owned(),
                request: request.clone(),
                collection: None,
                state: JobState::Done,
                created: 1000,
                started: None,
                ended: Some(ended),
                rows: Some(0),
                reasons: BTreeMap::new(),
                detail: None,
                key: Some(key.to_owned()),
            };
            let path = directory.path().join("jobs").join(id);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("job.json"), serde_json::to_vec(&record).unwrap()).unwrap();
            fs::write(path.join(RESULT), "").unwrap();
        }
        let limits = ServerLimits { job_time: Duration::from_secs(10), ..ServerLimits::default() };
        let quarantine = Quarantine::new(directory.path().join("quarantine"));
        let jobs = Jobs::open(directory.path().join("jobs"), &limits, None, &quarantine).unwrap();
        let is_there = |id: &str| {
            let is_listed = jobs.get(&Access::Machine, id).is_ok();
            assert_eq!(is_listed, directory.path().join("jobs").join(id).exists());
            is_listed
        };
        jobs.expire(14_999);
        assert!(is_there("00000000") && is_there("00000001"));
        jobs.expire(15_000);
        assert!(!is_there("00000000") && is_there("00000001"));
        let add = |key: &str| {
            let collection = || Err(Problem::overloaded("it is not wanted here"));
            let engine = Engine::new(nearprint::EngineSettings::default());
            let key = (Client::Server, Some(key.to_owned()));
            jobs.add(request.clone(), key, ("pages".to_owned(), collection), &engine).unwrap()
        };
        // The key of the one that is gone is free, and that of the other is known.
        let (new, is_new) = add("one");
        assert!(is_new && new.record().id == "00000002");
        let (known, is_new) = add("two");
        assert!(!is_new && known.record().id == "00000001");
        jobs.stop();
    }

    #[test]
    fn no_client_has_all_places_and_the_next_turn_is_anothers() {
        let directory = tempfile::tempdir().unwrap();
        let limits = ServerLimits { jobs: 8, ..ServerLimits::default() };
        let quarantine = Quarantine::new(directory.path().join("quarantine"));
        let jobs = Jobs::open(directory.path().join("jobs"), &limits, None, &quarantine).unwrap();
        let engine = Engine::new(nearprint::EngineSettings::default());
        let (turns, order) = std::sync::mpsc::channel();
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let mut first = Some(gate);
        let mut add = |name: &'static str| {
            let (turns, gate) = (turns.clone(), first.take());
            let collection = move || {
                turns.send(name).unwrap();
                let _ = gate.map(|gate| lock(&gate).recv());
                Err(Problem::overloaded("it is not wanted here"))
            };
            let request = JobRequest::new(JobType::Pairs, "pages".to_owned());
            let client = Client::Token(name.into());
            jobs.add(request, (client, None), ("pages".to_owned(), collection), &engine).map(drop)
        };
        add("a").unwrap();
        assert_eq!(order.recv().unwrap(), "a");
        for _ in 0..6 {
            add("a").unwrap();
        }
        assert!(add("a").unwrap_err().detail.contains("6 jobs of this client"));
        add("b").unwrap();
        go.send(()).unwrap();
        assert_eq!([order.recv().unwrap(), order.recv().unwrap()], ["b", "a"]);
        jobs.stop();
    }
}
