//! The values of one column of one batch, whatever its Arrow type.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, PrimitiveArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// A column with its kind told once, and its rows looked up by number.
#[derive(Debug)]
pub(crate) struct Values {
    /// Where the structures around it are null.
    outer: Option<NullBuffer>,
    inner: Inner,
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    /// Bytes: of a text column those of the text, which nobody has examined yet.
    Bytes(&'a [u8]),
    Number(i128),
    Real(f64),
}

#[derive(Debug)]
enum Inner {
    Nothing,
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    Fixed(FixedSizeBinaryArray),
    Numbers(Numbers),
    Single(PrimitiveArray<Float32Type>),
    Double(PrimitiveArray<Float64Type>),
    Dictionary { keys: Vec<usize>, nulls: Option<NullBuffer>, values: Box<Inner> },
}

/// Whether a type is one of bytes. Text is read as bytes (see [`bytes_instead`]), so that a row whose text is no
/// UTF-8 is an error of that row.
pub(crate) fn is_bytes(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
    )
}

/// Whether a type is one of whole numbers.
pub(crate) fn is_number(kind: &DataType) -> bool {
    kind.is_integer()
}

/// Whether a type is one of other numbers, or of times, which are numbers of their units.
pub(crate) fn is_measure(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Float32
            | DataType::Float64
            | DataType::Date32
            | DataType::Date64
            | DataType::Timestamp(..)
    )
}

/// The same type with bytes where text was: both lie alike in memory and in files.
pub(crate) fn bytes_instead(kind: &DataType) -> DataType {
    let fields = |fields: &arrow_schema::Fields| -> arrow_schema::Fields {
        let bytes = |field: &arrow_schema::FieldRef| {
            field.as_ref().clone().with_data_type(bytes_instead(field.data_type()))
        };
        fields.iter().map(bytes).collect()
    };
    match kind {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Struct(inner) => DataType::Struct(fields(inner)),
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(bytes_instead(values)))
        }
        other => other.clone(),
    }
}

impl Values {
    /// The values of an array; `None` if its type is none that is read.
    pub(crate) fn new(array: &dyn Array, outer: Option<NullBuffer>) -> Option<Self> {
        Some(Self { outer, inner: Inner::new(array)? })
    }

    /// Whether they are bytes of a number that the schema fixes, as digests and UUIDs are.
    pub(crate) fn are_of_fixed_size(&self) -> bool {
        matches!(self.inner, Inner::Fixed(_))
    }

    /// The value of a row of the batch.
    pub(crate) fn get(&self, row: usize) -> Value<'_> {
        match &self.outer {
            Some(outer) if outer.is_null(row) => Value::Null,
            _ => self.inner.get(row),
        }
    }
}

impl Inner {
    fn new(array: &dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Null => Self::Nothing,
            // Tables in memory have text by its own types; whether it is UTF-8 is examined where it is used.
            DataType::Utf8 => Self::Small(array.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Self::Large(array.as_string::<i64>().clone().into()),
            DataType::Utf8View => Self::View(array.as_string_view().clone().to_binary_view()),
            DataType::Binary => Self::Small(array.as_binary::<i32>().clone()),
            DataType::LargeBinary => Self::Large(array.as_binary::<i64>().clone()),
            DataType::BinaryView => Self::View(array.as_binary_view().clone()),
            DataType::FixedSizeBinary(_) => Self::Fixed(array.as_fixed_size_binary().clone()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                // Without values there are no keys either, and the library refuses to look.
                let keys =
                    if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
                let inner = if values.is_empty() { Self::Nothing } else { Self::new(values)? };
                let nulls = array.nulls().cloned();
                Self::Dictionary { keys, nulls, values: Box::new(inner) }
            }
            DataType::Float32 => Self::Single(array.as_primitive::<Float32Type>().clone()),
            DataType::Float64 => Self::Double(array.as_primitive::<Float64Type>().clone()),
            _ => Self::Numbers(Numbers::new(array)?),
        })
    }

    fn get(&self, row: usize) -> Value<'_> {
        match self {
            Self::Nothing => Value::Null,
            Self::Small(array) if array.is_valid(row) => Value::Bytes(array.value(row)),
            Self::Large(array) if array.is_valid(row) => Value::Bytes(array.value(row)),
            Self::View(array) if array.is_valid(row) => Value::Bytes(array.value(row)),
            Self::Fixed(array) if array.is_valid(row) => Value::Bytes(array.value(row)),
            Self::Numbers(numbers) => numbers.get(row),
            Self::Single(array) if array.is_valid(row) => Value::Real(array.value(row).into()),
            Self::Double(array) if array.is_valid(row) => Value::Real(array.value(row)),
            Self::Dictionary { keys, nulls, values } => {
                let null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
                match keys.get(row) {
                    Some(&key) if !null => values.get(key),
                    _ => Value::Null,
                }
            }
            _ => Value::Null,
        }
    }
}

/// Whole numbers of every size.
macro_rules! numbers {
    ($($name:ident: $kind:ident),*) => {
        #[derive(Debug)]
        enum Numbers {
            $($name(PrimitiveArray<$kind>),)*
        }

        impl Numbers {
            fn new(array: &dyn Array) -> Option<Self> {
                $(if let Some(array) = array.as_primitive_opt::<$kind>() {
                    return Some(Self::$name(array.clone()));
                })*
                None
            }

            fn get(&self, row: usize) -> Value<'_> {
                match self {
                    $(Self::$name(array) if array.is_valid(row) => Value::Number(array.value(row).into()),)*
                    _ => Value::Null,
                }
            }
        }
    };
}

numbers!(
    I8: Int8Type,
    I16: Int16Type,
    I32: Int32Type,
    I64: Int64Type,
    U8: UInt8Type,
    U16: UInt16Type,
    U32: UInt32Type,
    U64: UInt64Type,
    Days: Date32Type,
    Dates: Date64Type,
    Seconds: TimestampSecondType,
    Milliseconds: TimestampMillisecondType,
    Microseconds: TimestampMicrosecondType,
    Nanoseconds: TimestampNanosecondType
);
