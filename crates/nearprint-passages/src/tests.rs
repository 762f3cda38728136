//! What is found against the definition, of collections made to hurt.

mod oracle;
mod repeats;
mod resumption;

use proptest::prelude::*;

use self::oracle::Definition;
use crate::{PassageError, PassageLists, PassageSearch, PassageSettings};

/// Texts, and how they are searched.
#[derive(Debug, Clone)]
struct Case {
    texts: Vec<String>,
    references: Option<usize>,
    settings: PassageSettings,
}

impl Case {
    fn of(texts: Vec<String>, least_tokens: u32, most_places: u32) -> Self {
        let settings = PassageSettings { least_tokens, most_places, ..PassageSettings::default() };
        Self { texts, references: None, settings }
    }

    fn search(&self, texts_a_call: usize, hash_bits: u64) -> PassageLists {
        let mut search = PassageSearch::new(self.settings.clone()).unwrap();
        search.selection.hash_bits = hash_bits;
        let (documents, references) =
            self.texts.split_at(self.references.unwrap_or(self.texts.len()));
        documents.chunks(texts_a_call).for_each(|texts| search.push_all(texts).unwrap());
        if self.references.is_some() {
            search.begin_references();
        }
        references.chunks(texts_a_call).for_each(|texts| search.push_all(texts).unwrap());
        search.lists().unwrap()
    }

    fn definition(&self) -> Definition {
        Definition::of(&self.texts, self.references, &self.settings)
    }

    /// Compares with the definition where hashes collide.
    fn check_collisions(&self) {
        let definition = self.definition();
        for hash_bits in [0x7, 0x3F, 0xFFF0] {
            definition.covers(&self.search(10, hash_bits));
        }
    }

    /// Compares with the definition, for several divisions and bounds.
    fn check(&self) -> PassageLists {
        let found = self.search(7, u64::MAX);
        let definition = self.definition();
        definition.compare(&found);
        for (texts_a_call, memory, threads) in [(1, 0, 1), (3, 1 << 21, 3), (1000, 1 << 30, 2)] {
            let settings = PassageSettings { memory, ..self.settings.clone() };
            let case = Self { settings, ..self.clone() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| case.search(texts_a_call, u64::MAX)) == found);
        }
        found
    }
}

/// Words of a few scripts, so few that they repeat.
const WORDS: [&str; 12] = [
    "fog ",
    "Fog, ",
    "rain ",
    "GROSSE ",
    "Größe ",
    "12 ",
    "7.5 ",
    "日本",
    "のテスト",
    "น้ำท่วม ",
    "a ",
    "b. ",
];

fn texts(kinds: usize, most: usize) -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(0..kinds, 0..most);
    let text = text.prop_map(|words| words.into_iter().map(|word| WORDS[word]).collect::<String>());
    prop::collection::vec(text, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn all_shared_runs_are_found(
        texts in (1..=WORDS.len()).prop_flat_map(|kinds| texts(kinds, 60)),
        (least, most) in (1u32..9, 1u32..40),
        numbers: bool,
        references: Option<prop::sample::Index>,
    ) {
        let references = references.map(|at| at.index(texts.len() + 1));
        let mut case = Case::of(texts, least, most);
        case.settings.numbers = numbers;
        case.references = references;
        case.check();
        case.check_collisions();
    }
}

/// Frequent windows of one hash but other tokens are beside two windows that are equal: their pair must be proposed.
#[test]
fn collisions_of_frequent_windows_hide_no_run_beside_them() {
    let texts = [
        "fog rain rain fog rain rain fog fog fog rain fog fog fog fog fog",
        "fog rain rain fog rain rain fog rain rain fog rain fog fog fog fog fog fog rain fog fog rain rain",
        "fog fog Fog, fog fog Fog, Fog, rain Fog, fog Fog, rain fog rain fog rain fog rain rain",
    ];
    Case::of(texts.map(str::to_owned).to_vec(), 6, 6).check_collisions();
}

/// Texts of random words, in which passages of other texts are planted.
fn planted(count: usize, words: usize, state: &mut u64) -> Vec<String> {
    let mut random = |below: usize| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as usize % below
    };
    let mut texts: Vec<Vec<String>> = Vec::new();
    for _ in 0..count {
        let mut text: Vec<String> = (0..words).map(|_| format!("w{}x", random(5_000))).collect();
        for _ in 0..random(3) {
            if let Some(other) = texts.get(random(count)) {
                let start = random(words);
                let passage = &other[start..words.min(start + 1 + random(120))];
                let at = random(words);
                text.splice(at..(at + passage.len()).min(words), passage.iter().cloned());
                text.truncate(words);
                text.resize(words, "end".to_owned());
            }
        }
        texts.push(text);
    }
    texts.into_iter().map(|text| text.join(" ")).collect()
}

