"""Arcs at the ends of their range, where their slope has no value, and the table of limits beside balls."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from soundness.judged import judged

import derivations
from derivations import prove
from derivations.recheck.core import balls
from derivations.recheck.core.load import normal

FILE = Path(derivations.__file__).parent / "theorems" / "limits" / "quantities.toml"
TABLE = normal(tomllib.loads(FILE.read_text(encoding="utf-8")))
BITS = 5000
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


# --- the table --------------------------------------------------------------------------------------------------------

SMALL = [fmpq(1, 10 * 2**k) for k in range(3)]


def value(formula: Any, **point: Any) -> Any:
    with ctx.workprec(BITS):
        return balls.enclosure(formula, point, BITS)


def argument(line: Any, u: fmpq) -> Any:
    """The argument for which the u of a line is a number: each line tells u as 1 - a, 1 + a, 1/a or -1/a."""
    with ctx.workprec(BITS):
        candidates = (1 - arb(u), arb(u) - 1, 1 / arb(u), -1 / arb(u))
        fitting = [a for a in candidates if abs(value(line["u"], a=a) - u) < u / 10**9]
    (a,) = fitting
    return a


@pytest.mark.parametrize("line", TABLE["end"], ids=lambda line: line["name"])
def test_the_remainders_of_ends_go_to_zero(line: Any) -> None:
    """r = ((f(a) - lead)/factor - sum c_k u^(k step))/u^(n step), in balls: it falls with u, for every n."""
    for count in range(len(line["coefficients"])):
        sizes = []
        for u in SMALL:
            a = argument(line, u)
            with ctx.workprec(BITS):
                gap = value((line["function"], ("s", "a")), a=a) - value(line["lead"])
                series = sum(arb(balls.rational(c)) * arb(u) ** (line["step"] * k)
                             for k, c in enumerate(line["coefficients"][: count + 1]))  # fmt: skip
                r = (gap / value(line["factor"], a=a, u=arb(u)) - series) / arb(u) ** (line["step"] * count)
            assert r.is_finite()
            sizes.append(abs(r))
        assert 3 * sizes[2] < 2 * sizes[1] < 2 * sizes[0], (line["name"], count)
        assert 9 * sizes[2] < 4 * sizes[0] < 16


@pytest.mark.parametrize("line", TABLE["small"], ids=lambda line: line["name"])
@pytest.mark.parametrize("r", [0, 1, 3])
def test_the_small_quantities_are_positive_and_go_to_zero(line: Any, r: int) -> None:
    found = []
    for u in [u**4 for u in SMALL]:
        with ctx.workprec(BITS):
            d = arb(1 / u) if line["grows"] else arb(u)
        found.append(value(line["formula"], d=d, r=arb(r)))
    assert found[0] > found[1] > found[2] > 0
    assert found[0] < fmpq(1, 5)


def test_a_wrong_coefficient_is_seen() -> None:
    (line,) = (told for told in TABLE["end"] if told["name"] == "arcsine at 1")
    wrong = line | {"coefficients": ("1", "1/6", *line["coefficients"][2:])}
    with pytest.raises(AssertionError):
        test_the_remainders_of_ends_go_to_zero(wrong)
