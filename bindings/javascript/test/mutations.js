// Changes of this package that the vectors must notice, for mutate.js: a list by hand, and those that rules make of every
// line of the source.

/** A file, what is there, what is put there. */
export const LISTED = [
  ["interchange.js", 'check(isShort, "line-length", number);', ""],
  ["cuts.js", "const LONGEST_SCHEME = 32;", "const LONGEST_SCHEME = 31;"],
  ["cuts.js", "const LONGEST_NAME = 64;", "const LONGEST_NAME = 63;"],
  ["cuts.js", "[0-9]{4,9}", "[0-9]{4,8}"],
  ["cuts.js", "[a-z0-9-]{1,63}\\.)+", "[a-z0-9-]{1,62}\\.)+"],
  ["cuts.js", 'text[at - 1] === "."', 'text[at - 1] === ","'],
  ["cuts.js", '  ["doi:", namedAt],\n', ""],
  ["fingerprinter.js", "counter > 0", "counter >= 0"],
  ["fingerprinter.js", '=== "sl1" ? logWeight', '=== "sl2" ? logWeight'],
  ["fingerprinter.js", "this.count === 0 ? null", "this.count < 0 ? null"],
  ["sketch.js", "this.tokens > 2", "this.tokens > 3"],
  ["sketch.js", "Math.log2(frequency)) + 1", "Math.log2(frequency + 1)) + 1"],
  ["sketch.js", "for (let j = 1; j <=", "for (let j = 1; j <"],
  ["sketch.js", "0x9e3779b9, 0x7f4a7c15", "0x9e3779b9, 0x7f4a7c16"],
  ["sketch.js", "const ROUND_STEP = 0xd6e8feb86659fd93n", "const ROUND_STEP = 0xd6e8feb86659fd91n"],
  ["hashes.js", "rotated(first, 27n)", "rotated(first, 26n)"],
  ["hashes.js", "count <= 128", "count < 128"],
  ["hashes.js", "count <= 240", "count < 240"],
  ["hashes.js", "md5(bytes).subarray(8)", "md5(bytes).subarray(0, 8)"],
  ["hashes.js", "stripe % 16 === 15", "stripe % 16 === 14"],
  ["normal_forms.js", "const SYLLABLES = 11172;", "const SYLLABLES = 11144;"],
  ["normal_forms.js", "classes[one] - classes[other]", "classes[other] - classes[one]"],
  ["normal_forms.js", "const TRAILINGS = 28;", "const TRAILINGS = 27;"],
];

/** Changes that no result tells: a file, the line as it becomes, why. */
export const EQUIVALENT = [
  ["cuts.js", "return end <= 0 ? null : [at, end];", "a match does not end at the start of the text"],
  ["cuts.js", "return end < 1 ? null : [at, end];", "the same"],
  ["tokens.js", "let pointsToEnd = 1;", "it is set before it is read"],
  ["normal_forms.js", "const pair = (first, second) => first * 0x200000 - second;", "any number that is another for another pair"],
  ["normal_forms.js", "if (end - at > 0) {", "a run of one is in order"],
  ["normal_forms.js", "if (syllable >= 1 && syllable < SYLLABLES) {", "NFC leaves a syllable as it composes it"],
  ["normal_forms.js", "const syllable = code + HANGUL;", "the same of all syllables"],
  ["normal_forms.js", "if (classes[codes[at]] === 1) continue;", "the least classes are at the start of a run anyway"],
  ["fingerprinter.js", "this.searched = 1;", "white space at the start of a piece alone is read later"],
  ["sketch.js", "return one.high < high || (one.high === high && one.low <= low);", "equal elements are one"],
  ["unicode.js", "export const CONNECTOR = 6;", "a name of a class, which no other class has"],
  ["base32.js", "return bits > 0 ? text + DIGITS[(held << (5 - bits)) & 30] : text;", "the bits that are not used are 0"],
  ["interchange.js", 'check(colon >= 1, "header", line);', "a name that is empty is refused for the same reason"],
  ["interchange.js", "this.#scheme = schemesOf(this.#header, 0).scheme;", "the line in the message of a writer"],
];

/** What is there as a regular expression, and what is put there. */
const RULES = [
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ << /g, " >>> "],
  [/ >>> /g, " << "],
  [/ & /g, " | "],
  [/ \^ /g, " | "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/(?<![\w.#"'`\\{,-])(\d+)(?![\w.}])/g, (digits) => String(Number(digits) + 1)],
  [/(?<![\w.#"'`\\{,-])([1-9]\d*)(?![\w.}])/g, (digits) => String(Number(digits) - 1)],
];

/** A number that depends on the text alone, so that the order of mutants is that of no file. */
function hashed(text) {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 16777619) >>> 0;
  return hash;
}

/** Every mutation that the rules make of a file: its line, counted from 1, and the line as it becomes. */
export function made(file, source) {
  const found = [];
  source.split("\n").forEach((line, index) => {
    if (/^\s*(?:\/\/|\*|\/\*|import\b|export \*)/.test(line)) return;
    // Neither comments nor texts.
    const code = line.replace(/\/\/ .*|\/\*\*.*?\*\/|`[^`]*`|"[^"]*"/g, (text) => " ".repeat(text.length));
    for (const [pattern, replacement] of RULES) {
      for (const match of code.matchAll(pattern)) {
        const put = typeof replacement === "string" ? replacement : replacement(match[0]);
        const mutated = line.slice(0, match.index) + put + line.slice(match.index + match[0].length);
        found.push({ file, number: index + 1, line, mutated, order: hashed(`${file}:${line}:${mutated}`) });
      }
    }
  });
  return found;
}
