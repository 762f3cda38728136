//! Extracts every file of a directory: one text file for each beside its record.
//!
//! `cargo run --release --example extract_tree -- SOURCE TARGET` writes `TARGET/<path>.txt` for every file
//! that gives text, and one line for each file on standard output: path, outcome, extractor, charset,
//! characters, milliseconds, warnings, separated by tabs.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};

use nearprint_extract::{Hints, Limits, extract, media_type_of_name};

fn main() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(source), Some(target)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: extract_tree SOURCE TARGET");
        std::process::exit(2);
    };
    let mut files = Vec::new();
    walk(&source, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(&source).unwrap_or(&file).to_owned();
        report(&file, &name, &target)?;
    }
    Ok(())
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn report(file: &Path, name: &Path, target: &Path) -> io::Result<()> {
    let bytes = fs::read(file)?;
    let start = Instant::now();
    let named_type = name.to_str().and_then(media_type_of_name).map(str::to_owned);
    let hints = Hints { named_type, ..Hints::default() };
    let found = extract(&bytes, &hints, &Limits::default());
    let milliseconds = start.elapsed().as_millis();
    let name = name.display();
    match found {
        Ok(found) => {
            let record = found.record;
            let warnings: Vec<_> =
                record.warnings.iter().map(|w| format!("{:?}", w.code)).collect();
            println!(
                "{name}\tok\t{}\t{}\t{}\t{milliseconds}\t{}",
                record.extractor,
                record.charset.unwrap_or_default(),
                record.characters,
                warnings.join(",")
            );
            let out = target.join(format!("{name}.txt"));
            if let Some(parent) = out.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(out, found.text)
        }
        Err(error) => {
            println!("{name}\t{}\t\t\t0\t{milliseconds}\t{}", error.reason(), error.detail());
            Ok(())
        }
    }
}
