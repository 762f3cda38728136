//! A storage that forgets what was not synchronised stands in for the power cut.

use std::collections::BTreeMap;
use std::io;

use super::*;

/// Files in memory that remember what lasts. After `budget` operations every one fails, as if the power was cut.
#[derive(Debug, Clone, Default)]
struct Fragile {
    /// What a reader sees.
    names: BTreeMap<String, usize>,
    /// What is left of the names after a cut.
    lasting_names: BTreeMap<String, usize>,
    files: Vec<Contents>,
    budget: Option<usize>,
    operations: usize,
}

#[derive(Debug, Clone, Default)]
struct Contents {
    octets: Vec<u8>,
    lasting: Option<Vec<u8>>,
}

/// What a power cut makes of what was not synchronised.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// Names as synchronised, unsynchronised octets gone.
    Forgets,
    /// Names as they were last, unsynchronised octets gone: a name without its octets.
    KeepsNames,
    /// All as it was: the process died, not the machine.
    KeepsAll,
}

impl Fragile {
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

    fn after(&self, cut: Cut) -> Self {
        let mut found = self.clone();
        found.budget = None;
        if matches!(cut, Cut::Forgets) {
            found.names.clone_from(&found.lasting_names);
        }
        if !matches!(cut, Cut::KeepsAll) {
            for file in &mut found.files {
                let half = file.octets.len() / 2;
                file.octets = match &file.lasting {
                    Some(lasting) => lasting.clone(),
                    None => file.octets[..half].to_vec(),
                };
            }
        }
        found.lasting_names.clone_from(&found.names);
        found
    }
}

impl Storage for Fragile {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.names.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = self.names.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(self.files[*file].octets.clone())
    }

    fn write(&mut self, name: &str, octets: &[u8]) -> io::Result<()> {
        self.spend()?;
        self.files.push(Contents { octets: octets.to_vec(), lasting: None });
        self.names.insert(name.to_owned(), self.files.len() - 1);
        Ok(())
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.spend()?;
        let file = &mut self.files[self.names[name]];
        file.lasting = Some(file.octets.clone());
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.spend()?;
        let file = self.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        self.spend()?;
        self.lasting_names.clone_from(&self.names);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.spend()?;
        self.names.remove(name).map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
    }
}

const SIZE: PartSize = PartSize { records: 3, octets: 1 << 20 };
const RECORDS: u64 = 11;

/// Does the job, or what is left of it, and gives the storage back with what it gave out.
fn work(storage: Fragile) -> Result<(Fragile, Vec<Vec<u8>>), Fragile> {
    // The storage is inside Parts when it fails: it is cloned before each step to have what the cut found.
    let mut parts = match Parts::open(storage.clone(), "squares", SIZE) {
        Ok(parts) => parts,
        Err(PartsError::Storage(_)) => return Err(reopened(storage)),
        Err(error) => panic!("{error}"),
    };
    for number in parts.records()..RECORDS {
        let record = format!("{number} {}", number * number);
        if parts.push(record.as_bytes(), &number.to_string()).is_err() {
            return Err(parts.storage);
        }
    }
    if parts.finish().is_err() {
        return Err(parts.storage);
    }
    let mut lines = Vec::new();
    parts
        .for_each(|line| {
            lines.push(line.to_vec());
            Ok::<_, PartsError>(())
        })
        .unwrap();
    Ok((parts.storage, lines))
}

/// What opening had done to the storage when the power was cut: the same again, on the storage itself.
fn reopened(mut storage: Fragile) -> Fragile {
    let _ = storage.sync_names();
    let _ = commit::write_job(&mut storage, "squares");
    storage
}

#[test]
fn a_power_cut_at_any_operation_changes_nothing_of_the_result() {
    let (whole, wanted) = work(Fragile::default()).unwrap();
    assert_eq!(wanted.len() as u64, RECORDS);
    let operations = whole.operations;
    assert!(operations > 16, "{operations}");
    for budget in 0..operations {
        for cut in [Cut::Forgets, Cut::KeepsNames, Cut::KeepsAll] {
            let storage = Fragile { budget: Some(budget), ..Fragile::default() };
            let Err(found) = work(storage) else { panic!("{budget} operations were enough") };
            let left = found.after(cut);
            let committed = found.lasting_names.keys().filter(|name| number_of(name).is_some());
            let committed = committed.count();
            let parts = Parts::open(left.clone(), "squares", SIZE)
                .unwrap_or_else(|error| panic!("{budget} {cut:?}: {error}"));
            assert!(parts.committed.len() >= committed, "{budget} {cut:?}: a part was lost");
            let (_, lines) = work(left).unwrap_or_else(|_| panic!("{budget} {cut:?}"));
            assert_eq!(lines, wanted, "{budget} {cut:?}");
        }
    }
}

