//! Names of hosts with letters beyond ASCII as the domain name system knows them (IDNA of 2003, RFC 3490 and 3492).
//!
//! Letters are folded by the tables of the standard's normalisation, which are of a later Unicode than RFC 3454 was
//! written for: code points that came since then are folded too.

use nearprint_fingerprint::stages;

/// Bytes of a label (<=).
const LONGEST_LABEL: usize = 63;

// Parameters of RFC 3492, section 5.
const BASE: u32 = 36;
const LEAST: u32 = 1;
const MOST: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST: u32 = 128;
const FIRST_BIAS: u32 = 72;

/// A name in ASCII; `None` if a label is empty, too long, or holds what no name may.
pub(super) fn to_ascii(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some(String::new());
    }
    let dots = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];
    let rooted = name.ends_with(dots);
    let mut labels: Vec<&str> = name.split(dots).collect();
    if rooted {
        labels.pop();
    }
    let labels: Vec<String> = labels.into_iter().map(label_to_ascii).collect::<Option<_>>()?;
    Some(labels.join(".") + if rooted { "." } else { "" })
}

fn label_to_ascii(label: &str) -> Option<String> {
    let fits = |label: &str| (1..=LONGEST_LABEL).contains(&label.len());
    if label.is_ascii() {
        return fits(label).then(|| label.to_owned());
    }
    if label.chars().any(is_prohibited) {
        return None;
    }
    let label = stages::normalise(label);
    if mixes_directions(&label) {
        return None;
    }
    let label = match label.is_ascii() {
        true => label,
        false if label.starts_with("xn--") => return None,
        false => format!("xn--{}", punycode(&label)?),
    };
    fits(&label).then_some(label)
}

/// Code points that no label may hold (RFC 3454, tables C.1.2 to C.9), but for those that folding takes away.
fn is_prohibited(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9F}' | '\u{6DD}' | '\u{70F}' | '\u{180E}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2061}'..='\u{2063}' | '\u{206A}'..='\u{206F}' | '\u{2FF0}'..='\u{2FFB}' | '\u{E000}'..='\u{F8FF}'
        | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF9}'..='\u{FFFD}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0001}'
        | '\u{E0020}'..='\u{E007F}' | '\u{F0000}'..='\u{10FFFF}')
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Whether a label with letters written from right to left has others too, or does not begin and end with such ones
/// (RFC 3454, section 6).
fn mixes_directions(label: &str) -> bool {
    let from_right = |c: char| {
        matches!(c, '\u{5BE}' | '\u{5C0}' | '\u{5C3}' | '\u{5D0}'..='\u{5F4}' | '\u{61B}'..='\u{64A}' | '\u{66D}'..='\u{66F}'
            | '\u{671}'..='\u{6D5}' | '\u{6E5}' | '\u{6E6}' | '\u{6FA}'..='\u{710}' | '\u{712}'..='\u{72F}'
            | '\u{74D}'..='\u{7A5}' | '\u{7B1}' | '\u{FB1D}' | '\u{FB1F}'..='\u{FB28}' | '\u{FB2A}'..='\u{FDFC}'
            | '\u{FE70}'..='\u{FEFC}')
    };
    let is_mark = |c: char| matches!(c, '\u{590}'..='\u{7FF}' | '\u{FB1E}');
    let other = |c: char| c.is_alphabetic() && !from_right(c) && !is_mark(c);
    label.contains(from_right)
        && !(label.starts_with(from_right) && label.ends_with(from_right) && !label.contains(other))
}

/// RFC 3492, section 6.3. `None` if the label is too long to matter.
fn punycode(label: &str) -> Option<String> {
    let points: Vec<u32> = label.chars().map(u32::from).collect();
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    let mut handled = basic;
    if basic > 0 {
        out.push('-');
    }
    let (mut n, mut delta, mut bias) = (FIRST, 0_u32, FIRST_BIAS);
    while usize::try_from(handled).is_ok_and(|handled| handled < points.len()) {
        let next = points.iter().copied().filter(|&point| point >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(handled + 1)?)?;
        n = next;
        for &point in &points {
            if point < n {
                delta = delta.checked_add(1)?;
            } else if point == n {
                push_number(&mut out, delta, bias);
                bias = adapted(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        if out.len() > LONGEST_LABEL {
            return None;
        }
        delta = delta.checked_add(1)?;
        n += 1;
    }
    Some(out)
}

/// A number of variable length, the least significant digit first.
fn push_number(out: &mut String, mut number: u32, bias: u32) {
    let digit = |value: u32| char::from_digit(value, 36).unwrap_or('0');
    // Digits of punycode are a to z, then 0 to 9.
    let digit = |value: u32| if value < 26 { digit(value + 10) } else { digit(value - 26) };
    let mut k = BASE;
    loop {
        let threshold = k.saturating_sub(bias).clamp(LEAST, MOST);
        if number < threshold {
            out.push(digit(number));
            return;
        }
        out.push(digit(threshold + (number - threshold) % (BASE - threshold)));
        number = (number - threshold) / (BASE - threshold);
        k += BASE;
    }
}

fn adapted(delta: u32, points: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > (BASE - LEAST) * MOST / 2 {
        delta /= BASE - LEAST;
        k += BASE;
    }
    k + (BASE - LEAST + 1) * delta / (delta + SKEW)
}
