//! How many rows a table says that it has, without reading them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use arrow_ipc::{root_as_footer, root_as_message};

use crate::arrow_messages::{CONTINUATION, FILE_MAGIC, LARGEST_HEAD};
use crate::decoder_thread::{apart, damaged};
use crate::parquet_reader;

/// Bytes after the footer of an Arrow file: its length, and the magic.
const ARROW_END: u64 = 4 + FILE_MAGIC.len() as u64;

/// Rows of a Parquet file, by its footer; `None` if that cannot be read.
#[must_use]
pub fn parquet_rows(path: &Path) -> Option<u64> {
    counted(path, |file| {
        let (_, metadata) = parquet_reader::footer(file)?;
        Ok(parquet_reader::rows_of(&metadata))
    })
}

/// Rows of a file of Arrow IPC, by its footer and the heads of its batches; `None` if these cannot be read, and of a
/// stream, which has no footer.
#[must_use]
pub fn arrow_rows(path: &Path) -> Option<u64> {
    counted(path, |mut file| {
        let file_length = file.seek(SeekFrom::End(0)).map_err(damaged)?;
        let end = file_length.checked_sub(ARROW_END).ok_or_else(|| damaged("it has no footer"))?;
        let last = bytes_at(&mut file, end, ARROW_END)?;
        let (footer, magic) =
            last.split_first_chunk().ok_or_else(|| damaged("it has no footer"))?;
        if magic != FILE_MAGIC {
            return Err(damaged("it has no footer"));
        }
        let footer = u64::from(u32::from_le_bytes(*footer));
        let begin = end.checked_sub(footer).ok_or_else(|| damaged("its footer is too long"))?;
        let footer = bytes_at(&mut file, begin, footer)?;
        let footer = root_as_footer(&footer).map_err(damaged)?;
        let (mut rows, mut heads) = (0u64, 0u64);
        for block in footer.recordBatches().into_iter().flatten() {
            let (offset, length) = (block.offset(), block.metaDataLength());
            // Heads that lie over each other are not read: it would take the square of the file's length.
            heads = heads.saturating_add(length.cast_unsigned().into());
            if heads > file_length {
                return Err(damaged("its batches lie over each other"));
            }
            let head = bytes_at(&mut file, offset.cast_unsigned(), length.cast_unsigned().into())?;
            let head = head.strip_prefix(&CONTINUATION).unwrap_or(&head);
            let message = root_as_message(head.get(4..).unwrap_or_default()).map_err(damaged)?;
            let batch = message.header_as_record_batch().ok_or_else(|| damaged("no batch"))?;
            rows = rows.saturating_add(batch.length().try_into().unwrap_or(0));
        }
        Ok(rows)
    })
}

/// Counts where panics of the libraries do no harm.
fn counted(path: &Path, count: impl FnOnce(File) -> Result<u64, String> + Send) -> Option<u64> {
    let file = File::open(path).ok()?;
    apart(|| count(file)).ok()
}

fn bytes_at(file: &mut File, at: u64, length: u64) -> Result<Vec<u8>, String> {
    if length > LARGEST_HEAD as u64 {
        return Err(damaged(format!("{length} bytes at {at} exceed the limit")));
    }
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes)).map_err(damaged)?;
    Ok(bytes)
}
