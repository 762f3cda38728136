"""Tables as others write and read them: pyarrow's read by nearprint, nearprint's read by pyarrow and DuckDB.

The prints of rows are those that the standard's reference makes of their texts.

.venv/bin/python scripts/third_party/tables.py target/debug/nearprint
"""

import decimal
import functools
import json
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "reference"))
import nearprint_family as family

WORDS = [
    "fog",
    "came",
    "in",
    "over",
    "the",
    "harbour",
    "at",
    "noon",
    "and",
    "stayed",
    "until",
    "bells",
    "rang",
    "from",
    "every",
    "tower",
    "of",
    "town",
]


def text(row):
    """Some words of a row; some rows repeat, one has none, one is long."""
    if row == 7:
        return ""
    if row == 8:
        return " ".join(f"{word}{turn}" for turn in range(2_000) for word in WORDS)
    seed = row % 90
    words = [WORDS[(seed * step + step * step) % len(WORDS)] + "abcdefg"[seed % 7] for step in range(3 + seed)]
    return " ".join(words) + " Köln 数 🙂"


ROWS = 300
IDS = [f"row/{row}" for row in range(ROWS)]
TEXTS = [None if row == 5 else text(row) for row in range(ROWS)]


class ThirdParty:
    def __init__(self, nearprint, folder):
        self.nearprint = nearprint
        self.folder = pathlib.Path(folder)
        self.checks = 0

    def run(self, *arguments, stdin=None, code=0):
        command = [self.nearprint, *map(str, arguments), "-qq"]
        ended = subprocess.run(command, check=False, stdin=stdin, capture_output=True)
        assert ended.returncode == code, (command, ended.returncode, ended.stderr)
        return ended.stdout

    def prints(self, *arguments, **how):
        lines = self.run("fingerprint", *arguments, **how).decode().splitlines()
        return [line.removesuffix("\tshort") for line in lines]

    def same(self, name, found, wanted):
        assert found == wanted, f"{name}: {found[:3]} ... is not {wanted[:3]} ..."
        self.checks += 1

    def columns(self):
        """The two columns in every type that holds text."""
        plain = pa.array(TEXTS, pa.string())
        yield "string", pa.table({"more": range(ROWS), "id": IDS, "text": plain})
        for kind in (pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()):
            yield (
                str(kind),
                pa.table(
                    {
                        "id": IDS,
                        "text": plain.cast(pa.binary()).cast(kind) if "binary" in str(kind) else plain.cast(kind),
                    }
                ),
            )
        yield "dictionary", pa.table({"id": pa.array(IDS).dictionary_encode(), "text": plain.dictionary_encode()})

    def read(self):
        """Files of pyarrow's and DuckDB's, each of the same rows."""
        lines = self.folder / "rows.jsonl"
        with lines.open("w", encoding="utf-8") as file:
            for row_id, content in zip(IDS, TEXTS, strict=True):
                file.write(json.dumps({"id": row_id, "text": content or ""}, ensure_ascii=False) + "\n")
        reference = functools.cache(lambda text: family.fingerprint("sd1", text))
        found = [(row_id, reference(content or "")) for row_id, content in zip(IDS, TEXTS, strict=True)]
        wanted = [f"{family.to_string('sd1', print.value)}\t{row_id}" for row_id, print in found if print]
        assert len(wanted) == ROWS - 2, len(wanted)
        path = self.folder / "table"
        tables = dict(self.columns())
        for compression in ("none", "snappy", "gzip", "zstd", "brotli", "lz4"):
            for version in ("1.0", "2.0"):
                for dictionary in (True, False):
                    pq.write_table(
                        tables["string"],
                        path,
                        compression=compression,
                        data_page_version=version,
                        use_dictionary=dictionary,
                        data_page_size=4096,
                        row_group_size=113,
                        write_page_index=dictionary,
                    )
                    self.same(f"parquet {compression} {version} {dictionary}", self.prints(path), wanted)
        for encoding in ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"):
            chosen = {"id": encoding, "text": encoding}
            pq.write_table(tables["string"], path, use_dictionary=False, column_encoding=chosen)
            self.same(f"parquet {encoding}", self.prints(path), wanted)
        for name, table in tables.items():
            if "view" not in name:
                pq.write_table(table, path)
                self.same(f"parquet of {name}", self.prints(path), wanted)
            for compression in (None, "lz4", "zstd"):
                options = ipc.IpcWriteOptions(compression=compression)
                for form, writer in (("file", ipc.new_file), ("stream", ipc.new_stream)):
                    with writer(str(path), table.schema, options=options) as out:
                        out.write_table(table, max_chunksize=77)
                    self.same(f"arrow {form} of {name} {compression}", self.prints(path), wanted)
                    with path.open("rb") as file:
                        found = self.prints("-", stdin=file)
                    self.same(f"arrow {form} of {name} {compression} on standard input", found, wanted)
        nested = pa.StructArray.from_arrays([pa.array(TEXTS), pa.array(IDS)], names=["body", "key"])
        nested = pa.table({"doc": pa.StructArray.from_arrays([nested], names=["page"]), "links": [["a", "b"]] * ROWS})
        pq.write_table(nested, path)
        self.same("nested", self.prints("--read", "text=doc.page.body", "--read", "id=doc.page.key", path), wanted)
        pq.write_table(tables["string"].drop(["id"]).append_column("id", pa.array(range(ROWS))), path)
        found = [line.split("\t")[0] for line in self.prints(path)]
        self.same("numbers as ids", found, [line.split("\t")[0] for line in wanted])
        feather.write_feather(tables["string"], path, compression="lz4", chunksize=50)
        self.same("feather", self.prints(path), wanted)
        duckdb.sql(f"COPY (SELECT * FROM read_json('{lines}')) TO '{path}' (FORMAT parquet)")
        self.same("parquet of DuckDB", self.prints(path), wanted)
        with path.open("rb") as file:
            self.same("parquet on standard input", self.prints("-", stdin=file), wanted)
        corpus = self.folder / "corpus.parquet"
        pq.write_table(tables["string"], corpus)
        return wanted, corpus

    def write(self, wanted, corpus):
        """Files of nearprint's, read by others."""
        parquet, arrow = self.folder / "prints.parquet", self.folder / "prints.arrow"
        self.run("fingerprint", "--format", "parquet", "--output", parquet, corpus)
        self.run("fingerprint", "--format", "arrow", "--output", arrow, corpus)
        stream = self.run("fingerprint", "--format", "arrow", corpus)
        found = [json.loads(line) for line in self.run("fingerprint", "--format", "jsonl", corpus).splitlines()]
        tables = {
            "parquet": pq.read_table(parquet),
            "arrow file": ipc.open_file(arrow).read_all(),
            "arrow stream": ipc.open_stream(stream).read_all(),
        }
        for name, table in tables.items():
            metadata = table.schema.metadata
            self.same(name, metadata[b"nearprint.schema"], b"nearprint/fingerprint/1")
            self.same(name, metadata[b"nearprint.scheme"], b"sd1")
            documented = {
                "id": "string",
                "fingerprint": "string",
                "print": "uint64",
                "tokens": "uint64",
                "extractor_version": "uint32",
            }
            self.same(name, {column: str(table.schema.field(column).type) for column in documented}, documented)
            rows = table.to_pylist()
            self.same(name, [f"{row['fingerprint']}\t{row['id']}" for row in rows if row["fingerprint"]], wanted)
            for row, line in zip(rows, found, strict=True):
                for field in row.keys() & line.keys() - {"place"}:
                    self.same(f"{name} {field}", row[field], line[field])
                place = {key: value for key, value in row["place"].items() if value is not None}
                self.same(f"{name} place", place, line["place"])
        sql = duckdb.sql
        self.same(
            "DuckDB", sql(f"SELECT count(*) FROM '{parquet}' WHERE print IS NOT NULL").fetchall(), [(len(wanted),)]
        )
        described = dict(sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{parquet}')").fetchall())
        self.same("DuckDB types", (described["print"], described["short"]), ("UBIGINT", "BOOLEAN"))
        kept = sql(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{parquet}')").fetchall()
        self.same("DuckDB metadata", ("nearprint.scheme", "sd1") in kept, True)
        close = sql(
            f"SELECT a.id, b.id FROM '{parquet}' a JOIN '{parquet}' b ON a.id < b.id AND bit_count(xor(a.print, b.print)) <= 3"
        ).fetchall()
        prints = self.folder / "prints.txt"
        prints.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        pairs = [line.split("\t") for line in self.run("prints", "pairs", prints).decode().splitlines()]
        self.same("pairs by DuckDB", sorted(close), sorted(tuple(sorted(pair[:2])) for pair in pairs))
        self.relations(prints, pairs)

    def keep(self):
        """Tables once more without the rows that repeat others."""
        texts = [text or "" for text in TEXTS]
        columns = {
            "id": pa.array(range(2 * ROWS)),
            "text": pa.array(texts + texts),
            "tags": pa.array([["a", str(number % 7)] for number in range(2 * ROWS)]),
            "kind": pa.array(["page", "feed"] * ROWS).dictionary_encode(),
            "price": pa.array([decimal.Decimal(number) / 4 for number in range(2 * ROWS)], pa.decimal128(9, 2)),
        }
        table = pa.table(columns).replace_schema_metadata({"origin": "a crawl"})
        decisions = self.folder / "decisions.parquet"
        for name, write in {
            "rows.parquet": lambda path: pq.write_table(table, path, compression="gzip", row_group_size=100),
            "rows.feather": lambda path: feather.write_feather(table, path, compression="lz4", chunksize=50),
        }.items():
            path, kept = self.folder / name, self.folder / f"kept-{name}"
            write(path)
            self.run("dedup", "--force", "--write", kept, "--format", "parquet", "--output", decisions, path)
            wanted = duckdb.sql(f"SELECT id FROM '{decisions}' WHERE decision = 'keep'").fetchall()
            wanted = [int(row) for (row,) in wanted]
            self.same(f"{name}: something is dropped and kept", [0 < len(wanted) < 2 * ROWS], [True])
            read = pq.read_table if name.endswith("parquet") else feather.read_table
            found, schema = read(kept), read(path).schema
            self.same(f"{name}: schema", [found.schema.equals(schema, check_metadata=True)], [True])
            self.same(f"{name}: rows", found.to_pylist(), table.take(wanted).to_pylist())
        self.same(
            "compression",
            pq.ParquetFile(self.folder / "kept-rows.parquet").metadata.row_group(0).column(1).compression,
            "GZIP",
        )

    def relations(self, prints, pairs):
        """Pairs, clusters and matches."""
        path = self.folder / "found.parquet"
        self.run("prints", "pairs", "--format", "parquet", "--output", path, prints)
        found = duckdb.sql(f"SELECT a, b, distance, scheme FROM '{path}'").fetchall()
        self.same("pairs", found, [(a, b, int(distance), "sd1") for a, b, distance in pairs])
        lines = self.run("prints", "clusters", "--format", "text", prints).decode().splitlines()
        self.run("prints", "clusters", "--force", "--format", "parquet", "--output", path, prints)
        found = duckdb.sql(f"SELECT cluster, id FROM '{path}'").fetchall()
        self.same("clusters", [f"{cluster}\t{row}" for cluster, row in found], lines)
        self.run("prints", "query", "--force", "--queries", prints, "--format", "arrow", "--output", path, prints)
        self.same("matches", ipc.open_file(path).read_all().num_rows >= ROWS - 2, True)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        tools = ThirdParty(sys.argv[1], folder)
        tools.write(*tools.read())
        tools.keep()
    print(f"{tools.checks} comparisons of tables agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
