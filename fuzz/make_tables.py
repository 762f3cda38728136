"""Writes the small tables that the target `table` changes: `python3 fuzz/make_tables.py` (needs pyarrow).

Each has a column of ids and a real column of text, in one of the encodings that writers use. They are checked in,
because another version of pyarrow writes other bytes.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

FOLDER = Path(__file__).parent / "tables"
TEXTS = ["fog over the harbour", None, "rain on the hills", "fog over the harbour", "", "wind in the reeds é 雨"] * 2
IDS = list(range(len(TEXTS)))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    table = pa.table({"id": IDS, "text": TEXTS})
    small = {"store_schema": False, "write_statistics": False}
    pq.write_table(table, FOLDER / "plain.parquet", compression="none", use_dictionary=False, **small)
    pq.write_table(table, FOLDER / "dictionary.parquet", compression="none", row_group_size=5, **small)
    pq.write_table(table, FOLDER / "snappy.parquet", compression="snappy", data_page_version="2.0", **small)
    pq.write_table(table, FOLDER / "zstd.parquet", compression="zstd", use_dictionary=False, **small)
    for name, encoding in (("lengths", "DELTA_LENGTH_BYTE_ARRAY"), ("prefixes", "DELTA_BYTE_ARRAY")):
        encodings = {"id": "DELTA_BINARY_PACKED", "text": encoding}
        pq.write_table(
            table,
            FOLDER / f"{name}.parquet",
            compression="none",
            use_dictionary=False,
            column_encoding=encodings,
            data_page_version="2.0",
            **small,
        )
    nested = pa.table({"page": [{"id": str(at), "text": text} for at, text in zip(IDS, TEXTS, strict=True)]})
    pq.write_table(nested, FOLDER / "nested.parquet", compression="none", **small)

    batches = table.to_batches(max_chunksize=5)
    for name, compression in (("stream", None), ("stream-zstd", "zstd"), ("stream-lz4", "lz4")):
        with pa.ipc.new_stream(
            FOLDER / f"{name}.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)
        ) as out:
            for batch in batches:
                out.write_batch(batch)
    coded = pa.table({"id": IDS, "text": pa.array(TEXTS).dictionary_encode()})
    pyarrow.feather.write_feather(coded, FOLDER / "file-dictionary.arrow", compression="uncompressed")
    views = pa.table({"id": IDS, "text": pa.array(TEXTS, pa.string_view())})
    with pa.ipc.new_stream(FOLDER / "stream-views.arrow", views.schema) as out:
        out.write_table(views)


if __name__ == "__main__":
    main()
