//! Which revisits of a package refer to captures that are not in it.

use std::collections::HashSet;

use twox_hash::XxHash3_64;

use super::Head;

/// Captures and revisits that are remembered (<=): some 50 bytes each.
const MOST_CAPTURES: usize = 4_000_000;

/// The captures of a package, and its revisits, which may come before what they refer to.
#[derive(Debug, Default)]
pub(crate) struct CaptureLinks {
    /// Captures by address and date, and payloads by digest, as hashes of 64 bits.
    captures: HashSet<u64>,
    /// What each revisit refers to, by either.
    revisits: Vec<[Option<u64>; 2]>,
    /// The addresses of the first revisits.
    shown: Vec<String>,
    /// Whether there were more captures than are remembered.
    is_full: bool,
}

/// Revisits that refer to captures that are not in the package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnresolvedRevisits {
    pub(crate) count: usize,
    /// The address of the first, where it is remembered.
    pub(crate) first: Option<String>,
    /// Whether all captures were compared.
    pub(crate) is_sure: bool,
}

/// Revisits whose addresses are remembered.
const SHOWN: usize = 10_000;

impl CaptureLinks {
    /// Notes a record: a capture with a payload, or a revisit.
    pub(super) fn note(&mut self, head: &Head) {
        if self.captures.len() + self.revisits.len() >= MOST_CAPTURES {
            self.is_full = true;
            return;
        }
        let capture = &head.capture;
        let digest = capture.digest.as_deref().map(|digest| hash(&["digest", digest]));
        let named = |url: &str, date: &Option<String>| {
            date.as_deref().map(|date| hash(&["capture", url, date]))
        };
        if let Some(revisited) = &capture.revisited {
            let url = revisited.url.as_deref().unwrap_or(&capture.url);
            self.revisits.push([named(url, &revisited.date), digest]);
            if self.shown.len() < SHOWN {
                self.shown.push(capture.url.clone());
            }
        } else if !matches!(head.kind, "request" | "metadata" | "warcinfo") {
            self.captures
                .extend([named(&capture.url, &capture.date), digest].into_iter().flatten());
        }
    }

    /// The revisits that refer to none of the captures; `None` if there are none.
    pub(crate) fn unresolved(&self) -> Option<UnresolvedRevisits> {
        let is_known = |key: &Option<u64>| key.is_some_and(|key| self.captures.contains(&key));
        let mut unresolved = self
            .revisits
            .iter()
            .enumerate()
            .filter(|(_, revisit)| !revisit.iter().any(is_known))
            .map(|(number, _)| number);
        let first = unresolved.next()?;
        Some(UnresolvedRevisits {
            count: 1 + unresolved.count(),
            first: self.shown.get(first).cloned(),
            is_sure: !self.is_full,
        })
    }
}

fn hash(parts: &[&str]) -> u64 {
    XxHash3_64::oneshot(parts.join("\0").as_bytes())
}
