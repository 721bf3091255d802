"""Signs and pieces: which one holds near a point is computed, and what is no real number is no raw error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.words import Letter, identity
from derivations.prove import NotExact

x, y, a = sp.symbols("x y a", real=True)
q = sp.Symbol("q", positive=True)
STEPS = [  # a function with a jump, its place, and its limits from below and from above
    (sp.sign(x), 0, -1, 1),
    (sp.sign(x - 2), 2, -1, 1),
    (sp.sign(2 - x), 2, 1, -1),
    (sp.sign(x**3 - x), 0, 1, -1),
    (sp.sign(x**2 - 4 * x + 4), 2, 1, 1),
    (sp.sign(x) / (1 + x**2), 0, -1, 1),
    (sp.Heaviside(x - 1), 1, 0, 1),
    (sp.Piecewise((x, x < 5), (x + 1, True)), 5, 5, 6),
    (sp.Piecewise((0, x < 0), (sp.exp(x), True)), 0, 0, 1),
    (sp.sign(1 / x), 0, -1, 1),
]


@pytest.mark.parametrize(("function", "place", "below", "above"), STEPS, ids=str)
@pytest.mark.parametrize("side", ["-", "+"])
def test_limits_at_jumps(function: sp.Expr, place: int, below: int, above: int, side: str) -> None:
    value, other = (below, above) if side == "-" else (above, below)
    assert judged(prove.limit(function, {x: (place, side)}, value)) == "proved"
    if other != value:
        assert judged(prove.limit(function, {x: (place, side)}, other)) == "refuted"


@pytest.mark.parametrize(("end", "value"), [(sp.oo, 1), (-sp.oo, -1)])
def test_signs_of_polynomials_at_infinity(end: Any, value: int) -> None:
    for function in (sp.sign(x - 100), sp.sign(x**3 - x**2), sp.sign(x / (x**2 + 1))):
        assert judged(prove.limit(function, {x: end}, value)) == "proved"


UNKNOWN: dict[str, Callable[[], Any]] = {
    "a letter of any sign": lambda: prove.limit(sp.sign(a * x), {x: 0}, 1),
    "no polynomial": lambda: prove.limit(sp.sign(sp.sin(x)), {x: 0}, 1),
    "no value there": lambda: prove.limit(sp.Piecewise((x, x > 1)), {x: 0}, 0),
}


@pytest.mark.parametrize("state", UNKNOWN.values(), ids=UNKNOWN)
def test_a_piece_that_is_not_known_is_refused(state: Callable[[], Any]) -> None:
    assert "near" in refusal(state, NotExact)


@pytest.mark.parametrize("inner", [y - sp.log(-q), sp.log(-1 - q), sp.sqrt(-q) + y, sp.asin(2 + q), sp.log(-q) * 2])
def test_a_sign_of_what_is_no_real_number_is_no_raw_error(inner: sp.Expr) -> None:
    with suppress(NotExact, prove.Unsatisfiable):
        assert prove.identity(sp.sign(inner), 1).verdict.value == "open"  # it has no value anywhere


def test_a_covariance_is_semidefinite() -> None:
    A, B, S = Letter("A", "n", "n"), Letter("B", "n", "n"), Letter("S", "n", "n", symmetric=True)
    for covariance in (-1 * identity("n"), B, S, B - B.T, B + B.T):
        image = A @ covariance @ A.T
        made = prove.by("linear map of a Gaussian vector", map=A, covariance=covariance, image=image)
        assert made.verdict.value == "open"
    for covariance in (identity("n"), B @ B.T, S @ S, 2 * identity("n") + B.T @ B):
        image = A @ covariance @ A.T
        assert (
            judged(prove.by("linear map of a Gaussian vector", map=A, covariance=covariance, image=image)) == "proved"
        )
