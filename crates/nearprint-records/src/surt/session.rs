//! What names a visit, not a page: session ids in paths and parameters.
//!
//! Of each kind one is taken away, the last one. What stands before its name does not matter, so of `xsid=…` the `x`
//! stays.

/// Bytes of an id of `.aspx` pages in their path.
const PATH_ID: usize = 24;

/// A path in lower case without the directory of a session that is before an `.aspx` page: `(…)` or `(s(…)f(…))`.
pub(super) fn without_path_ids(path: String) -> String {
    let path = without_directory(path, |directory| {
        let mut rest = directory;
        while let [letter, b'(', behind @ ..] = rest {
            let id = behind.get(..PATH_ID).filter(|id| id.iter().all(u8::is_ascii_alphanumeric));
            if !letter.is_ascii_alphabetic() || id.is_none() || behind.get(PATH_ID) != Some(&b')') {
                return false;
            }
            rest = &behind[PATH_ID + 1..];
        }
        rest.is_empty() && !directory.is_empty()
    });
    without_directory(path, |directory| {
        directory.len() == PATH_ID && directory.iter().all(u8::is_ascii_alphanumeric)
    })
}

/// Without the last directory in brackets that is one of a session and before an `.aspx` page.
fn without_directory(path: String, is_session: impl Fn(&[u8]) -> bool) -> String {
    let pages: Vec<usize> = path.match_indices(".aspx").map(|(at, _)| at).collect();
    if pages.is_empty() {
        return path;
    }
    let questions: Vec<usize> = path.match_indices('?').map(|(at, _)| at).collect();
    let next = |sorted: &[usize], from: usize| {
        sorted.get(sorted.partition_point(|&at| at < from)).copied().unwrap_or(path.len())
    };
    let bytes = path.as_bytes();
    let mut end = None;
    // Looked for once for the whole path, so that a hostile one costs no more than its length.
    for at in (1..bytes.len()).rev() {
        if bytes[at..].starts_with(b")/") {
            end = Some(at);
        }
        let (true, Some(end)) = (bytes[at - 1..].starts_with(b"/("), end) else { continue };
        // The page's name has a byte before its ending at least, and parameters begin after that.
        let page = end + 2;
        let is_page = next(&pages, page + 1) < next(&questions, page);
        if is_page && is_session(&bytes[at + 1..end]) {
            return format!("{}{}", &path[..at], &path[page..]);
        }
    }
    path
}

/// Parameters without those that are ids of sessions.
pub(super) fn without_query_ids(query: String) -> String {
    let of_32 = |rest: &[u8]| letters_and_digits(rest, 32);
    let query = without_last(query, "jsessionid=", of_32);
    let query = without_last(query, "phpsessid=", of_32);
    let query = without_last(query, "sid=", of_32);
    let query = without_last(query, "aspsessionid", |rest| {
        let is_name =
            rest.get(..8)?.iter().all(u8::is_ascii_alphabetic) && rest.get(8) == Some(&b'=');
        let is_value = rest.get(9..33)?.iter().all(u8::is_ascii_alphabetic);
        (is_name && is_value).then_some(33)
    });
    without_cold_fusion_ids(query)
}

/// Without the last two parameters that are `cfid=` and `cftoken=`.
fn without_cold_fusion_ids(query: String) -> String {
    let parameters: Vec<&str> = query.split('&').collect();
    let is_token = |text: &str| {
        let (name, value) = text.split_at_checked("cftoken=".len()).unwrap_or_default();
        name.eq_ignore_ascii_case("cftoken=") && !value.is_empty()
    };
    for at in (1..parameters.len()).rev().filter(|&at| is_token(parameters[at])) {
        let mut id = parameters[at - 1].to_ascii_lowercase();
        // At least one byte is its value.
        id.pop();
        if let Some(length) = id.rfind("cfid=") {
            let before = parameters[..at - 1].iter().map(|text| text.len() + 1).sum::<usize>();
            return query[..before + length].to_owned() + &parameters[at + 1..].join("&");
        }
    }
    query
}

fn letters_and_digits(rest: &[u8], count: usize) -> Option<usize> {
    rest.get(..count)?.iter().all(u8::is_ascii_alphanumeric).then_some(count)
}

/// Without the last parameter of this name whose value, of the length that `value` gives, is the whole of it; with the
/// ampersand after it, but not with the one before it.
fn without_last(query: String, name: &str, value: impl Fn(&[u8]) -> Option<usize>) -> String {
    let bytes = query.as_bytes();
    for start in (0..bytes.len()).rev() {
        let rest = &bytes[start..];
        if !rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        {
            continue;
        }
        let Some(end) = value(&rest[name.len()..]).map(|length| start + name.len() + length) else {
            continue;
        };
        match bytes.get(end) {
            None => return query[..start].to_owned(),
            Some(b'&') => return format!("{}{}", &query[..start], &query[end + 1..]),
            Some(_) => {}
        }
    }
    query
}
