"""Random limits whose value is known by construction, and random expressions beside numbers with many digits."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from fuzz.expressions import NUMBERS, expression, p, q, x

from derivations import prove
from derivations.language.evaluate import evaluate, precision
from derivations.language.terms import carried_out
from derivations.recheck import check
from derivations.text import DerivationError

pytestmark = pytest.mark.filterwarnings("ignore")
z = sp.Symbol("z", real=True)
PLACES = (sp.oo, -sp.oo, 0, (0, "-"), (2, "+"), (2, "-"), (q, "-"))
GERMS = {
    p * sp.log(p): 0,
    sp.exp(-1 / p) / p**3: 0,
    p * sp.sin(1 / p): 0,
    p**q * sp.log(p) ** 2: 0,
    p**p: 1,
    sp.sin(p) / p: 1,
    sp.tanh(1 / p): 1,
    sp.erf(1 / p): 1,
    2 * sp.atan(1 / p) / sp.pi: 1,
    (1 + x * p) ** (1 / p) * sp.exp(-x): 1,
    p * sp.log(sp.exp(q / p) + sp.exp(-q / p)) / q: 1,
    sp.sqrt(1 / p**2 + q / p) - 1 / p: q / 2,
}
"""Formulas that only a comparison of growth decides, with their limits as p goes to zero from above."""


def moved(whole: Any, place: Any) -> Any:
    """The expression in z, for which p is the distance from a place, or the inverse of what grows."""
    point, side = place if isinstance(place, tuple) else (place, "+")
    if sp.sympify(point).is_infinite:
        return whole.subs(p, sp.sign(point) / z)
    return whole.subs(p, z - point if side == "+" else point - z)


def verdict(whole: Any, place: Any, value: Any) -> Any:
    """The certificate, which the checker accepts unless it is open; None where the statement is refused."""
    try:
        certificate = prove.limit(whole, {z: place}, value)
    except DerivationError:
        return None
    if certificate.verdict.value != "open":
        check(json.loads(json.dumps(certificate.as_json())))
    return certificate


@pytest.mark.parametrize("seed", range(10))
def test_a_limit_that_is_known_by_construction_is_never_contradicted(seed: int) -> None:
    rng, decided = random.Random(f"known limits {seed}"), 0
    for _ in range(30):
        (germ, end), (other, its_end) = rng.sample(list(GERMS.items()), 2)
        factor = expression(rng, rng.randint(1, 2), (p, x, q))
        at_zero = factor.subs(p, 0)
        if at_zero.has(sp.zoo, sp.oo, sp.nan):
            continue
        whole, value = moved(factor * germ + other, place := rng.choice(PLACES)), at_zero * end + its_end
        true, false = verdict(whole, place, value), verdict(whole, place, value + rng.choice(NUMBERS))
        if true is None or false is None:
            continue
        assert true.verdict.value != "refuted", (whole, place, value)
        assert false.verdict.value != "proved", (whole, place, value)
        decided += true.verdict.value == "proved"
    assert decided >= 10


@pytest.mark.parametrize("seed", range(10))
def test_numbers_come_closer_to_the_limit_that_is_found(seed: int) -> None:
    rng, seen = random.Random(f"found limits {seed}"), 0
    for _ in range(30):
        whole, place = expression(rng, rng.randint(2, 3), (p, p, q)), rng.choice(PLACES)
        if p not in whole.free_symbols:
            continue
        if rng.random() < 0.5:
            whole = whole.subs(p, 1 / p)
        found = verdict(moved(whole, place), place, sp.Rational(7, 13))
        if found is None or found.method != "another limit":
            continue
        gaps = list(_gaps(whole, found.payload))
        seen += len(gaps) == len(CLOSER)
        assert len(gaps) < len(CLOSER) or gaps[-1] < 1e-9 or gaps[-1] < gaps[0] * 0.9, (whole, place, gaps)
    assert seen >= 3


CLOSER = (3, 9, 27)  # powers of a tenth


def _gaps(whole: Any, payload: Any) -> Iterator[float]:
    """How far the expression is from its limit as p goes to zero; it ends where numbers are too large."""
    point = payload["witness"]["point"]
    value = payload["limit"]["statement"]["value"]
    here = prove.from_sympy(whole.subs(q, sp.Rational(point.get("q", "1"))))
    with precision(2000):
        for power in CLOSER:
            found = evaluate(here, {"p": Fraction(1, 10**power)})
            if not found.is_finite():
                return
            if value[0] in ("oo", "-oo"):
                size = found if value[0] == "oo" else -found
                yield float((1 / size).mid()) if size > 0 else float("inf")
            else:
                yield float(abs(found - evaluate(carried_out(value), {})).mid())
