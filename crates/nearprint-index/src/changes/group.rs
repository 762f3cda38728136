//! Group commit: changes that wait while another one is written go into the next commit together.
//!
//! A commit waits for the disk twice, however much is in it. So the threads that change an index queue up, as the
//! writers of LevelDB do, and the one in front leads: it takes those that wait, lets each decide in turn, commits once,
//! and answers all. There is no thread for it: whoever comes first leads, and then hands over to the one in front.
//!
//! A change is atomic by itself: it decides on top of those before it, and what it decides is dropped where it ends in
//! an error. Only where the commit fails do all fail, and nothing of any is there.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nearprint::{CancelFlag, Error};

use crate::IndexError;
use crate::cancellation;
use crate::changes;
use crate::changes::plan::Plan;
use crate::index_state::IndexState;

/// Documents of a group at most. The first change is taken whatever it has.
const MOST_DOCUMENTS: usize = 4096;

/// Bytes of a group at most: a small change is not to wait long for those of others.
const MOST_BYTES: usize = 16 << 20;

/// How large a change is, before it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) documents: usize,
    pub(crate) bytes: usize,
    /// Whether it looks for documents near those of the changes before it.
    pub(crate) looks: bool,
}

/// The changes of an index that wait for their commit.
#[derive(Default)]
pub(crate) struct Queue(Mutex<WaitingMembers>);

#[derive(Default)]
struct WaitingMembers {
    members: VecDeque<Box<dyn Member>>,
    /// Whether a thread leads. Nothing waits while none does.
    is_led: bool,
}

/// The answer to a thread that waits.
enum Turn<T> {
    /// It is in front, and the leader has ended.
    Lead,
    Answer(Result<T, Error>),
}

/// A change in the queue, whatever its answer is.
trait Member: Send {
    fn weight(&self) -> Weight;
    /// The flag that ends it.
    fn flag(&self) -> Option<CancelFlag>;
    fn decide(&mut self, plan: &mut Plan<'_>);
    /// Answers with what was decided, once it is committed.
    fn answer(self: Box<Self>, committed: Result<(), IndexError>);
    /// Makes its thread the leader; `false` if there is no such thread.
    fn lead(&self) -> bool;
}

struct Change<T, F> {
    weight: Weight,
    flag: Option<CancelFlag>,
    decide: Option<F>,
    decided: Option<Result<T, Error>>,
    to: Sender<Turn<T>>,
}

impl<T: Send, F: FnOnce(&mut Plan<'_>) -> Result<T, Error> + Send> Member for Change<T, F> {
    fn weight(&self) -> Weight {
        self.weight
    }

    fn flag(&self) -> Option<CancelFlag> {
        self.flag.clone()
    }

    fn decide(&mut self, plan: &mut Plan<'_>) {
        let decide = self.decide.take();
        let flag = self.flag.as_ref();
        self.decided = decide.map(|decide| cancellation::under(flag, || decide(plan)));
    }

    fn answer(self: Box<Self>, committed: Result<(), IndexError>) {
        let decided = self.decided.unwrap_or_else(|| Err(IndexError::WriterEnded.into()));
        let answer = committed.map_err(Error::from).and(decided);
        // Its thread waits for nothing else.
        let _ = self.to.send(Turn::Answer(answer));
    }

    fn lead(&self) -> bool {
        self.to.send(Turn::Lead).is_ok()
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, WaitingMembers> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The changes of the next commit: those in front that fit into a group.
    fn take(&self) -> Vec<Box<dyn Member>> {
        let mut waiting = self.waiting();
        let (mut group, mut documents, mut bytes) = (Vec::new(), 0_usize, 0_usize);
        while let Some(member) = waiting.members.front() {
            let weight = member.weight();
            documents = documents.saturating_add(weight.documents);
            bytes = bytes.saturating_add(weight.bytes);
            if !group.is_empty() && (documents > MOST_DOCUMENTS || bytes > MOST_BYTES) {
                break;
            }
            group.extend(waiting.members.pop_front());
        }
        group
    }
}

/// Lets the change in front lead when its own leader has ended, even by a panic.
struct HandOver<'q>(&'q Queue);

impl Drop for HandOver<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting();
        while let Some(member) = waiting.members.front() {
            if member.lead() {
                return;
            }
            waiting.members.pop_front();
        }
        waiting.is_led = false;
    }
}

