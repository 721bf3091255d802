"""Numbers that no polynomial holds and nobody factors: what is asked with them is decided or open, at once."""

from __future__ import annotations

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.language.words import ShapeError, identity, zero

FAMILIES = Cases(__file__, globals())

LARGE = sp.Integer(10) ** 400
ABOVE = FAMILIES["above"]
"""Two sides of which the first is smaller."""


@each("which", [*ABOVE])
def test_a_false_order_is_not_proved(which: str) -> None:
    left, right = ABOVE[which]
    certificate = prove.inequality(sp.Ge(left, right, evaluate=False))
    assert certificate.verdict in (prove.Verdict.OPEN, prove.Verdict.REFUTED)


@each(("left", "right"), FAMILIES["what differs very far down is not proved"])
def test_what_differs_very_far_down_is_not_proved(left: sp.Expr, right: sp.Expr) -> None:
    assert prove.identity(left, right).verdict in (prove.Verdict.OPEN, prove.Verdict.REFUTED)


def test_large_numbers_are_still_taken_out_of_roots() -> None:
    assert prove.identity(sp.sqrt(3 * LARGE**2), LARGE * sp.sqrt(3)).verdict is prove.Verdict.PROVED


@each("size", [0, -1, 3, "1", "a b"])
def test_a_dimension_is_a_name_or_one(size: object) -> None:
    for made in (identity, lambda n: zero(n, "n"), lambda n: zero("n", n)):
        with pytest.raises(ShapeError, match="must be a name or the integer 1"):
            made(size)  # type: ignore[operator]
