"""Generated hostile PDFs: sound files around one part that is not, by what that part is."""

from __future__ import annotations

import base64
import random
import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hostile_shapes import EDGES, changed, numbers_changed, size_of, woven

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20
HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
TEXT = "BT /F 10 Tf 72 700 Td (some words of a page) Tj ET"
OPERATORS = [
    "q ", "Q ", "BT ", "ET ", "/F 10 Tf ", "(word) Tj ", "[(wo) -300 (rd)] TJ ", "(x) ' ", "1 2 (y) \" ", "T* ", "9 9 Td ",
    "1 0 0 1 {n} {n} Tm ", "1 0 0 1 1 1 cm ", "0 1 -1 0 9 {n} Tm ", "/X Do ", "/P BMC ", "EMC ", "/Span<</ActualText(ab)>>BDC ",
    "/OC/L BDC ", "0 0 90 1 re f ", "{n} {n} 9 1 re f ", "1 1 m 90 1 l S ", "BI /W 1 /H 1 ID x EI ", "BI ", "ID ", "EI ", "(", ")", "[",
    "]", "<<", ">>", "<", ">", "{", "}", "%", "\n", "/A", "3 Tr ", "99 Tz ", "1e9 Tc ", "-5 Ts ", "14 TL ", "/G gs ", "<41> Tj ", "0 ", "Do ",
]  # fmt: skip
STRUCTURE = [
    "1 0 obj <<", "<</A ", "1 0 obj [ ", "endobj ", "stream\n", "endstream ", "{n} 0 obj << /A {n} 0 R >> endobj\n", "xref\n0 1\n",
    "trailer<<", ">>", "startxref\n9\n%%EOF\n", "<</Type/ObjStm/N 9/First 9>>stream\n", "<</Type/XRef/W[1 2 1]/Size 9>>stream\n", "%", "(", "<41",
    "[", "1 0 R ", "null ", "/Type/Page ", "/Kids[1 0 R]", "/Prev 9 ", "9 9 9 ", "-", ".", "+1", "#",
]  # fmt: skip


class Writer:
    """A file of numbered objects; 1 is the catalog, 2 the tree of pages, 3 the page, 4 its content, 5 its font."""

    def __init__(self, content: bytes | str = TEXT, font: str = HELVETICA, resources: str = "", page: str = "") -> None:
        self.bodies: list[bytes] = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"",
            b"",
            font.encode(),
        ]
        self.bodies[2] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>{resources}>>{page}>>".encode()
        )
        self.bodies[3] = stream(content)

    def add(self, body: bytes | str) -> int:
        self.bodies.append(body.encode() if isinstance(body, str) else body)
        return len(self.bodies)

    def file(self, trailer: str = "") -> bytes:
        out, offsets, length = [b"%PDF-1.7\n"], [], 9
        for number, body in enumerate(self.bodies, 1):
            offsets.append(length)
            out.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
            length += len(out[-1])
        out.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        out += [b"%010d 00000 n \n" % offset for offset in offsets]
        out.append(f"trailer\n<</Size {len(offsets) + 1}/Root 1 0 R{trailer}>>\nstartxref\n{length}\n%%EOF\n".encode())
        return b"".join(out)


def stream(data: bytes | str, entries: str = "", pack: bool = False) -> bytes:
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if pack:
        data, entries = zlib.compress(data, 1), entries + "/Filter/FlateDecode"
    return f"<</Length {len(data)}{entries}>>stream\n".encode() + data + b"\nendstream"


def operators(rng: random.Random) -> bytes:
    content = woven(rng, OPERATORS, size_of(rng))
    writer = Writer(resources="/XObject<</X 6 0 R>>/Properties<</L 7 0 R>>")
    writer.bodies[3] = stream(rng.choice((TEXT, "")) + content, pack=rng.random() < 0.6)
    writer.add(stream(TEXT, "/Subtype/Form/BBox[0 0 9 9]"))
    writer.add("<</Type/OCG/Name(x)>>")
    return writer.file()


