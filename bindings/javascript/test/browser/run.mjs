// The package in Chromium: all vectors in a page and in a worker, and the texts of pages by the browser's DOM.
//
// run.mjs [NEARPRINT], in a folder with playwright-core (scripts/javascript_browser.sh). With the program NEARPRINT, the
// samples' pages are compared with its extractor's texts.

import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [program] = process.argv.slice(2);
const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const { chromium } = createRequire(join(process.cwd(), "node_modules/"))("playwright-core");

const TYPES = { ".js": "text/javascript", ".json": "application/json", ".html": "text/html" };
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://host").pathname);
  const file = join(root, path);
  if (path === "/") {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!DOCTYPE html><title>nearprint</title>");
  } else if (/^\/(spec\/vectors|bindings\/javascript)\//.test(path) && statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  } else {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage();
page.setDefaultTimeout(300_000);
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));
await page.goto(`http://127.0.0.1:${server.address().port}/`);

const report = (where, { cases, failures }) => {
  console.log(`${where}: ${cases} cases, ${failures.length} failed`);
  problems.push(...failures.map((failure) => `${where}: ${failure}`));
  if (cases < 2000) problems.push(`${where}: ${cases} cases are not all`);
};
report("page", await page.evaluate(async () => (await import("/bindings/javascript/test/browser/vectors.js")).runVectors()));
report(
  "worker",
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/bindings/javascript/test/browser/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  ),
);

/** The text of HTML by the package, and its fingerprints made of the text's pieces. */
const textOf = (html) =>
  page.evaluate(async (html) => {
    const { Fingerprinter, fingerprint } = await import("/bindings/javascript/src/index.js");
    const { htmlText, nodePieces } = await import("/bindings/javascript/src/html.js");
    const text = htmlText(html);
    const pieces = new Fingerprinter("sd1", "md1");
    for (const piece of nodePieces(new DOMParser().parseFromString(html, "text/html"))) pieces.update(piece);
    const found = pieces.finish().map(String);
    const whole = ["sd1", "md1"].map((scheme) => String(fingerprint(text, scheme)));
    return { text, sd1: found[0], md1: found[1], isSame: found.join() === whole.join() };
  }, html);

const words = (text) => text.split(/\s+/).filter(Boolean).join(" ");
const cases = JSON.parse(readFileSync(new URL("pages.json", import.meta.url), "utf8"));
for (const { name, html, text } of cases) {
  const found = await textOf(html);
  if (words(found.text) !== text) problems.push(`html: ${name}: ${JSON.stringify(words(found.text))}, not ${JSON.stringify(text)}`);
}
console.log(`html: ${cases.length} pages written for it`);

if (program) {
  const { parse } = await import("../../src/index.js");
  const samples = join(root, "samples/documents");
  const files = readdirSync(samples, { recursive: true }).filter((name) => name.endsWith(".html")).sort();
  const distances = { sd1: [], md1: [] };
  let compared = 0;
  for (const name of files) {
    const bytes = readFileSync(join(samples, name));
    let lines;
    try {
      lines = execFileSync(program, ["fingerprint", "-qq", "--scheme", "sd1,md1", join(samples, name)], { encoding: "utf8" });
    } catch {
      continue; // A page that the program refuses.
    }
    let html;
    try {
      html = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      continue; // Charsets are the browser's matter when it loads a page.
    }
    const [, charset = "utf-8"] = /charset=["']?\s*([\w-]+)/i.exec(html.slice(0, 1024)) ?? [];
    if (charset.toLowerCase() !== "utf-8") continue;
    const found = await textOf(html);
    if (!found.isSame) problems.push(`html: ${name}: pieces give another fingerprint than the text`);
    compared++;
    for (const scheme of ["sd1", "md1"]) {
      const theirs = lines.split("\n").find((line) => line.startsWith(`${scheme}:`));
      if (theirs) distances[scheme].push([parse(theirs.split("\t")[0]).distance(parse(found[scheme])), name]);
    }
  }
  for (const scheme of ["sd1", "md1"]) {
    const apart = distances[scheme].filter(([distance]) => distance > 0);
    console.log(`html: ${scheme}: ${distances[scheme].length - apart.length} of ${compared} pages equal, others ${JSON.stringify(apart)}`);
    if (distances[scheme].length < 20) problems.push(`html: only ${distances[scheme].length} pages were compared`);
    const far = distances[scheme].filter(([distance]) => distance > (scheme === "sd1" ? 3 : 25));
    problems.push(...far.map(([distance, name]) => `html: ${name}: ${scheme} at distance ${distance}`));
  }
}

await browser.close();
server.close();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
