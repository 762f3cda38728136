//! Options of searches: what they may use and by which plan, and what they mean.

use std::str::FromStr;

use clap::Args;
use nearprint::fingerprint::Family;
use nearprint::search::{PlanChoice, SketchReport};
use nearprint::{PrintSet, Search, SearchMethod};

use crate::ending::Failure;
use crate::memory::MemoryOptions;
use crate::talk::Talk;

/// What a search may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
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

    fn choice(&self) -> PlanChoice {
        match (&self.plan, self.blocks) {
            (Some(PlanName::Exact(choice)), _) => choice.clone(),
            (_, Some(blocks)) => PlanChoice::Blocks(blocks),
            _ => PlanChoice::Auto,
        }
    }

    /// Refuses a plan that does not serve the search, before anything is done.
    pub(crate) fn check(&self, method: &SearchMethod) -> Result<(), Failure> {
        let (scheme, distance) = (method.scheme(), method.distance());
        if self.plan.is_none() && self.blocks.is_none() {
            return Ok(());
        }
        if method.candidates().is_some() {
            let text =
                "--plan and --blocks are for searches of fingerprints alone; add --no-verify";
            return Err(Failure::Usage(text.to_owned()));
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
        search.plan(self.choice())
    }

    /// Has a probabilistic search learn from the set it is for, and says what it expects to find.
    pub(crate) fn taught<'w>(
        &self,
        search: Search<'w>,
        set: &PrintSet,
        recall: Option<f64>,
        talk: &Talk,
    ) -> Result<Search<'w>, Failure> {
        if !self.is_probabilistic() {
            return Ok(search);
        }
        let wanted = recall.unwrap_or(RECALL);
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
