// The text of HTML, by the browser's own DOM: what nearprint's extractor takes as the document, and what it leaves out.
//
// Left out: nav, and header, footer and aside outside of article and main; forms without content; controls, menus and
// dialogs; what attributes hide; the same by ARIA role and by a few classes; script, style, template, noscript, svg; the
// title, which is metadata; alternative texts; annotations of ruby. All else is text. Styles are not looked at, and a page
// of which next to nothing is left is not read a second time.
//
// This module needs a DOM, which workers do not have: pass the text to a worker, not the page.

const INLINE = 0;
const BLOCK = 1;
const DROPPED = 2;
const EMPTY = 3;
const NAV = 4;
const LANDMARK = 5;
const FORM = 6;

const ROLES = new Map();
for (const [role, names] of [
  [
    INLINE,
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike " +
      "strong sub sup time tt u var output mi mn mo ms mtext mrow msup msub msubsup mfrac msqrt mroot mover munder munderover " +
      "mstyle mpadded menclose mfenced semantics math ruby rb",
  ],
  [
    DROPPED,
    "rt rp rtc annotation annotation-xml audio video canvas datalist progress meter dialog menu applet map button select " +
      "template svg script style title textarea noscript iframe noembed noframes",
  ],
  [EMPTY, "area base basefont bgsound col embed frame img input keygen link meta param source track wbr mspace"],
  [NAV, "nav"],
  [LANDMARK, "header footer aside"],
  [FORM, "form"],
]) {
  for (const name of names.split(" ")) ROLES.set(name, role);
}
const CONTENT = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "article", "main"]);
const ARTICLE = new Set(["article", "main"]);
/** Blocks that are the head or foot of a page where their class or id says so. */
const MARGIN_BLOCKS = new Set(
  "html body head div section blockquote address figure figcaption details summary hgroup center fieldset legend search object optgroup option frameset image".split(" "),
);
/** A form with so much text wraps content: whole pages are forms on some servers. */
const FORM_TEXT = 1000;

const words = (text) => new Set(text.split(" "));
const FURNITURE_ROLES = words("navigation banner contentinfo search menu menubar toolbar dialog alertdialog tooltip doc-toc doc-pagelist");
const NOTE_ROLES = words("note doc-footnote doc-footnotes doc-endnotes doc-endnote doc-tip");
const HIDDEN_CLASSES = words(
  "sr-only visually-hidden visuallyhidden screen-reader-text noprint skip skiplink skip-link skip-nav skip-to-content " +
    "headerlink viewcode-link lineno linenos linenodiv",
);
const FURNITURE_CLASSES = words(
  "navbar nav-panel navheader navfooter navigation breadcrumb breadcrumbs sphinxsidebar menu toc-nav related",
);
const NOTE_CLASSES = words("footnote footnote-list footnotes admonition note warning tip");
const MARGINS = words("header footer");

// What the attributes of an element say, the strongest first.
const HIDDEN = 5;
const NOTE = 4;
const FURNITURE = 3;
const TITLE = 2;
const MARGIN = 1;

function styleMark(style) {
  for (const rule of style.split(";")) {
    const [property, value = ""] = rule.toLowerCase().split(/:(.*)/s);
    const [first = ""] = value.trim().split(/\s+/);
    const name = property.trim();
    if ((name === "display" && first === "none") || (name === "visibility" && first === "hidden")) return HIDDEN;
  }
  return 0;
}

function roleMark(value) {
  const [first] = value.trim().toLowerCase().split(/\s+/);
  return FURNITURE_ROLES.has(first) ? FURNITURE : NOTE_ROLES.has(first) ? NOTE : 0;
}

function classMark(value) {
  const names = value.toLowerCase().split(/\s+/);
  const has = (set) => names.some((name) => set.has(name));
  if (has(HIDDEN_CLASSES)) return HIDDEN;
  if (has(NOTE_CLASSES)) return NOTE;
  if (has(FURNITURE_CLASSES)) return FURNITURE;
  return names.includes("title") ? TITLE : has(MARGINS) ? MARGIN : 0;
}

