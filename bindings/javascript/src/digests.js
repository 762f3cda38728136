// SHA-256, SHA-1 and MD5 of bytes. The runtime's own are asynchronous, and have no MD5; custom schemes need few and short ones.

/** Bytes followed by 1, zeros and the length in bits, in blocks of 64 bytes. */
function padded(bytes, littleEndian) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n, littleEndian);
  return view;
}

function digestOf(state, littleEndian) {
  const digest = new DataView(new ArrayBuffer(4 * state.length));
  state.forEach((word, at) => digest.setUint32(4 * at, word, littleEndian));
  return new Uint8Array(digest.buffer);
}

const left = (word, count) => (word << count) | (word >>> (32 - count));

/** The first 32 bits of the fraction of a root, as FIPS 180-4 derives its constants. */
function fraction(number, root) {
  const exact = root === 2 ? Math.sqrt(number) : Math.cbrt(number);
  return Math.floor((exact - Math.floor(exact)) * 2 ** 32);
}

const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++) {
  if (PRIMES.every((prime) => number % prime !== 0)) PRIMES.push(number);
}
const SHA256_ROUNDS = PRIMES.map((prime) => fraction(prime, 3));
const SHA256_START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2));

/** FIPS 180-4, section 6.2, of bytes that come in pieces. */
export class Sha256 {
  #state = Uint32Array.from(SHA256_START);
  #words = new Uint32Array(64);
  #block = new Uint8Array(64);
  #view = new DataView(this.#block.buffer);
  #length = 0;

  update(bytes) {
    let at = 0;
    // Whole blocks are read where they are.
    if (this.#length % 64 === 0) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (; at + 64 <= bytes.length; at += 64) this.#mix(view, at);
      this.#length += at;
    }
    while (at < bytes.length) {
      const start = this.#length % 64;
      const taken = Math.min(64 - start, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), start);
      at += taken;
      this.#length += taken;
      if (start + taken === 64) this.#mix(this.#view, 0);
    }
    return this;
  }

  /** The 32 bytes; nothing can be added after it. */
  digest() {
    const length = this.#length;
    this.update(Uint8Array.of(0x80));
    this.update(new Uint8Array((120 - (this.#length % 64)) % 64));
    const bits = new DataView(new ArrayBuffer(8));
    bits.setBigUint64(0, BigInt(length) * 8n);
    this.update(new Uint8Array(bits.buffer));
    return digestOf(this.#state, false);
  }

  #mix(view, start) {
    const words = this.#words;
    for (let at = 0; at < 64; at++) {
      if (at < 16) words[at] = view.getUint32(start + 4 * at);
      else {
        const two = words[at - 2];
        const fifteen = words[at - 15];
        const small = left(fifteen, 25) ^ left(fifteen, 14) ^ (fifteen >>> 3);
        words[at] = words[at - 16] + small + words[at - 7] + (left(two, 15) ^ left(two, 13) ^ (two >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let at = 0; at < 64; at++) {
      const one = (h + (left(e, 26) ^ left(e, 21) ^ left(e, 7)) + ((e & f) ^ (~e & g)) + SHA256_ROUNDS[at] + words[at]) | 0;
      const two = ((left(a, 30) ^ left(a, 19) ^ left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (this.#state[at] += word));
  }
}

export function sha256(bytes) {
  return new Sha256().update(bytes).digest();
}

/** RFC 3174. */
export function sha1(bytes) {
  const blocks = padded(bytes, false);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const words = new Int32Array(80);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    for (let at = 0; at < 80; at++) {
      const word = at < 16 ? blocks.getInt32(block + 4 * at) : words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
      words[at] = at < 16 ? word : left(word, 1);
    }
    let [a, b, c, d, e] = state;
    for (let at = 0; at < 80; at++) {
      let [mixed, constant] = [b ^ c ^ d, at < 40 ? 0x6ed9eba1 : 0xca62c1d6];
      if (at < 20) [mixed, constant] = [(b & c) | (~b & d), 0x5a827999];
      else if (at >= 40 && at < 60) [mixed, constant] = [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
      const sum = (left(a, 5) + mixed + e + words[at] + constant) | 0;
      [e, d, c, b, a] = [d, c, left(b, 30), a, sum];
    }
    [a, b, c, d, e].forEach((word, at) => (state[at] += word));
  }
  return digestOf(state, false);
}

const MD5_ROUNDS = Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32));
const MD5_SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];

/** RFC 1321. */
export function md5(bytes) {
  const blocks = padded(bytes, true);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    let [a, b, c, d] = state;
    for (let at = 0; at < 64; at++) {
      const round = at >> 4;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round];
      const word = [at, 5 * at + 1, 3 * at + 5, 7 * at][round] % 16;
      const sum = (a + mixed + MD5_ROUNDS[at] + blocks.getInt32(block + 4 * word, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + left(sum, MD5_SHIFTS[round][at & 3])) | 0];
    }
    [a, b, c, d].forEach((word, at) => (state[at] += word));
  }
  return digestOf(state, true);
}
