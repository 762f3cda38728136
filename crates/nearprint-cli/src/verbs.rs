//! The verbs, a file each: its options, its help, and what it calls.

mod calibrate;
mod clusters;
mod compare;
mod completions;
mod conformance;
mod convert;
mod correlate;
mod decisions;
mod dedup;
mod diff;
mod extract;
mod fingerprint;
mod health;
mod idf;
mod index;
mod interchange;
mod man;
mod pairs;
mod passages;
mod prints;
mod query;
mod refingerprint;
mod schemes;
#[cfg(feature = "server")]
mod serve;
#[cfg(not(feature = "server"))]
#[path = "verbs/serve_none.rs"]
mod serve;
mod vectors;

pub(crate) use clusters::ClustersArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use completions::CompletionsArgs;
pub(crate) use decisions::DecisionsArgs;
pub(crate) use dedup::DedupArgs;
pub(crate) use diff::DiffArgs;
pub(crate) use extract::ExtractArgs;
pub(crate) use fingerprint::FingerprintArgs;
pub(crate) use index::IndexArgs;
pub(crate) use man::ManArgs;
pub(crate) use pairs::PairsArgs;
pub(crate) use passages::PassagesArgs;
pub(crate) use prints::PrintsArgs;
pub(crate) use query::QueryArgs;
pub(crate) use serve::ServeArgs;

use nearprint::Tally;

use crate::command::Verb;
use crate::exit_status::{ExitStatus, Failure};
use crate::talk::Talk;

pub(crate) fn run(verb: Verb) -> Result<ExitStatus, Failure> {
    match verb {
        Verb::Fingerprint(args) => args.run(),
        Verb::Extract(args) => args.run(),
        Verb::Compare(args) => args.run(),
        Verb::Pairs(args) => args.run(),
        Verb::Clusters(args) => args.run(),
        Verb::Query(args) => args.run(),
        Verb::Dedup(args) => args.run(),
        Verb::Decisions(args) => args.run(),
        Verb::Diff(args) => args.run(),
        Verb::Passages(args) => args.run(),
        Verb::Index(args) => args.run(),
        Verb::Serve(args) => args.run(),
        Verb::Prints(args) => args.run(),
        Verb::Completions(args) => args.run(),
        Verb::Man(args) => args.run(),
    }
}

/// How a search ends: nothing was left out, or something failed.
fn conclude(talk: &Talk, tally: &Tally) -> ExitStatus {
    talk.conclude(tally);
    ExitStatus::of(tally)
}
