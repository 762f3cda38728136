//! The simhash of hashes that a program made itself, for `nearprint.compat.simhash`.

use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::error::wrong_type;

/// Bits of a hash, and of the simhash.
const BITS: usize = u64::BITS as usize;

/// Hashes that are counted before their counts are added: as many as a byte counts.
const AT_ONCE: usize = u8::MAX as usize;

#[doc = stub!(simhash)]
#[pyfunction]
#[pyo3(signature = (hashes, /))]
pub(crate) fn simhash(hashes: &Bound<'_, PyAny>) -> PyResult<u64> {
    let mut totals = Totals { counts: [0; BITS], hashes: 0 };
    let mut part = Vec::with_capacity(AT_ONCE);
    for item in hashes.try_iter()? {
        part.push(hash(&item?)?);
        if part.len() == AT_ONCE {
            totals.add(&part);
            part.clear();
        }
    }
    totals.add(&part);
    Ok(totals.majority())
}

fn hash(item: &Bound<'_, PyAny>) -> PyResult<u64> {
    let refused =
        || wrong_type(format_args!("{item:?} is no hash: hashes are integers from 0 to 2**64 - 1"));
    let number = item.cast::<PyInt>().map_err(|_| refused())?;
    number.extract().map_err(|_| refused())
}

/// How many hashes have each bit.
struct Totals {
    counts: [u64; BITS],
    hashes: u64,
}

impl Totals {
    /// Counts up to [`AT_ONCE`] hashes. Counts of a byte each are a loop of vector instructions.
    fn add(&mut self, part: &[u64]) {
        let mut counts = [0_u8; BITS];
        for hash in part {
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += u8::from(hash >> bit & 1 == 1);
            }
        }
        for (total, count) in self.counts.iter_mut().zip(counts) {
            *total += u64::from(count);
        }
        self.hashes += part.len() as u64;
    }

    /// The bits that more than half of the hashes have.
    fn majority(&self) -> u64 {
        let bits = self.counts.iter().enumerate();
        bits.filter(|(_, count)| 2 * *count > self.hashes).fold(0, |made, (bit, _)| made | 1 << bit)
    }
}
