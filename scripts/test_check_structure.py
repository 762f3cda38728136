"""The check of structure, by small crates and drawings written for it."""

import pathlib
import tempfile
import unittest

from check_structure import circles, differences, drawn, named_arrows, too_large
from rust_modules import Crate

DRAWING = """
```text
nearprint-cli ──► nearprint
nearprint ──┬──► nearprint-records ──► nearprint-fingerprint, nearprint-output
            └──► nearprint-search
```
`crates/nearprint-cli`, `crates/nearprint`
"""


def package(name: str, *dependencies: str, kind: str | None = None) -> dict:
    """A package as `cargo metadata` describes it."""
    listed = [{"name": dependency, "kind": kind} for dependency in dependencies]
    return {"name": name, "dependencies": listed, "manifest_path": f"/crates/{name}/Cargo.toml"}


class Drawing(unittest.TestCase):
    """The drawing of the crates, beside manifests."""

    def problems(self, page: str, *packages: dict) -> list[str]:
        found = differences(page, list(packages), pathlib.Path("/"))
        return [problem for problem in found if "nearprint-records" not in problem and "-search" not in problem]

    def test_branches_and_lists_are_read(self) -> None:
        records = "nearprint-records"
        below = {(records, "nearprint-fingerprint"), (records, "nearprint-output")}
        beside = {("nearprint", records), ("nearprint", "nearprint-search"), ("nearprint-cli", "nearprint")}
        self.assertEqual(drawn(DRAWING), below | beside)

    def test_the_same_arrows_are_no_problem(self) -> None:
        self.assertEqual(self.problems(DRAWING, package("nearprint-cli", "nearprint"), package("nearprint")), [])

    def test_an_arrow_that_is_only_drawn_is_a_problem(self) -> None:
        false = DRAWING.replace("──► nearprint\n", "──► nearprint, nearprint-pdf\n")
        found = self.problems(false, package("nearprint-cli", "nearprint"))
        self.assertEqual(found, ["nearprint-cli ──► nearprint-pdf: drawn in docs/ARCHITECTURE.md, not in the manifest"])

    def test_an_arrow_that_is_only_in_a_manifest_is_a_problem(self) -> None:
        found = self.problems(DRAWING, package("nearprint-cli", "nearprint", "nearprint-pdf"))
        self.assertEqual(found, ["nearprint-cli ──► nearprint-pdf: in the manifest, not drawn in docs/ARCHITECTURE.md"])

    def test_dependencies_of_tests_are_not_drawn(self) -> None:
        both = package("nearprint-cli", "nearprint")
        both["dependencies"] += package("", "nearprint-pdf", kind="dev")["dependencies"]
        self.assertEqual(self.problems(DRAWING, both), [])

    def test_a_crate_that_the_page_does_not_name_is_a_problem(self) -> None:
        found = self.problems(DRAWING, package("nearprint-cli", "nearprint"), package("nearprint-pdf"))
        self.assertEqual(found, ["crates/nearprint-pdf: not in docs/ARCHITECTURE.md"])


class Modules(unittest.TestCase):
    """Arrows between the entries of a crate of a few files."""

    def arrows(self, **files: str) -> set[tuple[str, str]]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"a": "", "b": "pub struct B;", "c": "pub struct C;", **files}.items():
                path = pathlib.Path(folder, *name.split("__")).with_suffix(".rs")
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            lib = pathlib.Path(folder, "lib.rs")
            lib.write_text(files.get("lib", "mod a; mod b; mod c; pub use b::B; pub use c::C as D;"), encoding="utf-8")
            return set(named_arrows(Crate(lib)))

    def test_a_re_export_leads_to_the_file_that_declares_the_name(self) -> None:
        self.assertEqual(self.arrows(a="use crate::{B, D};"), {("a", "b"), ("a", "c")})
        self.assertEqual(self.arrows(a="use crate::b::D;", b="pub use crate::D;"), {("a", "c"), ("b", "c")})

    def test_globs_are_followed_and_other_crates_are_not(self) -> None:
        found = self.arrows(a="use super::b::*; pub use b::x;", b="pub use std::io::*; pub use super::c::*;")
        self.assertEqual(found, {("a", "b"), ("b", "c")})
        found = self.arrows(a="fn f(c: crate::b::C) {}", b="pub use rayon::prelude::*; pub use super::c::*;")
        self.assertEqual(found, {("a", "c"), ("b", "c")})

    def test_groups_paths_in_code_and_macros_are_read(self) -> None:
        self.assertEqual(self.arrows(a="use crate::{b::{self, B as X}};"), {("a", "b")})
        self.assertEqual(self.arrows(a="fn f() -> impl Iterator + use<'_> { super::c::C::new(1) }"), {("a", "c")})
        self.assertEqual(
            self.arrows(a="fn f() { crate::c::made!(1) }", c="macro_rules! made { () => {} }"), {("a", "c")}
        )

    def test_a_folder_is_one_entry(self) -> None:
        self.assertEqual(
            self.arrows(a="mod x; use x::X;", a__x="use super::super::B; use super::y; pub struct X;"), {("a", "b")}
        )
        self.assertEqual(self.arrows(a="mod x { mod y { use super::super::super::B; } }"), {("a", "b")})

    def test_tests_comments_and_strings_are_left_out(self) -> None:
        self.assertEqual(self.arrows(a="#[cfg(test)] mod tests { use crate::B; } #[cfg(test)] mod b;"), set())
        self.assertEqual(self.arrows(a="#[cfg(test)] #[derive(Debug)] fn f() -> [u8; 2] { crate::B }"), set())
        self.assertEqual(self.arrows(a="#[cfg(all(test, unix))] mod tests { use crate::B; }"), set())
        self.assertEqual(self.arrows(a='#[cfg(any(test, feature = "f"))] mod x { use crate::B; }'), {("a", "b")})
        self.assertEqual(
            self.arrows(a="""/// crate::B\n/* crate::B */ const A: &str = r#"crate::B "" "#; const C: char = '"';"""),
            set(),
        )
        self.assertEqual(self.arrows(a="const C: char = '\"'; fn f<'a>(b: &'a crate::B) {}"), {("a", "b")})

    def test_what_lib_rs_lists_is_no_arrow_and_what_it_uses_is(self) -> None:
        self.assertEqual(self.arrows(lib="mod a; mod b; pub use b::B; use a::A;", a="pub struct A;"), {("lib", "a")})

    def test_circles_are_found_by_their_entries(self) -> None:
        around = {("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "e"), ("x", "y"), ("y", "x")}
        self.assertEqual(circles(around), [["a", "b", "c", "d"], ["x", "y"]])
        self.assertEqual(circles({("a", "b"), ("b", "c"), ("a", "c")}), [])


class LargeCircles(unittest.TestCase):
    """Circles of more entries than may reach one another."""

    def test_a_circle_of_more_than_three_is_a_problem(self) -> None:
        self.assertEqual(too_large("x", [["a", "b", "c"]]), [])
        problems = too_large("x", [list("abcd"), list("efg")])
        self.assertEqual(len(problems), 1)
        self.assertIn("a b c d", problems[0])


if __name__ == "__main__":
    unittest.main()
