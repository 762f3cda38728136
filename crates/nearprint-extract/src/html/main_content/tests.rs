//! Which part of a page is taken, a case for each rule.

use super::super::{html, part};
use crate::extraction::{Hints, MainContent};
use crate::job::Job;
use crate::limits::Limits;

const PROSE: &str =
    "<p>The keeper lit the lamp at dusk, wrote the hour into the book, and climbed down again.</p>";
const MORE: &str = "<p>At dawn the boats came home past the rocks, and somebody counted them from the gallery.</p>";

fn run(page: &str) -> (String, Option<MainContent>) {
    let hints = Hints { main_content: true, ..Hints::default() };
    let limits = Limits::default();
    let mut job = Job::new(&hints, &limits);
    let text = html(page, &mut job).unwrap();
    (text, job.main_content)
}

/// The words of `kept` are there and those of `gone` are not.
#[track_caller]
fn check(page: &str, way: MainContent, kept: &[&str], gone: &[&str]) {
    let (text, found) = run(page);
    assert_eq!(found, Some(way), "{page}\n{text}");
    for word in kept {
        assert!(text.contains(word), "{word} is not in {text:?}");
    }
    for word in gone {
        assert!(!text.contains(word), "{word} is in {text:?}");
    }
}

fn links(count: usize) -> String {
    (0..count)
        .map(|n| format!("<li><a href='/{n}'>another page of this site, number {n}</a>"))
        .collect()
}

#[test]
fn the_one_main_element() {
    let page =
        format!("<div>Log in</div><main>{PROSE}<table><td>cell</table></main><div>Imprint</div>");
    check(&page, MainContent::MainElement, &["dusk", "cell"], &["Log in", "Imprint"]);
    let page = format!("<div>Log in</div><div role='main'>{PROSE}</div>");
    check(&page, MainContent::MainElement, &["dusk"], &["Log in"]);
    // One inside the other is one.
    let page = format!("<div>Log in</div><div role=main><main>{PROSE}</main>{MORE}</div>");
    check(&page, MainContent::MainElement, &["dusk", "dawn"], &["Log in"]);
}

#[test]
fn the_one_article() {
    let page = format!(
        "<p>Log in</p><article>{PROSE}<article>A remark.</article></article><p>Imprint</p>"
    );
    check(&page, MainContent::ArticleElement, &["dusk", "remark"], &["Log in", "Imprint"]);
    // Several are a list, and the whole of it is what nearly all of the prose is in.
    let page =
        format!("<div>Log in</div><div><article>{PROSE}</article><article>{MORE}</article></div>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["Log in"]);
}

#[test]
fn the_smallest_element_with_nearly_all_of_the_prose() {
    let side = links(4);
    let page = format!(
        "<div><ul>{side}</ul></div><div><h2>The lamp</h2>{PROSE}<pre>raw</pre>{MORE}</div><div>Imprint</div>"
    );
    check(
        &page,
        MainContent::DensestElement,
        &["The lamp", "dusk", "raw", "dawn"],
        &["another page", "Imprint"],
    );
    // Pages laid out by tables.
    let page = format!("<table><tr><td>{side}<td>{PROSE}{MORE}<td>Imprint</table>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["another page", "Imprint"]);
    // A form that is taken out takes its elements with it.
    let form = "<form><div>Search this site for words that are in the pages of it and in no others.</div></form>";
    let page = format!("{form}<div>{PROSE}{MORE}</div>{form}<div>Imprint</div>");
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["Search", "Imprint"]);
}

#[test]
fn the_title_comes_along() {
    let page = format!("<div>Log in<h1>The lamp</h1></div><main>{PROSE}</main>");
    check(&page, MainContent::MainElement, &["The lamp\nThe keeper"], &["Log in"]);
    // Not one of several, and not one that follows.
    let page = format!("<h1>One</h1><h1>Two</h1><main>{PROSE}</main><h1>Three</h1>");
    check(&page, MainContent::MainElement, &["dusk"], &["One", "Two", "Three"]);
}

#[test]
fn what_holds_little_of_the_page_is_not_believed() {
    let page = format!(
        "<main>A short word.</main><div>{PROSE}{MORE}{PROSE}{MORE}</div><div>Imprint</div>"
    );
    check(&page, MainContent::DensestElement, &["dusk", "dawn"], &["A short word", "Imprint"]);
    let page = format!("<main>{PROSE}</main>{}", format!("<div>{MORE}</div>").repeat(4));
    check(&page, MainContent::WholePage, &["dusk", "dawn"], &[]);
    check("<div>Short</div><div>words.</div>", MainContent::WholePage, &["Short", "words"], &[]);
    check("<nav>Only this</nav>", MainContent::WholePage, &[], &["Only this"]);
}

#[test]
fn what_is_not_asked_for_is_not_done() {
    let page = format!("<div>Log in</div><main>{PROSE}</main>");
    let limits = Limits::default();
    let hints = Hints::default();
    let mut job = Job::new(&hints, &limits);
    assert!(html(&page, &mut job).unwrap().contains("Log in"));
    assert_eq!(job.main_content, None);
    // Nor to pages inside other documents.
    let hints = Hints { main_content: true, ..Hints::default() };
    let mut job = Job::new(&hints, &limits);
    assert!(part(&page, &mut job).unwrap().contains("Log in"));
    assert_eq!(job.main_content, None);
}

#[test]
fn the_main_content_is_a_stretch_of_the_page() {
    let pieces = [
        "<div>",
        "</div>",
        "<main>",
        "</main>",
        "<article>",
        "</article>",
        "<form>",
        "</form>",
        "<td>",
        "<h1>x</h1>",
        "<a href=y>",
        "</a>",
        PROSE,
        MORE,
        "<table>",
        "</table>",
        "é",
    ];
    let mut state = 7_u32;
    for _ in 0..3_000 {
        let mut page = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            page += pieces[(state >> 16) as usize % pieces.len()];
        }
        let hints = Hints::default();
        let limits = Limits::default();
        let whole = html(&page, &mut Job::new(&hints, &limits)).unwrap();
        let (text, found) = run(&page);
        let body = text.strip_prefix("x\n").unwrap_or(&text);
        assert!(whole.contains(body.trim()), "{page}\n{found:?} {text:?} of {whole:?}");
    }
}
