"""Runs the command of docs/migrating/text-dedup.md against the real package: `text_dedup.py NEARPRINT`, by an environment with text-dedup.

The page shows what text-dedup is called with. That is run here over texts that both programs agree about: both keep one of each group,
and nearprint the first.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from datasets import load_from_disk

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXTS = {
    "fog-1": "Fog came in at noon and the ferry stayed in the harbour all day long with its lamps lit and its bell ringing for all.",
    "fog-2": "fog came in at noon and the ferry stayed in the harbour all day long with its lamps lit and its bell ringing for all",
    "rain-1": "It rained all week and the keeper of the light wrote letters to his sister in the town across the bay.",
    "rain-2": "It rained all week and the keeper of the light wrote letters to his sister in the town across the bay.",
    "snow-1": "Nobody has seen snow on the skerry since the winter in which the old jetty was carried away by the ice.",
}


def main() -> int:
    nearprint = pathlib.Path(sys.argv[1]).resolve()
    page = (ROOT / "docs/migrating/text-dedup.md").read_text(encoding="utf-8")
    command = re.search(r"```text\n(python -m text_dedup.*?)```", page, re.DOTALL)[1].replace("\\\n", " ")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = [json.dumps({"id": id, "text": text}) for id, text in TEXTS.items()]
        (folder / "pages.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run([sys.executable, *shlex.split(command)[1:]], cwd=folder, check=True, capture_output=True)
        theirs = list(load_from_disk(str(folder / "kept"))["id"])
        ours = [nearprint, "dedup", "--threshold", "0.7", "--write", "ours.jsonl", "pages.jsonl", "-qq"]
        subprocess.run(ours, cwd=folder, check=True, capture_output=True)
        written = (folder / "ours.jsonl").read_text(encoding="utf-8").splitlines()
        kept = [json.loads(line)["id"] for line in written]
    print(f"text-dedup keeps {', '.join(theirs)}; nearprint keeps {', '.join(kept)}")
    groups = [id.partition("-")[0] for id in theirs]
    return 0 if groups == ["fog", "rain", "snow"] and kept == ["fog-1", "rain-1", "snow-1"] else 1


if __name__ == "__main__":
    sys.exit(main())
