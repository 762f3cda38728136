//! Searches of sets made by rule.

mod bounds;
mod sketches;
mod verified_clusters;
mod widths;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::DocumentId;

use super::{MOST_SORTED, Search};
use crate::{CancelFlag, Error, PrintSet};

fn equal_prints(count: usize) -> PrintSet {
    let mut set = PrintSet::new(Scheme::SD1);
    let print = Fingerprint::from_u64(Scheme::SD1, 7).unwrap();
    for number in 0..count {
        set.push(&DocumentId::new(number.to_string()).unwrap(), &print).unwrap();
    }
    set
}

fn found(search: &Search<'_>, set: &PrintSet) -> Result<Vec<(String, String)>, Error> {
    let mut found = Vec::new();
    let number = search.pairs(set, |pair| {
        found.push((pair.a.to_string(), pair.b.to_string()));
        Ok::<_, Error>(())
    })?;
    assert_eq!(number, found.len() as u64);
    Ok(found)
}

#[test]
fn the_disk_of_a_search_is_known_beforehand() {
    let set = equal_prints(1);
    let within = |memory| Search::within(3).memory(memory).disk(&set, 100_000_000).unwrap();
    assert_eq!(within(None), 0);
    assert_eq!(within(Some(16 << 30)), 0);
    // 12 bytes a print for each table, and once more for the largest run.
    let disk = within(Some(256 << 20));
    assert!(disk >= 2 * 12 * 100_000_000 && disk % 1_200_000_000 == 0, "{disk}");
    let sketches = PrintSet::new(Scheme::MD1);
    assert_eq!(Search::within(3).memory(Some(1 << 20)).disk(&sketches, 1 << 30).unwrap(), 0);
}

#[test]
fn more_pairs_than_can_be_put_in_order_are_refused_and_can_be_had_unordered() {
    let set = equal_prints(40);
    let all = found(&Search::within(0).sorted_up_to(Some(780)), &set).unwrap();
    assert_eq!(
        (all.len(), &all[0], &all[779]),
        (780, &("0".into(), "1".into()), &("38".into(), "39".into()))
    );
    let error = found(&Search::within(0).sorted_up_to(Some(779)), &set).unwrap_err().to_string();
    assert!(error.contains("779"), "{error}");
    let mut unordered = found(&Search::within(0).sorted_up_to(None), &set).unwrap();
    let mut all = all;
    unordered.sort();
    all.sort();
    assert_eq!(unordered, all);
}

#[test]
fn a_failing_receiver_and_a_set_flag_end_the_search() {
    let set = equal_prints(3000);
    for most in [None, Some(MOST_SORTED)] {
        let mut count = 0;
        let search = Search::within(0).sorted_up_to(most);
        let result = search.pairs(&set, |_| {
            count += 1;
            if count == 5 { Err(Error::TooManyPairs { most: 5 }) } else { Ok(()) }
        });
        assert!(matches!(result, Err(Error::TooManyPairs { most: 5 })), "{result:?}");
        assert_eq!(count, 5);
    }
    let flag = CancelFlag::new();
    flag.cancel();
    let search = Search::within(0).sorted_up_to(None).cancelled_by(&flag);
    assert_eq!(found(&search, &set).unwrap().len(), 0);
}

#[test]
fn a_set_gives_back_what_came_in() {
    let mut set = equal_prints(1);
    let print = Fingerprint::from_u64(Scheme::SD1, 9).unwrap();
    set.push(&DocumentId::new("x").unwrap(), &print).unwrap();
    assert_eq!((set.len(), &*set.id(0), &*set.id(1)), (2, "0", "x"));
    assert_eq!((set.fingerprint(1).unwrap(), set.distance(0, 1).unwrap()), (print, 3));
}
