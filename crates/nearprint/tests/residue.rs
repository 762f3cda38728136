//! What words do not see counts: signs between words, marks at the end of a word, addresses, pictures, exponents and
//! the case of names. Only identical texts have similarity 1, and texts of the same words say what differs.

use nearprint::records::TextGrade;
use nearprint::search::Measure;
use nearprint::{TextComparison, Verification, compare_texts};

fn compared(a: &str, b: &str) -> TextComparison {
    compare_texts(a, b, Verification::new(Measure::Jaccard))
}

/// Text around what differs, of as many words as a short page has.
fn within(text: &str) -> String {
    format!(
        "This is what the page says about it, and nothing else is said here: {text} It was written down by hand."
    )
}

#[test]
fn texts_of_the_same_words_say_what_contradicts() {
    for (a, b, contradicts) in [
        ("total = total + amount", "total = total - amount", "1 sign"),
        ("if a.total > a.limit", "if a.total < a.limit", "1 sign"),
        ("total + price[i]*qty[i]", "total - price[i]/qty[i]", "2 signs"),
        ("the operator<< of the class", "the operator>> of the class", "1 sign"),
        ("bool operator==(left, right)", "bool operator!=(left, right)", "1 sign"),
        ("blood of group AB+ only", "blood of group AB- only", "1 sign"),
        (
            "see https://news.org/elections for more",
            "see https://news.org/cup-final for more",
            "1 address",
        ),
        ("write to anna@news.org or call", "write to otto@news.org or call", "1 address"),
        ("we loved it 😀😀😀 very much", "we loved it 😡😡😡 very much", "1 picture"),
        ("an area of 10² square kilometres", "an area of 102 square kilometres", "1 number"),
        ("signed in 1648³ by all", "signed in 16483 by all", "1 number"),
        ("it is 2³ times as much", "it is 2⁴ times as much", "1 exponent"),
        ("take 1½ cups of it", "take 11/2 cups of it", "3 numbers"),
        ("the macro BOOST_PROTO_A(N) expands", "the macro BOOST_PROTO_a(N) expands", "1 name"),
        ("call getURL first", "call getUrl first", "1 name"),
        ("it cost 1,000 a day", "it cost 1,000,000 a day", "1 number"),
        ("kernel 5.10 of today", "kernel 5.10.3 of today", "1 number"),
        ("written in C# by us", "written in C by us", "1 sign"),
        ("the list NIS+ of maps", "the list NIS of maps", "1 sign"),
        ("it was -5 outside", "it was 5 outside", "1 number"),
        ("some 10 % of it", "some 10 of it", "1 sign"),
        ("the way A → B of it", "the way A ← B of it", "1 sign"),
        ("it is f(a) + g(b) then", "it is f(a) - g(b) then", "1 sign"),
        ("made in 🇩🇪 by hand", "made in 🇫🇷 by hand", "1 picture"),
        ("Law No. 12 of 1995 on it", "Law No. 13 of 1995 on it", "1 number"),
    ] {
        let found = compared(&within(a), &within(b));
        assert_eq!(found.grade, TextGrade::SameWords, "{a} / {b}");
        assert_eq!(found.differences.contradictions().to_string(), contradicts, "{a} / {b}");
        assert!(found.similarity < 0.99, "{a} / {b}: {}", found.similarity);
    }
}

#[test]
fn what_only_one_text_has_is_told_and_counts_little() {
    for (a, b, differs) in [
        ("it began in 1648³ they say", "it began in 1648 they say", "exponents"),
        ("we loved it 😀 very much", "we loved it very much", "pictures"),
        ("read on at www.news.org today", "read on at today", "addresses"),
        ("the US army met the Polish group", "the us army met the polish group", "writing"),
        ("the ﬁrst of them", "the first of them", "writing"),
        ("came, saw and won", "came; saw and won", "writing"),
    ] {
        let found = compared(&within(a), &within(b));
        assert_eq!(found.grade, TextGrade::SameWords, "{a} / {b}");
        assert!(found.differences.contradictions().is_empty(), "{a} / {b}");
        assert_eq!(found.differences.to_string(), differs, "{a} / {b}");
        assert!((0.9..=0.9999).contains(&found.similarity), "{a} / {b}: {}", found.similarity);
    }
}

/// What media and typography change says nothing.
#[test]
fn typography_contradicts_nothing() {
    for (a, b) in [
        ("fog – rain", "fog -- rain"),
        ("fog - rain", "fog — rain"),
        ("\n* fog\n* rain\n", "\n- fog\n- rain\n"),
        ("read/write", "read-write"),
        ("see https://news.org/a.", "see http://news.org/a"),
        ("see https://news.org/", "(see https://news.org)"),
        ("10 × 20", "10 * 20"),
        ("½ a cup", "1⁄2 a cup"),
        ("==== fog ====", "fog"),
    ] {
        let found = compared(&within(a), &within(b));
        assert!(found.differences.contradictions().is_empty(), "{a} / {b}");
        assert!((0.9..=0.9999).contains(&found.similarity), "{a} / {b}: {}", found.similarity);
    }
}

/// A long text with one other number is nearly 1 and not 1, whatever rounds it.
#[test]
fn only_identical_texts_have_similarity_1() {
    let words: String = (0..40_000u32).map(|n| format!("w{} ", n * 7919 % 50_021)).collect();
    let (a, b) = (format!("{words} 12"), format!("{words} 13"));
    assert_eq!(compared(&a, &b).similarity, 0.9999);
    assert_eq!(compared(&a, &a).similarity, 1.0);
    let containment = Verification::new(Measure::Containment);
    assert_eq!(compare_texts(&a, &words, containment).similarity, 1.0);
}

/// Dates, times of day, and how long something took are told apart from other numbers.
#[test]
fn dates_are_not_numbers() {
    for (a, b, contradicts) in [
        ("on 2024-03-12 at", "on 2025-04-13 at", "3 dates"),
        ("on 12.03.2024 at", "on 13.03.2024 at", "1 date"),
        ("on 12 March 2024 at", "on 13 March 2024 at", "1 date"),
        ("on March 12, 2024 at", "on March 12, 2025 at", "1 date"),
        ("el 12 de marzo de 2024 en", "el 13 de marzo de 2024 en", "1 date"),
        ("at 12:30:05 sharp", "at 12:30:59 sharp", "1 date"),
        ("generated in 0.03 seconds by", "generated in 0.18 seconds by", "1 date"),
        ("version 3.14.1 of it", "version 3.15.1 of it", "1 number"),
        ("in 12 parts of 100", "in 13 parts of 100", "1 number"),
        ("a ratio of 12:300", "a ratio of 12:400", "1 number"),
    ] {
        let found = compared(&within(a), &within(b));
        assert_eq!(found.differences.contradictions().to_string(), contradicts, "{a} / {b}");
    }
}
