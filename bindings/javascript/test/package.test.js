// What the vectors do not say: pieces of a text, errors, the README's examples, and the files of the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as nearprint from "../src/index.js";

const { Fingerprint, Fingerprinter, SCHEMES, declare, fingerprint, parse, tokens } = nearprint;
const ALL = ["sd1", "sl1", "md1", "wd1"];

/** Words of several scripts, URLs and marks, as many as asked for. */
function mixedText(words) {
  const pieces = ["The", "fog", "Straße", "https://example.org/a?b=c", "日本の", "テスト", "e\u0301", "क्रिया", "12", "\u00ad", "ﬁne", "😀", "a@b.example"];
  let state = 7;
  let text = "";
  for (let word = 0; word < words; word++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += pieces[(state >>> 8) % pieces.length] + (state & 0x10000 ? " " : state & 0x20000 ? "\n" : "");
  }
  return text;
}

test("pieces of any size give the fingerprints of the whole, as text and as bytes", () => {
  const text = mixedText(40_000);
  const bytes = new TextEncoder().encode(text);
  const whole = new Fingerprinter(...ALL).update(text).finish().map(String);
  assert.deepEqual(ALL.map((scheme) => String(fingerprint(text, scheme))), whole);
  for (const size of [1_000, 65_537, 1_000_003]) {
    for (const input of [text, bytes]) {
      const pieces = new Fingerprinter(...ALL);
      for (let at = 0; at < input.length; at += size) pieces.update(input.slice(at, at + size));
      assert.deepEqual(pieces.finish().map(String), whole, `pieces of ${size}`);
    }
  }
});

// A quadratic step would take hours here, not seconds.
test("long runs, many cuts and many marks end", { timeout: 120_000 }, () => {
  const hostile = [
    (count) => "a".repeat(count),
    (count) => "a\u0301".repeat(count / 2),
    (count) => "\u0301".repeat(count),
    (count) => "://".repeat(count / 3),
    (count) => "a.@".repeat(count / 3),
    (count) => "10.1234.".repeat(count / 8),
    (count) => "_".repeat(count),
    (count) => "日".repeat(count),
  ];
  for (const make of hostile) {
    fingerprint(make(400_000), "md1");
    const pieces = new Fingerprinter("md1");
    for (let at = 0; at < 400; at++) pieces.update(make(1_000));
    pieces.finish();
  }
});

test("a text without tokens has no fingerprint", () => {
  for (const scheme of ALL) assert.equal(fingerprint(" 1 2 3 ", scheme), null);
  assert.deepEqual(new Fingerprinter("sd1", "md1").finish(), [null, null]);
});

test("errors name what is wrong", () => {
  assert.throws(() => fingerprint("fog", "sd2"), /unknown scheme sd2; there are sd1/);
  assert.throws(() => fingerprint("fog", "toString"), RangeError);
  assert.throws(() => new Fingerprinter("seomoz-legacy"), /not from pieces/);
  assert.throws(() => new Fingerprint("sd1", new Uint8Array(7)), /8 bytes, not 7/);
  assert.throws(() => parse("sd1:b"), (error) => error.reason === "length" && error.position === undefined);
  assert.throws(() => parse("sd1:!"), (error) => error.reason === "alphabet" && error.position === 4);
  assert.throws(() => declare("custom:words"), nearprint.DeclarationError);
  assert.throws(() => declare(`custom:words,tf,lookup3,64,idf=${"a".repeat(26)}`), /pass the bytes of the table/);
  const [sd1, md1] = [fingerprint("fog", "sd1"), fingerprint("fog", "md1")];
  assert.throws(() => sd1.distance(md1), /sd1 and md1 cannot be compared/);
  assert.throws(() => md1.toDecimal(), TypeError);
});

test("a fingerprint is short below 50 tokens, and a string does not say so", () => {
  assert.equal(fingerprint("fog ".repeat(49)).short, true);
  assert.equal(fingerprint("fog ".repeat(50)).short, false);
  assert.equal(parse(String(fingerprint("fog"))).short, undefined);
  assert.equal(fingerprint("fog came").tokens, 2);
});

test("custom schemes are read where they are passed", () => {
  const scheme = declare("custom:words,tf,lookup3,64");
  const found = nearprint.customFingerprint("Fog came in at noon", scheme);
  assert.throws(() => parse(String(found)), (error) => error.reason === "unknown-scheme");
  assert.equal(parse(String(found), [...Object.values(SCHEMES), scheme]).distance(found), 0);
});

test("tokens of bytes are those of their text", () => {
  assert.deepEqual(tokens("Straße 日本の"), ["strasse", "日本", "本の"]);
  assert.deepEqual(tokens(new TextEncoder().encode("Straße 日本の")), ["strasse", "日本", "本の"]);
});

test("the examples of the README print what it says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```js\n([^]*?)```/.exec(readme);
  const lines = [];
  const run = code.replace(/^import .*$/m, "const { fingerprint, parse } = nearprint;");
  new Function("nearprint", "console", run)(nearprint, { log: (...words) => lines.push(words.map(String).join(" ")) });
  assert.deepEqual(lines, [...code.matchAll(/\/\/ (.*)$/gm)].map(([, line]) => line));
});

// No file of vectors compares fingerprints of custom schemes. [13.8]
test("matches of custom schemes depend on their width", () => {
  for (const [bits, close, loose, within] of [[32, 0, 3, 1], [64, 1, 6, 3], [128, 2, 12, 6]]) {
    const scheme = declare(`custom:words,tf,murmur3,${bits}`);
    const zero = new Fingerprint(scheme, new Uint8Array(bits / 8));
    for (let distance = 0; distance <= 14; distance++) {
      const bytes = new Uint8Array(bits / 8).map((_, at) => (1 << Math.max(0, Math.min(8, distance - 8 * at))) - 1);
      const other = new Fingerprint(scheme, bytes);
      assert.equal(zero.distance(other), distance);
      assert.equal(zero.similarity(other), 1 - distance / bits);
      assert.equal(zero.match(other), distance <= close ? "close" : distance <= loose ? "loose" : null, `${distance} of ${bits}`);
      assert.equal(zero.isWithin(other), distance <= within, `${distance} of ${bits}`);
    }
  }
});

test("the types declare what the package exports", () => {
  const types = readFileSync(new URL("../src/index.d.ts", import.meta.url), "utf8");
  const declared = [...types.matchAll(/^export declare (?:const|class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(nearprint).sort());
});
