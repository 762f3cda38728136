//! The addresses of captures, and their hosts: where somebody begins who knows no address.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nearprint_index::{CaptureRange, ListedAddress, ListedHost};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::api::captures::prefix_range;
use crate::lines::json_answer;
use crate::problem::Problem;
use crate::request::{Parameters, PathName};
use crate::state::SharedApp;
use crate::work::Lane;

/// Rows of a page unless the request says otherwise, and at most.
const USUAL_PAGE: usize = 100;
const LONGEST_PAGE: usize = 1000;

/// Which addresses.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AddressParameters {
    /// What the addresses begin with, such as `https://example.org/news/`.
    prefix: Option<String>,
    /// In place of a prefix: a host, such as `example.org`, of which all addresses are meant.
    host: Option<String>,
    /// The most addresses; 100 if it is not given. A page may have fewer.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the list continues: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// An address with its captures.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AddressItem {
    /// Always `nearprint/address/1`.
    schema: &'static str,
    /// The address, as its last capture has it.
    url: String,
    /// The key of the address (SURT).
    url_key: String,
    /// The title of its last capture that has one.
    title: Option<String>,
    /// Captures.
    captures: u64,
    /// The time of the first, 14 digits.
    first: Option<String>,
    /// The time of the last.
    last: Option<String>,
    /// The status of the last capture.
    status: Option<u16>,
}

/// A page of addresses.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AddressList {
    items: Vec<AddressItem>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

/// Which hosts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HostParameters {
    /// A host of which those below are meant, too: of `example.org` also `www2.example.org`. All if it is not given.
    domain: Option<String>,
    /// The most hosts; 100 if it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the list continues: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A host with its captures.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HostItem {
    /// Always `nearprint/host/1`.
    schema: &'static str,
    /// The host, with its port if that is not the usual one; of addresses without a host, the scheme and a colon.
    host: String,
    /// Captures of its addresses; at most 1,000 are counted.
    captures: u64,
    /// Whether there are more.
    more: bool,
}

/// A page of hosts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HostList {
    items: Vec<HostItem>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

impl From<ListedAddress> for AddressItem {
    fn from(address: ListedAddress) -> Self {
        let ListedAddress { url_key, url, title, captures, first, last, status } = address;
        let schema = "nearprint/address/1";
        Self { schema, url, url_key, title, captures, first, last, status }
    }
}

impl From<ListedHost> for HostItem {
    fn from(listed: ListedHost) -> Self {
        let ListedHost { host, captures, has_more, .. } = listed;
        Self { schema: "nearprint/host/1", host, captures, more: has_more }
    }
}

/// The key that a cursor names.
pub(crate) fn key_after(cursor: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(cursor) = cursor else { return Ok(None) };
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    let key = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let wrong = || Problem::invalid("?cursor", "this is not a next_cursor of a page before");
    key.filter(|key| !key.is_empty()).map(Some).ok_or_else(wrong)
}

/// The cursor of a key.
pub(crate) fn key_cursor(key: &str) -> String {
    URL_SAFE_NO_PAD.encode(key)
}

/// What the keys of a host's addresses begin with; of those below it, too, if `below`.
fn host_prefix(host: &str, below: bool) -> String {
    let key = nearprint::records::url_key(&format!("http://{}/", host.trim()));
    let end = key.find(')').unwrap_or(key.len());
    format!("{}{}", &key[..end], if below { "" } else { ")" })
}

/// The captures of a host; of addresses without a host, of their scheme.
pub(crate) fn host_range(host: &str) -> CaptureRange {
    match host.trim().strip_suffix(':') {
        Some(scheme) if !scheme.is_empty() => CaptureRange::of_key_prefix(format!("{scheme}:")),
        _ => CaptureRange::of_key_prefix(host_prefix(host, false)),
    }
}

/// What the keys of a domain's hosts begin with; nothing for all.
pub(crate) fn domain_prefix(domain: &str) -> String {
    if domain.trim().is_empty() { String::new() } else { host_prefix(domain, true) }
}

/// The most rows of a page.
fn most(limit: Option<usize>) -> Result<usize, Problem> {
    let most = limit.unwrap_or(USUAL_PAGE);
    if (1..=LONGEST_PAGE).contains(&most) {
        return Ok(most);
    }
    Err(Problem::invalid("?limit", format!("a limit is from 1 to {LONGEST_PAGE}")))
}

/// The captures that a host or a prefix means; all if neither is given.
pub(crate) fn address_range(
    prefix: Option<&str>,
    host: Option<&str>,
) -> Result<CaptureRange, Problem> {
    let given = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
    match (prefix, host) {
        (Some(_), Some(_)) if given(prefix) && given(host) => {
            Err(Problem::invalid("?host", "prefix and host do not go together"))
        }
        (_, Some(host)) if given(Some(host)) => Ok(host_range(host)),
        (prefix, _) => Ok(prefix_range(prefix.unwrap_or_default())),
    }
}

/// Addresses that have captures
///
/// In the order of their keys, by which all addresses of a host lie together: those that begin with a prefix, or those
/// of a host.
#[utoipa::path(get, path = "/v1/collections/{collection}/addresses", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), AddressParameters),
    responses((status = 200, description = "The addresses.", body = AddressList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<AddressParameters>,
) -> Result<Response, Problem> {
    let AddressParameters { prefix, host, limit, cursor } = parameters;
    let (most, after) = (most(limit)?, key_after(cursor.as_deref())?);
    let range = address_range(prefix.as_deref(), host.as_deref())?;
    let listed = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        Ok(collection.index.addresses(&range, after.as_deref(), most)?)
    });
    let page = listed.await?;
    let next_cursor = page.next.as_deref().map(key_cursor);
    let items = page.addresses.into_iter().map(AddressItem::from).collect();
    Ok(json_answer(StatusCode::OK, &AddressList { items, next_cursor }))
}

/// Hosts that have captures
#[utoipa::path(get, path = "/v1/collections/{collection}/hosts", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), HostParameters),
    responses((status = 200, description = "The hosts.", body = HostList)))]
pub(crate) async fn hosts(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<HostParameters>,
) -> Result<Response, Problem> {
    let HostParameters { domain, limit, cursor } = parameters;
    let (most, after) = (most(limit)?, key_after(cursor.as_deref())?);
    let prefix = domain_prefix(domain.as_deref().unwrap_or_default());
    let listed = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        Ok(collection.index.hosts(&prefix, after.as_deref(), most)?)
    });
    let page = listed.await?;
    let next_cursor = page.next.as_deref().map(key_cursor);
    let items = page.hosts.into_iter().map(HostItem::from).collect();
    Ok(json_answer(StatusCode::OK, &HostList { items, next_cursor }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_ranges_of_keys() {
        for (host, range) in [
            ("example.org", "org,example)"),
            ("Sub.Example.org:8080", "org,example,sub:8080)"),
            ("urn:", "urn:"),
        ] {
            assert_eq!(host_range(host), CaptureRange::of_key_prefix(range), "{host}");
        }
        assert_eq!(domain_prefix("example.org"), "org,example");
        assert_eq!(domain_prefix(""), "");
        assert!(address_range(Some("a"), Some("b")).is_err());
        assert_eq!(address_range(None, None).unwrap(), CaptureRange::of_key_prefix(""));
    }

    #[test]
    fn cursors_are_keys() {
        let key = "org,example)/über";
        assert_eq!(key_after(Some(&key_cursor(key))).unwrap().as_deref(), Some(key));
        for bad in ["", "x", "é"] {
            assert!(key_after(Some(bad)).is_err(), "{bad}");
        }
    }
}
