//! Tokens: who may use a server. They are in the file `tokens.json` of its directory, which a running server reads
//! again whenever it changes. Where the file exists, every request needs a token.
//!
//! The file contains the SHA-256 digest of each token, never a token. A fast hash suffices: a token has 256 random
//! bits, so that there is nothing to guess, while slow hashes protect passwords that people choose.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nearprint::records::durability;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::clock::{date, now};
use crate::settings::TokenLimits;

/// What all tokens begin with, so that programs that look for leaked secrets find them.
const PREFIX: &str = "npt_";

/// Bytes of a token that are random.
const RANDOM: usize = 32;

/// The most tokens of a server: the file is read whole.
const MOST: usize = 10_000;

/// The longest name and the longest pattern, in bytes.
const LONGEST: usize = 64;

const SCHEMA: &str = "nearprint/tokens/1";

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

/// What is known about a token. The token itself is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Token {
    /// What names it: a part of the token that is no secret.
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

/// Why tokens cannot be read or changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenError {
    /// A name, a right or a pattern is none.
    Invalid(String),
    /// There is no token of this id.
    Unknown {
        /// The id.
        id: String,
    },
    /// The file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(detail) => f.write_str(detail),
            Self::Unknown { id } => write!(f, "there is no token {}", id.escape_debug()),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for TokenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// The tokens of a server's directory, changed while the server runs or not.
#[derive(Debug, Clone)]
pub struct Tokens {
    directory: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    schema: String,
    tokens: Vec<Token>,
}

impl Tokens {
    /// The tokens of this directory, which need not exist.
    #[must_use]
    pub fn of(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// The file.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.join("tokens.json")
    }

    /// Whether requests need a token: whether the file exists.
    #[must_use]
    pub fn are_needed(&self) -> bool {
        self.file().exists()
    }

    /// All tokens, in the order of their making; none if there is no file.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn list(&self) -> Result<Vec<Token>, TokenError> {
        let path = self.file();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(TokenError::File { path, error }),
        };
        match serde_json::from_slice::<TokenFile>(&bytes) {
            Ok(file) if file.schema == SCHEMA => Ok(file.tokens),
            Ok(file) => {
                let error =
                    io::Error::other(format!("the schema is {}, not {SCHEMA}", file.schema));
                Err(TokenError::File { path, error })
            }
            Err(error) => Err(TokenError::File { path, error: io::Error::other(error) }),
        }
    }

    /// Makes a token, and the directory and the file if they do not exist.
    ///
    /// # Errors
    /// Where the name, the rights or a pattern are not allowed, and where the file cannot be written.
    pub fn create(&self, new: &NewToken) -> Result<(Token, Secret), TokenError> {
        check(new)?;
        self.change(|tokens| {
            if tokens.len() >= MOST {
                let detail = format!("there are {MOST} tokens, which is the limit: revoke some");
                return Err(TokenError::Invalid(detail));
            }
            let (token, secret) = made(new, tokens)?;
            tokens.push(token.clone());
            Ok((token, secret))
        })
    }

    /// Removes a token: the next request with it is refused.
    ///
    /// # Errors
    /// Where there is no such token, and where the file cannot be written.
    pub fn revoke(&self, id: &str) -> Result<Token, TokenError> {
        self.change(|tokens| {
            let at = position(tokens, id)?;
            Ok(tokens.remove(at))
        })
    }

    /// Makes a token like another, which stays valid for `overlap` more.
    ///
    /// # Errors
    /// Where there is no such token, and where the file cannot be written.
    pub fn rotate(&self, id: &str, overlap: Duration) -> Result<(Token, Secret), TokenError> {
        self.change(|tokens| {
            let at = position(tokens, id)?;
            let old = tokens[at].clone();
            let lifetime =
                old.expires.map(|end| Duration::from_millis(end.saturating_sub(old.created)));
            let Token { name, rights, collections, limits, .. } = old.clone();
            let (new, secret) =
                made(&NewToken { name, rights, collections, lifetime, limits }, tokens)?;
            let end = new.created.saturating_add(millis(overlap));
            match overlap.is_zero() {
                true => drop(tokens.remove(at)),
                false => tokens[at].expires = Some(old.expires.map_or(end, |was| was.min(end))),
            }
            tokens.push(new.clone());
            Ok((new, secret))
        })
    }

    /// Changes the file: one process at a time, and it is complete or as it was.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<Token>) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| TokenError::File { path, error }
        };
        fs::create_dir_all(&self.directory).map_err(failed(&self.directory))?;
        let lock = self.directory.join("tokens.lock");
        let held = File::create(&lock).map_err(failed(&lock))?;
        held.lock().map_err(failed(&lock))?;
        let mut tokens = self.list()?;
        let changed = change(&mut tokens)?;
        let bytes = serde_json::to_vec_pretty(&TokenFile { schema: SCHEMA.to_owned(), tokens });
        let part = self.directory.join("tokens.json.part");
        let written = private(&part).and_then(|mut file| {
            file.write_all(&bytes.unwrap_or_default())?;
            durability::finish_file(&file, &part, &self.file())
        });
        written.map_err(failed(&part))?;
        Ok(changed)
    }
}

