//! Options of verification and of what finds its candidates, and which way of searching all options together mean.

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Bands, Measure};
use nearprint::{
    Candidates, CollectionSettings, FalsePairs, Search, SearchChoices, SearchMethod, TextMeasure,
    Verification,
};

use crate::ending::Failure;
use crate::options::DistanceOptions;
use crate::searching::SearchOptions;
use crate::talk::{Talk, counted};

/// How candidates are verified.
#[derive(Debug, Args)]
#[command(next_help_heading = "Verification")]
pub(crate) struct VerifyOptions {
    /// Compare the texts of the candidates and report only similar ones. The default for documents, with jaccard;
    /// needed together with options of a fingerprint search (--scheme, -k and others)
    #[arg(
        long,
        value_enum,
        value_name = "MEASURE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "jaccard"
    )]
    verify: Option<MeasureName>,
    /// Report matching fingerprints without comparing texts (sd1 unless --scheme is given)
    #[arg(long, conflicts_with = "verify")]
    no_verify: bool,
    /// Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for containment and cosine]
    #[arg(long, value_name = "SIMILARITY", value_parser = share)]
    threshold: Option<f64>,
    /// Number of bands and rows of sketches (md1, wd1) that find candidates, as BANDSxROWS such as 42x3 [default:
    /// chosen from measure and threshold]
    #[arg(long, value_name = "BANDS")]
    bands: Option<Bands>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MeasureName {
    /// Shared word 3-shingles and numbers, divided by those of either document
    Jaccard,
    /// Shared word 3-shingles and numbers, divided by those of the shorter document: finds parts of documents about 30
    /// times as long
    Containment,
    /// Cosine of the weights of words and numbers, 1 + floor(log2(term frequency))
    Cosine,
}

impl MeasureName {
    /// The measure.
    pub(crate) fn measure(self) -> Measure {
        match self {
            Self::Jaccard => Measure::Jaccard,
            Self::Containment => Measure::Containment,
            Self::Cosine => Measure::Cosine,
        }
    }
}

/// What measures two texts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Yardstick {
    /// As candidates are verified.
    Verification(MeasureName),
    /// By words or characters alone.
    Text(TextMeasure),
}

/// A yardstick by its name.
pub(crate) fn yardstick(name: &str) -> Result<Yardstick, String> {
    if let Ok(name) = MeasureName::from_str(name, false) {
        return Ok(Yardstick::Verification(name));
    }
    name.parse()
        .map(Yardstick::Text)
        .map_err(|error| format!("{error}; and as in pairs jaccard, containment and cosine"))
}

/// What the options of a verb ask for, beside those of verification.
pub(crate) struct Asked<'o> {
    /// Why there are no texts to compare, where fingerprints are given instead of documents.
    pub(crate) without_texts: Option<&'static str>,
    /// The scheme that is named.
    pub(crate) scheme: Option<Scheme>,
    pub(crate) distance: &'o DistanceOptions,
    /// Whether the distance is one of joins, which are bounded.
    pub(crate) joins: bool,
    pub(crate) search: &'o SearchOptions,
    /// Whether an option of the verb itself asks for a search of fingerprints.
    pub(crate) fingerprints: bool,
    /// An option that only verification has, where it is given.
    pub(crate) needs_texts: Option<&'static str>,
}

/// How a search is done.
pub(crate) struct Way {
    pub(crate) scheme: Scheme,
    pub(crate) distance: u32,
    /// What is verified; `None` where matches of fingerprints are reported as they are.
    pub(crate) candidates: Option<Candidates>,
    method: SearchMethod,
    /// Whether there are texts that could have been compared.
    documents: bool,
}

