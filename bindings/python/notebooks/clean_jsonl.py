# %% [markdown]
# # Clean a corpus of JSON lines
#
# A corpus for training has pages that repeat: exactly, with other numbers, with a changed sentence. Here one is made,
# looked at, deduplicated, and written again with polars.

# %%
from __future__ import annotations

import json
from pathlib import Path

import nearprint
import nearprint.polars
import polars as pl

# %% [markdown]
# The corpus: the text of every sample, some of them twice with an advertisement below.

# %%
CORPUS = Path("corpus.jsonl")
with CORPUS.open("w", encoding="utf-8") as out:
    for number, record in enumerate(nearprint.read("samples/documents", include=["*.html", "*.txt"])):
        if record.text is not None:
            out.write(json.dumps({"id": record.id, "text": record.text}) + "\n")
            if number % 3 == 0:
                text = record.text + "\n\nSubscribe to our letter for more of this."
                out.write(json.dumps({"id": record.id + "?from=letter", "text": text}) + "\n")

# %% [markdown]
# ## Which scheme and distance suit these documents
#
# `calibrate` plants edits in a sample of them and measures what each scheme finds. One row is recommended.

# %%
calibration = nearprint.calibrate(CORPUS, sample=40)
print(calibration.to_polars().filter("recommended").select("scheme", "distance", "measure", "recall"))

# %% [markdown]
# ## What repeats
#
# The file is read as it is. `id_field` and `text_field` name other fields.

# %%
decisions = nearprint.dedup(CORPUS, threshold=0.8, progress=lambda stage, done, total: None)
print(decisions.to_polars().group_by("decision", "reason").len().sort("len", descending=True))

# %% [markdown]
# ## Write what is kept

# %%
corpus = pl.read_ndjson(CORPUS)
kept = corpus.join(decisions.to_polars().filter(pl.col("decision") == "keep"), on="id", how="semi")
kept.write_ndjson("clean.jsonl")
print(corpus.height, "documents,", kept.height, "kept")

# %% [markdown]
# ## Fingerprints beside the text
#
# They are a column of an expression, so they can be kept with the corpus and compared with the next one.

# %%
printed = kept.with_columns(fingerprint=pl.col("text").nearprint.fingerprint())  # type: ignore[attr-defined]
print(printed.select("id", "fingerprint").head(3))
near = nearprint.pairs(printed["fingerprint"], k=3)
print(len(near), "pairs are within 3 bits, although their texts are not similar enough")

# %%
assert 0 < kept.height < corpus.height
assert len(nearprint.pairs("clean.jsonl", threshold=0.9)) == 0
