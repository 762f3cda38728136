// Goes through all pages of a server in Chromium, as a person does: checks a PDF, opens it side by side with a match,
// compares revisions in several scripts, starts a job and cancels one. In both themes and two widths, each page is
// checked with axe, must not scroll sideways, must say nothing on the console, and is kept as a screenshot.
//
// pages.mjs ADDRESS SCREENSHOTS SAMPLES, after scripts/server/browser.sh has filled the server.
import { readFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
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

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    let where = "";
    page.on("console", (message) => message.type() === "error" && problems.add(`${where}: ${message.text()}`));
    page.on("pageerror", (error) => problems.add(`${where}: ${error}`));

    const look = async (name) => {
      where = `${name}, ${colorScheme}, ${width}`;
      await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) {
        problems.add(`${where}: it scrolls sideways`);
      }
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run());
      for (const { id, nodes } of violations) problems.add(`${where}: ${id}: ${nodes[0].html.slice(0, 120)}`);
    };
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
    await page.click("td a >> text=lighthouse/en.html");
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
    await open("/reference");
    await look("reference");
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    await look("reference-open");
    await open("/problems/no-texts");
    await look("problem-kind");
    await context.close();
  }
}
await browser.close();
const found = [...problems];
for (const problem of found) console.error(problem);
console.log(`${found.length} problems`);
process.exit(found.length ? 1 : 0);
