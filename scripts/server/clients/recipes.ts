// The recipes of docs/SERVER.md by the client that openapi-typescript and openapi-fetch make: recipes.js ADDRESS SAMPLES
// TOKEN. Prints each request that was sent, as clients.py writes those of the guide.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [address, samples, token] = process.argv.slice(2) as [string, string, string];
const named = ["authorization", "content-encoding", "idempotency-key"];

const note: Middleware = {
  onRequest({ request }) {
    const { pathname, searchParams } = new URL(request.url);
    const names = [...new Set(searchParams.keys())].sort().join(",");
    const headers = named.filter((name) => request.headers.has(name)).map((name) => ` +${name}`);
    console.log(`${request.method} ${pathname}?${names}${headers.join("")}`);
  },
};

function connect(headers: Record<string, string> = {}) {
  // Rows come as lines of JSON unless a client asks for an object.
  const client = createClient<paths, "application/json">({ baseUrl: address, headers: { Accept: "application/json", ...headers } });
  client.use(note);
  return client;
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** What was answered, which must be no problem. */
async function fine<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await asked;
  assert.ok(data !== undefined, `${response.status} ${JSON.stringify(error)}`);
  return data;
}

async function refused(asked: Promise<Answer<unknown>>): Promise<string> {
  const { error, response } = await asked;
  const problem = error as components["schemas"]["Problem"];
  assert.equal(problem.status, response.status);
  return problem.kind;
}

/** A document as a body: the description says that it is binary, for which types of TypeScript have a string. */
function file(bytes: Uint8Array) {
  return {
    body: bytes as unknown as string,
    bodySerializer: (body: unknown) => body as Uint8Array<ArrayBuffer>,
    headers: { "Content-Type": "application/octet-stream" },
  };
}

type Row = components["schemas"]["QueryRow"];
const isMatch = (row: Row): row is components["schemas"]["Match"] => row.schema === "nearprint/match/1";
const isComparison = (row: Row): row is components["schemas"]["Comparison"] => row.schema === "nearprint/comparison/1";
const sample = (name: string) => readFileSync(`${samples}/${name}`);

const client = connect();
const collection = "lights";
const path = { collection };

async function matches(body: object, query: paths["/v1/collections/{collection}/query"]["post"]["parameters"]["query"]) {
  const asked = client.POST("/v1/collections/{collection}/query", { params: { path, query }, ...(body as { body: {} }) });
  return (await fine(asked)).items;
}

async function documents() {
  const made = await fine(client.PUT("/v1/collections/{collection}", { params: { path }, body: { texts: true } }));
  assert.deepEqual([made.name, made.scheme, made.documents], ["lights", "md1", 0]);
  const add = "/v1/collections/{collection}/documents";
  for (const name of ["lighthouse/en.txt", "ferry/de.html"]) {
    const query = { id: name.split("/")[1]! };
    const added = await fine(client.PUT(add, { params: { path, query }, ...file(sample(name)) }));
    assert.deepEqual([added.status, added.outcome], [201, "added"]);
  }
  const pdf = file(sample("lighthouse/en.pdf"));
  const [found] = (await matches(pdf, {})).filter(isMatch);
  assert.deepEqual([found!.id, found!.duplicate], ["en.txt", true]);
  const [contained] = (await matches(pdf, { measure: "containment", threshold: 0.9 })).filter(isMatch);
  assert.equal(contained!.similarity, 1);
  const [near] = (await matches(pdf, { verify: false })).filter(isMatch);
  assert.deepEqual([near!.distance, near!.similarity], [0, null]);
  const again = await fine(client.PUT(add, { params: { path, query: { id: "en.pdf", "if-new": true } }, ...pdf }));
  assert.deepEqual([again.outcome, again.near[0]!.id], ["near", "en.txt"]);
  const page = file(sample("lighthouse/en.html"));
  const spent = await fine(client.PUT(add, { params: { path, query: { id: "en.html", budget: 1 } }, ...page }));
  assert.deepEqual([spent.outcome, spent.similar, spent.near[0]!.id], ["spent", 1, "en.txt"]);
  const items = [{ id: "a", text: "Fog came in at noon." }, { id: "b", text: "12" }];
  const batch = await fine(client.POST("/v1/collections/{collection}/documents/batch", { params: { path }, body: { items } }));
  assert.deepEqual(batch.items.map((row) => row.status), [201, 422]);
  const asked = { items: [{ id: "en.txt" }, { text: "Fog came in at noon." }] };
  const rows = await fine(
    client.POST("/v1/collections/{collection}/query/batch", { params: { path, query: { k: 0 } }, body: asked }),
  );
  assert.deepEqual(rows.items.filter(isMatch).map((row) => [row.query, row.id]), [["query-2", "a"]]);
}

async function withoutACollection() {
  const page = sample("lighthouse/en.html");
  const params = { query: { id: "en.html" } };
  const row = await fine(client.POST("/v1/fingerprint", { params, ...file(page) }));
  const compressed = connect({ "Content-Encoding": "gzip" });
  const again = await fine(compressed.POST("/v1/fingerprint", { params, ...file(gzipSync(page)) }));
  assert.deepEqual(row, again);
  const body = { a: { text: "Fog came in at noon." }, b: { text: "Fog came in at one." } };
  assert.equal((await fine(client.POST("/v1/compare", { body }))).distance, 8);
}

async function result(job: string): Promise<Record<string, unknown>[]> {
  const params = { path: { job } };
  while ((await fine(client.GET("/v1/jobs/{job}", { params }))).state !== "done") await setTimeout(10);
  // A result has as many lines as there are rows, and is read as it comes.
  const { data } = await client.GET("/v1/jobs/{job}/result", { params, parseAs: "text" });
  return (data as unknown as string).trimEnd().split("\n").map((line) => JSON.parse(line));
}

