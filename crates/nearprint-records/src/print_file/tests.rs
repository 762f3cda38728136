//! The files of both versions that are in the repository, whole and damaged in every way, and random ones.

use nearprint_fingerprint::{Fingerprint, Scheme};
use proptest::prelude::*;

use super::reader::{little_endian_print, put};
use super::{PrintFile, PrintFileError, PrintFileWriter};
use crate::DocumentId;

/// Three fingerprints of `sd1` with ids, two of them equal, as version 1 wrote them.
const FIXTURE: &[u8] = include_bytes!("../../tests/prints/version-1.bin");

/// The same in version 2: the first and the last are short.
const MARKED: &[u8] = include_bytes!("../../tests/prints/version-2.bin");

/// One sketch of `md1` without an id.
const SKETCH: &[u8] = include_bytes!("../../tests/prints/version-1-sketch.bin");

/// Id, fingerprint, and whether it is short.
type Prints = Vec<(Option<String>, Fingerprint, Option<bool>)>;

fn read(bytes: &[u8], length: Option<u64>) -> Result<Prints, PrintFileError> {
    let file = PrintFile::open(bytes, length)?;
    let (scheme, count) = (file.scheme(), file.count());
    let mut prints = Vec::new();
    let end = file.read(|piece| {
        prints.extend(
            piece.chunks(scheme.bytes()).map(|print| little_endian_print(scheme, print).unwrap()),
        );
    })?;
    assert_eq!(count, prints.len() as u64);
    let id = |position| end.ids.as_ref().map(|ids| ids.get(position).to_owned());
    let short = |position| end.short.as_ref().map(|marks| marks.get(position));
    Ok(prints.into_iter().enumerate().map(|(at, print)| (id(at), print, short(at))).collect())
}

