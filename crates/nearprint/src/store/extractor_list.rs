//! Which extractor took the text of each print: some names, and a small number for each print.

use nearprint_records::ExtractorVersion;

/// The number of prints of which nothing is known.
const UNKNOWN: u8 = u8::MAX;

/// Extractors of prints by position. Takes a byte for each print up to the last of which one is known.
#[derive(Debug, Default)]
pub(crate) struct ExtractorList {
    names: Vec<ExtractorVersion>,
    of: Vec<u8>,
}

impl ExtractorList {
    /// Notes the extractor at a position behind all that are noted. Of more than 255 none is noted: no files of ours
    /// have so many.
    pub(crate) fn note(&mut self, position: usize, extractor: ExtractorVersion) {
        let known = self.names.iter().position(|name| *name == extractor);
        let number = known.unwrap_or(self.names.len());
        let Some(number) = u8::try_from(number).ok().filter(|&number| number != UNKNOWN) else {
            return;
        };
        if known.is_none() {
            self.names.push(extractor);
        }
        self.of.resize(position, UNKNOWN);
        self.of.push(number);
    }

    /// The extractor at a position, where it is known.
    pub(crate) fn of(&self, position: usize) -> Option<&ExtractorVersion> {
        self.names.get(usize::from(*self.of.get(position)?))
    }

    /// Each extractor, and how many prints are of its texts.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&ExtractorVersion, u64)> {
        let mut counts = [0; UNKNOWN as usize + 1];
        self.of.iter().for_each(|&number| counts[usize::from(number)] += 1);
        self.names.iter().zip(counts)
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> u64 {
        self.of.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_known_and_nothing_else() {
        let version = |name: &str, version| ExtractorVersion { name: name.into(), version };
        let mut list = ExtractorList::default();
        list.note(1, version("html", 6));
        list.note(2, version("html", 7));
        list.note(5, version("html", 6));
        let found: Vec<_> = (0..7).map(|at| list.of(at).map(ToString::to_string)).collect();
        let html = |version| Some(format!("html/{version}"));
        assert_eq!(found, [None, html(6), html(7), None, None, html(6), None]);
        let counts: Vec<_> = list.counts().map(|(name, prints)| (name.version, prints)).collect();
        assert_eq!(counts, [(6, 2), (7, 1)]);
        for many in 0..300 {
            list.note(6 + many as usize, version("x", many));
        }
        assert_eq!(list.of(6 + 252), Some(&version("x", 252)));
        assert_eq!((list.of(6 + 253), list.of(305)), (None, None));
    }
}
