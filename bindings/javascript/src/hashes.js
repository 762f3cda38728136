// The hash functions of custom schemes: clause [13.5]. Each takes bytes and returns a BigInt of 64 bits; a function of 32 bits
// returns them as the upper half. They are written for exactness, not for speed.

import { md5, sha1 } from "./digests.js";
import { lookup3, result } from "./words64.js";

const MASK = (1n << 64n) - 1n;
const MASK_32 = (1n << 32n) - 1n;

const rotated = (value, count) => ((value << count) | (value >> (64n - count))) & MASK;
const rotated32 = (value, count) => ((value << count) | (value >> (32n - count))) & MASK_32;

/** A number of `count` bytes, the least significant first; bytes beyond the end are 0. */
function le(bytes, at, count = 8) {
  let value = 0n;
  for (let place = Math.min(at + count, bytes.length) - 1; place >= at; place--) value = (value << 8n) | BigInt(bytes[place]);
  return value;
}

function be(bytes) {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** `mix` of [11.1]. */
export function mixed(value) {
  value ^= value >> 33n;
  value = (value * 0xff51afd7ed558ccdn) & MASK;
  value ^= value >> 33n;
  value = (value * 0xc4ceb9fe1a85ec53n) & MASK;
  return value ^ (value >> 33n);
}

function lookup3Hash(bytes) {
  const key = new Uint8Array(bytes.length + 12);
  key.set(bytes);
  lookup3(key, bytes.length);
  return (BigInt(result.high) << 32n) | BigInt(result.low);
}

function fnv1a(bytes) {
  return bytes.reduce((value, byte) => ((value ^ BigInt(byte)) * 0x100000001b3n) & MASK, 0xcbf29ce484222325n);
}

function fnv1a32(bytes) {
  return bytes.reduce((value, byte) => ((value ^ BigInt(byte)) * 0x01000193n) & MASK_32, 0x811c9dc5n) << 32n;
}

function murmur3(bytes) {
  const [one, two] = [0x87c37b91114253d5n, 0x4cf5ad432745937fn];
  let first = 0n;
  let second = 0n;
  const whole = bytes.length - (bytes.length % 16);
  for (let at = 0; at < whole; at += 16) {
    first ^= (rotated((le(bytes, at) * one) & MASK, 31n) * two) & MASK;
    first = ((rotated(first, 27n) + second) * 5n + 0x52dce729n) & MASK;
    second ^= (rotated((le(bytes, at + 8) * two) & MASK, 33n) * one) & MASK;
    second = ((rotated(second, 31n) + first) * 5n + 0x38495ab5n) & MASK;
  }
  const length = BigInt(bytes.length);
  first ^= ((rotated((le(bytes, whole) * one) & MASK, 31n) * two) & MASK) ^ length;
  second ^= ((rotated((le(bytes, whole + 8) * two) & MASK, 33n) * one) & MASK) ^ length;
  first = (first + second) & MASK;
  second = (second + first) & MASK;
  return (mixed(first) + mixed(second)) & MASK;
}

function murmur3x32(bytes) {
  let value = 0n;
  const whole = bytes.length - (bytes.length % 4);
  const word = (at) => (rotated32((le(bytes, at, 4) * 0xcc9e2d51n) & MASK_32, 15n) * 0x1b873593n) & MASK_32;
  for (let at = 0; at < whole; at += 4) {
    value = (rotated32(value ^ word(at), 13n) * 5n + 0xe6546b64n) & MASK_32;
  }
  value ^= word(whole) ^ BigInt(bytes.length);
  value = ((value ^ (value >> 16n)) * 0x85ebca6bn) & MASK_32;
  value = ((value ^ (value >> 13n)) * 0xc2b2ae35n) & MASK_32;
  return (value ^ (value >> 16n)) << 32n;
}

const SECRET = Uint8Array.from(
  (
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e" +
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d" +
    "8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc" +
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
  ).match(/../g),
  (digits) => parseInt(digits, 16),
);
const [P32_1, P32_2, P32_3] = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const [P64_1, P64_2, P64_3] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n];
const [P64_4, P64_5] = [0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];

const secret = (at) => le(SECRET, at);

/** Both halves of a product of 128 bits. */
function folded(one, other) {
  const product = one * other;
  return (product ^ (product >> 64n)) & MASK;
}

