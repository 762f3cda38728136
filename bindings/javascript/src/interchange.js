// Files with the fingerprints of a collection, read and written as streams, in both forms: section 15 of the standard.

import { Sha256 } from "./digests.js";
import { Fingerprint } from "./fingerprint.js";
import { Header, REPEATABLE, check, checkFields, idText, rowLine, rowOf, schemesOf } from "./interchange_rows.js";

export { InterchangeError } from "./interchange_rows.js";

const FIRST = "nearprint-interchange";
const VERSION = 1;
const LONGEST_LINE = 1048576;
const TRAILER = /^end\t(0|[1-9][0-9]{0,18})\t([0-9a-f]{64})$/;
const DIGEST = /^[0-9a-f]{64}$/;
/** Fingerprints of one document are near each other in these, even if extractors differ. [15.10] */
const ROBUST = new Set(["md1", "wd1"]);

const encoder = new TextEncoder();
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The form of lines. [15.2] to [15.7] */
class Lines {
  #fields = [];

  /** The header, if this line ends it. */
  header(text, line) {
    if (line === 1) {
      const version = /^nearprint-interchange\/([1-9][0-9]*)$/.exec(text)?.[1];
      check(version, "not-interchange", line);
      check(Number(version) === VERSION, "version", line);
      return undefined;
    }
    if (text === "") return new Header(this.#fields);
    const colon = text.indexOf(": ");
    check(colon >= 0, "header", line);
    this.#fields.push([text.slice(0, colon), text.slice(colon + 2)]);
    checkFields(this.#fields, line);
    return undefined;
  }

  /** The trailer's count and digest, null if it is malformed; undefined for other lines. */
  trailer(text) {
    if (text !== "end" && !text.startsWith("end\t")) return undefined;
    const found = TRAILER.exec(text);
    return found && { count: Number(found[1]), sha256: found[2] };
  }

  row(text, header, known) {
    const [string, mark, ...rest] = text.split("\t");
    if ((mark !== "0" && mark !== "1") || rest.length !== (header.hasIds ? 1 : 0)) return null;
    return rowOf(string, mark === "1", rest[0], known);
  }
}

/** The form of JSON lines. [15.8] */
class JsonLines {
  #object(text, line) {
    let value;
    try {
      value = JSON.parse(text, (name, part) => {
        if (/\p{Cs}/u.test(name) || (typeof part === "string" && /\p{Cs}/u.test(part))) throw new SyntaxError("half a pair of surrogates");
        return part;
      });
    } catch {
      value = null;
    }
    check(value !== null && typeof value === "object" && !Array.isArray(value), "encoding", line);
    return value;
  }

  header(text, line) {
    const { [FIRST]: version, ...names } = this.#object(text, line);
    check(Number.isInteger(version) && version > 0, "not-interchange", line);
    check(version === VERSION, "version", line);
    const fields = Object.entries(names).flatMap(([name, value]) => {
      const values = Array.isArray(value) && value.length > 0 ? value : [value];
      return values.map((one) => [name, one]);
    });
    checkFields(fields, line);
    return new Header(fields);
  }

  trailer(text, line) {
    const { end, ...rest } = this.#object(text, line);
    this.parsed = rest;
    if (end === undefined) return undefined;
    const isWhole = Number.isInteger(end?.count) && end.count >= 0;
    return isWhole && typeof end.sha256 === "string" && DIGEST.test(end.sha256) ? end : null;
  }

  row(text, header, known) {
    const { print, short, id } = this.parsed; // Of this line, which was not the trailer.
    if (typeof print !== "string" || typeof short !== "boolean" || (id !== undefined) !== header.hasIds) return null;
    return id === undefined || typeof id === "string" ? rowOf(print, short, id, known) : null;
  }
}

/** Reads a file that comes in pieces: its header, its rows, and at the end whether it was whole. */
export class InterchangeReader {
  #form;
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #left = [];
  #leftLength = 0;
  #line = 1;
  #known;
  #digest = new Sha256();
  #isDone = false;

  /** `form` is "lines" or "jsonl"; without it the first byte decides. */
  constructor({ form } = {}) {
    if (form !== undefined) this.#form = form === "jsonl" ? new JsonLines() : new Lines();
    /** The header, once it was read. */
    this.header = undefined;
    /** The scheme of all rows, once the header was read. */
    this.scheme = undefined;
    /** Rows read so far, and how many of them are short. */
    this.count = 0;
    this.shortCount = 0;
  }

  /** The rows that a piece completes. @throws InterchangeError */
  *update(piece) {
    const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
    this.#form ??= bytes[0] === 0x7b ? new JsonLines() : bytes.length > 0 ? new Lines() : undefined;
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(0x0a, start);
      const end = found < 0 ? bytes.length : found;
      this.#leftLength += end - start;
      check(this.#leftLength <= LONGEST_LINE, "line-length", this.#line);
      this.#left.push(bytes.slice(start, end));
      start = end + 1;
      if (found < 0) break;
      const row = this.#take(this.#joined());
      this.#line++;
      if (row) yield row;
    }
  }

