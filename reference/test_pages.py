#!/usr/bin/env python3
"""Tests of the pages of the standard: the worked example, the grammars against the vectors, references and versions."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

import nearprint_custom as custom
import nearprint_family as family
import nearprint_interchange
import vector_stages
import worked_example

FOLDER = Path(__file__).resolve().parent.parent / "spec"
PAGES = {name: (FOLDER / name).read_text("utf-8") for name in ("SPEC.md", "CUSTOM.md", "INTERCHANGE.md", "PROFILE.md")}


class Grammar:
    """Rules of ABNF (RFC 5234, RFC 7405) as regular expressions; rules must not be circular."""

    PART = re.compile(
        r'\s*(?:(?P<times>\d+(?!\*)|\d*\*\d*)?(?:(?P<name>[A-Za-z][A-Za-z0-9-]*)|(?P<case>%s)?"(?P<text>[^"]*)"'
        r"|%x(?P<first>[0-9A-F]+)(?P<rest>-[0-9A-F]+|(?:\.[0-9A-F]+)*)|(?P<open>[(\[]))|(?P<end>[)\]])|(?P<or>/))"
    )

    def __init__(self, page: str) -> None:
        self.rules: dict[str, str] = {"ALPHA": "[A-Za-z]", "DIGIT": "[0-9]", "HEXDIG": "[0-9A-Fa-f]"}
        self.texts: dict[str, str] = {}
        block = re.search(r"```abnf\n(.*?)```", page, re.DOTALL)[1]
        for line in re.sub(r"\n +", " ", re.sub(r";.*", "", block)).splitlines():
            found = re.fullmatch(r"([a-z0-9-]+)\s*(=/?)\s*(.*)", line)
            name, way, text = found.groups()
            self.texts[name] = f"{self.texts[name]} / {text}" if way == "=/" else text

    def pattern(self, name: str) -> str:
        """The regular expression of a rule."""
        if name not in self.rules:
            self.rules[name] = self.alternatives(self.texts[name], 0)[0]
        return f"(?:{self.rules[name]})"

    def alternatives(self, text: str, at: int) -> tuple[str, int]:
        """The expression from a place to its closing bracket or the end, and the place behind that."""
        done = ""
        while at < len(text) and text[at:].strip():
            found = self.PART.match(text, at)
            assert found, text[at:]
            at = found.end()
            if found["end"]:
                return done, at
            if found["or"]:
                done += "|"
                continue
            if found["open"]:
                inner, at = self.alternatives(text, at)
                part = f"(?:{inner})" + "?" * (found["open"] == "[")
            else:
                part = self.atom(found)
            done += part + self.repetition(found["times"])
        return done, at

    def atom(self, found: re.Match[str]) -> str:
        """A rule's name, a text or code points."""
        if found["name"]:
            return self.pattern(found["name"])
        if found["text"] is not None:
            return f"(?:{re.escape(found['text'])})" if found["case"] else f"(?i:{re.escape(found['text'])})"
        if found["rest"].startswith("-"):
            return f"[\\U{int(found['first'], 16):08x}-\\U{int(found['rest'][1:], 16):08x}]"
        numbers = [found["first"], *found["rest"].split(".")[1:]]
        return "(?:" + "".join(re.escape(chr(int(number, 16))) for number in numbers) + ")"

    @staticmethod
    def repetition(times: str | None) -> str:
        """`n`, `n*m`, `*`: how often."""
        if not times:
            return ""
        least, star, most = times.partition("*")
        return f"{{{least or 0},{most}}}" if star else f"{{{least}}}"

    def matches(self, name: str, text: str) -> bool:
        """Whether a text is one of a rule."""
        return re.fullmatch(self.pattern(name), text, re.ASCII) is not None


