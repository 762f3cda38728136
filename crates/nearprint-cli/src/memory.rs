//! Options of memory and of what goes to temporary files beyond it.

use std::path::PathBuf;

use clap::Args;
use nearprint::default_memory;

use crate::options::bytes;

/// What the work may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct MemoryOptions {
    /// Memory for fingerprints, texts and the search; larger work uses a temporary file. K, M and G are 2^10, 2^20 and
    /// 2^30 [default: half of the machine's memory]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Directory for temporary files (always removed on exit) [default: system temp directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) temp: Option<PathBuf>,
}

impl MemoryOptions {
    /// The memory meant, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.memory.unwrap_or_else(default_memory)
    }

    /// The directory of temporary files meant.
    pub(crate) fn directory(&self) -> PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }
}
