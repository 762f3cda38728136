//! Power cuts: what a disk may hold when writes that were not synced are lost, torn or reordered.
//!
//! The store runs on a file whose writes are recorded. An image of the disk at any moment has all writes up to the
//! last sync, and of each later one all, nothing or a part. Files of tables are synced before the store names them and
//! never change, so that images have them whole.

use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use nearprint::fingerprint::Scheme;
use redb::StorageBackend;
use redb::backends::FileBackend;

use crate::disk_index::DiskIndex;
use crate::disk_index::open::Settings;
use crate::store::Store;

#[path = "../tests/support/load.rs"]
mod load;

use load::{Load, Model, Random};

/// What happened to the store's file.
#[derive(Debug, Clone)]
enum Event {
    Write(u64, Vec<u8>),
    Length(u64),
    Synced,
    /// So many operations on the index have been acknowledged.
    Acknowledged(u64),
}

type Events = Arc<Mutex<Vec<Event>>>;

/// A file that records what is written to it.
#[derive(Debug)]
struct RecordingBackend {
    file: FileBackend,
    events: Events,
    /// The index, and where files of tables are kept.
    tables: (PathBuf, PathBuf),
}

impl RecordingBackend {
    fn record(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

impl StorageBackend for RecordingBackend {
    fn len(&self) -> Result<u64, std::io::Error> {
        self.file.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), std::io::Error> {
        self.file.read(offset, out)
    }
    fn set_len(&self, length: u64) -> Result<(), std::io::Error> {
        self.record(Event::Length(length));
        self.file.set_len(length)
    }
    fn sync_data(&self) -> Result<(), std::io::Error> {
        // Recorded only: what is on the real disk does not matter. A state names no files but those that are there now.
        keep_tables(&self.tables.0, &self.tables.1);
        self.record(Event::Synced);
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> Result<(), std::io::Error> {
        self.record(Event::Write(offset, data.to_vec()));
        self.file.write(offset, data)
    }
    fn close(&self) -> Result<(), std::io::Error> {
        self.file.close()
    }
    fn try_lock_range(&self, a: Bound<u64>, b: Bound<u64>) -> Result<bool, redb::BackendError> {
        self.file.try_lock_range(a, b)
    }
    fn try_lock_shared_range(
        &self,
        a: Bound<u64>,
        b: Bound<u64>,
    ) -> Result<bool, redb::BackendError> {
        self.file.try_lock_shared_range(a, b)
    }
    fn lock_range(&self, a: Bound<u64>, b: Bound<u64>) -> Result<(), redb::BackendError> {
        self.file.lock_range(a, b)
    }
    fn lock_shared_range(&self, a: Bound<u64>, b: Bound<u64>) -> Result<(), redb::BackendError> {
        self.file.lock_shared_range(a, b)
    }
    fn unlock_range(&self, a: Bound<u64>, b: Bound<u64>) -> Result<(), redb::BackendError> {
        self.file.unlock_range(a, b)
    }
    fn query_lock_range(&self, a: Bound<u64>, b: Bound<u64>) -> Result<bool, redb::BackendError> {
        self.file.query_lock_range(a, b)
    }
}

/// The content of the disk after the first `cut` events, with some of the unsynced writes lost.
fn image(events: &[Event], cut: usize, random: &mut Random) -> Vec<u8> {
    let synced =
        events[..cut].iter().rposition(|event| matches!(event, Event::Synced)).unwrap_or(0);
    let mut disk: Vec<u8> = Vec::new();
    for (at, event) in events[..cut].iter().enumerate() {
        // Lost wholly, or after some sectors.
        let kept = |length: usize, random: &mut Random| match random.below(3) {
            _ if at < synced => length,
            0 => 0,
            1 => length,
            _ => length.min(512 * random.below(9) as usize),
        };
        match event {
            Event::Write(offset, bytes) => {
                let (start, kept) = (*offset as usize, kept(bytes.len(), random));
                if disk.len() < start + kept {
                    disk.resize(start + kept, 0);
                }
                disk[start..start + kept].copy_from_slice(&bytes[..kept]);
            }
            Event::Length(length) if kept(1, random) == 1 => disk.resize(*length as usize, 0),
            _ => {}
        }
    }
    disk
}

/// Keeps the files of tables of an index, which may be removed later.
fn keep_tables(index: &Path, to: &Path) {
    copy_files(&index.join("tables"), to);
}

fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if !to.exists() {
            std::fs::copy(from, to).unwrap();
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_fails() {
    [Scheme::SD1, Scheme::MD1].into_iter().for_each(check);
}

fn check(scheme: Scheme) {
    let cuts: u64 = std::env::var("NEARPRINT_INDEX_CUTS").map_or(60, |n| n.parse().unwrap());
    let memory = Path::new("/dev/shm");
    let directory =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let directory = directory.unwrap();
    let (path, kept) = (directory.path().join("index"), directory.path().join("kept"));
    std::fs::create_dir(&kept).unwrap();
    let settings = Settings::default().cache(1 << 20).fresh(8).background(false);
    let settings = settings.features(true).texts(true);
    let events = Events::default();
    // Settings and layout of the store are those of every index; its file is opened another time, to be recorded.
    drop(DiskIndex::create(&path, scheme, settings.clone()).unwrap());
    let start = std::fs::read(Store::file(&path)).unwrap();
    let record = Arc::clone(&events);
    let index = DiskIndex::open_on(&path, settings.clone(), |file| {
        let file = std::fs::File::options().read(true).write(true).open(file).unwrap();
        let tables = (path.clone(), kept.clone());
        RecordingBackend { file: FileBackend::new(file).unwrap(), events: record, tables }
    });
    let index = index.unwrap();
    let load = Load::of(&index);
    let mut models = vec![Model::default()];
    for number in 0..60 {
        let mut model = models.last().cloned().unwrap_or_default();
        let operation = load.operation(number);
        operation.on_index(&index);
        operation.on_model(&mut model);
        models.push(model);
        events.lock().unwrap().push(Event::Acknowledged(number + 1));
    }
    drop(index);
    let mut events = std::mem::take(&mut *events.lock().unwrap());
    events.splice(0..0, [Event::Write(0, start), Event::Synced]);
    assert!(std::fs::read_dir(&kept).unwrap().count() > 5, "segments are written and merged");
    let mut random = Random(20261123);
    for _ in 0..cuts {
        let cut = 2 + random.below(events.len() as u64 - 2) as usize;
        let disk = image(&events, cut, &mut random);
        let place = directory.path().join("image");
        std::fs::create_dir_all(place.join("tables")).unwrap();
        std::fs::write(Store::file(&place), disk).unwrap();
        copy_files(&kept, &place.join("tables"));
        let acknowledged = events[..cut].iter().rev().find_map(|event| match event {
            Event::Acknowledged(count) => Some(*count as usize),
            _ => None,
        });
        let acknowledged = acknowledged.unwrap_or(0);
        let index = DiskIndex::open(&place, settings.clone()).unwrap();
        // The operation under way may have been done without its acknowledgement.
        let model = models[acknowledged..].iter().take(2).find(|model| model.is_content_of(&index));
        let model = model
            .unwrap_or_else(|| panic!("cut {cut}: {acknowledged} operations were acknowledged"));
        model.compare(&index, cut as u64);
        drop(index);
        let verified = DiskIndex::verify(&place, settings.clone()).unwrap();
        assert!(verified.problems.is_empty(), "cut {cut}: {:?}", verified.problems);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
