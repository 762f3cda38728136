"""The inputs of the vectors of custom schemes and of seomoz-legacy: sections 13 and 14.

As vector_inputs.py: `want` is known without the reference. What seomoz-legacy gives was computed by simhash-cpp itself, built from its
last commit that had a tokenizer (a9b21b0, 2016-06-02).
"""

from __future__ import annotations

from collections.abc import Iterator

from vector_inputs import ENGLISH, Planned, case

# ---------------------------------------------------------------- feature_hashes: [13.5]

PUBLISHED = [  # function, feature, the hash its author's program gives
    ("lookup3", "Four score and seven years ago", "17770551ce7226e6"),
    ("fnv1a", "", "cbf29ce484222325"),
    ("fnv1a", "a", "af63dc4c8601ec8c"),
    ("fnv1a", "foobar", "85944171f73967e8"),
    ("murmur3", "", "0000000000000000"),
    ("murmur3", "hello", "cbd8a7b341bd9b02"),
    ("murmur3", "The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c"),
    ("xxh3", "", "2d06800538d394c2"),
]
PUBLISHED_SINCE = [  # those of hashes that came with 1.1: cases are added behind those there are
    ("md5-64", "", "e9800998ecf8427e"),
    ("md5-64", "a", "31c399e269772661"),
    ("md5-64", "message digest", "525a2f31aaf161d0"),
]
LENGTHS = [
    *range(1, 18),
    31,
    32,
    33,
    63,
    64,
    65,
    96,
    97,
    128,
    129,
    144,
    239,
    240,
    241,
    256,
    1023,
    1024,
    1025,
    1088,
    1089,
    2049,
]


def feature_hashes() -> Iterator[Planned]:
    for function, feature, known in PUBLISHED:
        yield case(f"{function} of {feature!r}", "13.5", {"hash": known}, function=function, feature=feature)
    for function in ("lookup3", "fnv1a", "murmur3", "xxh3"):
        yield case(f"{function} beyond ASCII", "13.5", function=function, feature="stra\u00dfe \u65e5\u672c")
        for length in LENGTHS:
            data = bytes((7 + 13 * at) % 256 for at in range(length))
            yield case(f"{function} of {length} octets", "13.5", function=function, bytes_hex=data.hex())
    for function, feature, known in PUBLISHED_SINCE:
        yield case(f"{function} of {feature!r}", "13.5", {"hash": known}, function=function, feature=feature)
    yield case("md5-64 beyond ASCII", "13.5", function="md5-64", feature="stra\u00dfe \u65e5\u672c")
    for length in (55, 56, 63, 64, 65, 1024):
        data = bytes((7 + 13 * at) % 256 for at in range(length))
        yield case(f"md5-64 of {length} octets", "13.5", function="md5-64", bytes_hex=data.hex())


# ---------------------------------------------------------------- declarations: [13.1] [13.2]

ACCEPTED = [
    "custom:words,tf,lookup3,64",
    "custom:words,binary,fnv1a,32",
    "custom:words,log,murmur3,128",
    "custom:shingles-2,log,xxh3,64",
    "custom:shingles-8,binary,lookup3,64,stop=en",
    "custom:chars-1,tf,fnv1a,64,min=2",
    "custom:chars-9,tf,fnv1a,64,min=10",
    "custom:chars-16,log,xxh3,128,stop=fr,min=128",
    "custom:words,log,lookup3,64,stop=de,min=99",
    "custom:words,log,lookup3,64,stop=es,min=119",
]
REFUSED = [
    "",
    "custom:",
    "words,tf,lookup3,64",
    "CUSTOM:words,tf,lookup3,64",
    "custom:Words,tf,lookup3,64",
    "custom: words,tf,lookup3,64",
    "custom:words, tf,lookup3,64",
    "custom:words,tf,lookup3,64 ",
    "custom:words,tf,lookup3,64\n",
    "custom:words,tf,lookup3,64,",
    "custom:words,tf,lookup3",
    "custom:words,tf,64,lookup3",
    "custom:words,tf,lookup3,16",
    "custom:words,tf,lookup3,064",
    "custom:words,sqrt,lookup3,64",
    "custom:words,tf,md5,64",
    "custom:shingles,tf,lookup3,64",
    "custom:shingles-1,tf,lookup3,64",
    "custom:shingles-9,tf,lookup3,64",
    "custom:shingles-02,tf,lookup3,64",
    "custom:shingles-\u0662,tf,lookup3,64",
    "custom:chars-0,tf,lookup3,64",
    "custom:chars-17,tf,lookup3,64",
    "custom:words,tf,lookup3,64,stop=",
    "custom:words,tf,lookup3,64,stop=xx",
    "custom:words,tf,lookup3,64,min=1",
    "custom:words,tf,lookup3,64,min=02",
    "custom:words,tf,lookup3,64,min=129",
    "custom:words,tf,lookup3,64,min=2,stop=en",
    "custom:words,tf,lookup3,64,min=2,min=2",
    "custom:words,tf,lookup3,64,stop=en,stop=de",
    "custom:words,tf,lookup3,64,idf=",
    "custom:words,tf,lookup3,64,idf=aaaaaaaaaaaaaaaaaaaaaaaaab",
    "custom:words,tf,lookup3,64,idf=aaaaaaaaaaaaaaaaaaaaaaaa1a",
    "custom:words,tf,lookup3,64,idf=aaaaaaaaaaaaaaaaaaaaaaaaa",
]


