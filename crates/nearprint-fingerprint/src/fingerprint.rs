//! A fingerprint and its comparison. Its written forms are in `notation.rs`; how it comes from a
//! text is in [`Fingerprinter`](crate::Fingerprinter).

use std::fmt;

use crate::Scheme;
use crate::scheme::Family;
use crate::sketch::{POSITIONS, Sketch};

/// The few bytes computed from a document's features, together with the scheme they were computed by.
///
/// A fingerprint never travels without its scheme: it can only be made with one, its string begins with it, and
/// comparing two of different schemes is an error. Two fingerprints are equal where scheme and bytes are.
///
/// Not `Copy`: later schemes have signatures of hundreds of bytes. Code that searches millions of them takes the
/// plain words out once, with [`as_u64`](Self::as_u64), after one check of the scheme.
///
/// ```
/// use nearprint_fingerprint::{Fingerprint, Scheme};
///
/// let a = Fingerprint::from_u64(Scheme::SD1, 0x0123_4567_89ab_cdef).unwrap();
/// assert_eq!(a.to_string(), "sd1:aerukz4jvpg66");
/// assert_eq!("sd1:aerukz4jvpg66".parse(), Ok(a.clone()));
///
/// let b = Fingerprint::from_u64(Scheme::SD1, 0x0123_4567_89ab_cdec).unwrap();
/// assert_eq!(a.distance(&b), Ok(2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    scheme: Scheme,
    bits: Bits,
}

/// The value without its scheme. Private, so that widths and signatures can join without breaking anyone.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Word64(u64),
    /// Of 32 or 128 bits, as the scheme says.
    Word(u128),
    Sketch(Box<Sketch>),
}

impl Fingerprint {
    /// The fingerprint of a 64-bit scheme that has this value; `None` if the scheme's fingerprints are not of
    /// 64 bits.
    #[must_use]
    pub fn from_u64(scheme: Scheme, value: u64) -> Option<Self> {
        let fits = scheme.family() == Family::Simhash && scheme.positions() == 64;
        fits.then_some(Self { scheme, bits: Bits::Word64(value) })
    }

    /// The fingerprint of a simhash of any width that has this value; `None` if the scheme's fingerprints are not
    /// simhashes, or have fewer bits.
    #[must_use]
    pub fn from_u128(scheme: Scheme, value: u128) -> Option<Self> {
        if scheme.family() != Family::Simhash || value.checked_shr(scheme.positions()) > Some(0) {
            return None;
        }
        let bits = match scheme.positions() {
            64 => Bits::Word64(value as u64),
            _ => Bits::Word(value),
        };
        Some(Self { scheme, bits })
    }

    /// The fingerprint of a scheme of sketches that has these numbers; `None` if the scheme's fingerprints are not
    /// sketches.
    #[must_use]
    pub fn from_sketch(scheme: Scheme, numbers: [u16; 128]) -> Option<Self> {
        (scheme.family() == Family::Sketch)
            .then(|| Self { scheme, bits: Bits::Sketch(Box::new(numbers)) })
    }

    /// The fingerprint that has these bytes, most significant first; `None` if their number is not the
    /// scheme's.
    #[must_use]
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Option<Self> {
        match scheme.family() {
            Family::Simhash if bytes.len() == scheme.bytes() => {
                let number = |value, &byte: &u8| value << 8 | u128::from(byte);
                Self::from_u128(scheme, bytes.iter().fold(0, number))
            }
            Family::Simhash => None,
            Family::Sketch => {
                let (numbers, rest) = bytes.as_chunks::<2>();
                let numbers: &[[u8; 2]; POSITIONS] = numbers.try_into().ok()?;
                if !rest.is_empty() {
                    return None;
                }
                Self::from_sketch(scheme, numbers.map(u16::from_be_bytes))
            }
        }
    }

