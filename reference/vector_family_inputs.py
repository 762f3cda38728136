"""The inputs of the vectors of sl1, md1 and wd1 and of what concerns all schemes: sections 1, 10 and 11.

As vector_inputs.py: `want` is known without the reference. Many sketches are known because `mix` of [11.1] can be
undone: elements are chosen so that round 0 puts them where they are wanted.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator

import vector_inputs
from vector_inputs import ENGLISH, LETTERS, PIECES, Planned, case

M64 = 2**64 - 1
FACTOR = 0x9E3779B97F4A7C15
HALF = 0x8000000000000000
PUBLISHED = 0x17770551CE7226E6  # the published hash of this token
FOUR_SCORE = "Four score and seven years ago"
TWINS = ["intelligence", "q\ucf1bxk\u0115\u0779\u07e1", "\u06f4xchh\u0185\u057b\u033c"]  # of one hash
TWIN_HASH = 0x8BB42B9CE7A0B210
WORDS = [f"word{i}" for i in range(200)]


def mix(x: int) -> int:
    """`mix` of [11.1]."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x = (x ^ x >> 33) * factor & M64
    return x ^ x >> 33


def unmix(x: int) -> int:
    """The element whose `h(x, 0)` this is."""
    x ^= x >> 33
    for factor in (0xC4CEB9FE1A85EC53, 0xFF51AFD7ED558CCD):
        x = x * pow(factor, -1, 2**64) & M64
        x ^= x >> 33
    return x


def digits(numbers: Iterable[int]) -> list[str]:
    """Numbers of 64 bits as the files have them."""
    return [f"{number:016x}" for number in numbers]


# ---------------------------------------------------------------- logs: section 10


