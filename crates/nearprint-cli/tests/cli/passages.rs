//! Passages and items: the same rows for any memory, any number of threads and any division of the input, in every
//! format; and in several languages, wherever a passage is.

use crate::harness::Sandbox;

/// Made words of an alphabet: the same for the same numbers.
struct Words {
    state: u64,
    letters: Vec<char>,
}

impl Words {
    fn new(alphabet: &str, seed: u64) -> Self {
        Self { state: seed, letters: alphabet.chars().collect() }
    }

    fn random(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) as usize % below
    }

    fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            for _ in 0..2 + self.random(6) {
                let at = self.random(self.letters.len());
                text.push(self.letters[at]);
            }
            text.push(' ');
        }
        text
    }
}

const LATIN: &str = "abcdefghiklmnoprstuw";

fn lines<'t>(texts: impl IntoIterator<Item = (usize, &'t String)>) -> String {
    texts
        .into_iter()
        .map(|(id, text)| {
            format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", text.replace('\n', "\\n"))
        })
        .collect()
}

/// Texts of which some share passages and half end with a notice.
fn texts() -> Vec<String> {
    let mut words = Words::new(LATIN, 5);
    let notice = words.text(70);
    let mut texts: Vec<String> = Vec::new();
    for number in 0..400 {
        let mut text = words.text(120);
        if number % 5 == 4 {
            let other = texts[words.random(number)].clone();
            let from = words.random(60);
            text.extend(other.split_inclusive(' ').skip(from).take(60).map(str::to_owned));
            text.push_str(&words.text(30));
        }
        if number % 2 == 0 {
            text.push_str(&notice);
        }
        texts.push(text);
    }
    texts
}

