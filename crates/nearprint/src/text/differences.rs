//! What differs between two texts beside their words, by kind, as it stands in rows and decides in deduplication.

use std::fmt;

/// What an element is. The numbers are kept in features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum ElementKind {
    /// Digits in a row.
    Number = 0,
    /// A number of a date, of a time of day, or of how long something took to be made.
    Date = 1,
    /// A sign beside a number or a token of one letter.
    Sign = 2,
    /// Signs between words, or before one.
    Operator = 3,
    /// `#` and `+` at the end of a word.
    Suffix = 4,
    /// An address of the web or of mail.
    Address = 5,
    /// Emoji and similar pictures.
    Picture = 6,
    /// Digits above the line.
    Exponent = 7,
    /// A name of program code, by its case.
    Name = 8,
}

impl ElementKind {
    const ALL: [Self; 9] = [
        Self::Number,
        Self::Date,
        Self::Sign,
        Self::Operator,
        Self::Suffix,
        Self::Address,
        Self::Picture,
        Self::Exponent,
        Self::Name,
    ];

    /// The kind of a number; damaged features have numbers.
    pub(crate) fn of(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Number)
    }

    /// How much an element counts in whose place the other text has none, where a shingle of words counts 2: a page
    /// number, the number of an item, the mark of a note. What media often add or lose counts nothing.
    pub(crate) fn weight_alone(self) -> u32 {
        match self {
            Self::Operator | Self::Address | Self::Name => 0,
            _ => 1,
        }
    }

    /// Whether an element makes another number or name of what it stands beside, so that in a short text it contradicts
    /// the same without it.
    pub(crate) fn contradicts_alone(self) -> bool {
        matches!(self, Self::Sign | Self::Suffix)
    }

    /// What several kinds are called in rows, one and many of them.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Number => ["number", "numbers"],
            Self::Date => ["date", "dates"],
            Self::Sign | Self::Operator | Self::Suffix => ["sign", "signs"],
            Self::Address => ["address", "addresses"],
            Self::Picture => ["picture", "pictures"],
            Self::Exponent => ["exponent", "exponents"],
            Self::Name => ["name", "names"],
        }
    }
}

/// What differs between two texts beside their words.
///
/// ```
/// use nearprint::{Verification, search::Measure};
///
/// let verification = Verification::new(Measure::Jaccard);
/// let [a, b] = ["12 apples at 3 €, see www.a.org", "12 apples at 4 €, see www.b.org"]
///     .map(|text| verification.features(text));
/// assert_eq!(verification.differences(&a, &b).contradictions().to_string(), "1 number, 1 address");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Differences {
    /// Bit by the number of the kind.
    kinds: u16,
    contradictions: Contradictions,
    /// Signs and suffixes in whose place the other text has nothing.
    lone: Contradictions,
    /// Shingles of the shorter text.
    shorter: u32,
    /// How many of these the longer one does not have.
    replaced: u32,
    /// Shingles of the second text that would be lost with it; 0 where they are few.
    lost: u32,
    /// Numbers, signs and the like that the second text has where the first one has nothing, and the least of their
    /// kinds. Dates are not among them, and nothing is where they are few.
    lost_elements: Option<(u32, ElementKind)>,
}

/// Shingles from which on a text is long: it may have page numbers, a counter and some other numbers.
const LONG: u64 = 300;

/// Of a short text the shingles among which one contradiction may be, and of a long one. Those of a long one are
/// counted from a number on, so that a text of 300 shingles may have as many as one of 299.
const SHORT_PER_CONTRADICTION: u64 = 100;
const LONG_PER_CONTRADICTION: u64 = 20;
const LONG_FROM: u64 = LONG - LONG / SHORT_PER_CONTRADICTION * LONG_PER_CONTRADICTION;

/// Of the shorter text the shingles among which one may be replaced.
const PER_REPLACED: u64 = 50;

/// Of a text that would be dropped the shingles among which one may be in it alone: media differ in what they add.
const PER_LOST: u64 = 10;

/// The same of numbers, signs and the like: media number pages, items and notes.
const PER_LOST_ELEMENT: u64 = 5;

/// Contradicting dates that are content and no stamp of a page: more than so many, and more than one in 20 shingles.
const DATES: u64 = 10;
const PER_DATE: u64 = 20;

/// Shingles that the name of a month takes along.
const MONTH: u64 = 3;

