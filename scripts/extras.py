"""Installs each extra of the Python package alone, at its lowest and at its newest versions, and runs its page there.

Usage: extras.py WHEEL [EXTRA...]. Prints for each environment what is installed, how long installation, the first import and the
page took, and at the end how many environments passed. A fresh environment holds nothing but the wheel with the extra: what a page
needs beyond that is missing, as for its reader. Java comes from the machine.

`make test` runs the same pages with what is installed beside the extra hidden (bindings/python/tests/test_extras.py).
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROJECT = ROOT / "bindings/python/pyproject.toml"

# Page and section of each extra; the whole page where no section is named.
PAGES = {"spark": ("docs/tutorials/spark.md", None)}
OTHERS = "docs/tutorials/libraries.md"

# Older libraries that do not say which newer ones they cannot stand.
BESIDE = {
    "datasets": ["fsspec<2024.10"],
    "spark": ["setuptools<81"],
}

RUN = """
import doctest, pathlib, sys
page, section = sys.argv[1], sys.argv[2]
text = pathlib.Path(page).read_text(encoding="utf-8")
if section:
    text = text.split(f"\\n## {section}\\n", 1)[1].split("\\n## ", 1)[0]
test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL).run(test)
print(found.attempted, "examples")
sys.exit(found.failed or found.attempted < 2)
"""


def lowest(requirement: str) -> str:
    """The least version that a requirement allows, with its corrections: `polars>=1.3` is `polars==1.3.*`."""
    name, version = re.fullmatch(r"([\w.-]+)>=([\d.]+)(?:,.*)?", requirement).groups()
    parts = version.split(".")
    return f"{name}=={'.'.join(([*parts, '0'])[: max(2, len(parts))])}.*"


def run(*command: object, **options) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-3000:])
    return done.stdout


def check(wheel: pathlib.Path, extra: str, requirements: list[str], kind: str, folder: pathlib.Path) -> None:
    """Installs one extra and runs its page."""
    environment = folder / f"{extra}-{kind}"
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYSPARK"))}
    page, section = PAGES.get(extra, (OTHERS, extra))
    started = time.monotonic()
    run(sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    pins = [*map(lowest, requirements), *BESIDE.get(extra, [])] if kind == "lowest" else []
    run(python, "-m", "pip", "install", "--quiet", f"nearprint[{extra}] @ {wheel.as_uri()}", *pins, env=variables)
    installed = time.monotonic()
    run(python, "-c", "import nearprint", env=variables)
    imported = time.monotonic()
    shutil.copytree(ROOT / "samples/documents", environment / "samples/documents")
    arguments = ["-W", "ignore", "-c", RUN, ROOT / page, section or ""]
    variables["PATH"] = f"{python.parent}:{variables['PATH']}"
    examples = run(python, *arguments, cwd=environment, env=variables).splitlines()[-1]
    ended = time.monotonic()
    versions = run(python, "-m", "pip", "list", "--format", "freeze", env=variables).splitlines()
    names = {re.match(r"[\w.-]+", text)[0].lower() for text in requirements}
    shown = ", ".join(line.replace("==", " ") for line in versions if line.partition("==")[0].lower() in names)
    size = sum(file.lstat().st_size for file in environment.rglob("*") if file.is_file()) >> 20
    print(
        f"{extra} {kind}: {shown}; {len(versions)} packages, {size} MB; installed in {installed - started:.1f} s, "
        f"imported in {imported - installed:.2f} s, {examples} of {page} in {ended - imported:.1f} s",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    asked = parser.parse_args()
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    started, passed, failed = time.monotonic(), 0, []
    for extra in asked.extras or extras:
        for kind in ("lowest", "newest"):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    check(asked.wheel.resolve(), extra, extras[extra], kind, pathlib.Path(folder))
                    passed += 1
                except RuntimeError as error:
                    failed.append(f"{extra} {kind}")
                    print(f"{extra} {kind} failed:\n{error}", file=sys.stderr, flush=True)
    print(f"{passed} environments passed, {len(failed)} failed, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
