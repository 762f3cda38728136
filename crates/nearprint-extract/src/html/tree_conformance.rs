//! What is kept of a page, compared with html5ever's tree of it: of html5lib's tree-construction tests, where
//! `scripts/conformance.sh` has put them, and of real pages.
//!
//! A text is one pass over the page and no tree, so some things differ, on purpose; none of them loses text:
//!
//! - Text between the rows and cells of a table stays where it is; a browser moves it before the table.
//! - An end tag that a browser ignores still separates words or lines, as its element does: `</body>`, `</x>`; so
//!   does the start of an element that a browser moves or ignores.
//! - A page of frames keeps text that stands beside them; a browser shows the frames alone.
//! - A ruby inside an annotation of another one, and any block, ends the annotation: a missing end tag would
//!   otherwise take the rest of the page.
//! - Formatting elements are not opened again after the block in which they were left open, so what follows a
//!   hidden one is kept.
//! - An end tag ends its inline or unknown element also where a block inside that was left open. A browser ignores
//!   such a tag, and what follows stays as hidden as the element was.
//!
//! Left out are tests of fragments, tests without scripting, and those with U+0000, which no text keeps.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::page::Page;
use super::tokenizer::Tokenizer;
use super::{Furniture, PageParts, Syntax, tree};
use crate::charset;
use crate::extraction::Hints;
use crate::job::Job;
use crate::limits::Limits;

/// Tests without any difference that a complete suite has at least.
const AT_LEAST: usize = 1430;

/// The text of a page without its furniture.
fn text(page: &str) -> String {
    let (hints, limits) = (Hints::default(), Limits::default());
    let job = Job::new(&hints, &limits);
    let read = Page::new(Syntax::Html, Furniture::Dropped, PageParts::Text);
    // Soft hyphens go when the whole document is done.
    read.read(&mut Tokenizer::new(page), &job).unwrap().text.replace('\u{AD}', "")
}

/// How often each character is there, white space apart.
fn characters(text: &str) -> BTreeMap<char, i64> {
    let mut counts = BTreeMap::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        *counts.entry(c).or_insert(0) += 1;
    }
    counts
}

/// What `wanted` has and `found` has not.
fn missing(wanted: &str, found: &str) -> String {
    let found = characters(found);
    let missing = characters(wanted).into_iter().filter_map(|(c, count)| {
        let lacking = count - found.get(&c).copied().unwrap_or(0);
        (lacking > 0).then(|| c.to_string().repeat(lacking as usize))
    });
    missing.collect()
}

/// How a text differs from that of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    None,
    /// Only in what separates words.
    Separation,
    /// The same characters in another order.
    Order,
    /// There are some that the tree does not keep.
    More,
    Lost,
}

fn difference(found: &str, wanted: &str) -> Difference {
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    if found == wanted {
        Difference::None
    } else if letters(found) == letters(wanted) {
        Difference::Separation
    } else if !missing(wanted, found).is_empty() {
        Difference::Lost
    } else if !missing(found, wanted).is_empty() {
        Difference::More
    } else {
        Difference::Order
    }
}

/// The worst difference that the rules at the head of this file explain.
fn explained(page: &str) -> Difference {
    if page.contains("<frameset") || page.contains("<rtc><ruby>") {
        Difference::More
    } else if page.contains("<table") {
        Difference::Order
    } else {
        Difference::Separation
    }
}

#[test]
#[ignore = "needs the suite: scripts/conformance.sh"]
fn html5lib_tree_tests() {
    let folder =
        env::var("NEARPRINT_HTML5LIB_TREES").expect("NEARPRINT_HTML5LIB_TREES names the folder");
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "dat") {
            continue;
        }
        let cases = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for case in cases.split("#data\n").skip(1) {
            let (page, rest) = case.split_once("\n#errors").unwrap_or((case, ""));
            let is_left_out = rest.contains("#document-fragment") || rest.contains("#script-off");
            if is_left_out || page.contains('\0') {
                *counts.entry(None).or_insert(0) += 1;
                continue;
            }
            let (found, wanted) = (text(page), tree::text(page));
            let difference = difference(&found, &wanted);
            *counts.entry(Some(difference)).or_insert(0) += 1;
            if difference > explained(page) {
                wrong.push(format!(
                    "{difference:?}: {page:?}\n  found  {found:?}\n  wanted {wanted:?}"
                ));
            }
        }
    }
    println!("tests by their difference, None for those left out: {counts:?}");
    assert!(counts[&Some(Difference::None)] >= AT_LEAST, "{counts:?}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|e| e == "html" || e == "htm") {
            found.push(path);
        }
    }
}

/// How the texts of all pages in a folder differ from those of their trees, with the letters that only one has.
fn differences(folder: &Path) -> Vec<(PathBuf, Difference, [String; 2])> {
    let mut paths = Vec::new();
    pages(folder, &mut paths);
    paths.sort();
    let compared = paths.into_iter().map(|path| {
        let bytes = fs::read(&path).unwrap();
        let page = charset::decode(&bytes, None).text;
        let (found, wanted) = (text(&page), tree::text(&page));
        let letters = [missing(&wanted, &found), missing(&found, &wanted)];
        (path, difference(&found, &wanted), letters)
    });
    compared.collect()
}

#[test]
fn real_pages_keep_what_their_trees_keep() {
    let found = differences(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    assert!(found.len() >= 20, "only {} pages", found.len());
    for (path, difference, letters) in found {
        assert_eq!(difference, Difference::None, "{} {letters:?}", path.display());
    }
}

/// The same of any folder of pages.
#[test]
#[ignore = "needs a folder of pages, which NEARPRINT_HTML_PAGES names"]
fn any_pages_keep_what_their_trees_keep() {
    let folder = env::var("NEARPRINT_HTML_PAGES").expect("NEARPRINT_HTML_PAGES names a folder");
    let found = differences(Path::new(&folder));
    let differing = found.iter().filter(|(_, difference, _)| *difference != Difference::None);
    for (path, difference, [lost, more]) in differing {
        println!("{}: {difference:?}, lost {lost:?}, more {more:?}", path.display());
    }
    println!("{} pages", found.len());
    assert!(found.iter().all(|(_, difference, _)| *difference < Difference::Lost));
}
