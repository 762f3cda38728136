//! Lookup3 of sixteen tokens at a time (SPEC 7.1), their bytes gathered from the text.
#![expect(unsafe_code, reason = "instructions that not every machine has")]

use std::arch::x86_64::{
    __m512i, __mmask16, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpgt_epu32_mask,
    _mm512_cmple_epu32_mask, _mm512_loadu_si512, _mm512_mask_i32gather_epi32,
    _mm512_mask_mov_epi32, _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64,
    _mm512_maskz_expand_epi32, _mm512_maskz_mov_epi32, _mm512_max_epi32, _mm512_permutex2var_epi32,
    _mm512_rol_epi32, _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setzero_si512,
    _mm512_slli_epi32, _mm512_srlv_epi32, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_xor_si512,
};

use super::batch_hash::Hashes;
use super::runs::{PLACES, Runs};

/// The longest part of a key that is added without mixing.
const PART: usize = 12;

const LANES: usize = 16;

/// Of lists that are too short.
const ROOM: &str = "lists have room for a vector behind the last token";

/// Three words of sixteen states.
type States = [__m512i; 3];

/// The number of hashes that [`batch_hash::hash`](super::batch_hash::hash) gives, written to `room`; `None` if fewer
/// than a part's bytes follow a token.
#[target_feature(enable = "avx512f")]
pub(super) fn hash(text: &[u8], runs: &Runs, room: &mut Hashes) -> Option<usize> {
    let bytes = runs.text(text);
    // From every byte of a token a whole part can be read. The places have 31 bits: gathering takes them as signed.
    let farthest = bytes.len().checked_sub(PART)?;
    let farthest = _mm512_set1_epi32(farthest.min(i32::MAX as usize) as i32);
    let Hashes { hashes, long } = room;
    let mut longs = 0;
    let mut count = 0;
    let ended = runs.len();
    let lists = runs.starts().as_chunks().0.iter().zip(runs.ends().as_chunks().0);
    for ((starts, ends), first) in lists.zip((0..ended).step_by(LANES)) {
        let lanes = (u32::MAX >> (32 - (ended - first).min(LANES))) as __mmask16;
        let kept = (runs.kept()[first / 64] >> (first % 64)) as __mmask16 & lanes;
        let (starts, ends) = (load(starts), load(ends));
        let sound = _mm512_cmple_epu32_mask(starts, ends) & _mm512_cmple_epu32_mask(ends, farthest);
        if sound & lanes != lanes {
            return None;
        }
        let starts = _mm512_maskz_mov_epi32(lanes, starts);
        let lengths = _mm512_sub_epi32(_mm512_maskz_mov_epi32(lanes, ends), starts);
        // SAFETY: each lane is 0 or at most `farthest`, as was just seen, from which a whole part can be read.
        let part = unsafe { part(bytes, starts, lanes) };
        let state = last(add(begin(lengths), clipped(part, lengths)));
        let [low, high] = joined(state);
        // Each lane's place among the hashes.
        let numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let places = _mm512_add_epi32(
            _mm512_maskz_expand_epi32(kept, numbers),
            _mm512_set1_epi32(count as i32),
        );
        let longer = _mm512_cmpgt_epu32_mask(lengths, _mm512_set1_epi32(PART as i32)) & kept;
        for (list, values) in long.iter_mut().zip([starts, lengths, places]) {
            let list = list[longs..].first_chunk_mut().expect(ROOM);
            store(list, _mm512_maskz_compress_epi32(longer, values));
        }
        longs += longer.count_ones() as usize;
        for (half, kept) in [(low, kept as u8), (high, (kept >> 8) as u8)] {
            let hashes = hashes[count..].first_chunk_mut().expect(ROOM);
            store_words(hashes, _mm512_maskz_compress_epi64(kept, half));
            count += kept.count_ones() as usize;
        }
    }
    // SAFETY: only tokens found to lie in `bytes`, with a whole part after their last bytes, were put down as long.
    unsafe { hash_long(bytes, long, longs, hashes) }
    Some(count)
}

