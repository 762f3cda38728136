//! The two groups of verbs that ask about many: those that compare documents, and those of `nearprint prints`, which
//! compare fingerprints alone. The group decides which options of a question a verb shows, and where.

use std::fmt::Debug;

use clap::Args;
use nearprint::{Options, QuestionError};

use crate::exit_status::Failure;
use crate::search_inputs::{DocumentOptions, PrintsOptions, SearchInputs};

/// A group of verbs.
pub(crate) trait Group: Debug + Clone + Send + Sync + 'static {
    /// Whether documents are compared by their texts; else fingerprints alone.
    const COMPARES_TEXTS: bool;

    /// The options by which inputs are named and read.
    type Options: Args + Debug + Into<SearchInputs>;
}

/// Verbs that compare documents.
#[derive(Debug, Clone)]
pub(crate) enum OfDocuments {}

/// Verbs that compare fingerprints.
#[derive(Debug, Clone)]
pub(crate) enum OfPrints {}

impl Group for OfDocuments {
    const COMPARES_TEXTS: bool = true;

    type Options = DocumentOptions;
}

impl Group for OfPrints {
    const COMPARES_TEXTS: bool = false;

    type Options = PrintsOptions;
}

/// Where a verb shows an option of its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// As an option.
    Option,
    /// As a key of `--search`: it does not decide what is asked, but how it is searched for.
    Search,
    /// Nowhere: the group of the verb decides it, or it says the same as another one.
    Nowhere,
}

/// Where the verbs of a group show an option of the question `Q`.
pub(crate) fn place<Q: Options, G: Group>(option: &str) -> Place {
    match option {
        // The verb says whether texts are compared.
        "verify" => Place::Nowhere,
        "bands" | "recall" | "whole_buckets" | "max_pairs" => Place::Search,
        "max_places" | "max_gap" | "all_places" | "answer_within" => Place::Search,
        "numbers" | "ignore_numbers" => Place::Search,
        "scheme" if Q::NAME == "compare" => Place::Option,
        // Of documents, fingerprints only propose what is compared.
        "scheme" | "k" if G::COMPARES_TEXTS => Place::Search,
        // Which documents are searched for, and which candidates connect them.
        "least_words" | "evidence" | "chains" if G::COMPARES_TEXTS => Place::Search,
        "equal" | "similarity" if G::COMPARES_TEXTS => Place::Nowhere,
        "equal" | "similarity" => Place::Search,
        "measure" | "threshold" | "evidence" | "idf" | "passages" | "least_words" | "linkage"
            if !G::COMPARES_TEXTS =>
        {
            Place::Nowhere
        }
        _ => Place::Option,
    }
}

/// How the verbs of a group spell an option of the question `Q`.
pub(crate) fn spelling<Q: Options, G: Group>(option: &str) -> String {
    let long = option.replace('_', "-");
    match place::<Q, G>(option) {
        Place::Search => format!("--search {long}"),
        _ if option.len() == 1 => format!("-{option}"),
        _ => format!("--{long}"),
    }
}

/// An option of the question `Q` that has no such value, or that does not go together with another, is wrong usage.
pub(crate) fn refused<Q: Options, G: Group>(error: &QuestionError) -> Failure {
    let option = spelling::<Q, G>(error.option());
    let remedy = error.remedy().map(|option| format!("; add {}", spelling::<Q, G>(option)));
    Failure::Usage(format!("{option}: {}{}", error.detail(), remedy.unwrap_or_default()))
}
