// Tables of inverse document frequencies as bytes: clauses [13.9] to [13.12].

import { base32 } from "./base32.js";
import { sha256 } from "./digests.js";

const MAGIC = [0x89, 0x4e, 0x50, 0x49, 0x44, 0x46, 0x0d, 0x0a];
const HEAD = 32;
const ENTRY = 12;
const MOST_DOCUMENTS = 4294967294;
const MOST_ENTRIES = 67108864n;

/** The binary logarithm of a whole number below 2^32, in 1/65536. [13.11] */
export function logarithm(number) {
  let result = BigInt(number.toString(2).length - 1);
  let mantissa = BigInt(number) << (31n - result);
  for (let step = 0; step < 16; step++) {
    mantissa = (mantissa * mantissa) >> 31n;
    result *= 2n;
    if (mantissa >> 32n) {
      mantissa >>= 1n;
      result += 1n;
    }
  }
  return result;
}

/**
 * A table from its bytes; null if they are refused. `isCounted` says whether a name is that of a declaration's parts.
 * [13.10] [13.12]
 */
export function readTable(bytes, isCounted) {
  if (bytes.length < HEAD + 32 || MAGIC.some((byte, at) => bytes[at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [version, documents, least, nameLength] = [8, 12, 16, 20].map((at) => view.getUint32(at, true));
  const count = view.getBigUint64(24, true);
  const start = HEAD + nameLength;
  const end = start + ENTRY * Number(count);
  if (version !== 1 || count > MOST_ENTRIES || bytes.length !== end + 32) return null;
  const digest = bytes.subarray(end);
  if (sha256(bytes.subarray(0, end)).some((byte, at) => byte !== digest[at])) return null;
  const counted = String.fromCharCode(...bytes.subarray(HEAD, start));
  if (documents < 1 || documents > MOST_DOCUMENTS || least < 1 || !isCounted(counted)) return null;
  const entries = new Map();
  let before = -1n;
  for (let at = start; at < end; at += ENTRY) {
    const [hash, times] = [view.getBigUint64(at, true), view.getUint32(at + 8, true)];
    if (hash <= before || times < least || times > documents) return null;
    entries.set((before = hash), times);
  }
  const weight = (hash) => {
    const times = entries.get(hash) ?? Math.min(least - 1, documents);
    return 65536n + logarithm(documents + 1) - logarithm(times + 1);
  };
  return { name: base32(digest.subarray(0, 16)), counted, documents, weight };
}

/** The bytes of a table: `counts` are how many of the documents have each feature, by its hash. [13.9] [13.10] */
export function tableBytes(counted, documents, least, counts) {
  const entries = [...counts].filter(([, times]) => times >= least).sort(([one], [other]) => (one < other ? -1 : 1));
  const start = HEAD + counted.length;
  const end = start + ENTRY * entries.length;
  const bytes = new Uint8Array(end + 32);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  [1, documents, least, counted.length].forEach((number, at) => view.setUint32(8 + 4 * at, number, true));
  view.setBigUint64(24, BigInt(entries.length), true);
  bytes.set(new TextEncoder().encode(counted), HEAD);
  entries.forEach(([hash, times], entry) => {
    view.setBigUint64(start + ENTRY * entry, hash, true);
    view.setUint32(start + ENTRY * entry + 8, times, true);
  });
  bytes.set(sha256(bytes.subarray(0, end)), end);
  return bytes;
}
