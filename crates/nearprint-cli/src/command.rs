//! The command line, defined once: parsing, help, man pages and completions all come from here.

use clap::{Parser, Subcommand};

use crate::verbs::{
    CalibrateArgs, ClustersArgs, CompareArgs, CompletionsArgs, ConvertArgs, DedupArgs, DiffArgs,
    ExtractArgs, FingerprintArgs, HealthArgs, IdfArgs, ManArgs, PairsArgs, QueryArgs,
    RefingerprintArgs, SchemesArgs, VectorsArgs,
};

/// Find near-duplicate documents in text, HTML, XML, PDF and other formats
#[derive(Debug, Parser)]
#[command(name = "nearprint", version, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Command {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const AFTER: &str = "\
Examples:
  nearprint fingerprint reports > prints.txt      fingerprint all files in reports/
  nearprint clusters reports                      group near-duplicates
  nearprint query draft.html reports              find documents similar to draft.html
  nearprint pairs --prints prints.txt             search stored fingerprints
  nearprint dedup --write unique reports          copy everything except duplicates

Exit codes:
  0  success; documents without text are not failures
  1  some documents failed, the others were processed; see standard error
  2  wrong usage; nothing was done
  3  the command failed, e.g. the output could not be written
An unfinished --output file is removed when a signal ends the command. When the
reader of standard output exits, as head does, the exit code is 0.";

/// The verb.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Fingerprint(FingerprintArgs),
    Extract(ExtractArgs),
    Compare(CompareArgs),
    Pairs(PairsArgs),
    Clusters(ClustersArgs),
    Query(QueryArgs),
    Dedup(DedupArgs),
    Diff(DiffArgs),
    Convert(ConvertArgs),
    Refingerprint(RefingerprintArgs),
    Health(HealthArgs),
    Idf(IdfArgs),
    Calibrate(CalibrateArgs),
    Schemes(SchemesArgs),
    Vectors(VectorsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Command::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example_and_every_option_a_help_text() {
        for verb in Command::command().get_subcommands() {
            let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("nearprint {}", verb.get_name());
            assert!(after.contains(&example), "{}: no example", verb.get_name());
            assert!(verb.get_about().is_some(), "{}: no description", verb.get_name());
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{}: {argument}", verb.get_name());
            }
        }
    }
}
