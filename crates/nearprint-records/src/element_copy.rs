//! A JSON array once more, without some of its elements or with others in their place: what is left is an array.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use crate::json_lines::array;
use crate::record_copy::{BytesChange, changed, copy_changed, copy_without, expansion};

/// Copies a file that is one JSON array without some of its elements, as [`copy_without`]: what is left is an array.
///
/// # Errors
/// As [`copy_without`].
pub fn copy_elements_without(
    path: &Path,
    wrapper: Option<&str>,
    dropped: impl IntoIterator<Item = io::Result<Range<u64>>>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let stretches = array::stretches_without(expansion(path)?, dropped, changed);
    copy_without(path, wrapper, stretches, to)
}

/// Copies a file that is one JSON array with some of its elements changed, and without those that have no change,
/// ascending, as [`copy_without`]: what is left is an array.
///
/// # Errors
/// As [`copy_without`], and those of the changes.
pub fn copy_elements_changed<'c>(
    path: &Path,
    wrapper: Option<&str>,
    changes: Vec<(Range<u64>, Option<BytesChange<'c>>)>,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let dropped: Vec<Range<u64>> = changes
        .iter()
        .filter(|(_, change)| change.is_none())
        .map(|(stretch, _)| stretch.clone())
        .collect();
    let dropped = array::stretches_without(expansion(path)?, dropped.into_iter().map(Ok), changed);
    let mut all: Vec<(Range<u64>, BytesChange<'c>)> = Vec::with_capacity(changes.len());
    for stretch in dropped {
        let nothing: BytesChange<'c> = Box::new(|_| Ok(Vec::new()));
        all.push((stretch?, nothing));
    }
    let kept = changes.into_iter().filter_map(|(stretch, change)| Some((stretch, change?)));
    all.extend(kept);
    all.sort_by_key(|(stretch, _)| stretch.start);
    copy_changed(path, wrapper, all.into_iter().map(Ok), to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_change_and_go_and_an_array_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows.json");
        std::fs::write(&path, "[{\"a\":1}, {\"a\":2},\n {\"a\":3}, {\"a\":4}]\n").unwrap();
        let starts = [1, 10, 20, 29];
        for (dropped, changed, wanted) in [
            (&[][..], &[1][..], "[{\"a\":1}, {\"b\":2},\n {\"a\":3}, {\"a\":4}]\n"),
            (&[0, 1], &[2], "[{\"b\":3}, {\"a\":4}]\n"),
            (&[1, 3], &[0, 2], "[{\"b\":1},\n {\"b\":3}]\n"),
            (&[0, 1, 2, 3], &[], "[]\n"),
        ] {
            let stretch = |at: &usize| starts[*at]..starts[*at] + 7;
            let change = || -> Option<BytesChange<'_>> {
                Some(Box::new(|bytes| {
                    Ok(bytes.iter().map(|&byte| byte + u8::from(byte == b'a')).collect())
                }))
            };
            let mut changes: Vec<(Range<u64>, Option<BytesChange<'_>>)> =
                dropped.iter().map(|at| (stretch(at), None)).collect();
            changes.extend(changed.iter().map(|at| (stretch(at), change())));
            changes.sort_by_key(|(stretch, _)| stretch.start);
            let mut left = Vec::new();
            copy_elements_changed(&path, None, changes, &mut left).unwrap();
            assert_eq!(String::from_utf8(left).unwrap(), wanted);
        }
    }
}
