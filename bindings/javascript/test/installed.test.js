// The package as npm packs it, installed into a clean folder without a network, and used from there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const hasNpm = (() => {
  try {
    execFileSync("npm", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test("the package is packed, installed and used", { skip: !hasNpm && "npm is not installed" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "nearprint-"));
  const npm = (...words) => execFileSync("npm", [...words, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, encoding: "utf8" });
  try {
    const [packed] = JSON.parse(npm("pack", PACKAGE, "--json"));
    const files = packed.files.map(({ path }) => path);
    for (const name of ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", "src/html.d.ts", "src/index.d.ts"]) {
      assert.ok(files.includes(name), name);
    }
    assert.deepEqual(files.filter((name) => /^(?:test|generate)/.test(name)), []);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
    npm("install", join(folder, packed.filename));
    writeFileSync(
      join(folder, "use.js"),
      `import { InterchangeWriter, fingerprint } from "nearprint";
       import { nodeText } from "nearprint/html";
       const writer = new InterchangeWriter([["Scheme", "sd1"]]);
       writer.start();
       console.log(typeof nodeText, writer.row({ fingerprint: fingerprint("Fog came in at noon"), id: "a" }).trim());`,
    );
    assert.equal(execFileSync("node", ["use.js"], { cwd: folder, encoding: "utf8" }), "function sd1:tohkysuixv3oy\t1\ta\n");
    assert.deepEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["nearprint"]);
    const installed = join(folder, "node_modules/nearprint");
    const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
    for (const target of [manifest.main, manifest.types, ...targets]) assert.ok(existsSync(join(installed, target)), target);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the licences are those of the project", () => {
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    assert.equal(readFileSync(join(PACKAGE, name), "utf8"), readFileSync(join(PACKAGE, "../..", name), "utf8"));
  }
});
