//! Options of searches: what they may use and by which plan, and what they mean.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Expand, PlanChoice, SketchReport};
use nearprint::{PrintSet, Search};

use crate::ending::Failure;
use crate::memory::MemoryOptions;
use crate::talk::Talk;
use crate::verifying::share;

/// What a search may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchOptions {
    #[command(flatten)]
    memory: MemoryOptions,
    /// Search plan: auto, draft (for 64 bits within 3: 16 tables of 28 bits), blocks:N, multi-index:N, brute-force, the
    /// text of a plan as printed by --explain, or probabilistic. All plans except probabilistic find the same
    #[arg(long, value_name = "PLAN", conflicts_with = "blocks")]
    plan: Option<PlanName>,
    /// Search by N blocks of which all but K must agree, as simhash-cpp does (same as --plan blocks:N)
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Minimum share of the pairs to find (0 to 1), by choosing the cheapest bands of sketches (md1, wd1): the share of
    /// pairs at the similarity threshold if texts are compared, else of pairs just within the distance [default for
    /// --plan probabilistic: 0.95]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    recall: Option<f64>,
    /// Compare all documents whose sketches share a value of a band, however many: n documents need n(n-1)/2
    /// comparisons. By default, a value that needs more than 50 million comparisons has only its first documents
    /// compared with all others, with a warning
    #[arg(long)]
    whole_buckets: bool,
    /// Before the search, print the plan and why it was chosen, the memory, and the expected number of pairs, on
    /// standard error
    #[arg(long)]
    pub(crate) explain: bool,
}

/// A plan by name or by text.
#[derive(Debug, Clone, PartialEq)]
enum PlanName {
    Exact(PlanChoice),
    Probabilistic,
}

impl FromStr for PlanName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "probabilistic" => Ok(Self::Probabilistic),
            _ => text.parse().map(Self::Exact).map_err(|error: nearprint::search::PlanError| {
                format!(
                    "{error}; use auto, draft, blocks:N, multi-index:N, brute-force, \
                        probabilistic, or the text of a plan"
                )
            }),
        }
    }
}

/// Recall looked for where none is named.
const RECALL: f64 = 0.95;

impl SearchOptions {
    /// The memory and the temporary files meant.
    pub(crate) fn memory(&self) -> &MemoryOptions {
        &self.memory
    }

    /// Whether fingerprints are looked for by their least certain bits.
    pub(crate) fn is_probabilistic(&self) -> bool {
        self.plan == Some(PlanName::Probabilistic)
    }

    /// Whether a plan is named, by one option or the other.
    pub(crate) fn plan_is_given(&self) -> bool {
        self.plan.is_some() || self.blocks.is_some()
    }

    /// The share of the pairs of sketches to look for.
    pub(crate) fn recall(&self) -> Option<f64> {
        self.recall.filter(|_| !self.is_probabilistic())
    }

    fn choice(&self) -> PlanChoice {
        match (&self.plan, self.blocks) {
            (Some(PlanName::Exact(choice)), _) => choice.clone(),
            (_, Some(blocks)) => PlanChoice::Blocks(blocks),
            _ => PlanChoice::Auto,
        }
    }

    /// Refuses a plan that does not serve the scheme or the distance, before anything is done.
    pub(crate) fn check(&self, scheme: Scheme, distance: u32) -> Result<(), Failure> {
        if self.recall.is_some() && !self.is_probabilistic() && scheme.family() != Family::Sketch {
            return Err(Failure::Usage(
                "--recall is only for sketches and for --plan probabilistic; exact plans find \
                    all pairs"
                    .to_owned(),
            ));
        }
        if self.plan.is_none() && self.blocks.is_none() {
            return Ok(());
        }
        if scheme.family() == Family::Sketch {
            return Err(Failure::Usage(format!(
                "--plan and --blocks are only for simhashes; sketches ({scheme}) are searched by \
                    bands (--bands)"
            )));
        }
        let refused = |error| {
            Failure::Usage(format!(
                "this plan does not work for {scheme} within {distance}: \
                {error}"
            ))
        };
        let plan = self.choice().plan(scheme.positions(), distance).map_err(refused)?;
        match plan.filter(|plan| (plan.width(), plan.k()) != (scheme.positions(), distance)) {
            Some(plan) => Err(Failure::Usage(format!(
                "the plan is for fingerprints of {} bits within {}, not for {scheme} within \
                    {distance}",
                plan.width(),
                plan.k()
            ))),
            None => Ok(()),
        }
    }

