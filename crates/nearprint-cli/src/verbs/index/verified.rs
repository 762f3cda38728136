//! Whether matches in an index are verified, by what it keeps of the texts.

use clap::Args;
use nearprint::{Index, SearchChoices, SearchMethod};
use nearprint_index::DiskIndex;

use crate::ending::Failure;
use crate::indexes::failure;
use crate::options::DistanceOptions;
use crate::verifying::{MeasureName, share};

/// How matches are verified.
#[derive(Debug, Args)]
#[command(next_help_heading = "Verification")]
pub(super) struct VerifiedOptions {
    /// Compare the texts of matches, and report only similar ones. The default, with jaccard, of an index made with
    /// --keep features if no distance is given
    #[arg(
        long,
        value_enum,
        value_name = "MEASURE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "jaccard"
    )]
    verify: Option<MeasureName>,
    /// Report matching fingerprints without comparing texts
    #[arg(long, conflicts_with = "verify")]
    no_verify: bool,
    /// Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for containment]
    #[arg(long, value_name = "SIMILARITY", value_parser = share)]
    threshold: Option<f64>,
}

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Documents.
    Documents,
    /// Fingerprints, which have no texts to compare.
    Prints,
    /// The documents of the index among themselves.
    Join,
}

impl VerifiedOptions {
    /// The search that all options mean together.
    pub(super) fn method(
        &self,
        index: &DiskIndex,
        distance: &DistanceOptions,
        asked: Asked,
    ) -> Result<SearchMethod, Failure> {
        let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
        let of_prints = asked == Asked::Prints;
        let (scheme, keeps) = (index.scheme(), index.keeps_features());
        let verifies =
            self.verify.is_some() || keeps && !self.no_verify && !of_prints && !distance.is_given();
        if self.verify.is_some() && of_prints {
            return usage("--verify compares texts, but fingerprints are given");
        }
        if self.threshold.is_some() && !verifies {
            return usage("--threshold applies to the similarity of texts; add --verify");
        }
        let given = match (distance.is_given() || !verifies, asked) {
            (false, _) => None,
            (true, Asked::Join) => Some(distance.of_join(scheme)?),
            (true, _) => Some(distance.of(scheme)),
        };
        let choices = SearchChoices {
            verify: Some(verifies),
            at: self.threshold,
            scheme: Some(scheme),
            distance: given,
            ..SearchChoices::default()
        };
        let measure = self.verify.map(MeasureName::measure);
        let choices = SearchChoices { measure: measure.unwrap_or(choices.measure), ..choices };
        let method = choices.method();
        if let Some(verification) = method.verification() {
            index.check_verification(verification).map_err(failure)?;
        }
        Ok(method)
    }
}
