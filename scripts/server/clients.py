"""Clients that generators make from the server's description run every recipe of docs/SERVER.md:
clients.py NEARPRINT [python] [typescript]

For Python, openapi-python-client makes it (from PyPI, where this runs), and for TypeScript openapi-typescript with
openapi-fetch (from npm). Each runs its recipes against a new server, and the requests that it sent, by method, path,
names of parameters and headers, must contain all that the guide shows.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "SERVER.md"
HERE = Path(__file__).resolve().parent / "clients"
SAMPLES = ROOT / "samples" / "documents"
BUILD = ROOT / "build" / "clients"
HEADERS = ("authorization", "content-encoding", "idempotency-key")


class Server:
    """A server of a new directory, and its description."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        command = [program, "serve", self.folder.name, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = re.search(r"http://[\d.]+:\d+", self.process.stderr.readline())
        assert found, "the server does not say where it listens"
        self.address = found[0]

    def description(self) -> dict:
        with urllib.request.urlopen(f"{self.address}/openapi.json") as answer:
            return json.load(answer)

    def token(self) -> str:
        """The token of the guide."""
        options = ["--name", "crawler", "--right", "write", "--collection", "lights*", "--expires", "90d"]
        command = [self.program, "serve", "token", "create", self.folder.name, *options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


def commands(page: str) -> list[str]:
    """The commands of a page, each with the lines that continue it."""
    found: list[str] = []
    for block in re.findall(r"```shell-session\n(.*?)```", page, re.DOTALL):
        for line in re.sub(r"\\\n", " ", block).splitlines():
            if line.startswith("$ "):
                found.append(line[2:])
    return found


def request_line(method: str, path: str, names: set[str], headers: list[str]) -> str:
    return f"{method} {path}?{','.join(sorted(names))}{''.join(f' +{name}' for name in sorted(headers))}"


def requests(command: str) -> list[str]:
    """What each curl of a command sends."""
    found = []
    for part in re.split(r"\bcurl\b", command)[1:]:
        address = re.search(r"http://127\.0\.0\.1:7117(/[^\s'\"]*)", part)
        assert address, command
        parts = urlsplit(address[1].replace("$(", "some"))
        names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
        names |= set(re.findall(r"--data-urlencode '(\w+)=", part))
        sends = re.search(r" (?:-d|--data-binary) ", part) and " -G " not in part
        stated = re.search(r"-X (\w+)", part)
        method = stated[1] if stated else "PUT" if " -T " in part else "POST" if sends else "GET"
        headers = [name.lower() for name in re.findall(r"-H ['\"]([\w-]+):", part) if name.lower() in HEADERS]
        found.append(request_line(method, parts.path, names, headers))
    return found


def described(line: str, paths: dict) -> str:
    """A request with the names in its path as the description writes them, and without parameters that have a default:
    generated clients send these on their own."""
    method, rest = line.split(" ", 1)
    path, rest = rest.split("?", 1)
    names, headers = re.fullmatch(r"(\S*)(.*)", rest).groups()
    for template in sorted(paths, key=lambda path: path.count("{")):
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            parameters = paths[template][method.lower()].get("parameters", [])
            usual = {one["name"] for one in parameters if "default" in one["schema"]}
            kept = [name for name in names.split(",") if name not in usual]
            return f"{method} {template}?{','.join(kept)}{headers}"
    raise SystemExit(f"{path} is not in the description")


def run(server: Server, command: list[str]) -> list[str]:
    """The requests that recipes print; gives them the token when they ask for it."""
    token = Path(server.folder.name) / "token-for-recipes"
    sent = []
    with subprocess.Popen([*command, server.address, SAMPLES, token], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "token\n":
                part = token.with_suffix(".part")
                part.write_text(server.token(), encoding="utf-8")
                part.rename(token)
            else:
                sent.append(line.rstrip("\n"))
    if process.returncode:
        raise SystemExit(f"{command[0]}: the recipes ended with {process.returncode}")
    return sent


def python(description: Path) -> list[str]:
    """Makes the client for Python; the command that runs its recipes."""
    package = BUILD / "python" / "nearprint_api"
    package.parent.mkdir(parents=True, exist_ok=True)
    generate = [Path(sys.executable).parent / "openapi-python-client", "generate", "--path", description]
    generate += ["--output-path", package, "--overwrite", "--meta", "none"]
    made = subprocess.run(generate, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(made.stdout + made.stderr)
    shutil.copy(HERE / "recipes.py", package.parent)
    return [sys.executable, str(package.parent / "recipes.py")]


def typescript(description: Path) -> list[str]:
    """Makes the client for TypeScript; the command that runs its recipes."""
    folder = BUILD / "typescript"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("recipes.ts", "package.json"):
        shutil.copy(HERE / name, folder)
    tools = folder / "node_modules" / ".bin"
    for command in (
        ["npm", "install", "--silent", "--no-fund", "--no-audit"],
        [tools / "openapi-typescript", description, "--output", "schema.d.ts"],
        [tools / "tsc", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "recipes.ts"],
    ):
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode:
            raise SystemExit(f"{command[0]}: {made.stdout}{made.stderr}")
    return ["node", str(folder / "recipes.js")]


def main() -> int:
    program, languages = Path(sys.argv[1]).resolve(), sys.argv[2:] or ["python", "typescript"]
    shown = [line for command in commands(GUIDE.read_text(encoding="utf-8")) for line in requests(command)]
    for language in languages:
        server = Server(program)
        try:
            description = server.description()
            BUILD.mkdir(parents=True, exist_ok=True)
            (BUILD / "openapi.json").write_text(json.dumps(description), encoding="utf-8")
            make = {"python": python, "typescript": typescript}[language]
            sent = run(server, make(BUILD / "openapi.json"))
        finally:
            server.stop()
        wanted, done = ([described(line, description["paths"]) for line in lines] for lines in (shown, sent))
        missing = sorted(set(wanted) - set(done))
        if missing or len(set(wanted)) < 20:
            raise SystemExit("\n".join([f"{language}: recipes of the guide that were not run:", *missing]))
        print(f"{language}: {len(done)} requests, all {len(set(wanted))} kinds that the guide shows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