function markOf(element) {
  const mark = (name, of) => (element.hasAttribute(name) ? of(element.getAttribute(name)) : 0);
  return Math.max(
    mark("hidden", (value) => (value.toLowerCase() === "until-found" ? 0 : HIDDEN)),
    mark("aria-hidden", (value) => (value.toLowerCase() === "true" ? HIDDEN : 0)),
    mark("style", styleMark),
    mark("role", roleMark),
    mark("class", classMark),
    mark("id", (value) => (MARGINS.has(value.toLowerCase()) ? MARGIN : 0)),
  );
}

/** Text that is kept back until a form, or the head or foot of a page, ends. */
class Held {
  pieces = [];
  length = 0;
  hasContent = false;

  add(piece) {
    this.pieces.push(piece);
    this.length += piece.replace(/\s+/g, " ").length;
  }

  /** The text, if it is the document's. */
  get kept() {
    return this.hasContent || this.length >= FORM_TEXT ? this.pieces : [];
  }
}

const KEPT = 0;
const LEFT_OUT = 1;
const HELD = 2;

/** What becomes of an element's content. */
function fate(name, role, mark, isInArticle) {
  if (mark === HIDDEN || role === DROPPED) return LEFT_OUT;
  if (role === NAV || (role === LANDMARK && mark !== NOTE && !isInArticle)) return LEFT_OUT;
  if (role === FORM || (mark === MARGIN && MARGIN_BLOCKS.has(name) && !isInArticle)) return HELD;
  return mark === FURNITURE && role !== INLINE ? LEFT_OUT : KEPT;
}

/** The text of a node in pieces, for a `Fingerprinter`. Memory is bounded by the longest form. */
export function* nodePieces(root) {
  const held = [];
  let articles = 0;
  const out = (piece) => {
    if (held.length === 0) return true;
    held.at(-1).add(piece);
    return false;
  };
  // An element is on the stack twice: for its start, and for what follows its content.
  const stack = [{ node: root }];
  while (stack.length > 0) {
    const { node, end } = stack.pop();
    if (end) {
      const kept = end();
      for (const piece of kept) if (out(piece)) yield piece;
      continue;
    }
    if (node.nodeType === 3 || node.nodeType === 4) {
      if (out(node.data)) yield node.data;
      continue;
    }
    if (node.nodeType !== 1 && node.nodeType !== 9 && node.nodeType !== 11) continue;
    const name = node.localName?.toLowerCase();
    const role = name === undefined ? INLINE : (ROLES.get(name) ?? BLOCK);
    const isBlock = role === BLOCK || role >= NAV;
    const mark = name === undefined ? 0 : markOf(node);
    if (isBlock && out("\n")) yield "\n";
    if (CONTENT.has(name) || mark === TITLE) for (const part of held) part.hasContent = true;
    if (role === EMPTY) continue;
    const content = fate(name, role, mark, articles > 0);
    if (content === LEFT_OUT) continue;
    const isArticle = ARTICLE.has(name);
    if (isArticle) articles++;
    if (content === HELD) held.push(new Held());
    stack.push({
      end: () => {
        if (isArticle) articles--;
        const kept = content === HELD ? held.pop().kept : [];
        return isBlock ? [...kept, "\n"] : kept;
      },
    });
    for (let child = node.lastChild; child; child = child.previousSibling) stack.push({ node: child });
  }
}

/** The text of a node of a page: of `document`, or of a part of it. */
export function nodeText(root) {
  return [...nodePieces(root)].join("");
}

/** The text of HTML; scripts of it do not run, and nothing is loaded. */
export function htmlText(html) {
  return nodeText(new DOMParser().parseFromString(html, "text/html"));
}
