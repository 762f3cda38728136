//! The recipes of the guide print what it shows.

use std::path::Path;
use std::process::{Command, Stdio};

use super::process::ServerProcess;
use crate::harness::Sandbox;

/// Commands of a page with the lines that they print.
fn recipes(page: &str) -> Vec<(String, Vec<String>)> {
    let mut recipes: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    let mut goes_on = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = line == "```shell-session";
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

#[test]
fn the_recipes_of_the_guide_print_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/SERVER.md")).unwrap();
    let sandbox = Sandbox::new();
    let served = ServerProcess::start(&sandbox, &[]);
    let recipes = recipes(&page);
    // The command itself is a part of some.
    let programs = Path::new(env!("CARGO_BIN_EXE_nearprint")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    assert!(recipes.len() > 8, "{recipes:?}");
    for (recipe, shown) in recipes {
        let command = recipe
            .replace("127.0.0.1:7117", &served.address)
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
            && printed.iter().zip(&shown).all(|(line, shown)| is_shown(line, shown));
        assert!(fits, "{recipe}\nprinted {printed:#?}\nthe guide shows {shown:#?}");
    }
}
