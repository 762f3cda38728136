// The schemes of the family, and what tells their fingerprints apart. Section 1, and clauses [7.10], [11.8], [11.10].

/** @typedef {import("./index.d.ts").Scheme} Scheme */

/** Whether fingerprints of a scheme of so many bits match closely or loosely, by their distance. [7.10] [13.8] */
export function simhashScheme(id, bits, [close, loose, within] = [1, 6, 3]) {
  return Object.freeze({ id, bytes: bits / 8, positions: bits, close, loose, within });
}

function sketchScheme(id, loose) {
  return Object.freeze({ id, bytes: 256, positions: 128, close: 25, loose, within: loose });
}

export const SCHEMES = Object.freeze({
  sd1: simhashScheme("sd1", 64),
  sl1: simhashScheme("sl1", 64),
  md1: sketchScheme("md1", 89),
  wd1: sketchScheme("wd1", 64),
  "seomoz-legacy": simhashScheme("seomoz-legacy", 64),
});

/** The scheme of a name, or the scheme itself. */
export function schemeOf(name) {
  const scheme = typeof name === "string" ? (Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined) : name;
  if (scheme?.positions === undefined) {
    throw new RangeError(`unknown scheme ${String(name)}; there are ${Object.keys(SCHEMES).join(", ")}, and what declare() returns`);
  }
  return scheme;
}