impl Queue {
    /// Makes a change, in one commit with others that wait. On return it is on the disk, and the next query sees it.
    /// Whoever commits calls `committed` after all are answered.
    pub(crate) fn change<T: Send + 'static>(
        &self,
        shared: &IndexState,
        weight: Weight,
        decide: impl FnOnce(&mut Plan<'_>) -> Result<T, Error> + Send + 'static,
        committed: &dyn Fn(),
    ) -> Result<T, Error> {
        shared.check_writable()?;
        let (to, turns) = channel();
        let (flag, decide, decided) = (cancellation::flag(), Some(decide), None);
        let member = Box::new(Change { weight, flag, decide, decided, to });
        let leads = {
            let mut waiting = self.waiting();
            waiting.members.push_back(member);
            !std::mem::replace(&mut waiting.is_led, true)
        };
        if leads {
            self.lead(shared, committed);
        }
        loop {
            match turns.recv() {
                Ok(Turn::Lead) => self.lead(shared, committed),
                Ok(Turn::Answer(answer)) => return answer,
                // The leader panicked, and dropped its group.
                Err(_) => return Err(IndexError::WriterEnded.into()),
            }
        }
    }

    /// Commits the changes in front.
    fn lead(&self, shared: &IndexState, committed: &dyn Fn()) {
        let _hand_over = HandOver(self);
        let mut group = self.take();
        let result = commit(shared, &mut group);
        let is_committed = result.is_ok();
        for member in group {
            member.answer(result.clone());
        }
        if is_committed {
            committed();
        }
    }
}

