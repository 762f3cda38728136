"""The generators, in environments of their own: pinned Python packages in tools/*.txt, npm's in tools/*.json."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TOOLS = Path(__file__).resolve().parent / "tools"
INSTALL_SECONDS = 900
BUILD_SECONDS = 400
PYTHON_ENVIRONMENTS = ("fetch", "sphinx", "mkdocs", "pelican")
NODE_ENVIRONMENTS = ("hexo", "vitepress")


@dataclass(frozen=True)
class Tools:
    """The environments below one folder."""

    folder: Path

    def python(self, environment: str) -> Path:
        """The interpreter of an environment of Python."""
        return self.folder / environment / "bin" / "python"

    def modules(self, environment: str) -> Path:
        """The packages of an environment of Node."""
        return self.folder / environment / "node_modules"

    def install(self) -> dict[str, str]:
        """Installs what is not there yet; the reason for each environment that could not be."""
        failed: dict[str, str] = {}
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in PYTHON_ENVIRONMENTS:
            if not (self.folder / name / "installed").exists():
                venv = [sys.executable, "-m", "venv", self.folder / name]
                pip = [self.python(name), "-m", "pip", "install", "--quiet", "--requirement", TOOLS / f"{name}.txt"]
                self._run(name, [venv, pip], failed)
        for name in NODE_ENVIRONMENTS:
            if not (self.folder / name / "installed").exists():
                (self.folder / name).mkdir(exist_ok=True)
                shutil.copy(TOOLS / f"{name}.json", self.folder / name / "package.json")
                self._run(name, [["npm", "install", "--silent", "--ignore-scripts", "--no-audit"]], failed)
        return failed

    def _run(self, name: str, commands: list[list[object]], failed: dict[str, str]) -> None:
        for command in commands:
            reason = run([str(part) for part in command], self.folder / name, INSTALL_SECONDS)
            if reason:
                failed[name] = reason
                return
        (self.folder / name / "installed").touch()


def run(command: list[str], folder: Path, seconds: int = BUILD_SECONDS) -> str:
    """Runs a command; why it failed, or nothing."""
    try:
        done = subprocess.run(
            command,
            cwd=folder if folder.is_dir() else None,
            capture_output=True,
            timeout=seconds,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return f"no end in {seconds} s"
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return ""
    lines = (done.stderr + done.stdout).decode("utf-8", "replace").strip().splitlines()
    return f"status {done.returncode}: {lines[-1].strip()[:200] if lines else 'not a word'}"
