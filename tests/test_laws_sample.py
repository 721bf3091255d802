"""The seeded part of the laws is the part that was asked for."""

from fractions import Fraction
from math import ceil
from random import Random

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from laws_sample import chosen, fraction_from

names = st.sets(st.text(max_size=8), max_size=40)
fractions = st.fractions(0, 1).filter(bool)


@given(names, fractions, st.text(max_size=8))
def test_the_part_has_the_size_asked_for(names: set[str], fraction: Fraction, seed: str) -> None:
    part = chosen(names, fraction, seed)
    assert part <= names
    assert len(part) == ceil(fraction * len(names))


@given(names, fractions, st.text(max_size=8), st.randoms())
def test_the_part_depends_on_the_seed_alone_and_not_on_the_order(
    names: set[str], fraction: Fraction, seed: str, random: Random
) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)
    assert chosen(shuffled, fraction, seed) == chosen(sorted(names), fraction, seed)


def test_every_law_has_its_turn_under_some_seed() -> None:
    laws = {f"law {k}" for k in range(100)}
    assert set().union(*(chosen(laws, Fraction(1, 10), str(seed)) for seed in range(200))) == laws


@each("text", ["0", "-0.1", "1.5", "a tenth", "nan", "1/0", ""])
def test_a_fraction_that_is_none_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="LAWS_FRACTION must be a number above 0 and at most 1"):
        fraction_from(text)
