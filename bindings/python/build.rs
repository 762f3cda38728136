//! Docstrings for `help` from the stubs, which are their one source: a macro that expands to the docstring of a name.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Where the stubs are: in the repository, and in an sdist, which has the Python files at its top.
const STUBS: [&str; 2] =
    ["python/nearprint/_nearprint.pyi", "../../python/nearprint/_nearprint.pyi"];

fn main() -> io::Result<()> {
    let stubs = STUBS.into_iter().find(|path| Path::new(path).is_file());
    let stubs = stubs.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, STUBS[0]))?;
    println!("cargo::rerun-if-changed={stubs}");
    let mut arms = String::new();
    for (name, docstring) in docstrings(&fs::read_to_string(stubs)?) {
        // Writing to a string does not fail.
        let _ = writeln!(arms, "({name}) => {{ r#####\"{docstring}\"##### }};");
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let code =
        format!("/// The docstring of a name of the stubs.\nmacro_rules! stub {{\n{arms}}}\n");
    fs::write(Path::new(&out).join("stub.rs"), code)
}

/// Names with their docstrings: of classes, of functions, and of methods as `Class.method`.
fn docstrings(stubs: &str) -> Vec<(String, String)> {
    let (mut found, mut class, mut name) = (Vec::new(), "", None);
    let mut lines = stubs.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let named = |keyword: &str| {
            let rest = code.strip_prefix(keyword)?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        };
        if let Some(named) = named("class ") {
            class = named;
            name = Some(named.to_owned());
        } else if let Some(named) = named("def ") {
            name = Some(if indent == 0 { named.to_owned() } else { format!("{class}.{named}") });
        } else if let Some(first) = code.strip_prefix("\"\"\"")
            && let Some(name) = name.take()
        {
            let mut text = first.to_owned();
            while !text.ends_with("\"\"\"") {
                let Some(line) = lines.next() else { break };
                let inner = line.get(indent..).unwrap_or("").trim_end();
                text.push('\n');
                text.push_str(inner);
            }
            let text = text.trim_end_matches("\"\"\"").trim_end();
            found.push((name, text.to_owned()));
        }
    }
    found
}
