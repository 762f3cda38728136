"""Checks a wheel as its users meet it: `check_wheel.py WHEEL`, by any Python 3.11 or later, on Linux.

What is in it: its size, the libraries and versions of symbols that its programs need, and that they are stripped. Then it is
installed into a fresh environment, by a PATH without Rust, and used: the command, documents read in a worker, an archive that lost
its execute bits, the time of an import, and the examples of its README, for which polars is installed too.
"""

import email
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "bindings/python/README.md"
MOST_BYTES = 15_000_000
IMPORTS = 15
# Of the processor, which a busy machine does not stretch as it does the clock.
MOST_IMPORT_SECONDS = 0.050
# Every system has them; musl is all of these.
LIBRARIES = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s)\.so\.\d|libc\.so|libc\.musl-.*|ld-(linux|musl)-.*)$")

IN_A_WORKER = """
import os, sys, nearprint
assert nearprint.__file__.startswith(sys.argv[2]), nearprint.__file__
text = nearprint.extract(sys.argv[1]).text
assert "Harrow Skerry" in text
# Where the worker cannot start, PDF is not read.
os.environ["NEARPRINT_WORKER"] = "/nonexistent"
try:
    nearprint.extract(sys.argv[1])
except nearprint.NearprintError as error:
    print(error.kind)
else:
    sys.exit("a PDF was read without the worker")
"""

EXAMPLES = """
import doctest, sys
found = doctest.testfile(sys.argv[1], module_relative=False, encoding="utf-8")
assert found.attempted >= 10 and not found.failed, found
print(found.attempted)
"""


def run(*command, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{command[0]}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def inspected(wheel, folder):
    """Unpacks a wheel, and returns the newest versions of symbols that each of its programs needs."""
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"{wheel.name} has {wheel.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
    # Unlike pip, this sets no execute bits.
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    needs = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.open("rb").read(4) != b"\x7fELF":
            continue
        headers = run("readelf", "--wide", "--dynamic", "--version-info", "--section-headers", path)
        libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", headers)
        if bad := [name for name in libraries if not LIBRARIES.match(name)]:
            sys.exit(f"{path.name} needs libraries that not every system has: {', '.join(bad)}")
        if sections := re.findall(r"\s(\.symtab|\.debug_\w+)\s", headers):
            sys.exit(f"{path.name} is not stripped: {', '.join(sections)}")
        versions = {tuple(map(int, found.split("."))) for found in re.findall(r"Name: GLIBC_([\d.]+)", headers)}
        needs[path.name] = max(versions, default=())
    if len(needs) != 2:
        sys.exit(f"a module and a worker are expected, not {', '.join(needs) or 'nothing'}")
    return needs


def check_tag(wheel, folder, needs):
    """The tag of the wheel promises no older C library than its programs need."""
    (metadata,) = folder.glob("*.dist-info/WHEEL")
    tags = email.message_from_string(metadata.read_text()).get_all("Tag")
    for tag in tags:
        promised = re.search(r"manylinux_(\d+)_(\d+)", tag.replace("manylinux2014", "manylinux_2_17"))
        if promised and max(needs.values()) > tuple(map(int, promised.groups())):
            sys.exit(f"{wheel.name} promises {tag}, but needs symbols of {needs}")
        if not promised and "musllinux" not in tag:
            sys.exit(f"{wheel.name} is for no more than this machine: {tag}")
    return tags


def copy_samples(folder):
    """The documents of the README's examples, under the paths that it has."""
    shutil.copytree(ROOT / "samples/documents", folder / "samples/documents")


def seconds(python, code, environment):
    """The median times of a process: by the clock, and of the processor."""
    runs = []
    for _ in range(IMPORTS):
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        run(python, "-c", code, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        runs.append((time.perf_counter() - start, cpu))
    return [statistics.median(times) for times in zip(*runs, strict=True)]


def used(wheel, unpacked, folder):
    """Installs a wheel and uses it."""
    venv.create(folder / "fresh", with_pip=True)
    programs = folder / "fresh/bin"
    python, pip = (
        programs / "python",
        [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
    )
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    if compiler := shutil.which("rustc", path=environment["PATH"]):
        sys.exit(f"{compiler} is there: this is no check of a machine without Rust")
    run(*pip, "--no-index", wheel, env=environment)
    version = run(programs / "nearprint", "--version", env=environment).strip()
    pdf = ROOT / "samples/documents/lighthouse/en.pdf"
    package = pathlib.Path(run(python, "-c", "import nearprint; print(nearprint.__path__[0])", env=environment).strip())
    in_a_worker = [python, "-c", IN_A_WORKER, pdf]
    said = run(*in_a_worker, package, env=environment)
    run(*in_a_worker, unpacked, env=environment | {"PYTHONPATH": str(unpacked)})
    worker = package / "bin/nearprint-worker"
    worker.chmod(0o644)
    run(*in_a_worker, package, env=environment)
    run(programs / "nearprint", "fingerprint", pdf, env=environment)
    worker.chmod(0o755)
    plain = seconds(python, "pass", environment)
    with_import = seconds(python, "import nearprint", environment)
    clock, cpu = (more - less for more, less in zip(with_import, plain, strict=True))
    if cpu > MOST_IMPORT_SECONDS:
        sys.exit(f"importing takes {cpu * 1000:.1f} ms of the processor, more than {MOST_IMPORT_SECONDS * 1000:.0f}")
    run(*pip, f"{wheel}[polars]", env=environment)
    copy_samples(folder)
    examples = run(python, "-c", EXAMPLES, README, env=environment, cwd=folder).strip()
    print(f"  {version}; PDF without a worker: {said.strip()} error; {examples} examples of the README")
    print(
        f"  import: {clock * 1000:.1f} ms ({cpu * 1000:.1f} of the processor) beyond the interpreter's "
        f"{plain[0] * 1000:.1f} ({plain[1] * 1000:.1f}), medians of {IMPORTS}"
    )


def main():
    for argument in sys.argv[1:]:
        wheel = pathlib.Path(argument).resolve()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            needs = inspected(wheel, folder / "unpacked")
            tags = check_tag(wheel, folder / "unpacked", needs)
            versions = ", ".join(f"{name} {'.'.join(map(str, found)) or 'none'}" for name, found in needs.items())
            print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {' '.join(tags)}; glibc at least: {versions}")
            if any("manylinux" in tag for tag in tags) and os.confstr("CS_GNU_LIBC_VERSION"):
                used(wheel, folder / "unpacked", folder)
            else:
                print("  untested: this machine has no such interpreter")
    return 0


if __name__ == "__main__":
    sys.exit(main())
