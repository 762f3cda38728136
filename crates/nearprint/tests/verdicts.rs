//! Verdicts about texts that differ in numbers, signs or notes: what deduplication keeps, what it drops and why, and
//! which pairs verification confirms.

use nearprint::records::{Document, DocumentId, ErrorRecord};
use nearprint::search::Measure;
use nearprint::{Dedup, Engine, Error, Keep, Policy, Role, Settings, Verification};

/// Keeps or drops these texts, in a row each, whatever contradicts.
fn decided(texts: &[String]) -> Vec<String> {
    decided_by(Policy::Loose, texts)
}

fn decided_by(policy: Policy, texts: &[String]) -> Vec<String> {
    decided_as(&Dedup::default().policy(policy), texts)
}

fn decided_as(deduplication: &Dedup, texts: &[String]) -> Vec<String> {
    let mut source = texts.iter().zip(1..).map(|(text, number)| {
        let id = DocumentId::new(format!("text-{number}")).unwrap();
        Ok::<_, ErrorRecord>(Document::from_bytes(id, text.clone()))
    });
    let engine = Engine::default();
    let mut gathered = deduplication.gather(&engine).unwrap();
    let settings = Settings::default().scheme(deduplication.print_scheme());
    engine
        .pipeline(settings)
        .read(&mut source, &deduplication.wanted(), |record, made, arrival| {
            let features = made.and_then(|made| made.features);
            gathered.push(&record, features.as_ref(), Role::Candidate, arrival)
        })
        .unwrap();
    let decisions = deduplication.decide(&mut gathered, deduplication.search()).unwrap();
    let mut rows = Vec::new();
    decisions
        .for_each(&mut gathered, |row| {
            let similarity = row.similarity.map_or(String::new(), |s| format!(" {s:.2}"));
            let contradicts = row.contradicts.map_or(String::new(), |what| format!(" {what}"));
            rows.push(format!("{}{similarity}{contradicts}", row.reason));
            Ok::<_, Error>(())
        })
        .unwrap();
    rows
}

/// What a text of `{}` is with each of these in turn.
fn filled(text: &str, all: &[&[&str]]) -> Vec<String> {
    let fill = |values: &&[&str]| {
        values.iter().fold(text.to_owned(), |text, value| text.replacen("{}", value, 1))
    };
    all.iter().map(fill).collect()
}

const RELEASE: &str = "Django {} is designated as a long-term support release. It will receive security updates for at \
    least three years after its release. Support for the previous long-term release ends when this one is a year old. These notes \
    cover the new features, and the changes that you will want to be aware of when you upgrade from an earlier version. We have begun \
    the deprecation process for some features, and others have reached the end of theirs and are removed.";

const LIBRARY: &str = "This package contains the shared library of SQLite {}, an engine for databases in one file that needs no \
    server. The library is linked into a program and reads and writes ordinary files. It has transactions that survive a crash, \
    indexes, views and triggers, and a query planner that chooses among them. The command line shell is in a package of its own.";

fn price_list(cents: &[u32]) -> String {
    let goods = "apples, pears, plums, cherries, walnuts, onions, carrots, white cabbage, brown rice, rye flour, sea salt, honey";
    let line = |(goods, price): (&str, &u32)| {
        format!("{goods}: {}.{:02} € a kilo\n", price / 100, price % 100)
    };
    let lines: String = goods.split(", ").zip(cents).map(line).collect();
    format!(
        "Price list of the co-operative shop at the old station\n\n{lines}\nAll prices include tax."
    )
}

