"""The integrals that averages are, enclosed in balls, against their closed forms at random covariances."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from averages_drawn import cases
from averages_in_balls import drawn, of_the_statement

from derivations import prove

CASES = {name: case for name, case in cases().items() if name.split(":")[0] in ("erf(x/sqrt 2)", "erf(x)", "ramp")}


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("name", sorted(name for name in CASES if name.endswith(("J2", "I2"))))
def test_two_fields(name: str, seed: int) -> None:
    close(name, seed, 2, Fraction(9, 20), 1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(name for name in CASES if name.endswith("I3")))
def test_three_fields(name: str, seed: int) -> None:
    close(name, seed, 3, Fraction(1, 2), 1e-5)


def test_four_fields() -> None:
    close("erf(x/sqrt 2): I4", 1, 4, Fraction(3, 4), 1e-2)


def close(name: str, seed: int, size: int, step: Fraction, radius: float) -> None:
    """The two balls meet, and are small."""
    left, right, _ = CASES[name]
    integral, closed = of_the_statement(
        prove.average(left, right).statement, drawn(Random(f"{name} {seed}"), size), step
    )
    assert integral.overlaps(closed), (integral, closed)
    assert float(integral.rad()) < radius
