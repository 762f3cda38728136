//! Documents from tables, results into tables: Parquet and Arrow IPC.
//!
//! [`TableSource`] yields the rows of a table, in a file or in memory, as documents: one column is the text (or HTML),
//! one the id. Only these columns are read, some thousand rows at a time.
//!
//! [`parquet_rows`] and [`arrow_rows`] say how many rows a file has without reading them.
//!
//! [`parquet_lacks`] and [`arrow_lacks`] say whether a table has the columns asked for.
//!
//! [`TableWriter`] writes results as such tables, with their scheme in the metadata.
//!
//! [`RowBatches`] gives results as batches of Arrow in memory, for programs that pass them on.
//!
//! [`copy_rows_without`] writes a table once more without some of its rows.
//!
//! What is damaged or made to do harm becomes an error record. The formats are read by the Apache project's own
//! libraries, which may panic on hostile bytes: that costs the row group or ends the table, never the program.

mod ahead;
mod arrow_messages;
mod arrow_reader;
mod asked_columns;
mod builder;
mod column;
mod compact_thrift;
mod decoder_thread;
mod dictionaries;
mod footer_memory;
mod memory_batches;
mod page_sizes;
mod parquet_pages;
mod parquet_reader;
mod parquet_stretches;
mod row_batches;
mod row_copy;
mod row_count;
mod row_texts;
mod rows;
mod source;
mod stretches;
mod values;
mod writer;

pub use asked_columns::{arrow_lacks, parquet_lacks};
pub use row_batches::RowBatches;
pub use row_copy::{CopiedRows, copy_rows_without};
pub use row_count::{arrow_rows, parquet_rows};
pub use row_texts::{copy_rows_changed, copy_rows_with_texts};
pub use source::TableSource;
pub use writer::{ROW_GROUP_BYTES, ROW_GROUP_ROWS, TableFormat, TableWriter};
