//! MediaWiki: cases for its rules, and its bounds.

use super::*;
use crate::extraction::Hints;

fn run(source: &str) -> Result<String, ExtractError> {
    let (hints, limits) = (Hints::default(), Limits::default());
    mediawiki(source, &mut Job::new(&hints, &limits))
}

/// Each case is a source, a line `=>` and its text; a line `--` is between two.
#[test]
fn cases() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in include_str!("cases.txt").split("\n--\n") {
        let (source, expected) = case.split_once("\n=>\n").expect(case);
        let text = run(source).unwrap();
        if text.trim_end() != expected.trim_end() {
            wrong.push(format!("{source}\n=>\n{text}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n--\n"));
    assert!(count > 10, "{count}");
}

#[test]
fn pages_are_known_by_two_kinds_of_markup() {
    let page =
        "{{Note}}\n'''Fog''' is in the [[sea]].\n== Horns ==\nA [[horn]] and a [[bell|b]].\n";
    assert!(signs(page) >= 4, "{}", signs(page));
    assert!(is_page(&format!("<div>\n{page}{page}</div>")));
    for text in [
        "== One ==\n\nSome ''words'' with a [http://a.org label] here.\n",
        "== One ==\n\n== Two ==\n\nA [https://a.org label].\n",
    ] {
        assert!(signs(text) >= 4, "{text}: {}", signs(text));
    }
    for text in [
        "== One ==\n\nThey said ``one'' and ``two'', [http://a.org].\n",
        "if [[ -f x ]]; then\n  y=[[ z ]]\nfi\n",
        "* An [[https://x.org][Org]] link and [[b][c]]\n|-\n",
        "'''A docstring'''\n{{ template }}\n{{x}}\n'''more'''\n",
        "== Heading\n\nSee [[anchor]] text.\n",
        "<div>{{name}}</div>\n<p>[[x]]</p>\n",
    ] {
        assert!(signs(text) < 4, "{text}: {}", signs(text));
    }
}

#[test]
fn pages_that_are_put_in_their_place_are_named() {
    let (hints, limits) = (Hints::default(), Limits::default());
    for (text, count) in
        [("a {{:Page}} b", 1), ("{{/Sub|x}} {{:Other}}", 1), ("{{Note|a:b}} {{lc:X}}", 0)]
    {
        let mut job = Job::new(&hints, &limits);
        mediawiki(text, &mut job).unwrap();
        assert_eq!(job.warnings.len(), count, "{text}");
    }
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn brackets_inside_brackets_take_linear_time() {
    for source in [
        "{{",
        "{{a|",
        "[[a|",
        "[[",
        "<ref>",
        "{{{",
        "[http://x ",
        "<nowiki>",
        "\n{|\n|",
        "{{a|b=",
        "<!--",
    ] {
        run(&source.repeat(1 << 18)).unwrap();
    }
    for (open, close) in [("{{a|", "}}"), ("[[File:a|", "]]"), ("{{{a|", "}}}"), ("{{a|b=", "}}")] {
        run(&(open.repeat(1 << 16) + "x" + &close.repeat(1 << 16))).unwrap();
    }
}