#[test]
fn other_numbers_and_signs_are_other_texts() {
    let problems = filled(
        "Tom has {} apples and buys {} more at the market. He gives {} of them to his sister. How many apples does Tom have now?",
        &[
            &["12", "7", "4"],
            &["15", "9", "6"],
            &["31", "18", "25"],
            &["8", "3", "2"],
            &["40", "11", "17"],
        ],
    );
    assert_eq!(decided(&problems), ["unique"; 5]);
    let sums = filled(
        "Work out this sum and write down the result: {} = ?",
        &[&["12 + 7"], &["12 - 7"], &["31 + 4"], &["12 * 7"], &["٣١ + ٤"]],
    );
    assert_eq!(decided(&sums), ["unique", "unique", "representative", "unique", "same-words 1.00"]);
    let formulas = filled(
        "The value of {} where a, b and c are whole numbers greater than zero",
        &[&["a + b*c"], &["a - b/c"], &["a + b×c"]],
    );
    assert_eq!(decided(&formulas), ["representative", "unique", "same-words 1.00"]);
    let prices = [250, 320, 410, 899, 1250, 99, 120, 80, 340, 150, 65, 780];
    let others = prices.map(|price| price * 11 / 10 + 107);
    let lists = [price_list(&prices), price_list(&others), price_list(&prices).to_uppercase()];
    assert_eq!(decided(&lists), ["representative", "unique", "same-words 1.00"]);
}

#[test]
fn another_version_in_prose_is_of_the_same_words_and_not_the_same() {
    for texts in
        [filled(RELEASE, &[&["2.2"], &["3.2"]]), filled(LIBRARY, &[&["3.14.1"], &["3.25.3"]])]
    {
        let found = decided(&texts);
        assert_eq!(found[0], "representative");
        assert!(found[1].starts_with("same-words 0."), "{found:?}");
    }
}

#[test]
fn the_reasons_are_what_they_say() {
    let text = RELEASE.replace("{}", "2.2");
    let texts = [
        text.clone(),
        text.to_uppercase().replace(' ', "\n \t"),
        text.replace(". ", "! "),
        text.replace("three years", "two years"),
        format!("{text} {text}"),
    ];
    let found = decided(&texts);
    assert_eq!(found[..3], ["representative", "same-words 1.00", "same-words 1.00"]);
    assert!(found[3].starts_with("near 0.9") && found[4].starts_with("near 0.9"), "{found:?}");
}

/// What one medium has and another lacks: numbers of pages, of items and of notes.
#[test]
fn numbers_of_one_medium_cost_no_pair() {
    let sentences: Vec<&str> = LIBRARY.split(". ").chain(RELEASE.split(". ")).collect();
    let plain = sentences.join(". ");
    let with = |add: &dyn Fn(usize, &str) -> String| -> String {
        (1..).zip(&sentences).map(|(number, sentence)| add(number, sentence) + ". ").collect()
    };
    let media = [
        with(&|number, sentence| format!("{sentence}\n\n- {number} -\n\n")),
        with(&|number, sentence| format!("\n{number}. {sentence}")),
        with(&|number, sentence| format!("{sentence} [{number}]")),
        with(&|number, sentence| format!("{sentence}.{}", ['¹', '²', '³'][number % 3])),
        with(&|number, sentence| format!("§ {number}.{} {sentence}", number + 1)),
    ];
    let items = "flour and salt, a cup of water, yeast, two eggs, some butter, a pinch of sugar, seeds for the crust, an oven";
    let short: String =
        (1..).zip(items.split(", ")).map(|(number, item)| format!("{number}. {item}\n")).collect();
    for measure in Measure::ALL {
        let verification = Verification::new(measure);
        let passes = |a: &str, b: &str| {
            verification.verified(&verification.features(a), &verification.features(b)).is_some()
        };
        for medium in &media {
            assert!(passes(&plain, medium), "{measure:?}: {medium}");
        }
        let without = short.replace(|c: char| c.is_ascii_digit(), "");
        assert!(passes(&without, &short), "{measure:?}");
    }
    // Nor do they cost a document of some length at what deduplication demands.
    for medium in &media[..3] {
        let found = decided(&[plain.clone(), medium.clone()]);
        assert!(found[1].starts_with("same-words 0."), "{found:?}");
    }
}