impl VerifyOptions {
    /// What all options together mean.
    pub(crate) fn way(&self, asked: &Asked<'_>) -> Result<Way, Failure> {
        if let Some(why) = asked.without_texts.filter(|_| self.verify.is_some()) {
            return Err(Failure::Usage(format!("--verify compares texts, but {why}")));
        }
        let choices = SearchChoices {
            has_texts: asked.without_texts.is_none(),
            verify: if self.no_verify { Some(false) } else { self.verify.map(|_| true) },
            measure: self.verify.map_or(Measure::Jaccard, MeasureName::measure),
            at: self.threshold,
            scheme: asked.scheme,
            distance: None,
            bands: None,
            recall: asked.search.recall(),
            by_fingerprints: asked.distance.is_given()
                || asked.search.plan_is_given()
                || asked.fingerprints,
        };
        let verify = choices.compares_texts();
        if !verify {
            self.refuse_about_texts(asked)?;
        }
        let scheme = choices.scheme();
        let distance = match asked.distance.is_given() || !verify {
            true if asked.joins => Some(asked.distance.of_join(scheme)?),
            true => Some(asked.distance.of(scheme)),
            false => None,
        };
        let bands = self.bands_of(scheme)?;
        let method = SearchChoices { verify: Some(verify), distance, bands, ..choices }.method();
        Ok(Way {
            scheme,
            distance: method.distance(),
            candidates: method.candidates(),
            method,
            documents: choices.has_texts,
        })
    }

    /// Refuses options about texts where only fingerprints are searched.
    fn refuse_about_texts(&self, asked: &Asked<'_>) -> Result<(), Failure> {
        let threshold = self.threshold.map(|_| "--threshold");
        let Some(option) = threshold.or(asked.needs_texts) else { return Ok(()) };
        let why = match asked.without_texts {
            Some(why) => format!("but {why}"),
            None => "but this search does not compare texts; add --verify".to_owned(),
        };
        Err(Failure::Usage(format!("{option} applies to the similarity of texts, {why}")))
    }

    /// The bands, which only sketches have.
    fn bands_of(&self, scheme: Scheme) -> Result<Option<Bands>, Failure> {
        match self.bands {
            Some(_) if scheme.family() != Family::Sketch => Err(Failure::Usage(format!(
                "--bands is only for sketches (md1, wd1); {scheme} fingerprints are searched \
                    exactly"
            ))),
            bands => Ok(bands),
        }
    }
}

impl Way {
    /// What must hold for texts to be similar, where they are compared.
    pub(crate) fn verification(&self) -> Option<Verification> {
        self.method.verification()
    }

    /// The search, with bounds to be set.
    pub(crate) fn search<'w>(&self) -> Search<'w> {
        self.method.search()
    }

    /// The search for what matches one document.
    pub(crate) fn search_of_one<'w>(&self) -> Search<'w> {
        self.method.search_of_one()
    }

    /// What is kept of documents to be searched so.
    pub(crate) fn collection(&self) -> CollectionSettings {
        self.method.collection()
    }

    /// Says what the results are worth: how many candidates were verified, or that nobody verified them.
    pub(crate) fn say_found(&self, talk: &Talk, candidates: Option<u64>, found: u64) {
        match candidates {
            Some(candidates) => self.say_verified(talk, candidates, found),
            None => self.say_unverified(talk, found),
        }
    }

    /// Says how many candidates were verified, and which share of what there is they include.
    fn say_verified(&self, talk: &Talk, candidates: u64, verified: u64) {
        let promise = self.candidates.map(|candidates| candidates.to_string());
        let promise = promise.filter(|text| !text.is_empty());
        talk.say(format_args!(
            "nearprint: {verified} of {} of {} verified{}",
            counted(candidates, "candidate"),
            self.scheme,
            promise.map_or(String::new(), |text| format!("; {text}"))
        ));
    }

    /// Says what matches that nobody verified are worth.
    fn say_unverified(&self, talk: &Talk, found: u64) {
        let (scheme, distance) = (self.scheme, self.distance);
        let unit = if scheme.family() == Family::Sketch { "position" } else { "bit" };
        let within = counted(distance.into(), unit);
        let rate = FalsePairs::expected(scheme, distance);
        match (&self.candidates, self.documents) {
            (Some(_), _) => {}
            (None, true) => {
                let rate = rate.map_or(String::new(), |rate| {
                    format!(" ({} of a million unrelated pairs match)", rate.number())
                });
                talk.say(format_args!(
                    "nearprint: {scheme} matches within {within} are unverified{rate}; --verify compares the texts"
                ));
            }
            (None, false) if found == 0 => {}
            (None, false) => {
                let rate = rate.map_or(String::new(), |rate| {
                    format!(": {rate} match, as measured on the project's development corpus")
                });
                talk.say(format_args!(
                    "nearprint: {scheme} matches within {within} are unverified{rate}"
                ));
            }
        }
    }
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1, such as 0.3".to_owned()),
    }
}
