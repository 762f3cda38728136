//! Where the main content of a page lies in the text of the whole page.

use std::ops::Range;

/// Bytes of `text` that are the lines of `main`: one stretch, or the heading of the page and the stretch after it.
/// `None` if they cannot be found. Linear in the length of both.
pub(super) fn stretches(text: &str, main: &str) -> Option<Vec<Range<usize>>> {
    let main = main.trim();
    let found = |piece: &str, from: usize| {
        let start = from + text.get(from..)?.find(piece)?;
        (!piece.is_empty()).then(|| start..start + piece.len())
    };
    if let Some(whole) = found(main, 0) {
        return Some(vec![whole]);
    }
    let (title, article) = main.split_once('\n')?;
    let title = found(title.trim(), 0)?;
    let article = found(article.trim(), title.end)?;
    Some(vec![title, article])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_content_is_found_in_the_text() {
        let text = "Menu\nTitle\nBy line\nOne.\nTwo.\nFooter\n";
        let pieces = |main: &str| {
            stretches(text, main).map(|all| {
                all.into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>().join("|")
            })
        };
        assert_eq!(pieces("One.\nTwo.\n").as_deref(), Some("One.\nTwo."));
        assert_eq!(pieces("Title\nOne.\nTwo.\n").as_deref(), Some("Title|One.\nTwo."));
        assert_eq!(pieces("Title\nThree.\n"), None);
        // The heading comes before the article.
        assert_eq!(pieces("Footer\nOne.\n"), None);
        assert_eq!(pieces("\n"), None);
    }
}
