"""Random flows of which false things are said: no certificate about them is accepted."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from recheck.handmade import Json, Term, add, mul, power, q, s
from recheck.trajectories_proposed import ends, flow, proposed, reaches, stays
from scipy.integrate import solve_ivp

from derivations.audit.probe.numbers import value
from derivations.recheck import Rejected, check

NAMES = ("x", "y", "z")
UNTIL, LENGTH = Fraction(3, 2), Fraction(1, 16)
LARGEST = 8.0
CLOSE = 1e-6  # of boxes around ends: far above what an integration is off, and what a tube of these steps is wide


def drawn(rng: random.Random, depth: int = 2) -> Term:
    """A random rate that has values everywhere."""
    if depth == 0:
        return rng.choice([s(name) for name in NAMES] + [q(Fraction(rng.randint(-4, 4), 3)), s("t")])
    inner = [drawn(rng, depth - 1) for _ in range(3)]
    kind = rng.randrange(8)
    if kind < 2:
        return add(*inner)
    if kind == 2:
        return mul(q("1/3"), inner[0], inner[1])
    if kind == 3:
        return mul(inner[0], power(add(q(2), power(inner[1], 2)), rng.choice((-1, "-1/2", "1/2"))))
    bounded = ["sin", inner[0]]
    return [["sin", inner[0]], ["erf", inner[0]], ["asin", mul(q("1/2"), bounded)], ["exp", bounded]][kind - 4]


def mild(rng: random.Random) -> tuple[dict[str, Term], dict[str, Fraction], Any, Any]:
    """A random flow with a start from which a run stays bounded: its rates as terms and as numbers, and the run."""
    while True:
        states = {name: add(drawn(rng), mul(q("-1/2"), s(name))) for name in NAMES}
        start = {name: Fraction(rng.randint(-9, 9), 8) for name in NAMES}

        def rate(t: float, at: Any, states: dict[str, Term] = states) -> Any:
            if max(map(abs, at)) > LARGEST:
                raise OverflowError
            here = {"t": t, **dict(zip(NAMES, map(float, at), strict=True))}
            return np.array([value(states[name], here, fast=True) for name in NAMES])

        begin = [float(start[name]) for name in NAMES]
        try:
            run = solve_ivp(rate, (0, float(UNTIL)), begin, rtol=1e-12, atol=1e-12, method="DOP853", dense_output=True)
        except OverflowError:
            continue
        if run.success:
            return states, start, rate, run


@pytest.mark.parametrize("seed", range(60))
def test_what_is_true_is_taken_and_what_is_false_is_not(seed: int) -> None:
    """Every false variant is false by much more than the numbers are off; of the true ones most are taken."""
    rng = random.Random(seed)
    states, start, rate, run = mild(rng)
    steps = proposed(rate, [(start[name], start[name]) for name in NAMES], UNTIL, LENGTH)
    name = rng.choice(NAMES)
    end = float(run.y[NAMES.index(name), -1])
    course = run.sol(np.linspace(0, float(UNTIL), 400))[NAMES.index(name)]
    taken = [accepts(states, start, steps, each) for each in _true(name, end, course)]
    assert taken.count(True) >= 2
    assert not any(accepts(states, start, steps, each) for each in _false(name, end, course))


def accepts(states: dict[str, Term], start: dict[str, Fraction], steps: Any, said: Json) -> bool:
    both = [said, ends(UNTIL, x=(-(10**6), 10**6))]  # so that all steps are needed
    try:
        check(flow(states, start, both, steps, order=12))
    except Rejected:
        return False
    return True


def _true(name: str, end: float, course: Any) -> list[Json]:
    lowest, highest = float(min(course)), float(max(course))
    return [
        ends(UNTIL, **{name: (Fraction(end - CLOSE), Fraction(end + CLOSE))}),
        stays(0, UNTIL, ">", s(name), q(Fraction(lowest - 0.01))),
        stays(0, UNTIL, ">", q(Fraction(highest + 0.01)), s(name)),
    ]


def _false(name: str, end: float, course: Any) -> list[Json]:
    """Ends beside the box, bounds that are crossed, events that never happen or happen at another time."""
    lowest, highest = float(min(course)), float(max(course))
    said = [
        ends(UNTIL, **{name: (Fraction(end + CLOSE), Fraction(end + 1))}),
        ends(UNTIL, **{name: (Fraction(end - 1), Fraction(end - CLOSE))}),
        stays(0, UNTIL, ">", s(name), q(Fraction(lowest + CLOSE))),
        stays(0, UNTIL, ">=", q(Fraction(highest - CLOSE)), s(name)),
        reaches(0, UNTIL, s(name), q(Fraction(highest + CLOSE))),
        reaches("1/8", "3/4", s(name), q(Fraction(lowest - CLOSE))),
    ]
    middle = float(course[0] + course[-1]) / 2
    crossing = next(k for k, at in enumerate(course) if (at - middle) * (course[0] - middle) <= 0)
    time = Fraction(crossing, 399) * UNTIL
    off = Fraction(1, 100)
    if time > 2 * off:
        said.append(reaches(0, time - off, s(name), q(Fraction(middle))))
    if time + 2 * off < UNTIL:
        said.append(reaches(time + off, UNTIL, s(name), q(Fraction(middle))))
    return said
