//! Which answers are compressed for clients that accept it.

use axum::body::HttpBody;
use axum::http::Response;
use axum::http::header::ETAG;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::Predicate;

/// Bytes of the shortest answer that is compressed.
const LEAST: u64 = 1024;

/// Whether an answer is worth compression. One with an ETag is left alone: the tag is that of its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsWorthIt;

impl Predicate for IsWorthIt {
    fn should_compress<B: HttpBody>(&self, response: &Response<B>) -> bool {
        let length = response.body().size_hint().exact();
        !response.headers().contains_key(ETAG) && length.is_none_or(|length| length >= LEAST)
    }
}

/// What compresses answers, quickly rather than well.
pub(crate) fn compression() -> CompressionLayer<IsWorthIt> {
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(IsWorthIt)
}
