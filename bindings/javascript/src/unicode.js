// Text to normalised text: sections 2 to 4 of the standard. Numbers in brackets are its clauses.
//
// Unassigned code points become spaces, then the text is decomposed, folded, bounded and composed. Folding and classes
// come from the standard's tables; decomposition and composition from the runtime, as [2.3] allows.

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

/** A byte for each code point: its class, and whether it is assigned. */
const properties = new Uint8Array(0x110000);
forEachRange(ASSIGNED, (first, last) => properties.fill(IS_ASSIGNED, first, last + 1));
forEachRange(CLASSES, (first, last, kind) => {
  for (let code = first; code <= last; code++) properties[code] |= CLASS_NAMES[kind];
});

/** What each code point folds to, as text. [4.2] */
const foldings = new Map();
let before = 0;
for (const entry of FOLD.split(" ")) {
  const [step, mapping] = entry.split(":");
  before += parseInt(step, 36);
  const codes = mapping === "" ? [] : mapping.split(",").map((difference) => before + parseInt(difference, 36));
  foldings.set(before, String.fromCodePoint(...codes));
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
const known = new Map();

/**
 * Whether a code point has a canonical combining class other than 0.
 *
 * JavaScript does not offer the class, but canonical ordering shows it: a mark of class 1 moves before every mark of a
 * higher class, and a mark of a class below 230 moves before one of class 230. Nothing moves before a starter.
 */
function isNonStarter(code) {
  if (code < 0x300) return false;
  let answer = known.get(code);
  if (answer === undefined) {
    const character = String.fromCodePoint(code);
    answer =
      (character + "\u0334").normalize("NFD").startsWith("\u0334") ||
      !("\u0301" + character).normalize("NFD").startsWith("\u0301");
    known.set(code, answer);
  }
  return answer;
}

/** A text of assigned code points, normalised by all steps of section 4. */
function normalisedByAllSteps(text) {
  let folded = "";
  let run = 0;
  for (const character of text.normalize("NFD")) {
    const mapping = foldings.get(character.codePointAt(0)) ?? character;
    for (const result of mapping) {
      run = isNonStarter(result.codePointAt(0)) ? run + 1 : 0;
      if (run <= MOST_NON_STARTERS) folded += result;
    }
  }
  return folded.normalize("NFC");
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
  return piecewise(text, normalisedByAllSteps);
}

/**
 * The normalised text of any text. [3.2] to [4.5]
 *
 * White space and controls of ASCII never compose, fold or reorder with what is next to them, so stretches between them are
 * normalised one by one, and ASCII only gets its lower case.
 */
export function normalisedText(text) {
  return piecewise(text, (stretch) => normalisedByAllSteps(assigned(stretch)));
}
