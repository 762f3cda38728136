// What this implementation answers to the cases of each file of vectors, for Node and for browsers.

import { cut } from "../src/cuts.js";
import { customFingerprint, documentFrequencies, seomozLegacy, stopList } from "../src/custom.js";
import { DeclarationError, declare, idOf, isCounted, partsOf } from "../src/declaration.js";
import { sha256 } from "../src/digests.js";
import { SchemeMismatchError, fromDecimal, fromHex, parse } from "../src/fingerprint.js";
import { Fingerprinter, bitsOf, countersOf, fingerprintsOfTokens } from "../src/fingerprinter.js";
import { HASHES } from "../src/hashes.js";
import { logarithm, readTable } from "../src/idf.js";
import { SCHEMES } from "../src/schemes.js";
import { Shingles, logWeight, sketchOf, weightedElements } from "../src/sketch.js";
import { forEachToken } from "../src/tokens.js";
import { assigned, normalised, repaired } from "../src/unicode.js";
import { Counts, lookup3, result } from "../src/words64.js";

const FAMILY = ["sd1", "sl1", "md1", "wd1"].map((id) => SCHEMES[id]);
const encoder = new TextEncoder();

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const hex32 = (number) => number.toString(16).padStart(8, "0");
const hex64 = (number) => number.toString(16).padStart(16, "0");

/** The SHA-256 of large texts, which a test may replace by a faster one. */
export const digests = { of: (text) => hexOf(sha256(encoder.encode(text))) };

function textOf(input) {
  if (input.bytes_hex !== undefined) return repaired(bytesOf(input.bytes_hex));
  return input.utf16 ? input.utf16.map((unit) => String.fromCharCode(unit)).join("") : input.text;
}

function tokensOf(text) {
  const tokens = [];
  forEachToken(text, (start, end) => tokens.push(text.slice(start, end)));
  return tokens;
}

function featuresOf(tokens) {
  const features = new Counts();
  for (const token of tokens) {
    const bytes = encoder.encode(token);
    const key = new Uint8Array(bytes.length + 12);
    key.set(bytes);
    lookup3(key, bytes.length);
    features.add(result.high, result.low);
  }
  return features;
}

const signsOf = (counters) => Array.from(counters, (counter) => (counter > 0 ? "+" : counter < 0 ? "-" : "0")).join("");

function described(found) {
  return { short: found?.short ?? null, value: found?.toHex() ?? null, string: found?.toString() ?? null };
}

function printOf(tokens, id, weight) {
  const [found] = fingerprintsOfTokens(tokens, [id]);
  return { count: tokens.length, signs: signsOf(countersOf(featuresOf(tokens), weight)), ...described(found) };
}

const once = (count) => count;

/** Every stage of sd1. */
function stages(input) {
  const text = textOf(input);
  const clean = assigned(text);
  const folded = normalised(clean);
  const done = cut(folded);
  const tokens = tokensOf(done);
  const repairedText = input.bytes_hex === undefined ? {} : { repaired: text };
  const direct = new Fingerprinter("sd1").update(input.bytes_hex === undefined ? text : bytesOf(input.bytes_hex)).finish()[0];
  const print = printOf(tokens, "sd1", once);
  if ((direct?.toString() ?? null) !== print.string) throw new Error("the stages and the fingerprinter differ");
  return { ...repairedText, assigned: clean, normalised: folded, cut: done, tokens, ...print };
}

/** The texts of rules, which two files of vectors have. */
const texts = new Map();

function textByRule(rule) {
  const name = JSON.stringify(rule);
  if (!texts.has(name)) texts.set(name, madeByRule(rule));
  return texts.get(name);
}

function madeByRule({ kind, before, after, seed, octets, pieces }) {
  const parts = [];
  if (kind === "every-code-point") {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code < 0xd800 || code > 0xdfff) parts.push(before, String.fromCodePoint(code), after);
    }
  } else {
    const sizes = pieces.map((piece) => encoder.encode(piece).length);
    let state = BigInt(seed);
    for (let size = 0; size < octets; ) {
      state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
      const piece = Number((state >> 33n) % BigInt(pieces.length));
      parts.push(pieces[piece]);
      size += sizes[piece];
    }
  }
  return parts.join("");
}

