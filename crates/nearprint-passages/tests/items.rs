//! Items in texts against the definition by brute force.

use nearprint_passages::{ItemClusters, ItemIndex, ItemSettings, ItemWords};

const SETTINGS: ItemSettings = ItemSettings {
    least_tokens: 13,
    shortest: 5,
    shortest_with_answer: 0,
    least_different: 0,
    most_items: 100,
    words: ItemWords::Tokens { numbers: true },
    answer_within: 10,
};

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
    assert!(!index.is_decidable(1) && index.is_decidable(0) && !index.is_form(1));
}

#[test]
fn what_very_many_items_have_in_common_shows_nothing() {
    let mut index = ItemIndex::new(SETTINGS);
    let form = "the following is a question with four answers choose the right one of these";
    for number in 0..=100 {
        index.push(&format!("{form} number {number} {}", word(number)), None);
    }
    index.push(form, None);
    index.finish();
    // Of that form alone nothing can be said.
    assert!(index.is_decidable(7) && !index.is_decidable(101));
    assert!(index.is_form(101) && !index.is_form(7));
    assert_eq!(index.matches(form), []);
    let found = index.matches(&format!("{form} number 7 {}", word(7)));
    assert_eq!(found.iter().map(|found| (found.item, found.tokens)).collect::<Vec<_>>(), [(7, 17)]);
}

#[test]
fn plain_words_are_found_across_lines_and_without_punctuation() {
    let settings = ItemSettings { words: ItemWords::Plain, shortest: 8, ..SETTINGS };
    let mut index = ItemIndex::new(settings);
    index.push("Which bird, of all, stays over the (grey) harbour at noon?", None);
    index.push("Which bird stays over the harbour?", None);
    index.finish();
    let found =
        index.matches("so\nwhich BIRD -- of all -- stays\nover the grey harbour, at noon so");
    assert_eq!(found.iter().map(|found| (found.item, found.tokens)).collect::<Vec<_>>(), [(0, 11)]);
    assert_eq!(found[0].place.start_byte, 3);
    assert_eq!(index.runs_within(&found[0]).count(), 1);
    assert!(!index.is_decidable(1));
}

fn clusters(items: &[(&str, Option<&str>)]) -> ItemClusters {
    let mut index = ItemIndex::new(ItemClusters::settings(ItemSettings::default()));
    for (question, answer) in items {
        index.push(question, *answer);
    }
    ItemClusters::new(index)
}

#[test]
fn clusters_join_over_gaps_and_weigh_questions_and_answers() {
    let long: Vec<String> = (0..60).map(|n| format!("long{}", "y".repeat(n))).collect();
    let other: Vec<String> = (0..60).map(|n| format!("other{}", "x".repeat(n))).collect();
    let (question, answer) = (long.join(" "), "the grey gull of the north");
    let items = clusters(&[
        (&question, None),
        (&other.join(" "), Some(answer)),
        ("Too short to say", None),
    ]);
    assert!(items.index().is_decidable(0) && !items.index().is_decidable(2));
    let found = |text: &str| -> Vec<(u32, Option<bool>)> {
        let found = items.find(text).into_iter();
        found.map(|cluster| (cluster.item, cluster.answer.map(|share| share > 0.8))).collect()
    };
    assert_eq!(found(&question), [(0, None)]);
    // Ten words between do not end a cluster, eleven do.
    let with_gap = |words: usize| {
        let gap = "so ".repeat(words);
        format!("{} {gap} {}", long[..30].join(" "), long[30..].join(" "))
    };
    assert_eq!(found(&with_gap(6)), [(0, None)]);
    assert_eq!(found(&with_gap(7)), []);
    // Four fifths of a long question, not less.
    assert_eq!(found(&long[..52].join(" ")), [(0, None)]);
    assert_eq!(found(&long[..45].join(" ")), []);
    // A question with an answer is not shown by itself.
    let quiz = format!("{} answer: {answer}", other.join(" "));
    assert_eq!(found(&quiz), [(1, Some(true))]);
    assert_eq!(found(&other.join(" ")), []);
    let far = format!("{} {} {answer}", other.join(" "), "so ".repeat(100));
    assert_eq!(found(&far), []);
}

#[test]
fn items_that_all_have_weigh_by_the_number_of_their_runs() {
    let question = (0..30).map(|n| format!("long{}", "y".repeat(n))).collect::<Vec<_>>().join(" ");
    let text = format!("intro {question} the end");
    for count in [1, 2] {
        let items = clusters(&vec![(question.as_str(), None); count]);
        let found = items.find(&text);
        let found: Vec<_> = found.iter().map(|found| (found.item, found.tokens)).collect();
        assert_eq!(found, [(0, 30), (1, 30)][..count]);
    }
    let answer = "the grey gull of the north";
    let items = clusters(&[(&question, Some(answer))]);
    assert_eq!(items.find(&format!("{text} {question} {answer}")).len(), 1);
    // What very many have opens no cluster, and is undecidable.
    let items = clusters(&vec![(question.as_str(), None); 2001]);
    assert!(items.find(&text).is_empty());
    assert!(items.index().is_form(0) && !items.index().is_decidable(0));
}

#[test]
fn stretches_are_runs_of_any_items() {
    let mut index = ItemIndex::new(ItemSettings { least_tokens: 3, shortest: 1, ..SETTINGS });
    for _ in 0..200 {
        index.push("one two three four five", None);
    }
    index.push("six seven", None);
    index.finish();
    let texts = |text: &str| -> Vec<String> {
        index.stretches(text).into_iter().map(|stretch| text[stretch].to_owned()).collect()
    };
    assert_eq!(texts("so One two, three four. Six seven!"), ["One two, three four", "Six seven"]);
    assert_eq!(texts("one two four five six"), Vec::<String>::new());
    assert_eq!(texts("three four five one two three"), ["three four five", "one two three"]);
}
