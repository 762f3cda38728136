//! Two texts side by side: what both have, what only one has, and what moved.

use nearprint::records::{FoundIn, PassageRow};
use nearprint::report::{escaped, grouped};
use nearprint::search::Measure;
use nearprint::{Verification, passages};

use super::html::Page;

/// Words of a passage of both texts that is shown whole; a longer one can be opened.
const SHORT: u64 = 60;

/// Words that are shown of a longer one.
const BEGINNING: usize = 14;

/// Words from which on a passage can be found again elsewhere: shorter ones are in many places by chance.
const MOVABLE: u64 = 8;

/// Passages of each text that are looked for in the other, the longest first.
const MOST_MOVABLE: usize = 100;

/// Share of its word 3-shingles that a passage which moved has at its new place.
const MOVED: f64 = 0.8;

/// Rows of passages on a page.
const MOST_ROWS: usize = 2000;

/// A piece of the comparison.
#[derive(Debug, PartialEq)]
enum Piece {
    /// What both have.
    Both(PassageRow),
    /// What one has in place of what the other has.
    Differ(Option<PassageRow>, Option<PassageRow>),
}

/// Passages in their order, those that stand for one another together.
fn pieces(rows: Vec<PassageRow>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while let Some(row) = rows.next() {
        pieces.push(match row.found_in {
            FoundIn::Both => Piece::Both(row),
            FoundIn::OnlyA => {
                Piece::Differ(Some(row), rows.next_if(|next| next.found_in == FoundIn::OnlyB))
            }
            FoundIn::OnlyB => Piece::Differ(None, Some(row)),
        });
    }
    pieces
}

/// For passages of the first text, by their first words, where they are in the second.
fn moved(pieces: &[Piece]) -> Vec<(u64, u64)> {
    let verification = Verification::new(Measure::Containment).at(MOVED).evidence(false);
    let longest = |of: fn(&Piece) -> Option<&PassageRow>| {
        let mut rows: Vec<_> =
            pieces.iter().filter_map(of).filter(|row| row.words >= MOVABLE).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.words));
        rows.truncate(MOST_MOVABLE);
        rows.into_iter().map(|row| (row, verification.features(&row.text))).collect::<Vec<_>>()
    };
    let a = longest(|piece| match piece {
        Piece::Differ(a, _) => a.as_ref(),
        Piece::Both(_) => None,
    });
    let b = longest(|piece| match piece {
        Piece::Differ(_, b) => b.as_ref(),
        Piece::Both(_) => None,
    });
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (one, features) in &a {
        let place = b.iter().find(|(other, theirs)| {
            other.b.is_some_and(|at| found.iter().all(|(_, taken)| *taken != at))
                && verification.verified(features, theirs).is_some()
        });
        if let Some((other, _)) = place {
            found.extend(one.a.zip(other.b));
        }
    }
    found
}

/// Writes the texts side by side.
pub(super) fn write(page: &mut Page, (a, b): (&str, &str), (name_a, name_b): (&str, &str)) {
    let pieces = pieces(passages(a, b));
    let moved = moved(&pieces);
    page.push(
        "<ul class=\"legend\"><li><span class=\"only-a\">only in the first</span></li><li><span \
         class=\"only-b\">only in the second</span></li><li><span class=\"moved\">moved</span></li><li \
         class=\"soft\">everything else is in both</li></ul>\n",
    );
    page.push(&format!(
        "<div class=\"sides\">\n<div class=\"heads\"><h2 dir=\"auto\">{}</h2><h2 dir=\"auto\">{}</h2></div>\n",
        escaped(name_a),
        escaped(name_b)
    ));
    for piece in pieces.iter().take(MOST_ROWS) {
        match piece {
            Piece::Both(row) => both(page, row),
            Piece::Differ(one, other) => {
                page.push("<div class=\"differ\">");
                side(page, one.as_ref(), "a", &moved);
                side(page, other.as_ref(), "b", &moved);
                page.push("</div>\n");
            }
        }
    }
    page.push("</div>\n");
    if pieces.len() > MOST_ROWS {
        page.push(&format!(
            "<p class=\"soft\">The first {} of {} passages are shown.</p>\n",
            grouped(MOST_ROWS as u64),
            grouped(pieces.len() as u64)
        ));
    }
}

fn both(page: &mut Page, row: &PassageRow) {
    let text = escaped(&row.text);
    if row.words <= SHORT {
        page.push(&format!("<p class=\"both\" dir=\"auto\">{text}</p>\n"));
        return;
    }
    let beginning: Vec<&str> = row.text.split_whitespace().take(BEGINNING).collect();
    // Scripts without spaces have no words to count here.
    let beginning: String = beginning.join(" ").chars().take(160).collect();
    page.push(&format!(
        "<details class=\"both\"><summary dir=\"auto\">{} … <bdi class=\"soft\">{} words in both</bdi></summary><p \
         dir=\"auto\">{text}</p></details>\n",
        escaped(&beginning),
        grouped(row.words)
    ));
}

/// A passage of one side, or its absence.
fn side(page: &mut Page, row: Option<&PassageRow>, which: &str, moved: &[(u64, u64)]) {
    let Some(row) = row else {
        page.push("<div class=\"absent\"><span class=\"hidden\">nothing here</span></div>");
        return;
    };
    let (at, place) = match which {
        "a" => (row.a, moved.iter().find(|(a, _)| row.a == Some(*a)).map(|(_, b)| ("b", b))),
        _ => (row.b, moved.iter().find(|(_, b)| row.b == Some(*b)).map(|(a, _)| ("a", a))),
    };
    let text = escaped(&row.text);
    let anchor = format!("{which}{}", at.unwrap_or(0));
    match place {
        Some((other, at)) => page.push(&format!(
            "<div class=\"moved\" id=\"{anchor}\"><p dir=\"auto\">{text}</p><a href=\"#{other}{at}\">moved</a></div>"
        )),
        None => page.push(&format!(
            "<div class=\"only-{which}\" id=\"{anchor}\"><p dir=\"auto\">{text}</p></div>"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_is_found_at_its_new_place() {
        let block = "the keeper of the light came down the stairs at noon with a lamp";
        let rest =
            "and then it rained for seven days until every brook became a river in the hills";
        let more = "nobody had seen such weather on this coast since the year of the long frost";
        let (a, b) = (format!("{block} {rest} {more}"), format!("{rest} {more} {block}"));
        let pieces = pieces(passages(&a, &b));
        let found = moved(&pieces);
        assert_eq!(found.len(), 1, "{pieces:?}");
        let mut page =
            Page::new(&crate::access::Access::Machine, "x", super::super::html::Tab::None);
        write(&mut page, (&a, &b), ("<a>", "b"));
        let html = format!("{:?}", page.answer(axum::http::StatusCode::OK));
        assert!(html.contains("200"));
    }

    #[test]
    fn passages_that_stand_for_one_another_are_together() {
        let found = pieces(passages("fog came in at noon today", "fog came in at dusk today"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            matches!(&found[1], Piece::Differ(Some(a), Some(b)) if a.text == "noon" && b.text == "dusk")
        );
    }
}
