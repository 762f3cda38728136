//! What an index says about itself.

use std::collections::BTreeMap;
use std::path::Path;

use nearprint::extract::extractors;
use nearprint::fingerprint::Scheme;
use nearprint::named_scheme;
use redb::{ReadTransaction, ReadableTable, WriteTransaction};
use twox_hash::XxHash3_128;

use crate::IndexError;
use crate::format::FORMAT_VERSION;
use crate::store::{HEADER, Store};

const FORMAT: &str = "format";
const SCHEME: &str = "scheme";
const ID: &str = "id";
const PROGRAM: &str = "created-by";
const EXTRACTORS: &str = "extractors";
const FEATURES: &str = "features";
const TEXTS: &str = "texts";
const CHECKSUM: &str = "checksum";

/// The form in which texts are kept.
const TEXTS_FORM: &str = "text/1";

/// What an index says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The scheme of all fingerprints.
    pub scheme: Scheme,
    /// A number that no other index has, except for its snapshots.
    pub id: u128,
    /// The version of the program that created it.
    pub created_by: String,
    /// The extractors of that program with their versions.
    pub extractors: String,
    /// The name of the features that are kept of each document
    /// ([`Verification::features_name`](nearprint::Verification::features_name)); `None` where none are.
    pub features: Option<String>,
    /// Whether the texts of documents are kept.
    pub texts: bool,
}

impl Header {
    /// The header of a new index.
    pub(crate) fn new(scheme: Scheme) -> Self {
        let extractors: Vec<_> =
            extractors().map(|(name, version)| format!("{name}/{version}")).collect();
        Self {
            scheme,
            id: new_id(),
            created_by: env!("CARGO_PKG_VERSION").to_owned(),
            extractors: extractors.join(" "),
            features: None,
            texts: false,
        }
    }

    pub(crate) fn write(&self, store: &Store, to: &WriteTransaction) -> Result<(), IndexError> {
        let mut table = store.tried(to.open_table(HEADER))?;
        let rows = [
            (FORMAT, FORMAT_VERSION.to_string()),
            (SCHEME, scheme_text(self.scheme)),
            (ID, format!("{:032x}", self.id)),
            (PROGRAM, self.created_by.clone()),
            (EXTRACTORS, self.extractors.clone()),
        ];
        let features = self.features.iter().map(|name| (FEATURES, name.clone()));
        let texts = self.texts.then(|| (TEXTS, TEXTS_FORM.to_owned()));
        let rows: BTreeMap<_, _> = rows.into_iter().chain(features).chain(texts).collect();
        let sum = checksum(&rows);
        for (name, text) in rows.iter().map(|(name, text)| (*name, text)).chain([(CHECKSUM, &sum)])
        {
            store.tried(table.insert(name, text.as_str()).map(drop))?;
        }
        Ok(())
    }

    /// Reads the header of the index at `path`; refuses other versions and schemes that are not known.
    pub(crate) fn read(
        store: &Store,
        from: &ReadTransaction,
        path: &Path,
    ) -> Result<Self, IndexError> {
        let not_an_index = |reason: &str| IndexError::NotAnIndex {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let table = from.open_table(HEADER).map_err(|_| not_an_index("it has no header"))?;
        let given = |name: &str| -> Result<Option<String>, IndexError> {
            Ok(store.tried(table.get(name))?.map(|text| text.value().to_owned()))
        };
        let text =
            |name: &str| given(name)?.ok_or_else(|| not_an_index("its header is not complete"));
        let found = text(FORMAT)?;
        if found != FORMAT_VERSION.to_string() {
            let (path, created_by) = (path.to_owned(), text(PROGRAM)?);
            return Err(IndexError::OtherFormat { path, found, created_by });
        }
        // One bit makes another scheme of `sd1`, of which all fingerprints would be then. Indexes that were made before
        // there was a checksum have none.
        if let Some(sum) = given(CHECKSUM)? {
            let mut rows = BTreeMap::new();
            for row in store.tried(table.iter())? {
                let (name, text) = store.tried(row)?;
                rows.insert(name.value().to_owned(), text.value().to_owned());
            }
            rows.remove(CHECKSUM);
            if sum != checksum(&rows) {
                return Err(store.damaged("its header does not have its checksum"));
            }
        }
        let scheme = text(SCHEME)?;
        let named = named_scheme(&scheme).map_err(|error| IndexError::UnknownScheme {
            path: path.to_owned(),
            scheme: scheme.clone(),
            reason: error.to_string(),
        });
        Ok(Self {
            scheme: named?,
            id: u128::from_str_radix(&text(ID)?, 16)
                .map_err(|_| store.damaged("its header has no id"))?,
            created_by: text(PROGRAM)?,
            extractors: text(EXTRACTORS)?,
            features: given(FEATURES)?,
            texts: given(TEXTS)?.is_some(),
        })
    }
}

/// A number that rows have, in 32 hexadecimal digits: of each name and text, each followed by a zero byte.
fn checksum<N: AsRef<str>>(rows: &BTreeMap<N, String>) -> String {
    let mut bytes = Vec::new();
    for part in rows.iter().flat_map(|(name, text)| [name.as_ref(), text.as_str()]) {
        bytes.extend_from_slice(part.as_bytes());
        bytes.push(0);
    }
    format!("{:032x}", XxHash3_128::oneshot(&bytes))
}

/// A scheme as it is written: its id, or how it is declared.
pub(crate) fn scheme_text(scheme: Scheme) -> String {
    match scheme.as_custom() {
        Some(declaration) => declaration.to_string(),
        None => scheme.id().to_owned(),
    }
}

/// A number that another process at another time does not get.
fn new_id() -> u128 {
    use std::hash::{BuildHasher, RandomState};
    // The standard library's hasher is seeded by the system's random numbers.
    let random = [RandomState::new().hash_one(0u8), RandomState::new().hash_one(1u8)];
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = format!("{random:?} {now:?} {}", std::process::id());
    XxHash3_128::oneshot(seed.as_bytes())
}
