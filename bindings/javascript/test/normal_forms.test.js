// Decomposition and composition by the table are those of Unicode 14, as any newer runtime has them for assigned code points.

import assert from "node:assert/strict";
import { test } from "node:test";

import { appendDecomposed, compose, order } from "../src/normal_forms.js";
import { assigned, normalised, normalisedText } from "../src/unicode.js";

function decomposed(text) {
  const codes = [];
  for (const character of text) appendDecomposed(codes, character.codePointAt(0));
  order(codes);
  return codes;
}

const textOf = (codes) => codes.map((code) => String.fromCodePoint(code)).join("");

function assertNormalForms(text) {
  const codes = decomposed(text);
  assert.equal(textOf(codes), text.normalize("NFD"), JSON.stringify(text));
  assert.equal(textOf(compose(codes)), text.normalize("NFC"), JSON.stringify(text));
}

const points = [];
for (let code = 0; code <= 0x10ffff; code++) {
  const character = String.fromCodePoint(code);
  if (assigned(character) === character) points.push(character);
}

test("every assigned code point, alone and among marks", () => {
  assert.equal(points.length, 282_230);
  for (const point of points) {
    assertNormalForms(point);
    assertNormalForms(`\u0301${point}\u0323a${point}\u0345`);
  }
});

test("random texts, by segments and as a whole", () => {
  const active = points.filter((point) => point !== point.normalize("NFD") || /\p{M}/u.test(point));
  const letters = [..."aeE\u1100\u1161\u11a8\uac00\u0301\u0345\u00ad\u034f\ufb01\u0130ガ"];
  let state = 38;
  const random = (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % bound;
  };
  for (let count = 0; count < 50_000; count++) {
    let text = "";
    for (let length = 1 + random(9); length > 0; length--) {
      const from = [active, points, letters, letters][random(4)];
      text += from[random(from.length)];
    }
    assertNormalForms(text);
    const whole = normalised(text);
    assert.equal(normalised(whole), whole, JSON.stringify(text));
    assert.equal(normalisedText(text), whole, JSON.stringify(text));
    assert.equal(normalised(text.normalize("NFD")), whole, JSON.stringify(text));
  }
});
