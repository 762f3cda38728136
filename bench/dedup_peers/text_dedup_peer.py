"""text_dedup_peer.py minhash|simhash IN OUT: text-dedup's command with its defaults, then its dataset as JSON lines."""

import os
import subprocess
import sys
import tempfile

import datasets

method, source, out = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    kept = os.path.join(folder, "kept")  # noqa: PTH118, as the command wants a plain string
    command = [
        sys.executable,
        "-m",
        f"text_dedup.{method}",
        "--path",
        "json",
        "--data_files",
        source,
        "--split",
        "train",
    ]
    command += ["--column", "text", "--output", kept, "--cache_dir", os.path.join(folder, "cache")]  # noqa: PTH118
    command += ["--num_proc", str(os.cpu_count() or 1), "--batch_size", "10000"]
    command += ["--threshold", "0.7"] if method == "minhash" else ["--bit_diff", "3"]
    subprocess.run(command, check=True)
    datasets.load_from_disk(kept).to_json(out)
