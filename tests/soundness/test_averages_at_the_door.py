"""Averages that nobody could mean, or that suppose what they are to show, are refused where they are stated."""

from __future__ import annotations

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.averages import field, mean

r, b = sp.symbols("r b", real=True)
SQUARE = sp.Matrix([[1, r], [r, 1]])


@pytest.mark.parametrize("rows", [[[1, r], [b, 1]], [[1, r], [-r, 1]], [[1, 2 * r], [r, 1]], [[r, 0], [1, r]]])
def test_a_covariance_that_is_not_symmetric_is_refused(rows: list[list[sp.Expr]]) -> None:
    assert "write the same in both" in refusal(lambda: mean(field(0) * field(1), sp.Matrix(rows)), prove.NotExact)


@pytest.mark.parametrize("sign", ["positive", "negative", "nonnegative", "nonpositive", "nonzero"])
def test_what_stands_for_an_average_has_no_sign_that_nobody_showed(sign: str) -> None:
    """Else r = |r| would follow from r being the average of a product."""
    g = sp.Symbol("g", real=True, **{sign: True})
    stated = refusal(
        lambda: prove.average(mean(field(0) * field(1), SQUARE), sp.Abs(g), given={g: field(0) * field(1)}),
        prove.NotExact,
    )
    assert "real=True alone" in stated


def test_without_a_sign_it_is_an_average_like_others() -> None:
    g = sp.Symbol("g", real=True)
    assert judged(prove.average(mean(field(0) * field(1), SQUARE), g, given={g: field(0) * field(1)})) == "proved"