class Pages(unittest.TestCase):
    """What the pages say, against what the reference does."""

    def test_the_worked_example(self) -> None:
        block = re.search(r"```text\n(bytes .*?)\n```", PAGES["SPEC.md"], re.DOTALL)[1]
        self.assertEqual(block.splitlines(), list(worked_example.lines()))

    def test_the_grammar_of_strings_accepts_what_readers_accept(self) -> None:
        grammar, accepted = Grammar(PAGES["SPEC.md"]), 0
        for case in vector_stages.load("family_strings"):
            if "string" in case["input"]:
                read = case["expected"]["scheme"] is not None
                self.assertEqual(grammar.matches("fingerprint", case["input"]["string"]), read, case["name"])
                accepted += read
        self.assertGreater(accepted, 50)
        for scheme in [*family.SCHEMES, "seomoz-legacy", custom.id_of("custom:words,tf,lookup3,64"), "x-a"]:
            self.assertTrue(grammar.matches("scheme-id", scheme))
        for wrong in ("", "1a", "SD1", "a_b", "a" * 29):
            self.assertFalse(grammar.matches("scheme-id", wrong))

    def test_the_grammar_of_declarations_accepts_what_readers_accept(self) -> None:
        grammar = Grammar(PAGES["CUSTOM.md"])
        declared = {
            case["input"]["declaration"] for stage in vector_stages.STAGES for case in vector_stages.load(stage)
            if "declaration" in case["input"]
        }  # fmt: skip
        declared |= {f"custom:words,tf,lookup3,64,min={n}" for n in range(140)}
        declared |= {f"custom:chars-{n},tf,lookup3,64" for n in range(20)}
        self.assertGreater(len(declared), 250)
        for declaration in declared:
            read = custom.parse(declaration) is not None
            self.assertEqual(grammar.matches("declaration", declaration), read, declaration)

    def test_the_grammar_of_files_accepts_what_readers_accept(self) -> None:
        grammar, refused = Grammar(PAGES["INTERCHANGE.md"]), 0
        for case in vector_stages.load("interchange/reading"):
            given, expected = case["input"], case["expected"]
            if given["form"] != "lines" or "text" not in given or "fill" in given:
                continue
            matches = grammar.matches("file", given["text"])
            if expected["reason"] is None:
                self.assertTrue(matches, case["name"])
            elif expected["reason"] in ("not-interchange", "version", "encoding", "trailer", "truncated"):
                self.assertFalse(matches, case["name"])
            refused += not matches
        self.assertGreater(refused, 35)

    def test_the_example_of_interchange(self) -> None:
        block = re.search(r"```text\n(nearprint-interchange/1\n.*?)```", PAGES["INTERCHANGE.md"], re.DOTALL)[1]
        file = nearprint_interchange.read_file(block.replace("\u2192", "\t").encode())
        prints = [
            family.to_string("sd1", family.fingerprint("sd1", text).value)
            for text in ("Fog came in at noon", "Fog came")
        ]
        self.assertEqual([row.string for row in file.rows], prints)

    def test_every_reason_of_refusal_has_a_case(self) -> None:
        table = PAGES["INTERCHANGE.md"].partition("\n[15.9]")[2].partition("\n[15.10]")[0]
        reasons = set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))
        found = {case["expected"]["reason"] for case in vector_stages.load("interchange/reading")}
        self.assertEqual(found, reasons | {None})

    def test_every_clause_of_interchange_has_a_case(self) -> None:
        covered = {
            clause
            for stage in vector_stages.FURTHER
            for case in vector_stages.load(stage)
            for clause in case["clauses"]
        }
        self.assertEqual(covered, set(re.findall(r"^\[(15\.\d+)\]", PAGES["INTERCHANGE.md"], re.MULTILINE)))

    def test_references_are_cited_and_listed(self) -> None:
        listed = set(re.findall(r"\[([A-Z]+[0-9]*)\]", PAGES["SPEC.md"].partition("## G. References")[2]))
        cited = {
            name for page in PAGES.values() for name in re.findall(r"\[([A-Z]+[0-9]+)\]", page.partition("## G. ")[0])
        }
        self.assertLessEqual(cited, listed)
        self.assertLessEqual({"RFC2119", "RFC8174", "RFC5234", "RFC7405", "UAX15"}, cited)

    def test_clauses_that_pages_name_exist(self) -> None:
        text = "\n".join([*PAGES.values(), (FOLDER / "PROFILE.md").read_text("utf-8")])
        named = set(re.findall(r"\[(\d+\.\d+)\]", text))
        self.assertLessEqual(named, set(re.findall(r"^\[(\d+\.\d+)\]", text, re.MULTILINE)))

    def test_the_registry_has_every_scheme(self) -> None:
        registry = PAGES["SPEC.md"].partition("## E. ")[2].partition("## F. ")[0]
        ids = set(re.findall(r"^\| `([a-z0-9-]+)` \| `[a-z-]+` \|", registry, re.MULTILINE))
        self.assertEqual(ids, set(family.SCHEMES))


if __name__ == "__main__":
    unittest.main()
