// From a text, or from pieces of one, to its fingerprints. Sections 7, 10, 11 and 14 of the standard.

import { cut } from "./cuts.js";
import { Fingerprint } from "./fingerprint.js";
import { schemeOf } from "./schemes.js";
import { Shingles, logWeight, sketchOf, weightedElements } from "./sketch.js";
import { forEachToken } from "./tokens.js";
import { normalisedText } from "./unicode.js";
import { Counts, lookup3, result } from "./words64.js";

/** UTF-16 units that are gathered before they are read. */
const PIECE = 1 << 16;
const WHITE_SPACE = /[\t-\r ]/;

const encoder = new TextEncoder();
/** Room for a token of 128 code points and what lookup3 writes behind it. */
const room = new Uint8Array(4 * 128 + 12);

/** The hash of the token at these offsets of a text, into `result`. [7.1] */
export function hashToken(text, start, end) {
  const length = end - start;
  let at = 0;
  for (; at < length; at++) {
    const code = text.charCodeAt(start + at);
    if (code > 127) break;
    room[at] = code;
  }
  lookup3(room, at === length ? length : encoder.encodeInto(text.slice(start, end), room).written);
}

/** The 64 counters of features, that of the most significant bit first. [7.2] [10.4] */
export function countersOf(features, weight) {
  const totals = new Float64Array(64);
  let all = 0;
  features.forEach((high, low, count) => {
    all += weight(count);
    const twice = 2 * weight(count);
    for (let bit = 0; bit < 32; bit++) {
      totals[bit] += ((high >>> (31 - bit)) & 1) * twice;
      totals[bit + 32] += ((low >>> (31 - bit)) & 1) * twice;
    }
  });
  return totals.map((total) => total - all);
}

/** The 8 bytes of a simhash: a bit is 1 where its counter is above 0. [7.3] */
export function bitsOf(counters) {
  const bytes = new Uint8Array(8);
  counters.forEach((counter, bit) => (bytes[bit >> 3] |= (counter > 0 ? 1 : 0) << (7 - (bit & 7))));
  return bytes;
}

/** Takes the hashes of tokens one after another, and makes fingerprints of them. */
class TokenHashes {
  constructor(schemes) {
    this.count = 0;
    this.features = new Counts();
    this.shingles = schemes.some((scheme) => scheme.id === "md1") ? new Shingles() : null;
  }

  push(high, low) {
    this.count++;
    this.features.add(high, low);
    this.shingles?.push(high, low);
  }

  bytes(id) {
    if (id === "md1") return sketchOf(this.shingles.finish()).bytes;
    if (id === "wd1") return sketchOf(weightedElements(this.features)).bytes;
    return bitsOf(countersOf(this.features, id === "sl1" ? logWeight : (count) => count));
  }

  finish(schemes) {
    return schemes.map((scheme) => (this.count === 0 ? null : new Fingerprint(scheme, this.bytes(scheme.id), this.count)));
  }
}

/** The fingerprints of tokens, every occurrence in order. [7.4] */
export function fingerprintsOfTokens(tokens, schemes) {
  const named = schemes.map(schemeOf);
  const hashes = new TokenHashes(named);
  for (const token of tokens) {
    const bytes = encoder.encode(token);
    const key = new Uint8Array(bytes.length + 12);
    key.set(bytes);
    lookup3(key, bytes.length);
    hashes.push(result.high, result.low);
  }
  return hashes.finish(named);
}

/**
 * The fingerprints of a text that comes in pieces: memory is bounded by the longest run without white space.
 *
 * The text is divided at white space of ASCII, where no stage of the standard looks across.
 */
export class Fingerprinter {
  constructor(...schemes) {
    this.schemes = (schemes.length === 0 ? ["sd1"] : schemes).map(schemeOf);
    for (const { id } of this.schemes) {
      if (!["sd1", "sl1", "md1", "wd1"].includes(id)) {
        throw new RangeError(`${id} is computed by customFingerprint() or seomozLegacy(), not from pieces`);
      }
    }
    this.hashes = new TokenHashes(this.schemes);
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.pending = "";
    /** Units at the start of `pending` that are known to have no white space. */
    this.searched = 0;
  }

  /** Takes a piece: a string, or bytes of UTF-8. A code point may be divided between two pieces of one kind. */
  update(piece) {
    this.pending += typeof piece === "string" ? piece : this.decoder.decode(piece, { stream: true });
    if (this.pending.length < PIECE) return this;
    let end = this.pending.length;
    while (end > this.searched && !WHITE_SPACE.test(this.pending[end - 1])) end--;
    if (end > this.searched) {
      this.read(this.pending.slice(0, end));
      this.pending = this.pending.slice(end);
    }
    this.searched = this.pending.length;
    return this;
  }

  read(text) {
    const done = cut(normalisedText(text));
    forEachToken(done, (start, end) => {
      hashToken(done, start, end);
      this.hashes.push(result.high, result.low);
    });
  }

  /** How many tokens were read. */
  get tokens() {
    return this.hashes.count;
  }

  /** A fingerprint for each scheme; null for each if the text has no tokens. [7.4] */
  finish() {
    this.pending += this.decoder.decode();
    this.read(this.pending);
    this.pending = "";
    return this.hashes.finish(this.schemes);
  }
}

/** The fingerprint of a text or of bytes of UTF-8 under a scheme of the family; null if it has no tokens. [7.4] */
export function fingerprint(text, scheme = "sd1") {
  return new Fingerprinter(scheme).update(text).finish()[0];
}

/** The tokens of a text or of bytes of UTF-8, in order. [6.1] to [6.7] */
export function tokens(text) {
  const done = cut(normalisedText(typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text)));
  const found = [];
  forEachToken(done, (start, end) => found.push(done.slice(start, end)));
  return found;
}
