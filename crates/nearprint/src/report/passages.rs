//! The page about passages: those of two documents side by side in their places, and frequent ones in several.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use nearprint_fingerprint::placed_tokens;
use nearprint_records::{PassagesSummaryRow, SharedPassageRow, Source, TextRange};

use super::links::link;
use super::plot::{Bar, short};
use super::{Report, escaped, grouped};
use crate::{Error, FoundPassage, Inputs, InputsError, Passages, Pipeline};

/// Pairs of documents, and frequent passages, that are shown.
const GROUPS: usize = 12;

/// Passages of a pair that are shown, and places of a frequent passage.
const PASSAGES: usize = 12;
const PLACES: usize = 4;

/// Documents with a frequent passage that are listed.
const LISTED: usize = 200;

/// Words shown before and after a passage.
const AROUND: usize = 20;

/// Words shown of a passage: of a longer one the first 80 and the last 20.
const SHOWN: usize = 100;
const SHOWN_OF_END: usize = 20;

/// The passages of a page, chosen as they come.
#[derive(Debug, Clone, Default)]
pub struct PassageExamples {
    /// Tokens of a run of passages that are joined, at least, and whether numbers are tokens.
    min_tokens: u64,
    numbers: bool,
    /// Whether the second document of two is a reference.
    has_references: bool,
    /// Passages of two documents by their tokens: the most tokens of a class (64, 128, …), and how many there are.
    lengths: BTreeMap<u64, u64>,
    /// Frequent passages by their documents.
    documents: BTreeMap<u64, u64>,
    /// The two documents whose passages come now.
    current: Option<PassageGroup>,
    pairs: Vec<PassageGroup>,
    frequent: Vec<PassageGroup>,
    /// Places of the frequent passage that comes next, as far as they are shown or listed.
    places: Vec<PassageSide>,
}

/// Passages under a heading: of two documents, or one that many have.
#[derive(Debug, Clone, Default)]
struct PassageGroup {
    /// By which groups are chosen: the tokens that two documents share, or the number of documents.
    weight: u64,
    /// How many passages two documents share, of which not all may be shown.
    count: u64,
    passages: Vec<ShownPassage>,
    /// The documents that have it.
    documents: Vec<String>,
}

/// A passage in its places.
#[derive(Debug, Clone, Default)]
struct ShownPassage {
    tokens: u64,
    sides: Vec<PassageSide>,
}

/// One place of a passage.
#[derive(Debug, Clone, Default)]
struct PassageSide {
    id: String,
    input: usize,
    range: TextRange,
    ends: Option<PassageEnds>,
    /// What is around it and in it, once read.
    excerpt: Option<[String; 3]>,
    /// Where its document leads, once read.
    link: Option<String>,
}

/// The first and the last tokens of a passage, by which it is known in its document, as documents may have one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PassageEnds {
    tokens: usize,
    numbers: bool,
    digests: [u64; 2],
}

