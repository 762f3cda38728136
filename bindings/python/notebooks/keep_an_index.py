# %% [markdown]
# # Keep an index
#
# A collection that grows: every new document is compared with all that came before, today and next year. An index on
# disk answers within a distance of fingerprints, exactly; what was added survives the end of the process.

# %%
from __future__ import annotations

from pathlib import Path

import nearprint

INDEX = Path("seen.index")

# %% [markdown]
# ## The first day
#
# With `if_new`, a document that is near one in the index, or near an earlier one of the same call, is left out, and its
# matches are returned.

# %%
with nearprint.Index.create(INDEX, "sl1") as index:
    matches = index.add("samples/documents", include=["*.txt"], if_new=True, k=3, metadata={"day": "2026-11-20"})
    first = len(index)
    print(matches.summary)
    print([(failure["id"], failure["reason"]) for failure in matches.failures])

# %% [markdown]
# ## The next day
#
# Other processes may read while one writes.

# %%
with nearprint.Index.open(INDEX) as index:
    matches = index.add("samples/documents", include=["*.html"], if_new=True, k=3, metadata={"day": "2026-11-21"})
    print(matches.summary["added"], "new,", matches.summary["near"], "known")
    for row in matches.to_pylist()[:3]:
        print(row["query"], "is near", row["id"], "in", row["distance"], "bits")

# %% [markdown]
# ## Ask

# %%
with nearprint.Index.open(INDEX, read_only=True) as index:
    found = index.matches("samples/documents/lighthouse/en.pdf", k=6)
    print(found["id"].to_pylist())
    # Only documents of one day.
    today = index.export(where="day=2026-11-21")
    print(len(today), "of", len(index), "were added on the second day")
    # All fingerprints for whatever else is to be done with them.
    print(nearprint.health(index.export()["print"], scheme="sl1")["effective_bits"])
    # A copy while the index is in use.
    index.snapshot("backup.index")

# %% [markdown]
# ## Remove, and look after it

# %%
with nearprint.Index.open(INDEX) as index:
    removed = index.remove_many(where="day=2026-11-20")
    left = len(index)
nearprint.Index.compact(INDEX)
print(removed, "removed,", left, "left,", nearprint.Index.verify(INDEX) or "all intact")

# %%
assert removed == first and left == len(today) > 0
assert len(nearprint.Index.open("backup.index", read_only=True)) == removed + left
