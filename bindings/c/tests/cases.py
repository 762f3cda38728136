"""Writes the vectors of whole documents as lines for vectors.c."""

import json
import pathlib

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "spec" / "vectors"


def given_bytes(given: dict) -> bytes:
    if "bytes_hex" in given:
        return bytes.fromhex(given["bytes_hex"] if isinstance(given["bytes_hex"], str) else "".join(given["bytes_hex"]))
    if "utf16" in given:
        units = b"".join(int(unit, 16).to_bytes(2, "little") for unit in given["utf16"])
        return units.decode("utf-16-le", "replace").encode()
    return given["text"].encode()


def cases(name: str) -> list:
    return json.loads((VECTORS / f"{name}.json").read_text("ascii"))["cases"]


for case in cases("family_documents"):
    # Half a pair of surrogates has no UTF-8.
    if "utf16" not in case["input"]:
        for scheme, string in case["expected"]["strings"].items():
            print(scheme, "x" + given_bytes(case["input"]).hex(), string or "-", sep="\t")
for case in cases("custom_documents"):
    expected = case["expected"]["string"]
    if "utf16" not in case["input"]:
        print(case["input"]["declaration"], "x" + given_bytes(case["input"]).hex(), expected or "-", sep="\t")
for case in cases("seomoz_legacy"):
    print("seomoz-legacy", "x" + given_bytes(case["input"]).hex(), case["expected"]["string"] or "-", sep="\t")