#[test]
fn planted_passages_are_found_to_the_last_position() {
    let texts = planted(2_000, 150, &mut 3);
    let found = Case::of(texts.clone(), 50, 1000).check();
    assert!(found.shared.len() > 200, "{}", found.shared.len());
    let mut against = Case::of(texts, 13, 1000);
    against.references = Some(1_000);
    assert!(against.check().shared.len() > 100);
}

#[test]
fn runs_of_exactly_the_least_length_are_found_and_shorter_ones_are_not() {
    let words = |prefix: &str, count: usize| -> String {
        (0..count)
            .map(|n| {
                format!(
                    "{prefix}{} ",
                    char::from(b'a' + n as u8 % 26).to_string().repeat(1 + n / 26)
                )
            })
            .collect()
    };
    for least in [1usize, 2, 5, 8, 13, 50, 100] {
        for length in [least, least - 1] {
            let shared = words("s", length);
            for around in [0, 1, 60] {
                let texts = ["p", "q"].map(|name| {
                    format!("{}{shared}{}", words(name, around), words(&format!("{name}z"), around))
                });
                let found = Case::of(texts.to_vec(), least as u32, 1000).check();
                let lengths: Vec<_> = found.shared.iter().map(|row| row.tokens).collect();
                let wanted = if length == least { vec![least as u32] } else { vec![] };
                assert_eq!(lengths, wanted, "{least} {length} {around}");
            }
        }
    }
}

/// Two pages of about 2,000 tokens that share 2 to 30 percent, in four languages: always found, and at its place.
#[test]
fn small_shares_of_two_pages_are_always_found() {
    let mut state = 11u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let alphabets = [
        "abcdefghiklmnoprstuw",
        "aäeinoöprstuüß",
        "的一是不了人我在有他这中大来上国",
        "กขคงจชดตทนบปผพมยรลวสหอ",
    ];
    for alphabet in alphabets {
        let letters: Vec<char> = alphabet.chars().collect();
        let is_spaced = !alphabet.contains(['的', 'ก']);
        for percent in [2, 5, 10, 20, 30] {
            for _ in 0..100 {
                let mut page = |tokens: usize| {
                    let mut page = String::new();
                    for _ in 0..tokens {
                        for _ in 0..if is_spaced { 2 + random(6) } else { 1 } {
                            page.push(letters[random(letters.len())]);
                        }
                        page.push_str(if is_spaced { " " } else { "" });
                    }
                    page
                };
                // A run of n letters of a script without spaces has n - 1 tokens.
                let shared =
                    format!(" {}. ", page(if is_spaced { 1 } else { 3 } * 20 * percent + 10));
                let before = [random(1_000), random(1_000)];
                let mut page = |tokens: usize| -> String {
                    (0..tokens).map(|_| format!("{} ", letters[random(letters.len())])).collect()
                };
                let texts = before.map(|at| format!("{}{shared}{}", page(at), page(2_000 - at)));
                let mut tokens = 0;
                nearprint_fingerprint::placed_tokens(&shared, false, |_| tokens += 1);
                assert!(tokens >= 50);
                let found = Case::of(texts.to_vec(), 50, 1000).search(2, u64::MAX);
                assert!(
                    found
                        .shared
                        .iter()
                        .any(|row| row.text.contains(shared.trim_matches([' ', '.'])))
                );
            }
        }
    }
}

#[test]
fn periodic_texts_are_exact_within_the_bound_and_frequent_beyond_it() {
    for period in [1, 2, 3, 7, 60] {
        let cycle: String = (0..period).map(|n| format!("w{} ", "x".repeat(n + 1))).collect();
        let texts = vec![
            cycle.repeat(120 / period + 1),
            format!("start {}", cycle.repeat(90 / period + 1)),
        ];
        for most in [1, 5, 1000] {
            Case::of(texts.clone(), 20, most).check();
        }
    }
}

#[test]
fn one_token_a_million_times_takes_linear_time() {
    let texts = vec!["fog ".repeat(1_000_000), format!("so {}", "fog ".repeat(1_000_000))];
    let found = Case::of(texts, 50, 1000).search(2, u64::MAX);
    assert_eq!((found.shared.len(), found.frequent.len(), found.places.len()), (0, 1, 2));
    let passage = &found.frequent[0];
    assert_eq!((passage.documents, passage.places, passage.tokens), (2, 1_999_902, 50));
    assert_eq!(found.places[1].place.end_byte - found.places[1].place.start_byte, 3_999_999);
}

#[test]
fn one_passage_in_a_hundred_thousand_texts_is_one_row() {
    let licence: String = (0..80).map(|n| format!("licence{} ", "a".repeat(n))).collect();
    let texts: Vec<String> =
        (0..100_000).map(|n| format!("before{n}x {licence} after{n}x")).collect();
    let found = Case::of(texts, 50, 1000).search(10_000, u64::MAX);
    assert_eq!((found.shared.len(), found.frequent.len()), (0, 1));
    let passage = &found.frequent[0];
    assert_eq!((passage.tokens, passage.documents, passage.places), (80, 100_000, 100_000));
    assert_eq!(found.places.len(), 100_000);
}

