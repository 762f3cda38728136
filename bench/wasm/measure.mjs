// The JavaScript package beside a WebAssembly build of the crate, in Node: size, and processor time (the machine may be busy).
//
//     rustup target add wasm32-unknown-unknown
//     cargo build --release --target wasm32-unknown-unknown --manifest-path bench/wasm/Cargo.toml --target-dir build/wasm
//     node bench/wasm/measure.mjs build/wasm/wasm32-unknown-unknown/release/nearprint_wasm_measure.wasm

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { fingerprint } from "../../bindings/javascript/src/index.js";

const SAMPLES = new URL("../../samples/sources/", import.meta.url);
const SOURCE = new URL("../../bindings/javascript/src/", import.meta.url);
const LONG = 2e6;
const PAGE = 3000;
const SCHEMES = ["sd1", "sl1", "md1", "wd1"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const module = readFileSync(process.argv[2]);
const scripts = Buffer.concat(readdirSync(SOURCE).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(name, SOURCE))));
for (const [name, bytes] of [["wasm", module], ["js", scripts]]) {
  console.log(`${name}\t${bytes.length} bytes\t${gzipSync(bytes, { level: 9 }).length} with gzip`);
}

const { exports } = (await WebAssembly.instantiate(module, {})).instance;
const out = exports.alloc(414);

/** A string in, a string out, as a user would call it. */
function byWebAssembly(text, scheme) {
  const room = text.length * 3;
  const start = exports.alloc(room);
  const { written } = encoder.encodeInto(text, new Uint8Array(exports.memory.buffer, start, room));
  const length = exports.fingerprint(SCHEMES.indexOf(scheme), start, written, out);
  exports.free(start, room);
  return decoder.decode(new Uint8Array(exports.memory.buffer, out, length));
}

/** The least milliseconds of processor time of a call in five runs. */
function least(calls, call) {
  let best = Infinity;
  for (let run = 0; run < 5; run++) {
    const { user } = process.cpuUsage();
    for (let n = 0; n < calls; n++) call();
    best = Math.min(best, (process.cpuUsage().user - user) / 1000 / calls);
  }
  return best;
}

for (const scheme of ["sd1", "md1"]) {
  for (const language of ["en", "de", "ru", "ar", "hi", "ja", "ko"]) {
    const names = readdirSync(SAMPLES).filter((name) => name.endsWith(`.${language}.txt`));
    let text = names.map((name) => readFileSync(new URL(name, SAMPLES), "utf8")).join("\n");
    const page = text.slice(0, PAGE);
    while (text.length < LONG) text += text;
    text = text.slice(0, LONG);
    if (String(fingerprint(text, scheme)) !== byWebAssembly(text, scheme)) throw new Error(`${scheme} of ${language} differs`);
    const megabytes = encoder.encode(text).length / 1e6;
    const speeds = [fingerprint, byWebAssembly].map((call) => (megabytes / least(1, () => call(text, scheme))) * 1000);
    const times = [fingerprint, byWebAssembly].map((call) => least(50, () => call(page, scheme)));
    console.log(`${scheme}\t${language}\tjs ${speeds[0].toFixed(1)}\twasm ${speeds[1].toFixed(1)} MB/s\tpage js ${times[0].toFixed(2)}\twasm ${times[1].toFixed(2)} ms`);
  }
}
