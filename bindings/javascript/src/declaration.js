// Declarations of custom schemes, and their ids: clauses [13.1], [13.2] and [13.8].

import { base32 } from "./base32.js";
import { sha256 } from "./digests.js";
import { HASHES } from "./hashes.js";
import { simhashScheme } from "./schemes.js";
import { readTable } from "./idf.js";
import { STOP_LISTS } from "./tables.js";

const DIGEST = "[a-z2-7]{25}[aeimquy4]";
const DECLARATION = new RegExp(
  "^custom:(?:words|shingles-(?<shingles>[2-8])|chars-(?<chars>[1-9]|1[0-6])),(?<weight>binary|tf|log)," +
    "(?<hash>lookup3|fnv1a|murmur3|xxh3|md5-64|sha1-64|(?:fnv1a|murmur3)-32(?=,32)),(?<bits>32|64|128)(?<tie>,tie=1)?" +
    "(?:(?<whitespace>,tokens=whitespace)|(?<cut>,cut=identifiers))?(?<digits>,digits=none)?" +
    `(?:,stop=(?<stop>de|en|es|fr|${DIGEST}))?(?:,min=(?<least>[2-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?` +
    `(?:,idf=(?<idf>${DIGEST}))?$`,
);
/** Close and loose distances and the default k, by bits. [13.8] */
const DISTANCES = { 32: [0, 3, 1], 64: [1, 6, 3], 128: [2, 12, 6] };

const encoder = new TextEncoder();

/** A declaration that is refused, or that names a table or a list which is not there. */
export class DeclarationError extends RangeError {
  constructor(declaration, why) {
    super(`${declaration}: ${why}`);
    this.name = "DeclarationError";
  }
}

/** What a declaration says; null if it is refused. [13.1] */
export function partsOf(declaration) {
  const parts = DECLARATION.exec(declaration)?.groups;
  if (!parts) return null;
  return {
    features: parts.shingles ? "shingles" : parts.chars ? "chars" : "words",
    length: Number(parts.shingles ?? parts.chars ?? 1),
    weight: parts.weight,
    hash: HASHES[parts.hash],
    bits: Number(parts.bits),
    tie: parts.tie !== undefined,
    isWhitespace: parts.whitespace !== undefined,
    cutsIdentifiers: parts.cut !== undefined,
    keepsDigits: parts.digits === undefined,
    stop: parts.stop,
    least: Number(parts.least ?? 1),
    idf: parts.idf,
  };
}

/** The name of bytes by their SHA-256: its first 16 bytes in base32. [13.10] */
export function nameOf(bytes) {
  return base32(sha256(bytes).subarray(0, 16));
}

/** The id of a declaration. [13.2] */
export function idOf(declaration) {
  const hash = HASHES.lookup3(encoder.encode(declaration)).toString(16).padStart(16, "0");
  return `custom-${base32(Uint8Array.from(hash.match(/../g), (digits) => parseInt(digits, 16)))}`;
}

/** The scheme of a declaration for reading and comparing, which need neither table nor list; null if it is refused. [13.8] */
export function comparedScheme(declaration) {
  const parts = partsOf(declaration);
  return parts && simhashScheme(idOf(declaration), parts.bits, DISTANCES[parts.bits]);
}

/** What a declaration counts: the name that a table has inside. [13.10] */
export function countedBy(declaration) {
  const parts = declaration.slice("custom:".length).split(",");
  const others = parts.slice(4).filter((part) => !/^(?:idf|tie)=/.test(part));
  return [parts[0], parts[2], ...others].join(",");
}

/** Whether a name inside a table is that of a declaration's parts. [13.10] */
export function isCounted(name) {
  const [features, hash, ...others] = name.split(",");
  const declaration = `custom:${[features, "tf", hash, "32", ...others].join(",")}`;
  const parts = partsOf(declaration);
  return parts !== null && parts.idf === undefined && !parts.tie;
}

/**
 * A custom scheme. `table` is the bytes of the table that `idf=` names, `list` the list that `stop=` names.
 *
 * @throws DeclarationError
 */
export function declare(declaration, { table, list } = {}) {
  const parts = partsOf(declaration);
  if (!parts) throw new DeclarationError(declaration, "not a declaration by clause [13.1] of the standard");
  let idf = () => 1n;
  if (parts.idf) {
    if (!table) throw new DeclarationError(declaration, "pass the bytes of the table that idf= names as `table`");
    const read = readTable(table, isCounted);
    if (!read) throw new DeclarationError(declaration, "the bytes of the table are refused by clause [13.10]");
    if (read.name !== parts.idf) throw new DeclarationError(declaration, `the table is ${read.name}`);
    if (read.counted !== countedBy(declaration)) throw new DeclarationError(declaration, `the table counts ${read.counted}`);
    idf = read.weight;
  }
  let words = new Set();
  if (parts.stop?.length === 2) words = new Set(STOP_LISTS[parts.stop].split(" "));
  else if (parts.stop) {
    if (list?.digest !== parts.stop) throw new DeclarationError(declaration, "pass the list that stop= names as `list`");
    words = list.words;
  }
  return Object.freeze({ ...comparedScheme(declaration), declaration, parts, words, idf });
}
