"""Memory and temporary files of all processes below this one, while they run."""

import os
import pathlib
import re
import threading


class Watch(threading.Thread):
    """Peaks of what the processes below this one have: memory, shared pages counted once; files, also unnamed ones."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.memory, self.disk, self.ended = folder, 0, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.5):
            memory, files = 0, {}
            for process in below(os.getpid()):
                try:
                    text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
                    memory += int(re.search(r"\nPss: *(\d+)", text)[1]) * 1024
                    for file in pathlib.Path(f"/proc/{process}/fd").iterdir():
                        found = file.stat()
                        if found.st_nlink == 0 and found.st_blocks:
                            files[found.st_dev, found.st_ino] = found.st_blocks * 512
                except (OSError, TypeError):
                    continue
            for file in self.folder.rglob("*"):
                try:
                    found = file.lstat()
                    files[found.st_dev, found.st_ino] = found.st_blocks * 512
                except OSError:
                    continue
            self.memory, self.disk = max(self.memory, memory), max(self.disk, sum(files.values()))


def below(root):
    """All processes that came from this one."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found, left = [], [root]
    while left:
        children = parents.get(left.pop(), [])
        found += children
        left += children
    return found
