//! Documents from tables, results into tables: Parquet and Arrow IPC.
