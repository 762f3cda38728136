"""Rows of real text for Spark, multiplied by stated edits: `python3 bench/spark_rows.py PASSAGES OUT --rows N`.

PASSAGES is passages.txt of passages.py, text as it occurs in documentation. A row is one of its passages, cut to WORDS words, or
several passages where rows are longer. Beyond the number of passages, rows are passages of which REPLACED of the words are replaced by words from anywhere: their
3-shingles have a Jaccard similarity of about 0.1 with the passage, so they are new documents. Of all rows COPIES are an earlier
row as it is, and NEAR an earlier row with 1 to 5 % of its words replaced. An origin is a row at most BATCH rows before.

OUT is a folder of Parquet files with the columns `id` (by which rows are in order) and `text`. The same arguments make the
same rows. Needs numpy and pyarrow.
"""

import argparse
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH = 50_000
FILE = 250_000
REPLACED = 0.4
COPIES = 0.1
NEAR = 0.2
WORDS = (40, 90)


class Passages:
    """Passages as numbers of words."""

    def __init__(self, path, words):
        lists = pc.utf8_split_whitespace(pa.array(pathlib.Path(path).read_text(encoding="utf-8").splitlines()))
        encoded = lists.flatten().dictionary_encode()
        self.words, self.numbers = encoded.dictionary, encoded.indices.to_numpy()
        lengths = pc.list_value_length(lists).to_numpy()
        step = words[1]
        if step > lengths.min():
            self.starts = np.arange(0, len(self.numbers) - step + 1, step)
            return
        # A long passage gives several; what is left at its end is dropped.
        self.starts = np.concatenate(
            [np.arange(at, at + length - step + 1, step) for at, length in zip(starts(lengths), lengths, strict=True)]
        )

    def __len__(self):
        return len(self.starts)


def starts(lengths):
    return np.concatenate([[0], np.cumsum(lengths)[:-1]])


def drawn(count, words, rng):
    """Of the rows of a batch their numbers of words, what they are drawn to be, and the rows that they repeat or themselves."""
    lengths = rng.integers(words[0], words[1] + 1, count)
    kind = rng.random(count)
    origin = np.arange(count)
    repeated = np.flatnonzero(kind < COPIES + NEAR)
    repeated = repeated[repeated > 0]
    origin[repeated] = (rng.random(len(repeated)) * repeated).astype(np.int64)
    # What a copy repeats is a new row, so that groups have one origin.
    while (origin[origin] != origin).any():
        origin = origin[origin]
    return lengths, kind, origin


def batch(passages, first, count, words, rng):
    """The texts of `count` rows from row `first` on."""
    rows = np.arange(first, first + count)
    begin = passages.starts[rows % len(passages)]
    lengths, kind, origin = drawn(count, words, rng)
    repeated = np.flatnonzero(origin != np.arange(count))
    lengths, begin = lengths[origin], begin[origin]
    edges = np.concatenate([[0], np.cumsum(lengths)])
    row_of = np.repeat(np.arange(count), lengths)
    place = np.arange(edges[-1]) - edges[row_of]
    numbers = passages.numbers[begin[row_of] + place]
    # Words of a new row are replaced before it is copied: the same draw for a row and what repeats it.
    draw = rng.random(edges[-1]) < REPLACED
    other = passages.numbers[rng.integers(0, len(passages.numbers), edges[-1])]
    at_origin = edges[origin[row_of]] + place
    edited = (rows[origin] >= len(passages))[row_of]
    numbers = np.where(edited & draw[at_origin], other[at_origin], numbers)
    near = np.zeros(count)
    near[repeated] = np.where(kind[repeated] < COPIES, 0, rng.uniform(0.01, 0.05, len(repeated)))
    changed = rng.random(edges[-1]) < near[row_of]
    numbers = np.where(changed, passages.numbers[rng.integers(0, len(passages.numbers), edges[-1])], numbers)
    lists = pa.ListArray.from_arrays(pa.array(edges, pa.int32()), passages.words.take(pa.array(numbers)))
    ids = pa.array([f"row-{row:011}" for row in rows])
    return pa.record_batch([ids, pc.binary_join(lists, " ")], names=["id", "text"])


def repeating(rows, words=WORDS, seed=1):
    """The ids of rows that repeat an earlier one, as it is or nearly."""
    ids = set()
    for first in range(0, rows, BATCH):
        count = min(BATCH, rows - first)
        origin = drawn(count, words, np.random.default_rng([seed, first]))[2]
        ids.update(f"row-{first + row:011}" for row in np.flatnonzero(origin != np.arange(count)))
    return ids


def make(passages_path, out, rows, words=WORDS, seed=1):
    """Writes the rows and returns the bytes of their texts."""
    passages = Passages(passages_path, words)
    out.mkdir(parents=True)
    text_bytes, writer = 0, None
    for first in range(0, rows, BATCH):
        made = batch(passages, first, min(BATCH, rows - first), words, np.random.default_rng([seed, first]))
        text_bytes += pc.sum(pc.binary_length(made["text"])).as_py()
        if first % FILE == 0:
            if writer:
                writer.close()
            writer = pq.ParquetWriter(out / f"part-{first // FILE:05}.parquet", made.schema, compression="zstd")
        writer.write_batch(made)
    writer.close()
    return text_bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--words", type=int, nargs=2, default=WORDS)
    asked = parser.parse_args()
    print(make(asked.passages, asked.out, asked.rows, tuple(asked.words)), "bytes of text")


if __name__ == "__main__":
    main()
