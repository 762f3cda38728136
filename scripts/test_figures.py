"""The figures of pages: what is filled in, and what is refused."""

import unittest

from figures import RATES, figures, filled, rate_text, rust

TABLE = {"sd1-3-false": "703", "sl1-6-false": "fewer than 3"}


class Filling(unittest.TestCase):
    """One page, its marks and its prose."""

    def test_a_stale_figure_is_named_and_replaced(self) -> None:
        page, faults = filled("some <!--figure:sd1-3-false-->232<!--/--> of them", TABLE, "page.md")
        self.assertEqual(page, "some <!--figure:sd1-3-false-->703<!--/--> of them")
        self.assertEqual(faults, ["page.md: sd1-3-false is 703, not 232"])

    def test_a_right_figure_stays_as_it_is_wrapped(self) -> None:
        text = "with <!--figure:sl1-6-false-->fewer\n  than 3<!--/--> false pairs"
        self.assertEqual(filled(text, TABLE, "page.md"), (text, []))

    def test_an_unknown_name_and_a_rate_typed_by_hand_are_faults(self) -> None:
        for text in (
            "<!--figure:sd1-99-->1<!--/-->",
            "78 per million",
            "some 6,000 pairs\nin a million",
            "0.4 false pairs per million",
        ):
            page, faults = filled(text, TABLE, "page.md")
            self.assertEqual((page, len(faults)), (text, 1), faults)


class Records(unittest.TestCase):
    """What the records give."""

    def test_none_found_is_stated_by_its_bound(self) -> None:
        self.assertEqual(rate_text([0.0, 0.0, 2.646]), "fewer than 3")
        self.assertEqual(rate_text([6.2, 0.0, 18.4]), "6.2")
        self.assertEqual(rate_text([10930.8, 6862.8, 14998.9]), "10,931")

    def test_reported_pairs_add_up(self) -> None:
        table = {name: value.replace(",", "") for name, value in figures().items()}
        parts = sum(int(table[f"verified-{name}"]) for name in ("same", "different", "neither"))
        self.assertEqual(parts, int(table["verified-reported"]))

    def test_the_program_states_what_the_records_say(self) -> None:
        self.assertEqual(RATES.read_text("utf-8"), rust())


if __name__ == "__main__":
    unittest.main()
