//! The inner loops.

mod portable;

pub(crate) use portable::Masks;
