//! The recipes of the guide print what it shows.

use std::path::Path;
use std::process::{Command, Stdio};

use super::process::ServerProcess;
use crate::harness::Sandbox;

/// Commands of a page, in blocks marked as `block`, with the lines that they print.
fn recipes(page: &str, block: &str) -> Vec<(String, Vec<String>)> {
    let mut recipes: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    let mut goes_on = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = line.strip_prefix("```") == Some(block);
        } else if is_inside {
            match line.strip_prefix("$ ") {
                Some(command) => recipes.push((command.to_owned(), Vec::new())),
                None if goes_on => {
                    let command = &mut recipes.last_mut().unwrap().0;
                    command.push('\n');
                    command.push_str(line);
                }
                None => recipes.last_mut().unwrap().1.push(line.to_owned()),
            }
            goes_on = line.ends_with('\\');
        }
    }
    recipes
}

/// Whether a line is what a page shows, where `…` stands for anything.
fn is_shown(line: &str, shown: &str) -> bool {
    let mut pieces: Vec<&str> = shown.split('…').collect();
    let (Some(last), true) = (pieces.pop(), !pieces.is_empty()) else { return line == shown };
    let mut rest = line;
    for (at, piece) in pieces.into_iter().enumerate() {
        match rest.find(piece) {
            Some(found) if at > 0 || found == 0 => rest = &rest[found + piece.len()..],
            _ => return false,
        }
    }
    rest.ends_with(last)
}

/// Runs a recipe of a page whose server has this address, and holds what it prints against what the page shows.
fn holds(sandbox: &Sandbox, address: &str, (recipe, shown): &(String, Vec<String>)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The command itself is a part of some.
    let programs = Path::new(env!("CARGO_BIN_EXE_nearprint")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let command = recipe
        .replace("127.0.0.1:7117", address)
        .replace("samples/", root.join("samples/").to_str().unwrap());
    let run = Command::new("bash")
        .args(["-c", &command])
        .env("PATH", &path)
        .current_dir(sandbox.path(""))
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let printed: Vec<&str> = printed.lines().collect();
    let fits = printed.len() == shown.len()
        && printed.iter().zip(shown).all(|(line, shown)| is_shown(line, shown));
    assert!(fits, "{recipe}\nprinted {printed:#?}\nthe page shows {shown:#?}");
}

fn page(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join("docs").join(name)).unwrap()
}

#[test]
fn the_recipes_of_the_guide_print_what_it_shows() {
    let sandbox = Sandbox::new();
    let served = ServerProcess::start(&sandbox, &[]);
    let recipes = recipes(&page("SERVER.md"), "shell-session");
    assert!(recipes.len() > 8, "{recipes:?}");
    recipes.iter().for_each(|recipe| holds(&sandbox, &served.address, recipe));
}

/// The archives are those that the page makes in its first block.
#[test]
fn the_recipes_for_archivists_print_what_they_show() {
    let sandbox = Sandbox::new();
    let page = page("tutorials/archivist.md");
    let console = recipes(&page, "console");
    let archives = console.iter().take_while(|(command, _)| !command.starts_with("nearprint"));
    archives.for_each(|recipe| holds(&sandbox, "", recipe));
    let served = ServerProcess::start(&sandbox, &["--import-from", "."]);
    let recipes = recipes(&page, "shell-session");
    assert!(recipes.len() > 4, "{recipes:?}");
    recipes.iter().for_each(|recipe| holds(&sandbox, &served.address, recipe));
}
