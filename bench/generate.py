"""Makes the collections that jobs are measured on: the same bytes from the same arguments, on any machine.

    python3 bench/generate.py table OUT.parquet --rows 10000000     columns id, text, kind; row groups of 10^6
    python3 bench/generate.py lines OUT.jsonl   --rows 1000000      the same rows as JSON lines
    python3 bench/generate.py archive OUT.warc.gz --records 100000  pages of several media, charsets and defects;
                                                                    with --undamaged every record can be read

Words are drawn from a vocabulary of 50,000 made-up ones by Zipf's law, as in prose; a text has 30 to 300 of them, 1 KB
on average. Of the rows 20 % are near-duplicates: an earlier text of the same batch with 1 to 5 % of its words replaced.
`kind` says which: `new`, or the id of the row it was made from.

Needs numpy and pyarrow (table, lines) or warcio (archive).
"""

import argparse
import gzip
import io
import json
import pathlib
import sys

import numpy as np

VOCABULARY = 50_000
BATCH = 50_000  # rows; a near-duplicate stays within its batch
SHARE = 0.2  # of rows are near-duplicates
ROW_GROUP = 1_000_000
SYLLABLES = [
    consonant + vowel + end
    for consonant in ("b", "ch", "d", "f", "g", "l", "m", "n", "p", "r", "s", "st", "t", "v")
    for vowel in ("a", "e", "i", "o", "u", "ea")
    for end in ("", "n", "r", "s")
]


def vocabulary(rng):
    """Distinct made-up words; frequent ones are short, as in every language."""
    words, seen = [], set()
    while len(words) < VOCABULARY:
        syllables = 1 + min(3, int(rng.integers(0, 2 + len(words) * 3 // VOCABULARY)))
        word = "".join(SYLLABLES[i] for i in rng.integers(0, len(SYLLABLES), syllables))
        if word not in seen:
            seen.add(word)
            words.append(word)
        elif len(words) < 1000:
            word += SYLLABLES[int(rng.integers(0, len(SYLLABLES)))]
            if word not in seen:
                seen.add(word)
                words.append(word)
    return words


class Texts:
    """Batches of texts as ranks of words, some of them near-duplicates of others."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.words = vocabulary(self.rng)
        weights = 1.0 / (np.arange(VOCABULARY) + 2.7)
        self.cumulative = np.cumsum(weights / weights.sum())

    def draw(self, count):
        ranks = np.searchsorted(self.cumulative, self.rng.random(count))
        return np.minimum(ranks, VOCABULARY - 1).astype(np.int32)

    def batch(self, rows):
        """(offsets, ranks, origin): origin is -1, or the row of this batch that a row was made from."""
        rng = self.rng
        lengths = rng.integers(30, 300, rows)
        origin = np.full(rows, -1, dtype=np.int64)
        copies = np.flatnonzero(rng.random(rows) < SHARE)
        copies = copies[copies > 0]
        origin[copies] = (rng.random(len(copies)) * copies).astype(np.int64)
        # The copy of a copy is one of the first text, so that chains stay short.
        for _ in range(20):
            parents = origin[copies]
            deeper = origin[parents] >= 0
            if not deeper.any():
                break
            origin[copies[deeper]] = origin[parents[deeper]]
        lengths[copies] = lengths[origin[copies]]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        ranks = self.draw(int(offsets[-1]))
        for row in copies:
            source = origin[row]
            text = ranks[offsets[source] : offsets[source + 1]].copy()
            edits = max(1, int(len(text) * rng.uniform(0.01, 0.05)))
            text[rng.integers(0, len(text), edits)] = self.draw(edits)
            ranks[offsets[row] : offsets[row + 1]] = text
        return offsets, ranks, origin


def record_batches(rows, seed):
    """Arrow batches of `rows` rows in all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = Texts(seed)
    words = pa.array(texts.words)
    for start in range(0, rows, BATCH):
        count = min(BATCH, rows - start)
        offsets, ranks, origin = texts.batch(count)
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), words.take(pa.array(ranks)))
        ids = [f"row-{start + row:010}" for row in range(count)]
        kinds = ["new" if source < 0 else ids[source] for source in origin]
        columns = [pa.array(ids), pc.binary_join(lists, " "), pa.array(kinds)]
        yield pa.record_batch(columns, names=["id", "text", "kind"])


def table(out, rows, seed):
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in ("id", "text", "kind")])
    with pq.ParquetWriter(out, schema, compression="zstd", compression_level=1, use_dictionary=False) as writer:
        held = []
        for batch in record_batches(rows, seed):
            held.append(batch)
            if sum(batch.num_rows for batch in held) >= ROW_GROUP:
                writer.write_table(pa.Table.from_batches(held, schema), row_group_size=ROW_GROUP)
                held = []
        if held:
            writer.write_table(pa.Table.from_batches(held, schema), row_group_size=ROW_GROUP)


