"""Every form of every page, filled in with markup: none of it may become markup of a page."""

from __future__ import annotations

import tempfile
import uuid
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode, urljoin, urlsplit

from served import Answer, Served, text

# What each payload would leave in a page if it were taken for markup: an element or attribute of this name.
MARK = "data-owned"

PAYLOADS = [
    f"<script {MARK}>alert(1)</script>",
    f'"><img src=x {MARK} onerror=alert(1)>',
    f"'><svg {MARK} onload=alert(1)>",
    f"</title></textarea></style><iframe {MARK} src=javascript:alert(1)>",
    "javascript:alert(1)//data-owned",
    f'" {MARK} autofocus onfocus=alert(1) x="',
    f"' {MARK} onmouseover=alert(1) x='",
    f'<a {MARK} href="data:text/html,<script>alert(1)</script>">x</a>',
    f"<!--><b {MARK}>-->",
    f"{{{{7*7}}}}<b {MARK}>\u202e\u0000\r\nSet-Cookie: owned=1",
    f"<ScRiPt/{MARK}>alert(1)</sCrIpT>",
    f"&lt;b {MARK}&gt;<b/{MARK}>",
]


@dataclass
class Form:
    action: str
    method: str
    encoding: str
    fields: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """The forms and links of a page, and what is wrong with it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: set[str] = set()
        self.faults: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if MARK in known or f"/{MARK}" in tag or any(name.startswith("on") for name in known):
            self.faults.append(self.get_starttag_text() or tag)
        for name in ("href", "src", "action", "formaction"):
            # The icon of all pages is such an address, in a link of their own.
            if tag != "link" and urlsplit(known.get(name, "").strip()).scheme in ("javascript", "data", "vbscript"):
                self.faults.append(self.get_starttag_text() or tag)
        if tag == "a" and known.get("href", "").startswith("/"):
            self.links.add(known["href"])
        if tag == "form":
            action, method = known.get("action", ""), known.get("method", "get").upper()
            self.forms.append(Form(action, method, known.get("enctype", "application/x-www-form-urlencoded")))
        elif self.forms and tag in ("input", "textarea", "select", "button") and known.get("name"):
            if known.get("type") == "file":
                self.forms[-1].files.append(known["name"])
            else:
                self.forms[-1].fields.setdefault(known["name"], known.get("value", ""))


def submit(served: Served, page: str, form: Form, values: dict[str, str], payload: str) -> Answer:
    action = urljoin(page, form.action or page)
    if form.method == "GET":
        return served.ask("GET", urlsplit(action).path + "?" + urlencode(values))
    origin = {"Origin": f"http://127.0.0.1:{served.port}"}
    if "multipart" not in form.encoding:
        body = urlencode(values).encode()
        return served.ask("POST", action, body, Content_Type=form.encoding, **origin)
    limit, parts = uuid.uuid4().hex, []
    for name, value in values.items():
        parts.append(f'--{limit}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n')
    for name in form.files:
        shown = payload.replace('"', "%22").replace("\r\n", " ").replace("\0", "")
        disposition = f'Content-Disposition: form-data; name="{name}"; filename="{shown}.html"'
        parts.append(f"--{limit}\r\n{disposition}\r\n\r\n<title>{payload}</title><p>{text(1)} {payload}\r\n")
    body = ("".join(parts) + f"--{limit}--\r\n").encode()
    return served.ask("POST", action, body, Content_Type=f"multipart/form-data; boundary={limit}", **origin)


def look(path: str, answer: Answer, faults: list[str]) -> Page:
    assert answer.status < 500, (path, answer)
    page = Page(answer.body.decode("utf-8", "replace"))
    faults.extend(f"{path}: {fault}" for fault in page.faults)
    return page


def every_form(program: Path) -> list[str]:
    submitted, visited, faults = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        served = Served(program, Path(folder))
        try:
            served.create("pages", texts=True)
            for number, payload in enumerate(PAYLOADS):
                stored = payload.replace("\0", "").replace("\r\n", " ").replace("\u202e", "")
                for at in range(2):
                    answer = served.add("pages", f"{stored}{at}", f"{text(number)} {payload} {at}")
                    assert answer.status == 201, answer
            first = quote(f"{PAYLOADS[0]}0", safe="")
            second = quote(f"{PAYLOADS[0]}1", safe="")
            left = [
                "/", "/check", "/collections", "/collections/pages", "/compare", "/jobs", "/reference", "/problems", "/sign-in",
                f"/collections/pages/document?id={first}", "/collections/pages/captures",
                f"/compare?a-collection=pages&a-id={first}&b-collection=pages&b-id={second}",
            ]  # fmt: skip
            left += [f"{path}?{quote(PAYLOADS[1])}={quote(PAYLOADS[2])}" for path in left[:5]]
            seen: set[str] = set()
            tried: set[tuple[str, str]] = set()
            while left and visited < 400:
                path = left.pop(0)
                if path in seen:
                    continue
                seen.add(path)
                visited += 1
                page = look(path, served.ask("GET", path), faults)
                left.extend(sorted(page.links - seen))
                for form in page.forms:
                    kind = (urlsplit(form.action).path, ",".join(sorted([*form.fields, *form.files])))
                    if kind in tried or "sign-out" in form.action:
                        continue
                    tried.add(kind)
                    for payload in PAYLOADS:
                        # Each field alone, with the others as the page has them, and all at once.
                        for name in [*form.fields, None]:
                            wanted = {
                                other: payload if name in (other, None) else value
                                for other, value in form.fields.items()
                            }
                            answer = submit(served, path, form, wanted, payload)
                            look(f"{form.method} {form.action}", answer, faults)
                            submitted += 1
            # What the forms stored is on these pages now.
            for path in ("/jobs", "/collections", "/collections/pages", "/"):
                look(path, served.ask("GET", path), faults)
        finally:
            served.kill()
    if faults or len(tried) < 4:
        raise SystemExit("\n".join(["markup of others is markup of these pages:", *sorted(set(faults))[:20]]))
    return [f"forms: {len(tried)} forms submitted {submitted} times, {visited} pages visited; all markup stayed text"]
