//! What has to hold of a document before it is read or changed: `If-Match` and `If-None-Match` (RFC 9110, section
//! 13.1). Only documents have tags: other changes are refused under a condition, which nothing can fulfil.

use axum::http::HeaderMap;
use axum::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// The route of the documents of a collection, one of which a request may be about.
const DOCUMENTS: &str = "/v1/collections/{collection}/documents";

/// The conditions of a request; by default there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Precondition {
    /// One of these tags has to be the document's.
    matches: Option<Tags>,
    /// None of these may be.
    none_matches: Option<Tags>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tags {
    /// `*`: any document.
    Any,
    Some(Vec<String>),
}

impl Tags {
    fn of(headers: &HeaderMap, name: HeaderName) -> Option<Self> {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        let tags: Vec<String> =
            values.flat_map(|value| value.split(',')).map(|tag| tag.trim().to_owned()).collect();
        match tags.as_slice() {
            [] => None,
            [any] if any == "*" => Some(Self::Any),
            _ => Some(Self::Some(tags)),
        }
    }

    fn have(&self, tag: Option<&str>) -> bool {
        match (self, tag) {
            (_, None) => false,
            (Self::Any, Some(_)) => true,
            (Self::Some(tags), Some(tag)) => tags.iter().any(|known| known == tag),
        }
    }

    /// The same by the weak comparison: what compresses answers on their way makes tags weak.
    fn have_weakly(&self, tag: Option<&str>) -> bool {
        match self {
            Self::Any => self.have(tag),
            Self::Some(tags) => {
                tags.iter().any(|known| Some(known.strip_prefix("W/").unwrap_or(known)) == tag)
            }
        }
    }
}

impl Precondition {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self {
            matches: Tags::of(headers, IF_MATCH),
            none_matches: Tags::of(headers, IF_NONE_MATCH),
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses a change of a document of this tag, or of none, unless the conditions hold.
    pub(crate) fn check(&self, tag: Option<&str>) -> Result<(), Problem> {
        if self.matches.as_ref().is_none_or(|tags| tags.have(tag)) && !self.is_known(tag) {
            return Ok(());
        }
        let detail = match tag {
            Some(tag) => format!("the document has the tag {tag}"),
            None => "there is no such document".to_owned(),
        };
        Err(Problem::new(ProblemKind::PreconditionFailed, detail))
    }

    /// Whether whoever reads a document of this tag has it already; refused where another one is wanted.
    pub(crate) fn check_read(&self, tag: &str) -> Result<bool, Problem> {
        let matches = Self { matches: self.matches.clone(), none_matches: None };
        matches.check(Some(tag))?;
        Ok(self.is_known(Some(tag)))
    }

    fn is_known(&self, tag: Option<&str>) -> bool {
        self.none_matches.as_ref().is_some_and(|tags| tags.have_weakly(tag))
    }
}

/// Refuses a change that depends on a condition which is not looked at: it must not be made as if there was none.
pub(crate) fn check_heeded(
    method: &str,
    route: Option<&str>,
    headers: &HeaderMap,
) -> Result<(), Problem> {
    let is_read = matches!(method, "GET" | "HEAD" | "OPTIONS");
    if is_read || (matches!(method, "PUT" | "DELETE") && route == Some(DOCUMENTS)) {
        return Ok(());
    }
    for (name, shown) in [(IF_MATCH, "If-Match"), (IF_NONE_MATCH, "If-None-Match")] {
        if headers.contains_key(name) {
            let detail = "only a document that is put or removed alone has a tag to compare";
            return Err(Problem::invalid(shown, detail));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn conditions_are_those_of_the_standard() {
        let given = |headers: &[(HeaderName, &'static str)]| {
            let headers =
                headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
            Precondition::of(&HeaderMap::from_iter(headers))
        };
        assert!(given(&[]).is_empty());
        let (one, other) = (Some("\"a\""), Some("\"b\""));
        for (headers, holds) in [
            (&[][..], [true, true, true]),
            (&[(IF_MATCH, "*")], [false, true, true]),
            (&[(IF_MATCH, "\"x\", \"a\"")], [false, true, false]),
            (&[(IF_NONE_MATCH, "*")], [true, false, false]),
            (&[(IF_NONE_MATCH, "\"a\"")], [true, false, true]),
            (&[(IF_NONE_MATCH, "W/\"a\"")], [true, false, true]),
            (&[(IF_MATCH, "W/\"a\"")], [false, false, false]),
            (&[(IF_MATCH, "*"), (IF_NONE_MATCH, "\"a\"")], [false, false, true]),
        ] {
            let condition = given(headers);
            let found = [None, one, other].map(|tag| condition.check(tag).is_ok());
            assert_eq!(found, holds, "{headers:?}");
        }
    }
}
