// What this implementation answers to the vectors of interchange, for Node and for browsers.

import { parse } from "../src/fingerprint.js";
import { InterchangeError, InterchangeReader, InterchangeWriter, interchangeRelation } from "../src/interchange.js";
import { SCHEMES } from "../src/schemes.js";

const encoder = new TextEncoder();
const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const NOTHING = { header: null, rows: null, count: null, sha256: null };

/** A file read in pieces of a size. */
function read(bytes, form, size) {
  const reader = new InterchangeReader({ form });
  const rows = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const { fingerprint, short, idBytes } of reader.update(bytes.subarray(at, at + size))) {
      rows.push([String(fingerprint), short, idBytes === undefined ? null : hexOf(idBytes)]);
    }
  }
  return { header: reader.header, rows, ...(size ? reader.finish() : {}), reader };
}

function reading({ form, text, fill, bytes_hex }) {
  const filling = fill ? "a".repeat(fill) : "…";
  const bytes = bytes_hex === undefined ? encoder.encode(text.replaceAll("…", filling)) : bytesOf(bytes_hex);
  const answers = [1 << 20, 65_537, fill ? 1_000 : 1].map((size) => {
    try {
      const { header, rows, count, sha256 } = read(bytes, form, size);
      const fields = header.fields.map(([name, value]) => [name, value.replaceAll(filling, "…")]);
      return { header: fields, rows, count, sha256, reason: null, line: null };
    } catch (error) {
      if (!(error instanceof InterchangeError)) throw error;
      return { ...NOTHING, reason: error.reason, line: error.line };
    }
  });
  if (new Set(answers.map((answer) => JSON.stringify(answer))).size !== 1) throw new Error("pieces of other sizes give another answer");
  return answers[0];
}

function written(header, rows, form) {
  try {
    const writer = new InterchangeWriter(header, { form });
    let text = writer.start();
    for (const [string, short, id] of rows) {
      const fingerprint = parse(string, Object.values(SCHEMES));
      if (String(fingerprint) !== string) return null; // This package cannot write a string that is not that of a fingerprint.
      text += writer.row({ fingerprint, short, id: id === null ? undefined : bytesOf(id) });
    }
    return text + writer.end();
  } catch (error) {
    if (!(error instanceof InterchangeError)) throw error;
    return null;
  }
}

export const INTERCHANGE_ANSWERS = {
  reading,
  writing: ({ header, rows, fill = 0 }) => {
    const filling = "a".repeat(fill);
    const fields = header.map(([name, value]) => [name, value.replace("…", filling)]);
    const filled = rows.map(([string, short, id]) => [string, short, id && id.replace("…", "61".repeat(fill))]);
    const [lines, jsonl] = ["lines", "jsonl"].map((form) => written(fields, filled, form));
    return fill ? { lines: lines && lines.replace(filling, "…"), jsonl } : { lines, jsonl };
  },
  comparing: ({ one, other }) => {
    const [first, second] = [one, other].map((text) => read(encoder.encode(text), undefined, text.length).reader);
    const { unlike, sameProfile, sameExtractors, far } = interchangeRelation(first, second);
    const [short, rows] = [[first.shortCount, second.shortCount], [first.count, second.count]];
    return { unlike, same_profile: sameProfile, same_extractors: sameExtractors, far, short, rows };
  },
};
