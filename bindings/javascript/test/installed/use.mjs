// A user's program in Node: scripts/installed.sh runs it where only the installed package is.

import assert from "node:assert/strict";

import { InterchangeReader, InterchangeWriter, fingerprint, parse } from "nearprint";

const one = fingerprint("Fog came in at noon");
assert.equal(String(one), "sd1:tohkysuixv3oy");
assert.equal(parse("sd1:aaaaaaaaaaaac").distance(parse("sd1:aaaaaaaaaaaae")), 2);
const writer = new InterchangeWriter([["Scheme", "sd1"]]);
const file = writer.start() + writer.row({ fingerprint: one, id: "a" }) + writer.end();
const reader = new InterchangeReader();
assert.equal([...reader.update(file)].length, 1);
assert.equal(reader.finish().count, 1);
console.log(`Node ${process.version}: the package works`);
