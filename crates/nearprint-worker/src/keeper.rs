//! The keeper: the one thread of a pool that starts workers and ends those that are overdue.
//!
//! It starts the workers because the kernel ends a worker together with the *thread* that started it (Linux,
//! `PR_SET_PDEATHSIG`), and threads that request documents come and go. It watches the clock because blocking reads and
//! writes are the cheapest way to talk to a worker, and only ending the other side interrupts them.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::link::Link;
use crate::stop::StopSignal;

/// Time between two looks at whether documents are still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// A process and its remaining time; shared by the keeper and the thread that talks to the worker.
#[derive(Debug)]
pub(crate) struct Watch {
    state: Mutex<State>,
    /// The process that started it. A fork of that process must not touch it.
    host: u32,
}

#[derive(Debug)]
struct State {
    child: Child,
    /// When it has to be done, and the limit that says so.
    deadline: Option<(Instant, Duration)>,
    /// Ends it before that.
    stop: Option<StopSignal>,
    /// The limit that was reached and for which it was killed.
    overdue: Option<Duration>,
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere does not matter.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the worker `limit` from now, not less than what the keeper was started with, or until `stop` is given.
    pub(crate) fn begin(&self, limit: Duration, stop: Option<&StopSignal>) {
        let mut state = self.lock();
        state.deadline = Instant::now().checked_add(limit).map(|at| (at, limit));
        state.stop = stop.cloned();
    }

    /// Takes the limit away. True where the worker was killed in time's last moment.
    pub(crate) fn finish(&self) -> bool {
        let mut state = self.lock();
        (state.deadline, state.stop) = (None, None);
        state.overdue.is_some()
    }

    /// Whether the process is there.
    pub(crate) fn is_alive(&self) -> bool {
        matches!(self.lock().child.try_wait(), Ok(None))
    }

    /// Kills the process if need be and reaps it: its status, and the limit by the clock that it had reached.
    pub(crate) fn end(&self) -> (Option<std::process::ExitStatus>, Option<Duration>) {
        let mut state = self.lock();
        state.deadline = None;
        // Refused only where it is gone already.
        let _ = state.child.kill();
        (state.child.wait().ok(), state.overdue)
    }

    /// Kills the process if it is overdue or not wanted; else says when it will be.
    fn check(&self, now: Instant) -> Option<Instant> {
        let mut state = self.lock();
        let (at, limit) = state.deadline?;
        if at > now && !state.stop.as_ref().is_some_and(StopSignal::is_given) {
            return Some(at);
        }
        state.deadline = None;
        state.overdue = Some(limit);
        let _ = state.child.kill();
        None
    }
}

/// Process of a worker, as it comes from the keeper.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    pub(crate) watch: Arc<Watch>,
    pub(crate) link: Link,
    pub(crate) stderr: Option<std::process::ChildStderr>,
}

struct Order {
    command: Command,
    reply: Sender<io::Result<WorkerProcess>>,
}

/// The handle of the thread; dropping it ends the thread.
#[derive(Debug)]
pub(crate) struct Keeper {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    host: u32,
}

impl Keeper {
    /// Starts the thread. No limit passed to [`Watch::begin`] may be shorter than `shortest`.
    pub(crate) fn start(shortest: Duration) -> io::Result<Self> {
        let (orders, incoming) = channel();
        let thread = thread::Builder::new()
            .name("nearprint-keeper".to_owned())
            .spawn(move || keep(&incoming, shortest))?;
        Ok(Self { orders: Some(orders), thread: Some(thread), host: std::process::id() })
    }

    /// Starts a process.
    pub(crate) fn spawn(&self, command: Command) -> io::Result<WorkerProcess> {
        let (reply, answer) = channel();
        let gone = || io::Error::other("the thread that starts workers has ended");
        let orders = self.orders.as_ref().ok_or_else(gone)?;
        orders.send(Order { command, reply }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.orders.take());
        // Threads do not survive a fork: in one there is nothing to wait for.
        if let Some(thread) = self.thread.take()
            && self.host == std::process::id()
        {
            // A panic there has been printed; there is nothing to add.
            let _ = thread.join();
        }
    }
}

fn keep(orders: &Receiver<Order>, shortest: Duration) {
    let mut watched: Vec<Weak<Watch>> = Vec::new();
    loop {
        let now = Instant::now();
        let mut next = shortest;
        watched.retain(|watch| {
            let Some(watch) = watch.upgrade() else { return false };
            if let Some(at) = watch.check(now) {
                next = next.min(at - now);
            }
            true
        });
        if !watched.is_empty() {
            next = next.min(LOOK);
        }
        // Whoever begins during this sleep has at least `shortest`, so none is missed and nobody has to wake us.
        match orders.recv_timeout(next) {
            Ok(order) => {
                let started = spawn(order.command);
                if let Ok(started) = &started {
                    watched.push(Arc::downgrade(&started.watch));
                }
                // Whoever asked is waiting; where it panicked instead, the process ends with its stream.
                let _ = order.reply.send(started);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn spawn(command: Command) -> io::Result<WorkerProcess> {
    let (mut child, link) = Link::spawn(command)?;
    let stderr = child.stderr.take();
    let state = Mutex::new(State { child, deadline: None, stop: None, overdue: None });
    let watch = Watch { state, host: std::process::id() };
    Ok(WorkerProcess { watch: Arc::new(watch), link, stderr })
}

impl Drop for Watch {
    fn drop(&mut self) {
        // On every path, no process and no zombie remains.
        if self.host == std::process::id() {
            self.end();
        }
    }
}
