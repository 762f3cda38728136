"""Threads, processes and signals: what a program around the module does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import nearprint
import pytest
from conftest import make_text

TEXTS = [make_text(seed) for seed in range(300)]


def found_by_process(texts: list[str]) -> tuple[list[int | None], int]:
    return nearprint.fingerprints(texts).to_pylist(), len(nearprint.pairs(texts=texts))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_processes_find_the_same(method: str) -> None:
    expected = found_by_process(TEXTS)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(found_by_process, [TEXTS, TEXTS]) == [expected, expected]


FORKED = """
import os, sys, warnings
sys.path.insert(0, sys.argv[1])
import nearprint
from conftest import make_text
texts = [make_text(seed) for seed in range(300)]
expected = nearprint.fingerprints(texts).to_pylist()
reader = nearprint.read(sys.argv[2])
next(reader)
child = os.fork()
if child == 0:
    # Nothing that the parent started is waited for here.
    assert nearprint.fingerprints(texts).to_pylist() == expected
    nearprint.pairs(texts=texts)
    try:
        next(reader)
    except nearprint.ResourceError:
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert nearprint.fingerprints(texts).to_pylist() == expected
"""


def test_a_forked_process_finds_the_same(samples: Path) -> None:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-W", "ignore", "-c", FORKED, here, str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


# Each line says that the work has begun and then waits for its end, which only a signal brings in time.
ENDLESS = {
    "fingerprint": "nearprint.fingerprint('fog came in at noon ' * 20_000_000, 'sl1')",
    "fingerprints": "nearprint.fingerprints(itertools.repeat('fog came in at noon ' * 1000))",
    "one text of many": "nearprint.fingerprints(['fog came in at noon ' * 20_000_000], 'sl1')",
    # Each part ends before the job first looks at signals.
    "short parts": "while True: nearprint.fingerprints(itertools.repeat('fog', 100))",
    "pairs": "nearprint.pairs(random.integers(0, 2**63, 3_000_000, dtype=np.uint64), k=7)",
    "correlate": "nearprint.correlate(texts=[f'fog {n} ' * 50 for n in range(5000)], sample=5000, measure='edit')",
    "clusters": "nearprint.clusters(random.integers(0, 2**63, 3_000_000, dtype=np.uint64), k=7)",
    "matches": "nearprint.matches(random.integers(0, 2**63, 300_000, dtype=np.uint64), many, k=9)",
    "health": "nearprint.health(np.arange(1 << 40, (1 << 40) + 30_000_000, dtype=np.uint64))",
    "calibrate": "nearprint.calibrate(texts=[f'fog {n} came in ' * 99 for n in range(9000)], sample=9000)",
    "documents": "nearprint.dedup(pl.DataFrame({'text': ['fog came in at noon ' * 10_000]}).sample(20_000, with_replacement=True))",
    "diff": "while True: nearprint.diff(texts, {name: text.upper() for name, text in texts.items()})",
    "add": "nearprint.Index.create(folder + '/new').add(texts=(f'fog {n} came in ' * 50 for n in range(100_000)))",
    "insert_many": "while True: index.insert_many(prints, on_duplicate='replace')",
    "query_many": "index.query_many([print for _, print in prints] * 100, k=20)",
    "remove_many": "while True: index.remove_many([name for name, _ in prints])",
    "pairs of an index": "while True: index.pairs(k=3)",
    "export": "while True: index.export()",
    "verify": "while True: nearprint.Index.verify(folder + '/index')",
    "snapshot": "for n in itertools.count(): index.snapshot(f'{folder}/copy-{n}')",
    "rebuild": "index.close()\n    while True: nearprint.Index.rebuild(folder + '/index')",
    "compact": "index.close()\n    while True: nearprint.Index.compact(folder + '/index')",
    "read": "[None for _ in iter(lambda: list(nearprint.read(sys.argv[1])), None)]",
}

INTERRUPTED = """
import itertools, sys, time
import numpy as np
import polars as pl
import nearprint
# Made here: a signal within NumPy's imports is lost in their errors.
random = np.random.default_rng(1)
many = random.integers(0, 2**63, 1_000_000, dtype=np.uint64)
texts = {{str(n): f"fog {{n}} came in at noon " * 9 for n in range(500)}}
folder = sys.argv[2]
index = nearprint.Index.create(folder + "/index", "sd1")
prints = [(str(n), nearprint.Fingerprint.from_int(int(many[n]))) for n in range(3000)]
index.insert_many(prints)
try:
    print("begun", flush=True)
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # What comes after it works.
    assert nearprint.fingerprint("fog") is not None
    sys.exit(0)
