//! Documents from tables, results into tables: Parquet and Arrow IPC.
//!
//! [`TableSource`] yields the rows of a table as documents: one column is the text (or HTML), one the id. Only these
//! columns are read, some thousand rows at a time.
//!
//! [`TableWriter`] writes results as such tables, with their scheme in the metadata.
//!
//! What is damaged or made to do harm becomes an error record. The formats are read by the Apache project's own
//! libraries, which may panic on hostile octets: that ends the table, never the program.

mod arrow_messages;
mod arrow_reader;
mod builder;
mod column;
mod decoding;
mod parquet_reader;
mod rows;
mod source;
mod values;
mod writer;

pub use source::TableSource;
pub use writer::{ROW_GROUP_OCTETS, ROW_GROUP_ROWS, TableFormat, TableWriter};