#[test]
fn rows_are_the_same_for_any_memory_threads_and_files() {
    let sandbox = Sandbox::new();
    let texts = texts();
    sandbox.file("all.jsonl", lines(texts.iter().enumerate()));
    for (number, part) in texts.chunks(90).enumerate() {
        let part = part.iter().enumerate().map(|(at, text)| (number * 90 + at, text));
        sandbox.file(format!("parts/{number}.jsonl"), lines(part));
    }
    let asked = ["passages", "-qq", "--json", "--search", "max-places=20", "--places"];
    let usual = sandbox.run([&asked[..], &["usual.jsonl", "all.jsonl"]].concat()).expect_fine().out;
    let places = std::fs::read_to_string(sandbox.path("usual.jsonl")).unwrap();
    assert!(usual.lines().count() > 50, "{usual}");
    assert_eq!(places.lines().count(), 200);
    assert!(usual.contains(r#""documents":200,"places":200,"passage":0,"#), "{usual}");
    for (name, options) in [
        ("one", &["--threads", "1", "all.jsonl"][..]),
        ("small", &["--limit", "memory=1M", "--threads", "3", "all.jsonl"][..]),
        ("of-parts", &["parts"][..]),
    ] {
        let run = sandbox.run([&asked[..], &[name], options].concat()).expect_fine();
        assert!(run.out == usual, "{name}");
        assert!(std::fs::read_to_string(sandbox.path(name)).unwrap() == places, "{name}");
    }
    // Of the first half against the second, there are only passages between both.
    sandbox.file("first.jsonl", lines(texts[..200].iter().enumerate()));
    sandbox.file(
        "second.jsonl",
        lines(texts[200..].iter().enumerate().map(|(at, text)| (at + 200, text))),
    );
    let against = ["passages", "-qq", "--format", "text", "--search", "max-places=20"];
    let split = [&against[..], &["first.jsonl", "--against", "second.jsonl"]].concat();
    let split = sandbox.run(split).expect_fine().out;
    let all = sandbox.run([&against[..], &["all.jsonl"]].concat()).expect_fine().out;
    let is_between = |line: &&str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |cell: &str| cell.parse::<usize>().ok();
        cells[4] == "-" || number(cells[2]) < Some(200) && number(cells[4]) >= Some(200)
    };
    let wanted: Vec<&str> = all.lines().filter(is_between).collect();
    assert!(wanted.len() > 10);
    assert_eq!(split.lines().collect::<Vec<_>>(), wanted);
}

#[test]
fn every_format_has_the_rows() {
    let sandbox = Sandbox::new();
    let texts = texts();
    sandbox.file("all.jsonl", lines(texts.iter().enumerate()));
    let asked = |format: &str, file: &str| {
        let options =
            ["passages", "-qq", "--search", "max-places=20", "--format", format, "-o", file];
        sandbox
            .run([&options[..], &["--force", "--places", "places", "all.jsonl"]].concat())
            .expect_fine();
        std::fs::read(sandbox.path(file)).unwrap()
    };
    let count = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().lines().count();
    let rows = count(asked("jsonl", "rows.jsonl"));
    assert_eq!(count(asked("text", "rows.txt")), rows);
    assert_eq!(count(asked("csv", "rows.csv")), rows + 1);
    assert!(asked("parquet", "rows.parquet").starts_with(b"PAR1"));
    assert!(asked("arrow", "rows.arrow").starts_with(b"ARROW1"));
    // A table of passages has no fingerprints, so no scheme.
    let table = String::from_utf8_lossy(&asked("parquet", "rows.parquet")).into_owned();
    assert!(table.contains("nearprint/passage/1") && !table.contains("nearprint.scheme"));
}

/// Items of a test within training data that is wrapped to short lines and has filler around them: every one is found,
/// in four scripts, of 5 tokens and more.
#[test]
fn all_items_are_found_in_wrapped_training_data() {
    for (alphabet, is_spaced) in [
        (LATIN, true),
        ("aäeinoöprstuüß", true),
        ("的一是不了人我在有他这中大来上国", false),
        ("กขคงจชดตทนบปผพมยรลวสหอ", false),
    ] {
        let sandbox = Sandbox::new();
        let mut words = Words::new(alphabet, 9);
        let written = |text: String| if is_spaced { text } else { text.replace(' ', "") };
        let items: Vec<String> = (0..100).map(|n| written(words.text(5 + n % 21))).collect();
        let wrapped = |text: &str| -> String {
            let mut lines = String::new();
            for (at, character) in text.chars().enumerate() {
                lines.push(if character == ' ' && at % 3 == 0 { '\n' } else { character });
            }
            lines
        };
        let train: Vec<String> = items
            .iter()
            .map(|item| format!("{}. {} {}", words.text(40), wrapped(item), words.text(40)))
            .collect();
        sandbox.file("test.jsonl", lines(items.iter().enumerate()));
        sandbox.file("train.jsonl", lines(train.iter().enumerate()));
        let asked =
            ["passages", "decontaminate", "train.jsonl", "--against", "test.jsonl", "--json"];
        let run = sandbox.run(asked);
        assert!(
            run.err.starts_with("nearprint: 100 of 100 items found in 100 documents"),
            "{}",
            run.err
        );
    }
}

/// A collection without its repeats is the same for any memory, threads and container; every run of 50 tokens that it
/// had is in it once or in parts, and no run of a whole document is twice.
#[test]
fn repeats_are_cut_alike_from_lines_and_tables() {
    let sandbox = Sandbox::new();
    let texts = texts();
    sandbox.file("all.jsonl", lines(texts.iter().enumerate()));
    let asked = ["passages", "dedup", "-qq", "--json"];
    let usual = sandbox.run([&asked[..], &["all.jsonl"]].concat()).expect_fine().out;
    assert!(usual.lines().count() > 200, "{usual}");
    let cut = ["passages", "dedup", "-qq", "--write"];
    sandbox.run([&cut[..], &["clean.jsonl", "all.jsonl"]].concat()).expect_fine();
    let clean = std::fs::read_to_string(sandbox.path("clean.jsonl")).unwrap();
    let before = std::fs::read_to_string(sandbox.path("all.jsonl")).unwrap();
    assert_eq!(clean.lines().count(), 400);
    assert!(clean.len() < before.len() * 8 / 10, "{} of {}", clean.len(), before.len());
    for (name, options) in [
        ("one.jsonl", &["--threads", "1"][..]),
        ("small.jsonl", &["--limit", "memory=1M", "--threads", "3"][..]),
    ] {
        let run = sandbox.run([&asked[..], options, &["all.jsonl"]].concat()).expect_fine();
        assert!(run.out == usual, "{name}");
        sandbox.run([&cut[..], &[name, "all.jsonl"], options].concat()).expect_fine();
        assert!(std::fs::read_to_string(sandbox.path(name)).unwrap() == clean, "{name}");
    }
    // Tables of results have texts themselves.
    let texts_of = |file: &str| -> Vec<String> {
        let rows = sandbox.run(["extract", "--json", "-qq", file]).out;
        let text = |row: &str| {
            let start = row.find("\"text\":").unwrap();
            row[start..].split("\",\"").next().unwrap().to_owned()
        };
        rows.lines().map(text).collect()
    };
    let none =
        ["passages", "dedup", "-qq", "--search", "all-places", "--min-tokens", "60", "all.jsonl"];
    for format in ["jsonl", "parquet", "arrow"] {
        let (table, cut) = (format!("table.{format}"), format!("cut.{format}"));
        sandbox.run([&none[..], &["--format", format, "-o", &table]].concat()).expect_fine();
        sandbox.run(["passages", "dedup", "-qq", "--write", &cut, &table]).expect_fine();
    }
    let (rows, left) = (texts_of("table.jsonl"), texts_of("cut.jsonl"));
    assert!(rows.len() > 200 && rows != left);
    for format in ["parquet", "arrow"] {
        assert_eq!(texts_of(&format!("table.{format}")), rows, "{format}");
        assert_eq!(texts_of(&format!("cut.{format}")), left, "{format}");
    }
}

#[test]
fn a_page_shows_passages_in_their_places() {
    let sandbox = Sandbox::new();
    let mut words = Words::new(LATIN, 3);
    let (quote, notice) = (words.text(60), words.text(55));
    sandbox.file("in/a.txt", format!("Before <b>it</b>. {quote} After it. {notice}"));
    sandbox.file("in/b.txt", format!("{} {quote} Then & so.", words.text(40)));
    for number in 0..30 {
        sandbox.file(format!("in/n{number}.txt"), format!("{}{notice}", words.text(9)));
    }
    let asked = ["passages", "-qq", "--search", "max-places=10", "-o", "rows", "--report"];
    sandbox.run([&asked[..], &["page.html", "in"]].concat()).expect_fine();
    let page = std::fs::read_to_string(sandbox.path("page.html")).unwrap();
    let (quote, notice) = (quote.trim(), notice.trim());
    for wanted in [
        "<b>1</b> passages of two documents and <b>1</b> at more than 10 places",
        &format!("Before &lt;b&gt;it&lt;/b&gt;. <mark>{quote}</mark> After it."),
        &format!("<mark>{quote}</mark> Then &amp; so."),
        "<a href=\"in/a.txt\">in/a.txt</a>, characters 18–",
        "<span class=\"size\">31 documents</span>",
        &format!("<mark>{notice}</mark>"),
        "<li>in/n29.txt</li>",
    ] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
    assert!(!page.contains("could not be read again"));
    // Of standard input there are the rows and the counts.
    let lines = lines([quote.to_owned(), quote.to_owned()].iter().enumerate());
    let once = ["passages", "-qq", "--report", "once.html", "-o", "once", "-"];
    sandbox.run_with(once, lines.as_bytes()).expect_fine();
    let page = std::fs::read_to_string(sandbox.path("once.html")).unwrap();
    assert!(page.contains("The text could not be read again."), "{page}");
}

/// Where documents have the same id, a passage is marked in the one that has it there.
#[test]
fn a_page_marks_no_other_document_of_the_same_id() {
    let sandbox = Sandbox::new();
    let mut words = Words::new(LATIN, 5);
    let quote = words.text(60);
    let quote = quote.trim();
    let texts =
        [format!("Begin. {quote} {}", words.text(40)), format!("{} {quote}", words.text(30))];
    for (name, text) in ["one.jsonl", "two.jsonl"].iter().zip(&texts) {
        sandbox.file(*name, format!("{{\"id\":\"1\",\"text\":{text:?}}}\n"));
    }
    let asked =
        ["passages", "-qq", "-o", "rows", "--report", "page.html", "one.jsonl", "two.jsonl"];
    sandbox.run(asked).expect_fine();
    let page = std::fs::read_to_string(sandbox.path("page.html")).unwrap();
    assert_eq!(page.matches(&format!("<mark>{quote}</mark>")).count(), 2, "{page}");
    assert_eq!(page.matches("<mark>").count(), 2, "{page}");
}

/// A file that is reached by two paths repeats nothing of itself, and one that cannot be read costs no other.
#[test]
fn files_that_are_reached_twice_are_cut_once() {
    let sandbox = Sandbox::new();
    let mut words = Words::new(LATIN, 4);
    let (one, other) = (words.text(60), words.text(60));
    sandbox.file("in/a.txt", &one);
    sandbox.file("in/b.txt", format!("{other}{one}"));
    std::os::unix::fs::symlink("nothing", sandbox.path("in/c.txt")).unwrap();
    sandbox.run(["passages", "dedup", "-qq", "--write", "out", "in", "in/a.txt"]);
    let written = |file: &str| std::fs::read_to_string(sandbox.path(file)).unwrap();
    assert_eq!(written("out/in/a.txt"), one);
    assert_eq!(written("out/in/b.txt").trim(), other.trim());
    let rows = sandbox.run(["passages", "dedup", "-qq", "--json", "in/a.txt", "--against", "in"]);
    assert_eq!(rows.out, "");
    let shared = sandbox.run(["passages", "-qq", "--format", "text", "in", "in/a.txt"]).out;
    assert_eq!(shared.lines().count(), 1, "{shared}");
    sandbox.file("test.jsonl", format!("{{\"text\":\"{}\"}}\n", one.trim()));
    let clean = ["passages", "decontaminate", "-qq", "--write", "clean", "in", "in/b.txt"];
    sandbox.run([&clean[..], &["--against", "test.jsonl"]].concat());
    assert!(!sandbox.path("clean/in/a.txt").exists() && !sandbox.path("clean/in/b.txt").exists());
}
