//! Keys by which indexes of captures order addresses (SURT): the host backwards, then what is behind it.
//!
//! The rules are those of the Internet Archive's canonicalizers as the tools around pywb apply them: what rarely makes
//! a difference between pages goes (user, `www.`, default ports, session ids, a slash at the end), letters are lower
//! case, parameters are in order. Host names with letters beyond ASCII are escaped, not rewritten by IDNA.

/// The key of an address; the address itself, in lower case without blanks, where it has no host.
pub(crate) fn surt(url: &str) -> String {
    let url: String = url.trim().chars().filter(|c| !matches!(c, '\r' | '\n' | '\t')).collect();
    let Some((scheme, rest)) = url.split_once("://") else {
        return escaped(url.as_bytes()).to_ascii_lowercase();
    };
    let rest = rest.split('#').next().unwrap_or("");
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at(end);
    let (path, query) = behind.split_once('?').unwrap_or((behind, ""));
    let mut key = host(authority, scheme);
    key.push(')');
    key.push_str(&self::path(path));
    let query = self::query(query);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

fn host(authority: &str, scheme: &str) -> String {
    let host = authority.rsplit('@').next().unwrap_or("");
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => (host, port),
        _ => (host, ""),
    };
    let host = escaped(&unescaped(host)).to_ascii_lowercase().replace("..", ".");
    let host = host.trim_matches('.');
    let host = match host.strip_prefix("www") {
        Some(rest) => match rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.')
        {
            Some(rest) => rest,
            None => host,
        },
        None => host,
    };
    let mut key = host.split('.').rev().collect::<Vec<_>>().join(",");
    let default = match scheme.to_ascii_lowercase().as_str() {
        "http" => "80",
        "https" => "443",
        _ => "",
    };
    if !port.is_empty() && port != default {
        key.push(':');
        key.push_str(port);
    }
    key
}

fn path(path: &str) -> String {
    let path = unescaped(path);
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut parts = path.split(|&octet| octet == b'/').skip(1).peekable();
    while let Some(part) = parts.next() {
        match part {
            b"." => {}
            b".." => {
                if kept.pop().is_none() {
                    kept.push(part);
                }
            }
            // Several slashes are one; the last one goes below.
            b"" if parts.peek().is_some() => {}
            part => kept.push(part),
        }
    }
    let mut out = Vec::new();
    for part in kept {
        out.push(b'/');
        out.extend_from_slice(part);
    }
    let path = escaped(&out).to_ascii_lowercase();
    match path.strip_suffix('/').unwrap_or(&path) {
        "" => "/".to_owned(),
        path => path.to_owned(),
    }
}

fn query(query: &str) -> String {
    let query = escaped(&unescaped(query));
    let mut kept: Vec<&str> = query.split('&').filter(|parameter| !is_session(parameter)).collect();
    if !kept.is_empty() && query.split('&').next_back().is_some_and(is_session) {
        // Of one at the end the canonicalizers leave the ampersand.
        kept.push("");
    }
    let query = kept.join("&").to_ascii_lowercase();
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

/// Whether a parameter names a visit, not a page.
fn is_session(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let is_id = value.len() == 32 && value.bytes().all(|octet| octet.is_ascii_alphanumeric());
    let name = name.to_ascii_lowercase();
    is_id && matches!(name.as_str(), "jsessionid" | "phpsessid" | "sid")
}

/// Percent signs undone until there are none left to undo.
fn unescaped(text: &str) -> Vec<u8> {
    let mut octets = text.as_bytes().to_vec();
    // Each round makes it shorter.
    loop {
        let mut out = Vec::with_capacity(octets.len());
        let mut rest = &octets[..];
        while let Some((&first, tail)) = rest.split_first() {
            let digits = if first == b'%' { tail.get(..2) } else { None };
            let number = digits
                .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
                .and_then(|digits| std::str::from_utf8(digits).ok())
                .and_then(|digits| u8::from_str_radix(digits, 16).ok());
            match number {
                Some(number) => {
                    out.push(number);
                    rest = &tail[2..];
                }
                None => {
                    out.push(first);
                    rest = tail;
                }
            }
        }
        if out.len() == octets.len() {
            return octets;
        }
        octets = out;
    }
}

/// Octets that are no printing ASCII, and `#` and `%`, with percent signs.
fn escaped(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len());
    for &octet in octets {
        match octet {
            b'#' | b'%' | 0..=32 | 127.. => {
                out.push('%');
                for digit in [octet >> 4, octet & 15] {
                    out.push(
                        char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase(),
                    );
                }
            }
            octet => out.push(char::from(octet)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of the Python package `surt` 0.3.1.
    #[test]
    fn keys_are_those_of_the_tools_around_pywb() {
        for (url, key) in [
            ("http://www.Example.org/", "org,example)/"),
            ("https://www2.example.org:443/A/b/?b=2&a=1#x", "org,example)/a/b?a=1&b=2"),
            ("http://user:pass@example.org:8080", "org,example:8080)/"),
            ("http://example.org/a%20b/./c/../d//e", "org,example)/a%20b/d/e"),
            ("http://example.org/?", "org,example)/"),
            ("http://192.0.2.1/x", "1,2,0,192)/x"),
            ("http://example.org/caf%C3%A9", "org,example)/caf%c3%a9"),
            (
                "http://example.org/a?PHPSESSID=0123456789abcdef0123456789abcdef&x=1",
                "org,example)/a?x=1",
            ),
            (
                "http://example.org/a?x=1&sid=0123456789abcdef0123456789abcdef",
                "org,example)/a?&x=1",
            ),
            ("http://example.org/a?x&y=&x=1", "org,example)/a?x&x=1&y="),
            ("urn:X:1", "urn:x:1"),
        ] {
            assert_eq!(surt(url), key, "{url}");
        }
    }
}
