"""Attacks on the server, each of which it must withstand: attack.py NEARPRINT [ATTACK...] [--kills N] [--seed N]

Attacks: resources (one client holds each resource, another must be served within a second), disk (kills under a mixed
load on a full and then freed disk; needs root), files (each file of a server damaged in four ways), forms (every form of
every page with markup). Prints what was seen, for a record; exit status 1 with the first thing that does not hold.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "attacks"))

from forms import every_form
from resources import held_resources
from storage import damaged_files, full_disk


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("attacks", nargs="*", help="those to run; all if none is named")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--slower",
        type=float,
        default=3.0,
        help="how many times as long as without an attack is no fault of the server",
    )
    given = parser.parse_args()
    program = given.program.resolve()
    attacks = {
        "forms": lambda: every_form(program),
        "files": lambda: damaged_files(program, given.seed),
        "disk": lambda: full_disk(program, given.kills, given.seed),
        "resources": lambda: held_resources(program, given.slower),
    }
    for name in given.attacks or attacks:
        for line in attacks[name]():
            print(line, flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
