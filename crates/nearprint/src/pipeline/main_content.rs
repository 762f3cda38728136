//! Where the main content of a page lies in the text of the whole page.

use std::ops::Range;

/// Bytes of `text` that are the lines of `main`, which are lines of it in their order; neighbours are one stretch.
/// `None` if they cannot be found. Linear in the length of both.
pub(super) fn stretches(text: &str, main: &str) -> Option<Vec<Range<usize>>> {
    let main = main.trim_matches('\n');
    // Where one stretch is all, its lines may stand elsewhere too.
    if let Some(start) = text.find(main).filter(|_| !main.is_empty()) {
        let whole = start..start + main.len();
        return Some(vec![whole]);
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut wanted = main.split('\n').filter(|line| !line.is_empty()).peekable();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        if wanted.next_if_eq(&content).is_some() {
            let end = at + content.len();
            match found.last_mut() {
                Some(last) if last.end + 1 == at => last.end = end,
                _ => found.push(at..end),
            }
        }
        at += line.len();
    }
    (wanted.peek().is_none() && !found.is_empty()).then_some(found)
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
        assert_eq!(pieces("Title\nOne.\nFooter\n").as_deref(), Some("Title|One.|Footer"));
        // They are in their order.
        assert_eq!(pieces("Footer\nOne.\n"), None);
        assert_eq!(pieces("\n"), None);
    }
}
