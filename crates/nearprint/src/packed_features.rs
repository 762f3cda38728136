//! Features of a document in few octets: the differences of their hashes, in groups of 7 bits. Hashes of 40 bits take some
//! 5 octets each, one less where a document has thousands of them.

use nearprint_search::WeightedFeature;

/// Appends features. Weights follow the hashes only where one of them is not 1; the first octet says so.
pub(crate) fn pack(features: &[WeightedFeature], octets: &mut Vec<u8>) {
    let weighted = features.iter().any(|&(_, weight)| weight != 1);
    octets.push(u8::from(weighted));
    let mut last = 0;
    for &(hash, weight) in features {
        number(hash.wrapping_sub(last), octets);
        last = hash;
        if weighted {
            number(weight.into(), octets);
        }
    }
}

/// Appends the features that were packed into `octets`.
pub(crate) fn unpack(octets: &[u8], features: &mut Vec<WeightedFeature>) {
    let Some((&weighted, octets)) = octets.split_first() else { return };
    let mut octets = octets.iter();
    let mut hash = 0u64;
    while let Some(step) = read_number(&mut octets) {
        hash = hash.wrapping_add(step);
        let weight = if weighted == 1 { read_number(&mut octets) } else { Some(1) };
        features.push((hash, weight.unwrap_or(1) as u32));
    }
}

/// Groups of 7 bits, the least significant first; the highest bit says that another follows.
fn number(mut number: u64, octets: &mut Vec<u8>) {
    while number >= 0x80 {
        octets.push(number as u8 | 0x80);
        number >>= 7;
    }
    octets.push(number as u8);
}

fn read_number<'o>(octets: &mut impl Iterator<Item = &'o u8>) -> Option<u64> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let octet = *octets.next()?;
        number |= u64::from(octet & 0x7f) << shift;
        shift += 7;
        if octet < 0x80 || shift > 63 {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_packed_comes_out(features in prop::collection::btree_map(any::<u64>(), any::<u32>(), 0..50), plain: bool) {
            let weight = |weight| if plain { 1 } else { weight };
            let features: Vec<WeightedFeature> = features.into_iter().map(|(hash, w)| (hash, weight(w))).collect();
            let (mut octets, mut found) = (Vec::new(), Vec::new());
            pack(&features, &mut octets);
            unpack(&octets, &mut found);
            prop_assert_eq!(found, features);
        }

        #[test]
        fn any_octets_unpack_to_no_more_features_than_they_are(octets: Vec<u8>) {
            let mut found = Vec::new();
            unpack(&octets, &mut found);
            prop_assert!(found.len() <= octets.len());
        }
    }
}
