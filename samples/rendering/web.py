"""Web pages: the article inside one of four site templates, and the bare page for printing.

The templates differ in how they say what is furniture: by element (magazine), by role on
plain `div`s (journal), by both with a tree of contents beside the text (docs), and with a
form, a breadcrumb and a notice inside `main` but outside the article (council).
"""

import html
import json
import re

from .phrases import SITES
from .source import RUBY, Document

_DRAWING = (
    '<svg viewBox="0 0 60 20" width="300" height="100" aria-hidden="true">'
    '<path d="M2 18 L14 6 L26 13 L40 3 L58 16" fill="none" stroke="#865" /></svg>'
)


def _inline(text, link_references=False):
    text = html.escape(text, quote=False)
    if link_references:
        text = re.sub(r"\[(\d)\]", r'<a href="#ref\1">[\1]</a>', text)
    return RUBY.sub(r"<ruby>\1<rp>（</rp><rt>\2</rt><rp>）</rp></ruby>", text)


def article(document: Document, ruby=True) -> str:
    """The content alone: title, byline, blocks."""
    out = [f"<h1>{_inline(document.title)}</h1>", f'<p class="byline">{_inline(document.head["author"])}</p>']
    has_references = any(block.kind == "references" for block in document.blocks)
    for block in document.blocks:
        text = _inline(block.text, has_references and block.kind == "paragraph")
        if block.kind == "heading":
            out.append(f"<h2>{text}</h2>")
        elif block.kind == "quote":
            cite = f"\n<p><cite>{_inline(block.by)}</cite></p>" if block.by else ""
            out.append(f"<blockquote>\n<p>{text}</p>{cite}\n</blockquote>")
        elif block.kind == "list":
            items = "\n".join(f"<li>{_inline(item)}</li>" for item in block.items)
            out.append(f"<ul>\n{items}\n</ul>")
        elif block.kind == "references":
            items = "\n".join(f'<li id="ref{n}">{_inline(item)}</li>' for n, item in enumerate(block.items, 1))
            out.append(f'<ol class="references">\n{items}\n</ol>')
        elif block.kind == "figure":
            out.append(f"<figure>\n{_DRAWING}\n<figcaption>{text}</figcaption>\n</figure>")
        elif block.kind == "table":
            first, *rest = block.items
            head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in first)
            rows = "\n".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rest)
            out.append(
                f"<table>\n<caption>{text}</caption>\n<thead>\n<tr>{head}</tr>\n</thead>\n"
                f"<tbody>\n{rows}\n</tbody>\n</table>"
            )
        else:
            out.append(f"<p>{text}</p>")
    content = "\n".join(out)
    if not ruby:
        content = re.sub(r"<rp>.*?</rp>|<rt>.*?</rt>|</?ruby>", "", content)
    return content


def _links(labels, indent=""):
    return "\n".join(f'{indent}<li><a href="/{n}">{_inline(label)}</a></li>' for n, label in enumerate(labels, 1))


def _head(document, site, charset):
    head = document.head
    summary = RUBY.sub(r"\1", document.blocks[0].text)[:150]
    data = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": document.title,
        "author": {"@type": "Person", "name": head["author"]},
        "datePublished": head["date"],
        "publisher": {"@type": "Organization", "name": site.site},
    }
    title, description = html.escape(document.title), html.escape(summary)
    return f"""<meta charset="{charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} | {html.escape(site.site)}</title>
<meta name="description" content="{description}">
<meta name="author" content="{html.escape(head["author"])}">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<link rel="canonical" href="https://lantern.example/{document.lang}/{document.name}">
<style>
body {{ margin: 0 auto; max-width: 70rem; font-family: serif; line-height: 1.5 }}
nav ul {{ display: flex; gap: 1rem; list-style: none }}
.cookies {{ position: fixed; bottom: 0; background: #eee }}
</style>
<script type="application/ld+json">{json.dumps(data, ensure_ascii=charset != "utf-8")}</script>"""


_SCRIPT = """<script>
document.addEventListener("click", function (event) {
  if (event.target.matches(".cookies button")) {
    event.target.parentNode.remove(); // "accepted" is remembered for a year
    document.cookie = "accepted=1; max-age=31536000";
  }
});
</script>"""


def _magazine(site, content):
    return f"""<a class="skip" href="#content">{site.skip}</a>
<header class="site-header">
<p class="site-name"><a href="/">{site.site}</a></p>
<nav>
<ul>
{_links(site.menu)}
</ul>
</nav>
<form action="/search"><label>{site.search} <input name="q" type="search"></label></form>
</header>
<main id="content">
<article>
{content}
</article>
</main>
<aside>
<h2>{site.related}</h2>
<ul>
{_links(site.links)}
</ul>
<p>{site.letter}</p>
</aside>
<footer>
<p>{site.footer}</p>
</footer>
<div class="cookies" role="dialog" aria-label="Cookies"><p>{site.cookies}</p><button>{site.accept}</button></div>
<noscript><p>{site.cookies}</p></noscript>
{_SCRIPT}"""