sys.exit(1)
"""


@pytest.mark.parametrize("work", ENDLESS)
def test_ctrl_c_ends_the_work(work: str, samples: Path, tmp_path: Path) -> None:
    program = INTERRUPTED.format(work=ENDLESS[work])
    command = [sys.executable, "-c", program, str(samples), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=120)
    assert (out, running.returncode) == ("interrupted\n", 0), errors


def test_other_threads_run_meanwhile() -> None:
    begun, ran = threading.Event(), []

    def count() -> None:
        begun.wait()
        ran.append(os.getpid())

    other = threading.Thread(target=count)
    other.start()
    # The callback runs while the work waits, and the other thread before the work ends.
    nearprint.fingerprints(TEXTS * 100, progress=lambda *_: begun.set())
    other.join()
    assert ran == [os.getpid()]


def test_an_index_serves_many_threads() -> None:
    index, errors = nearprint.Index(), []

    def work(thread: int) -> None:
        try:
            for number in range(200):
                made = nearprint.Fingerprint.from_int(thread << 32 | number)
                index.insert(f"{thread}-{number}", made)
                assert (f"{thread}-{number}", 0) in index.query(made, k=0)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(index) == 3200


def test_a_callback_that_raises_ends_the_work() -> None:
    class MineError(Exception):
        pass

    def stop(stage: str, done: int, total: int | None) -> None:
        raise MineError(stage)

    with pytest.raises(MineError, match="texts"):
        nearprint.fingerprints(TEXTS, progress=stop)
    with pytest.raises(TypeError):
        nearprint.pairs(texts=TEXTS, progress=7)  # type: ignore[arg-type]


def test_what_a_callback_raises_comes_out_of_every_function(tmp_path: Path) -> None:
    some, named = TEXTS[:40], {str(at): text for at, text in enumerate(TEXTS[:40])}
    (tmp_path / "query.txt").write_text(TEXTS[0])
    for at, error in enumerate((KeyboardInterrupt, SystemExit, ValueError)):

        def stop(*_: object, error: type[BaseException] = error) -> None:
            raise error("enough")

        index = nearprint.Index.create(tmp_path / str(at), "sd1")
        index.add(texts=some)
        for work in (
            partial(nearprint.fingerprints, some),
            partial(nearprint.pairs, texts=some),
            partial(nearprint.clusters, texts=some),
            partial(nearprint.matches, tmp_path / "query.txt", texts=some),
            partial(nearprint.dedup, texts=some),
            partial(nearprint.diff, named, named),
            partial(nearprint.calibrate, texts=some),
            partial(nearprint.correlate, texts=some),
            partial(nearprint.health, texts=some),
            partial(index.add, texts=some, on_duplicate="skip"),
            partial(index.matches, texts=some),
            partial(index.pairs),
            partial(index.clusters),
            partial(index.export),
        ):
            with pytest.raises(error, match="enough"):
                work(progress=stop)  # type: ignore[operator]
            work()  # type: ignore[operator]
        index.close()


def test_the_module_is_imported_without_other_packages() -> None:
    program = "import sys, nearprint; print([n for n in ('numpy', 'pyarrow', 'polars', 'pandas') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_command_of_the_package_is_the_command(command: Path, samples: Path) -> None:
    installed = Path(sys.executable).parent / "nearprint"
    for arguments in (["--version"], ["fingerprint", str(samples)], ["pairs"], ["pairs", "/nowhere"]):
        ours, theirs = (
            subprocess.run([program, *arguments], capture_output=True, check=False) for program in (installed, command)
        )
        assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout), arguments
        assert ours.stderr == theirs.stderr, arguments
