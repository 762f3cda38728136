//! The kinds of problems: each with its status, a title, and what to do about it. One table, from which answers and the
//! pages that explain them come.

use axum::http::StatusCode;

/// What is wrong with a request, or with the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ProblemKind {
    /// The request is not a request of this API.
    MalformedRequest,
    /// A parameter or a field has a wrong value.
    InvalidParameter,
    /// The request has no token, or one that is not valid.
    Unauthenticated,
    /// The token does not allow it.
    Forbidden,
    /// `Host` is a name that the server does not answer to.
    UnknownHost,
    /// Another site asked for a change.
    ForeignOrigin,
    /// There is nothing at this address.
    NotFound,
    /// No collection has this name.
    UnknownCollection,
    /// The collection has no document of this id.
    UnknownDocument,
    /// There is no such job.
    UnknownJob,
    /// The collection has no such snapshot.
    UnknownSnapshot,
    /// The address does not know the method.
    MethodNotAllowed,
    /// The request took too long to arrive.
    RequestTimeout,
    /// There is a collection of this name.
    CollectionExists,
    /// The id is in the collection already.
    DuplicateDocument,
    /// A name is that of an alias, or of a collection.
    AliasConflict,
    /// There is a snapshot of this id.
    SnapshotExists,
    /// The job has no result.
    NoResult,
    /// The document is not, or is, the one that the request names.
    PreconditionFailed,
    /// The body is too long, or has too many items.
    TooLarge,
    /// The token has stored as much as it may.
    StorageLimit,
    /// The media type is not one that is read.
    UnsupportedMediaType,
    /// The document could not be read.
    UnreadableDocument,
    /// The document has no fingerprint.
    NoFingerprint,
    /// A fingerprint is of another scheme.
    OtherScheme,
    /// The collection keeps no texts.
    NoTexts,
    /// A file is not a whole snapshot.
    DamagedSnapshot,
    /// An idempotency key came with two different requests.
    KeyReused,
    /// What was asked for does not exist for this scheme or distance, or is beyond a limit.
    Unsupported,
    /// The token sends more requests than it may.
    TooManyRequests,
    /// A fault of the server.
    Internal,
    /// The server has too much to do, or is stopping.
    Overloaded,
    /// The collection cannot be opened, or not be written to.
    DamagedCollection,
    /// The disk or the machine failed.
    Storage,
}

use ProblemKind as Kind;

/// What is known of a kind: its name, status, title and explanation.
pub(crate) struct ProblemDescription {
    pub(crate) name: &'static str,
    pub(crate) status: StatusCode,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
}

const fn known(
    name: &'static str,
    status: StatusCode,
    title: &'static str,
    explanation: &'static str,
) -> ProblemDescription {
    ProblemDescription { name, status, title, explanation }
}

impl ProblemKind {
    /// All of them, in the order of their statuses.
    pub(crate) const ALL: [Self; 34] = [
        Kind::MalformedRequest,
        Kind::InvalidParameter,
        Kind::Unauthenticated,
        Kind::Forbidden,
        Kind::UnknownHost,
        Kind::ForeignOrigin,
        Kind::NotFound,
        Kind::UnknownCollection,
        Kind::UnknownDocument,
        Kind::UnknownJob,
        Kind::UnknownSnapshot,
        Kind::MethodNotAllowed,
        Kind::RequestTimeout,
        Kind::CollectionExists,
        Kind::DuplicateDocument,
        Kind::AliasConflict,
        Kind::SnapshotExists,
        Kind::NoResult,
        Kind::PreconditionFailed,
        Kind::TooLarge,
        Kind::StorageLimit,
        Kind::UnsupportedMediaType,
        Kind::UnreadableDocument,
        Kind::NoFingerprint,
        Kind::OtherScheme,
        Kind::NoTexts,
        Kind::DamagedSnapshot,
        Kind::KeyReused,
        Kind::Unsupported,
        Kind::TooManyRequests,
        Kind::Internal,
        Kind::Overloaded,
        Kind::DamagedCollection,
        Kind::Storage,
    ];

