"""Steps of tubes: solutions that are known never leave them, and they are long where the flow is slow."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import arb

from derivations.language.evaluate import precision
from derivations.prove.flows.tubes.flow import Care, Tube
from derivations.prove.flows.tubes.sets import exact
from derivations.prove.stating import term_of

x, y, t = sp.symbols("x y t", real=True)
CARE = Care(12)
Flow = dict[Any, Any]

KNOWN: list[tuple[Flow, tuple[int, ...], Callable[[Any], Any]]] = [  # a flow, a start, and x at a time
    ({x: -x}, (1,), lambda s: (-s).exp()),
    ({x: y, y: -x}, (1, 0), lambda s: s.cos()),
    ({x: x * (1 - x)}, (2,), lambda s: 2 / (2 - (-s).exp())),
    ({x: -x * t}, (1,), lambda s: (-s * s / 2).exp()),
    ({x: sp.sqrt(x)}, (1,), lambda s: (1 + s / 2) ** 2),
    ({x: sp.exp(-x)}, (0,), lambda s: (1 + s).log()),
    ({x: 1 / (2 * x)}, (1,), lambda s: (1 + s).sqrt()),
    ({x: sp.tanh(x)}, (1,), lambda s: (s.exp() * arb(1).sinh()).asinh()),
]


def _tube(flow: Flow, start: tuple[int, ...]) -> Tube:
    states = {s.name: term_of(rate) for s, rate in flow.items()}
    return Tube(states, "t", [(Fraction(v), Fraction(v)) for v in start], CARE)


@pytest.mark.parametrize(("flow", "start", "solution"), KNOWN)
def test_solutions_that_are_known_lie_in_every_step(flow: Flow, start: tuple[int, ...], solution: Any) -> None:
    for step in _tube(flow, start).until(Fraction(4)):
        with precision(200):
            for k in range(9):
                since = step.length * k / 8
                value = solution(exact(step.time + since))
                assert step.at(exact(since))[0].overlaps(value)
                assert step.inside[0].overlaps(value)
                assert (step.at(exact(since))[0] - value).abs_upper() < 1e-9


def test_steps_are_long_where_the_flow_is_slow() -> None:
    overlap = {x: sp.asin(y / 2) - x, y: x / sp.sqrt(2 + y**2) - y / 2}
    steps = list(_tube(overlap, (1, 1)).until(Fraction(20)))
    assert max(step.length for step in steps) > 1


@pytest.mark.parametrize("rate", [("abs", ("+", ("s", "x"), ("q", "-3"))), ("lambertw", ("s", "x"))])
def test_sizes_and_lambertw_are_followed_to_complex_numbers(rate: Any) -> None:
    tube = Tube({"x": rate}, "t", [(Fraction(1), Fraction(1))], CARE)
    assert len(list(tube.until(Fraction(1, 4)))) < 20


def test_a_cut_of_a_root_is_not_crossed() -> None:
    """The disk of a step that comes near the end of the domain of a root would meet the cut, so steps grow short."""
    steps = list(_tube({x: -sp.sqrt(x)}, (1,)).until(Fraction(19, 10)))
    assert all(step.inside[0] > 0 for step in steps)
    assert steps[-2].length < max(step.length for step in steps) / 2
