//! Hosts of addresses: told from users and ports, written in one way, backwards.

use super::escapes::{escaped, unescaped};
use super::idna;

/// The name and the port in what stands between `//` and the path; `None` if the port is not a number up to 65,535.
pub(super) fn name_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let authority = authority.trim_end_matches(':');
    let host = authority.rsplit('@').next().unwrap_or_default();
    let (name, port) = match host.split_once('[') {
        Some((_, bracketed)) => {
            let (name, behind) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (name, behind.split_once(':').map_or("", |(_, port)| port))
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    if port.is_empty() {
        return Some((name, None));
    }
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let port: u16 = port
        .trim_start_matches('0')
        .parse()
        .or_else(|error| {
            // Nothing but zeros.
            if port.bytes().all(|byte| byte == b'0') { Ok(0) } else { Err(error) }
        })
        .ok()?;
    Some((name, Some(port).filter(|&port| port != 0)))
}

/// The port that need not be named.
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// A host's name in one way of writing it, without `www.`, its parts backwards.
pub(super) fn reversed(name: &str, scheme: &str) -> String {
    let bytes = unescaped(name);
    let bytes = match bytes.is_ascii() {
        true => bytes,
        false => {
            let text: String = bytes.utf8_chunks().map(|chunk| chunk.valid()).collect();
            idna::to_ascii(&text).map_or(bytes, String::into_bytes)
        }
    };
    let name = escaped(&bytes).to_ascii_lowercase().replace("..", ".");
    let name = name.trim_matches('.');
    let name = ip_address(name).unwrap_or_else(|| name.to_owned());
    let parts: Vec<&str> = massaged(&name, scheme).split('.').rev().collect();
    parts.join(",")
}

/// Without `www.`, `www2.` and the like.
fn massaged<'a>(name: &'a str, scheme: &str) -> &'a str {
    let rest = name.strip_prefix("www").filter(|_| scheme != "dns");
    rest.and_then(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.'))
        .unwrap_or(name)
}

/// An IPv4 address that is written as one number or as two to four, in decimal or, after a zero, octal digits.
fn ip_address(name: &str) -> Option<String> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        // However long the number is, its last 32 bits count.
        let number = name.bytes().fold(0_u32, |number, digit| {
            number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        return Some(std::net::Ipv4Addr::from(number).to_string());
    }
    let parts: Vec<&str> = name.split('.').collect();
    if !(2..=4).contains(&parts.len()) {
        return None;
    }
    // Behind a zero all are octal, or it is a name.
    if name.starts_with('0') && name.contains(['8', '9']) {
        return None;
    }
    let numbers: Vec<u32> = parts.iter().map(|part| number(part)).collect::<Option<_>>()?;
    let (last, before) = numbers.split_last()?;
    let room = 8 * (4 - u32::try_from(before.len()).ok()?);
    if before.iter().any(|&part| part > 255) || u64::from(*last) >> room != 0 {
        return None;
    }
    let head = before.iter().zip([24, 16, 8]).fold(0, |head, (part, shift)| head | part << shift);
    Some(std::net::Ipv4Addr::from(head | last).to_string())
}

/// One number of an address.
fn number(part: &str) -> Option<u32> {
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let radix = if part.len() > 1 && part.starts_with('0') { 8 } else { 10 };
    u32::from_str_radix(part, radix).ok()
}