#[test]
fn a_power_cut_while_a_job_is_removed_leaves_nothing_to_the_next() {
    let (whole, _) = work(Fragile::default()).unwrap();
    for budget in 0..8 {
        for cut in [Cut::Forgets, Cut::KeepsNames, Cut::KeepsAll] {
            let storage = Fragile { budget: Some(budget), ..whole.clone() };
            // What remove does, on the storage itself, to see how it was found.
            let mut found = storage;
            let mut names = found.names().unwrap();
            names.sort();
            let _ = found.remove(JOB).and_then(|()| found.sync_names()).and_then(|()| {
                names.iter().filter(|name| *name != JOB).try_for_each(|name| found.remove(name))
            });
            let left = found.after(cut);
            if left.names.contains_key(JOB) {
                assert!(work(left).is_ok(), "{budget} {cut:?}");
            } else {
                let parts = Parts::open(left, "cubes", SIZE).unwrap();
                assert_eq!(parts.records(), 0, "{budget} {cut:?}");
            }
        }
    }
}

#[test]
fn another_job_is_refused_by_name() {
    let (storage, _) = work(Fragile::default()).unwrap();
    let error = Parts::open(storage, "cubes", SIZE).unwrap_err();
    assert!(matches!(error, PartsError::OtherJob { .. }));
    let text = error.to_string();
    assert!(text.contains("squares") && text.contains("cubes"), "{text}");
    let identity = |version| JobIdentity::new("squares").with("version", version);
    let parts = Parts::open(Fragile::default(), identity(1).as_str(), SIZE).unwrap();
    let error = Parts::open(parts.storage, identity(2).as_str(), SIZE).unwrap_err().to_string();
    assert!(error.ends_with("version was 1 and is now 2. Go on with the version that began it, or name another folder"), "{error}");
}

#[test]
fn what_another_version_began_is_no_damage() {
    let (storage, _) = work(Fragile::default()).unwrap();
    for (name, wanted, other) in [
        (JOB, JOB_SCHEMA, r#"{"schema":"nearprint/job/2","of":["squares"]}"#),
        ("part-00000000", PART_SCHEMA, "{\"schema\":\"nearprint/part/1\",\"n\":3}\n"),
    ] {
        let mut earlier = storage.clone();
        let file = earlier.names[name];
        earlier.files[file].octets = other.into();
        let error = Parts::open(earlier.clone(), "squares", SIZE).unwrap_err();
        assert!(matches!(error, PartsError::OtherVersion { .. }), "{error}");
        let text = error.to_string();
        assert!(
            ["another version", name, wanted, "remove the folder"]
                .iter()
                .all(|part| text.contains(part)),
            "{text}"
        );
        earlier.files[file].octets = other.replace("nearprint/", "else/").into();
        let error = Parts::open(earlier, "squares", SIZE).unwrap_err();
        assert!(matches!(error, PartsError::Damaged { .. }), "{error}");
    }
}

#[test]
fn every_changed_octet_of_a_part_is_noticed() {
    let (storage, _) = work(Fragile::default()).unwrap();
    let file = storage.names["part-00000001"];
    let version = PART_SCHEMA.len() - 1 + br#"{"schema":""#.len();
    for place in 0..storage.files[file].octets.len() {
        let mut damaged = storage.clone();
        damaged.files[file].octets[place] ^= 0x04;
        match Parts::open(damaged, "squares", SIZE) {
            Err(PartsError::Damaged { name, .. }) => assert_eq!(name, "part-00000001"),
            // The number of its form: what another version may have written.
            Err(PartsError::OtherVersion { found, .. }) => {
                assert_eq!((place, &*found), (version, "nearprint/part/6"));
            }
            Ok(_) => panic!("octet {place} was not missed"),
            Err(error) => panic!("octet {place}: {error}"),
        }
    }
}

#[test]
fn what_is_removed_leaves_nothing_and_two_jobs_do_not_share_a_folder() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("job");
    let mut parts = Parts::open(Folder::open(&path).unwrap(), "one", SIZE).unwrap();
    parts.push(b"record", "here").unwrap();
    parts.finish().unwrap();
    let taken = Folder::open(&path).unwrap_err();
    assert_eq!(taken.kind(), io::ErrorKind::WouldBlock);
    parts.remove().unwrap().close().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_record_is_one_line() {
    let mut parts = Parts::open(Fragile::default(), "one", SIZE).unwrap();
    assert!(parts.push(b"two\nlines", "").is_err());
    parts.push(b"", "an empty one").unwrap();
    parts.finish().unwrap();
    assert_eq!(parts.records(), 1);
    assert!(parts.push(b"late", "").is_err());
}
