// Fingerprints of custom schemes, and of seomoz-legacy: sections 13 and 14 of the standard. For experiments, so exactness
// comes before speed: features are hashed as BigInt.

import { cut } from "./cuts.js";
import { countedBy, declare, nameOf, partsOf } from "./declaration.js";
import { Fingerprint } from "./fingerprint.js";
import { HASHES, mixed } from "./hashes.js";
import { tableBytes } from "./idf.js";
import { SCHEMES } from "./schemes.js";
import { forEachToken } from "./tokens.js";
import { CONNECTOR, DIGIT, classOf, normalisedText, repaired } from "./unicode.js";

export { declare };

const MASK = (1n << 64n) - 1n;
const SECOND_HALF = 0x9e3779b97f4a7c15n;
const LONGEST_RUN = 128;
const encoder = new TextEncoder();

/** White space of [13.3]. */
const WHITE_SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const WORD_BEFORE = "(?<![a-z0-9])";
const WORD_AFTER = "(?![a-z0-9])";
const PART_BEFORE = "(?<![a-z0-9./_@~-])";
/** The patterns of [13.14], in their order. */
const IDENTIFIERS = new RegExp(
  [
    `${WORD_BEFORE}(?:ark:/?|hdl:)[a-z0-9.-]{1,64}/[!-~]*`,
    `${WORD_BEFORE}swh:[0-9]{1,3}:[!-~]*`,
    `${PART_BEFORE}(?:[a-z0-9-]{1,63}\\.){1,8}[a-z]{2,63}(?::[0-9]{1,5})?/[!-~]*`,
    `${PART_BEFORE}(?:/[a-z0-9._+~@%=-]{1,255}|~|\\.{1,2})/\\.{0,2}[a-z0-9_/][!-~]*`,
    `${WORD_BEFORE}[a-z]:[/\\\\][a-z0-9_][!-~]*`,
    `${WORD_BEFORE}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${WORD_AFTER}`,
    `${WORD_BEFORE}[0-9a-f]{32,128}${WORD_AFTER}`,
    `${WORD_BEFORE}(?:[0-9]{4}-){3}[0-9]{3}[0-9x]${WORD_AFTER}`,
    `${WORD_BEFORE}pmc[0-9]{3,10}${WORD_AFTER}`,
  ].join("|"),
  "g",
);

const points = (text) => Array.from(text);

/** A token without its digits, and without connectors at the ends of what is left. [13.15] */
function withoutDigits(token) {
  const left = points(token).filter((character) => classOf(character.codePointAt(0)) !== DIGIT);
  const isConnector = (character) => classOf(character.codePointAt(0)) === CONNECTOR;
  while (left.length > 0 && isConnector(left[0])) left.shift();
  while (left.length > 0 && isConnector(left.at(-1))) left.pop();
  return left.join("");
}

/** The tokens of a text before any is ignored. [13.3] */
function tokensOf(text, parts) {
  const normalised = normalisedText(text);
  let found = [];
  if (parts.isWhitespace) {
    found = normalised.split(WHITE_SPACE).filter((run) => run !== "" && points(run).length <= LONGEST_RUN);
  } else {
    const once = cut(normalised);
    const done = parts.cutsIdentifiers ? once.replace(IDENTIFIERS, " ") : once;
    forEachToken(done, (start, end) => found.push(done.slice(start, end)));
  }
  return parts.keepsDigits ? found : found.map(withoutDigits).filter((token) => token !== "");
}

/** The tokens of a text that are not ignored. [13.3] */
function keptTokens(text, { parts, words }) {
  return tokensOf(text, parts).filter((token) => points(token).length >= parts.least && !words.has(token));
}

/** Every occurrence of each feature, as bytes. [13.4] */
function* featuresOf(tokens, { features, length }) {
  const parts = features === "chars" ? points(tokens.join(" ")) : tokens;
  const joint = features === "chars" ? "" : " ";
  for (let start = 0; start < Math.max(1, parts.length - length + 1); start++) {
    yield encoder.encode(parts.slice(start, start + length).join(joint));
  }
}

