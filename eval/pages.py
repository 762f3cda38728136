"""Files of packages as the corpus holds them: not compressed, and the pages of one document joined in order."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from pathlib import Path

OPENERS = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
BODY = re.compile(rb"<body\b[^>]*>(.*?)(?:</body\s*>|\Z)", re.S | re.I)
BODY_END = re.compile(rb"</body\s*>|</html\s*>|\Z", re.I)


def unwrapped(path: Path) -> bytes:
    """The bytes of a file, compression undone."""
    data = path.read_bytes()
    opener = OPENERS.get(path.suffix)
    return opener(data) if opener else data


def joined(pages: list[bytes], medium: str) -> bytes:
    """The pages of one document as one file; of HTML, the later pages' bodies behind the first page's own."""
    if medium != "html" or len(pages) == 1:
        return b"\n".join(pages)
    first, *others = pages
    bodies = [found.group(1) if (found := BODY.search(page)) else page for page in others]
    end = BODY_END.search(first)
    at = end.start() if end else len(first)
    return first[:at] + b"\n<hr>\n" + b"\n<hr>\n".join(bodies) + b"\n" + first[at:]
