//! How the answer to a question is searched for: by which plan, and what is said of it.

use std::str::FromStr;

use nearprint::fingerprint::Family;
use nearprint::search::{PlanChoice, SketchReport};
use nearprint::{PrintSet, Search, SearchMethod};

use crate::exit_status::Failure;
use crate::keys::{Key, Setting, is_set, parsed};
use crate::options::share;
use crate::talk::Talk;

/// The keys of `--search` beside those of a question.
pub(crate) fn keys(question: &str, compares_texts: bool) -> Vec<Key> {
    if !matches!(question, "pairs" | "clusters" | "matches") {
        return Vec::new();
    }
    let plan = |text: &str| text.parse::<PlanName>().map(drop);
    let help = if compares_texts {
        "auto, or brute-force to compare all fingerprints"
    } else {
        "auto, draft (for 64 bits within 3: 16 tables of 28 bits), blocks:N (as simhash-cpp), multi-index:N, brute-force, \
         or the text of a plan as printed by explain. All find the same of simhashes; for sketches (md1, wd1), only auto, \
         by bands, and brute-force. probabilistic is only for pairs of one set made \
         by `fingerprint --weak-bits`: it looks for 95 % of the pairs, or another share (probabilistic:0.8)"
    };
    let mut all = vec![
        Key::new("plan", "PLAN", help, plan),
        Key::flag(
            "explain",
            "Before the search, print the plan and why it was chosen, the memory, and the expected number of pairs, on \
             standard error",
        ),
    ];
    if question == "pairs" && !compares_texts {
        let help = "Write pairs as they are found, in any order; saves 12 bytes of memory per pair";
        all.push(Key::flag("unsorted", help));
    }
    all
}

/// How a search is carried out.
#[derive(Debug)]
pub(crate) struct SearchOptions {
    plan: Option<PlanName>,
    /// Whether the plan is printed.
    pub(crate) explain: bool,
    /// Whether pairs come in any order.
    pub(crate) unsorted: bool,
}

/// A plan by name or by text.
#[derive(Debug, Clone, PartialEq)]
enum PlanName {
    Exact(PlanChoice),
    /// With the share of the pairs to look for.
    Probabilistic(f64),
}

impl FromStr for PlanName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("probabilistic") {
            Some("") => Ok(Self::Probabilistic(RECALL)),
            Some(rest) => share(rest.strip_prefix(':').unwrap_or(rest)).map(Self::Probabilistic),
            None => text.parse().map(Self::Exact).map_err(|error: nearprint::search::PlanError| {
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
    /// Those that are set.
    pub(crate) fn of(settings: &[Setting]) -> Self {
        Self {
            plan: parsed(settings, "plan", str::parse),
            explain: is_set(settings, "explain"),
            unsorted: is_set(settings, "unsorted"),
        }
    }

    /// The share of the pairs that a plan which may miss some looks for.
    fn probabilistic(&self) -> Option<f64> {
        match self.plan {
            Some(PlanName::Probabilistic(recall)) => Some(recall),
            _ => None,
        }
    }

    /// Whether a plan is named.
    pub(crate) fn is_planned(&self) -> bool {
        self.plan.is_some()
    }

    fn choice(&self) -> PlanChoice {
        match &self.plan {
            Some(PlanName::Exact(choice)) => choice.clone(),
            _ => PlanChoice::Auto,
        }
    }

    /// Refuses a plan that does not serve the search, before anything is done.
    pub(crate) fn check(&self, method: &SearchMethod) -> Result<(), Failure> {
        self.check_pairs(method, false)
    }

    /// The same for pairs, which may be of one set of fingerprints that was read from files.
    pub(crate) fn check_pairs(
        &self,
        method: &SearchMethod,
        one_set_of_files: bool,
    ) -> Result<(), Failure> {
        let (scheme, distance) = (method.scheme(), method.distance());
        if self.probabilistic().is_some() && !one_set_of_files {
            let text = "--search plan=probabilistic is only for prints pairs, without --against";
            return Err(Failure::Usage(text.to_owned()));
        }
        if self.plan.is_none() {
            return Ok(());
        }
        // Comparing all is a plan of every search.
        if self.plan == Some(PlanName::Exact(PlanChoice::BruteForce)) {
            let search = method.search();
            if search.wanted_bands().is_some() || search.wanted_recall().is_some() {
                let text = "--search plan=brute-force compares all fingerprints; leave out --search bands and recall";
                return Err(Failure::Usage(text.to_owned()));
            }
            return Ok(());
        }
        if method.candidates().is_some() {
            let text = "where texts are compared, the only other plan is --search plan=brute-force; plans of \
                fingerprints are for `nearprint prints`";
            return Err(Failure::Usage(text.to_owned()));
        }
        if scheme.family() == Family::Sketch {
            return Err(Failure::Usage(format!(
                "--search plan is only for simhashes; sketches ({scheme}) are searched by bands \
                    (--search bands), or all are compared (--search plan=brute-force)"
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

    /// Has a search that may miss pairs learn from the set it is for, and says what it expects to find.
    pub(crate) fn taught<'w>(
        &self,
        search: Search<'w>,
        set: &PrintSet,
        talk: &Talk,
    ) -> Result<Search<'w>, Failure> {
        let Some(recall) = self.probabilistic() else { return Ok(search) };
        if !set.has_weak_bits() {
            return Err(Failure::Work(
                "not every fingerprint has its weak bits; write them with \
                    `nearprint fingerprint --weak-bits --format jsonl`"
                    .to_owned(),
            ));
        }
        let search = search.learning_from(set, recall)?;
        if let Some(join) = search.learned_join() {
            talk.say(format_args!("nearprint: {join}; --search plan=auto finds all"));
        }
        Ok(search)
    }
}

/// Says what a join of sketches left out, and what to do about it.
pub(crate) fn say_left_out(talk: &Talk, report: &SketchReport) {
    talk.say(format_args!(
        "nearprint: {} shared by very many documents (up to {}), so only the first of these were \
            compared with all others; {} comparisons were skipped and some pairs may be missing \
            (--search whole-buckets makes all comparisons)",
        if report.bounded_buckets == 1 {
            "1 value of a band is".to_owned()
        } else {
            format!("{} values of bands are", report.bounded_buckets)
        },
        report.largest_bucket,
        report.left_out
    ));
}
