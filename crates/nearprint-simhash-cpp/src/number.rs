//! Numbers as C and C++ read them at the start of a text (`strtoull`, base 10).

/// Why a text does not begin with a number of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// Nothing, or white space alone.
    Empty,
    /// No digit after white space and sign.
    Missing,
    /// More than 2^64 - 1.
    TooLarge,
}

/// The number a text begins with: white space, an optional sign, digits; the rest is ignored. A minus sign negates
/// modulo 2^64, as C has it.
pub(crate) fn leading_unsigned(text: &[u8]) -> Result<u64, NotANumber> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r');
    let start = text.iter().position(|byte| !is_space(byte)).ok_or(NotANumber::Empty)?;
    let (negative, digits) = match &text[start..] {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return Err(NotANumber::Missing);
    }
    let value = digits[..count].iter().try_fold(0_u64, |value, digit| {
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    });
    let value = value.ok_or(NotANumber::TooLarge)?;
    Ok(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_strtoull_reads() {
        for (text, wanted) in [
            ("0", Ok(0)),
            ("18446744073709551615", Ok(u64::MAX)),
            ("18446744073709551616", Err(NotANumber::TooLarge)),
            ("  42 rest", Ok(42)),
            ("+7", Ok(7)),
            ("-1", Ok(u64::MAX)),
            ("0x10", Ok(0)),
            ("12\r", Ok(12)),
            ("", Err(NotANumber::Empty)),
            (" \t\n", Err(NotANumber::Empty)),
            ("-", Err(NotANumber::Missing)),
            ("abc", Err(NotANumber::Missing)),
        ] {
            assert_eq!(leading_unsigned(text.as_bytes()), wanted, "{text:?}");
        }
    }
}
