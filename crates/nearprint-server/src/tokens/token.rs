//! A token: what it allows, its text, which is shown once, and what is kept of it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::pattern::matches;
use super::{TokenError, millis};
use crate::clock::{date, now};
use crate::settings::TokenLimits;

/// What all tokens begin with, so that programs that look for leaked secrets find them.
const PREFIX: &str = "npt_";

/// Bytes of a token that are random.
const RANDOM: usize = 32;

/// The longest name and the longest pattern, in bytes.
const LONGEST: usize = 64;

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Right {
    /// Look at documents, query, compare, and fetch results.
    Read,
    /// The same, and change documents and run jobs.
    Write,
    /// Everything.
    Admin,
    /// The numbers about the server (`/metrics` and `/healthz`), and nothing else.
    Metrics,
}

impl Right {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Admin, Self::Metrics];

    /// As it is written in the file and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
            Self::Metrics => "metrics",
        }
    }
}

impl FromStr for Right {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|right| right.name() == name);
        found.ok_or_else(|| "a right is read, write, admin or metrics".to_owned())
    }
}

/// What a token is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// What it is for, in 1 to 64 bytes without control characters.
    pub name: String,
    /// What it allows.
    pub rights: Vec<Right>,
    /// The collections that it is for: names, in which `*` stands for any characters. Empty for all.
    pub collections: Vec<String>,
    /// How long it is valid; `None` until it is revoked.
    pub lifetime: Option<Duration>,
    /// What it may use; where it says nothing, the settings of the server do.
    pub limits: TokenLimits,
}

impl NewToken {
    /// Refuses names, rights and patterns that are not allowed.
    pub(super) fn check(&self) -> Result<(), TokenError> {
        let invalid = |detail: String| Err(TokenError::Invalid(detail));
        if !(1..=LONGEST).contains(&self.name.len()) || self.name.chars().any(char::is_control) {
            return invalid(format!("a name has 1 to {LONGEST} bytes and no control characters"));
        }
        if self.rights.is_empty() {
            return invalid("a token has at least one right".to_owned());
        }
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_*".contains(&byte);
        let is_wrong = |pattern: &&String| {
            !(1..=LONGEST).contains(&pattern.len()) || !pattern.bytes().all(is_plain)
        };
        match self.collections.iter().find(is_wrong) {
            Some(pattern) => invalid(format!(
                "{} is no pattern of collections: it has 1 to {LONGEST} of the characters a to z, 0 to 9, -, _ and *",
                pattern.escape_debug()
            )),
            None => Ok(()),
        }
    }

    /// The token with its text; its id is not that of any other.
    pub(super) fn made(&self, others: &[Token]) -> Result<(Token, Secret), TokenError> {
        let no_random = |error| TokenError::File {
            path: PathBuf::from("the random numbers of the system"),
            error,
        };
        let id = loop {
            let id = hex(&digest(&random().map_err(no_random)?)[..4]);
            if others.iter().all(|other| other.id != id) {
                break id;
            }
        };
        let secret = format!("{PREFIX}{id}_{}", random().map_err(no_random)?);
        let created = now();
        let token = Token {
            id,
            name: self.name.clone(),
            rights: self.rights.clone(),
            collections: self.collections.clone(),
            created,
            expires: self.lifetime.map(|lifetime| created.saturating_add(millis(lifetime))),
            limits: self.limits,
            sha256: hex(&digest(&secret)),
        };
        Ok((token, Secret(secret)))
    }
}

/// What is known about a token. The token itself is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Token {
    /// What names it: a part of the token that is not a secret.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// What it allows.
    pub rights: Vec<Right>,
    /// The collections that it is for; empty for all.
    pub collections: Vec<String>,
    /// When it was made, in milliseconds since 1970-01-01 UTC.
    pub created: u64,
    /// When it expires, likewise.
    pub expires: Option<u64>,
    /// What it may use; where it says nothing, the settings of the server do.
    #[serde(default, skip_serializing_if = "TokenLimits::is_default")]
    pub limits: TokenLimits,
    sha256: String,
}

/// A token as its user has it: shown once, and kept nowhere.
pub struct Secret(String);

impl Secret {
    /// The token.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Random bytes as text that fits into addresses and headers.
pub(crate) fn random() -> io::Result<String> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

pub(crate) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Token {
    /// The names of [`columns`](Self::columns).
    pub const COLUMNS: [&'static str; 6] =
        ["id", "rights", "collections", "created", "expires", "name"];

    /// What a list says about it; times by RFC 3339.
    #[must_use]
    pub fn columns(&self) -> [String; 6] {
        let rights: Vec<_> = self.rights.iter().map(|right| right.name()).collect();
        let collections = match self.collections.is_empty() {
            true => "all".to_owned(),
            false => self.collections.join(","),
        };
        let expires = self.expires.map_or_else(|| "never".to_owned(), date);
        let name = self.name.escape_debug().to_string();
        [self.id.clone(), rights.join(","), collections, date(self.created), expires, name]
    }

    /// Whether it is valid at a time.
    #[must_use]
    pub fn is_valid(&self, time: u64) -> bool {
        self.expires.is_none_or(|end| time < end)
    }

    /// Whether this is its text. It takes the same time wherever the texts differ.
    pub(crate) fn is(&self, secret: &str) -> bool {
        hex(&digest(secret)).as_bytes().ct_eq(self.sha256.as_bytes()).into()
    }

    /// Whether it is for a collection.
    pub(crate) fn covers(&self, collection: &str) -> bool {
        let matches = |pattern: &String| matches(pattern.as_bytes(), collection.as_bytes());
        self.collections.is_empty() || self.collections.iter().any(matches)
    }
}

/// The id in the text of a token.
pub(crate) fn id_of(secret: &str) -> Option<&str> {
    secret.strip_prefix(PREFIX)?.split_once('_').map(|(id, _)| id)
}