impl PassageEnds {
    /// Of so many tokens; `None` where the passage has fewer.
    fn of(passage: &str, tokens: usize, numbers: bool) -> Option<Self> {
        let mut all = Vec::new();
        placed_tokens(passage, numbers, |token| all.push(token.hash));
        let digest = |digest: u64, hash: &u64| {
            (digest.rotate_left(5) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let first = all.get(..tokens)?.iter().fold(0, digest);
        let last = all.get(all.len() - tokens..)?.iter().fold(0, digest);
        Some(Self { tokens, numbers, digests: [first, last] })
    }

    fn are_of(&self, passage: &str) -> bool {
        Self::of(passage, self.tokens, self.numbers) == Some(*self)
    }
}

impl PassageExamples {
    /// No passages yet. With `has_references` the second document of two is one of them.
    #[must_use]
    pub fn new(question: &Passages, has_references: bool) -> Self {
        let Passages { min_tokens, numbers, .. } = *question;
        Self { min_tokens, numbers, has_references, ..Self::default() }
    }

    /// What is known of a passage that is shown: all of its tokens, or where runs are joined those of a run.
    fn ends(&self, row: &SharedPassageRow) -> Option<PassageEnds> {
        let tokens = if row.changed == 0 { row.tokens } else { self.min_tokens };
        PassageEnds::of(&row.text, usize::try_from(tokens).ok()?, self.numbers)
    }

    /// Takes what was found into account.
    pub fn push(&mut self, found: &FoundPassage) {
        let side = |id: &str, input, range, ends| PassageSide {
            id: id.to_owned(),
            input,
            range,
            ends,
            ..PassageSide::default()
        };
        match found {
            FoundPassage::Place(place) => {
                if self.places.len() < LISTED {
                    self.places.push(side(place.id.as_str(), 0, place.range(), None));
                }
            }
            FoundPassage::Passage(row) => match (&row.b, row.b_range()) {
                (Some(b), Some(b_range)) => {
                    *self.lengths.entry(row.tokens.next_power_of_two()).or_default() += 1;
                    let (a, b) = (row.a.as_str(), b.as_str());
                    let is_same = |group: &PassageGroup| group.documents == [a, b];
                    if !self.current.as_ref().is_some_and(is_same) {
                        self.finish_pair();
                        let documents = vec![a.to_owned(), b.to_owned()];
                        self.current = Some(PassageGroup { documents, ..PassageGroup::default() });
                    }
                    let is_shown =
                        self.current.as_ref().is_some_and(|group| group.passages.len() < PASSAGES);
                    let ends = if is_shown { self.ends(row) } else { None };
                    let Some(group) = &mut self.current else { return };
                    group.weight += row.tokens;
                    group.count += 1;
                    if is_shown {
                        let second = usize::from(self.has_references);
                        let sides =
                            vec![side(a, 0, row.a_range(), ends), side(b, second, b_range, ends)];
                        group.passages.push(ShownPassage { tokens: row.tokens, sides });
                    }
                }
                _ => {
                    *self.documents.entry(row.documents.next_power_of_two()).or_default() += 1;
                    let mut sides = std::mem::take(&mut self.places);
                    let mut documents: Vec<String> =
                        sides.iter().map(|side| side.id.clone()).collect();
                    documents.dedup();
                    sides.dedup_by(|one, other| one.id == other.id);
                    sides.truncate(PLACES);
                    let ends = self.ends(row);
                    sides.iter_mut().for_each(|side| side.ends = ends);
                    let passages = vec![ShownPassage { tokens: row.tokens, sides }];
                    let group =
                        PassageGroup { weight: row.documents, count: 1, passages, documents };
                    insert(&mut self.frequent, group);
                }
            },
        }
    }

    fn finish_pair(&mut self) {
        if let Some(group) = self.current.take() {
            insert(&mut self.pairs, group);
        }
    }

    /// Reads the documents that are shown again, for a page that is written to `file`, unless an input is standard
    /// input: the page says so then.
    ///
    /// # Errors
    /// Where an input cannot be read again.
    pub fn read_again(
        &mut self,
        file: &Path,
        pipeline: &Pipeline<'_>,
        all: [&Inputs; 2],
    ) -> Result<(), InputsError> {
        self.finish_pair();
        if all.into_iter().any(Inputs::read_standard_input) {
            return Ok(());
        }
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).to_owned();
        for (input, inputs) in all.into_iter().enumerate() {
            let mut wanted: HashMap<String, Vec<&mut PassageSide>> = HashMap::new();
            let groups = self.pairs.iter_mut().chain(&mut self.frequent);
            let sides = groups.flat_map(|group| &mut group.passages).flat_map(|one| &mut one.sides);
            // Places of frequent passages may be in either.
            for side in sides.filter(|side| side.excerpt.is_none()) {
                if side.input == input || self.has_references && side.input == 0 {
                    wanted.entry(side.id.clone()).or_default().push(side);
                }
            }
            if !wanted.is_empty() {
                read(wanted, pipeline, &mut inputs.source()?, &folder);
            }
        }
        Ok(())
    }
}

/// Adds a group to those of the greatest weight.
fn insert(groups: &mut Vec<PassageGroup>, group: PassageGroup) {
    let at = groups.partition_point(|other| other.weight >= group.weight);
    if at < GROUPS {
        groups.insert(at, group);
        groups.truncate(GROUPS);
    }
}

/// Reads documents, each by its id, until all that are wanted were met.
fn read(
    mut wanted: HashMap<String, Vec<&mut PassageSide>>,
    pipeline: &Pipeline<'_>,
    source: &mut dyn Source,
    folder: &Path,
) {
    while !wanted.is_empty() {
        let Some(found) = source.next_document() else { break };
        let Ok(document) = found else { continue };
        let id = document.id.as_str().to_owned();
        let Some(sides) = wanted.get_mut(&id) else { continue };
        let link = link(&document, Some(folder));
        let Ok(extraction) = pipeline.extract(document) else { continue };
        // What this document does not have is of another one with the same id.
        sides.retain_mut(|side| {
            side.excerpt = excerpt(&extraction.text, side);
            if side.excerpt.is_some() {
                side.link.clone_from(&link);
            }
            side.excerpt.is_none()
        });
        if sides.is_empty() {
            wanted.remove(&id);
        }
    }
}

/// The words before a passage, those of it and those after it; `None` where the text is another one.
fn excerpt(text: &str, side: &PassageSide) -> Option<[String; 3]> {
    let range = side.range;
    let bytes = usize::try_from(range.start_byte).ok()?..usize::try_from(range.end_byte).ok()?;
    let passage = text
        .get(bytes.clone())
        .filter(|passage| side.ends.is_some_and(|ends| ends.are_of(passage)))?;
    let (before, after) = (text.get(..bytes.start)?, text.get(bytes.end..)?);
    let mut lead: Vec<&str> = before.split_whitespace().rev().take(AROUND + 1).collect();
    let begins_within = lead.len() > AROUND;
    lead.truncate(AROUND);
    lead.reverse();
    let mut trail: Vec<&str> = after.split_whitespace().take(AROUND + 1).collect();
    let ends_within = trail.len() > AROUND;
    trail.truncate(AROUND);
    let words: Vec<&str> = passage.split_whitespace().collect();
    let shown = if words.len() > SHOWN {
        let (first, last) = (SHOWN - SHOWN_OF_END, words.len() - SHOWN_OF_END);
        format!("{} […] {}", words[..first].join(" "), words[last..].join(" "))
    } else {
        words.join(" ")
    };
    let ellipsis = |is: bool| if is { "…" } else { "" };
    Some([
        format!("{} {}", ellipsis(begins_within), lead.join(" ")),
        shown,
        format!("{} {}", trail.join(" "), ellipsis(ends_within)),
    ])
}

impl Report {
    /// The report of a search for passages. `title` is where they were looked for.
    #[must_use]
    pub fn of_passages(
        title: String,
        question: &Passages,
        summary: &PassagesSummaryRow,
        mut examples: PassageExamples,
    ) -> Self {
        examples.finish_pair();
        let classes = |counts: &BTreeMap<u64, u64>| -> Vec<Bar> {
            let bar = |(most, count): (&u64, &u64)| {
                // Names beside one another must be short: the least of a class.
                Bar { name: short(most / 2 + 1), count: *count }
            };
            counts.iter().map(bar).collect()
        };
        let plots = vec![
            (
                "Words of passages of two documents",
                "passages by their length, at least so many; heights by the square root of the numbers",
                classes(&examples.lengths),
            ),
            (
                "Documents with a frequent passage",
                "frequent passages by how many documents have them, at least so many",
                classes(&examples.documents),
            ),
        ];
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        Self {
            verb: "nearprint passages",
            title,
            lead: format!(
                "<b>{}</b> passages of two documents and <b>{}</b> at more than {} places, in <b>{}</b> documents.",
                grouped(summary.shared),
                grouped(summary.frequent),
                grouped(question.max_places),
                grouped(summary.documents)
            ),
            shares: Vec::new(),
            drawing: None,
            plots,
            sections: Vec::new(),
            fragment: fragment(&examples),
            lists: Vec::new(),
            facts: vec![
                ("Words of a passage, at least", grouped(question.min_tokens)),
                ("Numbers count", yes(question.numbers)),
                ("Places of a passage in pairs, at most", grouped(question.max_places)),
                ("Documents", grouped(summary.documents)),
                ("Without a text", grouped(summary.without_text)),
                ("Failed", grouped(summary.failed)),
                ("Words of all texts", grouped(summary.tokens)),
                ("Bytes read", grouped(summary.bytes)),
            ],
        }
    }

