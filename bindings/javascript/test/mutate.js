// Shows that the vectors notice changes of this package: `node test/mutate.js`. Each mutation changes one place of a copy
// of src/, and the vectors must fail then; one that they do not notice, or whose place is not there, is an error.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file, what is there, what is put there. */
const MUTATIONS = [
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
  ["normal_forms.js", "const SYLLABLES = 11172;", "const SYLLABLES = 11171;"],
  ["normal_forms.js", "classes[one] - classes[other]", "classes[other] - classes[one]"],
  ["normal_forms.js", "const TRAILINGS = 28;", "const TRAILINGS = 27;"],
];

const HERE = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "nearprint-mutations-"));
const folder = join(work, "bindings", "javascript");

/** Whether the vectors hold; the large ones are asked only if all others do. */
function holds() {
  return [[], ["--large"]].every((large) => {
    const run = spawnSync(process.execPath, [join(folder, "test", "first_failure.js"), ...large], { stdio: "ignore" });
    return run.status === 0;
  });
}

let unnoticed = 0;
try {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(HERE, "..", "..", "..", "spec"), join(work, "spec"));
  for (const name of ["src", "test", "package.json"]) cpSync(join(HERE, "..", name), join(folder, name), { recursive: true });
  if (!holds()) throw new Error("the vectors fail without a mutation");
  for (const [file, from, to] of MUTATIONS) {
    const path = join(folder, "src", file);
    const source = readFileSync(path, "utf8");
    if (source.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
    writeFileSync(path, source.replace(from, () => to));
    if (holds()) {
      console.error(`no vector notices: ${file}: ${from} -> ${to}`);
      unnoticed++;
    }
    writeFileSync(path, source);
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`${MUTATIONS.length} mutations, ${unnoticed} unnoticed`);
process.exit(unnoticed === 0 ? 0 : 1);
