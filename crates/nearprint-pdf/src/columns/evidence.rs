//! What speaks for reading the columns of a document down, or across.

/// Links between lines in either order, in all of a document, below which nothing is decided.
const MIN_LINKS: f64 = 16.0;
/// Share of the links down that agree in prose.
const PROSE: f64 = 0.8;
/// How many standard deviations the share of agreeing links down must be above that across, where the columns are not
/// justified. No table has cells of long lines that are.
const DEVIATIONS: f64 = 3.0;

/// How often the end of a line and the beginning of another agree: a sentence that has ended and a capital, a comma and
/// a small letter, a hyphen and a small letter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tally {
    agree: u32,
    differ: u32,
}

impl Tally {
    pub(super) fn add(&mut self, agree: Option<bool>) {
        match agree {
            Some(true) => self.agree += 1,
            Some(false) => self.differ += 1,
            None => {}
        }
    }

    fn sum(self, other: Self) -> Self {
        Self { agree: self.agree + other.agree, differ: self.differ + other.differ }
    }

    fn all(self) -> f64 {
        f64::from(self.agree + self.differ)
    }

    fn share(self) -> f64 {
        f64::from(self.agree) / self.all().max(1.0)
    }
}

/// How the lines of two columns follow each other when they are read down and when they are read across, and what
/// makes them prose.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Evidence {
    pub(super) down: Tally,
    pub(super) across: Tally,
    /// Every column examined has most of its lines flush with both of its edges.
    pub(super) justified: bool,
}

/// What to do with pages that are written back and forth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Their columns are read one after the other.
    ByColumn,
    /// They stay as the file has them.
    Unsure,
}

/// Decides for a document from the evidence of its pages.
pub(super) fn judge(pages: impl Iterator<Item = Evidence>) -> Order {
    let sum = pages.reduce(|a, b| Evidence {
        down: a.down.sum(b.down),
        across: a.across.sum(b.across),
        justified: a.justified && b.justified,
    });
    let Some(Evidence { down, across, justified }) = sum else { return Order::Unsure };
    if down.all() < MIN_LINKS || across.all() < MIN_LINKS || down.share() < PROSE {
        return Order::Unsure;
    }
    let (lead, pooled) = (down.share() - across.share(), down.sum(across).share());
    let variance = pooled * (1.0 - pooled) * (1.0 / down.all() + 1.0 / across.all());
    if (justified && lead > 0.0) || lead > DEVIATIONS * variance.sqrt() {
        Order::ByColumn
    } else {
        Order::Unsure
    }
}

impl Evidence {
    /// Whether a page by itself speaks for reading down, or at least not against it.
    pub(super) fn allows(self) -> bool {
        self.down.share() >= self.across.share()
    }
}
