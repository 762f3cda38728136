//! A storage that forgets what was not synchronised stands in for the power cut.

mod fragile;

use std::io;

use fragile::{CUTS, Cut, Fragile};

use super::*;

const SIZE: PartSize = PartSize { records: 3, bytes: 1 << 20 };
const RECORDS: u64 = 11;

/// Does the job, or what is left of it, and gives what it gave out.
fn work(storage: &Fragile) -> Result<Vec<Vec<u8>>, PartsError> {
    let mut parts = Parts::open(storage.clone(), "squares", SIZE)?;
    for number in parts.records()..RECORDS {
        let record = format!("{number} {}", number * number);
        parts.push(record.as_bytes(), &number.to_string())?;
    }
    parts.finish()?;
    let mut lines = Vec::new();
    parts.for_each(|line| {
        lines.push(line.to_vec());
        Ok::<_, PartsError>(())
    })?;
    Ok(lines)
}

/// A storage in which the job is done.
fn done() -> Fragile {
    let storage = Fragile::default();
    work(&storage).unwrap();
    storage
}

/// Parts that are committed there.
fn committed(storage: &Fragile) -> usize {
    storage.names().unwrap().iter().filter(|name| number_of(name).is_some()).count()
}

#[test]
fn a_power_cut_at_any_operation_changes_nothing_of_the_result() {
    let whole = Fragile::default();
    let wanted = work(&whole).unwrap();
    assert_eq!(wanted.len() as u64, RECORDS);
    let operations = whole.operations();
    assert!(operations > 16, "{operations}");
    for budget in 0..operations {
        let storage = Fragile::cut_after(budget);
        assert!(work(&storage).is_err(), "{budget} operations were enough");
        let lasting = committed(&storage.after(Cut::Forgets));
        for cut in CUTS {
            let left = storage.after(cut);
            let parts = Parts::open(left.clone(), "squares", SIZE)
                .unwrap_or_else(|error| panic!("{budget} {cut:?}: {error}"));
            assert!(parts.committed.len() >= lasting, "{budget} {cut:?}: a part was lost");
            let lines = work(&left).unwrap_or_else(|error| panic!("{budget} {cut:?}: {error}"));
            assert_eq!(lines, wanted, "{budget} {cut:?}");
        }
    }
}

#[test]
fn what_is_committed_is_there_after_a_power_cut() {
    let storage = Fragile::default();
    let mut parts = Parts::open(storage.clone(), "squares", SIZE).unwrap();
    for number in 0..RECORDS {
        parts.push(number.to_string().as_bytes(), "").unwrap();
        let records = parts.records;
        for cut in CUTS {
            let left = Parts::open(storage.after(cut), "squares", SIZE).unwrap();
            assert_eq!(left.records(), records, "{number} {cut:?}");
        }
    }
    assert_eq!(parts.records, RECORDS / SIZE.records * SIZE.records);
}

#[test]
fn a_power_cut_while_a_job_is_removed_leaves_nothing_to_the_next() {
    let whole = done();
    for budget in 0..8 {
        // Opening a job that is done changes nothing, so all of it is spent on removing.
        let storage = whole.after(Cut::KeepsAll).with_budget(budget);
        let removed = Parts::open(storage.clone(), "squares", SIZE).unwrap().remove();
        assert_eq!(removed.is_ok(), budget >= 7, "{budget}");
        for cut in CUTS {
            let left = storage.after(cut);
            if left.names().unwrap().iter().any(|name| name == JOB) {
                assert!(work(&left).is_ok(), "{budget} {cut:?}");
            } else {
                let parts = Parts::open(left, "cubes", SIZE).unwrap();
                assert_eq!(parts.records(), 0, "{budget} {cut:?}");
            }
        }
    }
}

#[test]
fn another_job_is_refused_by_name() {
    let error = Parts::open(done(), "cubes", SIZE).unwrap_err();
    assert!(matches!(error, PartsError::OtherJob { .. }));
    let text = error.to_string();
    assert!(text.contains("squares") && text.contains("cubes"), "{text}");
    let identity = |version| JobIdentity::new("squares").with("extractors", version);
    let parts = Parts::open(Fragile::default(), identity("html/6").as_str(), SIZE).unwrap();
    let error =
        Parts::open(parts.storage, identity("html/7").as_str(), SIZE).unwrap_err().to_string();
    assert!(error.contains("html/7. Resume it with the version"), "{error}");
    let identity = |version| JobIdentity::new("squares").with("version", version);
    let parts = Parts::open(Fragile::default(), identity(1).as_str(), SIZE).unwrap();
    let error = Parts::open(parts.storage, identity(2).as_str(), SIZE).unwrap_err().to_string();
    assert!(error.ends_with("version was 1 and is now 2. Resume it with the version that started it, or use another folder"), "{error}");
}

