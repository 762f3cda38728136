//! Packages that are cut, damaged, or lie.

use super::{Part, package, part, read, response, sound, zip};
use crate::{ReadSettings, ReasonCode};

#[test]
fn a_package_that_is_cut_says_so() {
    let whole = zip(&sound());
    for length in 4..whole.len() {
        let (documents, problems) = read(&whole[..length]);
        assert_eq!(documents.len(), 0, "{length}");
        assert_eq!(problems, ["damaged : the package has no directory; it may be truncated"]);
    }
}

#[test]
fn a_package_that_lies_is_refused() {
    let limit = ReasonCode::EXPANSION_LIMIT;
    let bomb = Part { is_deflated: true, ..part("archive/a.warc", vec![0; 40 << 20]) };
    let (documents, problems) =
        read(&zip(&package(&[], "").into_iter().chain([bomb]).collect::<Vec<_>>()));
    assert_eq!(documents.len(), 0);
    assert!(problems.iter().any(|problem| problem.starts_with(limit.as_str())), "{problems:?}");

    let mut parts = sound();
    parts[0].size = Some(u32::MAX - 1);
    let (_, problems) = read(&zip(&parts));
    assert_eq!(problems, ["damaged archive/a.warc.gz: the member is stored, but has two lengths"]);

    let twice = [sound(), sound()].concat();
    let (_, problems) = read(&zip(&twice));
    assert_eq!(problems, ["damaged : two members of the package are called archive/a.warc.gz"]);

    // Two members of the same bytes.
    let mut bytes = zip(&sound());
    let second = memchr::memmem::find_iter(&bytes, b"PK\x01\x02").nth(1).unwrap();
    bytes[second + 42..second + 46].copy_from_slice(&[0; 4]);
    let (_, problems) = read(&bytes);
    assert_eq!(problems, ["damaged : members of the package overlap"]);

    let many: Vec<Part> =
        (0..100_001).map(|number| part(&format!("archive/{number}"), "")).collect();
    let (_, problems) = read(&zip(&many));
    assert_eq!(problems, ["too-large : the package is not read: it has more than 100000 members"]);

    let deep = part("datapackage.json", "[".repeat(1 << 20));
    let (documents, problems) = read(&zip(&[part("archive/a.warc.gz", response(1)), deep]));
    assert_eq!(documents.len(), 1);
    assert!(
        problems[0]
            .starts_with("damaged datapackage.json: the description of the package cannot be read")
    );
}

#[test]
fn bytes_that_change_are_noticed() {
    let whole = zip(&sound());
    let (all, _) = read(&whole);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        if !bytes.starts_with(b"PK") {
            continue;
        }
        let (documents, problems) = read(&bytes);
        // Times, versions and flags are not used.
        assert!(documents == all || !problems.is_empty(), "{at}");
    }
}

/// What a copy of a package without any change gives.
#[cfg(feature = "spill")]
fn copied(parts: &[Part], max_ratio: u64) -> std::io::Result<Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.wacz");
    std::fs::write(&path, zip(parts)).unwrap();
    let settings = ReadSettings { max_ratio, ..ReadSettings::default() };
    let mut out = Vec::new();
    crate::copy_package(&path, &settings, None, |_, _| Ok(None), &mut out)?;
    Ok(out)
}

#[cfg(feature = "spill")]
#[test]
fn members_that_nobody_read_before_are_copied_within_the_ratio() {
    // Reading passes over what is not listed, so a copy is the first to expand it.
    let bomb = Part { is_deflated: true, ..part("notes.txt", vec![0; 20 << 20]) };
    let error = copied(std::slice::from_ref(&bomb), 300).unwrap_err().to_string();
    assert!(error.contains("expand to more than 300 times"), "{error}");
    let copy = copied(&[bomb], 3_000).unwrap();
    let mut copy = zip::ZipArchive::new(std::io::Cursor::new(copy)).unwrap();
    assert_eq!(copy.by_name("notes.txt").unwrap().size(), 20 << 20);
}

#[cfg(feature = "spill")]
#[test]
fn files_that_an_index_cannot_tell_apart_are_refused() {
    let parts = [part("archive/a/x.warc", "1"), part("archive/b/x.warc", "2")];
    let error = copied(&parts, 300).unwrap_err().to_string();
    assert!(error.contains("two WARC files of the package are called x.warc"), "{error}");
}

/// As many indexes and resources as names fit take time in their number, not in its square.
#[cfg(feature = "spill")]
#[test]
fn many_indexes_and_resources_are_looked_up_once() {
    let names: Vec<String> = (0..60_000).map(|number| format!("indexes/{number}.cdx")).collect();
    let resources: Vec<String> =
        names.iter().map(|name| format!("{{\"path\":\"{name}\"}}")).collect();
    let manifest = format!("{{\"resources\":[{}]}}", resources.join(","));
    let mut parts: Vec<Part> = names.iter().map(|name| part(name, "")).collect();
    parts.push(part("datapackage.json", manifest));
    assert!(copied(&parts, 300).is_ok());
}
