#!/usr/bin/env python3
"""Packs the wheel of the Python module from what `cargo build --workspace --all-targets --all-features` has left:
development_wheel.py FOLDER DIRECTORY, the folder of the build and where the wheel goes.

Maturin would build the module alone, whose dependencies then have other features, and everything would be compiled a
second time. Its metadata is Maturin's all the same; `make wheel` and its check build and try what is published.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / "bindings/python"


def main() -> None:
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        maturin = [ROOT / ".venv/bin/maturin", "pep517", "write-dist-info", "--metadata-directory", stage]
        subprocess.run([*maturin, "--manifest-path", PYTHON / "Cargo.toml"], check=True, capture_output=True)
        (metadata,) = stage.glob("*.dist-info")
        files = {path.relative_to(stage).as_posix(): path for path in metadata.rglob("*") if path.is_file()}
        for path in (PYTHON / "python/nearprint").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
                files[path.relative_to(PYTHON / "python").as_posix()] = path
        # Debug information would make the wheel ten times as large.
        for name, built in {
            "nearprint/_nearprint.abi3.so": build / "lib_nearprint.so",
            "nearprint/bin/nearprint-worker": build / "nearprint-worker",
        }.items():
            files[name] = stage / Path(name).name
            subprocess.run(["strip", "--strip-debug", "-o", files[name], built], check=True)
        tag = next(line[5:] for line in (metadata / "WHEEL").read_text().splitlines() if line.startswith("Tag: "))
        record = f"{metadata.name}/RECORD"
        wheel = out / f"{metadata.name.removesuffix('.dist-info')}-{tag}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, path in sorted(files.items()):
                archive.write(path, name)
            # Without digests: pip checks those that are there, and writes its own.
            archive.writestr(record, "".join(f"{name},,\n" for name in [*sorted(files), record]))


if __name__ == "__main__":
    main()
