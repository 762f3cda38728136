//! What a request may do: the right that each operation needs, and the collections that a token is for.
//!
//! The right is declared with each route and checked before its handler runs. Collections are checked where they are
//! looked up: nobody gets one without showing what the request may do.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::settings::TokenLimits;
use crate::tokens::{Right, Token};

/// What an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: everybody may have it.
    Nothing,
    /// A right.
    Right(Right),
}

impl Need {
    pub(crate) const METRICS: Self = Self::Right(Right::Metrics);
    pub(crate) const READ: Self = Self::Right(Right::Read);
    pub(crate) const WRITE: Self = Self::Right(Right::Write);
    pub(crate) const ADMIN: Self = Self::Right(Right::Admin);
}

/// Who asks.
#[derive(Debug, Clone)]
pub(crate) enum Access {
    /// Any user of this machine: the server has no tokens.
    Machine,
    /// Nobody that is known.
    Nobody,
    /// The owner of a token; by the cookie of a page, or by a header.
    Token { token: Arc<Token>, by_cookie: bool },
}

impl Access {
    /// Whether this may do what needs something.
    pub(crate) fn may(&self, need: Need) -> bool {
        match (self, need) {
            (Self::Machine, _) | (_, Need::Nothing) => true,
            (Self::Nobody, _) => false,
            (Self::Token { token, .. }, Need::Right(needed)) => {
                let enough: &[Right] = match needed {
                    Right::Read => &[Right::Read, Right::Write, Right::Admin],
                    Right::Write => &[Right::Write, Right::Admin],
                    Right::Admin => &[Right::Admin],
                    Right::Metrics => &[Right::Metrics, Right::Admin],
                };
                token.rights.iter().any(|right| enough.contains(right))
            }
        }
    }

    /// Whether this may use a collection.
    pub(crate) fn covers(&self, collection: &str) -> bool {
        match self {
            Self::Machine => true,
            Self::Nobody => false,
            Self::Token { token, .. } => token.covers(collection),
        }
    }

    /// Refuses collections that the token is not for, whether they exist or not.
    pub(crate) fn check_collection(&self, collection: &str) -> Result<(), Problem> {
        if self.covers(collection) {
            return Ok(());
        }
        let shown: String = collection.chars().take(64).collect();
        let detail = format!("the token is not for the collection {}", shown.escape_debug());
        Err(Problem::new(ProblemKind::Forbidden, detail))
    }

    /// What this may use of the server.
    pub(crate) fn limits(&self, usual: TokenLimits) -> TokenLimits {
        self.token().map_or(usual, |token| token.limits.or(usual))
    }

    /// Refuses who may not do everything on every collection.
    pub(crate) fn check_whole(&self) -> Result<(), Problem> {
        match self {
            Self::Token { token, .. } if !token.collections.is_empty() => {
                let detail = "the token is not for all collections";
                Err(Problem::new(ProblemKind::Forbidden, detail))
            }
            _ => Ok(()),
        }
    }

    /// Whether somebody signed in on a page.
    pub(crate) fn is_signed_in(&self) -> bool {
        matches!(self, Self::Token { by_cookie: true, .. })
    }

    /// Whose token it is; `None` without one.
    pub(crate) fn token(&self) -> Option<&Token> {
        match self {
            Self::Token { token, .. } => Some(token),
            _ => None,
        }
    }
}

/// What the guard found; nothing is allowed where it was not asked.
impl<S: Send + Sync> FromRequestParts<S> for Access {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or(Self::Nobody))
    }
}
