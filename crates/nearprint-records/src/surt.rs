//! Keys by which indexes of captures order addresses (SURT): the host backwards, then what is after it.
//!
//! The rules are those of the Internet Archive's canonicalizers as the tools around pywb apply them (the Python package
//! `surt` 0.3.1): what rarely makes a difference between pages goes (user, `www.`, default ports, session ids, a slash
//! at the end), letters are lower case, parameters are in order. A key that is only nearly theirs is not found by them,
//! so where a rule of theirs is odd it stays odd; `scripts/third_party/addresses.py` holds thousands of addresses
//! against it.

mod escapes;
mod host;
mod idna;
mod session;

use escapes::{escaped, minimally_escaped, unescaped};

/// The key of an address (SURT) by which indexes of captures are ordered, such as `org,example)/page`: always one word;
/// `-` where there is none. An address whose port is not a number is its own key.
///
/// ```
/// use nearprint_records::url_key;
///
/// assert_eq!(url_key("https://www.Example.org/Page/"), "org,example)/page");
/// ```
#[must_use]
pub fn url_key(address: &str) -> String {
    surt(address)
}

/// The same, for this crate.
pub(crate) fn surt(address: &str) -> String {
    if address.starts_with("filedesc") {
        return one_word(address);
    }
    let trimmed = address.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let cleaned: String = trimmed.chars().filter(|c| !matches!(c, '\r' | '\n' | '\t')).collect();
    if cleaned.is_empty() {
        return "-".to_owned();
    }
    key(&cleaned).unwrap_or_else(|| one_word(address))
}

/// The key of an address without blanks around it; `None` if its port is not a number.
fn key(address: &str) -> Option<String> {
    let address = match scheme_end(address) {
        Some(_) => without_repeated_scheme(address).to_owned(),
        None => without_repeated_scheme(&format!("http://{address}")).to_owned(),
    };
    let (scheme, behind) = address.split_at(scheme_end(&address)?);
    let behind = behind[1..].split('#').next().unwrap_or_default();
    let (behind, query) = behind.split_once('?').unwrap_or((behind, ""));
    let (authority, mut path) = match behind.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", behind),
    };
    let (mut name, port) = host::name_and_port(authority)?;
    let found;
    if name.is_empty() && scheme.starts_with("http") && !path.is_empty() {
        // Of `http:/example.org/x` and `http:///example.org/x` the host is what comes first.
        let (first, rest) = path.trim_start_matches('/').split_once('/').unwrap_or((path, ""));
        name = first.trim_start_matches('/');
        found = format!("/{rest}");
        path = &found;
    }
    let host = host::reversed(name, scheme);
    let query = self::query(query);
    let mut key = if host.is_empty() {
        // What is after the scheme of `urn:` and `mailto:` is not a path.
        let path = canonical(escaped(&unescaped(path)));
        let root = if path.is_empty() && !query.is_empty() { "/" } else { "" };
        format!("{scheme}:{path}{root}")
    } else {
        let port = port.filter(|&port| Some(port) != host::default_port(scheme));
        let port = port.map_or(String::new(), |port| format!(":{port}"));
        format!("{host}{port}){}", canonical(escaped(&walked(&unescaped(path)))))
    };
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    Some(key)
}

/// Bytes of the scheme that an address begins with, before its colon.
fn scheme_end(address: &str) -> Option<usize> {
    let end = address.find(':')?;
    let is_scheme = address.starts_with(|c: char| c.is_ascii_alphabetic())
        && address[..end].bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_scheme.then_some(end)
}

/// Of `http://https://example.org/` the last of the schemes.
fn without_repeated_scheme(address: &str) -> &str {
    let behind = |text: &str| {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
        Some(text.len() - rest.len())
    };
    let mut address = address;
    while let Some(length) = behind(address) {
        if behind(&address[length..]).is_none() {
            break;
        }
        address = &address[length..];
    }
    address
}

/// A path of segments without `.`, and without `..` and what it leads back from. Several slashes are one, but each of
/// them is a segment that `..` leads back from.
fn walked(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in path.split(|&byte| byte == b'/').skip(1) {
        match part {
            b"." => {}
            b".." => {
                if kept.pop().is_none() {
                    kept.push(part);
                }
            }
            part => kept.push(part),
        }
    }
    let mut out = vec![b'/'];
    let last = kept.pop().unwrap_or_default();
    for part in kept.iter().filter(|part| !part.is_empty()) {
        out.extend_from_slice(part);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    out
}

/// A path in lower case, without session ids and a slash at its end.
fn canonical(path: String) -> String {
    let path = session::without_path_ids(path.to_ascii_lowercase());
    match path.strip_suffix('/') {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => path,
    }
}

/// Parameters in lower case and in order, without session ids.
fn query(query: &str) -> String {
    let query = session::without_query_ids(minimally_escaped(query)).to_ascii_lowercase();
    let mut parameters: Vec<(&str, Option<&str>)> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (parameter, None),
        })
        .collect();
    parameters.sort_unstable();
    let parameters: Vec<String> = parameters
        .into_iter()
        .map(|(name, value)| value.map_or(name.to_owned(), |value| format!("{name}={value}")))
        .collect();
    parameters.join("&")
}

/// An address as it is, but for blanks and controls, which would end the field it stands in.
fn one_word(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        if c.is_whitespace() || c.is_control() {
            out.push_str(&escaped(c.encode_utf8(&mut [0; 4]).as_bytes()));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests;
