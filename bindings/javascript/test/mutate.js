// Shows that the vectors notice changes of this package: `node test/mutate.js [--made COUNT] [--large]`. Each mutation
// changes one place of a copy of src/, and the vectors must fail then, or package.test.js, which reads texts in pieces: those of
// the list, and COUNT of those that rules make of the source. One that is not noticed, or whose place is not there, is an error.
// --large asks the large vectors too.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { EQUIVALENT, LISTED, made } from "./mutations.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SOURCE = join(HERE, "..", "src");
/** A mutant that does not end is noticed. */
const TIMEOUT = 120_000;
/** Tables, and what has no vectors: text by the DOM of a browser, and the list of what is exported. */
const WITHOUT = new Set(["tables.js", "html.js", "index.js"]);

const option = process.argv.indexOf("--made");
const count = option < 0 ? 0 : Number(process.argv[option + 1]);
const work = mkdtempSync(join(tmpdir(), "nearprint-mutations-"));
const folder = join(work, "bindings", "javascript");

const vectors = join(folder, "test", "first_failure.js");
const runs = [[vectors], ["--test", join(folder, "test", "package.test.js")]];
if (process.argv.includes("--large")) runs.push([vectors, "--large"]);

/** Whether everything holds; each is asked only if what is before it holds. */
function holds() {
  return runs.every((words) => {
    const run = spawnSync(process.execPath, ["--max-old-space-size=2000", ...words], { stdio: "ignore", timeout: TIMEOUT });
    return run.status === 0;
  });
}

/** The mutations to try, as a file and what becomes of its source. */
function* mutations() {
  for (const [file, from, to] of LISTED) {
    const parts = readFileSync(join(SOURCE, file), "utf8").split(from);
    if (parts.length !== 2) throw new Error(`${file} does not have once: ${from}`);
    yield { file, source: parts.join(to), name: `${from} -> ${to}` };
  }
  const files = readdirSync(SOURCE).filter((name) => name.endsWith(".js") && !WITHOUT.has(name));
  const all = files.flatMap((file) => made(file, readFileSync(join(SOURCE, file), "utf8")));
  console.error(`${all.length} mutations can be made`);
  for (const { file, number, line, mutated } of all.sort((one, other) => one.order - other.order).slice(0, count)) {
    if (EQUIVALENT.some(([known, text]) => known === file && mutated.trim() === text)) continue;
    const lines = readFileSync(join(SOURCE, file), "utf8").split("\n");
    lines[number - 1] = mutated;
    yield { file, source: lines.join("\n"), name: `${number}: ${line.trim()} -> ${mutated.trim()}` };
  }
}

let tried = 0;
let unnoticed = 0;
try {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(HERE, "..", "..", "..", "spec"), join(work, "spec"));
  for (const name of ["src", "test", "package.json", "README.md"]) cpSync(join(HERE, "..", name), join(folder, name), { recursive: true });
  if (!holds()) throw new Error("the vectors fail without a mutation");
  for (const { file, source, name } of mutations()) {
    const path = join(folder, "src", file);
    writeFileSync(path, source);
    tried++;
    if (holds()) {
      console.error(`no vector notices: ${file}: ${name}`);
      unnoticed++;
    }
    writeFileSync(path, readFileSync(join(SOURCE, file)));
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`${tried} mutations, ${unnoticed} unnoticed`);
process.exit(unnoticed === 0 ? 0 : 1);