    /// The search with all this.
    pub(crate) fn bound<'w>(&self, search: Search<'w>) -> Search<'w> {
        let search = if self.whole_buckets { search.comparisons_in_bucket(None) } else { search };
        search.plan(self.choice()).recall(self.recall())
    }

    /// Has a probabilistic search learn from the set it is for, and says what it expects to find.
    pub(crate) fn taught<'w>(
        &self,
        search: Search<'w>,
        set: &PrintSet,
        talk: &Talk,
    ) -> Result<Search<'w>, Failure> {
        if !self.is_probabilistic() {
            return Ok(search);
        }
        let wanted = self.recall.unwrap_or(RECALL);
        let join = search.learn(set, wanted)?;
        let less = if join.expected_recall() < wanted {
            "; finding more would take over four times as long as an exact search"
        } else {
            ""
        };
        talk.say(format_args!(
            "nearprint: expected to find {:.1} % of the pairs of different fingerprints, with \
                {:.1} look-ups per fingerprint{less}",
            join.expected_recall() * 100.0,
            join.probes()
        ));
        if join.times_exact() > 1.0 {
            talk.say(format_args!(
                "nearprint: an exact search (--plan auto) finds all pairs; this search is \
                    expected to take {:.1} times as long",
                join.times_exact()
            ));
        }
        Ok(search.probabilistic(Some(join)))
    }
}

/// Says what a join of sketches left out, and what to do about it.
pub(crate) fn say_left_out(talk: &Talk, report: &SketchReport) {
    talk.say(format_args!(
        "nearprint: {} shared by very many documents (up to {}), so only the first of these were \
            compared with all others; {} comparisons were skipped and some pairs may be missing \
            (--whole-buckets makes all comparisons)",
        if report.bounded_buckets == 1 {
            "1 value of a band is".to_owned()
        } else {
            format!("{} values of bands are", report.bounded_buckets)
        },
        report.largest_bucket,
        report.left_out
    ));
}

/// Which pairs are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct PairOptions {
    /// Which pairs of documents with equal fingerprints to report; with star and none, only the first of them is paired
    /// with different fingerprints. `nearprint clusters -k 0` lists the groups [default: all]
    #[arg(long, value_enum, value_name = "PAIRS")]
    equal: Option<EqualName>,
    /// Stop if a sample predicts more than N pairs, or if more are found; `none` for no limit
    #[arg(long, value_name = "N", default_value = "100000000")]
    max_pairs: MostPairs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EqualName {
    /// Every pair: n(n-1)/2 lines for n documents
    All,
    /// Each with the first: n-1 lines for n documents
    Star,
    /// None
    None,
}

/// A number of pairs, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MostPairs(Option<u64>);

impl FromStr for MostPairs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(most) => Ok(Self(Some(most))),
            Err(_) if text == "none" => Ok(Self(None)),
            Err(_) => Err("expected a whole number, or none".to_owned()),
        }
    }
}

impl PairOptions {
    /// Whether all pairs of equal fingerprints are wanted.
    pub(crate) fn all(&self) -> bool {
        matches!(self.equal, None | Some(EqualName::All))
    }

    /// Whether it is said which pairs of equal fingerprints are wanted.
    pub(crate) fn is_given(&self) -> bool {
        self.equal.is_some()
    }

    /// Refuses what a search that verifies texts, or one between two sets, does not have.
    pub(crate) fn check(
        &self,
        verifies: bool,
        is_between: bool,
        search: &SearchOptions,
    ) -> Result<(), Failure> {
        let text = if !self.all() && verifies {
            "--equal applies to a fingerprint search; with --verify all pairs are verified and \
                reported"
        } else if !is_between {
            return Ok(());
        } else if !self.all() {
            "--equal applies to the pairs of one set; between two sets (--against) all pairs are \
                reported"
        } else if search.is_probabilistic() {
            "--plan probabilistic searches one set; use it without --against"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(text.to_owned()))
    }

    /// The search with all this.
    pub(crate) fn bound<'w>(&self, search: Search<'w>) -> Search<'w> {
        let expand = match self.equal {
            None | Some(EqualName::All) => Expand::AllPairs,
            Some(EqualName::Star) => Expand::Star,
            Some(EqualName::None) => Expand::Representatives,
        };
        search.expand(expand).at_most_pairs(self.max_pairs.0)
    }
}
