//! Runs a target over folders of inputs: `replay TARGET FOLDER...`, for measuring what they reach.

use std::panic::catch_unwind;
use std::{env, fs, process};

fn main() -> std::io::Result<()> {
    let mut arguments = env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let targets = nearprint_fuzz::targets::TARGETS;
    let Some((_, target)) = targets.iter().find(|(known, _)| *known == name) else {
        eprintln!("no such target: {name}");
        process::exit(2);
    };
    for folder in arguments {
        for entry in fs::read_dir(folder)? {
            let bytes = fs::read(entry?.path())?;
            // What fails is reported where it was found.
            let _ = catch_unwind(|| target(&bytes));
        }
    }
    Ok(())
}
