// Goes through all pages of a server in Chromium, as a person does: checks a PDF, opens it side by side with a match,
// compares revisions in several scripts, starts a job and cancels one. In both themes and two widths, each page is
// checked with axe, must not scroll sideways, must say nothing on the console, and is kept as a screenshot.
//
// pages.mjs ADDRESS SCREENSHOTS SAMPLES, after scripts/server/browser.sh has filled the server.
import { readFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const [address, screenshots, samples] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "node_modules/"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(screenshots, { recursive: true });

const problems = new Set();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

/** A page of its own, and what looks at it. */
const opened = async (colorScheme, width) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const seen = { context, page, where: "", refused: false };
  page.on("console", (message) => {
    // Chromium says of every page with an error's status that it has one.
    const isStatus = seen.refused && message.text().includes("status of 403");
    if (message.type() === "error" && !isStatus) problems.add(`${seen.where}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.add(`${seen.where}: ${error}`));
  seen.look = async (name) => {
    seen.where = `${name}, ${colorScheme}, ${width}`;
    await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) {
      problems.add(`${seen.where}: it scrolls sideways`);
    }
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run());
    for (const { id, nodes } of violations) problems.add(`${seen.where}: ${id}: ${nodes[0].html.slice(0, 120)}`);
  };
  return seen;
};

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    const { context, page, look } = await opened(colorScheme, width);
    const open = (path) => page.goto(address + path);
    const compare = async (name, a, b) => {
      await open("/compare");
      await page.setInputFiles("#a-file", join(samples, a));
      await page.setInputFiles("#b-file", join(samples, b));
      await page.click("button:text('Compare')");
      await page.waitForSelector(".differ");
      await look(name);
    };

    await open("/");
    await look("check");
    await page.setInputFiles("#file", join(samples, "lighthouse/en.pdf"));
    await page.selectOption("#collection", "samples");
    await page.click("button:text('Check')");
    await page.waitForSelector("text=Seen before");
    await look("checked");
    await page.click("tr:has-text('lighthouse/en-revised.txt') button");
    await page.waitForSelector(".differ");
    await look("side-by-side");
    await open("/compare");
    await look("compare");
    await compare("compared-hi", "rainwater/hi.txt", "rainwater/hi-revised.txt");
    await compare("compared-ar", "desert-stars/ar.html", "desert-stars/ar-revised.html");
    await compare("compared-ja", "paper-town/ja.html", "paper-town/ja-revised.html");
    await open("/collections");
    await look("collections");
    await open("/collections/empty");
    await look("collection-empty");
    await open("/collections/samples");
    await look("collection");
    await page.setInputFiles("#file", ["rainwater/hi.txt", "paper-town/ja.html"].map((file) => join(samples, file)));
    await page.click("button:text-is('Add')");
    await page.waitForSelector("text=2 documents added");
    await look("added");
    await open("/collections/samples");
    await page.click("td a[href*='lighthouse/en.html']");
    await page.waitForSelector("text=Near-duplicates");
    await look("document");
    await open("/collections/samples");
    await page.click("button:text('Find clusters')");
    await look("job");
    // The page brings itself up to date.
    await page.waitForSelector("text=Look at the result");
    await look("job-done");
    await page.click("text=Look at the result");
    await page.waitForSelector(".cluster");
    await look("clusters");
    await open("/collections/large");
    await look("collection-large");
    // Jobs run one after the other: behind these, one waits long enough to be cancelled.
    for (let before = 0; before < 6; before++) {
      await page.request.post(`${address}/v1/jobs`, { data: { type: "pairs", collection: "large" } });
    }
    await open("/collections/large");
    await page.click("button:text('Find clusters')");
    await page.click("button:text('Cancel')");
    await page.waitForSelector(".pill.cancelled");
    await look("job-cancelled");
    await open("/jobs");
    await look("jobs");
    await open("/collections/captures/addresses");
    await look("hosts");
    await open("/collections/captures/addresses?host=example.org");
    await look("addresses");
    await open("/collections/captures/captures");
    await look("captures-form");
    await page.fill("#url", "example.org/harrow-skerry");
    await page.click("main button:text('Show')");
    await page.waitForSelector(".calendar");
    await look("captures");
    await page.check("#main-content");
    await page.click("main button:text('Show')");
    await page.waitForSelector("#main-content:checked");
    await look("captures-main-content");
    await page.click("tr:has(meter) >> text=what changed");
    await page.waitForSelector(".differ");
    await look("captures-compared");
    await open("/collections/captures/captures?url=example.org/nothing");
    await look("captures-empty");
    await open("/reference");
    await look("reference");
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    await look("reference-open");
    await open("/problems/no-texts");
    await look("problem-kind");
    await context.close();
  }
}

// With tokens: what is seen without one, with a wrong one, and by somebody who may only read.
const token = (right) =>
  execFileSync(
    process.env.NEARPRINT,
    ["serve", "token", "create", process.env.COLLECTIONS, "--name", `Reading room (${right})`, "--right", right],
    { stdio: ["ignore", "pipe", "ignore"] },
  )
    .toString()
    .trim();
const tokens = { read: token("read"), admin: token("admin") };
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    const seen = await opened(colorScheme, width);
    const { context, page, look } = seen;
    const signIn = async (secret) => {
      await page.fill("#token", secret);
      await page.click("main button:text('Sign in')");
    };
    await page.goto(`${address}/collections`);
    await page.waitForSelector("#token");
    await look("sign-in");
    seen.refused = true;
    await signIn("npt_00000000_wrong");
    await page.waitForSelector("#wrong");
    await look("sign-in-wrong");
    await signIn(tokens.read);
    await page.waitForSelector("text=Sign out");
    if (new URL(page.url()).pathname !== "/collections") problems.add(`sign-in leads to ${page.url()}`);
    await look("collections-reader");
    await page.goto(`${address}/collections/samples`);
    await look("collection-reader");
    // Another site's page could not do this; a reader may not, either.
    const refused = await page.request.put(`${address}/v1/collections/x`, { headers: { Origin: address } });
    if (refused.status() !== 403) problems.add(`a reader creates a collection: ${refused.status()}`);
    await page.click("button:text('Sign out')");
    await page.waitForSelector("#token");
    await page.goto(`${address}/`);
    await signIn(tokens.admin);
    await page.waitForSelector("text=Sign out");
    await look("check-admin");
    await context.close();
  }
}
await browser.close();
const found = [...problems];
for (const problem of found) console.error(problem);
console.log(`${found.length} problems`);
process.exit(found.length ? 1 : 0);
