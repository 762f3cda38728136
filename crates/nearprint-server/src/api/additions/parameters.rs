//! How documents are added: the parameters of the address.

use nearprint::OnDuplicate;
use nearprint_index::{Admission, Budget};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::collection::Collection;
use crate::problem::Problem;
use crate::question::OptionPlace;
use crate::request::flag;

/// What happens to a document whose id is in the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OnDuplicateName {
    /// It is a problem.
    Error,
    /// It takes the place of the one that is there.
    Replace,
    /// The one that is there stays.
    Skip,
}

/// How documents are added.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct AddParameters {
    /// The id of the document: 1 to 4,096 bytes of UTF-8 without control characters. Not for batches.
    pub(super) id: Option<String>,
    /// What happens if the id is in the collection; replace if it is not given, with if-new error.
    #[param(inline)]
    pub(super) on_duplicate: Option<OnDuplicateName>,
    /// Add the document only if nothing lies within the distance of it. Sent again with the same content, it gets the
    /// same answer as the first time.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    pub(super) if_new: bool,
    /// The distance for if-new; if it is not given that of the scheme, and where the collection keeps features that
    /// within which dedup compares texts. There only duplicates, by the rule of dedup, hinder an addition.
    pub(super) k: Option<u32>,
    /// Add the document only if fewer than so many others are similar to it, 1 or more: for crawlers, which keep so
    /// many pages of a cluster. One whose id is in the collection is replaced whatever there is. Not with if-new.
    #[param(minimum = 1)]
    pub(super) budget: Option<u64>,
    /// From which similarity on texts are similar for the budget, 0 to 1; if it is not given that of dedup. Where the
    /// collection keeps no features, fingerprints within k are.
    #[param(minimum = 0, maximum = 1)]
    pub(super) threshold: Option<f64>,
    /// Read only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    pub(super) main_content: bool,
}

impl AddParameters {
    pub(super) fn on_duplicate(&self) -> OnDuplicate {
        match (self.on_duplicate, self.if_new) {
            (Some(OnDuplicateName::Error), _) | (None, true) => OnDuplicate::Refuse,
            (Some(OnDuplicateName::Skip), _) => OnDuplicate::Skip,
            (Some(OnDuplicateName::Replace), _) | (None, false) => OnDuplicate::Replace,
        }
    }

    /// Which documents the collection lets in.
    pub(super) fn admission(&self, collection: &Collection) -> Result<Admission, Problem> {
        let index = &collection.index;
        match (self.budget, self.if_new) {
            (Some(_), true) => Err(Problem::invalid("?budget", "a budget stands without if-new")),
            (Some(0), false) => Err(Problem::invalid("?budget", "a budget is 1 or more")),
            (Some(most), false) => Budget::of(index, most, self.threshold, self.k)
                .map(Admission::Budget)
                .map_err(|error| OptionPlace::Address.refused(&error)),
            (None, _) if self.threshold.is_some() => {
                Err(Problem::invalid("?threshold", "a threshold is for a budget"))
            }
            (None, true) => Ok(Admission::New(self.k.unwrap_or_else(|| index.new_distance()))),
            (None, false) => Ok(Admission::All),
        }
    }
}