function large({ rule }) {
  const text = textByRule(rule);
  const { assigned, normalised, cut, tokens, ...print } = stages({ text });
  const tokenLines = tokens.map((token) => `${token}\n`).join("");
  const [text_sha256, assigned_sha256, normalised_sha256, cut_sha256, tokens_sha256] = [
    text,
    assigned,
    normalised,
    cut,
    tokenLines,
  ].map(digests.of);
  const stageDigests = { text_sha256, assigned_sha256, normalised_sha256, cut_sha256, tokens_sha256 };
  return { octets: encoder.encode(text).length, ...stageDigests, ...print };
}

function family(tokens) {
  const prints = fingerprintsOfTokens(tokens, FAMILY);
  const shingles = new Shingles();
  const features = new Counts();
  for (const token of tokens) {
    featuresOf([token]).forEach((high, low) => {
      shingles.push(high, low);
      features.add(high, low);
    });
  }
  return {
    count: tokens.length,
    short: prints[0]?.short ?? null,
    elements: { md1: shingles.finish().size, wd1: weightedElements(features).size },
    strings: Object.fromEntries(FAMILY.map(({ id }, at) => [id, prints[at]?.toString() ?? null])),
  };
}

function familyOfText(text) {
  const direct = new Fingerprinter(...FAMILY).update(text).finish().map((print) => print?.toString() ?? null);
  const found = family(tokensOf(cut(normalised(assigned(text)))));
  if (direct.join() !== Object.values(found.strings).join()) throw new Error("the stages and the fingerprinter differ");
  return found;
}

function reading(input, schemes) {
  try {
    const found = parse(input.bytes_hex === undefined ? input.string : bytesOf(input.bytes_hex), schemes);
    return { scheme: found.scheme.id, value: found.toHex(), reason: null, position: null };
  } catch (error) {
    return { scheme: null, value: null, reason: error.reason, position: error.position ?? null };
  }
}

function comparison(one, other) {
  const similarity = one.similarity(other);
  return { distance: one.distance(other), similarity, match: one.match(other) ?? "none", within_default: one.isWithin(other) };
}

function elementsOf(elements) {
  const found = [];
  elements.forEach((high, low) => found.push(hex32(high) + hex32(low)));
  return found.sort();
}

function elements({ scheme, tokens }) {
  if (scheme === "wd1") return { elements: elementsOf(weightedElements(featuresOf(tokens))) };
  const shingles = new Shingles();
  for (const token of tokens) featuresOf([token]).forEach((high, low) => shingles.push(high, low));
  return { elements: elementsOf(shingles.finish()) };
}

function sketches({ elements, rule }) {
  const numbers = rule
    ? Array.from({ length: rule.count }, (_, i) => (BigInt(`0x${rule.first}`) + BigInt(i) * BigInt(`0x${rule.step}`)) & 0xffffffffffffffffn)
    : elements.map((digits) => BigInt(`0x${digits}`));
  const set = new Counts();
  for (const number of numbers) set.add(Number(number >> 32n), Number(number & 0xffffffffn));
  const { bytes, rounds } = sketchOf(set);
  return { rounds, value: hexOf(bytes) };
}

function logs({ counted }) {
  const tokens = counted.flatMap(([token, times]) => new Array(times).fill(token));
  const features = [];
  featuresOf(tokens).forEach((high, low, times) => features.push([hex32(high) + hex32(low), times, logWeight(times)]));
  features.sort(([one], [other]) => (one < other ? -1 : 1));
  const [found] = fingerprintsOfTokens(tokens, ["sl1"]);
  return { features, ...printOf(tokens, "sl1", logWeight), decimal: found?.toDecimal() ?? null };
}

function exchange({ scheme, form, digits }) {
  try {
    return { string: (form === "hex" ? fromHex : fromDecimal)(scheme, digits).toString() };
  } catch {
    return { string: null };
  }
}

function hashing({ function: name, feature, bytes_hex }) {
  return { hash: hex64(HASHES[name](bytes_hex === undefined ? encoder.encode(feature) : bytesOf(bytes_hex))) };
}

/** The print of a custom scheme. */
function custom({ declaration, text, table_hex }, list) {
  const found = customFingerprint(text, declare(declaration, { table: table_hex && bytesOf(table_hex), list }));
  return { count: found?.tokens ?? 0, ...described(found) };
}

