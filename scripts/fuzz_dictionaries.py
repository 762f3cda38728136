"""Writes dictionaries for libFuzzer: `fuzz_dictionaries.py FOLDER` makes FOLDER/TARGET.dict for each target that has one.

The tokens of text media are those of the complexity test, so they are listed once; what is only meant for fuzzing is in
`fuzz/dictionaries`.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOKENS = ROOT / "crates/nearprint-extract/tests/complexity/tokens.json"
OWN = ROOT / "fuzz/dictionaries"

# Targets, and the media in the list of tokens that they read.
MEDIA = {
    "asciidoc": ["text/asciidoc"],
    "bibtex": ["application/x-bibtex"],
    "dtd": ["application/xml, in its subset"],
    "extract": ["detected"],
    "html": ["text/html"],
    "info": ["text/x-info"],
    "latex": ["application/x-latex"],
    "mail": ["message/rfc822", "message/rfc822, in its parts"],
    "main_content": ["text/html"],
    "markdown": ["text/markdown"],
    "mediawiki": ["text/x-wiki"],
    "mime": ["message/rfc822, in its parts"],
    "pdf": ["application/pdf"],
    "plain": ["text/plain"],
    "restructured": ["text/x-rst"],
    "ris": ["application/x-research-info-systems"],
    "roff": ["text/troff"],
    "rtf": ["application/rtf"],
    "texinfo": ["text/x-texinfo"],
    "xhtml": ["application/xhtml+xml"],
    "xml": [
        "application/xml",
        "application/xml, in its subset",
        "application/xml, of ALTO",
        "application/xml, of PAGE",
    ],
}


def quoted(token: str) -> str:
    """A line of a dictionary."""
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in token.encode())
    return f'"{"".join(plain)}"'


def dictionaries() -> dict[str, str]:
    """The text of each."""
    tokens = json.loads(TOKENS.read_text("utf-8"))
    found = {path.stem: path.read_text("utf-8") for path in sorted(OWN.glob("*.dict"))}
    for target, media in MEDIA.items():
        of_media = [token.replace("{n}", "1") for medium in media for token in tokens[medium]["tokens"]]
        lines = [quoted(token) for token in dict.fromkeys(of_media) if token]
        found[target] = found.get(target, "") + "\n".join(lines) + "\n"
    return found


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for target, text in dictionaries().items():
        (folder / f"{target}.dict").write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
