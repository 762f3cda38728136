// How fast fingerprints are computed, by language: `node test/speed.js [SCHEME]`. Not a test: it only prints.

import { readFileSync, readdirSync } from "node:fs";

import { fingerprint } from "../src/index.js";

const [scheme = "sd1"] = process.argv.slice(2);
const folder = new URL("../../../samples/sources/", import.meta.url);
const LENGTH = 4e6;
const RUNS = 3;

for (const language of ["en", "de", "fr", "ru", "ar", "hi", "ja", "ko"]) {
  const names = readdirSync(folder).filter((name) => name.endsWith(`.${language}.txt`));
  let text = names.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  while (text.length < LENGTH) text += text;
  const megabytes = new TextEncoder().encode(text).length / 1e6;
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    fingerprint(text, scheme);
    best = Math.min(best, performance.now() - start);
  }
  console.log(`${language}\t${((megabytes / best) * 1000).toFixed(1)} MB/s`);
}
