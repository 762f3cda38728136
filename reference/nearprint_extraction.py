#!/usr/bin/env python3
"""A second extractor, written from spec/PROFILE.md alone: profile 1 with lxml, and pdftotext for PDF.

    nearprint_extraction.py FOLDER [DOCUMENT...]
        writes the text of each document of the corpus, or of those named, to FOLDER, as [21.2] says

It is simple on purpose. The tree of HTML is that of libxml2, which is not the HTML standard's: only pages without errors
of nesting have the same order of text. How PDF is laid out is pdftotext's affair, and running heads are found by a rule
of ten lines. Needs lxml (scripts/python-tools.txt has packages that bring it).
"""

from __future__ import annotations

import collections
import io
import posixpath
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from lxml import etree, html

SPEC = Path(__file__).resolve().parent.parent / "spec"
FORM_BYTES = 1000
BLANKS = re.compile("[\t\n\f\r ]+")
UNSPACED = "\u2e80-\u312f\u3190-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
JOINED = re.compile(f"(?<=[{UNSPACED}])\n+(?=[{UNSPACED}])")
BREAK = "\x1e"
"""What stands for a separation by an element, which no white space undoes."""


def words(text: str) -> frozenset[str]:
    """The names of a table's cell."""
    return frozenset(text.split())


class Text:
    """A text in pieces; white space is reduced at the end. [16.3] [16.4]"""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def add(self, text: str | None, *, preformatted: bool = False) -> None:
        if text:
            text = text.replace(BREAK, " ").replace("\0", "").replace("\u00ad", "")
            # Each piece is what stands between two tags, and its runs of white space are judged by themselves.
            text = text.replace("\n", BREAK) if preformatted else BLANKS.sub(reduced, text)
            self.pieces.append(text)

    def separate(self) -> None:
        self.pieces.append(BREAK)

    def finish(self) -> str:
        return finished("".join(self.pieces))


def reduced(run: re.Match[str]) -> str:
    """The run of white space that is left of a run."""
    return "\n" if "\n" in run[0] else " "


def finished(text: str) -> str:
    """The text with single blanks, one line for each separation by an element."""
    lines = (BLANKS.sub(" ", JOINED.sub("", line)).strip() for line in text.split(BREAK))
    return "\n".join(line for line in lines if line) + "\n"


# Section 17.

HTML_INLINE = words(
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q s samp small span "
    "strike strong sub sup time tt u var output ruby rb math mi mn mo ms mtext mrow msup msub msubsup mfrac msqrt mroot "
    "mover munder munderover mstyle mpadded menclose mfenced semantics"
)
HTML_EMPTY = words(
    "area base basefont bgsound col embed frame img input keygen link meta param source track wbr mspace"
)
HTML_OUT_JOINED = words("script style title textarea noscript iframe noembed noframes rt rp rtc")
HTML_OUT = words(
    "annotation annotation-xml audio video canvas datalist progress meter dialog menu applet map button select template svg"
)
HTML_PREFORMATTED = words("pre listing xmp")
LANDMARKS = words("header footer aside")
HEADINGS = words("h1 h2 h3 h4 h5 h6")
ARTICLES = words("article main")
MARGIN_ELEMENTS = words(
    "html body head div section blockquote address figure figcaption details summary hgroup center fieldset legend search "
    "object optgroup option frameset image"
)
HIDDEN_CLASSES = words(
    "sr-only visually-hidden visuallyhidden screen-reader-text noprint skip skiplink skip-link skip-nav skip-to-content "
    "headerlink viewcode-link lineno linenos linenodiv"
)
NOTE_ROLES = words("note doc-footnote doc-footnotes doc-endnotes doc-endnote doc-tip")
FURNITURE_ROLES = words(
    "navigation banner contentinfo search menu menubar toolbar dialog alertdialog tooltip doc-toc doc-pagelist"
)
NOTE_CLASSES = words("footnote footnote-list footnotes admonition note warning tip")
FURNITURE_CLASSES = words(
    "navbar nav-panel navheader navfooter navigation breadcrumb breadcrumbs sphinxsidebar menu toc-nav related"
)
MARGINS = words("header footer")
MARKS = ("note", "furniture", "title", "margin")


