// URLs and identifiers are cut out of the normalised text: section 5 of the standard.
//
// Each pattern has a text that it cannot do without ("://", "@", ...), so the search goes from one such place to the next
// and never tries a pattern anywhere else. The time is linear in the length of the text.

const VISIBLE = /[!-~]*/y;
const IDENTIFIER = /[a-z0-9]/;
const DOI = /10\.[0-9]{4,9}(?:\.[0-9]+)*\/[!-~]*/y;
const HOST = /(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}/y;
const LONGEST_SCHEME = 32;
const LONGEST_NAME = 64;

function endOf(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function isLetter(code) {
  return code >= 97 && code <= 122;
}

function isLetterOrDigit(code) {
  return isLetter(code) || (code >= 48 && code <= 57);
}

/** Whether a code unit may be in the scheme of a URL after its first letter. [5.2] */
function isScheme(code) {
  return isLetterOrDigit(code) || code === 43 || code === 45 || code === 46;
}

/** Whether a code unit may be before the @ of an address. [5.4] */
function isName(code) {
  return isScheme(code) || code === 95 || code === 37;
}

/** The leftmost match at or after `from` whose "://" is at `at`. [5.2] */
function urlAt(text, at, from) {
  const least = Math.max(from, at - LONGEST_SCHEME);
  let start = -1;
  for (let place = at - 1; place >= least && isScheme(text.charCodeAt(place)); place--) {
    if (isLetter(text.charCodeAt(place))) start = place;
  }
  return start < 0 ? null : [start, endOf(VISIBLE, text, at + 3)];
}

/** The match that begins with a prefix of a named identifier at `at`. [5.3] */
function namedAt(text, at, from, prefix) {
  if (at < from || (at > 0 && IDENTIFIER.test(text[at - 1]))) return null;
  return [at, endOf(VISIBLE, text, at + prefix.length)];
}

/** The leftmost match at or after `from` whose @ is at `at`. [5.4] */
function addressAt(text, at, from) {
  const least = Math.max(from, at - LONGEST_NAME);
  let start = at;
  while (start > least && isName(text.charCodeAt(start - 1))) start--;
  if (start === at) return null;
  const end = endOf(HOST, text, at + 1);
  return end < 0 ? null : [start, end];
}

/** The match that begins with "10." at `at`. [5.5] */
function doiAt(text, at, from) {
  if (at < from || (at > 0 && (IDENTIFIER.test(text[at - 1]) || text[at - 1] === "."))) return null;
  const end = endOf(DOI, text, at);
  return end < 0 ? null : [at, end];
}

/** What each pattern cannot do without, in the order of the standard: the first of equal starts wins. */
const PATTERNS = [
  ["://", urlAt],
  ["www.", namedAt],
  ["urn:", namedAt],
  ["doi:", namedAt],
  ["arxiv:", namedAt],
  ["@", addressAt],
  ["10.", doiAt],
];

/** The matches of one pattern, from left to right. */
class Matches {
  constructor(text, [needle, matchAt]) {
    this.text = text;
    this.needle = needle;
    this.matchAt = matchAt;
    this.place = text.indexOf(needle);
    this.match = null;
  }

  /** The leftmost match that begins at or after `from`; null if there is none. */
  from(from) {
    if (this.match && this.match[0] >= from) return this.match;
    this.match = null;
    while (this.place >= 0) {
      this.match = this.place < from ? null : this.matchAt(this.text, this.place, from, this.needle);
      if (this.match) return this.match;
      this.place = this.text.indexOf(this.needle, Math.max(this.place + 1, from));
    }
    return null;
  }
}

/** The cut text of a normalised text: each match is one space. [5.1] */
export function cut(text) {
  const patterns = PATTERNS.map((pattern) => new Matches(text, pattern)).filter((pattern) => pattern.place >= 0);
  let result = "";
  let end = 0;
  for (;;) {
    let first = null;
    for (const pattern of patterns) {
      const match = pattern.from(end);
      if (match && (!first || match[0] < first[0])) first = match;
    }
    if (!first) return end === 0 ? text : result + text.slice(end);
    result += text.slice(end, first[0]) + " ";
    end = first[1];
  }
}
