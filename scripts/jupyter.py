"""The notebooks in Jupyter's own kernel: `jupyter.py`, by an environment with the wheel, polars, pyarrow, ipykernel and nbclient.

`make test` runs the notebooks too. Here the wheel that is published runs them, and a kernel is interrupted within a call, and runs
sixteen calls at a time beside its event loop.
"""

import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time

import nbformat
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENDLESS = "import itertools, nearprint\nprint('begun', flush=True)\nnearprint.fingerprints(itertools.repeat('fog came in at noon ' * 1000))"
AFTERWARDS = """
import asyncio
texts = [[f"fog {n} came in at noon"] * 1000 for n in range(16)]
made = await asyncio.gather(*(asyncio.to_thread(nearprint.fingerprints, some) for some in texts))
assert [one.to_pylist() for one in made] == [nearprint.fingerprints(some).to_pylist() for some in texts]
nearprint.compare_texts("fog came in", "fog came out")
"""


def notebook(*cells):
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return made


def shown(made):
    """Cells whose output is a table or another page of HTML."""
    return sum("text/html" in output.get("data", {}) for cell in made.cells for output in cell.get("outputs", ()))


def interrupted():
    """Seconds from the interrupt to the end of a cell that has none by itself."""
    made = notebook(ENDLESS, AFTERWARDS)
    client = NotebookClient(made, timeout=120, allow_errors=True)
    with client.setup_kernel():
        sent = []

        def interrupt():
            while not made.cells[0].outputs:
                time.sleep(0.1)
            # Within the call, whose line follows.
            time.sleep(1)
            sent.append(time.monotonic())
            os.kill(client.km.provisioner.pid, signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        client.execute_cell(made.cells[0], 0)
        took = time.monotonic() - sent[0]
        client.allow_errors = False
        client.execute_cell(made.cells[1], 1)
    if made.cells[0].outputs[-1].get("ename") != "KeyboardInterrupt" or not shown(made):
        sys.exit(f"unexpected outputs: {[cell.outputs for cell in made.cells]}")
    return took


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "samples/documents", pathlib.Path(folder) / "samples/documents")
        for file in sorted((ROOT / "bindings/python/notebooks").glob("*.ipynb")):
            made = nbformat.read(file, as_version=4)
            NotebookClient(made, timeout=300, resources={"metadata": {"path": folder}}).execute()
            print(f"{file.name}: {len(made.cells)} cells, {shown(made)} of them show HTML")
    print(f"interrupted: the cell ended {interrupted():.2f} s later")
    return 0


if __name__ == "__main__":
    sys.exit(main())
