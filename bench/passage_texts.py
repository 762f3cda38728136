"""Texts of which about a sixth of the tokens are repeats, for `passage_peers.py texts`: real documents and made ones."""

import json
import pathlib
import random
import subprocess

import passages

SEED = 1
GLOBS = ["*.html", "*.txt", "*.txt.gz", "*.rst", "*.rst.gz", "*.[1-8].gz", "*.pod", "changelog*", "copyright"]
LARGEST = 1 << 20  # a real text; some indexes and change logs are larger
REAL = 7  # one byte in so many is of real documents, as they are
REPEATED = 0.17  # of the parts of a made document
RESERVOIR = 20_000


def real(program, folder):
    """Texts of /usr/share/doc and of the Debian packages of passages.py, as nearprint extracts them, in random order."""
    path = folder / "real.jsonl"
    if not path.exists():
        trees = [pathlib.Path("/usr/share/doc"), *(tree for _, tree in passages.packages(folder / "packages"))]
        globs = [part for glob in GLOBS for part in ("--glob", glob)]
        subprocess.run([program, "extract", "--json", "-q", "-o", path, *globs, *trees], check=False)
    with path.open(encoding="utf-8") as lines:
        texts = [text for line in lines if (text := json.loads(line).get("text")) and len(text) <= LARGEST]
    random.Random(SEED).shuffle(texts)
    return texts


def texts(program, folder, megabytes):
    """JSON lines: real documents, and made ones of runs of 2 to 6 words of them, with passages of earlier ones."""
    import numpy as np

    chance, documents = random.Random(SEED), real(program, folder)
    pool = " ".join(" ".join(text.split()) for text in documents[:6000]).encode()
    starts = np.flatnonzero(np.frombuffer(pool, dtype=np.uint8) == ord(" ")) + 1
    numbers = np.random.default_rng(SEED)

    def fresh(words):
        at = numbers.integers(0, len(starts) - 7, words // 4)
        ends = starts[at + numbers.integers(2, 7, len(at))]
        return b"".join([pool[a:b] for a, b in zip(starts[at].tolist(), ends.tolist(), strict=True)]).decode()

    earlier, total, of_real, number = [], 0, 0, 0

    def remember(part):
        if len(earlier) < RESERVOIR:
            earlier.append(part)
        else:
            earlier[chance.randrange(RESERVOIR)] = part

    part = folder / "texts.part"
    with part.open("w", encoding="utf-8") as out:
        while total < megabytes * 1_000_000:
            if of_real * REAL <= total and documents:
                text = documents.pop()
                of_real += len(text.encode())
                words = text.split()
                if len(words) >= 200:
                    at = chance.randrange(len(words) - 199)
                    remember(" ".join(words[at : at + 200]))
            else:
                parts = []
                for _ in range(chance.randint(2, 14)):
                    if earlier and chance.random() < REPEATED:
                        words = chance.choice(earlier).split()
                        parts.append(" ".join(words[chance.randrange(20) :][: chance.randint(60, 180)]))
                    else:
                        parts.append(fresh(chance.randint(60, 180)))
                        if chance.random() < 0.2:
                            remember(parts[-1])
                text = "\n\n".join(parts)
            out.write(json.dumps({"id": f"{number}", "text": text}, ensure_ascii=False) + "\n")
            total, number = total + len(text.encode()), number + 1
    part.rename(folder / f"texts-{megabytes}.jsonl")
    print(f"{number} documents, {total} bytes, {of_real / total:.3f} of them real")
