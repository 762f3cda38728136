"""Checks the links of all Markdown: files and headings that they name exist, and docs/README.md lists every page of docs/.

Links to other sites are not opened.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
INDEX = ROOT / "docs/README.md"
# A template, whose links are those of the page that is made of it.
PLACES = {ROOT / "eval/volume_page.md": ROOT / "docs/accuracy/volume.md"}


def pages() -> list[pathlib.Path]:
    """All Markdown of the repository, new pages included."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [path for line in sorted(set(lines)) if (path := ROOT / line).is_file()]


def anchors(page: pathlib.Path) -> set[str]:
    """The names by which links reach the headings of a page."""
    found = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip().lower())
            found.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return found


def targets(page: pathlib.Path) -> list[tuple[str, pathlib.Path, str]]:
    """The links of a page to files, with the file and the heading that each names."""
    place = PLACES.get(page, page)
    links = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        if "://" not in link and not link.startswith("mailto:"):
            links.append((link, (place.parent / path).resolve() if path else page, heading))
    return links


def main() -> int:
    wrong = []
    for page in pages():
        name = page.relative_to(ROOT)
        for link, target, heading in targets(page):
            if not target.exists():
                wrong.append(f"{name}: {link} does not exist")
            elif heading and target.suffix == ".md" and heading not in anchors(target):
                wrong.append(f"{name}: {link} has no such heading")
    listed = {target for _, target, _ in targets(INDEX)}
    for page in pages():
        if page.is_relative_to(ROOT / "docs") and page not in {INDEX, *listed}:
            wrong.append(f"{INDEX.relative_to(ROOT)} does not list {page.relative_to(ROOT)}")
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
