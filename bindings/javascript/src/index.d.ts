/** A scheme of the standard: what tells its fingerprints apart. */
export interface Scheme {
  readonly id: string;
  /** Bytes of a fingerprint. */
  readonly bytes: number;
  /** The greatest distance: bits of a simhash, numbers of a sketch. */
  readonly positions: number;
  /** The greatest distance of a close match. */
  readonly close: number;
  /** The greatest distance of a loose match. */
  readonly loose: number;
  /** The default k of lookups. */
  readonly within: number;
}

/** A scheme made by `declare`. */
export interface CustomScheme extends Scheme {
  readonly declaration: string;
}

export type SchemeId = "sd1" | "sl1" | "md1" | "wd1";

/** Which of the standard's reasons a string is refused for; `form` is for hexadecimal and decimal digits. */
export type RefusalReason = "no-scheme" | "unknown-scheme" | "alphabet" | "length" | "trailing-bits" | "form";

export declare const SCHEMES: Readonly<Record<SchemeId | "seomoz-legacy", Scheme>>;

export declare class Fingerprint {
  /** @throws RangeError if the scheme is not known or has another number of bytes */
  constructor(scheme: string | Scheme, bytes: Uint8Array, tokens?: number);
  readonly scheme: Scheme;
  readonly bytes: Uint8Array;
  /** Tokens of the text; undefined where it is not known, as of a string. */
  readonly tokens: number | undefined;
  /** Whether the text has fewer than 50 tokens; undefined where it is not known. */
  readonly short: boolean | undefined;
  /** The scheme id, a colon, and base32. */
  toString(): string;
  toJSON(): string;
  /** Two lower-case hexadecimal digits for each byte. */
  toHex(): string;
  /** @throws TypeError if the fingerprint does not have 64 bits */
  toDecimal(): string;
  /** Positions in which two fingerprints differ, from 0 to `scheme.positions`. @throws SchemeMismatchError */
  distance(other: Fingerprint): number;
  /** 1 - distance / positions, from 0 to 1. @throws SchemeMismatchError */
  similarity(other: Fingerprint): number;
  /** Null for no match. A match is a candidate: only the texts can confirm it. @throws SchemeMismatchError */
  match(other: Fingerprint): "close" | "loose" | null;
  /** Whether the distance is at most k, by default `scheme.within`. @throws SchemeMismatchError */
  isWithin(other: Fingerprint, k?: number): boolean;
}

/** A string that is not a fingerprint. */
export declare class ParseError extends Error {
  readonly reason: RefusalReason;
  /** The offset of the first wrong character; only for the reason `alphabet`. */
  readonly position: number | undefined;
}

/** Two fingerprints of different schemes, which cannot be compared. */
export declare class SchemeMismatchError extends TypeError {
  readonly schemes: readonly [string, string];
}

/** A declaration that is refused, or that names a table or a list which was not passed. */
export declare class DeclarationError extends RangeError {}

/** The fingerprint of a text or of bytes of UTF-8; null if it has no tokens. Time is linear in the length. */
export declare function fingerprint(text: string | Uint8Array, scheme?: SchemeId | Scheme): Fingerprint | null;

/** The tokens of a text or of bytes of UTF-8, in order. */
export declare function tokens(text: string | Uint8Array): string[];

/** The fingerprints of a text that comes in pieces; memory is bounded by the longest run without white space. */
export declare class Fingerprinter {
  /** Without schemes: sd1. */
  constructor(...schemes: (SchemeId | Scheme)[]);
  /** Takes a piece: a string, or bytes of UTF-8. Use one kind for all pieces of a text. */
  update(piece: string | Uint8Array): this;
  /** Tokens read so far. */
  readonly tokens: number;
  /** A fingerprint for each scheme, in order; null for each if the text has no tokens. */
  finish(): (Fingerprint | null)[];
}

/** The fingerprint of a string, or of its bytes, of one of these schemes (default: all of `SCHEMES`). @throws ParseError */
export declare function parse(input: string | Uint8Array, schemes?: readonly Scheme[]): Fingerprint;

/** The fingerprint of hexadecimal digits, two for each byte. @throws ParseError */
export declare function fromHex(scheme: string | Scheme, digits: string): Fingerprint;

