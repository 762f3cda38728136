// Text to normalised text: sections 2 to 4 of the standard. Numbers in brackets are its clauses.
//
// Unassigned code points become spaces, then the text is decomposed, folded, bounded and composed. All data is that of
// the standard's tables, so no runtime's Unicode version matters; normal_forms.js decomposes and composes.

import { appendDecomposed, combiningClass, compose, isInert, order } from "./normal_forms.js";
import { ASSIGNED, CLASSES, FOLD } from "./tables.js";

/** Classes of code points. [6.1] Code points of class 0 separate. */
export const PAIR = 1;
export const LETTER = 2;
export const MARK = 3;
export const DIGIT = 4;
export const CONNECTOR = 5;

const CLASS_NAMES = { P: PAIR, L: LETTER, M: MARK, D: DIGIT, C: CONNECTOR };
const CLASS = 7;
const IS_ASSIGNED = 8;
const FOLDS = 16;
/** Inert, and folded to one or more inert code points, or not at all. */
const SETTLED = 32;

/** A byte for each code point: its class, and whether it is assigned. */
const properties = new Uint8Array(0x110000);
forEachRange(ASSIGNED, (first, last) => properties.fill(IS_ASSIGNED, first, last + 1));
forEachRange(CLASSES, (first, last, kind) => {
  for (let code = first; code <= last; code++) properties[code] |= CLASS_NAMES[kind];
});

/** The code points that each code point folds to. [4.2] */
const foldings = new Map();
let before = 0;
for (const entry of FOLD.split(" ")) {
  const [step, mapping] = entry.split(":");
  before += parseInt(step, 36);
  const codes = mapping === "" ? [] : mapping.split(",").map((difference) => before + parseInt(difference, 36));
  foldings.set(before, codes);
  properties[before] |= FOLDS;
}
for (let code = 0; code < properties.length; code++) {
  if (isInert(code)) properties[code] |= SETTLED;
}
for (const [code, folded] of foldings) {
  if (folded.length === 0 || !folded.every(isInert)) properties[code] &= ~SETTLED;
}

function forEachRange(table, take) {
  let end = 0;
  for (const range of table.split(" ")) {
    const [numbers, kind] = range.split(".");
    const [gap, length] = numbers.split(",").map((number) => parseInt(number, 36));
    const first = end + gap;
    end = first + length;
    take(first, end, kind);
  }
}

/** The class of a code point. [6.1] */
export function classOf(code) {
  return properties[code] & CLASS;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes: each maximal subpart of what is not UTF-8 becomes U+FFFD. [3.1] */
export function repaired(bytes) {
  return decoder.decode(bytes);
}

/** The text with a space for each code point that is not assigned and each lone surrogate. [3.2] */
export function assigned(text) {
  let result = "";
  for (const character of text) {
    result += properties[character.codePointAt(0)] & IS_ASSIGNED ? character : " ";
  }
  return result;
}

/** Non-starters that are kept of a run. [4.4] */
const MOST_NON_STARTERS = 30;

/** A text of assigned code points, normalised by all steps of section 4. */
function normalisedByAllSteps(text) {
  const decomposed = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at);
    if (code > 0xffff) at++;
    appendDecomposed(decomposed, code);
  }
  order(decomposed);
  const folded = [];
  let run = 0;
  const keep = (code) => {
    run = combiningClass(code) > 0 ? run + 1 : 0;
    if (run <= MOST_NON_STARTERS) appendDecomposed(folded, code);
  };
  for (const code of decomposed) {
    if (properties[code] & FOLDS) foldings.get(code).forEach(keep);
    else keep(code);
  }
  order(folded);
  let result = "";
  for (const code of compose(folded)) result += String.fromCodePoint(code);
  return result;
}

/** Results of short segments: letters with marks, and syllables, recur. */
const segments = new Map();
const MOST_SEGMENTS = 8192;
const LONGEST_SEGMENT = 8;

function normalisedSegment(segment) {
  if (segment.length > LONGEST_SEGMENT) return normalisedByAllSteps(segment);
  let result = segments.get(segment);
  if (result === undefined) {
    result = normalisedByAllSteps(segment);
    if (segments.size < MOST_SEGMENTS) segments.set(segment, result);
  }
  return result;
}

/**
 * A text of assigned code points, normalised segment by segment.
 *
 * A settled code point and what it folds to never reorder or compose with what is before it, so each begins a segment
 * that is normalised by itself. Segments that stay as they are are copied together.
 */
function normalisedStretch(text) {
  let result = "";
  let done = 0; // What is before is in the result.
  let start = 0;
  let isPlain = true;
  const flush = (end) => {
    if (isPlain) return;
    result += text.slice(done, start) + normalisedSegment(text.slice(start, end));
    done = end;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at);
    const property = properties[code];
    if (property & SETTLED) {
      flush(at);
      start = at;
      isPlain = !(property & FOLDS);
    } else {
      isPlain = false;
    }
    if (code > 0xffff) at++;
  }
  flush(text.length);
  return result + text.slice(done);
}

const ONLY_ASCII = /^[\x00-\x7f]*$/;
/** A stretch without white space or controls of ASCII that has a character beyond ASCII. */
const BEYOND_ASCII = /[^\x00-\x20]*[^\x00-\x7f][^\x00-\x20]*/g;

/** The text with each stretch that is not ASCII alone replaced, and the rest in lower case. */
function piecewise(text, replace) {
  if (ONLY_ASCII.test(text)) return text.toLowerCase();
  let result = "";
  let end = 0;
  for (const match of text.matchAll(BEYOND_ASCII)) {
    result += text.slice(end, match.index).toLowerCase() + replace(match[0]);
    end = match.index + match[0].length;
  }
  return result + text.slice(end).toLowerCase();
}

/** The normalised text of a text that [3.2] has left. [4.1] to [4.5] */
export function normalised(text) {
  return piecewise(text, normalisedStretch);
}

/**
 * The normalised text of any text. [3.2] to [4.5]
 *
 * White space and controls of ASCII never compose, fold or reorder with what is next to them, so stretches between them are
 * normalised one by one, and ASCII only gets its lower case.
 */
export function normalisedText(text) {
  return piecewise(text, (stretch) => normalisedStretch(assigned(stretch)));
}
