"""By which bits fingerprints are brought together: every pair belongs to one table, however tables are split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from nearprint.spark._tables import Table, signed, tables

WORDS = st.integers(0, 2**64 - 1)


@given(WORDS, st.data(), st.integers(0, 16))
def test_a_pair_within_k_bits_belongs_to_one_table_at_every_depth(a: int, data: st.DataObject, k: int) -> None:
    flipped = data.draw(st.sets(st.integers(0, 63), max_size=k))
    b = a ^ sum(1 << bit for bit in flipped)
    known = tables(k)
    while known:
        (table,) = [table for table in known if table.holds(a, b)]
        known = table.split(k)


def test_tables_are_split_until_too_few_bits_are_left() -> None:
    assert [table.mask.bit_count() for table in tables(3)] == [16] * 4
    assert sum(table.mask for table in tables(6)) == 2**64 - 1
    assert len(Table(0, ()).split(63)) == 64
    assert Table(2**64 - 1, ()).split(0) == []
    assert [signed(1), signed(1 << 63)] == [1, -(1 << 63)]
