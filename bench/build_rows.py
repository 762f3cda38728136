"""The section on building: the time of `make run` from nothing, so that it cannot grow unseen."""

import pathlib
import subprocess
import tempfile

from record import HERE, Section, value

ROOT = HERE.parent
# Minutes of a small machine: the goal of `make run` from nothing on two quiet cores.
MOST_SECONDS = 240


def crates():
    """Crates that the command of `make run` is linked from, those of this workspace and procedural macros included."""
    tree = ["cargo", "tree", "--locked", "--edges=normal", "--prefix=none", "--package=nearprint-cli"]
    tree += ["--no-default-features", "--format={p}"]
    lines = subprocess.run(tree, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return len({line.removesuffix(" (*)") for line in lines})


def build(record):
    """Builds into a directory of its own, which goes again; crates are downloaded before the time begins."""
    subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=ROOT, check=True)
    # The short forms show that this section works: one small crate instead of all.
    package = "nearprint-cli" if record.form == "full" else "nearprint-output"
    with tempfile.TemporaryDirectory() as folder:
        command = ["env", "-C", str(ROOT), f"CARGO_TARGET_DIR={folder}"]
        if record.form == "full":
            command += ["make", "run"]
        else:
            command += ["cargo", "build", "--release", "--quiet", "--package", package]
        row = record.timed("make run", "build", [command], package=package)
        program = pathlib.Path(folder, "release", "nearprint")
        megabytes = round(program.stat().st_size / 1e6, 1) if program.exists() else None
    row |= {"program_mb": megabytes, "crates": crates()}
    yield [
        package,
        value(row, "seconds"),
        value(row, "cpu"),
        megabytes,
        row["crates"] if record.form == "full" else None,
    ]


SECTIONS = [
    Section(
        "build",
        "`make run` from nothing",
        ["package", "seconds", "CPU seconds", "program in MB", "crates"],
        build,
        f"Into an empty CARGO_TARGET_DIR, all crates downloaded. Goal: {MOST_SECONDS} seconds on two quiet cores. Only the full form "
        "builds the command.",
    )
]
