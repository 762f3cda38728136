//! Where somebody begins who knows no address: the hosts of captures, and the addresses of each.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use nearprint_index::{AddressPage, HostPage};
use serde::Deserialize;

use crate::access::Access;
use crate::address::encoded;
use crate::api::addresses::{address_range, domain_prefix, key_after, key_cursor};
use crate::problem::Problem;
use crate::request::{Parameters, PathName};
use crate::state::SharedApp;
use crate::work::Lane;

use super::captures::{day, status_words};
use super::html::{Page, Tab};

/// Rows of a page.
const SHOWN: usize = 100;

/// Which addresses are shown; without a host and a prefix, the hosts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShowParameters {
    host: String,
    prefix: String,
    cursor: Option<String>,
}

/// What is shown.
enum AddressRows {
    Hosts(HostPage),
    Addresses(AddressPage),
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(asked): Parameters<ShowParameters>,
) -> Result<Response, Problem> {
    let ShowParameters { host, prefix, cursor } = &asked;
    let after = key_after(cursor.as_deref())?;
    let is_all = host.trim().is_empty() && prefix.trim().is_empty();
    let range = address_range(Some(prefix), Some(host))?;
    let found = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        let after = after.as_deref();
        Ok(if is_all {
            AddressRows::Hosts(collection.index.hosts(&domain_prefix(""), after, SHOWN)?)
        } else {
            AddressRows::Addresses(collection.index.addresses(&range, after, SHOWN)?)
        })
    });
    let found = found.await?;
    let mut page = Page::new(&access, "Addresses", Tab::Collections);
    let hosts = format!("/collections/{name}/addresses");
    let up = if is_all { "hosts".to_owned() } else { format!("<a href=\"{hosts}\">hosts</a>") };
    page.push(&format!(
        "<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a> · {up}</p>\n"
    ));
    page.heading(match (is_all, host.trim()) {
        (true, _) => "Captures of the Web",
        (false, "") => prefix,
        (false, host) => host,
    });
    page.push(&format!(
        "<form class=\"card line\" method=\"get\" action=\"{hosts}\" role=\"search\">\n\
         <p class=\"field wide\"><label for=\"prefix\">Addresses that begin with</label>\n<input id=\"prefix\" \
         name=\"prefix\" required value=\"{}\" placeholder=\"https://example.org/news/\" autocomplete=\"off\"></p>\n\
         <p><button type=\"submit\">Show</button></p>\n</form>\n",
        escaped(prefix)
    ));
    let next = match &found {
        AddressRows::Hosts(listed) => {
            of_hosts(&mut page, &hosts, listed);
            &listed.next
        }
        AddressRows::Addresses(listed) => {
            of_addresses(&mut page, &name, listed);
            &listed.next
        }
    };
    let again = format!("{hosts}?host={}&amp;prefix={}", encoded(host), encoded(prefix));
    page.push("<nav class=\"pages\" aria-label=\"Pages of addresses\">\n");
    if cursor.is_some() {
        page.push(&format!("<a href=\"{again}\">First page</a>\n"));
    }
    if let Some(next) = next {
        let next = key_cursor(next);
        page.push(&format!("<a href=\"{again}&amp;cursor={next}\" rel=\"next\">Next page</a>\n"));
    }
    page.push("</nav>\n");
    Ok(page.answer(StatusCode::OK))
}

fn of_hosts(page: &mut Page, address: &str, listed: &HostPage) {
    if listed.hosts.is_empty() {
        page.empty(
            "There are no captures. Import a web archive (WARC, ARC) or an index of captures (CDX, CDXJ), or add \
             documents with <code>capture</code>.",
        );
        return;
    }
    page.push(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Host</th><th class=\"number\">Captures</th></tr></thead>\n<tbody>\n",
    );
    for host in &listed.hosts {
        let more = if host.has_more { "over " } else { "" };
        page.push(&format!(
            "<tr><td><a class=\"id\" href=\"{address}?host={}\">{}</a></td><td class=\"number\">{more}{}</td></tr>\n",
            encoded(&host.host),
            escaped(&host.host),
            grouped(host.captures)
        ));
    }
    page.push("</tbody>\n</table></div>\n");
}

fn of_addresses(page: &mut Page, name: &str, listed: &AddressPage) {
    if listed.addresses.is_empty() {
        page.empty("There are no captures of such addresses.");
        return;
    }
    page.push(
        "<div class=\"scroll\"><table class=\"addresses\">\n<thead><tr><th>Page</th><th \
         class=\"number\">Captures</th><th>First</th><th>Last</th><th>Last status</th></tr></thead>\n<tbody>\n",
    );
    for address in &listed.addresses {
        let link = format!("/collections/{name}/captures?url={}", encoded(&address.url));
        let (url, time) = (escaped(&address.url), |time: &Option<String>| {
            time.as_deref().map_or_else(|| "–".to_owned(), day)
        });
        let page_name = match &address.title {
            Some(title) => format!(
                "<a dir=\"auto\" href=\"{link}\">{}</a><br><span class=\"soft address\">{url}</span>",
                escaped(title)
            ),
            None => format!("<a class=\"id\" href=\"{link}\">{url}</a>"),
        };
        page.push(&format!(
            "<tr><td>{page_name}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            grouped(address.captures),
            time(&address.first),
            time(&address.last),
            address.status.map_or_else(|| "–".to_owned(), status_words)
        ));
    }
    page.push("</tbody>\n</table></div>\n");
}
