//! The lists of codes in docs/FORMAT.md are those that the program can give, no more and no fewer.

use std::collections::BTreeSet;

use nearprint::extract::{MainContent, Reason, WarningCode};
use nearprint::records::{Note, ReasonCode};

const FORMATS: &str = include_str!("../../../../docs/FORMAT.md");

/// The words in backquotes of the first column of a section's table.
fn listed(section: &str) -> BTreeSet<&'static str> {
    let heading = format!("\n## {section}\n");
    let (_, rest) = FORMATS.split_once(&heading).expect("the section is there");
    let section = rest.split("\n## ").next().unwrap_or(rest);
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" |").next())
        .flat_map(|cell| cell.split(", "))
        .map(|code| code.trim_matches('`'))
        .collect()
}

#[test]
fn reasons() {
    let own = ReasonCode::OWN.iter().map(ReasonCode::as_str);
    let known: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.code()).chain(own).collect();
    assert_eq!(listed("Reasons"), known);
}

#[test]
fn warnings_and_ways_to_the_main_content() {
    let known = WarningCode::ALL
        .iter()
        .map(|code| code.code())
        .chain([Note::TRUNCATED, Note::OUTSIDE_PROFILE]);
    assert_eq!(listed("Warnings"), known.collect());
    for way in MainContent::ALL {
        assert!(FORMATS.contains(&format!("`{}`", way.code())), "{}", way.code());
    }
}

/// A retryable reason is one of those that FORMAT.md names.
#[test]
fn what_is_worth_another_try() {
    let (_, rest) = FORMATS.split_once("The reasons that may disappear").unwrap();
    let sentence = rest.split(';').next().unwrap();
    for reason in Reason::ALL {
        let named = sentence.contains(&format!("`{}`", reason.code()));
        assert_eq!(named, reason.is_retryable(), "{reason}");
    }
}
