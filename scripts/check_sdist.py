"""Checks an sdist as its users meet it: `check_sdist.py SDIST`, by any Python 3.11 or later, where Rust is installed.

pip builds and installs it in a directory of its own, outside the repository, as a release build. It has no program of the worker: the
script `nearprint-worker`, an interpreter that imports the module, is one. Then the examples of the README are run.
"""

import os
import pathlib
import sys
import tarfile
import tempfile
import venv

from check_wheel import EXAMPLES, IN_A_WORKER, ROOT, copy_samples, run

# What a build needs, and what nobody may be without.
WANTED = ["Cargo.lock", "Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "PKG-INFO", "python/nearprint/py.typed"]
# Left out: they belong to a machine or to wheels.
UNWANTED = ("target/", "build/", ".venv/", "python/nearprint/bin/")


def check_names(sdist):
    """What is in it, and what must not be."""
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    if missing := set(WANTED).difference(names):
        sys.exit(f"{sdist.name} is without {', '.join(sorted(missing))}")
    if extra := [name for name in names if name.startswith(UNWANTED)]:
        sys.exit(f"{sdist.name} has {', '.join(extra[:5])}")
    return len(names)


def main():
    sdist = pathlib.Path(sys.argv[1]).resolve()
    files = check_names(sdist)
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB, {files:,} files")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        venv.create(folder / "fresh", with_pip=True)
        programs = folder / "fresh/bin"
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "PWD": str(folder)}
        # A build of the repository has these set.
        for left_out in ("RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "NEARPRINT_WORKER", "PYTHONPATH"):
            environment.pop(left_out, None)
        options = {"env": environment, "cwd": folder}
        run(programs / "python", "-m", "pip", "install", "--quiet", f"{sdist}[polars]", **options)
        version = run(programs / "nearprint", "--version", **options).strip()
        installed = "import nearprint; print(nearprint.__path__[0])"
        package = pathlib.Path(run(programs / "python", "-c", installed, **options).strip())
        if (package / "bin").exists():
            sys.exit(f"{package / 'bin'}: a program of the repository is in the sdist")
        pdf = ROOT / "samples/documents/lighthouse/en.pdf"
        said = run(programs / "python", "-c", IN_A_WORKER, pdf, package, **options).strip()
        run(programs / "nearprint", "fingerprint", pdf, **options)
        copy_samples(folder)
        examples = run(programs / "python", "-c", EXAMPLES, ROOT / "bindings/python/README.md", **options).strip()
        print(f"  {version}; a PDF read by the script, without it: {said} error; {examples} examples of the README")
    return 0


if __name__ == "__main__":
    sys.exit(main())