def structure(rng: random.Random) -> bytes:
    sound = Writer().file()
    at = rng.choice((9, len(sound), sound.index(b"xref\n")))
    return sound[:at] + woven(rng, STRUCTURE, size_of(rng)).encode() + sound[at:]


def placed(rng: random.Random) -> bytes:
    """Many glyphs: on one spot, one line, in columns, turned, between rules."""
    kind, count, found = rng.randrange(7), size_of(rng) // 30 + 1, ["BT /F 9 Tf"]
    words = rng.choice((["a"], ["word"], ["1", "2", "17"], ["http://a.example/b-"], ["hy-"], ["_"], ["\\351\\350"]))
    for n in range(count):
        x, y = {
            0: (72, 700), 1: (n % 5000, 700), 2: (72, n % 80000), 3: (72 + 250 * (n % 2), 700 - 11 * (n // 2 % 60)),
            4: (rng.randrange(600), rng.randrange(800)), 5: (n * 0.001, n * 0.001), 6: (rng.choice(EDGES), -rng.choice(EDGES)),
        }[kind]  # fmt: skip
        turn = rng.choice(("1 0 0 1", "1 0 0 1", "1 0 0 1", "0 1 -1 0", "1 0.01 0 1")) if kind > 3 else "1 0 0 1"
        found.append(f"{turn} {x} {y} Tm ({words[n % len(words)]}) Tj")
        if rng.random() < 0.02:
            found.append(f"ET {x} {y} {rng.randrange(90)} 0.5 re f BT")
    writer = Writer("\n".join(found) + " ET")
    if rng.random() < 0.2:
        writer.bodies[1] = b"<</Type/Pages/Kids[" + b"3 0 R " * rng.choice((2, 9, 90)) + b"]/Count 1>>"
    return writer.file()


def composite(entries: str = "", to_unicode: str = "", descendant: str = "") -> str:
    return (
        f"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H{entries}{to_unicode}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
        f"/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600{descendant}>>]>>"
    )


def widths(rng: random.Random) -> bytes:
    size, found, length = size_of(rng), [], 0
    while length < size:
        low, high = rng.choice(EDGES), rng.choice(EDGES)
        run = rng.choice(
            (
                f"{low} {high} 500 ",
                f"{len(found)} {len(found)} 9 ",
                f"{low} [" + "500 " * rng.choice((1, 9, 9000)) + "] ",
                "[",
                "] ",
            )
        )
        found.append(run)
        length += len(run)
    name = rng.choice(("W", "W", "W2"))
    font = composite(descendant=f"/{name}[{''.join(found)}]")
    if rng.random() < 0.3:
        font = (
            HELVETICA[:-2]
            + f"/FirstChar {rng.choice(EDGES)}/LastChar {rng.choice(EDGES)}/Widths[{'500 ' * min(size, 9**6)}]>>"
        )
    return Writer("BT /F 9 Tf <00010002> Tj ET", font).file()


def maps(rng: random.Random) -> bytes:
    """Maps of glyphs to letters."""
    size, found, length = size_of(rng), ["begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"], 0
    while length < size:
        low, high = sorted((rng.randrange(65536), rng.randrange(65536)))
        much = "0041" * rng.choice((1, 2, 50, 20_000))
        line = rng.choice((
            f"1 beginbfrange <{low:04X}> <{high:04X}> <{much}> endbfrange\n",
            f"1 beginbfchar <{low:04X}> <{much}> endbfchar\n",
            f"{rng.choice(EDGES)} beginbfchar\n",
            f"1 beginbfrange <{low:04X}> <FFFFFFFF> [{'<0041>' * 100}] endbfrange\n",
            f"1 begincidrange <{low:04X}> <{high:04X}> {rng.choice(EDGES)} endcidrange\n",
            "/X usecmap\n", "<", "[", "<</A ", "(", "% ",
        ))  # fmt: skip
        found.append(line)
        length += len(line)
    shown = "".join(f"{rng.randrange(65536):04X}" for _ in range(rng.choice((4, 2000))))
    where = "/Encoding 6 0 R" if rng.random() < 0.3 else ""
    writer = Writer(
        f"BT /F 9 Tf <{shown}> Tj ET",
        composite("", "/ToUnicode 6 0 R").replace("/Encoding/Identity-H", where or "/Encoding/Identity-H"),
    )
    writer.add(stream("".join(found), "/Type/CMap/CMapName/X/UseCMap 6 0 R" if where else "", pack=rng.random() < 0.5))
    return writer.file()


def forms(rng: random.Random) -> bytes:
    """Drawings that draw drawings."""
    depth = rng.choice((2, 5, 20, 30, 400))
    # What comes to the limits takes ten seconds of each of two programs: a tenth of these is enough.
    wide = rng.choice((10, 300)) if rng.random() < 0.1 else rng.choice((1, 2))
    writer = Writer("/X6 Do " * wide, resources="/XObject<</X6 6 0 R>>")
    inner = rng.choice((TEXT, TEXT * 99, "0 0 1 1 re f " * 99))
    for number in range(6, 6 + depth):
        following = number + 1 if number + 1 < 6 + depth else rng.choice((6, number))
        entries = (
            f"/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>/XObject<</X{number + 1} {following} 0 R>>>>"
        )
        writer.add(stream(f"/X{number + 1} Do " * wide + inner, entries))
    return writer.file()


def pages(rng: random.Random) -> bytes:
    count = size_of(rng) // 60 + 2
    writer, kind = Writer(), rng.randrange(4)
    if kind == 0:
        writer.bodies[1] = b"<</Type/Pages/Kids[" + b"3 0 R " * count * 6 + b"]/Count 9>>"
    elif kind == 1:
        for n in range(count):
            writer.add(f"<</Type/Pages/Kids[{n + 7 if n + 1 < count else 3} 0 R]/Count 1/Parent {n + 5} 0 R>>")
        writer.bodies[1] = b"<</Type/Pages/Kids[6 0 R]/Count 1>>"
    elif kind == 2:
        writer.bodies[2] = writer.bodies[2].replace(b"/Contents 4 0 R", b"/Contents[" + b"4 0 R " * count * 6 + b"]")
    else:
        kids = [
            writer.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>")
            for _ in range(count)
        ]
        writer.bodies[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (
            b" ".join(b"%d 0 R" % kid for kid in kids),
            rng.choice(EDGES),
        )
    return writer.file()


def filters(rng: random.Random) -> bytes:
    """Chains of filters, expansions, predictors of absurd rows."""
    data = (TEXT + "\n").encode() * rng.choice((1, 1, 1000, 100_000))
    if rng.random() < 0.03:
        data = b" " * rng.choice((100 * MIB, 250 * MIB))
    names = []
    for _ in range(rng.choice((1, 1, 2, 3, 9))):
        name = rng.choice(
            (
                "FlateDecode",
                "FlateDecode",
                "ASCIIHexDecode",
                "ASCII85Decode",
                "RunLengthDecode",
                "LZWDecode",
                "DCTDecode",
                "JBIG2Decode",
            )
        )
        if name == "FlateDecode":
            data = zlib.compress(data, 1)
        elif len(data) > 4 * MIB:
            continue
        elif name == "ASCIIHexDecode":
            data = data.hex().encode() + b">"
        elif name == "ASCII85Decode":
            data = base64.a85encode(data) + b"~>"
        elif name == "RunLengthDecode":
            data = (
                b"".join(bytes([len(data[at : at + 128]) - 1]) + data[at : at + 128] for at in range(0, len(data), 128))
                + b"\x80"
            )
        names.insert(0, name)
    if rng.random() < 0.3:
        data = changed(rng, data)
    edge = lambda: rng.choice((1, 4, *EDGES))  # noqa: E731
    parameters = f"<</Predictor {rng.choice((2, 10, 12, 15, 99))}/Columns {edge()}/Colors {edge()}/BitsPerComponent {rng.choice((1, 8, 16, 255))}/EarlyChange 0>>"
    entries = f"/Filter[{''.join('/' + name for name in names)}]"
    entries += f"/DecodeParms[{parameters * len(names)}]" if rng.random() < 0.4 else ""
    writer = Writer()
    writer.bodies[3] = stream(data, entries)
    return writer.file()


def references(rng: random.Random) -> bytes:
    """Cross-references and object streams that lie, lead in circles or overlap."""
    number = lambda: rng.choice((1, 2, 9, 100_000, *EDGES))  # noqa: E731
    writer = Writer()
    store = b"".join(b"%d %d " % (rng.randrange(1, 9), rng.choice((0, n, number()))) for n in range(size_of(rng) // 10))
    objects = stream(
        store + b"<</A 1 0 R>> " * 9,
        f"/Type/ObjStm/N {number()}/First {rng.choice((len(store), number()))}/Extends 6 0 R",
        True,
    )
    writer.add(objects)
    rows = bytes(rng.randrange(256) for _ in range(min(size_of(rng), 50_000)))
    width = f"/W[{rng.choice((1, 0, 8, number()))} {rng.choice((2, 8, number()))} {rng.choice((1, 8, number()))}]"
    writer.add(
        stream(
            rows, f"/Type/XRef{width}/Size {number()}/Index[{number()} {number()} 0 9]/Root 1 0 R/Prev {number()}", True
        )
    )
    file = writer.file(rng.choice(("", "/Prev 9", "/Prev 0", f"/XRefStm {number()}", f"/Size {number()}")))
    if rng.random() < 0.5:
        start = file.index(b"7 0 obj")
        file = re.sub(rb"startxref\n\d+", b"startxref\n%d" % start, file)
    return numbers_changed(rng, file) if len(file) < 100_000 else file


@cache
def fonts() -> list[bytes]:
    """Font programs, from the PDFs of the samples."""
    found = []
    for path in sorted((ROOT / "samples/documents").rglob("*.pdf")):
        for match in re.finditer(rb"/FontFile\d? (\d+) 0 R", path.read_bytes()):
            at = re.search(rb"(?<!\d)" + match[1] + rb" 0 obj.*?stream\r?\n", path.read_bytes(), re.DOTALL)
            try:
                found.append(zlib.decompressobj().decompress(path.read_bytes()[at.end() :]) if at else b"")
            except zlib.error:
                continue
    return [font for font in found if font] or [b"\0\1\0\0"]


def font_programs(rng: random.Random) -> bytes:
    program = changed(rng, rng.choice(fonts()))
    kind = rng.choice(("/FontFile 7 0 R", "/FontFile2 7 0 R", "/FontFile3 7 0 R"))
    font = composite(descendant="/FontDescriptor 6 0 R/CIDToGIDMap/Identity")
    if rng.random() < 0.5:
        font = HELVETICA[:-2] + "/FontDescriptor 6 0 R>>"
    writer = Writer("BT /F 9 Tf <00410042004300010002> Tj (ABC abc) Tj ET", font)
    writer.add(f"<</Type/FontDescriptor/FontName/X/Flags 4{kind}>>")
    writer.add(
        stream(
            program,
            f"/Length1 {rng.choice((len(program), *EDGES))}/Subtype/{rng.choice(('OpenType', 'CIDFontType0C', 'Type1C'))}",
            True,
        )
    )
    return writer.file()


def encrypted(rng: random.Random) -> bytes:
    revision = rng.choice((2, 3, 4, 5, 6, 99))
    length = rng.choice((32, 48, 0, 127, 9**5))
    key = lambda: "<" + "41" * length + ">"  # noqa: E731
    filters = f"/CF<</StdCF<</CFM/{rng.choice(('V2', 'AESV2', 'AESV3', 'None'))}/Length {rng.choice(EDGES)}>>>>/StmF/StdCF/StrF/StdCF"
    entries = f"<</Filter/Standard/V {rng.choice((1, 2, 4, 5, 9))}/R {revision}/Length {rng.choice((40, 128, 256, *EDGES))}/P -4/O{key()}/U{key()}/OE{key()}/UE{key()}/Perms{key()}{filters}>>"
    writer = Writer()
    number = writer.add(entries)
    return writer.file(f"/Encrypt {number} 0 R/ID[<41><41>]")


def annotations(rng: random.Random) -> bytes:
    count, deep = size_of(rng) // 80 + 1, rng.random() < 0.3
    writer = Writer(page="/Annots[" + "6 0 R " * rng.choice((1, count)) + "]")
    value = "word " * rng.choice((1, 2000))
    for n in range(count):
        kids = (
            f"/Kids[{n + 7 if n + 1 < count else 6} 0 R]"
            if deep
            else "/Kids[6 0 R 7 0 R]"
            if rng.random() < 0.01
            else ""
        )
        writer.add(
            f"<</Type/Annot/Subtype/{rng.choice(('Widget', 'FreeText', 'Stamp'))}/FT/{rng.choice(('Tx', 'Ch', 'Btn'))}/T(n{n})/V({value})/Contents({value})/Rect[0 0 9 9]{kids}/AP<</N 4 0 R>>>>"
        )
        value = "x"
    writer.bodies[0] = (
        b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[" + b"6 0 R " * rng.choice((1, count)) + b"]/XFA 4 0 R>>>>"
    )
    return writer.file()


def drawn_fonts(rng: random.Random) -> bytes:
    """Fonts whose glyphs are drawings, and names of glyphs."""
    names = woven(
        rng,
        ["/a", "/uni05D0", "/a{n}", "/u10FFFF", "/f_f_i", "/.notdef ", "65 ", "{n} ", "/g{n}", "(x)", "[", "/uniD800"],
        size_of(rng),
    )
    font = f"<</Type/Font/Subtype/{rng.choice(('Type3', 'Type1', 'TrueType'))}/FontBBox[0 0 9 9]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</a 4 0 R/b 6 0 R>>/Encoding<</Differences[0 {names}]>>/FirstChar 0/LastChar 255/Resources<</Font<</F 5 0 R>>>>>>"
    writer = Writer("BT /F 9 Tf (abcdefgh ABC) Tj ET " * rng.choice((1, 1000)), font)
    writer.add(stream("BT /F 9 Tf (a) Tj ET"))
    return writer.file()


@cache
def sound() -> list[bytes]:
    """PDFs of the samples and of the seeds."""
    found = [*(ROOT / "samples/documents").rglob("*.pdf"), *(ROOT / "fuzz/seeds/pdf").iterdir()]
    return [path.read_bytes() for path in sorted(found) if path.stat().st_size < 300_000]


def unpacked_numbers(rng: random.Random) -> bytes:
    """A sound file with other numbers in its streams and objects, its streams packed again."""
    file = rng.choice(sound())

    def other(match: re.Match[bytes]) -> bytes:
        try:
            data = zlib.decompress(match[2])
        except zlib.error:
            return match[0]
        if rng.random() < 0.5:
            data = numbers_changed(rng, data[:200_000]) if rng.random() < 0.8 else changed(rng, data)
        return match[1] + zlib.compress(data, 1) + match[3]

    file = re.sub(rb"(stream\r?\n)(x.*?)(\r?\nendstream)", other, file, flags=re.DOTALL)
    return numbers_changed(rng, file, 8) if rng.random() < 0.7 else file


MAKERS: dict[str, Callable[[random.Random], bytes]] = {
    "operators": operators, "structure": structure, "placed": placed, "widths": widths, "maps": maps, "forms": forms, "pages": pages,
    "filters": filters, "references": references, "font programs": font_programs, "encrypted": encrypted, "annotations": annotations,
    "drawn fonts": drawn_fonts, "unpacked numbers": unpacked_numbers,
}  # fmt: skip


def pdf(rng: random.Random) -> bytes:
    """Any of them."""
    return rng.choice(list(MAKERS.values()))(rng)
