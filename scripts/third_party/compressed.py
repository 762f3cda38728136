"""Has the zstd program and Python's zstandard compress what nearprint reads.

.venv/bin/python scripts/third_party/compressed.py target/debug/nearprint
.venv/bin/python scripts/third_party/compressed.py target/release/nearprint --large   # one frame of 1 GB, in bounded memory; Linux only
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import zstandard

LETTERS = "abcdefghijklmnopqrstuvwxyz"

# Bytes of memory for one frame of 1 GB with a window of 128 MiB.
MOST_MEMORY = 400 << 20


def texts(count: int, words: int = 120) -> list[str]:
    """Texts that do not repeat one another, and compress to a third."""
    dice = random.Random(7)
    known = ["".join(dice.choices(LETTERS, k=dice.randint(3, 9))) for _ in range(5000)]
    return [" ".join(dice.choices(known, k=words)) for _ in range(count)]


def row(number: int, text: str) -> bytes:
    return json.dumps({"id": f"n:{number}", "text": text}).encode() + b"\n"


def record(number: int, text: str) -> bytes:
    fields = {"WARC-Type": "conversion", "WARC-Record-ID": f"<n:{number}>", "Content-Type": "text/plain"}
    fields |= {"WARC-Date": "2021-03-04T05:06:07Z", "Content-Length": str(len(text))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{head}\r\n{text}\r\n\r\n".encode()


def skippable(length: int, magic: int = 0x184D2A50, content: bytes | None = None) -> bytes:
    content = bytes(length) if content is None else content
    return struct.pack("<II", magic, len(content)) + content


def program(data: bytes, *options: str) -> bytes:
    """What the zstd program writes, which does not know the size in advance."""
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True, check=True).stdout


def stream(data: bytes, **parameters: int) -> bytes:
    """One frame that does not state its size."""
    settings = zstandard.ZstdCompressionParameters.from_level(3, **parameters)
    packer = zstandard.ZstdCompressor(compression_params=settings).compressobj()
    return packer.compress(data) + packer.flush()


def whole(data: bytes, level: int = 3, **parameters: object) -> bytes:
    return zstandard.ZstdCompressor(level, **parameters).compress(data)


def forms(parts: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """The same content in frames of every form."""
    data = b"".join(parts)
    half = len(data) // 2
    for level in (1, 3, 12, 19, 22):
        yield f"zstandard, level {level}", whole(data, level)
    yield "zstd", program(data)
    yield "zstd --no-check", program(data, "--no-check")
    yield "zstd --ultra -22", program(data, "--ultra", "-22")
    yield "zstd --long=27", program(data, "--long=27")
    yield "zstd -T2 -B", program(data, "-T2", "-B65536")
    yield "no size, no checksum", stream(data, write_content_size=False, write_checksum=False)
    yield "a checksum, no size", stream(data, write_content_size=False, write_checksum=True)
    yield "a window of 128 MiB", stream(data, window_log=27, enable_ldm=True)
    yield "a frame each", b"".join(whole(part) for part in parts)
    yield "empty frames", whole(b"") * 3 + whole(data) + whole(b"") * 3
    yield (
        "skippable frames",
        skippable(10) + whole(data[:half]) + skippable(500_000) + whole(data[half:]) + skippable(0),
    )
    yield "a long skippable frame", skippable(40 << 20) + whole(data)


def dictionaries(parts: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Archives that begin with the dictionary of their frames."""
    dictionary = zstandard.train_dictionary(50_000, parts)
    plain = dictionary.as_bytes()
    for name, content in [("as it is", plain), ("compressed", whole(plain, 19, write_checksum=True))]:
        head = skippable(0, 0x184D2A5D, content)
        for named in (True, False):
            settings = zstandard.ZstdCompressionParameters.from_level(3, write_dict_id=named, write_checksum=True)
            packer = zstandard.ZstdCompressor(dict_data=dictionary, compression_params=settings)
            frames = [packer.compress(part) for part in parts]
            yield f"a dictionary {name}, {'' if named else 'not '}named", head + b"".join(frames)
        yield (
            f"a dictionary {name} and other frames",
            head + b"".join(map(bytes.__add__, frames, [skippable(9)] * len(frames))),
        )


