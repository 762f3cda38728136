//! Arrow data through PyCapsules, the way in which Python libraries exchange it without a copy:
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>. All unsafe code of the module is here.
#![expect(unsafe_code, reason = "the C data interface is made of pointers")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayReader, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::{ArrowError, Field, FieldRef, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{invalid, wrong_type};

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of another library, array by array.
pub(crate) enum Arrays {
    /// It is one array.
    One(Option<ArrayRef>),
    /// It comes as a stream.
    Stream(ArrayStreamReader),
}

impl Iterator for Arrays {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(array) => array.take().map(Ok),
            Self::Stream(stream) => stream.next(),
        }
    }
}

/// Whether an object has the PyCapsule interface, or is a frame that has it once it is computed.
pub(crate) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_stream__")?
        || object.hasattr("__arrow_c_array__")?
        || is_lazy(object)?)
}

/// Whether an object is a `LazyFrame` of polars, which is a query and no table yet.
fn is_lazy(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.get_type().name()? == "LazyFrame" && object.hasattr("collect_schema")?)
}

/// What an object gives by the PyCapsule interface, with its name and type; `None` where it does not have the
/// interface.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<(FieldRef, Arrays)>> {
    if is_lazy(object)? {
        return import(&object.call_method0("collect")?);
    }
    if object.hasattr("__arrow_c_stream__")? {
        // No schema is requested, which polars 1.3 wants to be told.
        let capsule = capsule(object.call_method1("__arrow_c_stream__", (None::<bool>,))?)?;
        let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name holds such a structure, which is moved out of it, and reading it checks that
        // it was not moved before.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let reader = ArrayStreamReader::try_new(stream).map_err(unreadable)?;
        let field = Arc::clone(reader.field());
        return Ok(Some((field, Arrays::Stream(reader))));
    }
    if object.hasattr("__arrow_c_array__")? {
        let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            object.call_method1("__arrow_c_array__", (None::<bool>,))?.extract()?;
        let (schema, array) = (capsule(pair.0)?, capsule(pair.1)?);
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: capsules of these names hold such structures, and live until the end of this function. The array is
        // moved out of its own; one that was moved before has no release callback, which is refused here.
        let (field, data) = unsafe {
            if array.as_ref().is_released() {
                return Err(invalid("the Arrow array was taken by somebody else before"));
            }
            let schema = schema.as_ref();
            let field = Field::try_from(schema).map_err(unreadable)?;
            (field, from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema).map_err(unreadable)?)
        };
        return Ok(Some((Arc::new(field), Arrays::One(Some(make_array(data))))));
    }
    Ok(None)
}

fn capsule(object: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyCapsule>> {
    let refused = |_| wrong_type("the Arrow interface of the argument gives no PyCapsule");
    object.cast_into().map_err(refused)
}

/// The exception for Arrow data that breaks the rules of its format.
pub(crate) fn unreadable(error: ArrowError) -> PyErr {
    invalid(format_args!("the Arrow data cannot be read: {error}"))
}

/// The type of a column as a capsule.
pub(crate) fn export_field<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(unreadable)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The type of a table as a capsule.
pub(crate) fn export_schema<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(unreadable)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// An array as a capsule, to be given with that of its type.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// A table as a capsule.
pub(crate) fn export_batches<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// A column as a capsule of a stream.
pub(crate) fn export_arrays<'py>(
    py: Python<'py>,
    field: &Field,
    arrays: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyCapsule>> {
    // Tried here, so that it cannot fail where C asks for it.
    FFI_ArrowSchema::try_from(field).map_err(unreadable)?;
    let column = Box::new(Column { field: field.clone(), arrays: arrays.into_iter() });
    // SAFETY: the callbacks follow the interface; `column` is theirs alone, and freed by `release` once.
    let stream = unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            Box::into_raw(column).cast::<c_void>(),
        )
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// What a stream of arrays gives.
struct Column {
    field: Field,
    arrays: std::vec::IntoIter<ArrayRef>,
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: only a stream made by `export_arrays` has this callback, and it has a column until it is released.
    let column = unsafe { &*(*stream).private_data().cast::<Column>() };
    match FFI_ArrowSchema::try_from(&column.field) {
        Ok(schema) => {
            // SAFETY: the caller gives room for the structure, which holds nothing yet.
            unsafe { out.write(schema) };
            0
        }
        // EINVAL.
        Err(_) => 22,
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: as above; calls of one stream do not overlap.
    let column = unsafe { &mut *(*stream).private_data().cast::<Column>() };
    // An array without a release callback is the end.
    let next = column.arrays.next();
    let array =
        next.map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data()));
    // SAFETY: as above.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const std::ffi::c_char {
    std::ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the stream is valid, and nobody calls its callbacks after this one.
    let stream = unsafe { &mut *stream };
    if let Some(column) = NonNull::new(stream.private_data().cast::<Column>()) {
        // SAFETY: it was made by `Box::into_raw`, and the pointers to it go here.
        unsafe {
            drop(Box::from_raw(column.as_ptr()));
            stream.set_private_data(std::ptr::null_mut());
            stream.set_release(None);
        }
    }
}