/// Boilerplate with a word beside it that some of the texts have by chance, as in natural text: no text shares more
/// with another than the boilerplate, so no pair is listed, and none is compared for each two texts with the same word.
#[test]
fn boilerplate_with_chance_words_beside_it_is_one_row() {
    let notice: String = (0..80).map(|n| format!("notice{} ", "a".repeat(n))).collect();
    let mut state = 5u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    // The n-th word has a frequency of 1 / n.
    let mut words = |count: usize| -> String {
        (0..count).map(|_| format!("w{:x}x ", 5_000f64.powf(random()) as u64)).collect()
    };
    let texts: Vec<String> =
        (0..20_000).map(|_| format!("{}{notice}{}", words(3), words(3))).collect();
    let mut search = PassageSearch::new(PassageSettings::default()).unwrap();
    search.push_all(&texts).unwrap();
    let mut found = PassageLists::default();
    let counts = search.run::<PassageError>(&mut found).unwrap();
    assert_eq!(found.shared, []);
    let most = found.frequent.iter().map(|passage| (passage.documents, passage.tokens)).max();
    assert_eq!(most, Some((20_000, 80)));
    assert!(counts.candidates < 20_000, "{counts:?}");
    // Without pairs, frequent passages are the same.
    let settings = PassageSettings { pairs: false, ..PassageSettings::default() };
    let mut search = PassageSearch::new(settings).unwrap();
    search.push_all(&texts).unwrap();
    let alone = search.lists().unwrap();
    assert!(alone == found);
}

/// Texts that share half of a window beside boilerplate are a pair; with one token less they are not.
#[test]
fn half_of_a_window_beside_boilerplate_makes_a_pair() {
    let notice: String = (0..60).map(|n| format!("notice{} ", "a".repeat(n))).collect();
    for (own, wanted) in [(25, 1), (24, 0)] {
        let shared: String = (0..own).map(|n| format!("own{} ", "b".repeat(n))).collect();
        let mut texts: Vec<String> = (0..30).map(|n| format!("x{n}y {notice}")).collect();
        texts.extend([1, 2].map(|n| format!("before{n}z {shared} {notice}")));
        let found = Case::of(texts, 50, 20).check();
        assert_eq!((found.shared.len(), found.frequent.len()), (wanted, 1), "{own}");
    }
}

/// Random texts with boilerplate of several kinds, and words between, against the definition.
#[test]
fn boilerplate_of_many_forms_equals_the_definition() {
    let mut state = 8u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    for least in [4, 7, 10] {
        for _ in 0..20 {
            let texts: Vec<String> = (0..25)
                .map(|_| {
                    let mut text = String::new();
                    for _ in 0..4 {
                        for _ in 0..random(6) {
                            text.push_str(["fog ", "rain ", "sun ", "of "][random(4)]);
                        }
                        let notice = random(3);
                        let letters = ["abcdefghijk", "lmnopqrst", "abcdeuvwxyzk"][notice];
                        letters.chars().for_each(|letter| text.extend([letter, ' ']));
                    }
                    text
                })
                .collect();
            let case = Case::of(texts, least, 12);
            case.check();
            case.check_collisions();
        }
    }
}

#[test]
fn whoever_watches_a_search_can_end_it() {
    let texts = planted(300, 150, &mut 4);
    let mut search = PassageSearch::new(PassageSettings::default()).unwrap();
    search.push_all(&texts).unwrap();
    let (mut seen, mut lists) = (Vec::new(), PassageLists::default());
    search
        .run_watched::<PassageError>(
            &mut |progress| {
                seen.push(progress);
                true
            },
            &mut lists,
        )
        .unwrap();
    let last = seen.last().unwrap();
    assert_eq!((last.done, last.passages), (last.total, lists.shared.len() as u64));
    let mut search = PassageSearch::new(PassageSettings::default()).unwrap();
    search.push_all(&texts).unwrap();
    let error = search.run_watched::<PassageError>(&mut |_| false, &mut lists).unwrap_err();
    assert!(matches!(error, PassageError::Cancelled));
}

#[test]
fn settings_out_of_their_ranges_are_errors() {
    let default = PassageSettings::default;
    for (settings, name) in [
        (PassageSettings { least_tokens: 0, ..default() }, "least_tokens"),
        (PassageSettings { least_tokens: 10_001, ..default() }, "least_tokens"),
        (PassageSettings { most_places: 0, ..default() }, "most_places"),
    ] {
        let error = PassageSearch::new(settings).unwrap_err();
        assert!(matches!(error, PassageError::Setting(setting, _) if setting == name));
    }
    let nowhere = PassageSettings { directory: "/nowhere/at/all".into(), memory: 0, ..default() };
    let mut search = PassageSearch::new(nowhere).unwrap();
    let text: String = (0..300_000).map(|n| format!("word{n}x ")).collect();
    let error = search.push(&text).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}