def _journal(site, content):
    return f"""<div id="banner" role="banner"><p>{site.site}</p></div>
<div id="menu" role="navigation">
<ul>
{_links(site.menu)}
</ul>
</div>
<div role="search"><form action="/find"><input name="q" placeholder="{site.search}"></form></div>
<div role="main">
{content}
</div>
<div role="complementary">
<h3>{site.related}</h3>
<ul>
{_links(site.links)}
</ul>
<p>{site.letter}</p>
</div>
<div role="contentinfo"><p>{site.footer}</p></div>
<div class="cookies" hidden><p>{site.cookies}</p><button>{site.accept}</button></div>
{_SCRIPT}"""


def _docs(site, content):
    headings = re.findall("<h2>(.*?)</h2>", content)
    tree = "\n".join(f'<li><a href="#s{n}">{text}</a></li>' for n, text in enumerate(headings, 1))
    numbers = iter(range(1, len(headings) + 1))
    content = re.sub("<h2>", lambda _: f'<h2 id="s{next(numbers)}">', content)
    return f"""<header><a class="skip" href="#content">{site.skip}</a> <strong>{site.site}</strong>
<form action="/suche"><input name="q" aria-label="{site.search}"><button>{site.search}</button></form></header>
<nav class="main-menu"><ul>
{_links(site.menu)}
</ul></nav>
<nav class="contents"><ul>
{tree}
</ul></nav>
<main id="content">
{content}
</main>
<aside><h2>{site.related}</h2><ul>
{_links(site.links)}
</ul><p>{site.letter}</p></aside>
<footer><p>{site.footer}</p></footer>
<div class="cookies" role="alertdialog"><p>{site.cookies}</p><button>{site.accept}</button></div>
{_SCRIPT}"""


def _council(site, content):
    return f"""<a class="skip" href="#content">{site.skip}</a>
<header role="banner"><p>{site.site}</p>
<form action="/buscar" role="search"><input name="q"><button>{site.search}</button></form></header>
<nav aria-label="1"><ul>
{_links(site.menu)}
</ul></nav>
<main id="content">
<nav aria-label="2"><ol><li><a href="/">{site.menu[0]}</a></li><li><a href="/5">{site.menu[3]}</a></li></ol></nav>
<div class="cookies" role="dialog"><p>{site.cookies}</p><button>{site.accept}</button></div>
<article>
{content}
</article>
</main>
<aside><h2>{site.related}</h2><ul>
{_links(site.links)}
</ul><p>{site.letter}</p></aside>
<footer role="contentinfo"><p>{site.footer}</p></footer>
{_SCRIPT}"""


_TEMPLATES = {"magazine": _magazine, "journal": _journal, "docs": _docs, "council": _council}


def page(document: Document, charset="utf-8") -> str:
    """The document on its web site, declaring `charset`."""
    template, lang = document.head["template"], document.lang
    site = SITES[f"{template}-{lang}"]
    direction = ' dir="rtl"' if lang == "ar" else ""
    return f"""<!DOCTYPE html>
<html lang="{lang}"{direction}>
<head>
{_head(document, site, charset)}
</head>
<body class="{template}">
{_TEMPLATES[template](site, article(document))}
</body>
</html>
"""


# TrueType faces for the large scripts: Skia writes CFF collections as Type 3 fonts of three
# times the size.
FONTS = {
    "zh": "AR PL UMing CN",
    "ja": "IPAMincho",
    "ko": "NanumMyeongjo",
    "ar": "Noto Naskh Arabic",
    "hi": "Noto Sans Devanagari",
}


def sheet(document: Document, furniture: bool) -> str:
    """The document for printing: no site around it, page heads and numbers if asked for."""
    lang = document.lang
    direction = ' dir="rtl"' if lang == "ar" else ""
    boxes = ""
    if furniture:
        boxes = (
            f'@top-center {{ content: "{document.title}"; font-size: 8pt }} '
            '@bottom-center { content: counter(page) " / " counter(pages); font-size: 8pt }'
        )
    return f"""<!DOCTYPE html>
<html lang="{lang}"{direction}>
<head><meta charset="utf-8"><title>{html.escape(document.title)}</title>
<style>
@page {{ size: A5; margin: 18mm 15mm; {boxes} }}
body {{ font-family: "{FONTS.get(lang, "Noto Serif")}"; font-size: 10.5pt; line-height: 1.45; margin: 0; word-break: {"keep-all" if lang == "ko" else "normal"} }}
h1, h2, th, cite {{ font-weight: normal; font-style: normal; text-align: start }}
h1 {{ font-size: 17pt }} h2 {{ font-size: 13pt; break-after: avoid }}
a {{ color: inherit; text-decoration: none }}
table {{ border-collapse: collapse; font-size: 9.5pt }} td, th {{ border-bottom: .3pt solid; padding: 2pt 6pt 2pt 0; vertical-align: top }}
figure {{ margin: 1em 0 }} figcaption, caption {{ font-size: 9pt; text-align: start }}
</style></head>
<body>
{article(document, ruby=False)}
</body>
</html>
"""