ACCEPTED_SINCE = ["custom:words,tf,md5-64,64", "custom:chars-4,tf,md5-64,64"]
REFUSED_SINCE = ["custom:words,tf,md5-64", "custom:words,tf,MD5-64,64", "custom:words,tf,md5-128,64"]


def declarations() -> Iterator[Planned]:
    for declaration in ACCEPTED:
        yield case(f"accepted: {declaration}", "13.1 13.2", declaration=declaration)
    for declaration in REFUSED:
        yield case(f"refused: {declaration!a}", "13.1", {"id": None}, declaration=declaration)
    for declaration in ACCEPTED_SINCE:
        yield case(f"accepted: {declaration}", "13.1 13.2", declaration=declaration)
    for declaration in REFUSED_SINCE:
        yield case(f"refused: {declaration!a}", "13.1", {"id": None}, declaration=declaration)


# ---------------------------------------------------------------- custom_documents: [13.3] to [13.7]

JAPANESE = "\u65e5\u672c\u306e\u30c6\u30b9\u30c8\u3068 Stra\u00dfe"


def custom_documents() -> Iterator[Planned]:
    none = {"count": 0, "short": None, "value": None, "string": None}
    for declaration in ACCEPTED:
        yield case(
            f"English, {declaration}",
            "13.3 13.4 13.5 13.6 13.7 13.8",
            declaration=declaration,
            text=f"{ENGLISH} {ENGLISH}",
        )
        yield case(
            f"few words, {declaration}", "13.4 13.6", declaration=declaration, text="Fog came in at noon, at noon"
        )
        yield case(f"one word, {declaration}", "13.4", declaration=declaration, text="extraordinary")
        yield case(f"pairs, {declaration}", "13.3 13.4", declaration=declaration, text=JAPANESE)
        yield case(f"numbers only, {declaration}", "13.7", none, declaration=declaration, text="1 2 3")
    yield case(
        "only stop words",
        "13.3 13.7",
        none,
        declaration="custom:words,tf,lookup3,64,stop=en",
        text="This is the one and only",
    )
    yield case("only short words", "13.3 13.7", none, declaration="custom:words,tf,lookup3,64,min=4", text="fog at sea")
    words = "custom:words,tf,lookup3,64"
    sd1 = {"count": 5, "short": True, "value": "9b8eac4a88bd76ec"}
    yield case("words by lookup3 are sd1", "13.4 13.7", sd1, declaration=words, text="Fog came in at noon")
    yield case(
        "a stop word between two: they are next to one another",
        "13.3 13.4",
        {"count": 2},
        declaration="custom:shingles-2,tf,lookup3,64,stop=en",
        text="fog and rain",
    )
    yield case(
        "the same without it", "13.3 13.4", {"count": 2}, declaration="custom:shingles-2,tf,lookup3,64", text="fog rain"
    )
    yield case(
        "length is counted in code points",
        "13.3",
        {"count": 1},
        declaration="custom:words,tf,lookup3,64,min=3",
        text="\u00e9\u00e8 \u00e9\u00e8\u00ea",
    )
    for times in (1, 2, 3, 4, 49, 50):
        short = times < 50
        yield case(
            f"a word {times} times",
            "13.7",
            {"count": times, "short": short},
            declaration="custom:words,log,xxh3,64",
            text="tea " * times,
        )
    for weight in ("binary", "tf", "log"):
        declaration = f"custom:words,{weight},lookup3,64"
        yield case(
            f"words of many frequencies, {weight}",
            "13.7",
            declaration=declaration,
            text="one " * 9 + "two " * 5 + "three " * 3 + "four " * 2 + "five",
        )
    for declaration in ACCEPTED_SINCE:
        yield case(
            f"English, {declaration}",
            "13.3 13.4 13.5 13.6 13.7 13.8",
            declaration=declaration,
            text=f"{ENGLISH} {ENGLISH}",
        )
        yield case(f"pairs, {declaration}", "13.3 13.4", declaration=declaration, text=JAPANESE)


