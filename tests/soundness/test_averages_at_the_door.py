"""Averages that nobody could mean, or that suppose what they are to show, are refused where they are stated."""

from __future__ import annotations

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import refusal

from derivations import prove
from derivations.language.averages import field, mean

FAMILIES = Cases(__file__, globals())

r = sp.symbols("r", real=True)
SQUARE = sp.Matrix([[1, r], [r, 1]])


@each("rows", FAMILIES["a covariance that is not symmetric is refused"])
def test_a_covariance_that_is_not_symmetric_is_refused(rows: list[list[sp.Expr]]) -> None:
    assert "write the same in both" in refusal(lambda: mean(field(0) * field(1), sp.Matrix(rows)), prove.NotExact)


@each("sign", ["positive", "negative", "nonnegative", "nonpositive", "nonzero"])
def test_what_stands_for_an_average_has_no_sign_that_nobody_showed(sign: str) -> None:
    """Else r = |r| would follow from r being the average of a product."""
    g = sp.Symbol("g", real=True, **{sign: True})
    stated = refusal(
        lambda: prove.average(mean(field(0) * field(1), SQUARE), sp.Abs(g), given={g: field(0) * field(1)}),
        prove.NotExact,
    )
    assert "real=True alone" in stated


test_statements_have_their_verdicts = FAMILIES.verdicts()
