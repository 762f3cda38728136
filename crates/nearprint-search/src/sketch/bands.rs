//! How a sketch is divided into bands, and what that finds.
//!
//! Two documents become a candidate where all rows of one band are equal. With similarity s, b bands of r rows find
//! them with probability 1 - (1 - s^r)^b (J. Leskovec, A. Rajaraman, J. Ullman, "Mining of Massive Datasets", section
//! 3.4).

use std::fmt;
use std::str::FromStr;

use super::{SKETCH_POSITIONS, Sketch};

/// Bands of rows: `40x3` is 40 bands of 3 rows each. Printing and parsing are inverse.
///
/// ```
/// use nearprint_search::Bands;
/// let bands: Bands = "40x3".parse()?;
/// assert_eq!((bands.bands(), bands.rows()), (40, 3));
/// assert!(bands.chance(0.5) > 0.99 && bands.chance(0.1) < 0.05);
/// # Ok::<(), nearprint_search::BandError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bands {
    bands: u32,
    rows: u32,
}

/// Why bands were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BandError {
    /// The text is not two numbers with an `x` between them.
    Syntax,
    /// No band, no row, or more positions than a sketch has.
    Positions {
        /// Bands asked for.
        bands: u32,
        /// Rows asked for.
        rows: u32,
    },
}

impl fmt::Display for BandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("expected BANDSxROWS, such as 40x3"),
            Self::Positions { bands, rows } => write!(
                f,
                "{bands} bands of {rows} rows do not fit; both must be 1 or more and their \
                    product at most {SKETCH_POSITIONS}"
            ),
        }
    }
}

impl std::error::Error for BandError {}

impl Bands {
    /// One band without a row, in which all sketches agree: each is compared with every other.
    pub const ALL: Self = Self { bands: 1, rows: 0 };

    /// `bands` bands of `rows` rows.
    ///
    /// # Errors
    ///
    /// When either is 0 or their product exceeds 128.
    pub fn new(bands: u32, rows: u32) -> Result<Self, BandError> {
        let used = u64::from(bands) * u64::from(rows);
        if used == 0 || used > SKETCH_POSITIONS as u64 {
            return Err(BandError::Positions { bands, rows });
        }
        Ok(Self { bands, rows })
    }

    /// The bands of most rows, so of fewest candidates, that find documents of this similarity with at least this
    /// probability; bands of one row where none does.
    ///
    /// Both are from 0 to 1. The more rows, the fewer documents that resemble each other little become candidates.
    #[must_use]
    pub fn finding(similarity: f64, probability: f64) -> Self {
        let positions = SKETCH_POSITIONS as u32;
        (1..=positions)
            .rev()
            .map(|rows| Self { bands: positions / rows, rows })
            .find(|bands| bands.chance(similarity) >= probability)
            .unwrap_or(Self { bands: positions, rows: 1 })
    }

    /// The fewest bands of so many rows that find documents of this similarity with at least this probability; `None`
    /// where as many as fit do not.
    pub(super) fn fewest(rows: u32, similarity: f64, probability: f64) -> Option<Self> {
        let most = SKETCH_POSITIONS as u32 / rows;
        (1..=most)
            .map(|bands| Self { bands, rows })
            .find(|bands| bands.chance(similarity) >= probability)
    }

    /// Number of bands, 1 to 128.
    #[must_use]
    pub fn bands(self) -> u32 {
        self.bands
    }

    /// Rows in a band, 1 to 128, or 0 of [`ALL`](Self::ALL).
    #[must_use]
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// The probability that documents of this similarity (0 to 1) agree in a band, so that they are found.
    #[must_use]
    pub fn chance(self, similarity: f64) -> f64 {
        let rows = i32::try_from(self.rows).unwrap_or(i32::MAX);
        let bands = i32::try_from(self.bands).unwrap_or(i32::MAX);
        1.0 - (1.0 - similarity.clamp(0.0, 1.0).powi(rows)).powi(bands)
    }

    /// Whether two sketches agree in all rows of a band, so that they become a candidate.
    #[must_use]
    pub fn agree(self, a: &Sketch, b: &Sketch) -> bool {
        (0..self.bands).map(|band| self.positions(band)).any(|band| a[band.clone()] == b[band])
    }

    /// The positions of a band, from 0 to one less than [`bands`](Self::bands).
    #[must_use]
    pub fn positions(self, band: u32) -> std::ops::Range<usize> {
        let start = (band * self.rows) as usize;
        start..start + self.rows as usize
    }
}

impl fmt::Display for Bands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.bands, self.rows)
    }
}

impl FromStr for Bands {
    type Err = BandError;

    fn from_str(text: &str) -> Result<Self, BandError> {
        let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<u32>().map_err(|_| BandError::Syntax),
            false => Err(BandError::Syntax),
        };
        let (bands, rows) = text.split_once('x').ok_or(BandError::Syntax)?;
        Self::new(number(bands)?, number(rows)?)
    }
}
