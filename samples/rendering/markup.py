"""XML in three vocabularies: JATS (journal articles), TEI (editions) and DocBook (manuals)."""

from xml.sax.saxutils import escape

from .source import Document, without_ruby


def _clean(text):
    return escape(without_ruby(text))


def _sections(document, render, open_section, close_section):
    """Blocks in order, each run after a heading wrapped in a section element."""
    out, depth = [], 0
    for block in document.blocks:
        if block.kind == "heading":
            out.append(close_section * depth)
            depth = 1
            out.append(open_section.format(_clean(block.text)))
        else:
            out.append(render(block))
    out.append(close_section * depth)
    return "\n".join(part for part in out if part)


def _rows(rows, row, head, cell):
    lines = []
    for number, cells in enumerate(rows):
        tag = head if number == 0 else cell
        closing = tag.split(" ")[0]
        lines.append(f"<{row}>" + "".join(f"<{tag}>{_clean(c)}</{closing}>" for c in cells) + f"</{row}>")
    return lines


def jats(document: Document) -> str:
    """A journal article, JATS 1.3: title in the front matter, references in the back matter."""
    head, lang = document.head, document.lang
    year, month, day = head["date"].split("-")

    def render(block):
        text = _clean(block.text)
        items = [_clean(i) for i in block.items] if block.kind in ("list", "references") else []
        if block.kind == "quote":
            return (
                f"<disp-quote><p>{text}</p>"
                + (f"<attrib>{_clean(block.by)}</attrib>" if block.by else "")
                + "</disp-quote>"
            )
        if block.kind == "list":
            return (
                '<list list-type="bullet">' + "".join(f"<list-item><p>{i}</p></list-item>" for i in items) + "</list>"
            )
        if block.kind == "table":
            lines = _rows(block.items, "tr", "th", "td")
            return (
                f"<table-wrap><caption><p>{text}</p></caption>\n<table>\n<thead>{lines[0]}"
                "</thead>\n<tbody>\n" + "\n".join(lines[1:]) + "\n</tbody></table></table-wrap>"
            )
        if block.kind == "figure":
            return f'<fig><caption><p>{text}</p></caption><graphic xlink:href="{document.name}-1.tif"/></fig>'
        if block.kind == "references":
            return "".join(f'<p content-type="reference">{i}</p>' for i in items)
        return f"<p>{text}</p>"

    references = [b for b in document.blocks if b.kind == "references"]
    back = ""
    body = document
    if references:
        # JATS keeps the list of references, with its heading, outside the body.
        at = document.blocks.index(references[0])
        body = Document(document.name, lang, head, document.title, document.blocks[: at - 1])
        entries = "\n".join(
            f'<ref id="r{n}"><label>{n}</label><mixed-citation>{_clean(i)}</mixed-citation></ref>'
            for n, i in enumerate(references[0].items, 1)
        )
        back = (
            f"<back>\n<ref-list>\n<title>{_clean(document.blocks[at - 1].text)}</title>\n"
            f"{entries}\n</ref-list>\n</back>\n"
        )
    content = _sections(body, render, "<sec><title>{}</title>", "</sec>")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.3 20210610//EN" "JATS-journalpublishing1-3.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" dtd-version="1.3" xml:lang="{lang}">
