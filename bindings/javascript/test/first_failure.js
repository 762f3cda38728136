// Runs the vectors until the first that fails, for mutate.js: those of interchange too, and the large ones where asked for,
// which take a minute.

import { readFileSync, readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { ANSWERS } from "./answers.js";
import { INTERCHANGE_ANSWERS } from "./interchange_answers.js";

const FOLDER = new URL("../../../spec/vectors/", import.meta.url);

for (const [folder, answers] of [["interchange/", INTERCHANGE_ANSWERS], ["", ANSWERS]]) {
  const place = new URL(folder, FOLDER);
  const names = readdirSync(place).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
  for (const name of names) {
    if (name.includes("large") && !process.argv.includes("--large")) continue;
    for (const { input, expected } of JSON.parse(readFileSync(new URL(`${name}.json`, place), "utf8")).cases) {
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(answers[name](input))), expected)) process.exit(1);
    }
  }
}
