// What the package offers. docs: README.md; types: index.d.ts.

export { Fingerprint, ParseError, SchemeMismatchError, fromDecimal, fromHex, parse } from "./fingerprint.js";
export { Fingerprinter, fingerprint, tokens } from "./fingerprinter.js";
export { SCHEMES } from "./schemes.js";
export { DeclarationError } from "./declaration.js";
export { customFingerprint, declare, documentFrequencies, seomozLegacy, stopList } from "./custom.js";
export { InterchangeError, InterchangeReader, InterchangeWriter, interchangeRelation } from "./interchange.js";