<front>
<journal-meta>
<journal-id journal-id-type="publisher-id">LQ</journal-id>
<journal-title-group><journal-title>Lantern Quarterly</journal-title></journal-title-group>
<issn pub-type="epub">0000-0000</issn>
<publisher><publisher-name>Lantern Almanac Press</publisher-name></publisher>
</journal-meta>
<article-meta>
<article-id pub-id-type="publisher-id">{document.name}</article-id>
<title-group><article-title>{_clean(document.title)}</article-title></title-group>
<contrib-group><contrib contrib-type="author"><string-name>{_clean(head["author"])}</string-name></contrib></contrib-group>
<pub-date publication-format="electronic" date-type="pub"><day>{day}</day><month>{month}</month><year>{year}</year></pub-date>
<permissions><license><license-p>CC0 1.0 Universal</license-p></license></permissions>
</article-meta>
</front>
<body>
{content}
</body>
{back}</article>
"""


def tei(document: Document) -> str:
    """A TEI P5 edition: the title in the header and again at the head of the text."""
    head = document.head

    def render(block):
        text = _clean(block.text)
        if block.kind == "quote":
            by = f"<bibl>{_clean(block.by)}</bibl>" if block.by else ""
            return f"<cit><quote>{text}</quote>{by}</cit>"
        if block.kind == "list":
            return '<list rend="bulleted">' + "".join(f"<item>{_clean(i)}</item>" for i in block.items) + "</list>"
        if block.kind == "references":
            return (
                "<listBibl>\n"
                + "\n".join(f'<bibl n="{n}">{_clean(i)}</bibl>' for n, i in enumerate(block.items, 1))
                + "\n</listBibl>"
            )
        if block.kind == "table":
            lines = _rows(block.items, "row", 'cell role="label"', "cell")
            return f"<table>\n<head>{text}</head>\n" + "\n".join(lines) + "\n</table>"
        if block.kind == "figure":
            return f'<figure><graphic url="{document.name}-1.png"/><figDesc/><head>{text}</head></figure>'
        return f"<p>{text}</p>"

    content = _sections(document, render, "<div>\n<head>{}</head>", "</div>")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-model href="tei_all.rng" schematypens="http://relaxng.org/ns/structure/1.0"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{document.lang}">
<teiHeader>
<fileDesc>
<titleStmt><title>{_clean(document.title)}</title><author>{_clean(head["author"])}</author></titleStmt>
<publicationStmt><publisher>Lantern Almanac Press</publisher><date when="{head["date"]}"/><availability><licence target="https://creativecommons.org/publicdomain/zero/1.0/">CC0 1.0 Universal</licence></availability></publicationStmt>
<sourceDesc><p>Born digital; there is no source in print.</p></sourceDesc>
</fileDesc>
<encodingDesc><p>Encoded from the author's manuscript; quotation marks are kept as characters.</p></encodingDesc>
<revisionDesc><change when="{head["date"]}">First encoding.</change></revisionDesc>
</teiHeader>
<text>
<body>
<head>{_clean(document.title)}</head>
{content}
</body>
</text>
</TEI>
"""


def docbook(document: Document) -> str:
    """A DocBook 5 article: the title as a child of the article, the rest of the data in info."""
    head = document.head

    def render(block):
        text = _clean(block.text)
        if block.kind == "quote":
            by = f"<attribution>{_clean(block.by)}</attribution>" if block.by else ""
            return f"<blockquote>{by}<para>{text}</para></blockquote>"
        if block.kind == "list":
            return (
                "<itemizedlist>\n"
                + "\n".join(f"<listitem><para>{_clean(i)}</para></listitem>" for i in block.items)
                + "\n</itemizedlist>"
            )
        if block.kind == "references":
            return (
                "<bibliolist>\n"
                + "\n".join(
                    f"<bibliomixed><abbrev>{n}</abbrev> {_clean(i)}</bibliomixed>" for n, i in enumerate(block.items, 1)
                )
                + "\n</bibliolist>"
            )
        if block.kind == "table":
            lines = _rows(block.items, "row", "entry", "entry")
            return (
                f'<table frame="topbot">\n<title>{text}</title>\n'
                f'<tgroup cols="{len(block.items[0])}">\n<thead>{lines[0]}</thead>\n<tbody>\n'
                + "\n".join(lines[1:])
                + "\n</tbody>\n</tgroup>\n</table>"
            )
        if block.kind == "figure":
            return (
                f"<figure><title>{text}</title><mediaobject><imageobject>"
                f'<imagedata fileref="{document.name}-1.svg"/>'
                "</imageobject></mediaobject></figure>"
            )
        return f"<para>{text}</para>"

    content = _sections(document, render, "<section>\n<title>{}</title>", "</section>")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<article xmlns="http://docbook.org/ns/docbook" version="5.0" xml:lang="{document.lang}">
<title>{_clean(document.title)}</title>
<info>
<author><personname>{_clean(head["author"])}</personname></author>
<pubdate>{head["date"]}</pubdate>
<legalnotice><para>CC0 1.0 Universal</para></legalnotice>
<keywordset><keyword>{document.name}</keyword><keyword>lantern-almanac</keyword></keywordset>
</info>
{content}
</article>
"""


VOCABULARIES = {"jats": jats, "tei": tei, "docbook": docbook}
