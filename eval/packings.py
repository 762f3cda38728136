"""Whether documents have the same prints as files, in an archive and in a table of lines.

    python eval/packings.py DIRECTORY --nearprint PROGRAM [--scheme sd1]

Every file below DIRECTORY is fingerprinted as it lies there; as a record of a WARC archive with a member of gzip for each, written
by warcio; and as a line of JSON with the text that `nearprint extract` takes out of it. A file without a print must have none in
the archive either. Prints one line of counts, names the first files that differ, and ends with 1 where one does.

Needs warcio.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from warcio.warcwriter import WARCWriter

SHOWN = 10


def prints(program, scheme, *arguments):
    """The print of each document, or the reason why it has none, by its id."""
    command = [program, "fingerprint", "-qq", "--scheme", scheme, "--format", "jsonl", *arguments]
    # 1 says that some documents failed, which is compared too.
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")
    rows = map(json.loads, done.stdout.splitlines())
    return {row["id"]: row["fingerprint"] or row["reason"] for row in rows}


def archive(paths, root, out):
    """All files as records of one archive, called by their numbers."""
    with out.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for number, path in enumerate(paths):
            with (root / path).open("rb") as payload:
                record = writer.create_warc_record(
                    f"file:///{number}", "resource", payload=payload, warc_content_type="application/octet-stream"
                )
                writer.write_record(record)


def lines(program, paths, root, out):
    """The texts of all files that have one, as lines called by their numbers."""

    def text(path):
        done = subprocess.run([program, "extract", "-qq", root / path], stdout=subprocess.PIPE, check=False)
        return done.stdout if done.returncode == 0 else None

    with ThreadPoolExecutor(os.cpu_count()) as pool, out.open("w", encoding="utf-8") as stream:
        for number, data in enumerate(pool.map(text, paths)):
            if data is not None:
                stream.write(json.dumps({"id": str(number), "text": data.decode()}) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--nearprint", required=True, type=pathlib.Path)
    parser.add_argument("--scheme", default="sd1")
    given = parser.parse_args()
    program, root = given.nearprint.resolve(), given.directory.resolve()
    paths = sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())
    with tempfile.TemporaryDirectory() as work:
        packed, table, listed = (pathlib.Path(work, name) for name in ("a.warc.gz", "t.jsonl", "list"))
        listed.write_bytes(b"\0".join(os.fsencode(root / path) for path in paths))
        files = prints(program, given.scheme, "--read", "format=files", "--files-from", listed)
        if len(files) != len(paths):
            sys.exit(f"{len(paths)} files and {len(files)} prints: names that are not text")
        # In the order of the input, as ids of files may be escaped.
        wanted = list(files.values())
        archive(paths, root, packed)
        captured = prints(program, given.scheme, "--read", "ids=url", packed)
        lines(program, paths, root, table)
        rows = prints(program, given.scheme, table)
    unlike = []
    for number, (path, print_) in enumerate(zip(paths, wanted, strict=True)):
        in_archive, in_lines = captured.get(f"file:///{number}"), rows.get(str(number))
        # What has no text has no line, or one without words.
        in_lines_too = in_lines == print_ if ":" in print_ else in_lines is None or ":" not in in_lines
        if in_archive != print_ or not in_lines_too:
            unlike.append(f"{path}: {print_} as a file, {in_archive} in the archive, {in_lines} in the lines")
    with_print = sum(":" in print_ for print_ in wanted)
    print(f"{len(paths)} files, {with_print} with a print ({given.scheme}): {len(unlike)} differ when packed")
    for text in unlike[:SHOWN]:
        print(text, file=sys.stderr)
    return 1 if unlike else 0


if __name__ == "__main__":
    sys.exit(main())