    /// A page about a search for passages, to be written to `file`, from which its links lead. The documents that it
    /// shows are read again.
    ///
    /// # Errors
    /// Where an input cannot be read again.
    pub fn of_found_passages<E: From<Error> + From<InputsError>>(
        file: &Path,
        pipeline: &Pipeline<'_>,
        (question, summary): (&Passages, &PassagesSummaryRow),
        mut examples: PassageExamples,
        [inputs, references]: [&Inputs; 2],
    ) -> Result<Self, E> {
        examples.read_again(file, pipeline, [inputs, references])?;
        Ok(Self::of_passages(inputs.names(), question, summary, examples))
    }
}

/// The sections of pairs and of frequent passages.
fn fragment(examples: &PassageExamples) -> String {
    let mut html = String::from("<section>\n<h2>Documents that share most</h2>\n");
    if examples.pairs.is_empty() {
        html.push_str("<p class=\"none\">No two documents share a passage.</p>\n");
    }
    let mut pairs: Vec<&PassageGroup> = examples.pairs.iter().collect();
    pairs.sort_by_key(|group| Reverse(group.weight));
    for group in pairs {
        let passages = match group.count {
            1 => "1 passage".to_owned(),
            count => format!("{} passages", grouped(count)),
        };
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<article>\n<h3><span class=\"size\">{} words in {passages}</span> {}</h3>\n",
            grouped(group.weight),
            group.documents.iter().map(|id| escaped(id)).collect::<Vec<_>>().join(" · ")
        );
        for (number, passage) in group.passages.iter().enumerate() {
            passage.write(number == 0, &mut html);
        }
        if group.count > group.passages.len() as u64 {
            let more = grouped(group.count - group.passages.len() as u64);
            let _ = writeln!(html, "<p class=\"note\">and {more} more passages</p>");
        }
        html.push_str("</article>\n");
    }
    html.push_str("</section>\n");
    if examples.frequent.is_empty() {
        return html;
    }
    html.push_str("<section>\n<h2>Passages of most documents</h2>\n");
    for group in &examples.frequent {
        let _ = write!(
            html,
            "<article>\n<h3><span class=\"size\">{} documents</span></h3>\n",
            grouped(group.weight)
        );
        group.passages.iter().for_each(|passage| passage.write(true, &mut html));
        let _ =
            write!(html, "<details>\n<summary>The documents</summary>\n<ul class=\"members\">\n");
        for id in &group.documents {
            let _ = writeln!(html, "<li>{}</li>", escaped(id));
        }
        html.push_str("</ul>\n");
        if group.weight > group.documents.len() as u64 {
            let more = grouped(group.weight - group.documents.len() as u64);
            let _ = writeln!(html, "<p class=\"note\">and {more} more</p>");
        }
        html.push_str("</details>\n</article>\n");
    }
    html.push_str("</section>\n");
    html
}