function avalanche(value) {
  value = ((value ^ (value >> 37n)) * 0x165667919e3779f9n) & MASK;
  return value ^ (value >> 32n);
}

function shortAvalanche(value) {
  value = ((value ^ (value >> 33n)) * P64_2) & MASK;
  value = ((value ^ (value >> 29n)) * P64_3) & MASK;
  return value ^ (value >> 32n);
}

function xxh3(bytes) {
  const count = bytes.length;
  const length = BigInt(count);
  if (count === 0) return shortAvalanche(secret(56) ^ secret(64));
  if (count <= 3) {
    const [first, middle, last] = [bytes[0], bytes[count >> 1], bytes[count - 1]].map(BigInt);
    const combined = (first << 16n) | (middle << 24n) | last | (length << 8n);
    return shortAvalanche(combined ^ le(SECRET, 0, 4) ^ le(SECRET, 4, 4));
  }
  if (count <= 8) {
    let value = (le(bytes, count - 4, 4) + (le(bytes, 0, 4) << 32n)) ^ secret(8) ^ secret(16);
    value ^= rotated(value, 49n) ^ rotated(value, 24n);
    value = (value * 0x9fb21c651e98df25n) & MASK;
    value ^= (value >> 35n) + length;
    value = (value * 0x9fb21c651e98df25n) & MASK;
    return value ^ (value >> 28n);
  }
  if (count <= 16) {
    const low = le(bytes, 0) ^ secret(24) ^ secret(32);
    const high = le(bytes, count - 8) ^ secret(40) ^ secret(48);
    let swapped = 0n;
    for (let at = 0n; at < 64n; at += 8n) swapped = (swapped << 8n) | ((low >> at) & 0xffn);
    return avalanche((length + swapped + high + folded(low, high)) & MASK);
  }
  return count <= 240 ? xxh3Middle(bytes) : xxh3Long(bytes);
}

function xxh3Middle(bytes) {
  const count = bytes.length;
  let total = BigInt(count) * P64_1;
  const sixteen = (at, key) => folded(le(bytes, at) ^ secret(key), le(bytes, at + 8) ^ secret(key + 8));
  if (count <= 128) {
    for (let number = 0; number < (count + 31) >> 5; number++) {
      total += sixteen(16 * number, 32 * number) + sixteen(count - 16 * number - 16, 32 * number + 16);
    }
    return avalanche(total & MASK);
  }
  for (let number = 0; number < 8; number++) total += sixteen(16 * number, 16 * number);
  total = avalanche(total & MASK);
  for (let number = 8; number < count >> 4; number++) total += sixteen(16 * number, 16 * (number - 8) + 3);
  return avalanche((total + sixteen(count - 16, 119)) & MASK);
}

function xxh3Long(bytes) {
  const sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1];
  const add = (at, key) => {
    for (let lane = 0; lane < 8; lane++) {
      const value = le(bytes, at + 8 * lane);
      const keyed = value ^ secret(key + 8 * lane);
      sums[lane ^ 1] = (sums[lane ^ 1] + value) & MASK;
      sums[lane] = (sums[lane] + (keyed & MASK_32) * (keyed >> 32n)) & MASK;
    }
  };
  for (let stripe = 0; stripe < Math.floor((bytes.length - 1) / 64); stripe++) {
    add(64 * stripe, 8 * (stripe % 16));
    if (stripe % 16 === 15) {
      sums.forEach((sum, lane) => (sums[lane] = ((sum ^ (sum >> 47n) ^ secret(128 + 8 * lane)) * P32_1) & MASK));
    }
  }
  add(bytes.length - 64, 121);
  let total = BigInt(bytes.length) * P64_1;
  for (let pair = 0; pair < 4; pair++) {
    total += folded(sums[2 * pair] ^ secret(11 + 16 * pair), sums[2 * pair + 1] ^ secret(19 + 16 * pair));
  }
  return avalanche(total & MASK);
}

export const HASHES = {
  lookup3: lookup3Hash,
  fnv1a,
  murmur3,
  xxh3,
  "md5-64": (bytes) => be(md5(bytes).subarray(8)),
  "sha1-64": (bytes) => be(sha1(bytes).subarray(12)),
  "fnv1a-32": fnv1a32,
  "murmur3-32": murmur3x32,
};
