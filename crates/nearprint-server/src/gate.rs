//! Who asks: by the token of a header, or by the cookie of a page where somebody signed in with one.
//!
//! The file of tokens is looked at for every request, which is one look-up that the system answers from memory, and
//! read again where it changed. So a token that is made or revoked counts from the next request on.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE};

use crate::access::Access;
use crate::clock::now;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::tokens::{Token, Tokens, digest, id_of, random};

/// The cookie of pages.
pub(crate) const SESSION: &str = "nearprint_session";

/// How long somebody stays signed in, at most as long as the token is valid.
pub(crate) const SESSION_TIME: Duration = Duration::from_secs(12 * 3600);

/// The most sessions at a time; the one that ends first makes room.
const MOST_SESSIONS: usize = 4096;

/// The tokens of a server as they are now, and who is signed in.
pub(crate) struct Gate {
    tokens: Tokens,
    file: PathBuf,
    known: RwLock<TokenSnapshot>,
    sessions: Mutex<HashMap<[u8; 32], Session>>,
}

/// Tokens by their ids.
pub(crate) type ById = HashMap<String, Arc<Token>>;

/// What was read from the file.
#[derive(Clone, Default)]
struct TokenSnapshot {
    stamp: Option<Stamp>,
    /// `None` where there never was a file: the server needs no tokens.
    tokens: Option<Arc<ById>>,
}

/// What changes when the file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    changed: Option<SystemTime>,
    length: u64,
    inode: u64,
}

/// Somebody who signed in on a page.
struct Session {
    token: String,
    expires: u64,
}

/// The one answer to all wrong tokens, which says nothing about why.
fn unknown_token() -> Problem {
    let detail = "the token is unknown, expired or revoked";
    Problem::new(ProblemKind::Unauthenticated, detail)
}

impl Gate {
    /// The gate of a server's directory; fails where its file of tokens cannot be read.
    pub(crate) fn open(tokens: Tokens) -> Result<Self, Problem> {
        let gate = Self {
            file: tokens.file(),
            tokens,
            known: RwLock::default(),
            sessions: Mutex::default(),
        };
        gate.current()?;
        Ok(gate)
    }

    /// The file of tokens.
    pub(crate) fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    fn stamp(&self) -> Result<Option<Stamp>, Problem> {
        match fs::metadata(&self.file) {
            Ok(found) => {
                #[cfg(unix)]
                let inode = std::os::unix::fs::MetadataExt::ino(&found);
                #[cfg(not(unix))]
                let inode = 0;
                let changed = found.modified().ok();
                Ok(Some(Stamp { changed, length: found.len(), inode }))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&error)),
        }
    }

    /// The tokens as they are now; `None` where none are needed.
    pub(crate) fn current(&self) -> Result<Option<Arc<ById>>, Problem> {
        let stamp = self.stamp()?;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        if known.stamp == stamp {
            return Ok(known.tokens);
        }
        // A file that is gone while the server runs leaves nobody who may do anything, rather than everybody.
        let tokens = self.tokens.list().map_err(|error| unreadable(&error))?;
        let tokens = tokens.into_iter().map(|token| (token.id.clone(), Arc::new(token)));
        let tokens = Some(Arc::new(tokens.collect()));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        *known = TokenSnapshot { stamp, tokens };
        Ok(known.tokens.clone())
    }

    /// Whether requests need a token.
    pub(crate) fn is_closed(&self) -> Result<bool, Problem> {
        Ok(self.current()?.is_some())
    }

    /// Who asks, by the headers of a request and the tokens as they are now.
    pub(crate) fn access(
        &self,
        tokens: Option<&ById>,
        headers: &HeaderMap,
    ) -> Result<Access, Problem> {
        let Some(tokens) = tokens else { return Ok(Access::Machine) };
        let mut named = headers.get_all(AUTHORIZATION).iter();
        if let Some(value) = named.next() {
            let value = value.to_str().ok().filter(|_| named.next().is_none());
            let bearer = value.and_then(|value| value.split_once(' '));
            let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let (_, secret) = bearer.ok_or_else(unknown_token)?;
            let token = find(tokens, secret.trim()).ok_or_else(unknown_token)?;
            return Ok(Access::Token { token, by_cookie: false });
        }
        let Some(cookie) = cookie(headers) else {
            let detail = "the request has no token";
            return Err(Problem::new(ProblemKind::Unauthenticated, detail));
        };
        let token = {
            let sessions = self.sessions();
            let session = sessions.get(&digest(cookie)).filter(|session| now() < session.expires);
            session.and_then(|session| tokens.get(&session.token).cloned())
        };
        let token = token.filter(|token| token.is_valid(now())).ok_or_else(unknown_token)?;
        Ok(Access::Token { token, by_cookie: true })
    }

    /// Signs the owner of a token in; returns the value of the cookie.
    pub(crate) fn sign_in(&self, secret: &str) -> Result<String, Problem> {
        let tokens = self.current()?.unwrap_or_default();
        let token = find(&tokens, secret).ok_or_else(unknown_token)?;
        let value = random().map_err(|error| {
            Problem::new(ProblemKind::Storage, format!("there are no random numbers: {error}"))
        })?;
        let mut sessions = self.sessions();
        let time = now();
        if sessions.len() >= MOST_SESSIONS {
            sessions.retain(|_, session| time < session.expires);
        }
        if sessions.len() >= MOST_SESSIONS
            && let Some(first) = sessions.iter().min_by_key(|(_, session)| session.expires)
        {
            let first = *first.0;
            sessions.remove(&first);
        }
        let expires = time + SESSION_TIME.as_millis() as u64;
        sessions.insert(digest(&value), Session { token: token.id.clone(), expires });
        Ok(value)
    }

    /// Ends the session of a request, if it has one.
    pub(crate) fn sign_out(&self, headers: &HeaderMap) {
        if let Some(cookie) = cookie(headers) {
            self.sessions().remove(&digest(cookie));
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unreadable(error: &impl std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Storage, format!("the tokens cannot be read: {error}"))
}

/// The token of this text, if it is valid now.
fn find(tokens: &ById, secret: &str) -> Option<Arc<Token>> {
    let token = tokens.get(id_of(secret)?)?;
    (token.is(secret) && token.is_valid(now())).then(|| Arc::clone(token))
}

/// The value of the cookie of pages.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|value| value.split(';')).find_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == SESSION).then_some(value)
    })
}
