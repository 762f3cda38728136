//! Rows of results as cells of named columns, for formats that are tables.
//!
//! Columns have the names of the JSON form's fields. What a format makes of them (Arrow types, bytes) is its own
//! business; here is only what there is.

mod calibration;
mod contamination;
mod decision;
mod difference;
mod fingerprint;
mod index;
mod passage;
mod relations;
mod repeat;

use nearprint_fingerprint::Scheme;

use crate::Row;

/// A column of a table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: CellKind,
    /// Whether cells may be [`Cell::Null`].
    pub nullable: bool,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellKind {
    /// Text.
    Text,
    /// Whole numbers below 2^32.
    Small,
    /// Whole numbers below 2^64.
    Count,
    /// Numbers.
    Measure,
    /// Yes or no.
    Flag,
    /// Bytes, always so many.
    Bytes(usize),
    /// Any number of cells of one kind, none of them null.
    List(Box<CellKind>),
    /// A cell of each of these columns.
    Group(Vec<Column>),
}

/// What stands in a column of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Cell<'a> {
    /// Nothing.
    Null,
    /// Of a column of text.
    Text(&'a str),
    /// Of a column of whole numbers, [`CellKind::Small`] or [`CellKind::Count`].
    Number(u64),
    /// Of a column of numbers.
    Measure(f64),
    /// Of a column of yes or no.
    Flag(bool),
    /// Of a column of bytes.
    Bytes(&'a [u8]),
    /// Of a column of lists.
    List(&'a [Cell<'a>]),
    /// Of a column of groups, in their order.
    Group(&'a [Cell<'a>]),
}

/// A result that can stand in tables: in one row of them, or in several.
pub trait TableRow: Row {
    /// Whether rows have fingerprints, whose scheme tables name.
    const HAS_SCHEME: bool = true;

    /// Its columns, in their order. Fingerprints of one scheme have columns of one kind.
    fn columns(scheme: Scheme) -> Vec<Column>
    where
        Self: Sized;

    /// Calls `put` with the cells of each row, in the order of the columns.
    fn cells(&self, put: &mut dyn FnMut(&[Cell<'_>]));
}

impl Column {
    /// A column that always holds something.
    pub(crate) fn new(name: &'static str, kind: CellKind) -> Self {
        Self { name, kind, nullable: false }
    }

    /// A column that may hold nothing.
    pub(crate) fn nullable(name: &'static str, kind: CellKind) -> Self {
        Self { name, kind, nullable: true }
    }

    /// A column of lists; where there is nothing, they are empty.
    pub(crate) fn list(name: &'static str, of: CellKind) -> Self {
        Self::new(name, CellKind::List(Box::new(of)))
    }
}

impl<'a> Cell<'a> {
    /// Text, where there is any.
    pub(crate) fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }

    /// Yes or no, where it is known.
    pub(crate) fn flag(flag: Option<bool>) -> Self {
        flag.map_or(Self::Null, Self::Flag)
    }

    /// A number, where there is one.
    pub(crate) fn number(number: Option<impl Into<u64>>) -> Self {
        number.map_or(Self::Null, |number| Self::Number(number.into()))
    }
}
