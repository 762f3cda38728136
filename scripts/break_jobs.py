"""Kills jobs a thousand times, and takes their disk away: `break_jobs.py PROGRAM [--kills 1000]`. As root, on Linux.

A job lies on a small disk of its own: ext4 in a file that lies in memory. Again and again one of these happens to it,
at a random moment: it is killed with -9; it is killed, and all that the disk was not asked to keep is lost (what the
file of the disk holds at that moment is the disk from then on, as after a cut of the power); the disk is full; the disk
can only be read. Then the same command is run again, and so on until the job is done. Its output must be that of a job
left alone, byte by byte, no folder of it may be left, and a disk that fails must be an error and never a shorter output.

What was done is kept in STATE, a line for each finished job, so a run that is stopped continues. Exit status 1 with the
first output that differs; its disk is kept then.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

MIB = 1 << 20
DISK = 48 * MIB
FAULTS = {"kill": 70, "power": 15, "full": 10, "read-only": 5}  # how often each happens, of 100


def collection(path: Path, rows: int) -> None:
    """Rows of some words, of which every fifth is nearly another, and some have no text or are damaged."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(3000)]
    with path.open("w", encoding="utf-8") as out:
        before: list[str] = words[:60]
        for number in range(rows):
            chosen = [*before[:-2], *rng.sample(words, 2)] if number % 5 == 4 else rng.sample(words, 60)
            before = chosen
            row: dict[str, object] = {"id": f"row-{number}", "text": " ".join(chosen)}
            if number % 97 == 3:
                row["text"] = "1 2 3"
            print("{" if number % 211 == 5 else json.dumps(row), file=out)


