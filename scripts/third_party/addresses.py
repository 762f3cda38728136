"""Has the keys of addresses in our index of captures (CDXJ) compared with those of the Python package `surt`, by which
cdxj-indexer and pywb find captures: addresses as crawls meet them, put together at random from parts that are hard.

.venv/bin/python scripts/third_party/addresses.py target/debug/nearprint [--count 3000] [--seed 1]
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
from cdxj_indexer.main import CDXJIndexer  # noqa: E402

ID = "0123456789abcdef0123456789ABCDEF"
PATH_ID = "0123456789abcdefghijklMN"


def alternatives(text: str) -> list[str]:
    return ["" if each == "-" else each.replace("_", " ") for each in re.split("[ \\n]+", text)]


# Of alternatives `-` is none, and `_` is a blank.
SCHEMES = ["http://", "https://"] * 8 + alternatives(
    """HTTP:// Https:// ftp:// ws:// gopher:// - // http: http:/ http:/// http://http:// http://https:// dns: dns:// urn: mailto:
    screenshot: file:// file:/// filedesc:// javascript: data: URN:X- metadata:// 1http:// httpx: x+y-z.1:"""
)
USERS = [""] * 12 + alternatives("user@ user:pass@ u:p:q@ u@v@ %40@ @")
HOSTS = ["example.org", "www.example.org", "WWW.Example.ORG"] * 4 + alternatives(
    f"""www2.example.org www22.a.b.example.co.uk www.www.org www. www wwww.org www-1.org localhost example.org. .example.org
    example..org a...b.org ... - ex_ample.org a,b.org 192.0.2.1 192.0.2.256 3232235777 99999999999 127.1 1.2.3 1.70000 017.1.1.1
    0x7f.1 08.1 0.8 0 1.2.3.4.5 1.010 01.2.3.400 192.0.2.1. www.192.0.2.1 [2001:DB8::1] [::1] [fe80::1%25eth0] [::1
    b\u00fccher.example B\u00dcCHER.Example b%C3%BCcher.example stra\u00dfe.de \u03c3\u03b1\u03c2.gr \u65e5\u672c\u8a9e.jp
    \u65e5\u672c\u3002jp \uff45xample.org \u043f\u0440\u0438.\u0440\u0444 \u05d0\u05d1\u05d2.example a\u05d0.example
    \u05d01.example xn--bcher-kva.example XN--BCHER-KVA.example b%FCcher.example %E4 a\u00ad.org \u00fc.{"a" * 64}
    {"a" * 63}\u00fc.org \u00fc..org xn--\u00fc.org \ue000.org a\u200db.org \u2460.com %77%77%77.example.org ex%2541mple.org
    e%00.org e%2Fx.org a%2eb.org"""
)
PORTS = [""] * 10 + alternatives(": :: :80 :443 :8080 :080 :0 :65535 :65536 :x :8_0 :-1 :80:80")
PARTS = [
    *alternatives(
        f"""a B index.html c_d caf\u00e9 caf%C3%A9 %E4 %2F %2f..%2F %25 %2541 % %z %4 - - . .. ... %2e %2E%2e ;jsessionid={ID}
        ({PATH_ID}) (s({PATH_ID})f({PATH_ID})) x.aspx Default.ASPX .aspx a&b=c a,b () a:b ~u $'*+!@=|\\^`{{}}[]<>" \u65e5 %3F %23 %00"""
    ),
    "\x0b",
]
NAMES = alternatives(
    """a B b x jsessionid JSESSIONID phpsessid sid SID xsid cfid cftoken CFID CFToken - %61 ASPSESSIONIDabcdefgh
    aspsessionidABCDEFGH ASPSESSIONIDabcdefg1 caf\u00e9 a[] utm-source"""
)
VALUES = alternatives(f"- 1 Z_z %20 + {ID} {ID[:-1]} {ID}0 {'A' * 24} = a=b %26 %3D %253D \u00e9 ? /../ http://x/?y")


def address(rng: random.Random) -> str:
    text = rng.choice(SCHEMES) + rng.choice(USERS) + rng.choice(HOSTS) + rng.choice(PORTS)
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
        text += "/" + rng.choice(PARTS)
    text += rng.choice(["", "", "/", "//"])
    if rng.random() < 0.5:
        parameters = []
        for _ in range(rng.choice([0, 1, 2, 3, 5])):
            name = rng.choice(NAMES)
            parameters.append(name + rng.choice(["=", "=", "=", ""]) + rng.choice(VALUES))
        text += "?" + rng.choice(["&", "&", "&", "&&", ";"]).join(parameters) + rng.choice(["", "", "", "&", "?"])
    if rng.random() < 0.1:
        text += rng.choice(["#", "#x", "#!/a?b", "#%23"])
    return text


def archive(addresses: list[str]) -> bytes:
    """A record for each of them."""
    out = bytearray()
    for number, text in enumerate(addresses):
        head = [
            "WARC/1.1",
            "WARC-Type: resource",
            f"WARC-Target-URI: {text}",
            "WARC-Date: 2026-11-22T00:00:00Z",
            f"WARC-Record-ID: <urn:uuid:{number}>",
            "Content-Type: text/plain",
            "Content-Length: 1",
        ]
        out += "\r\n".join([*head, "", "x", "", ""]).encode()
    return bytes(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    addresses = [address(rng) for _ in range(given.count)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "addresses.warc"
        path.write_bytes(archive(addresses))
        command = [given.program, "fingerprint", "-qq", "--format", "cdxj", path]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    lines = done.stdout.split("\n")[:-1]
    keys = CDXJIndexer("-", [])
    failures = abs(len(lines) - len(addresses))
    # What separates lines for Python is nothing that separates lines of an index.
    for text, line in zip(addresses, lines, strict=False):
        found, _, fields = line.split(" ", 2)
        url = json.loads(fields)["url"]
        if url != text.strip():
            failures += 1
            print(f"address {url!r}, expected {text!r}", file=sys.stderr)
        expected = keys.get_url_key(url)
        if found != expected and not (expected == url and found == "".join(word(c) for c in url)):
            failures += 1
            print(f"key of {url!r}: {found!r}, expected {expected!r}", file=sys.stderr)
    print(
        f"addresses: {failures} differences"
        if failures
        else f"third-party tools agree on the keys of {len(lines)} addresses"
    )
    return 1 if failures else 0


def word(letter: str) -> str:
    """A letter of an address that is its own key: blanks and controls would end the field, and are escaped."""
    is_bare = letter.isspace() or (not letter.isprintable() and ord(letter) < 0xA0)
    return "".join(f"%{byte:02X}" for byte in letter.encode()) if is_bare else letter


if __name__ == "__main__":
    sys.exit(main())
