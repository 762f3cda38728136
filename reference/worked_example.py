#!/usr/bin/env python3
"""The worked example of spec/SPEC.md, from bytes to strings: prints the lines that the page has, which a test compares."""

from __future__ import annotations

from collections.abc import Iterator

import nearprint_family as family
import nearprint_sd1 as sd1

BYTES = (
    b"\xef\xbb\xbfFog\xff fog, fog at the Cafe\xcc\x81 \xef\xac\x81ne\xcd\xb8https://e.org/x 12 " + "日本の".encode()
)


def escaped(text: str) -> str:
    """A text with the code points that a page would not show, or show as another one, by their numbers."""
    return "".join(c if c.isascii() or c in "日本の" else f"<U+{ord(c):04X}>" for c in text)


def row(clause: str, name: str, value: str) -> str:
    """A line of the example."""
    return f"{name:<12}{clause:<8}{value}".rstrip()


def lines() -> Iterator[str]:
    """The example, line by line."""
    done = sd1.stages({"bytes_hex": BYTES.hex()})
    for start in range(0, len(BYTES), 32):
        yield row("[3.1]" if not start else "", "" if start else "bytes", BYTES[start : start + 32].hex(" ", -4))
    for stage, clause in (("repaired", "[3.1]"), ("assigned", "[3.2]"), ("normalised", "[4.5]"), ("cut", "[5.1]")):
        yield row(clause, stage, f'"{escaped(done[stage])}"')
    yield row("[6.7]", "tokens", " | ".join(escaped(token) for token in done["tokens"]))
    for token in dict.fromkeys(done["tokens"]):
        hashed, times = sd1.to_hex(sd1.token_hash(token.encode())), done["tokens"].count(token)
        yield row("[7.1]", "hash", f"{hashed}  {times} x {escaped(token)}")
    totals, count = sd1.counters(done["tokens"])
    yield row("[7.2]", "counters", " ".join(f"{total:+d}" for total in reversed(totals[44:])) + " ... (bits 63 to 44)")
    value = sd1.bits_of(totals)
    yield row("[7.3]", "bits", sd1.to_hex(value))
    yield row("[7.5]", "mark", f"short: {count} tokens are fewer than {sd1.SHORT_BELOW}")
    yield row("[7.6]", "sd1", sd1.to_string(value))
    found = family.fingerprint_of_tokens("sl1", done["tokens"])
    yield row("[10.4]", "bits", sd1.to_hex(found.value))
    yield row("[10.5]", "sl1", family.to_string("sl1", found.value))
    hashes = family.hashes(done["tokens"])
    for scheme in ("md1", "wd1"):
        elements = family.ELEMENTS[scheme](hashes)
        numbers = " ".join(f"{number:04x}" for number in family.sketch(elements).numbers[:8])
        string = family.to_string(scheme, family.fingerprint_of_tokens(scheme, done["tokens"]).value)
        yield row("[11.3]", "numbers", f"{numbers} ... of {len(elements)} elements")
        yield row("[11.8]", scheme, f"{string[:20]}...{string[-8:]}")


if __name__ == "__main__":
    print("\n".join(lines()))
