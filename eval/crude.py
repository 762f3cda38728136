"""Crude text of a document in any medium, for checking labels.

A label says that two files are renderings of one document. It must not rest on the extractor under test, so the
corpus is checked with what is here: poppler's pdftotext and a few regular expressions. This is a judge of labels, not
a measure of quality.
"""

from __future__ import annotations

import html
import io
import re
import subprocess
import unicodedata
import zipfile
from collections import Counter

PDF_SECONDS = 120
MEMBER_BYTES = 32 << 20  # of one file of a zip container

DROPPED = re.compile(r"<!--.*?-->|<(script|style|noscript|svg)\b.*?</\1\s*>", re.S | re.I)
DECLARATION = re.compile(r"<!DOCTYPE[^\[>]*(\[.*?\])?\s*>|<\?.*?\?>", re.S | re.I)
CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)
INLINE = re.compile(
    r"</?(?:a|b|i|u|em|strong|span|font|tt|code|small|big|sub|sup|wbr|acronym|abbr|emphasis|literal|filename)\b[^<>]*>",
    re.I,
)
TAG = re.compile(r"<[/!]?[A-Za-z][^<>]*>")
ENTITY_DECLARED = re.compile(r"<!ENTITY\s+([\w.-]+)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
ENTITY_USED = re.compile(r"&([A-Za-z_][\w.-]*);")
CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?([A-Za-z0-9_.:-]+)", re.I)
OVERSTRIKE = re.compile(r".\x08")
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n\s*(?=[^\W\d_])")
UNSPACED = (  # as the inside of a class
    "\u3005-\u3007\u3031-\u3035\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
WORD = re.compile(rf"[{UNSPACED}]+|[^\W\d_{UNSPACED}](?:[^\W_{UNSPACED}]|[\u0300-\u036f\u0900-\u0dff])*")
IS_UNSPACED = re.compile(f"[{UNSPACED}]")


def decoded(data: bytes) -> str:
    """The characters of a file: by byte order mark, as UTF-8, by what it declares, else as Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    declared = CHARSET.search(data[:2048])
    for name in ("utf-8-sig", declared.group(1).decode("ascii") if declared else "", "cp1252"):
        try:
            return data.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("latin-1")


def from_markup(data: bytes) -> str:
    """HTML or XML without its tags; entities that the file itself declares are put in."""
    text = decoded(data)
    entities = {name: double or single for name, double, single in ENTITY_DECLARED.findall(text)}
    text = CDATA.sub(lambda found: html.escape(found.group(1)), text)
    text = DECLARATION.sub(" ", DROPPED.sub(" ", text))
    text = ENTITY_USED.sub(lambda found: entities.get(found.group(1), found.group(0)), text)
    return html.unescape(TAG.sub(" ", INLINE.sub("", text)))


def from_plain(data: bytes) -> str:
    """Plain text as a terminal would show it, words divided at line ends joined."""
    return HYPHEN.sub("", ESCAPE.sub("", OVERSTRIKE.sub("", decoded(data))))


def from_pdf(data: bytes) -> str:
    """What pdftotext finds; nothing where it fails."""
    command = ["pdftotext", "-enc", "UTF-8", "-nopgbrk", "-", "-"]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=PDF_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return HYPHEN.sub("", done.stdout.decode("utf-8", "replace"))


def from_tex(data: bytes) -> str:
    """The body of a LaTeX file without comments and the names of commands and environments."""
    text = decoded(data)
    text = text.partition("\\begin{document}")[2] or text
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\(?:begin|end|label|ref|cite|usepackage|input|include)\*?(?:\[[^\]]*\])?\{[^{}]*\}", " ", text)
    text = re.sub(r"\\[A-Za-z@]+\*?(?:\[[^\]]*\])?", " ", text)
    return re.sub(r"\\.|[{}$~]", "", text)


def from_texi(data: bytes) -> str:
    """A Texinfo file without comments, menus, nodes, entries of indices and the names of commands."""
    text = decoded(data).replace("\r\n", "\n")
    text = re.sub(
        r"^@(ignore|menu|detailmenu|titlepage|copying|tex|iftex|macro|rmacro)\b.*?^@end \1\b.*?$",
        "",
        text,
        flags=re.S | re.M,
    )
    text = re.sub(r"^@bye\b.*", "", text, flags=re.S | re.M)
    text = re.sub(r"@(c|comment)\b.*", "", text)
    text = re.sub(
        r"^(?:\\input|@(?:node|set\w*|clear|include|\w*index|end|if\w+|sp|need|page|def\w*index|syn\w*|direntry|dircategory|anchor|table|itemize|enumerate|\w*contents|headings)\b).*",
        "",
        text,
        flags=re.M,
    )
    text = re.sub(r"@(?:x?ref|pxref|inforef|uref|url|email|image|anchor)\{([^{},]*)(?:,[^{}]*)?\}", r"\1", text)
    text = re.sub(r"@([a-zA-Z]+)(?=\{)|^@[a-zA-Z]+", "", text, flags=re.M)
    return re.sub(r"@([@{}])|@.|[{}]", r"\1", text)


def from_wiki(data: bytes) -> str:
    """A page of MediaWiki without templates, tags, and the marks of links, tables and type."""
    text = DROPPED.sub(" ", decoded(data))
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)*([^\[\]|]*)\]\]", r"\1", text)
    text = re.sub(r"\[\w+:[^\s\]]+ ?([^\]]*)\]", r"\1", text)
    for _ in range(4):
        text = re.sub(r"\{\{[^{}]*\}\}", " ", text)
    text = re.sub(r"^\s*(?:\{\||\|\}|\|-).*|^\s*[|!][^|\n]*\|(?!\|)|'{2,5}|__[A-Z]+__", "", text, flags=re.M)
    return html.unescape(TAG.sub(" ", INLINE.sub("", text)))


def from_info(data: bytes) -> str:
    """An Info file without the lines that link its nodes, and without its tag table."""
    text = decoded(data).partition("\x1f\nTag Table:")[0]
    return "\n".join(line for line in text.split("\n") if not line.startswith("File: "))


def from_man(data: bytes) -> str:
    """A manual page's source without requests and font changes."""
    text = re.sub(
        r"^[.']\s*(?:\\\"|TH|de|ds|if|ie|el|nr|so|ad|nh|hy|sp|ne|in|ti|ft|fi|nf).*$", "", decoded(data), flags=re.M
    )
    text = re.sub(r"^[.']\s*[A-Za-z]{1,3}\b", "", text, flags=re.M)
    text = re.sub(r"\\\((..)|\\\[([^\]]*)\]|\\f(?:\[[^\]]*\]|\(..|.)|\\[&/,|^%]|\\s[-+]?\d", "", text)
    return re.sub(r"\\(.)", r"\1", text)


def from_container(data: bytes) -> str:
    """The text members of an EPUB, OpenDocument or OOXML file, one after another."""
    wanted = re.compile(r"\.x?html?$|(^|/)content\.xml$|word/(document|footnotes|endnotes)\.xml$|(^|/)slide\d+\.xml$")
    texts = []
    with zipfile.ZipFile(io.BytesIO(data)) as container:
        for name in sorted(container.namelist()):
            if wanted.search(name):
                with container.open(name) as member:
                    texts.append(from_markup(member.read(MEMBER_BYTES)))
    return "\n".join(texts)


def from_rtf(data: bytes) -> str:
    """Rich text without its control words."""
    text = data.decode("latin-1")
    text = re.sub(r"\{\\\*?\\?(?:fonttbl|colortbl|stylesheet|info|pict)(?:[^{}]|\{[^{}]*\})*\}", " ", text)
    text = re.sub(r"\\'([0-9a-f]{2})", lambda found: bytes.fromhex(found.group(1)).decode("cp1252", "replace"), text)
    return re.sub(r"\\[a-z]+-?\d* ?|[{}]|\\.", "", text)


READERS = {
    "html": from_markup,
    "xml": from_markup,
    "pdf": from_pdf,
    "tex": from_tex,
    "info": from_info,
    "texi": from_texi,
    "wiki": from_wiki,
    "man": from_man,
    "rtf": from_rtf,
    "epub": from_container,
    "odt": from_container,
    "docx": from_container,
}


def crude_text(data: bytes, medium: str) -> str:
    """The text of a document of a medium; of a medium not listed, as plain text. Empty where nothing can be read."""
    try:
        return READERS.get(medium, from_plain)(data)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return ""


def crude_words(text: str) -> list[str]:
    """The words of a text, folded; scripts written without spaces as overlapping pairs of characters."""
    words: list[str] = []
    for run in WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if IS_UNSPACED.match(run) and len(run) > 1:
            words.extend(run[at : at + 2] for at in range(len(run) - 1))
        else:
            words.append(run)
    return words


def counted(data: bytes, medium: str) -> tuple[Counter[str], list[str]]:
    """The word counts and the words of a document."""
    words = crude_words(crude_text(data, medium))
    return Counter(words), words
