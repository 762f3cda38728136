// Numbers of 64 bits as two halves of 32, because BigInt is some fifty times slower: lookup3 [7.1], the mixing of
// sketches [11.1], and a table that counts them.

/** Halves of the last result: `high` and `low` of [7.1] are c and b. */
export const result = { high: 0, low: 0 };

/** The lookup3 hash of the first `length` bytes, into `result`. The 12 bytes after them are written to. [7.1] */
export function lookup3(bytes, length) {
  let a = (0xdeadbeef + length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  while (length - at > 12) {
    a = (a + le32(bytes, at)) | 0;
    b = (b + le32(bytes, at + 4)) | 0;
    c = (c + le32(bytes, at + 8)) | 0;
    a = (a - c) ^ ((c << 4) | (c >>> 28));
    c = (c + b) | 0;
    b = (b - a) ^ ((a << 6) | (a >>> 26));
    a = (a + c) | 0;
    c = (c - b) ^ ((b << 8) | (b >>> 24));
    b = (b + a) | 0;
    a = (a - c) ^ ((c << 16) | (c >>> 16));
    c = (c + b) | 0;
    b = (b - a) ^ ((a << 19) | (a >>> 13));
    a = (a + c) | 0;
    c = (c - b) ^ ((b << 4) | (b >>> 28));
    b = (b + a) | 0;
    at += 12;
  }
  if (length > at) {
    bytes.fill(0, length, at + 12);
    a = (a + le32(bytes, at)) | 0;
    b = (b + le32(bytes, at + 4)) | 0;
    c = (c + le32(bytes, at + 8)) | 0;
    c = ((c ^ b) - ((b << 14) | (b >>> 18))) | 0;
    a = ((a ^ c) - ((c << 11) | (c >>> 21))) | 0;
    b = ((b ^ a) - ((a << 25) | (a >>> 7))) | 0;
    c = ((c ^ b) - ((b << 16) | (b >>> 16))) | 0;
    a = ((a ^ c) - ((c << 4) | (c >>> 28))) | 0;
    b = ((b ^ a) - ((a << 14) | (a >>> 18))) | 0;
    c = ((c ^ b) - ((b << 24) | (b >>> 8))) | 0;
  }
  result.high = c >>> 0;
  result.low = b >>> 0;
}

function le32(bytes, at) {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/** The upper half of a product of 32 bits each. */
function upperHalf(one, other) {
  const lower = Math.floor(((one & 0xffff) * other) / 0x10000);
  return Math.floor(((one >>> 16) * other + lower) / 0x10000);
}

/** `(high, low) * (factorHigh, factorLow)` modulo 2^64, into `result`. */
export function multiply(high, low, factorHigh, factorLow) {
  const cross = Math.imul(high, factorLow) + Math.imul(low, factorHigh);
  result.high = (upperHalf(low, factorLow) + cross) >>> 0;
  result.low = Math.imul(low, factorLow) >>> 0;
}

/** `(high, low) + (otherHigh, otherLow)` modulo 2^64, into `result`. */
export function add(high, low, otherHigh, otherLow) {
  const sum = low + otherLow;
  result.low = sum >>> 0;
  result.high = (high + otherHigh + (sum > 0xffffffff ? 1 : 0)) >>> 0;
}

/** `mix` of [11.1], into `result`. */
export function mix(high, low) {
  multiply(high, (low ^ (high >>> 1)) >>> 0, 0xff51afd7, 0xed558ccd);
  multiply(result.high, (result.low ^ (result.high >>> 1)) >>> 0, 0xc4ceb9fe, 0x1a85ec53);
  result.low = (result.low ^ (result.high >>> 1)) >>> 0;
}

/** How often each number of 64 bits was added: a hash table with open addressing. */
export class Counts {
  constructor() {
    this.size = 0;
    this.resize(1 << 8);
  }

  resize(places) {
    const { highs, lows, counts } = this;
    this.mask = places - 1;
    this.highs = new Uint32Array(places);
    this.lows = new Uint32Array(places);
    this.counts = new Float64Array(places);
    this.size = 0;
    counts?.forEach((count, place) => count && this.add(highs[place], lows[place], count));
  }

  /** Adds a number `times` times. */
  add(high, low, times = 1) {
    const { mask, highs, lows, counts } = this;
    let place = (low ^ Math.imul(high, 0x9e3779b1)) & mask;
    while (counts[place] !== 0) {
      if (lows[place] === low && highs[place] === high) {
        counts[place] += times;
        return;
      }
      place = (place + 1) & mask;
    }
    highs[place] = high;
    lows[place] = low;
    counts[place] = times;
    this.size++;
    if (this.size * 2 > mask) this.resize((mask + 1) * 2);
  }

  /** Calls `take(high, low, count)` for each number. */
  forEach(take) {
    const { highs, lows, counts } = this;
    for (let place = 0; place < counts.length; place++) {
      if (counts[place] !== 0) take(highs[place], lows[place], counts[place]);
    }
  }
}
