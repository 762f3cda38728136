// The tokens of a cut text: section 6 of the standard.

import { CONNECTOR, LETTER, MARK, PAIR, classOf } from "./unicode.js";

/** Code points of a word; longer ones are no tokens. [6.6] */
const LONGEST_WORD = 128;

/** Classes of ASCII, which needs no code points. */
const ascii = new Uint8Array(128).map((_, code) => classOf(code));

/** Calls `take(start, end)` for each token of a cut text, in order; both are offsets in UTF-16. [6.2] to [6.7] */
export function forEachToken(text, take) {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? ascii[code] : classOf(text.codePointAt(at));
    if (kind === 0) at += code < 0xd800 || code > 0xdbff ? 1 : width(text, at);
    else at = kind === PAIR ? pairRun(text, at, take) : word(text, at, take);
  }
}

/** UTF-16 units of the code point at an offset. */
function width(text, at) {
  return text.codePointAt(at) > 0xffff ? 2 : 1;
}

/** A run of pair letters: its overlapping pairs are tokens, but those of two marks. [6.2] [6.4] [6.7] */
function pairRun(text, start, take) {
  let [before, middle] = [start, start + width(text, start)];
  let beforeIsLetter = true;
  for (;;) {
    const kind = middle < text.length ? classOf(text.codePointAt(middle)) : 0;
    if (kind !== PAIR && kind !== MARK) break;
    const end = middle + width(text, middle);
    if (beforeIsLetter || kind === PAIR) take(before, end);
    [before, middle, beforeIsLetter] = [middle, end, kind === PAIR];
  }
  if (before === start) take(start, middle);
  return middle;
}

/** A word: trimmed of connectors, of at most 128 code points, and with a letter. [6.3] [6.5] to [6.7] */
function word(text, start, take) {
  let at = start;
  let first = -1;
  let end = start;
  let points = 0;
  let pointsToEnd = 0;
  let hasLetter = false;
  for (; at < text.length; ) {
    const code = text.charCodeAt(at);
    let kind;
    let units = 1;
    if (code < 128) kind = ascii[code];
    else {
      const point = text.codePointAt(at);
      kind = classOf(point);
      if (point > 0xffff) units = 2;
    }
    if (kind === 0 || kind === PAIR) break;
    at += units;
    if (first >= 0) points++;
    if (kind === CONNECTOR) continue;
    if (first < 0) [first, points] = [at - units, 1];
    if (kind === LETTER) hasLetter = true;
    [end, pointsToEnd] = [at, points];
  }
  if (hasLetter && pointsToEnd <= LONGEST_WORD) take(first, end);
  return at;
}