/** The fingerprint of a decimal number; only 64 bits have this form. @throws ParseError */
export declare function fromDecimal(scheme: string | Scheme, digits: string): Fingerprint;

/** A stop list of a user. */
export interface StopList {
  /** Its name in a declaration: `stop=` and this. */
  readonly digest: string;
  readonly words: ReadonlySet<string>;
}

/**
 * A custom scheme (section 13 of the standard) from its declaration.
 *
 * `table` is the bytes of the table that `idf=` names, `list` the list that `stop=` names. @throws DeclarationError
 */
export declare function declare(declaration: string, parts?: { table?: Uint8Array; list?: StopList }): CustomScheme;

/** The fingerprint of a text under a custom scheme; null if no token takes part. */
export declare function customFingerprint(text: string | Uint8Array, scheme: CustomScheme): Fingerprint | null;

/** A stop list from its text, one or more words a line, for the tokens of a declaration; null if it has no words. */
export declare function stopList(declaration: string, text: string): StopList | null;

/** The bytes of a table of inverse document frequencies: the features that at least `least` of the texts have. */
export declare function documentFrequencies(scheme: CustomScheme, least: number, texts: Iterable<string>): Uint8Array;

/** The fingerprint that simhash-cpp computed until August 2016; null if the text has no ASCII letter. */
export declare function seomozLegacy(text: string): Fingerprint | null;

/** Why a file of fingerprints is refused (clause [15.9] of the standard). */
export type InterchangeReason =
  | "line-length" | "encoding" | "not-interchange" | "version" | "header" | "critical" | "scheme"
  | "row" | "foreign" | "trailer" | "count" | "digest" | "truncated";

/** A file of fingerprints that is refused as a whole. */
export declare class InterchangeError extends Error {
  readonly reason: InterchangeReason;
  /** The line, counted from 1; of a writer the row. */
  readonly line: number;
}

/** The names and values of a header, in order. */
export interface InterchangeHeader {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly hasIds: boolean;
  value(name: string): string | undefined;
  values(name: string): string[];
}

/** A document's fingerprint in a file. */
export interface InterchangeRow {
  readonly fingerprint: Fingerprint;
  /** Whether its text has fewer than 50 tokens. */
  readonly short: boolean;
  /** The id, with U+FFFD for what is not UTF-8; undefined in a file without ids. */
  readonly id: string | undefined;
  readonly idBytes: Uint8Array | undefined;
}

/** Reads a file of fingerprints that comes in pieces; memory is bounded by its longest line, 1 MiB. */
export declare class InterchangeReader {
  /** Without a form the first byte decides. */
  constructor(options?: { form?: "lines" | "jsonl" });
  /** Undefined until the header was read. */
  readonly header: InterchangeHeader | undefined;
  readonly scheme: Scheme | undefined;
  /** Rows read so far. */
  readonly count: number;
  readonly shortCount: number;
  /** The rows that a piece completes. The file is whole only if `finish` returns. @throws InterchangeError */
  update(piece: string | Uint8Array): Generator<InterchangeRow, void, undefined>;
  /** @throws InterchangeError if the file is not whole */
  finish(): { count: number; sha256: string };
}

/** Writes a file of fingerprints; each method returns text to write. */
export declare class InterchangeWriter {
  /** Names and values, of which `Scheme` is needed. @throws InterchangeError */
  constructor(header: readonly (readonly [name: string, value: string])[], options?: { form?: "lines" | "jsonl" });
  start(): string;
  /** `short` is needed where the fingerprint does not know it, as of a string. @throws InterchangeError */
  row(row: { fingerprint: Fingerprint; short?: boolean; id?: string | Uint8Array }): string;
  end(): string;
}

/** What holds of two files whose headers were read, before their fingerprints are compared. */
export interface InterchangeRelation {
  /** The two schemes, if they are different: then nothing can be compared. */
  readonly unlike: readonly [string, string] | null;
  readonly sameProfile: boolean;
  readonly sameExtractors: boolean;
  /** Fingerprints of one document can be farther apart than the default k. */
  readonly far: boolean;
}

export declare function interchangeRelation(one: InterchangeReader, other: InterchangeReader): InterchangeRelation;
