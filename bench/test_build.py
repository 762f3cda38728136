"""The profiles of Cargo.toml: the command is stripped, and `make bench` measures what it builds."""

import pathlib
import tomllib
import unittest

import build_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Profiles(unittest.TestCase):
    def setUp(self):
        self.profiles = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["profile"]

    def test_the_command_is_stripped(self):
        # Cargo takes the default of `strip` for a package that has an entry of its own, and says nothing.
        self.assertIs(self.profiles["release"]["strip"], True)
        self.assertEqual(self.profiles["dist"]["inherits"], "release")
        for name in ("release", "dist"):
            self.assertNotIn("nearprint-cli", self.profiles[name]["package"], name)

    def test_a_release_optimises_every_crate(self):
        levels = self.profiles["release"]["package"] | self.profiles["dist"]["package"]
        self.assertEqual(self.profiles["dist"]["opt-level"], 3)
        self.assertEqual({crate for crate, set_ in levels.items() if set_["opt-level"] != 3}, set())


class Crates(unittest.TestCase):
    def test_they_are_counted_once(self):
        # The workspace's own ten crates and what they depend on.
        self.assertGreater(build_rows.crates(), 100)


if __name__ == "__main__":
    unittest.main()
