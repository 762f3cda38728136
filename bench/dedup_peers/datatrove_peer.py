"""datatrove_peer.py CORES IN OUT: datatrove's four steps of MinHash deduplication with its defaults, on one machine."""

import gzip
import pathlib
import shutil
import sys
import tempfile

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter


def main():
    cores, source, out = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    config = MinhashConfig()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        parts = folder / "in"
        parts.mkdir()
        # A task works on whole files: one a core.
        with pathlib.Path(source).open("rb") as lines:
            files = [(parts / f"{part}.jsonl").open("wb") for part in range(cores)]
            for number, line in enumerate(lines):
                files[number % cores].write(line)
            for file in files:
                file.close()
        reader = JsonlReader(str(parts), text_key="text", id_key="id")

        def step(pipeline, tasks):
            log = str(folder / "logs" / type(pipeline[-1]).__name__)
            LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=min(tasks, cores), logging_dir=log).run()

        path = {what: str(folder / what) for what in ("signatures", "buckets", "remove", "kept")}
        step([reader, MinhashDedupSignature(output_folder=path["signatures"], config=config)], cores)
        buckets = MinhashDedupBuckets(input_folder=path["signatures"], output_folder=path["buckets"], config=config)
        step([buckets], config.num_buckets)
        step([MinhashDedupCluster(input_folder=path["buckets"], output_folder=path["remove"], config=config)], 1)
        step([reader, MinhashDedupFilter(input_folder=path["remove"]), JsonlWriter(path["kept"])], cores)
        with out.open("wb") as kept:
            for part in sorted(pathlib.Path(path["kept"]).glob("*.jsonl.gz")):
                with gzip.open(part, "rb") as lines:
                    shutil.copyfileobj(lines, kept)


if __name__ == "__main__":
    main()
