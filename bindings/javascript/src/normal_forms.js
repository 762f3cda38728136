// Canonical decomposition, order and composition (NFD and NFC) of arrays of code points, by the standard's table. [2.4]

import { NORMAL } from "./tables.js";

const HANGUL = 0xac00;
const SYLLABLES = 11172;
const LEADING = 0x1100;
const VOWEL = 0x1161;
const TRAILING = 0x11a7;
const VOWELS = 21;
const TRAILINGS = 28;

/** Canonical combining classes by code points. */
const classes = new Uint8Array(0x110000);
/** 1 for code points that normalisation can change, or that can change those before them. */
const active = new Uint8Array(0x110000).fill(1, VOWEL, VOWEL + VOWELS).fill(1, TRAILING + 1, TRAILING + TRAILINGS);
/** Full canonical decompositions. */
const decompositions = new Map();
/** By `pair(first, second)`, what two code points compose to. */
const composites = new Map();

const pair = (first, second) => first * 0x200000 + second;

const steps = new Map();
let before = 0;
for (const entry of NORMAL.split(" ")) {
  const [step, combining, mapping] = entry.split(":");
  before += parseInt(step, 36);
  classes[before] = parseInt(combining, 36);
  active[before] = 1;
  const differences = mapping.replace("=", "");
  if (differences === "") continue;
  const codes = differences.split(",").map((difference) => before + parseInt(difference, 36));
  steps.set(before, codes);
  if (!mapping.endsWith("=")) continue;
  composites.set(pair(codes[0], codes[1]), before);
  active[codes[1]] = 1;
}
const full = (code) => steps.get(code)?.flatMap(full) ?? [code];
for (const code of steps.keys()) decompositions.set(code, full(code));

/** The canonical combining class of a code point. [2.2] */
export function combiningClass(code) {
  return classes[code];
}

/** Whether a code point leaves itself and all others as they are: texts of such ones are in every normal form. */
export function isInert(code) {
  return active[code] === 0;
}

/** Adds the full decomposition of a code point to an array. */
export function appendDecomposed(codes, code) {
  const syllable = code - HANGUL;
  if (syllable >= 0 && syllable < SYLLABLES) {
    codes.push(LEADING + Math.floor(syllable / (VOWELS * TRAILINGS)));
    codes.push(VOWEL + Math.floor((syllable % (VOWELS * TRAILINGS)) / TRAILINGS));
    if (syllable % TRAILINGS) codes.push(TRAILING + (syllable % TRAILINGS));
  } else if (active[code] === 0) {
    codes.push(code);
  } else {
    const decomposition = decompositions.get(code);
    if (decomposition) for (const part of decomposition) codes.push(part);
    else codes.push(code);
  }
}

/** Puts decomposed code points into canonical order: runs of marks by their classes, equal ones as they are. */
export function order(codes) {
  for (let at = 0; at < codes.length; at++) {
    if (classes[codes[at]] === 0) continue;
    let end = at + 1;
    while (end < codes.length && classes[codes[end]] > 0) end++;
    if (end - at > 1) {
      const run = codes.slice(at, end).sort((one, other) => classes[one] - classes[other]);
      for (const code of run) codes[at++] = code;
    }
    at = end;
  }
}

/** What two code points compose to; undefined if nothing. */
function composed(first, second) {
  if (second < VOWEL || second >= TRAILING + TRAILINGS) return composites.get(pair(first, second));
  const leading = first - LEADING;
  if (leading >= 0 && leading < 19 && second < VOWEL + VOWELS) {
    return HANGUL + (leading * VOWELS + second - VOWEL) * TRAILINGS;
  }
  const syllable = first - HANGUL;
  const isOpen = syllable >= 0 && syllable < SYLLABLES && syllable % TRAILINGS === 0;
  return isOpen && second > TRAILING ? first + second - TRAILING : undefined;
}

/** Code points that are decomposed and in order, composed. */
export function compose(codes) {
  const result = [];
  let starter = -1;
  let last = -1; // The class of what was kept last after the starter; -1 directly after it.
  for (const code of codes) {
    const here = classes[code];
    const together = starter >= 0 && last < here ? composed(result[starter], code) : undefined;
    if (together !== undefined) {
      result[starter] = together;
      continue;
    }
    if (here === 0) starter = result.length;
    last = here === 0 ? -1 : here;
    result.push(code);
  }
  return result;
}