    /// What is known of it.
    pub(crate) fn known(self) -> ProblemDescription {
        match self {
            Kind::MalformedRequest => known(
                "malformed-request",
                StatusCode::BAD_REQUEST,
                "The request cannot be read",
                "The body is not JSON, not JSON lines, or not a form, or a part of the address is not UTF-8. The \
                 detail names the place.",
            ),
            Kind::InvalidParameter => known(
                "invalid-parameter",
                StatusCode::BAD_REQUEST,
                "A parameter or a field has a wrong value",
                "A parameter of the address or a field of the body is unknown, missing, or has a value that is not \
                 allowed. Each entry of `errors` names one by its JSON pointer, or by its name after `?`.",
            ),
            Kind::Unauthenticated => known(
                "unauthenticated",
                StatusCode::UNAUTHORIZED,
                "The server does not know who asks",
                "The server needs a token: send it as `Authorization: Bearer TOKEN`, or sign in with it on the pages. \
                 The owner of the server makes tokens with `nearprint serve token create`.",
            ),
            Kind::Forbidden => known(
                "forbidden",
                StatusCode::FORBIDDEN,
                "The token does not allow this",
                "A token has rights (read, write, admin, metrics) and may be for some collections only. Ask the owner \
                 of the server for one that allows it.",
            ),
            Kind::UnknownHost => known(
                "unknown-host",
                StatusCode::FORBIDDEN,
                "The server does not answer to this name",
                "The Host header names something else than this machine. This protects against pages that point a \
                 name of their own at this machine (DNS rebinding). Use 127.0.0.1, [::1] or localhost, or start the \
                 server with --allowed-host NAME.",
            ),
            Kind::ForeignOrigin => known(
                "foreign-origin",
                StatusCode::FORBIDDEN,
                "Another site must not change anything here",
                "The browser says that a page of another site sent this request. Only the pages of this server, and \
                 programs that are no browsers, may send anything but GET requests.",
            ),
            Kind::NotFound => known(
                "not-found",
                StatusCode::NOT_FOUND,
                "There is nothing at this address",
                "No page and no operation has this address. The reference lists all operations.",
            ),
            Kind::UnknownCollection => known(
                "unknown-collection",
                StatusCode::NOT_FOUND,
                "There is no collection of this name",
                "GET /v1/collections lists the collections; PUT /v1/collections/NAME creates one.",
            ),
            Kind::UnknownDocument => known(
                "unknown-document",
                StatusCode::NOT_FOUND,
                "The collection has no document of this id",
                "Ids are compared byte by byte. In an address, an id must be percent-encoded.",
            ),
            Kind::UnknownJob => known(
                "unknown-job",
                StatusCode::NOT_FOUND,
                "There is no such job",
                "GET /v1/jobs lists the jobs. A job that was deleted is gone with its result.",
            ),
            Kind::UnknownSnapshot => known(
                "unknown-snapshot",
                StatusCode::NOT_FOUND,
                "There is no such snapshot",
                "GET /v1/collections/NAME/snapshots lists the snapshots of a collection.",
            ),
            Kind::MethodNotAllowed => known(
                "method-not-allowed",
                StatusCode::METHOD_NOT_ALLOWED,
                "This address does not know the method",
                "The Allow header lists the methods of the address.",
            ),
            Kind::RequestTimeout => known(
                "request-timeout",
                StatusCode::REQUEST_TIMEOUT,
                "The request took too long to arrive",
                "The body did not arrive in time. Send it again, in smaller parts if the connection is slow.",
            ),
            Kind::CollectionExists => known(
                "collection-exists",
                StatusCode::CONFLICT,
                "There is a collection of this name with other settings",
                "Creating a collection again is allowed only with the same settings. Choose another name, or delete \
                 the collection first.",
            ),
            Kind::DuplicateDocument => known(
                "duplicate-document",
                StatusCode::CONFLICT,
                "The collection has a document of this id",
                "The request said on-duplicate=error. Use replace or skip, or another id.",
            ),
            Kind::AliasConflict => known(
                "alias-conflict",
                StatusCode::CONFLICT,
                "An alias stands in the way",
                "A name belongs either to a collection or to an alias, and a collection that an alias names is not \
                 deleted. GET /v1/aliases lists the aliases.",
            ),
            Kind::SnapshotExists => known(
                "snapshot-exists",
                StatusCode::CONFLICT,
                "There is a snapshot of this id",
                "Snapshots are never overwritten. Choose another id, or delete the snapshot first.",
            ),
            Kind::NoResult => known(
                "no-result",
                StatusCode::CONFLICT,
                "The job has no result",
                "A job has a result when its state is `done`. One that failed or was cancelled has none.",
            ),
            Kind::PreconditionFailed => known(
                "precondition-failed",
                StatusCode::PRECONDITION_FAILED,
                "The document is not the one that the request names",
                "`If-Match` names the tags of which the document must have one, `If-None-Match` those of which it may have \
                 none, and `*` stands for any document. Nothing was changed: fetch the document, whose ETag is its tag, and \
                 decide again.",
            ),
            Kind::TooLarge => known(
                "too-large",
                StatusCode::PAYLOAD_TOO_LARGE,
                "The request is too large",
                "The body is longer than the server allows (--limit body), or a batch has too many items. Send it in \
                 parts.",
            ),
            Kind::StorageLimit => known(
                "storage-limit",
                StatusCode::PAYLOAD_TOO_LARGE,
                "The token has stored as much as it may",
                "The collections that the token is for take as many bytes on the disk as it may use (--limit stored). \
                 Remove documents, or ask the owner of the server for more.",
            ),
            Kind::UnsupportedMediaType => known(
                "unsupported-media-type",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The media type is not one that is read",
                "Send the document without Content-Type, or with application/octet-stream, and its type is detected \
                 from its content.",
            ),
            Kind::UnreadableDocument => known(
                "unreadable-document",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The document could not be read",
                "The document is damaged, encrypted, too large, or of a type that is not supported. `reason` has the \
                 code, which is one of those of the command.",
            ),
            Kind::NoFingerprint => known(
                "no-fingerprint",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The document has no fingerprint",
                "The document was read, but it has no text, or no word with a letter. Without words there is nothing \
                 to compare.",
            ),
            Kind::OtherScheme => known(
                "other-scheme",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The fingerprint is of another scheme",
                "Fingerprints of different schemes cannot be compared. A collection has one scheme, which it gets \
                 when it is created.",
            ),
            Kind::NoTexts => known(
                "no-texts",
                StatusCode::UNPROCESSABLE_ENTITY,
                "There is no text to compare",
                "The collection keeps no texts, or the document was added as a fingerprint. Create the collection \
                 with \"texts\": true and add documents.",
            ),
            Kind::DamagedSnapshot => known(
                "damaged-snapshot",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The file is no whole snapshot",
                "The file was cut, changed, or is none. Its last line states the number of lines and the digest of all \
                 before it. Download it again.",
            ),
            Kind::KeyReused => known(
                "key-reused",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The idempotency key belongs to another request",
                "The same Idempotency-Key came with another body before. Use a new key for a new request.",
            ),
            Kind::Unsupported => known(
                "unsupported",
                StatusCode::UNPROCESSABLE_ENTITY,
                "This is not possible here",
                "What was asked for does not exist for this scheme or distance, or exceeds a limit that the detail \
                 names.",
            ),
            Kind::TooManyRequests => known(
                "too-many-requests",
                StatusCode::TOO_MANY_REQUESTS,
                "The token sends too many requests",
                "A token may send so many requests a second (--limit rate), and have so many under way at the same time \
                 (--limit concurrent). Retry after the time that Retry-After states, or send batches.",
            ),
            Kind::Internal => known(
                "internal",
                StatusCode::INTERNAL_SERVER_ERROR,
                "A fault of the server",
                "This should not happen. Please report it with the request that led to it.",
            ),
            Kind::Overloaded => known(
                "overloaded",
                StatusCode::SERVICE_UNAVAILABLE,
                "The server has too much to do",
                "Requests are refused when too many wait, or when the server is stopping. Retry after the time that \
                 Retry-After states.",
            ),
            Kind::DamagedCollection => known(
                "damaged-collection",
                StatusCode::SERVICE_UNAVAILABLE,
                "The collection cannot be opened, or only be read",
                "The disk of the server is full or its files are damaged; other collections answer. The server tries to \
                 open it again every few seconds, so that it comes back when there is room. Its owner finds the reason in \
                 `/healthz` and in the log, and can restore a backup or a snapshot in its place.",
            ),
            Kind::Storage => known(
                "storage",
                StatusCode::SERVICE_UNAVAILABLE,
                "The disk or the machine failed",
                "The disk is full, a file is damaged, or memory or threads are exhausted. Nothing was changed. Look \
                 at the detail, fix the cause, and restart the server.",
            ),
        }
    }

    /// The kind of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.known().name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        for kind in ProblemKind::ALL {
            assert_eq!(ProblemKind::named(kind.known().name), Some(kind));
        }
        assert_eq!(ProblemKind::named("no-such"), None);
    }
}