/** A part of custom schemes: a hash, or a declaration that may be refused, with its id. */
function part(input, list) {
  if (input.function) return hashing(input);
  if (!partsOf(input.declaration)) return { id: null, count: 0, ...described(null) };
  return { id: idOf(input.declaration), ...custom(input, list) };
}

function stopLists({ declaration, list, text }) {
  const made = stopList(declaration, list);
  if (!made) return { digest: null, id: null, count: 0, ...described(null) };
  const [before, ...least] = declaration.split(/(?=,min=)/);
  return { digest: made.digest, ...part({ declaration: [before, `,stop=${made.digest}`, ...least].join(""), text }, made) };
}

function tables({ declaration, least, texts, features }) {
  const scheme = declare(declaration);
  const bytes = documentFrequencies(scheme, least, texts);
  const table = readTable(bytes, isCounted);
  const weights = features.map((feature) => Number(table.weight(scheme.parts.hash(encoder.encode(feature)))));
  return { table_hex: hexOf(bytes), digest: table.name, documents: table.documents, weights };
}

function tableReading({ table_hex, declaration }) {
  const table = bytesOf(table_hex);
  const counted = readTable(table, isCounted)?.counted ?? null;
  try {
    const scheme = declare(declaration, { table });
    return { counted, id: scheme.parts.idf ? scheme.id : null };
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    return { counted, id: null };
  }
}

/** The answer to each file of vectors, by its name. */
export const ANSWERS = {
  repair: (input) => {
    const text = textOf(input);
    return { ...(input.bytes_hex === undefined ? {} : { repaired: text }), assigned: assigned(text) };
  },
  normalise: ({ text }) => ({ normalised: normalised(text) }),
  cuts: ({ text }) => ({ cut: cut(text) }),
  tokens: ({ text }) => ({ tokens: tokensOf(text) }),
  hashes: ({ token, bytes_hex }) => {
    const hash = hex64(HASHES.lookup3(bytes_hex === undefined ? encoder.encode(token) : bytesOf(bytes_hex)));
    return { hash, c: hash.slice(0, 8), b: hash.slice(8) };
  },
  prints: ({ tokens }) => {
    const [found] = fingerprintsOfTokens(tokens, ["sd1"]);
    return { ...printOf(tokens, "sd1", once), decimal: found?.toDecimal() ?? null };
  },
  strings: (input) => {
    const { scheme: _, ...found } = reading(input, [SCHEMES.sd1]);
    return found;
  },
  distances: ({ one, other }) => comparison(fromHex("sd1", one), fromHex("sd1", other)),
  documents: stages,
  large,
  logs,
  elements,
  sketches,
  family_strings: (input) => reading(input, FAMILY),
  exchange,
  comparisons: ({ one, other }) => {
    try {
      return { ...comparison(parse(one), parse(other)), unlike: null };
    } catch (error) {
      if (!(error instanceof SchemeMismatchError)) throw error;
      return { distance: null, similarity: null, match: null, within_default: null, unlike: error.schemes };
    }
  },
  family_documents: (input) => familyOfText(textOf(input)),
  family_large: ({ rule }) => familyOfText(textByRule(rule)),
  feature_hashes: hashing,
  declarations: ({ declaration }) => ({ id: partsOf(declaration) ? idOf(declaration) : null }),
  custom_documents: (input) => custom(input),
  logarithms: ({ number }) => ({ logarithm: Number(logarithm(number)) }),
  idf_tables: tables,
  idf_readings: tableReading,
  idf_documents: (input) => custom(input),
  custom_hashes: (input) => part(input),
  custom_ties: (input) => part(input),
  custom_whitespace: (input) => part(input),
  custom_stop_lists: stopLists,
  custom_cuts: (input) => part(input),
  normal_forms: ({ text }) => ({ normalised: normalised(text) }),
  custom_lists: stopLists,
  custom_scans: (input) => part(input),
  custom_comparisons: ({ declaration, one, other }) => {
    const scheme = declare(declaration);
    const [first, second] = [fromHex(scheme, one), fromHex(scheme, other)];
    const decimal = scheme.parts.bits === 64 ? first.toDecimal() : null;
    return { strings: [first.toString(), second.toString()], decimal, ...comparison(first, second) };
  },
  seomoz_legacy: ({ text }) => {
    const found = seomozLegacy(text);
    return { count: found?.tokens ?? 0, ...described(found) };
  },
};
