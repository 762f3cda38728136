//! Tokens: who may use a server. They are in the file `tokens.json` of its directory, which a running server reads
//! again whenever it changes. Where the file exists, every request needs a token.
//!
//! The file contains the SHA-256 digest of each token, never a token. A fast hash suffices: a token has 256 random
//! bits, so that there is nothing to guess, while slow hashes protect passwords that people choose.

mod pattern;
mod token;

pub use token::{NewToken, Right, Secret, Token};
pub(crate) use token::{digest, id_of, random};

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nearprint::records::durability;
use serde::{Deserialize, Serialize};

/// The most tokens of a server: the file is read whole.
const MOST: usize = 10_000;

const SCHEMA: &str = "nearprint/tokens/1";

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
        new.check()?;
        self.change(|tokens| {
            if tokens.len() >= MOST {
                let detail = format!("there are {MOST} tokens, which is the limit: revoke some");
                return Err(TokenError::Invalid(detail));
            }
            let (token, secret) = new.made(tokens)?;
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
                NewToken { name, rights, collections, lifetime, limits }.made(tokens)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TokenLimits;

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
