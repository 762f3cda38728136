// A fingerprint as a value: its string and its other forms, how they are read, and how two are compared. Clauses [1.1], [7.6]
// to [7.10], [11.8] to [11.10] and [13.8] of the standard.

import { base32, base32Length, fromBase32 } from "./base32.js";
import { SCHEMES, schemeOf } from "./schemes.js";
import { repaired } from "./unicode.js";

/** Tokens below which a fingerprint is marked short. [7.5] */
const SHORT_BELOW = 50;

/** A string that is not a fingerprint. `reason` is one of [7.7]; `position` is set where the reason is `alphabet`. */
export class ParseError extends Error {
  constructor(reason, message, position) {
    super(message);
    this.name = "ParseError";
    this.reason = reason;
    this.position = position;
  }
}

/** Two fingerprints of different schemes, which cannot be compared. [1.1] */
export class SchemeMismatchError extends TypeError {
  constructor(one, other) {
    super(`fingerprints of ${one} and ${other} cannot be compared`);
    this.name = "SchemeMismatchError";
    this.schemes = [one, other];
  }
}

export class Fingerprint {
  /** `tokens` is how many the text has, undefined where it is not known. */
  constructor(scheme, bytes, tokens) {
    this.scheme = schemeOf(scheme);
    if (bytes.length !== this.scheme.bytes) {
      throw new RangeError(`a fingerprint of ${this.scheme.id} has ${this.scheme.bytes} bytes, not ${bytes.length}`);
    }
    this.bytes = bytes;
    this.tokens = tokens;
    Object.freeze(this);
  }

  /** Whether few tokens decide the bits; undefined where it is not known, as of a string. [7.5] */
  get short() {
    return this.tokens === undefined ? undefined : this.tokens < SHORT_BELOW;
  }

  /** The string of [7.6]. */
  toString() {
    return `${this.scheme.id}:${base32(this.bytes)}`;
  }

  toJSON() {
    return this.toString();
  }

  /** Two hexadecimal digits for each byte. [7.8] [11.8] */
  toHex() {
    return Array.from(this.bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** The decimal form, which only 64 bits have. [7.8] */
  toDecimal() {
    if (this.bytes.length !== 8) throw new TypeError(`${this.scheme.id} has no decimal form: only 64 bits have one`);
    return BigInt(`0x${this.toHex()}`).toString();
  }

  /** The number of positions in which two fingerprints differ. [7.9] [11.9] */
  distance(other) {
    if (other.scheme.id !== this.scheme.id) throw new SchemeMismatchError(this.scheme.id, other.scheme.id);
    const [one, two] = [this.bytes, other.bytes];
    let distance = 0;
    if (this.scheme.positions === one.length * 8) {
      for (let at = 0; at < one.length; at++) {
        for (let bits = one[at] ^ two[at]; bits !== 0; bits &= bits - 1) distance++;
      }
    } else {
      for (let at = 0; at < one.length; at += 2) {
        if (one[at] !== two[at] || one[at + 1] !== two[at + 1]) distance++;
      }
    }
    return distance;
  }

  /** 1 - distance / positions. [7.9] [11.9] */
  similarity(other) {
    return 1 - this.distance(other) / this.scheme.positions;
  }

  /** "close", "loose", or null for no match. A match is a candidate: the texts decide. [7.10] [11.10] */
  match(other) {
    const distance = this.distance(other);
    return distance <= this.scheme.close ? "close" : distance <= this.scheme.loose ? "loose" : null;
  }

  /** Whether the distance is at most k, by default the scheme's. [7.10] */
  isWithin(other, k = this.scheme.within) {
    return this.distance(other) <= k;
  }
}

function lowerCase(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The fingerprint of a string, or of its bytes, of one of these schemes. [7.7] */
export function parse(input, schemes = Object.values(SCHEMES)) {
  const text = typeof input === "string" ? input : repaired(input);
  const colon = text.indexOf(":");
  const refuse = (reason, what, position) => {
    throw new ParseError(reason, `not a fingerprint: ${what}`, position);
  };
  if (colon < 0) refuse("no-scheme", "there is no colon after a scheme id");
  const id = lowerCase(text.slice(0, colon));
  const scheme = schemes.find((scheme) => scheme.id === id);
  if (!scheme) refuse("unknown-scheme", `the scheme ${text.slice(0, Math.min(colon, 40))} is not known`);
  const digits = text.slice(colon + 1);
  const wrong = digits.search(/[^a-zA-Z2-7]/);
  if (wrong >= 0) refuse("alphabet", `character ${colon + 1 + wrong} is not a letter or a digit from 2 to 7`, colon + 1 + wrong);
  const length = base32Length(scheme.bytes);
  if (digits.length !== length) refuse("length", `${scheme.id} has ${length} characters, not ${digits.length}`);
  const bytes = fromBase32(lowerCase(digits), scheme.bytes);
  if (!bytes) refuse("trailing-bits", "the unused bits of the last character are not 0");
  return new Fingerprint(scheme, bytes);
}

/** The fingerprint of hexadecimal digits, two for each byte. [7.8] [11.8] */
export function fromHex(scheme, digits) {
  const { id, bytes } = schemeOf(scheme);
  if (!/^[0-9a-fA-F]*$/.test(digits) || digits.length !== 2 * bytes) {
    throw new ParseError("form", `a fingerprint of ${id} has ${2 * bytes} hexadecimal digits`);
  }
  return new Fingerprint(scheme, Uint8Array.from({ length: bytes }, (_, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16)));
}

/** The fingerprint of a decimal number without leading zeros, of a scheme of 64 bits. [7.8] */
export function fromDecimal(scheme, digits) {
  const { id, bytes } = schemeOf(scheme);
  const isNumber = bytes === 8 && /^(?:0|[1-9][0-9]{0,19})$/.test(digits);
  if (!isNumber || BigInt(digits) > 0xffffffffffffffffn) {
    throw new ParseError("form", `not a decimal form of ${id}: a number up to 2^64 - 1, which only 64 bits have`);
  }
  return fromHex(scheme, BigInt(digits).toString(16).padStart(16, "0"));
}
