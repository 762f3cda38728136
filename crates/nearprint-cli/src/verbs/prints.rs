//! `nearprint prints`: what is done with fingerprints, by verbs of its own.

use clap::{Args, Subcommand};

use super::calibrate::CalibrateArgs;
use super::clusters::PrintsClustersArgs;
use super::compare::PrintsCompareArgs;
use super::conformance::ConformanceArgs;
use super::convert::ConvertArgs;
use super::correlate::CorrelateArgs;
use super::health::HealthArgs;
use super::idf::IdfArgs;
use super::interchange::InterchangeArgs;
use super::pairs::PrintsPairsArgs;
use super::query::PrintsQueryArgs;
use super::refingerprint::RefingerprintArgs;
use super::schemes::SchemesArgs;
use super::vectors::VectorsArgs;
use crate::exit_status::{ExitStatus, Failure};

/// Work with fingerprints alone: search, convert and examine them, and choose a scheme
///
/// `nearprint fingerprint` writes fingerprints, and these verbs read them. Nothing is compared but fingerprints, so
/// matches are candidates; the verbs that take documents (`nearprint pairs`) compare the texts, too. Fingerprints state
/// their scheme, so it need not be named.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint reports > prints.txt
  nearprint prints pairs -k 6 prints.txt
  nearprint prints query draft.html prints.txt
  nearprint prints convert --format binary --output reports.prints prints.txt
  nearprint prints schemes")]
pub(crate) struct PrintsArgs {
    #[command(subcommand)]
    verb: PrintsVerb,
}

#[derive(Debug, Subcommand)]
enum PrintsVerb {
    Pairs(Box<PrintsPairsArgs>),
    Clusters(Box<PrintsClustersArgs>),
    Query(Box<PrintsQueryArgs>),
    Compare(PrintsCompareArgs),
    Convert(ConvertArgs),
    Interchange(InterchangeArgs),
    Refingerprint(RefingerprintArgs),
    Health(HealthArgs),
    Calibrate(CalibrateArgs),
    Correlate(CorrelateArgs),
    Idf(IdfArgs),
    Schemes(SchemesArgs),
    Vectors(VectorsArgs),
    Conformance(ConformanceArgs),
}

impl PrintsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            PrintsVerb::Pairs(args) => args.run(),
            PrintsVerb::Clusters(args) => args.run(),
            PrintsVerb::Query(args) => args.run(),
            PrintsVerb::Compare(args) => args.run(),
            PrintsVerb::Convert(args) => args.run(),
            PrintsVerb::Interchange(args) => args.run(),
            PrintsVerb::Refingerprint(args) => args.run(),
            PrintsVerb::Health(args) => args.run(),
            PrintsVerb::Calibrate(args) => args.run(),
            PrintsVerb::Correlate(args) => args.run(),
            PrintsVerb::Idf(args) => args.run(),
            PrintsVerb::Schemes(args) => args.run(),
            PrintsVerb::Vectors(args) => args.run(),
            PrintsVerb::Conformance(args) => args.run(),
        }
    }
}