/// The hashes of the first `count` tokens of `long`.
///
/// # Safety
///
/// Each token, and twelve bytes after its last one, are within `bytes`.
#[target_feature(enable = "avx512f")]
unsafe fn hash_long(
    bytes: &[u8],
    [starts, lengths, places]: &[[u32; PLACES]; 3],
    count: usize,
    hashes: &mut [u64],
) {
    let parts = _mm512_set1_epi32(PART as i32);
    for first in (0..count).step_by(LANES) {
        let lanes = (u32::MAX >> (32 - (count - first).min(LANES))) as __mmask16;
        let at_lanes = |list: &[u32; PLACES]| {
            _mm512_maskz_mov_epi32(lanes, load(list[first..].first_chunk().expect(ROOM)))
        };
        let (mut at, mut rest) = (at_lanes(starts), at_lanes(lengths));
        let mut state = begin(rest);
        loop {
            let more = _mm512_cmpgt_epu32_mask(rest, parts);
            if more == 0 {
                break;
            }
            // SAFETY: these lanes have more than a part from `at` on.
            let part = unsafe { part(bytes, at, more) };
            let mixed = mix(add(state, part));
            for (word, mixed) in state.iter_mut().zip(mixed) {
                *word = _mm512_mask_mov_epi32(*word, more, mixed);
            }
            at = _mm512_add_epi32(at, _mm512_maskz_mov_epi32(more, parts));
            rest = _mm512_sub_epi32(rest, _mm512_maskz_mov_epi32(more, parts));
        }
        // SAFETY: `at` is within the token, so a whole part can be read.
        let part = unsafe { part(bytes, at, lanes) };
        let [low, high] = joined(last(add(state, clipped(part, rest))));
        let mut found = [0; LANES];
        let (halves, _) = found.as_chunks_mut();
        store_words(&mut halves[0], low);
        store_words(&mut halves[1], high);
        let places = &places[first..count];
        for (&place, hash) in places.iter().zip(found) {
            hashes[place as usize] = hash;
        }
    }
}

/// The next twelve bytes from each of `at`, as three words; 0 in other lanes than `lanes`.
///
/// # Safety
///
/// In `lanes`, `at` and the twelve bytes from it on are within `bytes`.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn part(bytes: &[u8], at: __m512i, lanes: __mmask16) -> States {
    let start = bytes.as_ptr();
    let zero = _mm512_setzero_si512();
    // SAFETY: what the caller promises, for four bytes at each of three offsets.
    unsafe {
        [
            _mm512_mask_i32gather_epi32::<1>(zero, lanes, at, start.cast()),
            _mm512_mask_i32gather_epi32::<1>(zero, lanes, at, start.add(4).cast()),
            _mm512_mask_i32gather_epi32::<1>(zero, lanes, at, start.add(8).cast()),
        ]
    }
}

/// Only the first `lengths` bytes of a part.
#[inline]
#[target_feature(enable = "avx512f")]
fn clipped([a, b, c]: States, lengths: __m512i) -> States {
    // Word i keeps all its bits but 32(i + 1) - 8 lengths; shifting by 32 or more leaves none.
    let bits = _mm512_slli_epi32::<3>(lengths);
    let keep = |word, end: i32| {
        let excess = _mm512_sub_epi32(_mm512_set1_epi32(end), bits);
        let excess = _mm512_max_epi32(excess, _mm512_setzero_si512());
        _mm512_and_si512(word, _mm512_srlv_epi32(_mm512_set1_epi32(-1), excess))
    };
    [keep(a, 32), keep(b, 64), keep(c, 96)]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn begin(lengths: __m512i) -> States {
    [_mm512_add_epi32(lengths, _mm512_set1_epi32(0xdead_beef_u32 as i32)); 3]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add([a, b, c]: States, [d, e, f]: States) -> States {
    [_mm512_add_epi32(a, d), _mm512_add_epi32(b, e), _mm512_add_epi32(c, f)]
}

/// The two results of each state as one number, those of the first eight lanes and those of the others.
#[inline]
#[target_feature(enable = "avx512f")]
fn joined([_, b, c]: States) -> [__m512i; 2] {
    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    [_mm512_permutex2var_epi32(b, low, c), _mm512_permutex2var_epi32(b, high, c)]
}

/// [`lookup3::mix`](crate::lookup3::mix).
#[inline]
#[target_feature(enable = "avx512f")]
fn mix([mut a, mut b, mut c]: States) -> States {
    macro_rules! step {
        ($x:ident, $y:ident, $z:ident, $turn:literal) => {
            $x = _mm512_xor_si512(_mm512_sub_epi32($x, $z), _mm512_rol_epi32::<$turn>($z));
            $z = _mm512_add_epi32($z, $y);
        };
    }
    step!(a, b, c, 4);
    step!(b, c, a, 6);
    step!(c, a, b, 8);
    step!(a, b, c, 16);
    step!(b, c, a, 19);
    step!(c, a, b, 4);
    [a, b, c]
}

/// [`lookup3::last`](crate::lookup3::last).
#[inline]
#[target_feature(enable = "avx512f")]
fn last([mut a, mut b, mut c]: States) -> States {
    macro_rules! step {
        ($x:ident, $y:ident, $turn:literal) => {
            $x = _mm512_sub_epi32(_mm512_xor_si512($x, $y), _mm512_rol_epi32::<$turn>($y));
        };
    }
    step!(c, b, 14);
    step!(a, c, 11);
    step!(b, a, 25);
    step!(c, b, 16);
    step!(a, c, 4);
    step!(b, a, 14);
    step!(c, b, 24);
    [a, b, c]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32; LANES]) -> __m512i {
    // SAFETY: the pointer is to 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u32; LANES], values: __m512i) {
    // SAFETY: the pointer is to 64 bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(words: &mut [u64; LANES / 2], values: __m512i) {
    // SAFETY: the pointer is to 64 bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), values) }
}
