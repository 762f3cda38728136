//! A worker that dies if a document says so (`die: abort`) and reads all others as usual. It shows how a host with its
//! own extractors builds its worker, and the tests of the pipeline use it.

use nearprint::extract::{ExtractError, Extraction, Hints, Limits, extract};
use nearprint::worker::{ExitingAllocator, serve};

#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator;

fn main() {
    serve(extract_or_die)
}

fn extract_or_die(
    bytes: &[u8],
    hints: &Hints,
    limits: &Limits,
) -> Result<Extraction, ExtractError> {
    match bytes {
        b"die: abort" => std::process::abort(),
        b"die: exit" => std::process::exit(0),
        b"die: panic" => panic!("a parser's mistake"),
        b"die: memory" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1_u8; 16 << 20]);
            }
        }
        b"die: loop" => loop {
            std::hint::black_box(());
        },
        _ => extract(bytes, hints, limits),
    }
}
