//! Every end tag inside every element: a name closes what has that name and nothing else.

use super::element::{self, Element, Kind, Role};
use super::html;
use crate::extraction::Hints;
use crate::job::Job;
use crate::limits::Limits;

/// Names that HTML has or had and that are not in the table of elements, and of elements that pages make up.
const OTHER_NAMES: [&str; 40] = [
    "marquee",
    "slot",
    "picture",
    "portal",
    "rbc",
    "nextid",
    "spacer",
    "multicol",
    "isindex",
    "command",
    "content",
    "shadow",
    "element",
    "menuitem",
    "selectedcontent",
    "fencedframe",
    "model",
    "layer",
    "ilayer",
    "nolayer",
    "server",
    "comment",
    "xml",
    "g",
    "path",
    "my-card",
    "my-page",
    "app-root",
    "app-main",
    "x-a",
    "x-b",
    "x-c",
    "o:p",
    "v:shape",
    "st1:place",
    "fb:like",
    "router-outlet",
    "md-content",
    "ng-view",
    "a-name-that-is-longer-than-any-that-html-has",
];

/// Enough text for a page to keep nothing of its furniture.
const TAIL: &str = "tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail \
    tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail tail";
const PROSE: &str =
    "The keeper lit the lamp at dusk, wrote the hour into the book, and climbed down once again.";
const MORE: &str =
    "At dawn the boats came home past the rocks, and somebody counted them from the gallery.";

fn names() -> Vec<&'static str> {
    let names: Vec<_> = element::names().chain(OTHER_NAMES).collect();
    assert!(names.len() > 180, "{}", names.len());
    names
}

fn run(page: &str, main_content: bool) -> String {
    let hints = Hints { main_content, ..Hints::default() };
    html(page, &mut Job::new(&hints, &Limits::default())).unwrap()
}

/// Elements whose content is markup.
fn holds_markup(outer: Element, name: &str) -> bool {
    !matches!(outer.role, Role::Void | Role::Break | Role::DroppedRaw | Role::Plaintext)
        && name != "xmp"
}

/// Whether the end tag of `inner` is meant to close `outer`: the standard's rules for headings of two ranks and for
/// what ends a drawing or formula, and that annotations end with their ruby.
fn closes(inner: &str, outer: &str) -> bool {
    let [inside, outside] = [inner, outer].map(|name| Element::named(name).kind);
    inner == outer
        || (inside == Kind::Heading && outside == Kind::Heading)
        || (matches!(inner, "p" | "br") && matches!(outside, Kind::Svg | Kind::Math))
        || (inner == "ruby" && outside == Kind::Ruby)
}

/// What a tag leaves between the words around it.
fn gap(name: &str) -> &'static str {
    let Element { kind, role, .. } = Element::named(name);
    match role {
        Role::Inline | Role::Void | Role::DroppedRaw => "",
        Role::Dropped if kind == Kind::Ruby => "",
        Role::Dropped => " ",
        Role::Cell => "\t",
        _ => "\n",
    }
}

fn is_dropped(outer: Element) -> bool {
    matches!(outer.role, Role::Dropped | Role::Landmark | Role::OuterLandmark | Role::Form)
}

#[test]
fn an_end_tag_closes_nothing_of_another_name() {
    for outer in names() {
        let element = Element::named(outer);
        if !holds_markup(element, outer) {
            continue;
        }
        for inner in names().into_iter().filter(|inner| !closes(inner, outer)) {
            let page = format!("<{outer}>before</{inner}>after</{outer}><p>{TAIL}");
            let expected = if is_dropped(element) {
                format!("{TAIL}\n")
            } else {
                format!("before{}after\n{TAIL}\n", gap(inner))
            };
            assert_eq!(run(&page, false), expected, "{page}");
            // What is hidden ends with its own end tag.
            let page = format!("<{outer} hidden>before</{inner}>after</{outer}><p>{TAIL}");
            assert_eq!(run(&page, false), format!("{TAIL}\n"), "{page}");
        }
    }
}

#[test]
fn an_end_tag_does_not_cut_the_main_content() {
    for outer in names() {
        let element = Element::named(outer);
        if !holds_markup(element, outer) || is_dropped(element) {
            continue;
        }
        for inner in names().into_iter().filter(|inner| !closes(inner, outer)) {
            let page = format!(
                "<div>Log in</div><{outer}>{PROSE}</{inner}><br>{MORE}</{outer}><div>Imprint</div>"
            );
            let text = run(&page, true);
            assert!(text.contains(PROSE) && text.contains(MORE), "{page}\n{text}");
            let divides =
                matches!(element.kind, Kind::Block | Kind::Cell | Kind::Unknown | Kind::Article);
            assert_eq!(text.contains("Imprint"), !divides, "{page}\n{text}");
        }
    }
}

#[test]
fn inline_elements_end_inside_blocks() {
    let is_block = |name: &str| {
        let element = Element::named(name);
        holds_markup(element, name) && !is_dropped(element) && element.role != Role::Inline
    };
    // Formulas end where blocks begin.
    let is_inline = |name: &str| Element::named(name).role == Role::Inline && name != "math";
    let (mut blocks, mut inlines) = (names(), names());
    blocks.retain(|name| is_block(name));
    inlines.retain(|name| is_inline(name));
    assert!(blocks.len() > 80 && inlines.len() > 50, "{} {}", blocks.len(), inlines.len());
    for block in &blocks {
        for inline in &inlines {
            for (page, expected) in [
                (format!("<{block}>a<{inline}>b</{inline}>c</{block}><p>{TAIL}"), "abc\n"),
                (format!("<{block}>a<{inline} hidden>b</{inline}>c</{block}><p>{TAIL}"), "ac\n"),
                (format!("<{block} hidden>a<{inline}>b</{inline}>c</{block}><p>{TAIL}"), ""),
                (format!("<{inline} hidden>a<{block}>b</{block}>c</{inline}>d<p>{TAIL}"), "d\n"),
            ] {
                assert_eq!(run(&page, false), format!("{expected}{TAIL}\n"), "{page}");
            }
        }
    }
}

/// Many elements that are open at once, no two of one name.
#[test]
fn names_that_nobody_knows_are_told_apart_by_all_their_letters() {
    let count = 20_000;
    let starts: String = (0..count).map(|n| format!("<x-{n} hidden>")).collect();
    let ends: String = (0..count).map(|n| format!("</X-{n}>")).collect();
    // The first end tag closes the outermost element and all inside it.
    assert_eq!(run(&format!("{starts}a{ends}b<p>{TAIL}"), false), format!("b\n{TAIL}\n"));
    let others: String = (0..count).map(|n| format!("</y-{n}>")).collect();
    assert_eq!(run(&format!("{starts}a{others}b</x-0>c<p>{TAIL}"), false), format!("c\n{TAIL}\n"));
}