# ---------------------------------------------------------------- seomoz_legacy: section 14


def random_words(count: int) -> Iterator[str]:
    """Words of 1 to 14 letters."""
    state, letters = 77, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for _ in range(count):
        length, word = 1 + (state >> 33) % 14, ""
        for _ in range(length):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            word += letters[(state >> 33) % 52]
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield word


BY_SIMHASH_CPP = [  # name, text, what simhash-cpp gives
    ("one letter", "a", "35e2641a10e16b1a"),
    ("one word", "Fog", "ce014c17ca0bf69b"),
    ("two words", "Fog came", "4800481200009610"),
    ("three words", "Fog came in", "480549175a4f9e9b"),
    ("four words", "Fog came in at", "480508051a03949a"),
    ("five words, no folding", "Fog came in at noon", "6d0f0ca71a179d9b"),
    ("folding would change this", "fog CAME in at NOON", "5438827a5c549cb2"),
    ("digits and punctuation separate", "h2o, it's 3.14e10; x_y-z", "a0d3540e9150a495"),
    (
        "words of 11 to 26 letters",
        "abcdefghijk abcdefghijkl abcdefghijklm abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxy abcdefghijklmnopqrstuvwxyz",
        "0c081a470b96c67a",
    ),
    (
        "letters beyond ASCII separate",
        "Stra\xdfe na\xefve \u65e5\u672c\u8a9e caf\xe9 \u0421\u043b\u043e\u0432\u043e Ov\xe1l",
        "2975d23b25297d4a",
    ),
    ("a word again and again", "tea " * 7, "e621ee3ae52e7cc5"),
    ("two words in turn", "tick tock " * 25, "1f14320843623810"),
    ("lines", "\n\nFirst line\r\nsecond\tline\n  third line  \n", "2030dd0665909c80"),
    ("a URL is words", "See https://example.org/path?q=1 or mail me@example.org", "bc8dceb31e60cf0d"),
    ("one long run", "Q" * 1000, "60479bbbbcb161d8"),
    ("forty-nine words", " ".join("w" + "abcdefghij"[i % 10] * (1 + i % 5) for i in range(49)), "bb6930b8afea8719"),
    ("fifty words", " ".join("v" + "klmnopqrst"[i % 10] * (1 + i % 7) for i in range(50)), "c665806ff291c962"),
    ("English", ENGLISH, "05b6eb94e44e4cea"),
    ("English, twice", f"{ENGLISH}\n\n{ENGLISH}", "05b6eb94e54e4cea"),
    ("400 random words", " ".join(random_words(400)), "3aa47e4201ef0945"),
]


def seomoz_legacy() -> Iterator[Planned]:
    for name, text, value in BY_SIMHASH_CPP:
        yield case(name, "14.1 14.2 14.3", {"value": value}, text=text)
    none = {"count": 0, "short": None, "value": None, "string": None}
    yield case("no letters", "14.4", none, text="1 2 3 \u65e5\u672c")
    yield case("nothing", "14.4", none, text="")


STAGES = (feature_hashes, declarations, custom_documents, seomoz_legacy)
ALL = {stage.__name__: stage for stage in STAGES}