class Check:
    """Runs the command and counts what does not hold."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.failures = 0

    def run(self, data: bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = self.folder / "file"
        path.write_bytes(data)
        done = subprocess.run([self.program, *arguments, path], capture_output=True, text=True, check=False)
        with path.open("rb") as stream:
            piped = subprocess.run(
                [self.program, *arguments, "-"], stdin=stream, capture_output=True, text=True, check=False
            )
        self.equal((piped.returncode, piped.stdout), (done.returncode, done.stdout), "standard input")
        return done

    def equal(self, found: object, expected: object, what: str) -> None:
        if found != expected:
            self.failures += 1
            print(f"{what}: {str(found)[:300]!r}, expected {str(expected)[:300]!r}", file=sys.stderr)


def check_forms(check: Check) -> None:
    contents = texts(3000)
    for name, parts in [
        ("lines", [row(number, text) for number, text in enumerate(contents)]),
        ("archive", [record(number, text) for number, text in enumerate(contents)]),
    ]:
        expected = check.run(b"".join(parts), "fingerprint", "-qq").stdout
        check.equal(expected.count("\n"), len(contents), name)
        made = [*forms(parts), *(dictionaries(parts) if name == "archive" else [])]
        for form, data in made:
            done = check.run(data, "fingerprint", "-qq")
            check.equal((done.returncode, done.stdout), (0, expected), f"{name}, {form}: {done.stderr}")


def check_page(check: Check) -> None:
    """One document, compressed."""
    page = f"<html><p>{texts(1, 500)[0]}</html>".encode()
    expected = check.run(page, "extract").stdout
    for form, data in forms([page[:700], page[700:]]):
        check.equal(check.run(data, "extract").stdout, expected, f"a page, {form}")


def check_refusals(check: Check) -> None:
    rows = b"".join(row(number, text) for number, text in enumerate(texts(500)))
    for log in (28, 31):
        data = stream(rows, window_log=log, enable_ldm=True, write_content_size=False)
        done = check.run(data, "fingerprint")
        check.equal(done.returncode, 1, f"exit code, a window of 2^{log}")
        for word in ("expansion-limit", f"a window of {1 << log} bytes", "the limit is 134217728", "--long=27"):
            check.equal(word in done.stderr, True, f"{word} in {done.stderr}")


def large(check: Check) -> None:
    """One frame of 1 GB, by both, streamed."""
    contents = texts(1000, 1000)
    path = check.folder / "large.jsonl.zst"
    for name in ("zstandard", "zstd --long=27"):
        written = number = 0
        with path.open("wb") as out:
            packing = None
            if name.startswith("zstd "):
                packing = subprocess.Popen(["zstd", "-q", "-c", "--long=27"], stdin=subprocess.PIPE, stdout=out)
                target = packing.stdin
            else:
                settings = zstandard.ZstdCompressionParameters.from_level(3, window_log=23)
                target = zstandard.ZstdCompressor(compression_params=settings).stream_writer(out, closefd=False)
            dice = random.Random(3)
            while written < 1 << 30:
                # Two texts cut and joined: no two rows are the same.
                first, second = dice.choice(contents), dice.choice(contents)
                line = row(number, first[dice.randrange(2000) :] + second[dice.randrange(2000) :])
                target.write(line)
                written, number = written + len(line), number + 1
            target.close()
            if packing:
                packing.wait()
        with (check.folder / "out").open("wb") as out:
            child = subprocess.Popen([check.program, "fingerprint", "-qq", path], stdout=out)
            _, status, usage = os.wait4(child.pid, 0)
        lines = (check.folder / "out").read_bytes().count(b"\n")
        check.equal((os.waitstatus_to_exitcode(status), lines), (0, number), f"rows of one frame, {name}")
        check.equal(usage.ru_maxrss < MOST_MEMORY >> 10, True, f"{usage.ru_maxrss} KiB of memory, {name}")
        seconds = usage.ru_utime + usage.ru_stime
        print(
            f"{written} bytes in one frame of {path.stat().st_size}, {name}: {usage.ru_maxrss >> 10} MiB of memory, {seconds:.0f} s"
        )


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        check = Check(Path(sys.argv[1]).resolve(), Path(name))
        if "--large" in sys.argv:
            large(check)
        else:
            check_forms(check)
            check_page(check)
            check_refusals(check)
    print(f"compressed files: {check.failures} differences" if check.failures else "compressed files agree")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
