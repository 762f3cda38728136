//! Problems as answers, by RFC 9457: `type` is a page that explains the kind, `detail` says what happened here.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use nearprint::records::{ErrorRecord, ReasonCode};
use nearprint::{Error, ErrorKind};
use nearprint_index::IndexError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem_kind::ProblemKind;

/// Seconds after which a refused request may be sent again.
const RETRY_SECONDS: u64 = 1;

/// Why a request was not done.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    pub(crate) detail: String,
    /// What to do about it here, if that is more than the kind says.
    pub(crate) remedy: Option<String>,
    /// The code of extraction's reason.
    pub(crate) reason: Option<String>,
    pub(crate) errors: Vec<FieldError>,
    /// Seconds after which the request may be sent again.
    pub(crate) retry: Option<u64>,
}

/// What is wrong with one parameter or field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FieldError {
    /// The field, as a JSON pointer; a parameter of the address is `?` and its name.
    pub(crate) pointer: String,
    /// What is wrong.
    pub(crate) detail: String,
}

/// A problem as it is written (RFC 9457, `application/problem+json`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// The page that explains this kind of problem, relative to the server.
    #[serde(rename = "type")]
    page: String,
    /// The same sentence for all problems of a kind.
    title: &'static str,
    /// The status of HTTP.
    status: u16,
    /// What happened here.
    detail: String,
    /// The path of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    /// The kind, which programs can decide by.
    kind: &'static str,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
    /// The reason why a document has no text or no fingerprint, by the codes of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The id of the request, as in the header `x-request-id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    /// What is wrong with which parameter or field.
    errors: Vec<FieldError>,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        let (detail, errors) = (detail.into(), Vec::new());
        Self { kind, detail, remedy: None, reason: None, errors, retry: None }
    }

    /// A wrong value of one field or parameter; of the whole body where the pointer is empty.
    pub(crate) fn invalid(pointer: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let said = match pointer {
            "" => detail.clone(),
            _ => format!("{pointer}: {detail}"),
        };
        let errors = vec![FieldError { pointer: pointer.to_owned(), detail }];
        Self { errors, ..Self::new(ProblemKind::InvalidParameter, said) }
    }

    /// What is wrong with the one field or parameter.
    pub(crate) fn said(&self) -> String {
        self.errors.first().map_or_else(|| self.detail.clone(), |error| error.detail.clone())
    }

    /// Whether something that was entered is wrong, and can be entered again.
    pub(crate) fn is_of_input(&self) -> bool {
        let client = self.status().is_client_error();
        client && !matches!(self.kind, ProblemKind::Unauthenticated | ProblemKind::Forbidden)
    }

    pub(crate) fn overloaded(detail: impl Into<String>) -> Self {
        Self::new(ProblemKind::Overloaded, detail)
    }

    /// More requests than a token may send; after `wait` another one is allowed.
    pub(crate) fn too_many(detail: impl Into<String>, wait: Duration) -> Self {
        // Whole seconds, rounded up.
        let retry = Some(wait.as_millis().div_ceil(1000).max(1) as u64);
        Self { retry, ..Self::new(ProblemKind::TooManyRequests, detail) }
    }

    pub(crate) fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// A document without a text: extraction failed, or there is none in it.
    pub(crate) fn of_document(reason: &ReasonCode, detail: &str) -> Self {
        let kind = match reason {
            // The machine failed, not the document: whoever sent it must not give it up.
            reason if *reason == ReasonCode::WORKER_UNAVAILABLE => ProblemKind::Overloaded,
            reason if reason.is_failure() => ProblemKind::UnreadableDocument,
            _ => ProblemKind::NoFingerprint,
        };
        Self { reason: Some(reason.as_str().to_owned()), ..Self::new(kind, detail) }
    }

    /// What a client may know of it: the owner of the server everything, others no path of its files.
    pub(crate) fn for_client(&self, is_owner: bool) -> Self {
        let names_files = [ProblemKind::Storage, ProblemKind::DamagedCollection];
        if is_owner || !names_files.contains(&self.kind) {
            return self.clone();
        }
        let detail = "the log of the server has the reason under the id of this request";
        Self { detail: detail.to_owned(), ..self.clone() }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.kind.known().status
    }

    /// As it is written in the answer to a request, or in an item of one.
    pub(crate) fn body(&self, instance: Option<&str>, request_id: Option<&str>) -> ProblemBody {
        let known = self.kind.known();
        ProblemBody {
            page: format!("/problems/{}", known.name),
            title: known.title,
            status: known.status.as_u16(),
            detail: self.detail.clone(),
            instance: instance.map(str::to_owned),
            kind: known.name,
            remedy: self.remedy.clone(),
            reason: self.reason.clone(),
            request_id: request_id.map(str::to_owned),
            errors: self.errors.clone(),
        }
    }

    /// The answer to a request.
    pub(crate) fn response(&self, instance: &str, request_id: &str) -> Response {
        let body = serde_json::to_vec(&self.body(Some(instance), Some(request_id)));
        let mut response = Response::new(Body::from(body.unwrap_or_default()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        self.add_headers(headers);
        response
    }

    /// Says when to try again, or how to say who asks.
    pub(crate) fn add_headers(&self, headers: &mut axum::http::HeaderMap) {
        let usual = (self.status() == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_SECONDS);
        if let Some(seconds) = self.retry.or(usual) {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"nearprint\"");
            headers.insert(WWW_AUTHENTICATE, scheme);
        }
    }
}

/// Handlers answer with a problem; the outermost layer, which knows the request's id and path, writes it.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let kind = match (&error, error.kind()) {
            (Error::UnlikeSchemes(_) | Error::PrintsOfOtherScheme { .. }, _) => {
                ProblemKind::OtherScheme
            }
            (Error::DuplicateId { .. }, _) => ProblemKind::DuplicateDocument,
            (_, ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::Limit) => {
                ProblemKind::Unsupported
            }
            (_, ErrorKind::Resource | ErrorKind::Io) => ProblemKind::Storage,
            _ => ProblemKind::Internal,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Self {
        Self::from(Error::from(error))
    }
}

impl From<ErrorRecord> for Problem {
    fn from(error: ErrorRecord) -> Self {
        Self::of_document(&error.reason, &error.detail)
    }
}
