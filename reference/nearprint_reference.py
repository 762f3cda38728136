#!/usr/bin/env python3
"""The readable reference of spec/SPEC.md in plain Python: its command line.

    nearprint_reference.py [--scheme ID] FILE...
        prints the fingerprint of each file of UTF-8 text (or "none"), a TAB and its name; ID: sd1 (the default), sl1,
        md1 or wd1
    nearprint_reference.py --stages
        reads JSON lines such as {"id": 1, "text": "..."} (or "bytes_hex", or "utf16": an array of code units) and
        prints every stage of each, of every scheme, as a JSON line; compare.py describes the fields

nearprint_sd1.py holds sections 2 to 7, nearprint_family.py the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import nearprint_family as family


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stages", action="store_true", help="compare stage by stage: JSON lines from standard input")
    parser.add_argument("--scheme", choices=family.SCHEMES, help="the scheme id; sd1 where none is given")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="UTF-8 text")
    arguments = parser.parse_args()
    if arguments.stages == bool(arguments.files):
        parser.error("give either files or --stages")
    if arguments.stages and arguments.scheme:
        parser.error("--stages prints every scheme: leave --scheme out")
    if arguments.stages:
        for line in sys.stdin.buffer:
            record = json.loads(line)
            print(json.dumps({"id": record.get("id")} | family.stages(record)))
    scheme = arguments.scheme or "sd1"
    for file in arguments.files:
        found = family.fingerprint(scheme, family.sd1.repair(file.read_bytes()))
        print(family.to_string(scheme, found.value) if found else "none", file, sep="\t")


if __name__ == "__main__":
    main()
