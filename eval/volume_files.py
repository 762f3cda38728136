"""The files of the volume run: the PDFs and HTML pages of the packages that volume.tsv names.

The packages are pinned as those of the accuracy corpus are; one that apt no longer offers is reported and left out.
"""

from __future__ import annotations

import gzip
import hashlib
import random
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

from packages import download, file_name, sha256
from recipe import Package, read_packages

RECIPE = Path(__file__).resolve().parent / "volume.tsv"
KINDS = {".pdf": "pdf", ".html": "html", ".htm": "html", ".xhtml": "html"}
MOST = {"pdf": 1200, "html": 25}  # of one package, whose files are much alike
SEED = 4


@dataclass(frozen=True)
class Source:
    """One file of the run."""

    path: Path
    kind: str  # `pdf` or `html`
    package: str


def kind_of(path: Path) -> str | None:
    """The medium that a name claims, a further `.gz` aside."""
    return KINDS.get(Path(path.name.removesuffix(".gz")).suffix.lower())


def unpack(deb: Path, tree: Path) -> None:
    """Unpacks the PDFs and pages of a package, unless it is done already."""
    if tree.exists():
        return
    part = tree.with_suffix(".part")
    part.mkdir(parents=True, exist_ok=True)
    patterns = [f"*{suffix}{more}" for suffix in KINDS for more in ("", ".gz")]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as reading:
        command = ["tar", "--extract", "--directory", part, "--wildcards", "--ignore-case", *patterns]
        # tar ends with 2 where a pattern matches nothing, as most do.
        subprocess.run(command, stdin=reading.stdout, capture_output=True, check=False)
        reading.communicate()
    part.rename(tree)


def opened(path: Path) -> bytes:
    """The bytes of a file, without a gzip layer around them."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        try:
            return gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            pass
    return content


def chosen(package: str, tree: Path) -> list[Source]:
    """The files of a package; of too many a sample, always the same one."""
    files = [path for path in sorted(tree.rglob("*")) if path.is_file() and not path.is_symlink()]
    sources = []
    for kind, most in MOST.items():
        found = [path for path in files if kind_of(path) == kind]
        if len(found) > most:
            found = sorted(random.Random(f"{SEED} {package}").sample(found, most))
        sources.extend(Source(path, kind, package) for path in found)
    return sources


def distinct(sources: list[Source]) -> list[Source]:
    """The sources without those whose content an earlier one has."""
    seen: set[bytes] = set()
    kept = []
    for source in sources:
        digest = hashlib.sha256(source.path.read_bytes()).digest()
        if digest not in seen:
            seen.add(digest)
            kept.append(source)
    return kept


def collect(folder: Path, recipe: Path = RECIPE) -> tuple[list[Source], list[Package]]:
    """The files of the run, and the packages that could not be had. Fetches what is not in `folder` yet."""
    debs, trees = folder / "debs", folder / "trees"
    debs.mkdir(parents=True, exist_ok=True)
    packages = list(read_packages(recipe).values())
    absent = [package for package in packages if not (debs / file_name(package)).exists()]
    if absent:
        print(f"fetching {len(absent)} packages, {sum(package.bytes for package in absent) / 1e6:.0f} MB", flush=True)
        download(absent, debs, any_version=False)
    sources: list[Source] = []
    missing = []
    for package in packages:
        deb = debs / file_name(package)
        if not deb.exists() or sha256(deb) != package.sha256:
            missing.append(package)
            continue
        unpack(deb, trees / deb.stem)
        sources.extend(chosen(package.name, trees / deb.stem))
    return distinct(sources), missing