/// A number of shingles as it is kept.
fn number(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Differences {
    pub(crate) fn differs(&mut self, kind: ElementKind) {
        self.kinds |= 1 << kind as u8;
    }

    /// The second text has an element of this kind in whose place the first one has nothing.
    pub(crate) fn has_alone(&mut self, kind: ElementKind) {
        if kind != ElementKind::Date && !kind.contradicts_alone() && kind.weight_alone() > 0 {
            let (count, first) = self.lost_elements.unwrap_or((0, kind));
            self.lost_elements = Some((count.saturating_add(1), first.min(kind)));
        }
    }

    pub(crate) fn contradicts(&mut self, kind: ElementKind) {
        self.contradictions.add(kind, 1);
    }

    /// One of the texts has an element of this kind in whose place the other one has nothing, so that what it stands
    /// beside is another number or name.
    pub(crate) fn has_lone(&mut self, kind: ElementKind) {
        self.lone.add(kind, 1);
    }

    /// The same of texts whose words are such: the shingles of the shorter one, and how many of these the other one
    /// does not have.
    pub(crate) fn with_words(self, shorter: u64, replaced: u64) -> Self {
        let (mut contradictions, lone) = (self.contradictions, Contradictions::default());
        // Renderings of a long text have marks of lists and of code that others lack.
        if shorter < LONG {
            let kinds = ElementKind::ALL.into_iter();
            kinds.for_each(|kind| contradictions.add(kind, self.lone.of(kind)));
        }
        Self { contradictions, lone, shorter: number(shorter), replaced: number(replaced), ..self }
    }

    /// The same where the second text would be dropped, which has so many shingles, and of these so many alone.
    pub(crate) fn with_loss(self, shingles: u64, alone: u64) -> Self {
        let is_lost = alone.saturating_sub(self.month()) * PER_LOST > shingles;
        let lost_elements =
            self.lost_elements.filter(|(count, _)| u64::from(*count) * PER_LOST_ELEMENT > shingles);
        Self { lost: if is_lost { number(alone) } else { 0 }, lost_elements, ..self }
    }

    /// The same where neither text would be dropped.
    pub(crate) fn without_loss(self) -> Self {
        Self { lost: 0, lost_elements: None, ..self }
    }

    /// Whether the texts contradict one another, or words would be lost. They contradict one another where more than
    /// one in 50 shingles of the shorter text is replaced, or more than one in 100 contradicted (of those beyond 300:
    /// one in 20). Words are lost where more than one in 10 shingles of the text that would be dropped is in it alone,
    /// numbers where there is more than one for 5 of them. Dates and times do not count, nor does the name of
    /// a month beside them, unless more than 10 contradict and more than one in 20 shingles: such a text is a
    /// timetable. docs/VERIFICATION.md has what was measured.
    #[must_use]
    pub fn is_contradiction(&self) -> bool {
        let shorter = u64::from(self.shorter);
        let (per, from) = if shorter < LONG {
            (SHORT_PER_CONTRADICTION, 0)
        } else {
            (LONG_PER_CONTRADICTION, LONG_FROM)
        };
        let is_contradicted = self.contradictions.counted() * per > shorter - from;
        is_contradicted || self.has_other_dates() || self.replaces_words() || self.loses()
    }

    /// Whether the second text says more.
    fn loses(&self) -> bool {
        self.lost > 0 || self.lost_elements.is_some()
    }

    /// Whether dates are what the texts say.
    fn has_other_dates(&self) -> bool {
        let dates = u64::from(self.contradictions.of(ElementKind::Date));
        dates > DATES && dates * PER_DATE > u64::from(self.shorter)
    }

    /// Shingles that the name of a month takes along, if dates differ.
    fn month(&self) -> u64 {
        if self.kinds >> ElementKind::Date as u8 & 1 == 1 { MONTH } else { 0 }
    }

    fn replaces_words(&self) -> bool {
        let replaced = u64::from(self.replaced).saturating_sub(self.month());
        replaced * PER_REPLACED > u64::from(self.shorter)
    }

    /// What contradicts, as rows have it: `2 numbers, 1 address`, words where so many are replaced that they alone
    /// contradict, or that would be lost; `None` where nothing does.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        let mut texts: Vec<String> = self.contradictions.text().into_iter().collect();
        if self.replaces_words() {
            // A word is in three shingles.
            let words = self.replaced.div_ceil(3);
            texts.push(format!("{words} word{}", if words == 1 { "" } else { "s" }));
        } else if self.lost > 0 {
            // Words that stand among others have two shingles more than they are, and the other text has as many.
            let words = self.lost.saturating_sub(self.replaced).max(1);
            texts.push(format!("{words} more word{}", if words == 1 { "" } else { "s" }));
        }
        if let Some((count, kind)) = self.lost_elements {
            let [one, many] = kind.names();
            texts.push(format!("{count} more {}", if count == 1 { one } else { many }));
        }
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// Where each text has in one place what the other has not there.
    #[must_use]
    pub fn contradictions(&self) -> Contradictions {
        self.contradictions
    }
}

/// The kinds that differ, as `numbers, addresses`; `writing` where only case, punctuation or layout can.
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = ElementKind::ALL.into_iter().filter(|kind| self.kinds >> *kind as u8 & 1 == 1);
        let mut last = "";
        for [_, name] in kinds.map(ElementKind::names) {
            if name != last {
                let comma = if last.is_empty() { "" } else { ", " };
                write!(f, "{comma}{name}")?;
                last = name;
            }
        }
        if last.is_empty() { f.write_str("writing") } else { Ok(()) }
    }
}

/// How many places of two texts contradict one another, by kind; 65,535 stands for that and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contradictions {
    counts: [u16; ElementKind::ALL.len()],
}

impl Contradictions {
    /// How many there are of a kind.
    #[must_use]
    pub fn of(&self, kind: ElementKind) -> u16 {
        self.counts[kind as usize]
    }

    fn add(&mut self, kind: ElementKind, more: u16) {
        let count = &mut self.counts[kind as usize];
        *count = count.saturating_add(more);
    }

    /// How many there are that decide: dates do not.
    pub(crate) fn counted(&self) -> u64 {
        let dates = self.of(ElementKind::Date);
        self.counts.iter().copied().map(u64::from).sum::<u64>() - u64::from(dates)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// As `2 numbers, 1 address`; `None` where there are none.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.to_string())
    }
}

/// As `2 numbers, 1 address`; nothing where there are none.
impl fmt::Display for Contradictions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named: Vec<(u64, [&str; 2])> = Vec::new();
        for (kind, &count) in ElementKind::ALL.into_iter().zip(&self.counts) {
            match named.last_mut() {
                Some((counted, names)) if *names == kind.names() => *counted += u64::from(count),
                _ => named.push((count.into(), kind.names())),
            }
        }
        named.retain(|(count, _)| *count > 0);
        for (at, (count, [one, many])) in named.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{count} {}", if *count == 1 { one } else { many })?;
        }
        Ok(())
    }
}
