// Every case of every file of spec/vectors. A file that is not known fails, so that none is left out unseen.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { ANSWERS, digests } from "./answers.js";
import { INTERCHANGE_ANSWERS } from "./interchange_answers.js";

// SHA-256 of this package is what the tables of custom schemes are read with; for 50 MB of texts the runtime's is faster.
digests.of = (text) => createHash("sha256").update(text).digest("hex");

const FOLDER = new URL("../../../spec/vectors/", import.meta.url);

for (const [folder, answers] of [["", ANSWERS], ["interchange/", INTERCHANGE_ANSWERS]]) {
  const place = new URL(folder, FOLDER);
  const names = readdirSync(place).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));

  test(`every file of vectors${folder && " of interchange"} is known`, () => assert.deepEqual(names.sort(), Object.keys(answers).sort()));

  for (const name of names) {
    const { cases } = JSON.parse(readFileSync(new URL(`${name}.json`, place), "utf8"));
    test(`${folder}${name}: ${cases.length} cases`, () => {
      assert.ok(cases.length > 0);
      for (const { name: title, input, expected } of cases) {
        assert.deepEqual(JSON.parse(JSON.stringify(answers[name](input))), expected, title);
      }
    });
  }
}
