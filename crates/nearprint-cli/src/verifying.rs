//! Options of verification and of what finds its candidates, and which way of searching all options together mean.

use std::ffi::OsStr;
use std::path::Path;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Bands, Measure};
use nearprint::{
    Candidates, CollectionSettings, FalsePairs, Found, Search, SearchChoices, SearchMethod,
    TextMeasure, TextVerification, Verification, read_idf_table,
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
        value_parser = YardstickParser,
        value_name = "MEASURE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "jaccard"
    )]
    verify: Option<Yardstick>,
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
    /// Features that also see numbers.
    Verification(MeasureName),
    /// Words or characters of whole texts.
    Text(TextMeasure),
}

/// Reads the names of all measures; help lists those of verification.
#[derive(Debug, Clone, Copy)]
pub(crate) struct YardstickParser;

impl TypedValueParser for YardstickParser {
    type Value = Yardstick;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Yardstick, clap::Error> {
        let name = value.to_string_lossy();
        if let Ok(name) = MeasureName::from_str(&name, false) {
            return Ok(Yardstick::Verification(name));
        }
        name.parse().map(Yardstick::Text).map_err(|error| {
            let text = format!(
                "invalid value '{}' for '--verify[=<MEASURE>]': {error}; and jaccard, containment \
                    and cosine\n",
                name.chars().take(64).collect::<String>().escape_debug()
            );
            clap::Error::raw(ErrorKind::ValueValidation, text).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            MeasureName::value_variants().iter().filter_map(ValueEnum::to_possible_value),
        ))
    }
}

/// What the options of a verb ask for, beside those of verification.
pub(crate) struct Asked<'o> {
    /// Why there are no texts to compare, where fingerprints are given instead of documents.
    pub(crate) without_texts: Option<&'static str>,
    /// The scheme that is named.
    pub(crate) scheme: Option<Scheme>,
    /// The scheme of an index that is searched.
    pub(crate) index: Option<Scheme>,
    pub(crate) distance: &'o DistanceOptions,
    /// Whether the distance is one of joins, which are bounded.
    pub(crate) joins: bool,
    pub(crate) search: &'o SearchOptions,
    /// Whether an option of the verb itself asks for a search of fingerprints.
    pub(crate) fingerprints: bool,
    /// An option that only verification has, where it is given.
    pub(crate) needs_texts: Option<&'static str>,
    /// Whether the verb measures whole texts, too.
    pub(crate) whole_texts: bool,
    /// The table of document frequencies that is given for that.
    pub(crate) table: Option<&'o Path>,
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
        let by_fingerprints =
            asked.distance.is_given() || asked.search.plan_is_given() || asked.fingerprints;
        // The scheme of an index is no wish of the user's: texts are compared as they are without one.
        let of_index = asked.index.map(|_| asked.scheme.is_none() && !by_fingerprints);
        let choices = SearchChoices {
            has_texts: asked.without_texts.is_none(),
            verify: if self.no_verify {
                Some(false)
            } else {
                self.verify.map(|_| true).or(of_index)
            },
            measure: match self.verify {
                Some(Yardstick::Verification(name)) => name.measure(),
                _ => Measure::Jaccard,
            },
            texts: self.whole_texts(asked)?,
            at: self.threshold,
            scheme: asked.scheme.or(asked.index),
            distance: None,
            bands: None,
            recall: asked.search.recall(),
            by_fingerprints,
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

    /// The measure of whole texts, if one is named.
    fn whole_texts(&self, asked: &Asked<'_>) -> Result<Option<TextVerification>, Failure> {
        let usage = |text: String| Failure::Usage(text);
        let Some(Yardstick::Text(measure)) = self.verify else {
            return match asked.table {
                Some(_) => Err(usage("--idf is only for --verify=cosine-tfidf".to_owned())),
                None => Ok(None),
            };
        };
        if !asked.whole_texts {
            return Err(usage(format!(
                "--verify={} is only for pairs and compare; here use jaccard, containment or cosine",
                measure.name()
            )));
        }
        let table = asked.table.map(read_idf_table).transpose();
        let table = table.map_err(|error| usage(format!("--idf: {error}")))?;
        let verification = TextVerification::new(measure).by_table(table);
        verification.map(Some).map_err(|error| usage(format!("--verify: {error}")))
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

/// Says how many candidates a bound on work left open.
pub(crate) fn say_open(talk: &Talk, found: &Found) {
    if found.open > 0 {
        talk.say(format_args!(
            "nearprint: {} skipped: the texts are too long and too different for their exact edit \
                distance; use another measure or a higher --threshold",
            counted(found.open, "candidate")
        ));
    }
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1, such as 0.3".to_owned()),
    }
}
