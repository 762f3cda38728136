//! The list of options as pages and stubs state it: docs/OPTIONS.md, and the keywords of the Python module.
//!
//! `NEARPRINT_UPDATE_CASES=1` writes both.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use nearprint::{
    Boilerplate, Clusters, Compare, Decontaminate, Dedup, Diff, Matches, OptionDescription,
    Options, Pairs, Passages, Repeats, ValueKind,
};
use serde_json::Value;

/// What is before and after the generated part of the stubs.
const BEGIN: &str =
    "# Options of questions, from the library's list (crates/nearprint/tests/options.rs):\n";
const END: &str = "# End of the options of questions.\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what it should hold, or writes it.
fn check(path: &Path, wanted: &str) {
    if std::env::var_os("NEARPRINT_UPDATE_CASES").is_some() {
        fs::write(path, wanted).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    let name = path.display();
    assert!(
        found == wanted,
        "{name} is not what the list of options says; NEARPRINT_UPDATE_CASES=1 writes it"
    );
}

fn values(kind: ValueKind) -> String {
    match kind {
        ValueKind::Flag => "yes or no".to_owned(),
        ValueKind::Share => "0 to 1".to_owned(),
        ValueKind::Whole { .. } => "whole number".to_owned(),
        ValueKind::Bound => "whole number or none".to_owned(),
        ValueKind::Choice(names) => names.join(", "),
        ValueKind::Text(name) => name.to_owned(),
        _ => unreachable!("every kind is listed"),
    }
}

/// The sentence of an option, and apart from it the default that it states.
fn sentence(option: &OptionDescription) -> (&'static str, Option<&'static str>) {
    let text = option.sentence();
    match text.split_once(" [default: ") {
        Some((text, usual)) => (text, usual.strip_suffix(']')),
        None => (text, None),
    }
}

fn section<Q: Options>(out: &mut String, about: &str) {
    let usual = Q::default();
    writeln!(out, "\n## {}\n\n{about}\n", Q::NAME).unwrap();
    writeln!(out, "| option | values | default | what it decides |\n|---|---|---|---|").unwrap();
    for option in Q::OPTIONS {
        let (text, stated) = sentence(option);
        let usual = match (usual.value(option.name), stated) {
            (_, Some(stated)) => stated.to_owned(),
            (Value::Null, None) => "-".to_owned(),
            (Value::String(text), None) => text,
            (Value::Bool(flag), None) => if flag { "yes" } else { "no" }.to_owned(),
            (value, None) => value.to_string(),
        };
        let values = values(option.kind);
        writeln!(out, "| `{}` | {values} | {usual} | {text} |", option.name).unwrap();
    }
}

#[test]
fn the_page_lists_every_option() {
    let mut page = String::from(
        "# Options of questions\n\n\
         A question is the same everywhere: the command, the library, the Python module, the server and Spark take these\n\
         options, with these defaults, by these names. The command writes `max_matches` as `--max-matches` and `k` as `-k`,\n\
         and what only concerns how candidates are searched for as a key: `max_pairs` as `--search max-pairs=N`. Its verbs say\n\
         whether texts are compared: those of documents do, those of `nearprint prints` do not. Python and JSON write the names\n\
         as they are. `--dry-run` prints a question with all its defaults. How documents are read, where rows go, threads and\n\
         memory are options of each door.\n\n\
         This page is generated from the library's list; a test compares it.\n",
    );
    section::<Pairs>(
        &mut page,
        "All pairs of near-duplicates among documents, or of documents and references.",
    );
    section::<Clusters>(&mut page, "Documents grouped by the pairs of near-duplicates among them.");
    section::<Matches>(
        &mut page,
        "The documents that are near-duplicates of each query; the command's verb is `query`.",
    );
    section::<Dedup>(
        &mut page,
        "Which documents of many to keep, and which repeat one that is kept.",
    );
    section::<Diff>(&mut page, "What became of a collection between two editions.");
    section::<Compare>(&mut page, "How alike two documents are.");
    section::<Passages>(&mut page, "Every passage that documents share.");
    section::<Decontaminate>(
        &mut page,
        "Items of a test that training documents have; the command's verb is `passages decontaminate`.",
    );
    section::<Boilerplate>(
        &mut page,
        "The most repeated passages of documents; the command's verb is `passages boilerplate`.",
    );
    section::<Repeats>(
        &mut page,
        "Text that documents have a second time; the command's verb is `passages dedup`.",
    );
    check(&root().join("docs/OPTIONS.md"), &page);
}

/// The type of an option in Python.
fn python_type(option: &OptionDescription, usual: &Value) -> String {
    let kind = match option.kind {
        ValueKind::Flag => "bool".to_owned(),
        ValueKind::Share => "float".to_owned(),
        ValueKind::Whole { .. } => "int".to_owned(),
        ValueKind::Bound => "int | None".to_owned(),
        ValueKind::Choice(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("Literal[{}]", names.join(", "))
        }
        ValueKind::Text("DISTANCE") => "int | Literal[\"close\", \"loose\"]".to_owned(),
        ValueKind::Text("FILE") => "_Path".to_owned(),
        _ => "str".to_owned(),
    };
    if usual.is_null() { format!("{kind} | None") } else { kind }
}

fn typed_dict<Q: Options>(out: &mut String, class: &str) {
    /// Columns of a line of the stubs.
    const COLUMNS: usize = 125;
    let usual = Q::default();
    writeln!(out, "\n@type_check_only\nclass {class}(_Options, total=False):").unwrap();
    writeln!(out, "    \"\"\"The options of the question `{}`.\"\"\"\n", Q::NAME).unwrap();
    for option in Q::OPTIONS {
        let value = usual.value(option.name);
        writeln!(out, "    {}: {}", option.name, python_type(option, &value)).unwrap();
        let mut line = String::from("    \"\"\"");
        let stated = match (&value, sentence(option).1) {
            (Value::Null, _) | (_, Some(_)) => String::new(),
            (value, None) => format!(" [default: {value}]"),
        };
        let text = format!("{}{stated}.", option.sentence()).replace('"', "");
        for word in text.split_whitespace() {
            if line.len() + word.len() + 5 > COLUMNS {
                writeln!(out, "{}", line.trim_end()).unwrap();
                line = String::from("    ");
            }
            line.push_str(word);
            line.push(' ');
        }
        writeln!(out, "{}\"\"\"", line.trim_end()).unwrap();
    }
}

#[test]
fn the_stubs_of_python_list_every_option() {
    let path = root().join("bindings/python/python/nearprint/_nearprint.pyi");
    let stubs = fs::read_to_string(&path).unwrap();
    let (before, rest) = stubs.split_once(BEGIN).expect("the stubs have a generated part");
    let (_, after) = rest.split_once(END).expect("the generated part ends");
    let mut wanted = format!("{before}{BEGIN}");
    typed_dict::<Pairs>(&mut wanted, "_PairsOptions");
    typed_dict::<Clusters>(&mut wanted, "_ClustersOptions");
    typed_dict::<Matches>(&mut wanted, "_MatchesOptions");
    typed_dict::<Dedup>(&mut wanted, "_DedupOptions");
    typed_dict::<Diff>(&mut wanted, "_DiffOptions");
    typed_dict::<Compare>(&mut wanted, "_CompareOptions");
    typed_dict::<Passages>(&mut wanted, "_PassagesOptions");
    typed_dict::<Decontaminate>(&mut wanted, "_DecontaminateOptions");
    typed_dict::<Boilerplate>(&mut wanted, "_BoilerplateOptions");
    typed_dict::<Repeats>(&mut wanted, "_RepeatsOptions");
    write!(wanted, "\n{END}{after}").unwrap();
    check(&path, &wanted);
}
