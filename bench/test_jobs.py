"""How good a deduplication is by labels, and which files of a labelled corpus count."""

import pathlib
import tempfile
import unittest

import jobs
import labelled

GROUPS = {"a": "A", "b": "A", "c": "A", "d": "D", "e": "E", "f": "E"}


class Quality(unittest.TestCase):
    def test_one_of_each_document_is_right(self):
        found = jobs.quality(GROUPS, {"b", "d", "f"})
        self.assertEqual((found["recall"], found["precision"], found["texts_lost"]), (1.0, 1.0, 0))

    def test_what_is_left_and_what_is_lost_are_told_apart(self):
        found = jobs.quality(GROUPS, {"a", "b", "e", "f"})
        self.assertEqual((found["recall"], found["precision"], found["texts_lost"]), (1 / 3, 1 / 2, 1))


class Labelled(unittest.TestCase):
    def test_similar_files_of_other_groups_and_short_ones_do_not_count(self):
        head = "group_id\tpath\tkind\twords\tsame_as\tuse\n"
        rows = [
            "g\tg/a.html\tmedia\t300\t\tref",
            "g\tg/a.txt\tmedia\t300\t\tcore",
            "g\tg/a.rev\trev\t300\t\tcore",
            "g\tg/weak\tmedia\t300\t\tweak",
            "h\th/similar\tmedia\t300\t\tref",
            "i\ti/short\tmedia\t199\t\tref",
            "n\tn/1\tneg\t300\t\tneg",
            "n\tn/2\tneg\t300\t\tneg",
        ]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "groups.tsv").write_text(head + "\n".join(rows) + "\n")
            (folder / "similar_cross_group.tsv").write_text("containment\tpath_a\tpath_b\n1.00\th/similar\tx/other\n")
            found = labelled.chosen(folder)
        wanted = {"g/a.html": "g", "g/a.txt": "g", "n/1": "n/1", "n/2": "n/2"}
        self.assertEqual(found, wanted)


if __name__ == "__main__":
    unittest.main()