def words_of(value: str) -> list[str]:
    """The words of an attribute. [17.1]"""
    return BLANKS.sub(" ", value.lower()).strip(" ").split(" ")


def attributes_of(element: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in element.attrib.items()}


def is_hidden(attributes: dict[str, str]) -> bool:
    """[17.3]"""
    if attributes.get("hidden", "until-found").lower() != "until-found":
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    for declaration in attributes.get("style", "").lower().split(";"):
        name, _, value = declaration.partition(":")
        if (name.strip(), words_of(value)[0]) in {("display", "none"), ("visibility", "hidden")}:
            return True
    return not HIDDEN_CLASSES.isdisjoint(words_of(attributes.get("class", "")))


def class_mark(classes: list[str]) -> str | None:
    """The mark that classes give. [17.4]"""
    if not NOTE_CLASSES.isdisjoint(classes):
        return "note"
    found = None
    for word in classes:
        if found is None and word in FURNITURE_CLASSES:
            found = "furniture"
        elif found in {None, "margin"} and word == "title":
            found = "title"
        elif found is None and word in MARGINS:
            found = "margin"
    return found


def mark_of(attributes: dict[str, str]) -> str | None:
    """[17.4]"""
    role = words_of(attributes.get("role", ""))[0]
    found = {class_mark(words_of(attributes.get("class", "")))}
    found.add("note" if role in NOTE_ROLES else "furniture" if role in FURNITURE_ROLES else None)
    found.add("margin" if attributes.get("id", "").lower() in MARGINS else None)
    return next((mark for mark in MARKS if mark in found), None)


class Page:
    """The text of an HTML page."""

    def __init__(self) -> None:
        self.text = Text()
        self.has_content = False

    def children(self, element: Any, article: bool, out: bool, preformatted: bool) -> None:
        """The text inside of an element."""
        if not out:
            self.text.add(element.text, preformatted=preformatted)
        for child in element:
            if isinstance(child.tag, str):
                self.element(child, article, out, preformatted)
            elif child.tag is etree.Entity and not out:
                self.text.add(child.text)
            if not out:
                self.text.add(child.tail, preformatted=preformatted)

    def element(self, element: Any, article: bool, out: bool, preformatted: bool) -> None:
        name = etree.QName(element).localname.lower()
        attributes = attributes_of(element)
        hidden, mark = is_hidden(attributes), mark_of(attributes)
        if name in HEADINGS | ARTICLES or (mark == "title" and not hidden):
            self.has_content = True
        # libxml2 does not know that some of these are empty, and puts what follows into them.
        inline = name in HTML_INLINE | HTML_EMPTY
        separates = not (inline or name in HTML_OUT_JOINED) and not out
        if separates:
            self.text.separate()
        gone = out or hidden or name in HTML_OUT | HTML_OUT_JOINED or name == "nav"
        gone = gone or (name in LANDMARKS and not article and mark != "note")
        form = name == "form" or (mark == "margin" and name in MARGIN_ELEMENTS and not article)
        gone = gone or (mark == "furniture" and not inline and not form)
        inner = (article or name in ARTICLES, gone, preformatted or name in HTML_PREFORMATTED)
        if form and not gone:
            self.form(element, *inner)
        else:
            self.children(element, *inner)
        if separates:
            self.text.separate()

    def form(self, element: Any, article: bool, out: bool, preformatted: bool) -> None:
        """[17.6]"""
        outer, start = self.has_content, len(self.text.pieces)
        self.has_content = False
        self.children(element, article, out, preformatted)
        length = len(finished("".join(self.text.pieces[start:])).strip().encode())
        if not self.has_content and length < FORM_BYTES:
            del self.text.pieces[start:]
            self.text.separate()
        self.has_content |= outer


def page_text(root: Any) -> str:
    page = Page()
    page.element(root, article=False, out=False, preformatted=False)
    return page.text.finish()


def html_text(content: bytes) -> str:
    parser = html.HTMLParser(encoding=html_charset(content), huge_tree=True)
    return page_text(html.document_fromstring(content, parser=parser))


def html_charset(content: bytes) -> str | None:
    """The charset that a page states; libxml2 knows only the older form."""
    found = re.search(rb"<meta[^>]*charset=[\"']?\s*([\w:-]+)", content[:1024], re.IGNORECASE)
    return found[1].decode() if found else "utf-8"


