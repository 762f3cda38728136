// What both forms of a file have in common: names and values, ids, rows. Clauses [15.3] to [15.6] of the standard.

import { comparedScheme } from "./declaration.js";
import { ParseError, parse } from "./fingerprint.js";
import { SCHEMES } from "./schemes.js";
import { repaired } from "./unicode.js";

const MOST_NAMES = 1000;
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const VALUE = /^[^\0- \x7f-\x9f\p{Cs}](?:[^\0-\x1f\x7f-\x9f\p{Cs}]*[^\0- \x7f-\x9f\p{Cs}])?$/u;
/** Names that can occur several times. */
export const REPEATABLE = new Set(["Extractor"]);

/** Why a file is refused, and at which line. [15.9] */
export class InterchangeError extends Error {
  constructor(reason, line) {
    super(`line ${line} of the file of fingerprints: ${reason}`);
    this.name = "InterchangeError";
    this.reason = reason;
    this.line = line;
  }
}

/** Throws unless something holds. */
export function check(holds, reason, line) {
  if (!holds) throw new InterchangeError(reason, line);
}

/** The names and values of a header, in order. */
export class Header {
  constructor(fields) {
    this.fields = fields;
  }

  /** All values of a name. */
  values(name) {
    return this.fields.filter(([here]) => here === name).map(([, value]) => value);
  }

  /** The first value of a name; undefined if there is none. */
  value(name) {
    return this.values(name)[0];
  }

  get hasIds() {
    return this.value("Ids") === undefined;
  }
}

/** Throws unless names and values are as they must be. [15.3] [15.4] */
export function checkFields(fields, line) {
  const once = fields.map(([name]) => name).filter((name) => !REPEATABLE.has(name));
  check(fields.length <= MOST_NAMES && new Set(once).size === once.length, "header", line);
  for (const [name, value] of fields) {
    check(NAME.test(name) && typeof value === "string" && VALUE.test(value), "header", line);
    check(name !== "Ids" || value === "none", "header", line);
  }
  check(!fields.some(([name]) => name.startsWith("Critical-")), "critical", line);
}

/** The scheme of a file, and all schemes that its rows can name. [15.3] */
export function schemesOf(header, line) {
  const id = header.value("Scheme");
  const declaration = header.value("Declaration");
  const known = Object.values(SCHEMES);
  if (declaration === undefined) {
    check(id !== undefined && Object.hasOwn(SCHEMES, id), "scheme", line);
    return { scheme: SCHEMES[id], known };
  }
  const scheme = comparedScheme(declaration);
  check(scheme && scheme.id === id, "scheme", line);
  return { scheme, known: [...known, scheme] };
}

/** How many bytes of valid UTF-8 begin at a place; 0 if none do. */
function validLength(bytes, at) {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (bytes[at + 1] < low || bytes[at + 1] > high) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (bytes[next] < 0x80 || bytes[next] > 0xbf) return 0;
  }
  return length;
}

const escaped = (bytes) => Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
const encoder = new TextEncoder();

/** The form of an id, of its bytes. [15.6] */
export function idText(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = validLength(bytes, at);
    const piece = bytes.subarray(at, at + Math.max(length, 1));
    const character = length === 0 ? "" : repaired(piece);
    text += length === 0 || /[%\0-\x1f\x7f-\x9f]/.test(character) ? escaped(piece) : character;
    at += piece.length;
  }
  return text;
}

/** The bytes of an id, of its form; null if it is not one. [15.6] */
export function idBytes(text) {
  if (text === "" || /%(?![0-9A-F]{2})|\p{Cs}/u.test(text)) return null;
  const bytes = [];
  for (const part of text.split(/(%..)/)) {
    if (part.startsWith("%")) bytes.push(parseInt(part.slice(1), 16));
    else for (const byte of encoder.encode(part)) bytes.push(byte);
  }
  const found = Uint8Array.from(bytes);
  return idText(found) === text ? found : null;
}

/** A row of its parts; null if they are not as they must be. `id` is the form of [15.6], undefined where there is none. */
export function rowOf(string, short, id, known) {
  if (string !== string.toLowerCase()) return null;
  const bytes = id === undefined ? undefined : idBytes(id);
  if (bytes === null) return null;
  try {
    return { fingerprint: parse(string, known), short, id: bytes && repaired(bytes), idBytes: bytes };
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** A row in the form of lines, without its end. [15.5] */
export function rowLine({ fingerprint, short, idBytes: bytes }) {
  return `${fingerprint}\t${short ? 1 : 0}${bytes === undefined ? "" : `\t${idText(bytes)}`}`;
}