const WEIGHTS = {
  binary: () => 1n,
  tf: (times) => BigInt(times),
  log: (times) => BigInt(times.toString(2).length),
};

/** A feature's hash as so many bits. [13.6] */
function widened(hash, bits) {
  if (bits === 32) return hash >> 32n;
  return bits === 64 ? hash : (hash << 64n) | mixed((hash + SECOND_HALF) & MASK);
}

/** The fingerprint of a text, or of bytes of UTF-8, under a custom scheme; null if no token takes part. [13.7] */
export function customFingerprint(text, scheme) {
  const { parts, idf } = scheme;
  const tokens = keptTokens(typeof text === "string" ? text : repaired(text), scheme);
  if (tokens.length === 0) return null;
  const frequencies = new Map();
  for (const feature of featuresOf(tokens, parts)) {
    const hash = parts.hash(feature);
    frequencies.set(hash, (frequencies.get(hash) ?? 0) + 1);
  }
  const totals = new Array(parts.bits).fill(0n);
  for (const [hash, times] of frequencies) {
    const weight = WEIGHTS[parts.weight](times) * idf(hash);
    const pattern = widened(hash, parts.bits);
    totals.forEach((_, bit) => (totals[bit] += (pattern >> BigInt(parts.bits - 1 - bit)) & 1n ? weight : -weight));
  }
  const bytes = new Uint8Array(parts.bits / 8);
  totals.forEach((total, bit) => (bytes[bit >> 3] |= (total > 0n || (parts.tie && total === 0n) ? 1 : 0) << (7 - (bit & 7))));
  return new Fingerprint(scheme, bytes, tokens.length);
}

/** A stop list of a user from its text, for the tokens of a declaration; null if it has no words. [13.13] */
export function stopList(declaration, text) {
  const parts = partsOf(declaration);
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  const words = [...new Set(tokensOf(lines.join("\n"), parts))].map((word) => [word, encoder.encode(word)]);
  if (words.length === 0) return null;
  words.sort(([, one], [, other]) => {
    const at = one.findIndex((byte, place) => byte !== other[place]);
    return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
  });
  const list = encoder.encode(words.map(([word]) => `${word}\n`).join(""));
  return Object.freeze({ digest: nameOf(list), words: new Set(words.map(([word]) => word)) });
}

/** The bytes of the table of a collection, for the features of a scheme that at least `least` documents have. [13.9] */
export function documentFrequencies(scheme, least, texts) {
  let documents = 0;
  const counts = new Map();
  for (const text of texts) {
    const tokens = keptTokens(text, scheme);
    if (tokens.length === 0) continue;
    documents++;
    const hashes = new Set([...featuresOf(tokens, scheme.parts)].map((feature) => scheme.parts.hash(feature)));
    for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return tableBytes(countedBy(scheme.declaration), documents, least, counts);
}

const rotated = (value, count) => ((value << count) | (value >> (64n - count))) & MASK;

/** The fingerprint of a text under seomoz-legacy; null if it has no letter. [14.1] to [14.3] */
export function seomozLegacy(text) {
  const runs = text.match(/[A-Za-z]+/g);
  if (!runs) return null;
  const ones = new Array(64).fill(0);
  let [first, second] = [0n, 0n];
  for (const run of runs) {
    const third = HASHES.lookup3(encoder.encode(run));
    const window = rotated(first, 2n) ^ rotated(second, 1n) ^ third;
    ones.forEach((_, bit) => (ones[bit] += Number((window >> BigInt(bit)) & 1n)));
    [first, second] = [second, third];
  }
  const bytes = new Uint8Array(8);
  ones.forEach((count, bit) => (bytes[bit >> 3] |= (2 * count > runs.length ? 1 : 0) << (7 - (bit & 7))));
  return new Fingerprint(SCHEMES["seomoz-legacy"], bytes, runs.length);
}
