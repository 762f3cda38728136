//! The columns of rows as docs/FORMAT.md lists them, compared with those that are written.

use nearprint::fingerprint::Scheme;
use nearprint::records::{
    ClusterRow, ContaminationRow, DecisionRow, DifferenceRow, FingerprintRecord, MatchRow, PairRow,
    RepeatRow, Row, SharedPassageRow, TableRow,
};

const PAGE: &str = include_str!("../../../docs/FORMAT.md");

/// What stands in backticks in the second cell of the row of a table under a heading.
fn listed(heading: &str, row: &str) -> Vec<&'static str> {
    let start = PAGE.find(&format!("\n## {heading}\n")).expect("the heading is there");
    let section = &PAGE[start + 1..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    let begin = format!("| `{row}` |");
    let line =
        section.lines().find(|line| line.starts_with(&begin)).unwrap_or_else(|| panic!("{row}"));
    line[begin.len()..].split('`').skip(1).step_by(2).collect()
}

fn separated<R: Row>(verb: &str) {
    assert_eq!(listed("Results as separated values", verb), R::COLUMNS, "{verb}");
}

/// Columns are listed in their order; those of groups have their parts behind them.
fn table<R: TableRow>(row: &str) {
    let mut names = listed("Results as tables", row).into_iter();
    for column in R::columns(Scheme::SD1) {
        let name = column.name;
        assert!(
            names.any(|listed| listed == name),
            "{row}: {name} is not listed, or not in its place"
        );
    }
}

#[test]
fn columns_are_those_of_the_page() {
    separated::<FingerprintRecord>("fingerprint");
    separated::<PairRow>("pairs");
    separated::<MatchRow>("query");
    separated::<ClusterRow>("clusters");
    separated::<DecisionRow>("dedup");
    separated::<DifferenceRow>("diff");
    separated::<RepeatRow>("passages dedup");
    separated::<ContaminationRow>("passages decontaminate");
    table::<FingerprintRecord>("fingerprint");
    table::<PairRow>("pair");
    table::<MatchRow>("match");
    table::<ClusterRow>("cluster");
    table::<DecisionRow>("decision");
    table::<SharedPassageRow>("passage");
    table::<RepeatRow>("repeat");
    table::<ContaminationRow>("contamination");
}