#[test]
fn what_another_version_began_is_no_damage() {
    let storage = done();
    for (name, wanted, other) in [
        (JOB, JOB_SCHEMA, r#"{"schema":"nearprint/job/1","of":["squares"]}"#),
        ("part-00000000", PART_SCHEMA, "{\"schema\":\"nearprint/part/4\",\"n\":3}\n"),
    ] {
        let mut earlier = storage.after(Cut::KeepsAll);
        earlier.write(name, other.as_bytes()).unwrap();
        let error = Parts::open(earlier.clone(), "squares", SIZE).unwrap_err();
        assert!(matches!(error, PartsError::OtherVersion { .. }), "{error}");
        let text = error.to_string();
        assert!(
            ["another version", name, wanted, "remove the folder"]
                .iter()
                .all(|part| text.contains(part)),
            "{text}"
        );
        earlier.write(name, other.replace("nearprint/", "else/").as_bytes()).unwrap();
        let error = Parts::open(earlier, "squares", SIZE).unwrap_err();
        assert!(matches!(error, PartsError::Damaged { .. }), "{error}");
    }
}

#[test]
fn every_changed_byte_of_a_part_is_noticed() {
    let storage = done();
    let whole = storage.read("part-00000001").unwrap();
    let version = PART_SCHEMA.len() - 1 + br#"{"schema":""#.len();
    for place in 0..whole.len() {
        let mut damaged = storage.after(Cut::KeepsAll);
        let mut bytes = whole.clone();
        bytes[place] ^= 0x04;
        damaged.write("part-00000001", &bytes).unwrap();
        match Parts::open(damaged, "squares", SIZE) {
            Err(PartsError::Damaged { name, .. }) => assert_eq!(name, "part-00000001"),
            // The number of its form: what another version may have written.
            Err(PartsError::OtherVersion { found, .. }) => {
                assert_eq!((place, &*found), (version, "nearprint/part/1"));
            }
            Ok(_) => panic!("byte {place} was not missed"),
            Err(error) => panic!("byte {place}: {error}"),
        }
    }
}

#[test]
fn a_file_is_no_folder() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Folder::open(file.path()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotADirectory);
    assert!(file.path().is_file());
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
fn files_of_others_are_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mine = directory.path().join("thesis.txt");
    std::fs::write(&mine, "years of work").unwrap();
    let error = Parts::open(Folder::open(directory.path()).unwrap(), "one", SIZE).unwrap_err();
    assert!(matches!(&error, PartsError::OtherFiles { name } if name == "thesis.txt"), "{error}");
    assert!(error.to_string().ends_with("use a new or empty one"), "{error}");
    assert!(mine.exists());
    // What is put into the folder of a job later stays too, when parts are looked through and when the job ends.
    std::fs::remove_file(&mine).unwrap();
    drop(Parts::open(Folder::open(directory.path()).unwrap(), "one", SIZE).unwrap());
    std::fs::write(&mine, "more of it").unwrap();
    std::fs::write(directory.path().join("part-00000000.draft"), "of nobody").unwrap();
    let parts = Parts::open(Folder::open(directory.path()).unwrap(), "one", SIZE).unwrap();
    assert!(!directory.path().join("part-00000000.draft").exists());
    parts.remove().unwrap().close().unwrap();
    assert_eq!(std::fs::read(&mine).unwrap(), b"more of it");
}

#[test]
fn a_record_is_any_bytes_before_the_end() {
    let mut parts = Parts::open(Fragile::default(), "one", SIZE).unwrap();
    let records = [&b"two\nlines\n"[..], b"", b"\0\0\0\0\xff", b"\n"];
    for record in records {
        parts.push(record, "here").unwrap();
    }
    parts.finish().unwrap();
    let mut found = Vec::new();
    let mut take = |record: &[u8]| {
        found.push(record.to_vec());
        Ok::<_, PartsError>(())
    };
    parts.for_each(&mut take).unwrap();
    assert_eq!(found, records);
    assert!(parts.push(b"late", "").is_err());
}

#[test]
fn records_are_counted_and_fill_their_part() {
    let mut parts = Parts::open(Fragile::default(), "one", SIZE).unwrap();
    parts.push(b"record", "here").unwrap();
    parts.finish().unwrap();
    let name = part_name(0);
    let whole = parts.storage.read(&name).unwrap();
    let (head, _, records) = checked(&whole, 0).unwrap();
    let position = &whole[whole.len() - head.bytes as usize..whole.len() - records.len()];
    let length = |bytes: u32| [&bytes.to_le_bytes()[..], b"record"].concat();
    for records in [
        vec![],
        length(5),
        length(7),
        length(u32::MAX),
        vec![6, 0],
        [length(6), length(6)].concat(),
    ] {
        let behind = [position, &records].concat();
        let head = Head { bytes: behind.len() as u64, xxh3: digest(&behind), ..head.clone() };
        let bytes = [commit::line(&head).unwrap(), behind].concat();
        let error = checked(&bytes, 0).unwrap_err().to_string();
        assert!(error.contains("not as many as its first line states"), "{records:?}: {error}");
    }
}