fn written(scheme: Scheme, prints: &Prints) -> Vec<u8> {
    let mut writer = PrintFileWriter::new(scheme, prints.iter().any(|(id, ..)| id.is_some()));
    for (id, print, short) in prints {
        let id = DocumentId::new(id.as_deref().unwrap_or("none")).unwrap();
        writer.push(&id, print, *short).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    bytes
}

fn in_the_fixture(short: [Option<bool>; 3]) -> Prints {
    let words =
        [("one", 0x0123_4567_89ab_cdef), ("zwei/ä", u64::MAX), ("three", 0x0123_4567_89ab_cdef)];
    let print = |word| Fingerprint::from_u64(Scheme::SD1, word).unwrap();
    let all = words.into_iter().zip(short);
    all.map(|((id, word), short)| (Some(id.to_owned()), print(word), short)).collect()
}

fn in_the_sketch() -> Prints {
    let numbers = std::array::from_fn(|at| at as u16 * 258);
    vec![(None, Fingerprint::from_sketch(Scheme::MD1, numbers).unwrap(), None)]
}

#[test]
fn files_of_version_1_are_read_and_written_so() {
    let unknown = in_the_fixture([None; 3]);
    assert_eq!(read(FIXTURE, Some(FIXTURE.len() as u64)).unwrap(), unknown);
    assert_eq!(read(FIXTURE, None).unwrap(), unknown);
    assert_eq!(read(SKETCH, None).unwrap(), in_the_sketch());
    assert_eq!(written(Scheme::SD1, &unknown), FIXTURE);
    assert_eq!(written(Scheme::MD1, &in_the_sketch()), SKETCH);
    // What is not known of one is said of none.
    assert_eq!(written(Scheme::SD1, &in_the_fixture([Some(true), None, Some(true)])), FIXTURE);
}

#[test]
fn files_of_version_2_say_which_fingerprints_are_short() {
    let marked = in_the_fixture([true, false, true].map(Some));
    assert_eq!(read(MARKED, Some(MARKED.len() as u64)).unwrap(), marked);
    assert_eq!(read(MARKED, None).unwrap(), marked);
    assert_eq!(written(Scheme::SD1, &marked), MARKED);
    assert_eq!(read(&written(Scheme::SD1, &Vec::new()), None).unwrap(), []);
    // A mark for a fourth fingerprint.
    let spare = sealed(MARKED, |file| *file.last_mut().unwrap() |= 8);
    assert!(matches!(read(&spare, None), Err(PrintFileError::Header { .. })));
}

/// Bytes written over those at an offset.
type Edit = (usize, &'static [u8]);

#[test]
fn damage_is_refused_for_what_it_is() {
    // Offsets as docs/FORMAT.md states them.
    let cases: [(Edit, &str); 15] = [
        ((0, b"N"), "not a binary fingerprint file"),
        ((5, b"\n"), "not a binary fingerprint file"),
        ((8, &[3]), "version 3"),
        ((8, &[2]), "was truncated"),
        ((8, &[0]), "version 0"),
        ((12, &[32]), "fingerprints of 32 bits, but those of sd1 have 64"),
        ((16, &[4]), "was truncated"),
        ((16, &[2]), "is longer than"),
        ((16, &[0xff; 8]), "2^64"),
        ((24, &[16]), "was truncated"),
        ((32, &[0]), "bytes of ids but no ids"),
        ((32, &[2]), "neither 0 nor 1"),
        ((36, b"xx9"), "scheme \"xx9\""),
        ((36, b"SD1"), "scheme \"SD1\""),
        ((64, &[0]), "checksum"),
    ];
    for ((at, bytes), part) in cases {
        let mut file = FIXTURE.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let length = file.len() as u64;
        let error = read(&file, Some(length)).unwrap_err().to_string();
        assert!(error.contains(part), "{at}: {error}");
        // Where the length is not known in advance it is refused all the same.
        assert!(read(&file, None).is_err(), "{at}");
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    for fixture in [FIXTURE, MARKED] {
        for at in 0..fixture.len() {
            let mut file = fixture.to_vec();
            file[at] ^= 0x10;
            assert!(read(&file, Some(file.len() as u64)).is_err(), "{at}");
            assert!(read(&file, None).is_err(), "{at}");
        }
    }
}

#[test]
fn what_is_cut_or_goes_on_is_refused_with_and_without_a_known_length() {
    for length in 0..FIXTURE.len() {
        let file = &FIXTURE[..length];
        for known in [Some(length as u64), None] {
            let error = read(file, known).unwrap_err();
            match error {
                PrintFileError::Magic => assert!(length < 8),
                PrintFileError::Truncated { found, .. } => assert_eq!(found, length as u64),
                error => panic!("{length}: {error}"),
            }
        }
    }
    let mut file = FIXTURE.to_vec();
    file.push(0);
    for known in [Some(file.len() as u64), None] {
        let error = read(&file, known).unwrap_err();
        assert!(
            matches!(error, PrintFileError::Trailing { wanted } if wanted == FIXTURE.len() as u64)
        );
    }
}

/// A fixture changed, with a checksum that fits.
fn sealed(fixture: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    use std::hash::Hasher;
    let mut file = fixture[..fixture.len() - 8].to_vec();
    change(&mut file);
    let mut hasher = twox_hash::XxHash3_64::new();
    hasher.write(&file);
    file.extend(hasher.finish().to_le_bytes());
    file
}

#[test]
fn ids_that_cannot_be_are_refused_by_their_number() {
    let ends = 64 + 3 * 8;
    let text = ends + 3 * 8;
    let cases: [(Edit, u64); 6] = [
        ((ends, &[0]), 1),
        ((ends + 8, &[2]), 2),
        ((ends + 8, &[200]), 2),
        // Between the bytes of the umlaut.
        ((ends + 8, &[9]), 2),
        ((text, b"\n"), 1),
        ((text + 10, b"\xff"), 3),
    ];
    assert!(read(&sealed(FIXTURE, |_| {}), None).is_ok());
    for ((at, bytes), wanted) in cases {
        let file = sealed(FIXTURE, |file| file[at..at + bytes.len()].copy_from_slice(bytes));
        match read(&file, None) {
            Err(PrintFileError::Id { number }) => assert_eq!(number, wanted, "{at}"),
            other => panic!("{at}: {other:?}"),
        }
    }
    let shorter = sealed(FIXTURE, |file| file[ends + 16] -= 1);
    assert!(matches!(read(&shorter, None), Err(PrintFileError::Header { .. })));
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        words in prop::collection::vec((any::<u64>(), "[a-zà-ü/ ]{1,9}", any::<bool>()), 0..40),
        with_ids in any::<bool>(),
        with_marks in any::<bool>(),
    ) {
        let prints: Prints = words
            .into_iter()
            .map(|(word, id, short)| {
                let print = Fingerprint::from_u64(Scheme::SL1, word).unwrap();
                (with_ids.then_some(id), print, with_marks.then_some(short))
            })
            .collect();
        let file = written(Scheme::SL1, &prints);
        prop_assert_eq!(read(&file, Some(file.len() as u64)).unwrap(), prints);
    }

    #[test]
    fn no_bytes_are_too_strange(tail in prop::collection::vec(any::<u8>(), 0..200), keep in 0usize..120) {
        let mut file = FIXTURE[..keep].to_vec();
        file.extend(tail);
        // Whatever it comes to, it comes back, without a panic or more memory than there are bytes.
        let _ = read(&file, None);
    }

    #[test]
    fn prints_have_one_form(word in any::<u64>()) {
        let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        let mut bytes = Vec::new();
        put(&print, &mut bytes);
        prop_assert_eq!(&bytes[..], &word.to_le_bytes()[..]);
        prop_assert_eq!(little_endian_print(Scheme::SD1, &bytes), Some(print));
    }
}
