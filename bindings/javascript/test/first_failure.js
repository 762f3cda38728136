// Runs the vectors until the first that fails, the large ones last: for mutate.js.

import { readFileSync, readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { ANSWERS } from "./answers.js";

const FOLDER = new URL("../../../spec/vectors/", import.meta.url);
const isLarge = (name) => name.includes("large");
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));

for (const name of names.sort((one, other) => isLarge(one) - isLarge(other))) {
  // What no small vector notices is run on the large ones only where it is asked for: they take a minute.
  if (isLarge(name) && !process.argv.includes("--large")) continue;
  for (const { input, expected } of JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")).cases) {
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(ANSWERS[name](input))), expected)) process.exit(1);
  }
}