def lines(out, rows, seed):
    with pathlib.Path(out).open("w", encoding="utf-8") as file:
        for batch in record_batches(rows, seed):
            for row in batch.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


# Alphabets into which pages are spelt anew, each with the charset it is served in.
CYRILLIC = str.maketrans("abcdefghilmnoprstuv", "абцдефгхилмнопрстув")
KATAKANA = str.maketrans("abcdefghilmnoprstuv", "アブクデエフグハイルムノオプラサトウヴ")
SPELLINGS = [
    ("utf-8", str),
    ("utf-8", lambda text: text.replace("ea", "é")),
    ("windows-1251", lambda text: text.translate(CYRILLIC)),
    ("iso-8859-1", lambda text: text.replace("ea", "ü")),
    ("shift_jis", lambda text: text.translate(KATAKANA).replace(" ", "")),
    ("utf-16", str),
]


def page(number, words, charset, media):
    """The bytes of a page and its media type."""
    paragraphs = [" ".join(words[at : at + 60]) for at in range(0, len(words), 60)]
    if media == "text/plain":
        return "\n\n".join(paragraphs).encode(charset, "replace"), f"text/plain; charset={charset}"
    body = "".join(f"<p>{paragraph}.</p>\n" for paragraph in paragraphs)
    menu = "".join(f'<li><a href="/{link}">{words[link % len(words)]}</a></li>' for link in range(8))
    if media == "application/xml":
        text = f"<?xml version='1.0' encoding='{charset}'?>\n<article><body>{body}</body></article>"
    else:
        text = (
            f"<!DOCTYPE html><html><head><meta charset='{charset}'><title>Page {number}</title>"
            f"<script>var page = {number};</script></head><body><nav><ul>{menu}</ul></nav>"
            f"<main>{body}</main><footer>Page {number} of this site</footer></body></html>"
        )
    # A label is left out of every second header: then the declaration in the page has to do.
    return text.encode(charset, "replace"), media + (f"; charset={charset}" if number % 2 else "")


def archive(out, records, seed, damaged=True):
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    texts = Texts(seed)
    rng = np.random.default_rng(seed + 1)
    media = ["text/html"] * 8 + ["text/plain", "application/xml"]
    number = 0
    with pathlib.Path(out).open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        while number < records:
            offsets, ranks, _ = texts.batch(min(1000, records - number))
            for row in range(len(offsets) - 1):
                charset, spell = SPELLINGS[number % len(SPELLINGS)]
                words = [spell(texts.words[rank]) for rank in ranks[offsets[row] : offsets[row + 1]]]
                body, label = page(number, words, charset, media[int(rng.integers(0, len(media)))])
                headers = [("Content-Type", label)]
                if number % 5 == 0:
                    body = gzip.compress(body, 6, mtime=0)
                    headers.append(("Content-Encoding", "gzip"))
                if number % 7 == 0:
                    half = len(body) // 2
                    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:]) if part)
                    body += b"0\r\n\r\n"
                    headers.append(("Transfer-Encoding", "chunked"))
                extra = {
                    "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012x}>",
                    "WARC-Date": f"2026-01-{1 + number % 28:02}T00:00:00Z",
                }
                if number % 100 == 13:
                    body = body[: len(body) * 2 // 3]
                    extra["WARC-Truncated"] = "length"
                record = writer.create_warc_record(
                    f"http://site-{number % 997}.example/page/{number}",
                    "response",
                    payload=io.BytesIO(body),
                    http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
                    warc_headers_dict=extra,
                )
                start = file.tell()
                writer.write_record(record)
                if damaged and number % 2000 == 1999:
                    # Bytes lost within a member, as on a bad disk: the reader has to find the next one.
                    end = file.tell()
                    file.seek(start + (end - start) // 2)
                    file.truncate()
                number += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("form", choices=["table", "lines", "archive"])
    parser.add_argument("out")
    parser.add_argument("--rows", "--records", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--undamaged", action="store_true")
    given = parser.parse_args()
    if given.form == "archive":
        archive(given.out, given.rows, given.seed, damaged=not given.undamaged)
    else:
        {"table": table, "lines": lines}[given.form](given.out, given.rows, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