    /// The scheme it was computed by.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The value as a number; `None` if the scheme's fingerprints are not of 64 bits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.bits {
            Bits::Word64(value) => Some(value),
            Bits::Word(_) | Bits::Sketch(_) => None,
        }
    }

    /// The value of a simhash of any width as a number; `None` if the scheme's fingerprints are not simhashes.
    #[must_use]
    pub fn as_u128(&self) -> Option<u128> {
        match self.bits {
            Bits::Word64(value) => Some(value.into()),
            Bits::Word(value) => Some(value),
            Bits::Sketch(_) => None,
        }
    }

    /// The numbers of a sketch; `None` if the scheme's fingerprints are not sketches.
    #[must_use]
    pub fn as_sketch(&self) -> Option<&[u16; 128]> {
        match &self.bits {
            Bits::Sketch(numbers) => Some(numbers),
            Bits::Word64(_) | Bits::Word(_) => None,
        }
    }

    /// The bytes, most significant first; as many as the scheme says.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.bits {
            Bits::Word64(value) => value.to_be_bytes().to_vec(),
            Bits::Word(value) => value.to_be_bytes()[16 - self.scheme.bytes()..].to_vec(),
            Bits::Sketch(numbers) => {
                // An iterator of bytes would be collected one by one.
                let mut bytes = vec![0; 2 * numbers.len()];
                for (place, number) in bytes.chunks_exact_mut(2).zip(numbers.iter()) {
                    place.copy_from_slice(&number.to_be_bytes());
                }
                bytes
            }
        }
    }

    /// The number of positions in which the two differ: for a simhash the Hamming distance, for a
    /// sketch the number of unequal numbers; from 0 to [`Scheme::positions`]. "Within k" means that it is k or less.
    ///
    /// # Errors
    /// If the schemes are not the same: such a number would mean nothing.
    pub fn distance(&self, other: &Self) -> Result<u32, UnlikeSchemes> {
        if self.scheme != other.scheme {
            return Err(UnlikeSchemes { left: self.scheme, right: other.scheme });
        }
        match (&self.bits, &other.bits) {
            (Bits::Word64(a), Bits::Word64(b)) => Ok((a ^ b).count_ones()),
            (Bits::Word(a), Bits::Word(b)) => Ok((a ^ b).count_ones()),
            (Bits::Sketch(a), Bits::Sketch(b)) => {
                Ok(a.iter().zip(&**b).map(|(a, b)| u32::from(a != b)).sum())
            }
            // One scheme's fingerprints have one form.
            _ => Err(UnlikeSchemes { left: self.scheme, right: other.scheme }),
        }
    }

    /// `1 - distance / positions`, from 0.0 to 1.0. Compare distances rather than similarities where a threshold
    /// decides: they are whole numbers.
    ///
    /// # Errors
    /// If the schemes are not the same.
    pub fn similarity(&self, other: &Self) -> Result<f64, UnlikeSchemes> {
        let distance = self.distance(other)?;
        Ok(1.0 - f64::from(distance) / f64::from(self.scheme.positions()))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Two fingerprints of different schemes were to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlikeSchemes {
    left: Scheme,
    right: Scheme,
}

impl UnlikeSchemes {
    /// For those who check many fingerprints at once, before they take the plain words out.
    ///
    /// # Errors
    /// If `left` and `right` are not the same.
    pub fn check(left: Scheme, right: Scheme) -> Result<(), Self> {
        if left == right { Ok(()) } else { Err(Self { left, right }) }
    }

    /// The scheme of the fingerprint that was asked.
    #[must_use]
    pub fn left(&self) -> Scheme {
        self.left
    }

    /// The scheme of the fingerprint it was to be compared with.
    #[must_use]
    pub fn right(&self) -> Scheme {
        self.right
    }
}

impl fmt::Display for UnlikeSchemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "fingerprints of different schemes cannot be compared: {} and {}; fingerprint both \
                documents with one scheme",
            self.left, self.right
        )
    }
}

impl std::error::Error for UnlikeSchemes {}
