/** The text of a node of a page in pieces, for `Fingerprinter.update`. */
export declare function nodePieces(root: Node): Generator<string, void, undefined>;

/** The text of a node of a page: of `document`, or of a part of it. */
export declare function nodeText(root: Node): string;

/** The text of HTML. Its scripts do not run, and nothing is loaded. Needs `DOMParser`, which workers do not have. */
export declare function htmlText(html: string): string;
