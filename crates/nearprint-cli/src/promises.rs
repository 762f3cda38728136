//! What the results of a search are worth, said on standard error: how many candidates were verified, or that nobody
//! verified them.

use nearprint::fingerprint::Family;
use nearprint::{FalsePairs, SearchCounts, SearchMethod};

use crate::talk::{Talk, counted};

/// Says how many candidates were verified, or what matches that were not are worth.
pub(crate) fn say_found(talk: &Talk, method: &SearchMethod, candidates: Option<u64>, found: u64) {
    match candidates {
        Some(candidates) => say_verified(talk, method, candidates, found),
        None => say_unverified(talk, method, found),
    }
}

/// Says how many candidates were verified, and which share of what there is they include.
fn say_verified(talk: &Talk, method: &SearchMethod, candidates: u64, verified: u64) {
    let promise = method.candidates().map(|candidates| candidates.to_string());
    let promise = promise.filter(|text| !text.is_empty());
    talk.summary(format_args!(
        "nearprint: {verified} of {} of {} verified{}",
        counted(candidates, "candidate"),
        method.scheme(),
        promise.map_or(String::new(), |text| format!("; {text}"))
    ));
}

/// Says what matches that nobody verified are worth.
fn say_unverified(talk: &Talk, method: &SearchMethod, found: u64) {
    let (scheme, distance) = (method.scheme(), method.distance());
    let unit = if scheme.family() == Family::Sketch { "position" } else { "bit" };
    let within = counted(distance.into(), unit);
    let rate = FalsePairs::expected(scheme, distance);
    if method.candidates().is_some() {
        return;
    }
    if found > 0 {
        let rate = rate.map_or(String::new(), |rate| format!(": {rate} match{}", interval(rate)));
        talk.summary(format_args!(
            "nearprint: {scheme} matches within {within} are unverified{rate}"
        ));
    }
}

/// The 95 % interval of a rate that was measured at its distance.
fn interval(rate: FalsePairs) -> String {
    match (rate.estimate(), rate.at_least(), rate.at_most()) {
        (Some(estimate), Some(least), Some(most)) if estimate > 0.0 => {
            format!(" (95 %: {least:.0} to {most:.0})")
        }
        _ => String::new(),
    }
}

/// Says how many matches that nobody verified have a document that is too short for its fingerprint to say much.
pub(crate) fn say_short(talk: &Talk, method: &SearchMethod, found: &SearchCounts) {
    if found.short > 0 && found.candidates.is_none() {
        talk.say(format_args!(
            "nearprint: {} of a document of fewer than {} words, whose fingerprint says little",
            counted(found.short, "pair"),
            method.scheme().short_below()
        ));
    }
}

/// Says how many similar pairs are not reported because all that they share may be a phrase.
pub(crate) fn say_evidence(talk: &Talk, without_evidence: u64) {
    if without_evidence > 0 {
        talk.summary(format_args!(
            "nearprint: {} left out, as similar but by a phrase of 8 words alone; --search evidence=no reports them",
            counted(without_evidence, "pair"),
        ));
    }
}

/// Says how many candidates a bound on work left open.
pub(crate) fn say_open(talk: &Talk, found: &SearchCounts) {
    if found.open > 0 {
        talk.summary(format_args!(
            "nearprint: {} skipped: the texts are too long and too different for their exact edit \
                distance; use another measure or a higher --threshold",
            counted(found.open, "candidate")
        ));
    }
}
