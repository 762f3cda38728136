//! SPEC [7.1]: the token hash, Bob Jenkins' lookup3 `hashlittle2` of 2006 with both seeds 0, in the portable form
//! that takes one token. The kernels hash many tokens side by side and are checked against this one.

/// The three words of the hash's state.
pub(crate) type State = [u32; 3];

/// The state before anything of a key of `length` bytes is added.
#[inline(always)]
pub(crate) fn start(length: usize) -> State {
    // Arithmetic modulo 2^32, also for keys beyond 4 GiB.
    [0xdead_beef_u32.wrapping_add(length as u32); 3]
}

/// The hash of one token's UTF-8 bytes: `(c << 32) | b`.
pub(crate) fn hash(key: &[u8]) -> u64 {
    let mut state = start(key.len());
    let mut rest = key;
    while rest.len() > 12 {
        let (block, behind) = rest.split_at(12);
        state = mix(add(state, block));
        rest = behind;
    }
    if !rest.is_empty() {
        state = last(add(state, rest));
    }
    join(state)
}

/// The two results as one number.
#[inline(always)]
pub(crate) fn join([_, b, c]: State) -> u64 {
    (u64::from(c) << 32) | u64::from(b)
}

/// Adds up to 12 bytes, little-endian, filled up with zeros.
#[inline(always)]
fn add([a, b, c]: State, bytes: &[u8]) -> State {
    let word = |at: usize| {
        (0..4)
            .fold(0, |word, i| word | u32::from(bytes.get(at + i).copied().unwrap_or(0)) << (8 * i))
    };
    [a.wrapping_add(word(0)), b.wrapping_add(word(4)), c.wrapping_add(word(8))]
}

/// Mixes the state between blocks of 12 bytes.
#[inline(always)]
pub(crate) fn mix([mut a, mut b, mut c]: State) -> State {
    a = a.wrapping_sub(c) ^ c.rotate_left(4);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(6);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(8);
    b = b.wrapping_add(a);
    a = a.wrapping_sub(c) ^ c.rotate_left(16);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(19);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(4);
    b = b.wrapping_add(a);
    [a, b, c]
}

/// The last mixing (`final` in Jenkins' text).
#[inline(always)]
pub(crate) fn last([mut a, mut b, mut c]: State) -> State {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    c = (c ^ b).wrapping_sub(b.rotate_left(24));
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn jenkins_published_check() {
        assert_eq!(hash(b"Four score and seven years ago"), 0x1777_0551_ce72_26e6);
    }

    #[test]
    fn the_empty_key_is_the_start() {
        assert_eq!(hash(b""), 0xdead_beef_dead_beef);
    }
}