# Section 18, and the tables of section 19, which have the same shape.


class Vocabulary(NamedTuple):
    """Fates by local names."""

    inline: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    metadata: frozenset[str] = frozenset()
    breaks: frozenset[str] = frozenset()
    preformatted: frozenset[str] = frozenset()
    separate: frozenset[str] = frozenset()
    rest_is_inline: bool = False
    text_in: str | None = None


XML = Vocabulary(
    inline=words(
        "b bold i italic em emph emphasis hi strong sub sup subscript superscript sc smallcaps small tt u underline "
        "underscore overline strike del ins span s monospace sans-serif roman styled-content g c ex add supplied unclear "
        "wordasword sgmltag subst named-content ph ruby rb x"
    ),
    out=words(
        "metadata meta docinfo prolog journal-meta processing-meta collection-meta standOff facsimile script style "
        "stylesheet workgroup area indexterm index-term screeninfo remark textobject alt alt-text long-desc figDesc "
        "draft-comment required-cleanup tex-math annotation annotation-xml object-id fw rt rp cref pub-id related-article "
        "refmeta titleabbrev suppliedMeta"
    ),
    metadata=words(
        "info bookinfo articleinfo chapterinfo sectioninfo appendixinfo prefaceinfo partinfo setinfo refentryinfo "
        "referenceinfo sect1info sect2info sect3info article-meta front-stub book-meta book-part-meta topicmeta teiHeader "
        "profileDesc"
    ),
    breaks=words("lb pb cb gb milestone br break sbr tab vspace"),
    preformatted=words(
        "programlisting screen literallayout synopsis preformat codeblock artwork sourcecode pre verse-group eg msgblock "
        "pre-text"
    ),
    separate=words(
        "keycap keysym keycode mousebutton entry td th cell ttcol p para simpara title subtitle head div sec section sect1 "
        "sect2 sect3 sect4 sect5 chapter appendix list item listitem list-item li ul ol dl dt dd row tr table caption fig "
        "figure note abstract body front back l lg sp speaker stage varlistentry t blockquote reference bibl disp-quote "
        "disp-formula article-title h1 h2 h3 h4 h5 h6 step cmd shortdesc bibliomixed ab"
    ),
)
OPENDOCUMENT = Vocabulary(
    out=words(
        "tracked-changes annotation annotation-end font-face-decls automatic-styles styles forms settings meta scripts title "
        "desc ruby-text notes hidden-text note-citation index-source event-listeners table-of-content-source"
    ),
    separate=words(
        "p h table-row table-cell covered-table-cell list-item note-body page text-box section line-break s tab"
    ),
    rest_is_inline=True,
)
OOXML = Vocabulary(
    out=words("del moveFrom Fallback rt comment"),
    separate=words("p tr tc sp footnote endnote txbxContent br cr tab ptab"),
    rest_is_inline=True,
    text_in="t",
)
FLAT_OPC = OOXML._replace(
    out=OOXML.out
    | words("binaryData hdr ftr comments glossaryDocument notes notesMaster sldMaster sldLayout handoutMaster")
)
FLAT_OPENDOCUMENT = OPENDOCUMENT._replace(out=OPENDOCUMENT.out | words("binary-data meta settings master-styles"))
KEPT_METADATA = words(
    "title subtitle title-group trans-title-group book-title-group abstract trans-abstract legalnotice profileDesc"
)
PREFERRED = words("corr reg expan seg unclear")
OFF = words("0 false off")
SLIDE_FURNITURE = words("sldNum ftr dt hdr")