async function jobs() {
  const header = { "Idempotency-Key": "first" };
  const clusters = await fine(client.POST("/v1/jobs", { params: { header }, body: { type: "clusters", collection } }));
  assert.deepEqual(await result(clusters.id), [{ schema: "nearprint/end/1", rows: 0 }]);
  const wanted = { type: "dedup" as const, collection, threshold: 0.8, keep: "longest" };
  const dedup = await fine(client.POST("/v1/jobs", { body: wanted }));
  assert.equal((await result(dedup.id))[0]!["decision"], "keep");
  const files = { type: "import" as const, collection, path: "2026-11/crawl.warc.gz" };
  assert.equal(await refused(client.POST("/v1/jobs", { body: files })), "unsupported");
  const query = { collection, state: "done" as const, limit: 1 };
  const page = await fine(client.GET("/v1/jobs", { params: { query } }));
  assert.deepEqual([page.items[0]!.id, page.next_cursor], [dedup.id, dedup.id]);
}

async function metadata() {
  const text = "Fog came in at noon.";
  const documents = "/v1/collections/{collection}/documents";
  const body = { text, metadata: { crawl: "2026-11" } };
  assert.equal((await fine(client.PUT(documents, { params: { path, query: { id: "note" } }, body }))).status, 201);
  const where = "crawl=2026-11 and crawl!=2026-10";
  const [match] = (await matches({ body: { text } }, { where, metadata: true })).filter(isMatch);
  assert.deepEqual([match!.id, match!.metadata], ["note", { crawl: "2026-11" }]);
  const explained = await matches({ body: { text } }, { k: 0, limit: 1, explain: true });
  assert.equal(explained.filter(isMatch)[0]!.id, "a");
  assert.ok(explained.filter(isComparison)[0]!.passages);
  const seen = { ids: ["note", "a"], metadata: { seen: true } };
  const changed = await fine(client.POST(`${documents}/metadata`, { params: { path }, body: seen }));
  assert.equal(changed.changed, 2);
  const query = { where: "crawl in (2026-10, 2026-11) or not seen exists" };
  assert.equal((await fine(client.GET(`${documents}/count`, { params: { path, query } }))).count, 3);
  const first = { text: true, limit: 1, where: "seen=true" };
  const page = await fine(client.GET(documents, { params: { path, query: first } }));
  assert.ok("items" in page && page.items[0]!.text === text && page.next_cursor);
  const ids = { ids: ["note", "none"], text: true };
  const [found] = (await fine(client.POST(`${documents}/fetch`, { params: { path }, body: ids }))).items;
  assert.deepEqual(found!.metadata, { crawl: "2026-11", seen: true });
  const old = { where: "crawl<2020 and seen=true" };
  assert.equal((await fine(client.POST(`${documents}/delete`, { params: { path }, body: old }))).removed, 0);
}

async function copies() {
  const snapshots = "/v1/collections/{collection}/snapshots";
  const made = await fine(client.POST(snapshots, { params: { path } }));
  const listed = await fine(client.GET(snapshots, { params: { path } }));
  assert.deepEqual(listed.items.map((one) => one.id), [made.id]);
  const from = { path: { collection, snapshot: made.id } };
  const { data } = await client.GET(`${snapshots}/{snapshot}`, { params: from, parseAs: "arrayBuffer" });
  const to = { path: { collection: "copy", snapshot: "first" } };
  const sent = await fine(client.PUT(`${snapshots}/{snapshot}`, { params: to, ...file(new Uint8Array(data!)) }));
  assert.equal(sent.documents, 4);
  const restored = await fine(client.POST(`${snapshots}/{snapshot}/restore`, { params: to }));
  assert.equal(restored.documents, 4);
  const alias = { path: { alias: "current" } };
  await fine(client.PUT("/v1/aliases/{alias}", { params: alias, body: { collection: "copy" } }));
  const current = await fine(client.GET("/v1/collections/{collection}", { params: { path: { collection: "current" } } }));
  assert.equal(current.name, "copy");
}

async function captures() {
  const query = { id: "nothing" };
  const missing = client.GET("/v1/collections/{collection}/documents", { params: { path, query } });
  assert.equal(await refused(missing), "unknown-document");
  const items = [
    { id: "1", text: "Fog came in at noon.", capture: { url: "http://example.org/", date: "20250101000000" } },
    { id: "2", text: "Fog came in at dusk.", capture: { url: "https://www.example.org/", date: "20260101000000" } },
  ];
  await fine(client.POST("/v1/collections/{collection}/documents/batch", { params: { path }, body: { items } }));
  const of = { url: "example.org" };
  const page = await fine(client.GET("/v1/collections/{collection}/captures", { params: { path, query: of } }));
  assert.deepEqual(page.items.map((one) => one.changed), [null, 0.2]);
}

async function tokens() {
  // From the first token on, every request needs one; clients.py makes it when this line is read.
  console.log("token");
  while (!existsSync(token)) await setTimeout(10);
  const signed = connect({ Authorization: `Bearer ${readFileSync(token, "utf8").trim()}` });
  const listed = await fine(signed.GET("/v1/collections"));
  assert.ok(listed.items.some((one) => one.name === "lights"));
  assert.equal(await refused(client.GET("/v1/collections")), "unauthenticated");
}

for (const recipe of [documents, withoutACollection, jobs, metadata, copies, captures, tokens]) await recipe();
