//! Packages that are cut, damaged, or lie.

use super::{Part, package, part, read, response, sound, zip};
use crate::ReasonCode;

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
