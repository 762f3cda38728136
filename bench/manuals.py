"""Manuals as they are, to measure extraction on: of Debian packages, by the recipe of `eval/`.

Each is a document in two media or more, laid out as GROUP/FILE. Nothing is installed, nothing of it enters the
repository. `make eval` says what of the recipe is the same document; here the packages are a choice of it that holds
much HTML, XML and PDF for what is downloaded.
"""

import collections
import pathlib
import sys

from record import HERE

# Modules of `eval/` import one another by their names. Behind this folder, whose names win.
sys.path.append(str(HERE.parent / "eval"))

import build
import packages
import recipe

PACKAGES = {
    # HTML and XML.
    *("genius-common", "ledgersmb", "kdiff3-doc", "nted-doc", "libnorm-doc", "shishi-doc", "cmucl-docs"),
    # PDF beside HTML or text.
    *("asymptote-doc", "pcb-common", "getdp", "smlnj-doc", "gcl-doc", "ucblogo", "nettle-dev", "bird-doc"),
    *("enfuse", "yorick-doc", "grace", "xotcl-doc", "mit-scheme-doc", "publican"),
}


def make(folder: pathlib.Path) -> dict[str, str]:
    """Lays the manuals out in folder/corpus, once; why each that could not be had is missing."""
    wanted = [rendering for rendering in recipe.read_recipe() if rendering.package in PACKAGES]
    members = collections.defaultdict(list)
    for rendering in wanted:
        members[rendering.package].extend(rendering.members)
    pinned = {name: package for name, package in recipe.read_packages().items() if name in PACKAGES}
    fetched = packages.fetch(pinned, members, folder, any_version=True)
    return build.lay_out(wanted, fetched, folder / "corpus")