  /** What the trailer says, which is true of the rows. @throws InterchangeError if the file is not whole */
  finish() {
    check(!this.#isDone || this.#leftLength === 0, "trailer", this.#line);
    check(this.#isDone, "truncated", this.#line);
    return { count: this.count, sha256: this.sha256 };
  }

  #joined() {
    const line = new Uint8Array(this.#leftLength);
    let at = 0;
    for (const part of this.#left) {
      line.set(part, at);
      at += part.length;
    }
    this.#left = [];
    this.#leftLength = 0;
    return line;
  }

  /** Takes a line; the row, if it is one. */
  #take(bytes) {
    const line = this.#line;
    let text;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      check(false, "encoding", line);
    }
    check(!/[\0-\x08\x0a-\x1f\x7f-\x9f]/.test(text), "encoding", line);
    check(!this.#isDone, "trailer", line);
    if (!this.header) {
      const header = this.#form.header(text, line);
      if (header) {
        ({ scheme: this.scheme, known: this.#known } = schemesOf(header, line));
        this.header = header;
      }
      return undefined;
    }
    const trailer = this.#form.trailer(text, line);
    if (trailer !== undefined) {
      check(trailer, "trailer", line);
      check(trailer.count === this.count, "count", line);
      this.sha256 = hexOf(this.#digest.digest());
      check(trailer.sha256 === this.sha256, "digest", line);
      this.#isDone = true;
      return undefined;
    }
    const row = this.#form.row(text, this.header, this.#known);
    check(row, "row", line);
    check(row.fingerprint.scheme === this.scheme, "foreign", line);
    this.count++;
    if (row.short) this.shortCount++;
    this.#digest.update(encoder.encode(`${rowLine(row)}\n`));
    return row;
  }
}

/** Writes a file: `start()`, `row(...)` for each document, `end()`, each of which returns text to write. */
export class InterchangeWriter {
  #header;
  #isJson;
  #scheme;
  #count = 0;
  #digest = new Sha256();

  /** `header` is an array of names and values, of which "Scheme" is needed. @throws InterchangeError */
  constructor(header, { form = "lines" } = {}) {
    checkFields(header, 1);
    this.#header = new Header(header);
    this.#isJson = form === "jsonl";
    this.#scheme = schemesOf(this.#header, 1).scheme;
  }

  start() {
    if (!this.#isJson) {
      const lines = this.#header.fields.map(([name, value]) => ended(`${name}: ${value}`, 1));
      return `${FIRST}/${VERSION}\n${lines.join("")}\n`;
    }
    const names = this.#header.fields.map(([name, value]) => [name, REPEATABLE.has(name) ? this.#header.values(name) : value]);
    return ended(JSON.stringify({ [FIRST]: VERSION, ...Object.fromEntries(names) }), 1);
  }

  /** `id` is a string or bytes; `short` is needed where the fingerprint does not know it. @throws InterchangeError */
  row({ fingerprint, short = fingerprint.short, id }) {
    this.#count++;
    const idBytes = typeof id === "string" ? encoder.encode(id) : id;
    const isRow = fingerprint instanceof Fingerprint && typeof short === "boolean" && idBytes?.length !== 0;
    check(isRow && (idBytes !== undefined) === this.#header.hasIds, "row", this.#count);
    check(fingerprint.scheme.id === this.#scheme.id, "foreign", this.#count);
    const line = rowLine({ fingerprint, short, idBytes });
    const row = { print: String(fingerprint), short, ...(idBytes && { id: idText(idBytes) }) };
    const text = ended(this.#isJson ? JSON.stringify(row) : line, this.#count);
    this.#digest.update(encoder.encode(`${line}\n`));
    return text;
  }

  end() {
    const sha256 = hexOf(this.#digest.digest());
    return this.#isJson ? `${JSON.stringify({ end: { count: this.#count, sha256 } })}\n` : `end\t${this.#count}\t${sha256}\n`;
  }
}

/** A line with its end. @throws InterchangeError if it has too many bytes [15.1] */
function ended(line, number) {
  // No code unit makes more than three bytes.
  const isShort = 3 * line.length <= LONGEST_LINE || encoder.encode(line).length <= LONGEST_LINE;
  check(isShort, "line-length", number);
  return `${line}\n`;
}

/**
 * What holds of two files, of which the readers have read the headers, before any of their fingerprints are compared. [15.10]
 *
 * `unlike` has the two schemes if they are different; `far`: fingerprints of one document can be farther apart than the
 * default k, as the files do not say that their texts are alike.
 */
export function interchangeRelation(one, other) {
  const both = [one.header, other.header];
  const [scheme, declaration, profile] = ["Scheme", "Declaration", "Extraction-Profile"].map((name) => both.map((header) => header.value(name)));
  const extractors = both.map((header) => header.values("Extractor").sort().join("\n"));
  const sameProfile = profile[0] !== undefined && profile[0] === profile[1];
  const sameExtractors = extractors[0] !== "" && extractors[0] === extractors[1];
  const isLike = scheme[0] === scheme[1] && declaration[0] === declaration[1];
  const far = !sameProfile && !sameExtractors && !ROBUST.has(scheme[0]);
  return { unlike: isLike ? null : scheme, sameProfile, sameExtractors, far };
}