def logs() -> Iterator[Planned]:
    none = {"count": 0, "features": [], "signs": "0" * 64, "short": None, "value": None, "string": None}
    yield case("no tokens: no fingerprint", "7.4 10.4", none | {"decimal": None}, counted=[])
    known = {"features": [["17770551ce7226e6", 1, 1]], "value": "17770551ce7226e6", "string": "sl1:c53qkuoooitom"}
    yield case("one token with a published hash", "10.1 10.4 10.5", known, counted=[[FOUR_SCORE, 1]])
    yield case("tokens beyond ASCII", "10.1", counted=[["\u65e5\u672c", 1], ["stra\u00dfe", 2], ["\U00010428", 4]])
    for times in (1, 2, 3, 4, 7, 8, 15, 16, 255, 256, 1023, 1024, 65535, 65536):
        features = [["17770551ce7226e6", times, len(bin(times)) - 2]]
        short = times < 50
        known = {"count": times, "features": features, "short": short}
        yield case(f"term frequency {times}", "10.3 10.4", known, counted=[[FOUR_SCORE, times]])
    yield case("equal weights tie", "7.3 10.3 10.4", counted=[["alpha", 2], ["beta", 3]])
    yield case("2 weighs more than 1", "10.3 10.4", counted=[["alpha", 2], ["beta", 1]])
    yield case("4 against 3 and 1: a tie", "7.3 10.3 10.4", counted=[["alpha", 4], ["beta", 3], ["gamma", 1]])
    yield case("7 against 8", "10.3 10.4", counted=[["alpha", 7], ["beta", 8]])
    yield case("255 against 256", "10.3 10.4", counted=[["alpha", 255], ["beta", 256]])
    yield case("65,536 times is worth 17 others", "10.3 10.4", counted=[["the", 65536], *([w, 1] for w in WORDS[:17])])
    words = [[word, times] for times, word in enumerate(WORDS[:40], 1)]
    yield case("term frequencies 1 to 40", "10.3 10.4", {"count": 820, "short": False}, counted=words)
    yield case("order does not matter", "10.2 10.4", {"count": 820}, counted=words[::-1])
    halves = [[word, (times + 1) // 2] for word, times in words] + [[word, times // 2] for word, times in words]
    yield case("occurrences apart", "10.2 10.4", {"count": 820}, counted=halves)
    twins = {"features": [[f"{TWIN_HASH:016x}", 3, 2]], "value": f"{TWIN_HASH:016x}"}
    yield case("two tokens of one hash are one feature", "10.2", twins, counted=[[TWINS[0], 2], [TWINS[1], 1]])
    yield case("and weigh as one", "10.2 10.4", counted=[[TWINS[0], 2], [TWINS[1], 1], ["beta", 4]])
    yield case("three of one hash", "10.2 10.4", counted=[[token, 1] for token in TWINS] + [["beta", 1], ["gamma", 1]])
    zero = {"value": "0" * 16, "string": "sl1:aaaaaaaaaaaaa", "decimal": "0"}
    yield case("an ordinary fingerprint of value 0", "7.4 10.5", zero, counted=[["w17274", 2], ["w21707", 3]])
    for count in (49, 50):
        known = {"count": count, "short": count < 50}
        yield case(f"{count} tokens", "7.5 10.4", known, counted=[[word, 1] for word in WORDS[:count]])
    yield case("50 occurrences of one token are not short", "7.5 10.4", {"short": False}, counted=[["again", 50]])
    yield case("49 occurrences of two are short", "7.5 10.4", {"short": True}, counted=[["again", 30], ["once", 19]])


# ---------------------------------------------------------------- elements: [11.4] to [11.6]


def elements() -> Iterator[Planned]:
    one = {"elements": ["17770551ce7226e6"]}
    two = {"elements": [f"{PUBLISHED * (FACTOR + 1) & M64:016x}"]}
    three = {"elements": [f"{PUBLISHED * (FACTOR * FACTOR + FACTOR + 1) & M64:016x}"]}
    yield case("md1, none", "11.4", {"elements": []}, scheme="md1", tokens=[])
    yield case("md1, one token", "11.5", one, scheme="md1", tokens=[FOUR_SCORE])
    yield case("md1, one token twice", "11.5", two, scheme="md1", tokens=[FOUR_SCORE] * 2)
    yield case("md1, one token three times", "11.4", three, scheme="md1", tokens=[FOUR_SCORE] * 3)
    yield case("md1, one token ten times: a set", "11.4", three, scheme="md1", tokens=[FOUR_SCORE] * 10)
    for count in (1, 2, 3, 4, 5, 6, 200):
        yield case(f"md1, {count} words", "11.4 11.5", scheme="md1", tokens=WORDS[:count])
    yield case("md1, two words in the other order", "11.5", scheme="md1", tokens=["word1", "word0"])
    yield case("md1, three words in the other order", "11.4", scheme="md1", tokens=["word2", "word1", "word0"])
    yield case("md1, tokens beyond ASCII", "11.4", scheme="md1", tokens=["\u65e5\u672c", "\u672c\u306e", "stra\u00dfe"])
    repeated = ["a", "rose", "is", "a", "rose", "is", "a", "rose"]
    yield case("md1, repeated shingles", "11.4", scheme="md1", tokens=repeated)
    yield case("md1, two tokens of one hash", "11.4", scheme="md1", tokens=[TWINS[0], "x", "y", TWINS[1], "x", "y"])
    yield case("md1, English", "11.4", scheme="md1", tokens=ENGLISH.lower().replace(".", "").replace(",", "").split())

    def known(frequency: int) -> dict[str, object]:
        weights = range(1, len(bin(frequency)) - 1)
        return {"elements": sorted(digits((PUBLISHED * FACTOR + j) & M64 for j in weights))}

    yield case("wd1, none", "11.6", {"elements": []}, scheme="wd1", tokens=[])
    for times in (1, 2, 3, 4, 7, 8, 255, 256):
        yield case(f"wd1, term frequency {times}", "11.6", known(times), scheme="wd1", tokens=[FOUR_SCORE] * times)
    yield case("wd1, repeated words", "11.6", scheme="wd1", tokens=repeated)
    yield case("wd1, repeated words in another order", "11.6", scheme="wd1", tokens=sorted(repeated))
    yield case("wd1, 200 words", "11.6", scheme="wd1", tokens=WORDS)
    twins = {"elements": sorted(digits((TWIN_HASH * FACTOR + j) & M64 for j in (1, 2)))}
    yield case("wd1, two tokens of one hash", "10.2 11.6", twins, scheme="wd1", tokens=[TWINS[0], TWINS[1], TWINS[0]])


# ---------------------------------------------------------------- sketches: [11.1] to [11.3] [11.8]


def numbers_of(numbers: Iterable[int]) -> str:
    """What the file says of a sketch of these numbers."""
    return "".join(f"{number:04x}" for number in numbers)


def avoiding(bin_: int, count: int, first: int) -> list[int]:
    """Elements that no round from 0 to 127 puts into a bin."""
    found: list[int] = []
    candidate = first
    while len(found) < count:
        element = mix(candidate)
        if all(mix((element + r * 0xD6E8FEB86659FD93) & M64) >> 57 != bin_ for r in range(128)):
            found.append(element)
        candidate += 1
    return found


def sketches() -> Iterator[Planned]:
    for name, element in (("0", 0), ("1", 1), ("2^64 - 1", M64), ("2^63", HALF), ("a published hash", PUBLISHED)):
        yield case(f"one element, {name}", "11.1 11.2 11.3", elements=digits([element]))
    chosen = [mix(i) for i in range(1, 1001)]
    for count in (2, 3, 4, 5, 6, 10, 30, 100, 127, 128, 129, 300):
        yield case(f"{count} elements", "11.2 11.3", elements=digits(chosen[:count]))
    yield case("100 elements in another order", "11.2", elements=digits(chosen[99::-1]))
    yield case("100 elements, each twice: a set", "11.2", elements=digits(chosen[:100] * 2))
    numbers = [40503 * i % 65536 for i in range(128)]
    known = {"rounds": 1, "value": numbers_of(numbers)}
    full = [unmix(i << 57 | i << 20 | number) for i, number in enumerate(numbers)]
    yield case("one element for each bin in round 0", "11.1 11.2 11.3 11.8", known, elements=digits(full))
    larger = [unmix(i << 57 | i << 20 | 1 << 50 | 7) for i in range(128)]
    yield case("the smaller of two wins in each bin", "11.3", known, elements=digits(larger + full))
    beside = [unmix(i << 57 | i << 20 | number + 1) for i, number in enumerate(numbers) if number < 65535]
    yield case("the smaller by one wins", "11.3", known, elements=digits(full + beside))
    upper = [unmix(i << 57 | i + 1 << 20) for i in range(128)]
    yield case("the upper bits go before the number", "11.3", known, elements=digits(upper + full))
    known = {"rounds": 1, "value": numbers_of([0] * 128)}
    yield case("128 numbers of 0", "11.3 11.8", known, elements=digits(unmix(i << 57) for i in range(128)))
    last = [unmix((i << 57) + 2**57 - 1) for i in range(128)]
    known = {"rounds": 1, "value": numbers_of([65535] * 128)}
    yield case("128 numbers of 65535", "11.3 11.8", known, elements=digits(last))
    yield case("one bin empty after round 0", "11.2 11.3", elements=digits(full[:77] + full[78:]))
    lone = [unmix(5 << 57 | i << 20 | i) for i in range(200)]
    yield case("200 elements in one bin of round 0", "11.2 11.3", elements=digits(lone))
    for bin_, count in ((0, 40), (1, 30), (77, 40), (126, 12), (127, 40), (127, 3)):
        name = f"{count} elements that no round below 128 puts into bin {bin_}"
        found = digits(avoiding(bin_, count, 1000 * bin_ + count))
        yield case(name, "11.2 11.3", {"rounds": bin_ + 129} if count > 10 else None, elements=found)
    for count, first, step in ((1000, 0, 1), (10_000, 0, 1), (10_000, HALF, FACTOR), (1, HALF, FACTOR)):
        rule = {"count": count, "first": f"{first:016x}", "step": f"{step:016x}"}
        yield case(f"{count} elements from {first:x} by {step:x}", "11.2 11.3", rule=rule)


# ---------------------------------------------------------------- family_strings: [7.7] [10.5] [11.8]


def string_of(scheme: str, data: bytes) -> str:
    """The string of bytes, by the library's base32."""
    return f"{scheme}:{base64.b32encode(data).decode('ascii').rstrip('=').lower()}"


def family_strings() -> Iterator[Planned]:
    rising = bytes(range(256))
    eight = bytes.fromhex("0123456789abcdef")
    for scheme in ("sd1", "sl1", "md1", "wd1"):
        data = eight if scheme[0] == "s" else rising
        clauses = {"sd1": "7.6 7.7", "sl1": "7.6 7.7 10.5"}.get(scheme, "7.7 11.8")
        size = len(string_of(scheme, data)) - 4
        for name, these in (("zero", bytes(len(data))), ("all ones", b"\xff" * len(data)), ("rising", data)):
            read = {"scheme": scheme, "value": these.hex(), "reason": None, "position": None}
            yield case(f"{scheme}, {name}", clauses, read, string=string_of(scheme, these))
        yield case(f"{scheme}, upper case", clauses, read, string=string_of(scheme, data).upper())
        yield case(f"{scheme}, octets", clauses, read, bytes_hex=string_of(scheme, data).encode().hex())
        for last in LETTERS[:26] + "234567":
            unused = 1 if size == 13 else 3
            number = "abcdefghijklmnopqrstuvwxyz234567".index(last)
            known = {"reason": "trailing-bits" if number & unused else None}
            yield case(f"{scheme}, last character {last}", clauses, known, string=f"{scheme}:{'a' * (size - 1)}{last}")

        def refused(name: str, reason: str, string: str, position: int | None = None) -> Planned:
            known = {"scheme": None, "value": None, "reason": reason, "position": position}
            return case(f"{scheme}, {name}", clauses, known, string=string)  # noqa: B023 - used at once

        for length in (0, 12, 13, 14, 408, 409, 410, 411, 416, 512):
            if length != size:
                yield refused(f"{length} characters", "length", f"{scheme}:{'a' * length}")
        yield refused("last character wrong", "alphabet", f"{scheme}:{'a' * (size - 1)}1", size + 3)
        yield refused("a line end behind it", "alphabet", f"{scheme}:{'a' * size}\n", size + 4)
        yield refused("padding", "alphabet", f"{scheme}:{'a' * size}======", size + 4)
        yield refused("no colon", "no-scheme", scheme + "a" * size)
        yield refused("a later version", "unknown-scheme", f"{scheme[:2]}2:{'a' * size}")
    known = {"scheme": None, "value": None, "position": None}
    for scheme in ("mw1", "ml1", "sm1", "md01", "md1 ", "wd\uff11"):
        refusal = known | {"reason": "unknown-scheme"}
        yield case(f"unknown: {scheme!a}", "7.7", refusal, string=f"{scheme}:{'a' * 13}")
    data = (
        ("a stray octet behind the colon", b"sd1:\xffaaaaaaaaaaaa", "alphabet", 4),
        ("Latin-1 at the end", b"sd1:aaaaaaaaaaaa\xe9", "alphabet", 16),
        ("a broken sequence in the middle", b"md1:aaaa\xe2\x82aaaa", "alphabet", 8),
        ("a letter of two octets", b"sl1:aaa\xc3\xa9aaaa", "alphabet", 7),
        ("a stray octet in the id", b"s\xff1:aaaaaaaaaaaaa", "unknown-scheme", None),
        ("byte order mark in octets", b"\xef\xbb\xbfsd1:aaaaaaaaaaaaa", "unknown-scheme", None),
        ("only a stray octet", b"\xff", "no-scheme", None),
        ("an overlong colon", b"sd1\xc0\xbaaaaaaaaaaaaaa", "no-scheme", None),
        ("UTF-16", "sd1:aaaaaaaaaaaaa".encode("utf-16-le"), "unknown-scheme", None),
        ("no octets", b"", "no-scheme", None),
    )
    for name, given, reason, position in data:
        refusal = known | {"reason": reason, "position": position}
        yield case(name, "7.7", refusal, bytes_hex=given.hex())


# ---------------------------------------------------------------- exchange: [7.8]


def exchange() -> Iterator[Planned]:
    accepted = (
        ("hex", "0123456789abcdef", 0x0123456789ABCDEF),
        ("hex", "0123456789ABCDEF", 0x0123456789ABCDEF),
        ("hex", "fFfFfFfFfFfFfFfF", M64),
        ("hex", "0000000000000000", 0),
        ("hex", "1234567890123456", 0x1234567890123456),
        ("decimal", "1234567890123456", 1234567890123456),
        ("decimal", "0", 0),
        ("decimal", "7", 7),
        ("decimal", "10", 10),
        ("decimal", "9223372036854775808", HALF),
        ("decimal", "18446744073709551615", M64),
    )
    for form, given, value in accepted:
        for scheme in ("sd1", "sl1"):
            known = {"string": string_of(scheme, value.to_bytes(8, "big"))}
            yield case(f"{scheme}, {form} {given}", "7.8", known, scheme=scheme, form=form, digits=given)
    refused = {
        "hex": (
            "|0|123456789abcdef|00123456789abcdef|0x23456789abcdef|0x0123456789abcdef| 0123456789abcdef|0123456789abcdef |"
            "0123456789abcdef\n|+123456789abcdef|-123456789abcdef|0123456789abcdeg|01234567_89abcdef|0123456789abcde\uff46|"
            "\u0660123456789abcdef|01:23:45:67:89:ab|sd1:aerukz4jvpg66|0123456789abcdef0123456789abcdef"
        ),
        "decimal": (
            "|00|01|007|000000000000000000000|-0|-1|+1| 1|1 |1\n|1.0|1e3|1_000|1,000|0x10|ff|18446744073709551616|"
            "18446744073709551625|99999999999999999999|100000000000000000000|184467440737095516150|1\u0660|\uff11|\u00b2"
        ),
    }
    for form, strings in refused.items():
        for given in strings.split("|"):
            none = {"string": None}
            yield case(f"refused {form}: {given!a}", "7.8", none, scheme="sd1", form=form, digits=given)
    rising = bytes(range(256))
    for scheme in ("md1", "wd1"):
        for name, given in (("lower", rising.hex()), ("upper", rising.hex().upper())):
            known = {"string": string_of(scheme, rising)}
            yield case(f"{scheme}, {name} case", "7.8 11.8", known, scheme=scheme, form="hex", digits=given)
        for name, given in (("511", "0" * 511), ("513", "0" * 513), ("16", "0" * 16), ("no", "")):
            none = {"string": None}
            yield case(f"{scheme}, {name} digits", "7.8 11.8", none, scheme=scheme, form="hex", digits=given)
        for given in ("0", "1234"):
            none = {"string": None}
            yield case(f"{scheme}, decimal {given}", "7.8 11.8", none, scheme=scheme, form="decimal", digits=given)
    yield case("sl1, 512 digits", "7.8", {"string": None}, scheme="sl1", form="hex", digits="0" * 512)


# ---------------------------------------------------------------- comparisons: [1.1] [7.9] [7.10] [11.9] [11.10]


def comparisons() -> Iterator[Planned]:
    def compared(distance: int, places: int, match: str, within: bool) -> dict[str, object]:
        similarity = (places - distance) / places
        known = {"distance": distance, "similarity": similarity, "match": match, "within_default": within}
        return known | {"unlike": None}

    one = 0x0123456789ABCDEF
    for scheme in ("sd1", "sl1"):
        clauses = "7.9 7.10" + (" 10.5" if scheme == "sl1" else "")
        for bits in (0, 1, 2, 3, 4, 6, 7, 64):
            match = "close" if bits <= 1 else "loose" if bits <= 6 else "none"
            strings = [string_of(scheme, n.to_bytes(8, "big")) for n in (one, one ^ (1 << bits) - 1)]
            known = compared(bits, 64, match, bits <= 3)
            yield case(f"{scheme}, distance {bits}", clauses, known, one=strings[0], other=strings[1])
    rising = bytes(range(256))
    for scheme, loose in (("md1", 89), ("wd1", 64)):
        for apart in (0, 1, 24, 25, 26, 63, 64, 65, 88, 89, 90, 127, 128):
            match = "close" if apart <= 25 else "loose" if apart <= loose else "none"
            changed = bytes(byte ^ (1 if i < 2 * apart else 0) for i, byte in enumerate(rising))
            known = compared(apart, 128, match, apart <= loose)
            given = {"one": string_of(scheme, rising), "other": string_of(scheme, changed)}
            yield case(f"{scheme}, distance {apart}", "11.9 11.10", known, **given)
        for name, data, apart in (
            ("the last bit of one number", {255: 1}, 1),
            ("the first bit of one number", {0: 128}, 1),
            ("both octets of one number", {100: 255, 101: 255}, 1),
            ("two octets of two numbers", {101: 255, 102: 255}, 2),
        ):
            changed = bytes(byte ^ data.get(i, 0) for i, byte in enumerate(rising))
            given = {"one": string_of(scheme, rising), "other": string_of(scheme, changed)}
            yield case(f"{scheme}, {name}", "11.9", compared(apart, 128, "close", True), **given)
    sizes = {"sd1": 8, "sl1": 8, "md1": 256, "wd1": 256}
    for first in sizes:
        for second in sizes:
            if first != second:
                known = dict.fromkeys(["distance", "similarity", "match", "within_default"])
                given = {"one": string_of(first, rising[: sizes[first]]).upper()}
                given["other"] = string_of(second, rising[: sizes[second]])
                known["unlike"] = [first, second]
                yield case(f"{first} and {second}", "1.1", known, **given)


# ---------------------------------------------------------------- documents under every scheme


def family_documents() -> Iterator[Planned]:
    for name, clauses, given, want in vector_inputs.documents():
        known = {field: value for field, value in want.items() if field in ("count", "short")}
        if "tokens" in want:
            known["count"] = len(want["tokens"])
        yield name, f"{clauses} 10.1 10.5 11.7 11.8", given, known
    none = {"count": 0, "short": None, "elements": {"md1": 0, "wd1": 0}}
    none["strings"] = dict.fromkeys(["sd1", "sl1", "md1", "wd1"])
    yield case("nothing but numbers", "10.4 11.7", none, text="1 2 3")
    for words, md1, wd1 in (("a", 1, 1), ("a b", 1, 2), ("a b c", 1, 3), ("a b c d", 2, 4), ("a b a b a b", 2, 4)):
        known = {"count": len(words.split()), "short": True, "elements": {"md1": md1, "wd1": wd1}}
        yield case(f"words {words}", "11.4 11.5 11.6 11.7", known, text=words)
    yield case("words c b a", "11.4", text="c b a")
    apart = {"count": 3, "elements": {"md1": 1, "wd1": 3}}
    for name, text in (("numbers", "a 1 b, 2024: c"), ("a URL", "a https://x.example/ b\n\n c"), ("a long word", "a " + "w" * 129 + " b c")):
        yield case(f"{name} between words: still consecutive", "11.4", apart, text=text)
    yield case("tokens of one hash", "10.2 11.4 11.6", {"elements": {"md1": 2, "wd1": 3}}, text=" ".join([TWINS[0], "x", *TWINS[1:]]))
    yield case("English, backwards", "10.4 11.4 11.6", text=" ".join(ENGLISH.split()[::-1]))
    yield case("English, one word changed", "11.9", text=ENGLISH.replace("printed", "scanned"))
    yield case("English, twice", "10.3 11.6", text=f"{ENGLISH}\n\n{ENGLISH}")
    yield case("English, nine times", "10.3 11.6", text=f"{ENGLISH}\n\n" * 9)


def family_large() -> Iterator[Planned]:
    for size in (10_000_000, 1_000, 100_000):  # the greatest first: see vector_stages.stages_of
        rule = {"kind": "pieces", "seed": "20261120", "octets": size, "pieces": PIECES.split("|")}
        yield case(f"random pieces, {size} octets", "10.4 11.3 11.4 11.6", rule=rule)


STAGES = (logs, elements, sketches, family_strings, exchange, comparisons, family_documents, family_large)
ALL = {stage.__name__: stage for stage in STAGES}