/// What a careful person would keep and what not, of the texts that users brought.
#[test]
fn careful_keeps_what_contradicts_and_drops_what_does_not() {
    let letter = "{}, born {}, was a patient of our department of {} from {} to {}. We thank you for the friendly referral \
        of {} and report on the treatment, which went as planned. The findings were explained, a control is advised in \
        {} weeks, and the wound is to be kept dry until the stitches are taken out by the family doctor. Kind regards";
    let letters = filled(
        &format!("{letter} {} {}", LIBRARY.replace("{}", "one"), RELEASE.replace("{}", "two")),
        &[
            &["Anna Berg", "3.4.1961", "surgery", "2.1.2024", "9.1.2024", "Anna Berg", "6"],
            &["Otto Klein", "7.9.1948", "urology", "5.2.2024", "8.2.2024", "Otto Klein", "4"],
        ],
    );
    let page = format!("{LIBRARY} {RELEASE} {LIBRARY}");
    let wells = filled(
        "Water from the well at {} has {} mg/l of nitrate and is fit to drink for all",
        &[&["the mill", "0,25"], &["the mill", "0,40"]],
    );
    for (texts, second) in [
        (letters, "contradicts"),
        (wells, "contradicts"),
        (filled(LIBRARY, &[&["3.14.1"], &["3.25.3"]]), "contradicts"),
        (
            filled(
                "Kernel for {}-bit machines with a desktop, with modules for most devices",
                &[&["64"], &["32"]],
            ),
            "contradicts",
        ),
        (
            filled(
                &format!("{} Last updated: {{}}", page.replace("{}", "2")),
                &[&["12 March 2024"], &["3 May 2025"]],
            ),
            "near",
        ),
        (
            filled(
                &format!("{} Generated in {{}} s", page.replace("{}", "2")),
                &[&["0.03"], &["0.18"]],
            ),
            "same-words",
        ),
        (
            filled(
                &format!("{} Visitors: {{}}", page.replace("{}", "2")),
                &[&["12345"], &["12399"]],
            ),
            "same-words",
        ),
    ] {
        let found = decided_by(Policy::Careful, &texts);
        assert!(found[1].starts_with(second), "{found:?}: {}", texts[1]);
        if second != "contradicts" {
            assert!(decided_by(Policy::Exact, &texts)[1].starts_with("unique"));
        }
    }
}

/// Words from `first` on, none twice.
fn words(first: u32, count: u32) -> Vec<String> {
    let letter = |number: u32| char::from(b'a' + (number % 26) as u8);
    let word =
        |number: u32| [letter(number / 676), letter(number / 26), letter(number)].iter().collect();
    (first..first + count).map(word).collect()
}

/// Pages of one template are long, and of other things.
#[test]
fn replaced_words_contradict_in_long_texts_too() {
    let page = words(0, 400);
    let with = |every: usize| {
        let mut other = page.clone();
        (0..400).step_by(every).for_each(|at| other[at] = format!("{}x", other[at]));
        [page.join(" "), other.join(" ")].to_vec()
    };
    assert_eq!(decided_by(Policy::Careful, &with(50))[1], "contradicts 0.90 8 words");
    assert_eq!(decided_by(Policy::Careful, &with(200))[1], "near 0.98");
}

/// A document that says more is not dropped for one that says less.
#[test]
fn what_one_document_says_alone_is_kept() {
    let (less, more) = (words(0, 80).join(" "), words(0, 100).join(" "));
    let careful = Dedup::default();
    let texts = [less.clone(), more.clone()];
    assert_eq!(decided_as(&careful, &texts), ["unique", "contradicts 0.80 20 more words"]);
    let longest = careful.clone().keep(Keep::Longest);
    assert_eq!(decided_as(&longest, &texts), ["near 0.80", "representative"]);
    assert_eq!(decided_as(&careful, &[more, less]), ["representative", "near 0.80"]);
    let few = [words(0, 80).join(" "), words(0, 88).join(" ")];
    assert_eq!(decided_as(&careful, &few), ["representative", "near 0.91"]);
}
