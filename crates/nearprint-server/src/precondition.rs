//! What has to hold of a document before it is changed: `If-Match` and `If-None-Match` (RFC 9110, section 13.1).

use axum::http::HeaderMap;
use axum::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

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
        let holds = self.matches.as_ref().is_none_or(|tags| tags.have(tag))
            && self.none_matches.as_ref().is_none_or(|tags| !tags.have(tag));
        if holds {
            return Ok(());
        }
        let detail = match tag {
            Some(tag) => format!("the document has the tag {tag}"),
            None => "there is no such document".to_owned(),
        };
        Err(Problem::new(ProblemKind::PreconditionFailed, detail))
    }
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
            (&[(IF_MATCH, "*"), (IF_NONE_MATCH, "\"a\"")], [false, false, true]),
        ] {
            let condition = given(headers);
            let found = [None, one, other].map(|tag| condition.check(tag).is_ok());
            assert_eq!(found, holds, "{headers:?}");
        }
    }
}