class Markup:
    """The text of an XML document."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.text = Text()
        self.last = "start"
        self.hidden: set[str] = set()
        """Names of open elements of which the rest is out. [19.2]"""
        self.menus: list[list[str]] = []
        """Of each open `menuchoice` the shortcuts that stand at its end. [18.6]"""
        self.is_moving = False

    def characters(self, text: str | None, holder: str, preformatted: bool) -> None:
        only = self.vocabulary.text_in
        if text and not self.hidden and (only is None or holder == only):
            self.text.add(text, preformatted=preformatted)
            if BLANKS.sub("", text):
                self.last = "text"

    def children(self, element: Any, name: str, preformatted: bool) -> None:
        self.characters(element.text, name, preformatted)
        for child in element:
            if isinstance(child.tag, str):
                self.element(child, name, preformatted)
            self.characters(child.tail, name, preformatted)

    def element(self, element: Any, parent: str, preformatted: bool) -> None:
        name, fates = etree.QName(element).localname, self.vocabulary
        if name in fates.out or (parent in fates.metadata and name not in KEPT_METADATA):
            return
        if fates is XML and parent == "choice" and name not in PREFERRED:
            return
        if fates.text_in and self.office(element, name):
            return
        separates = name in fates.separate | fates.metadata | fates.preformatted
        separates |= name in fates.breaks and element.get("break") != "no"
        by_place = not (fates.rest_is_inline or separates or name in fates.inline | fates.breaks or name == "choice")
        start = len(self.text.pieces)
        moves = fates is XML and name == "shortcut" and bool(self.menus) and not self.is_moving
        self.is_moving |= moves
        if separates or (by_place and self.last == "end"):
            self.text.separate()
        self.last = "start"
        if fates is XML and name == "menuchoice":
            self.menus.append([])
        self.children(element, name, preformatted or name in fates.preformatted)
        if fates is XML and name == "menuchoice":
            self.text.pieces.extend(piece for text in self.menus.pop() for piece in (BREAK, text))
        self.hidden.discard(name)
        if separates and name not in fates.breaks:
            self.text.separate()
        self.last = "text" if name in fates.inline or fates.rest_is_inline else "end"
        if moves:
            self.is_moving = False
            whole = "".join(self.text.pieces[start:])
            moved = finished(whole).strip().replace("\n", BREAK)
            self.menus[-1].extend([moved] if moved else [])
            self.text.pieces[start:] = [BREAK if moved else whole.replace(BREAK, "")]

    def office(self, element: Any, name: str) -> bool:
        """The rules of Office Open XML that depend on attributes; whether the element is out. [19.2]"""

        def value(wanted: str) -> str | None:
            return next((v for key, v in element.attrib.items() if etree.QName(key).localname == wanted), None)

        if name == "noBreakHyphen" and not self.hidden:
            self.text.add("\u2011")
        if name == "vanish" and value("val") not in OFF:
            self.hidden.add("r")
        if name == "ph" and value("type") in SLIDE_FURNITURE:
            self.hidden.add("sp")
        return name == "sld" and value("show") in OFF


def parsed(content: bytes) -> Any:
    return etree.fromstring(
        content, etree.XMLParser(resolve_entities=True, load_dtd=False, no_network=True, huge_tree=True)
    )


def markup_text(root: Any, vocabulary: Vocabulary) -> str:
    markup = Markup(vocabulary)
    markup.element(root, "", preformatted=False)
    return markup.text.finish()


def xml_text(content: bytes) -> str:
    root = parsed(content)
    name = etree.QName(root)
    if name.localname == "html":
        return page_text(root)
    if name.namespace == "http://schemas.microsoft.com/office/2006/xmlPackage":
        return markup_text(root, FLAT_OPC)
    if name.text == "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}document":
        return markup_text(root, FLAT_OPENDOCUMENT)
    return markup_text(root, XML)


# Section 19.


def named(root: Any, local: str) -> list[Any]:
    return [element for element in root.iter("{*}" + local, local) if isinstance(element.tag, str)]


def epub_text(package: zipfile.ZipFile) -> str:
    """[19.1]"""
    path = named(parsed(package.read("META-INF/container.xml")), "rootfile")[0].get("full-path")
    document = parsed(package.read(path))
    pages = {}
    for item in named(document, "item"):
        if "html" in item.get("media-type", "") and "nav" not in item.get("properties", "").split():
            pages[item.get("id")] = posixpath.join(posixpath.dirname(path), unquote(item.get("href")))
    listed = [pages[ref.get("idref")] for ref in named(document, "itemref") if ref.get("idref") in pages]
    return "".join(page_text(parsed(package.read(page))) for page in dict.fromkeys(listed))


def related(package: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Kind and part of each relationship of a part, by its id."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if path not in package.namelist():
        return {}
    found = {}
    for relationship in named(parsed(package.read(path)), "Relationship"):
        target = posixpath.normpath(posixpath.join("/", folder, relationship.get("Target"))).lstrip("/")
        found[relationship.get("Id")] = (relationship.get("Type").rpartition("/")[2], target)
    return found


def office_text(package: zipfile.ZipFile) -> str:
    """[19.2] [19.3] [19.4]"""
    if "content.xml" in package.namelist():
        return markup_text(parsed(package.read("content.xml")), OPENDOCUMENT)
    main = next(target for kind, target in related(package, "").values() if kind == "officeDocument")
    document, relations = parsed(package.read(main)), related(package, main)
    kind = etree.QName(document).localname
    if kind == "workbook":
        return workbook_text(package, document, relations)
    if kind == "presentation":
        listed = [id_of(slide) for slide in named(document, "sldId")]
        parts = list(dict.fromkeys(relations[number][1] for number in listed))
    else:
        notes = [t for k in ("footnotes", "endnotes") for kind, t in relations.values() if kind == k]
        parts = [main, *notes]
    return "".join(markup_text(parsed(package.read(part)), OOXML) for part in parts)


def id_of(element: Any) -> str:
    """The id of a relationship, which has a prefix."""
    return next(value for key, value in element.attrib.items() if key.startswith("{") and key.endswith("}id"))


def workbook_text(package: zipfile.ZipFile, workbook: Any, relations: dict[str, tuple[str, str]]) -> str:
    """[19.3]"""

    def string(element: Any) -> str:
        texts = (
            t for t in named(element, "t") if not any(etree.QName(up).localname == "rPh" for up in t.iterancestors())
        )
        return "".join(t.text or "" for t in texts)

    shared: list[str] = []
    for kind, target in relations.values():
        if kind == "sharedStrings":
            shared = [string(item) for item in named(parsed(package.read(target)), "si")]
    lines = []
    for sheet in named(workbook, "sheet"):
        if sheet.get("state", "visible") != "visible":
            continue
        for cell in named(parsed(package.read(relations[id_of(sheet)][1])), "c"):
            value = "".join(v.text or "" for v in named(cell, "v"))
            form = cell.get("t")
            if form == "s":
                value = shared[int(value)]
            elif form == "b":
                value = "TRUE" if value.strip() == "1" else "FALSE"
            lines.append(value or string(cell))
    return finished(BREAK.join(lines))


# Section 20.

NUMBER = re.compile(r"\d+")


def pdf_text(path: Path) -> str:
    """The text by pdftotext, without the first and last lines that return on the pages, and with words whole."""
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=True)
    pages = [page.strip("\n").split("\n") for page in done.stdout.decode().split("\f")]
    pages = [page for page in pages if any(line.strip() for line in page)]
    edges = collections.Counter(NUMBER.sub("0", line.strip()) for page in pages for line in edge(page))
    lines: list[str] = []
    for page in pages:
        furniture = {line for line in edge(page) if edges[NUMBER.sub("0", line.strip())] > 1 and len(pages) > 2}
        lines.extend(line for line in page if line not in furniture)
    text = "\n".join(lines)
    text = re.sub(r"(?<=[^\W\d_])[-\u2010\u00ad]\n+(?=[^\W\d_])", "", text)
    return finished(text)


def edge(page: list[str]) -> list[str]:
    """The lines of a page that may be a running head or foot."""
    full = [line for line in page if line.strip()]
    return [*full[:2], *full[-2:]]


def text_of(path: Path) -> str:
    """The text of a document, by its name and beginning."""
    content = path.read_bytes()
    if path.suffix == ".pdf":
        return pdf_text(path)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return epub_text(package) if "META-INF/container.xml" in package.namelist() else office_text(package)
    return html_text(content) if path.suffix == ".html" else xml_text(content)


def corpus() -> list[str]:
    lines = (SPEC / "extraction" / "corpus.tsv").read_text("utf-8").splitlines()
    return [line.split("\t")[0] for line in lines[1:]]


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    for name in sys.argv[2:] or corpus():
        target = folder / f"{name.removeprefix('../')}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text_of(SPEC / name), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