impl ShownPassage {
    /// The passage in its places, side by side.
    fn write(&self, is_open: bool, html: &mut String) {
        let open = if is_open { " open" } else { "" };
        let beginning = self.sides.iter().find_map(|side| side.excerpt.as_ref());
        let beginning = beginning.map_or("", |[_, passage, _]| passage);
        let words: Vec<&str> = beginning.split(' ').take(12).collect();
        let _ = write!(
            html,
            "<details{open}>\n<summary><span class=\"pill\">{} words</span> {}…</summary>\n<div class=\"pair\">",
            grouped(self.tokens),
            escaped(&words.join(" "))
        );
        for side in &self.sides {
            let id = escaped(&side.id);
            let name = match &side.link {
                Some(link) => format!("<a href=\"{}\">{id}</a>", escaped(link)),
                None => id,
            };
            let TextRange { start, end, .. } = side.range;
            let _ = write!(html, "<div><p class=\"note\">{name}, characters {start}–{end}</p>");
            match &side.excerpt {
                Some([before, passage, after]) => {
                    let [before, passage, after] =
                        [before, passage, after].map(|text| escaped(text));
                    let _ =
                        write!(html, "<p dir=\"auto\">{before} <mark>{passage}</mark> {after}</p>");
                }
                None => html.push_str("<p class=\"none\">The text could not be read again.</p>"),
            }
            html.push_str("</div>");
        }
        html.push_str("</div>\n</details>\n");
    }
}
