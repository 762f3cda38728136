//! What a job is asked to do, and what of it is refused.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use nearprint::extract::is_charset;
use nearprint::records::{Delimiter, TableForm};
use nearprint::{Clusters, Dedup, Documents, OnDuplicate, Pairs, ResolvedQuestion, Subject};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::question::{OptionPlace, of_fields};

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
#[serde(rename_all = "kebab-case")]
pub(crate) struct JobRequest {
    /// What the job does.
    #[serde(rename = "type")]
    pub(crate) kind: JobType,
    /// The collection.
    pub(crate) collection: String,
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
    /// For import: the charset of files of text, and of CSV and TSV; detected if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) charset: Option<String>,
    /// For import: what separates the values of CSV, one character or `tab`; detected if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delimiter: Option<String>,
    /// For import: whether the first row of CSV and TSV is a document too; its columns are named by their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) no_header: Option<bool>,
    /// For import: whether only the main content of HTML pages is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) main_content: Option<bool>,
    /// For import: whether revisits of web archives are added, too: unchanged captures, with the fingerprint and the
    /// text of the document that they refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revisits: Option<bool>,
    /// For pairs, clusters and dedup: options of the question (docs/OPTIONS.md), each a field of this object.
    #[serde(flatten)]
    pub(crate) options: BTreeMap<String, Value>,
}

impl JobRequest {
    /// A job without options.
    pub(crate) fn new(kind: JobType, collection: String) -> Self {
        Self {
            kind,
            collection,
            path: None,
            on_duplicate: None,
            text_field: None,
            id_field: None,
            charset: None,
            delimiter: None,
            no_header: None,
            main_content: None,
            revisits: None,
            options: BTreeMap::new(),
        }
    }

    /// Refuses what the job does not do with this collection. Files to import are in the directory `imports`.
    pub(super) fn check(
        &self,
        collection: &Collection,
        imports: Option<&Path>,
    ) -> Result<(), Problem> {
        let fields = [
            ("/path", self.path.is_some()),
            ("/on-duplicate", self.on_duplicate.is_some()),
            ("/text-field", self.text_field.is_some()),
            ("/id-field", self.id_field.is_some()),
            ("/charset", self.charset.is_some()),
            ("/delimiter", self.delimiter.is_some()),
            ("/no-header", self.no_header.is_some()),
            ("/main-content", self.main_content.is_some()),
            ("/revisits", self.revisits.is_some()),
        ];
        let wrong = |field: &str| {
            let detail = format!("this is not for a job of the type {}", self.kind.name());
            Err(Problem::invalid(field, detail))
        };
        if self.kind == JobType::Import {
            if let Some(option) = self.options.keys().next() {
                return wrong(&format!("/{option}"));
            }
            self.table_form()?;
            return self.imported(imports).map(drop);
        }
        if let Some((field, _)) = fields.iter().find(|(_, is_given)| *is_given) {
            return wrong(field);
        }
        match self.kind {
            JobType::Pairs => self.pairs(collection).map(drop),
            JobType::Clusters => self.clusters(collection).map(drop),
            _ if !collection.keeps_texts() => {
                let name = &collection.description.name;
                let detail = format!("the collection {name} keeps no texts to compare");
                Err(Problem::new(ProblemKind::NoTexts, detail))
            }
            _ => self.dedup(collection).map(drop),
        }
    }

    /// The question about pairs of a collection.
    pub(super) fn pairs(&self, of: &Collection) -> Result<ResolvedQuestion<Pairs>, Problem> {
        let question = of_fields::<Pairs>(&self.options)?.resolve(Subject::of(&of.index));
        let question = question.map_err(|error| OptionPlace::Body.refused(&error))?;
        of.index.check(&question.parts())?;
        Ok(question)
    }

    /// The question about clusters of a collection.
    pub(super) fn clusters(&self, of: &Collection) -> Result<ResolvedQuestion<Clusters>, Problem> {
        let question = of_fields::<Clusters>(&self.options)?.resolve(Subject::of(&of.index));
        let question = question.map_err(|error| OptionPlace::Body.refused(&error))?;
        of.index.check(&question.parts())?;
        Ok(question)
    }

    /// How documents are deduplicated.
    pub(super) fn dedup(&self, of: &Collection) -> Result<Dedup, Problem> {
        let question = of_fields::<Dedup>(&self.options)?.resolve(Dedup::subject(&of.index));
        question.map_err(|error| OptionPlace::Body.refused(&error))
    }

    /// How tables of text are written that are imported.
    pub(super) fn table_form(&self) -> Result<TableForm, Problem> {
        let charset = self.charset.clone();
        if charset.as_deref().is_some_and(|label| !is_charset(label)) {
            return Err(Problem::invalid("/charset", "this is not a label of a charset"));
        }
        let delimiter = self.delimiter.as_deref().map(str::parse::<Delimiter>).transpose();
        let delimiter =
            delimiter.map_err(|error| Problem::invalid("/delimiter", error.to_string()))?;
        Ok(TableForm { delimiter, no_header: self.no_header.unwrap_or(false), charset })
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
