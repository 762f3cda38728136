# %% [markdown]
# # Compare two crawls of a site
#
# What changed between two editions: pages that are the same but for numbers, that changed little or much, that moved to
# another address, that are new or gone. Two directories stand for the crawls here; web archives (`old.warc.gz`) work in
# the same way, and their pages are matched by address.

# %%
from __future__ import annotations

import shutil
from pathlib import Path

import nearprint

# %% [markdown]
# The second edition of the site: one page moved, one was revised, one is gone, one is new.

# %%
OLD, NEW = Path("site-2025"), Path("site-2026")
samples = Path("samples/documents")
for edition in (OLD, NEW):
    edition.mkdir()
    for name in ("lighthouse/en.html", "ferry/de.html", "kite/hi.html", "sourdough/en.html", "rainwater/hi.html"):
        shutil.copy(samples / name, edition / name.replace("/", "-"))
(NEW / "kite-hi.html").rename(NEW / "kites.html")
(NEW / "sourdough-en.html").unlink()
shutil.copy(samples / "photo-contest/es.html", NEW / "contest.html")
page = (NEW / "lighthouse-en.html").read_text(encoding="utf-8")
written = (NEW / "lighthouse-en.html").write_text(page.replace("keeper", "guard"), encoding="utf-8")

# %%
changes = nearprint.diff(OLD, NEW)
print(changes.summary["differences"])
changes

# %% [markdown]
# ## What changed on a page

# %%
for row in changes.to_pylist():
    if row["difference"].startswith("changed"):
        comparison = nearprint.compare(OLD / row["old_id"], NEW / row["id"], details=3)
        print(row["id"], round(comparison["text_similarity"], 3), comparison["differs"])

# %% [markdown]
# The last comparison, side by side:

# %%
comparison

# %% [markdown]
# ## Texts that are no files
#
# Editions are dictionaries of texts by their ids, too.

# %%
rows = nearprint.diff({"/a": "Fog came in.", "/b": "It rained."}, {"/a": "Fog came in!", "/c": "It rained."})
print(rows["difference"].to_pylist())

# %%
kinds = {row["id"]: row["difference"] for row in changes.to_pylist()}
assert kinds["kites.html"] == "moved" and kinds["contest.html"] == "new" and kinds["sourdough-en.html"] == "gone"
assert kinds["ferry-de.html"] == "identical" and kinds["lighthouse-en.html"].startswith("changed")
