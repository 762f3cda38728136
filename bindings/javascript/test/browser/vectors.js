// All vectors in a browser: imported by the page and by the worker.

import { ANSWERS } from "../answers.js";
import { INTERCHANGE_ANSWERS } from "../interchange_answers.js";

/** JSON with the names of objects in order, so that equal values are equal strings. */
const canonical = (value) =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );

/** Runs every case; how many there are, and what failed. */
export async function runVectors() {
  const failures = [];
  let cases = 0;
  for (const [folder, answers] of [["", ANSWERS], ["interchange/", INTERCHANGE_ANSWERS]]) {
    for (const [name, answer] of Object.entries(answers)) {
      const file = await (await fetch(`/spec/vectors/${folder}${name}.json`)).json();
      for (const { name: title, input, expected } of file.cases) {
        cases++;
        let found;
        try {
          found = canonical(answer(input));
        } catch (error) {
          found = String(error);
        }
        if (found !== canonical(expected)) failures.push(`${folder}${name}: ${title}`);
      }
    }
  }
  return { cases, failures };
}
