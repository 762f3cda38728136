//! What a job is asked to do, and what of it is refused.

use std::path::{Component, Path, PathBuf};

use nearprint::fingerprint::Family;
use nearprint::search::MAX_JOIN_DISTANCE;
use nearprint::{Dedup, Keep, OnDuplicate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JobType {
    /// All pairs of documents within the distance.
    Pairs,
    /// Documents connected by such pairs.
    Clusters,
    /// Which documents to keep, and which of them each other one repeats, by their texts. Nothing is removed.
    Dedup,
    /// Documents of files of the server into the collection.
    Import,
}

impl JobType {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Clusters => "clusters",
            Self::Dedup => "dedup",
            Self::Import => "import",
        }
    }
}

/// What happens to an imported document whose id is in the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImportedAgain {
    /// It takes the place of the one that is there.
    Replace,
    /// The one that is there stays.
    Skip,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct JobRequest {
    /// What the job does.
    #[serde(rename = "type")]
    pub(crate) kind: JobType,
    /// The collection.
    pub(crate) collection: String,
    /// The distance of pairs and clusters; that of the scheme if it is not given.
    #[serde(default)]
    pub(crate) k: Option<u32>,
    /// For dedup: the least similarity at which a document repeats another, 0 to 1; 0.7 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    pub(crate) threshold: Option<f64>,
    /// For dedup: which document is kept: `first` (if it is not given), `longest`, `oldest` by the time of its capture,
    /// or `field:NAME` and `field:NAME:max` by a field of its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keep: Option<String>,
    /// For import: a file or folder in the directory that the server was started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// For import: what happens to a document whose id is in the collection; replace if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) on_duplicate: Option<ImportedAgain>,
    /// For import: the field or column of tables and lines of JSON that has the text; `text` if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text_field: Option<String>,
    /// For import: the field or column that has the id; `id` if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id_field: Option<String>,
    /// For import: whether only the main content of HTML pages is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) main_content: Option<bool>,
    /// For import: whether revisits of web archives are added, too: unchanged captures, with the fingerprint and the
    /// text of the document that they refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revisits: Option<bool>,
}

impl JobRequest {
    /// A job without options.
    pub(crate) fn new(kind: JobType, collection: String) -> Self {
        Self {
            kind,
            collection,
            k: None,
            threshold: None,
            keep: None,
            path: None,
            on_duplicate: None,
            text_field: None,
            id_field: None,
            main_content: None,
            revisits: None,
        }
    }

    /// Refuses what the job does not do with this collection. Files to import are in the directory `imports`.
    pub(super) fn check(
        &self,
        collection: &Collection,
        imports: Option<&Path>,
    ) -> Result<(), Problem> {
        use JobType::{Clusters, Dedup, Import, Pairs};
        let fields: [(&str, bool, &[JobType]); 9] = [
            ("/k", self.k.is_some(), &[Pairs, Clusters]),
            ("/threshold", self.threshold.is_some(), &[Dedup]),
            ("/keep", self.keep.is_some(), &[Dedup]),
            ("/path", self.path.is_some(), &[Import]),
            ("/on-duplicate", self.on_duplicate.is_some(), &[Import]),
            ("/text-field", self.text_field.is_some(), &[Import]),
            ("/id-field", self.id_field.is_some(), &[Import]),
            ("/main-content", self.main_content.is_some(), &[Import]),
            ("/revisits", self.revisits.is_some(), &[Import]),
        ];
        for (field, is_given, kinds) in fields {
            if is_given && !kinds.contains(&self.kind) {
                let detail = format!("this is not for a job of the type {}", self.kind.name());
                return Err(Problem::invalid(field, detail));
            }
        }
        match self.kind {
            Pairs | Clusters => self.check_distance(collection),
            Dedup if !collection.keeps_texts() => {
                let name = &collection.description.name;
                let detail = format!("the collection {name} keeps no texts to compare");
                Err(Problem::new(ProblemKind::NoTexts, detail))
            }
            Dedup => self.deduplication().map(drop),
            Import => self.imported(imports).map(drop),
        }
    }

    /// Refuses a distance that a join does not serve.
    fn check_distance(&self, collection: &Collection) -> Result<(), Problem> {
        let scheme = collection.scheme();
        let is_sketch = scheme.family() == Family::Sketch;
        let most = if is_sketch { scheme.positions() } else { MAX_JOIN_DISTANCE };
        match self.k {
            Some(k) if k > most => {
                Err(Problem::invalid("/k", format!("the largest distance is {most} for {scheme}")))
            }
            _ => Ok(()),
        }
    }

    /// How documents are deduplicated.
    pub(super) fn deduplication(&self) -> Result<Dedup, Problem> {
        let usual = Dedup::default();
        let at = self.threshold.unwrap_or(usual.threshold);
        if !(0.0..=1.0).contains(&at) {
            return Err(Problem::invalid("/threshold", "a similarity is from 0 to 1"));
        }
        let keep = self.keep.as_deref().map(str::parse::<Keep>).transpose();
        let keep = keep.map_err(|error| Problem::invalid("/keep", error.to_string()))?;
        Ok(usual.threshold(at).keep(keep.unwrap_or_default()))
    }

    /// The directory of what may be imported, and what in it is to be.
    pub(super) fn imported(&self, imports: Option<&Path>) -> Result<(PathBuf, PathBuf), Problem> {
        let Some(imports) = imports else {
            let detail = "the server was started without a directory to import from";
            return Err(Problem::new(ProblemKind::Unsupported, detail)
                .with_remedy("start it with --import-from DIRECTORY"));
        };
        let Some(path) = self.path.as_deref().filter(|path| !path.is_empty()) else {
            return Err(Problem::invalid("/path", "a job of the type import needs a path"));
        };
        let wanted = Path::new(path);
        let is_below = wanted.components().all(|part| matches!(part, Component::Normal(_)));
        let refused = || {
            let detail = "this is no file or folder in the directory to import from";
            Problem::invalid("/path", detail)
        };
        // A link may lead out of the directory.
        let imports = imports.canonicalize().map_err(|_| refused())?;
        let found = imports.join(wanted).canonicalize().ok();
        match found.filter(|found| is_below && found.starts_with(&imports)) {
            Some(found) => Ok((imports, found)),
            None => Err(refused()),
        }
    }

    /// What happens to an imported document whose id is in the collection.
    pub(super) fn rule(&self) -> OnDuplicate {
        match self.on_duplicate {
            None | Some(ImportedAgain::Replace) => OnDuplicate::Replace,
            Some(ImportedAgain::Skip) => OnDuplicate::Skip,
        }
    }
}