class Disk:
    """A file system in a file, mounted or not."""

    def __init__(self, folder: Path) -> None:
        self.image, self.place = folder / "disk", folder / "mounted"
        self.place.mkdir()
        with self.image.open("wb") as file:
            file.truncate(DISK)
        subprocess.run(["mkfs.ext4", "-q", "-F", self.image], check=True)

    def mount(self, *options: str) -> None:
        # Nothing is written but what a program asks for: the kernel's own turn comes after a day.
        named = ",".join(["loop", "commit=86400", *options])
        subprocess.run(["mount", "-o", named, self.image, self.place], check=True)

    def unmount(self) -> None:
        for _ in range(100):
            if subprocess.run(["umount", self.place], check=False, stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.02)  # a loop device is given back a moment after its last user
        raise SystemExit(f"cannot unmount {self.place}")

    def cut_power(self) -> None:
        """From now on the disk is what its file holds: what was not written to it is lost."""
        kept = self.image.with_name("kept")
        shutil.copyfile(self.image, kept)
        self.unmount()
        kept.replace(self.image)
        self.mount()

    def keep(self) -> None:
        """What this script does to the disk is not lost with the power."""
        place = os.open(self.place, os.O_RDONLY)
        ctypes.CDLL(None).syncfs(place)
        os.close(place)

    def fill(self, left: int) -> Path:
        """Takes all space but some."""
        filler = self.place / "filler"
        free = os.statvfs(self.place)
        size = free.f_bavail * free.f_frsize - left
        with filler.open("wb") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, max(1, size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
        return filler


def digest(path: Path) -> str:
    """One digest of a file, or of all files below a directory."""
    found = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file()):
        found.update(str(file.relative_to(path)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


class Job:
    """A command with its output and its folder on the disk, and what it gives when it is left alone."""

    def __init__(self, name: str, command: list[str], disk: Disk) -> None:
        self.name, self.disk = name, disk
        self.out, self.folder = disk.place / "out", disk.place / "job"
        self.command = [*command, str(self.out), "--job", str(self.folder), "--limit", "commit=100", "--threads", "2"]
        began = time.monotonic()
        self.ends = self.run()
        self.seconds = time.monotonic() - began
        self.wanted = digest(self.out)
        self.clear()

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*self.command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, *options: str) -> int:
        return self.start(*options).wait()

    def clear_unfinished(self) -> None:
        for path in self.disk.place.glob(".out*.part"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.clear_unfinished()
        shutil.rmtree(self.out) if self.out.is_dir() else self.out.unlink(missing_ok=True)
        self.disk.keep()

    def killed(self, rng: random.Random) -> bool:
        """Whether it was killed; it may have ended before."""
        # Unfinished outputs of those that were killed stay, as the command says; here they would fill the disk.
        self.clear_unfinished()
        process = self.start()
        time.sleep(rng.uniform(0, self.seconds))
        process.send_signal(signal.SIGKILL)
        status = process.wait()
        if status not in (self.ends, -signal.SIGKILL):
            raise SystemExit(f"{self.name}: status {status} where nothing happened to it")
        return status == -signal.SIGKILL

    def suffer(self, fault: str, rng: random.Random) -> tuple[str, bool]:
        """Does something to it; what it was in the end, and whether the job is done."""
        if fault in ("kill", "power"):
            killed = self.killed(rng)
            if killed and fault == "power":
                self.disk.cut_power()
            return (fault if killed else "left alone"), not killed
        if fault == "full":
            filler = self.disk.fill(rng.randrange(0, 600) << 10)
            status = self.run()
            filler.unlink()
            self.disk.keep()
        else:
            self.disk.unmount()
            self.disk.mount("ro")
            status = self.run()
            self.disk.unmount()
            self.disk.mount()
        is_done = status == self.ends
        # 3 says that the output, or the folder of the job, cannot be written.
        if not is_done and status != 3:
            raise SystemExit(f"{self.name}: status {status} where the disk is {fault}")
        return (f"{fault}, fits" if is_done else fault), is_done

    def survive(self, rng: random.Random) -> Counter[str]:
        """One job from its beginning to its end; what happened to it."""
        happened: Counter[str] = Counter()
        done = False
        while not done:
            named, done = self.suffer(rng.choices(list(FAULTS), list(FAULTS.values()))[0], rng)
            happened[named] += 1
            if self.out.exists() and digest(self.out) != self.wanted:
                raise SystemExit(f"{self.name}: another output after {dict(happened)}")
            if not done and self.out.exists():
                # Killed between the two: the output is there, the folder is not gone. The command says that the output
                # exists; told to replace it, it does the job again from what is left.
                happened["beside its output"] += 1
                done = self.run("--force") == self.ends
        if not self.out.exists() or digest(self.out) != self.wanted:
            raise SystemExit(f"{self.name}: another output, or none, after {dict(happened)}")
        if self.folder.exists():
            raise SystemExit(f"{self.name}: the folder of the job is left after {dict(happened)}")
        self.clear()
        return happened


def total(state: Path) -> Counter[str]:
    """What happened in all runs."""
    found: Counter[str] = Counter()
    if state.exists():
        for line in state.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.update(row["happened"])
            found[f"jobs: {row['job']}"] += 1
    return found


def kills(happened: Counter[str]) -> int:
    return happened["kill"] + happened["power"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--kills", type=int, default=1000, help="ends after so many, in all runs together")
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=Path("build/break_jobs.jsonl"))
    parser.add_argument("--memory", type=Path, default=Path("/dev/shm"), help="where the disk lies")
    given = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("mounting a disk needs root: sudo " + " ".join(sys.argv))
    given.state.parent.mkdir(parents=True, exist_ok=True)
    before = total(given.state)
    rng = random.Random(f"{given.seed} {kills(before)}")
    folder = Path(tempfile.mkdtemp(dir=given.memory))
    rows = folder / "rows.jsonl"
    collection(rows, given.rows)
    disk = Disk(folder)
    disk.mount()
    program = str(given.program.resolve())
    read = ["-qq", str(rows), "--format", "jsonl", "--output"]
    commands = {
        "fingerprint": [program, "fingerprint", *read],
        "dedup, decisions": [program, "dedup", *read],
        "dedup, what is kept": [program, "dedup", "-qq", str(rows), "--write"],
    }
    try:
        jobs = [Job(name, command, disk) for name, command in commands.items()]
        while kills(total(given.state)) < given.kills:
            job = rng.choice(jobs)
            happened = job.survive(rng)
            with given.state.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps({"job": job.name, "happened": happened}) + "\n")
    except BaseException:
        disk.unmount()
        print(f"the disk is kept in {disk.image}", file=sys.stderr)
        raise
    disk.unmount()
    shutil.rmtree(folder)
    for what, count in sorted(total(given.state).items()):
        print(f"{count:6,} {what}")
    print("every output was that of a job left alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
