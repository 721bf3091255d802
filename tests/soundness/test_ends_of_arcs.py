"""Arcs at the ends of their range, where their slope has no value, and every other series beside balls."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from flint import arb_series, ctx, fmpq
from soundness.judged import judged

from derivations import prove
from derivations.prove.limits.coefficients import Coefficients
from derivations.prove.limits.functions import Reader
from derivations.prove.limits.series import Calculus, NoSign
from derivations.prove.limits.signs import Unknown
from derivations.recheck import Rejected
from derivations.recheck.core import balls
from derivations.recheck.core.budget import budget
from derivations.recheck.kinds.limits.constants import Constants
from derivations.recheck.kinds.limits.expansions import Arithmetic
from derivations.recheck.kinds.limits.functions import Expander
from derivations.recheck.kinds.limits.scale import Scale

BITS = 300
e = sp.Symbol("e", positive=True)
R, pi, asin, acos, sqrt = sp.Rational, sp.pi, sp.asin, sp.acos, sp.sqrt
FALSE: dict[str, tuple[Any, Any]] = {
    "slope at -1": ((asin(-1 + e) + pi / 2) / e, 0),
    "slope at 1": ((pi / 2 - asin(1 - e)) / sqrt(e), 0),
    "through a sine": ((asin(-1 + sp.sin(e)) + pi / 2) / e, 0),
    "half a power": ((pi / 2 - asin(1 - e)) / sqrt(e), 1),
    "an arc cosine": (acos(1 - e) / e, 2),
}
TRUE: dict[str, tuple[Any, Any]] = {
    "slope at 1": ((pi / 2 - asin(1 - e)) / sqrt(e), sqrt(2)),
    "slope at -1": ((asin(-1 + e) + pi / 2) / sqrt(e), sqrt(2)),
    "its square": ((pi / 2 - asin(1 - e)) ** 2 / e, 2),
    "an arc cosine": (acos(1 - e) / e, sp.oo),
    "through a cosine": (e / sqrt(1 - sp.cos(e)), sqrt(2)),
    "second term": ((acos(1 - e) - sqrt(2 * e)) / e ** R(3, 2), sqrt(2) / 12),
    "a gap of kernels": (((sqrt(2 * e - e**2) + (1 - e) * (pi - acos(1 - e))) / pi - 1 + e) / e ** R(3, 2),
                         2 * sqrt(2) / (3 * pi)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_no_false_limit_is_proved(name: str) -> None:
    expression, value = FALSE[name]
    assert judged(prove.limit(expression, {e: 0}, value)) in ("open", "refuted")


@pytest.mark.parametrize("name", TRUE)
def test_limits_at_the_ends_are_proved(name: str) -> None:
    expression, value = TRUE[name]
    assert judged(prove.limit(expression, {e: 0}, value)) == "proved"


def test_no_leading_order_forgets_half_powers() -> None:
    assert judged(prove.leading_order(asin(1 - e), pi / 2, {e: 1}, order=1)) in ("open", "refuted")


def of_checker(head: str, c: fmpq, order: int) -> list[Any]:
    ring = Constants({"x": ()}, "x")
    arithmetic = Arithmetic(ring, Scale(ring, 0, ()), order)
    with budget():
        series = Expander(arithmetic, "x", arithmetic.constant(c))._series(head, c)
        return [balls.enclosure(ring.formula(value), {}, BITS) for value in series]


def of_prover(head: str, c: fmpq, order: int) -> list[Any]:
    field = Coefficients({"x": []}, "x")
    calculus = Calculus(field, 0, [], order, time.monotonic() + 60)
    series = Reader(calculus, "x", calculus.number(c))._taylor(head, c)
    return [balls.enclosure(field.term(value), {}, BITS) for value in series]


@pytest.mark.parametrize("series", [of_checker, of_prover])
@pytest.mark.parametrize("head", ["sin", "cos", "erf", "atan", "asin"])
def test_series_agree_with_balls_at_random_centres(head: str, series: Callable[..., list[Any]]) -> None:
    """Every coefficient is the one that balls enclose, and a centre where there are none is refused."""
    rng, order, refused = random.Random(3), 6, []
    for c in (fmpq(-1), fmpq(0), fmpq(1), *(fmpq(rng.randint(-40, 40), 41) for _ in range(8))):
        try:
            found = series(head, c, order)
        except (Rejected, Unknown, NoSign):
            refused.append(c)
            continue
        with ctx.workprec(BITS):
            around = arb_series([c, 1], order + 1)
            expected = around.erf() if head == "erf" else getattr(around, head)()
        assert len(found) == order + 1
        assert all(value.overlaps(expected[k]) for k, value in enumerate(found)), (head, c)
    assert refused == ([-1, 1] if head == "asin" else [])