/// A new file that only its owner may read.
fn private(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn position(tokens: &[Token], id: &str) -> Result<usize, TokenError> {
    let at = tokens.iter().position(|token| token.id == id);
    at.ok_or_else(|| TokenError::Unknown { id: id.to_owned() })
}

fn check(new: &NewToken) -> Result<(), TokenError> {
    let invalid = |detail: String| Err(TokenError::Invalid(detail));
    if !(1..=LONGEST).contains(&new.name.len()) || new.name.chars().any(char::is_control) {
        return invalid(format!("a name has 1 to {LONGEST} bytes and no control characters"));
    }
    if new.rights.is_empty() {
        return invalid("a token has at least one right".to_owned());
    }
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_*".contains(&byte);
    let is_wrong = |pattern: &&String| {
        !(1..=LONGEST).contains(&pattern.len()) || !pattern.bytes().all(is_plain)
    };
    match new.collections.iter().find(is_wrong) {
        Some(pattern) => invalid(format!(
            "{} is no pattern of collections: it has 1 to {LONGEST} of the characters a to z, 0 to 9, -, _ and *",
            pattern.escape_debug()
        )),
        None => Ok(()),
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

fn made(new: &NewToken, others: &[Token]) -> Result<(Token, Secret), TokenError> {
    let no_random =
        |error| TokenError::File { path: PathBuf::from("the random numbers of the system"), error };
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
        name: new.name.clone(),
        rights: new.rights.clone(),
        collections: new.collections.clone(),
        created,
        expires: new.lifetime.map(|lifetime| created.saturating_add(millis(lifetime))),
        limits: new.limits,
        sha256: hex(&digest(&secret)),
    };
    Ok((token, Secret(secret)))
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

/// Whether a name matches a pattern, in time linear in the product of their lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut star = None;
    while from < name.len() {
        if at < pattern.len() && pattern[at] == b'*' {
            star = Some((at, from));
            at += 1;
        } else if at < pattern.len() && pattern[at] == name[from] {
            (at, from) = (at + 1, from + 1);
        } else if let Some((place, taken)) = star {
            (at, from) = (place + 1, taken + 1);
            star = Some((place, taken + 1));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(collections: &[&str], lifetime: Option<Duration>) -> NewToken {
        let collections = collections.iter().map(|&pattern| pattern.to_owned()).collect();
        NewToken {
            name: "crawler".to_owned(),
            rights: vec![Right::Write],
            collections,
            lifetime,
            limits: TokenLimits::default(),
        }
    }

    #[test]
    fn patterns_are_matched_whole() {
        for (pattern, name, wanted) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("crawl-*", "crawl-2026", true),
            ("crawl-*", "acrawl-2026", false),
            ("*-x", "a-x-x", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("**", "a", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn the_file_has_digests_and_is_its_owners() {
        let directory = tempfile::tempdir().unwrap();
        let tokens = Tokens::of(&directory.path().join("new"));
        assert!(!tokens.are_needed() && tokens.list().unwrap().is_empty());
        let (token, secret) = tokens.create(&new(&["crawl-*"], None)).unwrap();
        assert!(secret.expose().starts_with("npt_") && secret.expose().len() > 50);
        assert!(!format!("{secret:?}").contains(&secret.expose()[4..]));
        assert_eq!(id_of(secret.expose()), Some(token.id.as_str()));
        let written = fs::read_to_string(tokens.file()).unwrap();
        assert!(!written.contains(secret.expose().rsplit('_').next().unwrap()), "{written}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(tokens.file()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let listed = tokens.list().unwrap();
        assert_eq!(listed, std::slice::from_ref(&token));
        assert!(listed[0].is(secret.expose()) && !listed[0].is(&secret.expose()[1..]));
        assert!(listed[0].covers("crawl-1") && !listed[0].covers("other"));
        // The last one that is revoked does not open the server to everybody.
        tokens.revoke(&token.id).unwrap();
        assert!(tokens.are_needed() && tokens.list().unwrap().is_empty());
        assert!(tokens.revoke(&token.id).is_err());
    }

    #[test]
    fn rotation_gives_the_same_rights_and_ends_the_old_token() {
        let directory = tempfile::tempdir().unwrap();
        let tokens = Tokens::of(directory.path());
        let hour = Duration::from_secs(3600);
        let (first, _) = tokens.create(&new(&["a"], Some(hour))).unwrap();
        let (second, secret) = tokens.rotate(&first.id, Duration::from_secs(60)).unwrap();
        assert_eq!((&second.rights, &second.collections), (&first.rights, &first.collections));
        assert_eq!(second.expires, Some(second.created + 3_600_000));
        assert!(second.is(secret.expose()) && second.id != first.id);
        let old = &tokens.list().unwrap()[0];
        assert_eq!((&old.id, old.expires), (&first.id, Some(second.created + 60_000)));
        assert!(old.is_valid(second.created) && !old.is_valid(second.created + 60_000));
        tokens.rotate(&second.id, Duration::ZERO).unwrap();
        assert!(tokens.list().unwrap().iter().all(|token| token.id != second.id));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let tokens = Tokens::of(directory.path());
        let refused = |new: &NewToken| tokens.create(new).map(|_| ()).unwrap_err().to_string();
        assert!(refused(&new(&["A/b"], None)).contains("A/b"));
        assert!(refused(&NewToken { name: "\n".to_owned(), ..new(&[], None) }).contains("name"));
        assert!(refused(&NewToken { rights: Vec::new(), ..new(&[], None) }).contains("right"));
        assert!(!tokens.are_needed());
        fs::write(tokens.file(), "{}").unwrap();
        assert!(tokens.create(&new(&[], None)).is_err(), "a damaged file is not replaced");
    }
}