/// Lets each change decide in turn, and commits all.
fn commit(shared: &IndexState, group: &mut [Box<dyn Member>]) -> Result<(), IndexError> {
    let store = &shared.source.store;
    store.guarded(|| {
        let recent = shared.recent()?;
        let to = store.begin_write()?;
        let looks = group.iter().any(|member| member.weight().looks);
        let mut plan = Plan::open(shared, &to, &recent, looks)?;
        group.iter_mut().for_each(|member| member.decide(&mut plan));
        let decided = plan.finish();
        if decided.is_empty() {
            return Ok(());
        }
        // One of many is not ended by itself any more: the others are not to be ended with it.
        let flag = if let [alone] = &*group { alone.flag() } else { None };
        cancellation::under(flag.as_ref(), || changes::write(shared, to, recent, decided))
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use nearprint::fingerprint::{Fingerprint, Scheme};
    use nearprint::records::DocumentId;
    use nearprint::{Documents, Index, IndexMatch, OnDuplicate};

    use super::*;
    use crate::{Addition, Admission, DiskIndex, Settings, StoredDocument};

    const NO_WEIGHT: Weight = Weight { documents: 0, bytes: 0, looks: false };

    fn document(name: &str, word: u64) -> StoredDocument {
        let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        StoredDocument::new(DocumentId::new(name).unwrap(), print)
    }

    fn index(directory: &std::path::Path) -> DiskIndex {
        DiskIndex::create(&directory.join("index"), Scheme::SD1, Settings::default()).unwrap()
    }

    /// Waits until so many changes are in the queue.
    fn wait_for(index: &DiskIndex, count: usize) {
        while index.queue.waiting().members.len() < count {
            thread::yield_now();
        }
    }

    #[test]
    fn changes_that_wait_are_one_commit_and_each_is_atomic_by_itself() {
        let directory = tempfile::tempdir().unwrap();
        let index = index(directory.path());
        index.insert_documents(&[document("there", 0)], OnDuplicate::Refuse).unwrap();
        let before = index.changes().unwrap();
        let (started, has_started) = sync_channel(0);
        let (go, may_go) = sync_channel::<()>(0);
        thread::scope(|scope| {
            let leader = scope.spawn(|| {
                index.change(NO_WEIGHT, move |_| {
                    started.send(()).unwrap();
                    may_go.recv().unwrap();
                    Ok(())
                })
            });
            has_started.recv().unwrap();
            let mut waiting = Vec::new();
            let mut queue = |work: Box<dyn FnOnce() -> Result<Vec<Addition>, Error> + Send>| {
                waiting.push(scope.spawn(work));
                wait_for(&index, waiting.len());
            };
            let index = &index;
            let insert = |documents: Vec<StoredDocument>, rule| {
                move || index.insert_documents(&documents, rule).map(|_| Vec::new())
            };
            let add = |documents: Vec<StoredDocument>| {
                move || index.add(&documents, OnDuplicate::Refuse, Admission::New(3))
            };
            queue(Box::new(insert(vec![document("a", 0xff00)], OnDuplicate::Refuse)));
            // The second document is there: neither of both is added.
            let both = vec![document("b", 0xff_0000), document("there", 1)];
            queue(Box::new(insert(both, OnDuplicate::Refuse)));
            queue(Box::new(insert(vec![document("a", 0xff00_0000)], OnDuplicate::Refuse)));
            queue(Box::new(add(vec![document("near", 0xff01), document("far", u64::MAX)])));
            queue(Box::new(add(vec![document("far", u64::MAX), document("there", 0)])));
            queue(Box::new(insert(vec![document("a", 0xff_ff00)], OnDuplicate::Replace)));
            queue(Box::new(move || {
                assert_eq!(index.remove_batch(&[document("far", 0).id])?, 1);
                Ok(Vec::new())
            }));
            queue(Box::new(add(vec![document("new", u64::MAX - 1), document("old", 0xff01)])));
            go.send(()).unwrap();
            leader.join().unwrap().unwrap();
            let mut answers: Vec<_> =
                waiting.into_iter().map(|thread| thread.join().unwrap()).collect();
            let refused = |answer: &Result<_, Error>| matches!(answer, Err(Error::DuplicateId { id }) if id.as_str() != "b");
            assert!(answers[0].is_ok() && answers[5].is_ok() && answers[6].is_ok());
            assert!(refused(&answers[1]) && refused(&answers[2]));
            let near = |name, distance| IndexMatch { id: document(name, 0).id, distance };
            let last = answers.pop().unwrap().unwrap();
            // What the one before replaced or removed is not there any more.
            assert_eq!(
                last,
                [Addition::Added { similar: None }, Addition::Added { similar: None }]
            );
            assert_eq!(
                answers[3].as_ref().unwrap(),
                &[Addition::Near(vec![near("a", 1)]), Addition::Added { similar: None }]
            );
            assert_eq!(answers[4].as_ref().unwrap(), &[Addition::Unchanged, Addition::Unchanged]);
        });
        assert_eq!(index.changes().unwrap(), before + 1);
        let mut all = Vec::new();
        let visited = index.for_each(|document| {
            all.push((document.id.to_string(), document.fingerprint.as_u128().unwrap()));
            Ok::<_, Error>(())
        });
        visited.unwrap();
        let expected =
            [("there", 0), ("a", 0xff_ff00), ("new", u128::from(u64::MAX - 1)), ("old", 0xff01)];
        assert_eq!(all, expected.map(|(name, word)| (name.to_owned(), word)));
        drop(index);
        let path = directory.path().join("index");
        let verified = DiskIndex::verify(&path, Settings::default()).unwrap();
        assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    }

    #[test]
    fn a_leader_that_panics_leaves_nobody_waiting() {
        let directory = tempfile::tempdir().unwrap();
        let index = index(directory.path());
        let queue = &index.queue;
        // As if a leader were at work.
        queue.waiting().is_led = true;
        thread::scope(|scope| {
            let mut waiting = Vec::new();
            for name in ["a", "b", "c"] {
                let index = &index;
                let insert =
                    move || index.insert_documents(&[document(name, 7)], OnDuplicate::Refuse);
                waiting.push(scope.spawn(insert));
                wait_for(index, waiting.len());
            }
            // It takes the first one with it.
            let first = queue.waiting().members.pop_front();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let _hand_over = HandOver(queue);
                let _group = first;
                std::panic::resume_unwind(Box::new("odd"));
            }));
            assert!(ended.is_err());
            let mut answers = waiting.into_iter().map(|thread| thread.join().unwrap());
            let error = answers.next().unwrap().unwrap_err().to_string();
            assert!(error.contains("was not made"), "{error}");
            assert!(answers.all(|answer| answer.is_ok()));
        });
        assert_eq!(index.len().unwrap(), 2);
        // The next one leads by itself, and a panic of what is decided is an error of its group.
        let panics = index.change(NO_WEIGHT, |_| -> Result<(), Error> {
            std::panic::resume_unwind(Box::new("odd"))
        });
        assert!(panics.is_err());
        assert!(index.remove(&document("b", 0).id).unwrap());
    }

    #[test]
    fn groups_are_bounded() {
        let queue = Queue::default();
        let push = |documents, bytes| {
            let weight = Weight { documents, bytes, looks: false };
            let (to, _) = channel();
            let decide = Some(|_: &mut Plan<'_>| Ok(()));
            let member = Change { weight, flag: None, decide, decided: None, to };
            queue.waiting().members.push_back(Box::new(member));
        };
        push(MOST_DOCUMENTS * 9, 0);
        push(1, 0);
        push(1, MOST_BYTES - 1);
        push(1, 2);
        push(MOST_DOCUMENTS - 2, 0);
        push(1, 0);
        let sizes: Vec<_> = (0..4).map(|_| queue.take().len()).collect();
        assert_eq!(sizes, [1, 2, 3, 0]);
    }
}
