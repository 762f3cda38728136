//! Whether the beginning of a file is separated values, what separates them, and which column asked for is not there.

use super::row::{ColumnNames, Row, parser};
use crate::beginning::{Beginning, looked_for};
use crate::{Container, MissingField, ReadSettings};

/// What separates values, in the order in which the first row is tried: a tab first, because texts with tabs are rare,
/// and then the separators that spreadsheets write.
const SEPARATORS: [u8; 4] = [b'\t', b',', b';', b'|'];

/// Letters of a cell that may name a column, at most.
const LONGEST_NAME: usize = 64;
/// Rows that must have as many values as the first.
const ROWS_OF_TABLE: usize = 20;

/// The separator that a first line states, as Excel writes it before the names (`sep=;`).
pub(super) fn stated(line: &[u8]) -> Option<u8> {
    let (name, value) = line.trim_ascii_end().split_at_checked(4)?;
    let is_stated = name.eq_ignore_ascii_case(b"sep=");
    // A tab at the end is white space.
    match value {
        [only] if is_stated && SEPARATORS.contains(only) => Some(*only),
        [] if is_stated && line.get(4) == Some(&b'\t') => Some(b'\t'),
        _ => None,
    }
}

/// What a file is by its first line, which names the column of the text and another. Where the first line names
/// nothing, it is what the file's name says, or what its rows look like.
pub(crate) fn sniff(beginning: &Beginning, settings: &ReadSettings) -> Option<Container> {
    let content = settings.fields.content();
    if settings.form.no_header {
        let found = looks_like(beginning, settings)?;
        let first = rows(beginning, separator(beginning, found, settings)).next()?;
        return ColumnNames { first: &first, no_header: true }.position(content).map(|_| found);
    }
    let line = first_line(beginning)?;
    let named = separators(beginning, settings, None).into_iter().find_map(|delimiter| {
        if !line.contains(&delimiter) {
            return None;
        }
        let first = only_row(line, delimiter)?;
        let names = ColumnNames { first: &first, no_header: false };
        (first.count() > 1 && names.position(content).is_some()).then(|| table(delimiter))
    });
    // One column alone, where the file is called a table.
    named.or_else(|| {
        let called = called(beginning)?;
        let first = only_row(line, separator(beginning, called, settings))?;
        let names = ColumnNames { first: &first, no_header: false };
        names.position(content).map(|_| called)
    })
}

/// What the file's name says that it is.
fn called(beginning: &Beginning) -> Option<Container> {
    match &*beginning.ending {
        "tsv" => Some(Container::Tsv),
        "csv" => Some(Container::Csv),
        _ => None,
    }
}

/// What separates the values of a file that is read as a table: the separator that is given, or the one by which the
/// first line names the column of the text, or else the one by which the first rows have most columns.
pub(crate) fn separator(
    beginning: &Beginning,
    container: Container,
    settings: &ReadSettings,
) -> u8 {
    let separators = separators(beginning, settings, Some(container));
    if let [only] = separators[..] {
        return only;
    }
    let names_content = |line: &[u8], delimiter: u8| {
        only_row(line, delimiter).is_some_and(|first| {
            let names = ColumnNames { first: &first, no_header: false };
            names.position(settings.fields.content()).is_some()
        })
    };
    if !settings.form.no_header
        && let Some(line) = first_line(beginning)
        && let Some(found) = separators.iter().find(|&&delimiter| names_content(line, delimiter))
    {
        return *found;
    }
    // Of equal ones the first.
    let most = separators.iter().rev().max_by_key(|&&found| even_columns(beginning, found));
    most.copied().unwrap_or(b',')
}

/// What a file looks like that has no column of the text: separated values by the ending of its name, or by its rows,
/// where the first has names only, if it names columns, and at least two more have as many values.
pub(crate) fn looks_like(beginning: &Beginning, settings: &ReadSettings) -> Option<Container> {
    if let Some(called) = called(beginning) {
        let first = rows(beginning, separator(beginning, called, settings)).next()?;
        return (first.count() > 1).then_some(called);
    }
    let no_header = settings.form.no_header;
    separators(beginning, settings, None).into_iter().find_map(|delimiter| {
        let mut rows = rows(beginning, delimiter);
        let first = rows.next().filter(|first| first.count() > 1)?;
        let is_named = no_header || first.values().all(is_name);
        let (mut count, mut even) = (0, true);
        if is_named {
            rows.take(ROWS_OF_TABLE)
                .for_each(|row| (count, even) = (count + 1, even && row.count() == first.count()));
        }
        (is_named && even && count >= if no_header { 1 } else { 2 }).then(|| table(delimiter))
    })
}

/// A column asked for that is not there.
pub(crate) fn missing(
    beginning: &Beginning,
    container: Container,
    settings: &ReadSettings,
) -> Option<MissingField> {
    let first = rows(beginning, separator(beginning, container, settings)).next()?;
    let names = ColumnNames { first: &first, no_header: settings.form.no_header };
    let wanted = looked_for(&settings.fields);
    let (purpose, field) = wanted.into_iter().find(|(_, name)| names.position(name).is_none())?;
    let (field, there) = (field.to_owned(), names.shown());
    Some(MissingField { container, field, purpose, rows: None, there })
}

/// The separators that may be meant; never none.
fn separators(
    beginning: &Beginning,
    settings: &ReadSettings,
    container: Option<Container>,
) -> Vec<u8> {
    if let (None, Some(stated)) =
        (settings.form.delimiter, beginning.lines().next().and_then(stated))
    {
        return vec![stated];
    }
    match (settings.form.delimiter, container) {
        (Some(given), _) => vec![given.byte()],
        (None, Some(Container::Tsv)) => vec![b'\t'],
        (None, _) => SEPARATORS.to_vec(),
    }
}

/// What a table with this separator is called.
fn table(delimiter: u8) -> Container {
    if delimiter == b'\t' { Container::Tsv } else { Container::Csv }
}

/// The first line, if it is whole.
fn first_line(beginning: &Beginning) -> Option<&[u8]> {
    table_lines(beginning).next()
}

/// The lines less a first one that states the separator.
fn table_lines(beginning: &Beginning) -> impl Iterator<Item = &[u8]> {
    let mut lines = beginning.lines().peekable();
    lines.next_if(|line| stated(line).is_some());
    lines
}

/// The row that a line is alone, and whole: a CR within the line would end it before.
fn only_row(line: &[u8], delimiter: u8) -> Option<Row> {
    let mut row = Row::default();
    (row.read(&mut parser(delimiter), &[line, b"\n"].concat()) && !row.is_cut).then_some(row)
}

/// How many columns the first rows have, where all have as many; 1 where they do not.
fn even_columns(beginning: &Beginning, delimiter: u8) -> usize {
    let mut rows = rows(beginning, delimiter).take(ROWS_OF_TABLE);
    let first = rows.next().map_or(1, |first| first.count());
    if rows.all(|row| row.count() == first) { first } else { 1 }
}

/// Whether a value may name a column: a short word.
fn is_name(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/#$@".contains(byte);
    value.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && value.len() <= LONGEST_NAME
        && value.iter().all(is_letter)
}

/// The rows of lines at hand; the last one may be missing where it is cut.
fn rows(beginning: &Beginning, delimiter: u8) -> impl Iterator<Item = Row> {
    let (mut lines, mut parser) = (table_lines(beginning), parser(delimiter));
    std::iter::from_fn(move || {
        let mut row = Row::default();
        parser.reset();
        loop {
            let line = [lines.next()?, b"\n"].concat();
            if row.read(&mut parser, &line) {
                return Some(row);
            }
        }
    })
}
