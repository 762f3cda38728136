//! Places of tokens in a collection, and which of them may be paired.

/// A token of a document, in a number that sorts by documents and then by tokens.
pub(crate) fn place(document: u32, token: u32) -> u64 {
    u64::from(document) << 32 | u64::from(token)
}

pub(crate) fn document(place: u64) -> u32 {
    (place >> 32) as u32
}

pub(crate) fn token(place: u64) -> u32 {
    place as u32
}

/// The sets of documents between which passages are looked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DocumentSets {
    /// The first document of the references, where there are any: then only passages of a document before it and one
    /// from it on are wanted.
    pub(crate) first_reference: Option<u32>,
    /// Whether places of one document may be paired as well.
    pub(crate) within: bool,
}

impl DocumentSets {
    /// Of places in order, whether the first and the last are of documents that may be paired; then some two are.
    pub(crate) fn may_pair(self, first: u64, last: u64) -> bool {
        if self.within {
            return first != last;
        }
        let (first, last) = (document(first), document(last));
        match self.first_reference {
            Some(reference) => first < reference && last >= reference,
            None => first != last,
        }
    }

    /// Gives all pairs of places, which are in order, of documents that may be paired, by their indexes.
    pub(crate) fn each_pair<E>(
        self,
        places: &[u64],
        mut each: impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for (a, &first) in places.iter().enumerate() {
            let next = match self.first_reference {
                Some(reference) if document(first) >= reference => break,
                Some(reference) => document_start(places, reference),
                // Documents are not compared with themselves.
                None => {
                    a + places[a..].partition_point(|&other| document(other) == document(first))
                }
            };
            for b in next..places.len() {
                each(a, b)?;
            }
        }
        Ok(())
    }
}

/// The first of some places in order that is of this document or a later one.
fn document_start(places: &[u64], wanted: u32) -> usize {
    places.partition_point(|&place| document(place) < wanted)
}
