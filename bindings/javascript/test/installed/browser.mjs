// The installed package in Chromium, in a page by an import map and in a worker: `node browser.mjs CHROMIUM TOOL`, where TOOL
// is a folder with playwright-core. Only this folder is served.

import assert from "node:assert/strict";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [executablePath, tool] = process.argv.slice(2);
const root = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(tool, "node_modules/"))("playwright-core");
const MAP = { imports: { nearprint: "/node_modules/nearprint/src/index.js", "nearprint/html": "/node_modules/nearprint/src/html.js" } };
const PAGE = `<!DOCTYPE html><title>user</title><script type="importmap">${JSON.stringify(MAP)}</script><nav>menu</nav><p>Fog came in at noon`;

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://host").pathname);
  const file = join(root, path);
  if (path === "/") response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
  else if (extname(file) === ".js" && statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(200, { "Content-Type": "text/javascript" });
    createReadStream(file).pipe(response);
  } else response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const inPage = await page.evaluate(async () => {
    const { fingerprint } = await import("nearprint");
    const { nodeText } = await import("nearprint/html");
    return String(fingerprint(nodeText(document)));
  });
  assert.equal(inPage, "sd1:tohkysuixv3oy");
  const inWorker = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message || "the worker failed"));
      }),
  );
  assert.equal(inWorker, "sd1:tohkysuixv3oy");
  console.log(`Chromium ${browser.version()}: the package works in a page and in a worker`);
} finally {
  await browser.close();
  server.close();
}
