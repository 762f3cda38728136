//! Cells of results, gathered as columns of Arrow.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, StringBuilder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use nearprint_records::{Cell, CellKind, Column};

/// The fields of columns, in their order.
pub(crate) fn fields(columns: &[Column]) -> Fields {
    let field = |column: &Column| Field::new(column.name, kind(&column.kind), column.nullable);
    columns.iter().map(field).collect()
}

fn kind(cells: &CellKind) -> DataType {
    match cells {
        CellKind::Small => DataType::UInt32,
        CellKind::Count => DataType::UInt64,
        CellKind::Measure => DataType::Float64,
        CellKind::Flag => DataType::Boolean,
        CellKind::Bytes(bytes) => DataType::FixedSizeBinary(size(*bytes)),
        CellKind::List(of) => DataType::List(item(of)),
        CellKind::Group(columns) => DataType::Struct(fields(columns)),
        // Text, and kinds of a later day, which `push` refuses.
        _ => DataType::Utf8,
    }
}

fn item(of: &CellKind) -> FieldRef {
    Arc::new(Field::new("item", kind(of), false))
}

/// Bytes of a fingerprint, as Arrow counts them: some hundred at most.
fn size(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// A column that grows.
#[derive(Debug)]
pub(crate) enum Builder {
    Text(StringBuilder),
    Small(UInt32Builder),
    Count(UInt64Builder),
    Measure(Float64Builder),
    Flag(BooleanBuilder),
    Bytes(FixedSizeBinaryBuilder),
    List { ends: Vec<i32>, of: CellKind, items: Box<Builder> },
    Group { columns: Vec<Column>, builders: Vec<Builder>, valid: Vec<bool> },
}

impl Builder {
    pub(crate) fn new(cells: &CellKind) -> Self {
        match cells {
            CellKind::Small => Self::Small(UInt32Builder::new()),
            CellKind::Count => Self::Count(UInt64Builder::new()),
            CellKind::Measure => Self::Measure(Float64Builder::new()),
            CellKind::Flag => Self::Flag(BooleanBuilder::new()),
            CellKind::Bytes(bytes) => Self::Bytes(FixedSizeBinaryBuilder::new(size(*bytes))),
            CellKind::List(of) => Self::List {
                ends: vec![0],
                of: of.as_ref().clone(),
                items: Box::new(Self::new(of)),
            },
            CellKind::Group(columns) => Self::Group {
                columns: columns.clone(),
                builders: columns.iter().map(|column| Self::new(&column.kind)).collect(),
                valid: Vec::new(),
            },
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a cell.
    ///
    /// # Errors
    /// If it is not of the column's kind.
    pub(crate) fn push(&mut self, cell: Cell<'_>) -> Result<(), ArrowError> {
        match (self, cell) {
            (Self::Text(builder), Cell::Text(text)) => builder.append_value(text),
            (Self::Text(builder), Cell::Null) => builder.append_null(),
            (Self::Small(builder), Cell::Number(number)) => {
                builder.append_value(u32::try_from(number).map_err(|_| unfit(cell))?);
            }
            (Self::Small(builder), Cell::Null) => builder.append_null(),
            (Self::Count(builder), Cell::Number(number)) => builder.append_value(number),
            (Self::Count(builder), Cell::Null) => builder.append_null(),
            (Self::Measure(builder), Cell::Measure(number)) => builder.append_value(number),
            (Self::Measure(builder), Cell::Null) => builder.append_null(),
            (Self::Flag(builder), Cell::Flag(flag)) => builder.append_value(flag),
            (Self::Flag(builder), Cell::Null) => builder.append_null(),
            (Self::Bytes(builder), Cell::Bytes(bytes)) => builder.append_value(bytes)?,
            (Self::Bytes(builder), Cell::Null) => builder.append_null(),
            (Self::List { ends, items, .. }, Cell::List(cells)) => {
                cells.iter().try_for_each(|cell| items.push(*cell))?;
                let end = ends.last().copied().unwrap_or(0).checked_add(size(cells.len()));
                ends.push(end.ok_or_else(|| unfit(cell))?);
            }
            (Self::Group { builders, valid, .. }, Cell::Group(cells))
                if builders.len() == cells.len() =>
            {
                for (builder, cell) in builders.iter_mut().zip(cells) {
                    builder.push(*cell)?;
                }
                valid.push(true);
            }
            (Self::Group { builders, valid, .. }, Cell::Null) => {
                builders.iter_mut().try_for_each(Self::push_nothing)?;
                valid.push(false);
            }
            _ => return Err(unfit(cell)),
        }
        Ok(())
    }

    /// Adds what stands below a group that is not there.
    fn push_nothing(&mut self) -> Result<(), ArrowError> {
        match self {
            Self::List { .. } => self.push(Cell::List(&[])),
            _ => self.push(Cell::Null),
        }
    }

    /// The column so far; what follows begins another one.
    pub(crate) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Small(builder) => Arc::new(builder.finish()),
            Self::Count(builder) => Arc::new(builder.finish()),
            Self::Measure(builder) => Arc::new(builder.finish()),
            Self::Flag(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder) => Arc::new(builder.finish()),
            Self::List { ends, of, items } => {
                let ends = std::mem::replace(ends, vec![0]);
                let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
                Arc::new(ListArray::try_new(item(of), offsets, items.finish()?, None)?)
            }
            Self::Group { columns, builders, valid } => {
                let arrays = builders.iter_mut().map(Self::finish).collect::<Result<_, _>>()?;
                let valid = std::mem::take(valid);
                let nulls = valid.contains(&false).then(|| NullBuffer::from(valid));
                Arc::new(StructArray::try_new(fields(columns), arrays, nulls)?)
            }
        })
    }
}

fn unfit(cell: Cell<'_>) -> ArrowError {
    ArrowError::InvalidArgumentError(format!(
        "a cell does not have the type of its column: {cell:?}"
    ))
}
