//! Items in texts against the definition by brute force.

use nearprint_passages::{ItemIndex, ItemSettings};

const SETTINGS: ItemSettings =
    ItemSettings { least_tokens: 13, shortest: 5, numbers: true, answer_within: 10 };

/// A made word: letters alone, so that it is a token.
fn word(number: usize) -> String {
    format!(
        "w{}",
        ["a", "b", "c", "d", "e", "f", "g"].map(|letter| letter.repeat(number % 7 + 1))
            [number / 7 % 7]
    )
}

fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) as usize % below
}

/// All maximal runs of items, by brute force.
fn expected(
    items: &[Vec<String>],
    text: &[String],
    least: usize,
) -> Vec<(usize, usize, u32, usize)> {
    let mut found = Vec::new();
    for (number, item) in items.iter().enumerate() {
        if item.len() < 5 {
            continue;
        }
        let wanted = least.min(item.len());
        for at in 0..text.len() {
            for start in 0..item.len() {
                let is_begun = at > 0 && start > 0 && text[at - 1] == item[start - 1];
                let equal = item[start..].iter().zip(&text[at..]);
                let length = equal.take_while(|(one, other)| one == other).count();
                if !is_begun && length >= wanted {
                    found.push((at, start, number as u32, length));
                }
            }
        }
    }
    found.sort_unstable_by_key(|&(at, start, item, _)| (at, item, start));
    found
}

#[test]
fn all_runs_of_items_are_found_wherever_they_are() {
    let mut state = 7;
    for _ in 0..300 {
        let kinds = 2 + random(&mut state, 48);
        let mut words = |count: usize| -> Vec<String> {
            (0..count).map(|_| word(random(&mut state, kinds))).collect()
        };
        let items: Vec<Vec<String>> = (0..8).map(|n| words(3 + n * 3)).collect();
        let mut text = words(150);
        for (at, item) in items.iter().enumerate() {
            text.splice(at * 10..at * 10 + 2, item.iter().skip(at % 3).cloned());
        }
        let mut index = ItemIndex::new(SETTINGS);
        for item in &items {
            assert_eq!(index.push(&item.join(" "), None), item.len() as u32);
        }
        index.finish();
        // Layout makes no difference.
        let found = index.matches(&text.join(",\n"));
        let found: Vec<_> = found
            .iter()
            .map(|found| {
                let before =
                    text.join(",\n")[..found.place.start_byte as usize].matches('\n').count();
                (before, found.item_start as usize, found.item, found.tokens as usize)
            })
            .collect();
        assert_eq!(found, expected(&items, &text, 13));
    }
}

#[test]
fn an_answer_must_follow_its_question_within_the_bound() {
    let mut index = ItemIndex::new(SETTINGS);
    index.push("How many boats wait outside the bar", Some("42 boats"));
    index.push("too short to decide", Some("yes"));
    index.push("Who writes down the weather every evening", None);
    index.finish();
    let answers = |text: &str| -> Vec<_> {
        index.matches(text).into_iter().map(|found| (found.item, found.answer)).collect()
    };
    let gap = "so ".repeat(10);
    assert_eq!(answers("how many boats wait outside the bar? 42 boats."), [(0, Some(true))]);
    let far = format!("How many boats wait outside the bar: {gap} 42 boats");
    assert_eq!(answers(&far), [(0, Some(true))]);
    let too_far = format!("How many boats wait outside the bar: so {gap} 42 boats");
    assert_eq!(answers(&too_far), [(0, Some(false))]);
    assert_eq!(answers("42 boats. How many boats wait outside the bar"), [(0, Some(false))]);
    assert_eq!(answers("who writes down the weather every evening"), [(2, None)]);
    assert_eq!(answers("too short to decide"), []);
    assert!(!index.is_decidable(1) && index.is_decidable(0));
}

#[test]
fn what_very_many_items_have_in_common_shows_nothing() {
    let mut index = ItemIndex::new(SETTINGS);
    let form = "the following is a question with four answers choose the right one of these";
    for number in 0..=1000 {
        index.push(&format!("{form} number {number} {}", word(number)), None);
    }
    index.finish();
    assert_eq!(index.matches(form), []);
    let found = index.matches(&format!("{form} number 7 {}", word(7)));
    assert_eq!(found.iter().map(|found| (found.item, found.tokens)).collect::<Vec<_>>(), [(7, 17)]);
}
