//! The hash functions that a custom scheme can name for its features: bytes to 64 bits (SPEC [13.5]).

#[cfg(feature = "digests")]
pub(crate) mod digests;
#[cfg(not(feature = "digests"))]
#[path = "token_hash/digests_none.rs"]
pub(crate) mod digests;

use twox_hash::XxHash3_64;

use crate::lookup3;
use crate::scheme::TokenHash;
use crate::sketch::mix;

/// The hash of a feature's bytes.
pub(crate) fn hash(function: TokenHash, bytes: &[u8]) -> u64 {
    match function {
        TokenHash::Lookup3 => lookup3::hash(bytes),
        TokenHash::Fnv1a => fnv1a(bytes),
        TokenHash::Murmur3 => murmur3(bytes),
        TokenHash::Xxh3 => XxHash3_64::oneshot(bytes),
        TokenHash::Md5 => digests::md5(bytes),
        TokenHash::Sha1 => digests::sha1(bytes),
        TokenHash::Fnv1a32 => u64::from(fnv1a_32(bytes)) << 32,
        TokenHash::Murmur332 => u64::from(murmur3_32(bytes)) << 32,
    }
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The first 64 bits of MurmurHash3_x64_128 with the seed 0 (A. Appleby).
fn murmur3(bytes: &[u8]) -> u64 {
    const C1: u64 = 0x87c3_7b91_1142_53d5;
    const C2: u64 = 0x4cf5_ad43_2745_937f;
    let spread_first = |k: u64| k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let spread_second = |k: u64| k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
    let (mut first, mut second) = (0u64, 0u64);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        first = (first ^ spread_first(block as u64)).rotate_left(27).wrapping_add(second);
        first = first.wrapping_mul(5).wrapping_add(0x52dc_e729);
        second = (second ^ spread_second((block >> 64) as u64)).rotate_left(31);
        second = second.wrapping_add(first).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let mut filled = [0; 16];
    filled[..tail.len()].copy_from_slice(tail);
    let block = u128::from_le_bytes(filled);
    first ^= spread_first(block as u64) ^ bytes.len() as u64;
    second ^= spread_second((block >> 64) as u64) ^ bytes.len() as u64;
    first = first.wrapping_add(second);
    second = second.wrapping_add(first);
    mix(first).wrapping_add(mix(second))
}

/// FNV-1a of 32 bits (Fowler, Noll, Vo).
fn fnv1a_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// MurmurHash3_x86_32 with the seed 0 (A. Appleby).
fn murmur3_32(bytes: &[u8]) -> u32 {
    let spread = |k: u32| k.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = 0u32;
    for block in blocks {
        hash = (hash ^ spread(u32::from_le_bytes(*block))).rotate_left(13);
        hash = hash.wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    let mut filled = [0; 4];
    filled[..tail.len()].copy_from_slice(tail);
    // The length counts modulo 2^32, as its author wrote it.
    hash ^= spread(u32::from_le_bytes(filled)) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_are_published() {
        for (function, text, wanted) in [
            (TokenHash::Lookup3, "Four score and seven years ago", 0x1777_0551_ce72_26e6),
            (TokenHash::Fnv1a, "", 0xcbf2_9ce4_8422_2325),
            (TokenHash::Fnv1a, "foobar", 0x8594_4171_f739_67e8),
            (TokenHash::Murmur3, "", 0),
            (TokenHash::Murmur3, "hello", 0xcbd8_a7b3_41bd_9b02),
            (
                TokenHash::Murmur3,
                "The quick brown fox jumps over the lazy dog",
                0xe34b_bc7b_bc07_1b6c,
            ),
            (TokenHash::Xxh3, "", 0x2d06_8005_38d3_94c2),
            (TokenHash::Md5, "", 0xe980_0998_ecf8_427e),
            (TokenHash::Md5, "message digest", 0x525a_2f31_aaf1_61d0),
            (TokenHash::Sha1, "abc", 0x7850_c26c_9cd0_d89d),
            (TokenHash::Fnv1a32, "foobar", 0xbf9c_f968 << 32),
            (TokenHash::Murmur332, "hello", 0x248b_fa47 << 32),
        ] {
            assert_eq!(hash(function, text.as_bytes()), wanted, "{function} of {text:?}");
        }
    }
}
