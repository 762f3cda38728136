# %% [markdown]
# # Deduplicate a folder of PDFs
#
# Each PDF is read in a process of its own, its text is compared with that of all others, and one of each group of
# near-duplicates is kept. Run it where `samples/documents` is, or name your own folder.

# %%
from __future__ import annotations

import collections
import shutil
from pathlib import Path

import nearprint

FOLDER = Path("samples/documents")

# %% [markdown]
# ## What is there
#
# `read` gives a record for each document, with its text or with the reason why there is none. A damaged PDF does not
# stop anything.

# %%
records = list(nearprint.read(FOLDER, include=["*.pdf"]))
reasons = collections.Counter(record.reason for record in records)
print(f"{len(records)} documents:", dict(reasons))
for record in records[:3]:
    extraction = record.extraction or {}
    print(record.id, "-", extraction.get("pages"), "pages,", record.tokens, "words")

# %% [markdown]
# ## Which are near-duplicates
#
# The revised editions of two samples are PDFs too. `clusters` groups what is similar; in a notebook the table is shown
# by its clusters.

# %%
clusters = nearprint.clusters(FOLDER, include=["*.pdf"], linkage="star")
clusters

# %% [markdown]
# Two of them beside each other, with the words marked that only one has:

# %%
pair = nearprint.pairs(FOLDER, include=["*.pdf"]).to_pylist()[0]
print(pair["a"], pair["b"], round(pair["similarity"], 3))
nearprint.compare(pair["a"], pair["b"])

# %% [markdown]
# ## Keep one of each
#
# `dedup` decides, and says why. Documents that cannot be read are kept. Of similar ones the longest is kept here.

# %%
decisions = nearprint.dedup(FOLDER, include=["*.pdf"], keep="longest")
kept = Path("kept")
kept.mkdir()
for row in decisions.to_pylist():
    if row["decision"] == "keep":
        # Names are those of the folders, as files are called alike.
        source = Path(row["place"]["file"])
        shutil.copy(source, kept / f"{source.parent.name}-{source.name}")
print(decisions.summary["documents"], "documents,", len(list(kept.iterdir())), "kept")

# %%
assert decisions.summary["documents"] == len(records)
assert 0 < len(list(kept.iterdir())) < len(records)
assert {row["reason"] for row in decisions.to_pylist() if row["decision"] == "drop"} <= {
    "near",
    "identical",
    "same-words",
}
