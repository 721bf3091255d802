"""Time stands in conclusions as `t`, from 0 on: no constant has its name, and no hypothesis leaves out its start."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.words import Letter, identity, number, zero
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.theorems import theorems

t, s, x, y = sp.symbols("t s x y", real=True)
cos, sin = sp.cos(6 * t), sp.sin(6 * t)
TURNING = {  # its eigenvalues are -1 and -10 at all times, and solutions grow
    x: (-1 - 9 * cos**2 + 12 * sin * cos) * x + (12 * cos**2 + 9 * sin * cos) * y,
    y: (9 * sin * cos - 12 * sin**2) * x - (1 + 9 * sin**2 + 12 * sin * cos) * y,
}
p = sp.Symbol("p", positive=True)
AT_ZERO = {x: 0, y: 0}
n, W = Letter("n_t", 1, 1), Letter("W", "n", "n")
constant, W0 = Letter("t", 1, 1, positive=True), Letter("W0", "n", "n")
MOVING = {"motion": {W: -1 * constant * W}, "begin": {W: W0}}
R, scaled = Letter("R", "n", "n"), Letter("K", "n", "n", equals=(1 - constant) * W)
scaled_inverse = Letter("K_inv", "n", "n", inverse_of=scaled)
NAMED_T: dict[str, tuple[str, dict[str, Any]]] = {
    "stability in the plane": ("linear stability in the plane", {"flow": TURNING, "point": AT_ZERO}),
    "stability on a line": ("linear stability on a line", {"flow": {x: -x / (1 + t**2)}, "point": {x: 0}}),
    "instability": ("instability by the trace", {"flow": {x: x / (1 + t**2), y: 0 * y}, "point": AT_ZERO}),
    "a conserved quantity": (
        "conserved quantity",
        {
            "flow": {x: -sin, y: cos}, "start": {x: p, y: p}, "quantity": x * cos + y * sin, "left": x * cos + y * sin,
            "right": p * cos + p * sin,
        },
    ),
    "instability by an eigenvector": (
        "linear instability",
        {"flow": {x: x / (1 + t**2)}, "point": {x: 0}, "vector": {x: 1}, "growth": 1 / (1 + t**2), "side": "left"},
    ),
    "solution": (
        "solution of a matrix flow",
        {
            "values": {R: constant * W}, "rates": {R: zero("n", "n")}, "starts": {R: constant * W0}, "through": {},
            "drift": {}, "motion": {W: zero("n", "n")}, "begin": {W: W0},
        },
    ),
    "determinant": (
        "determinant of a flow",
        {
            "matrix": (1 - constant) * W, "rate": zero("n", "n"), "inverse": scaled_inverse, "relative": number(0),
            "motion": {W: zero("n", "n")},
        },
    ),
    "zero": (
        "zero stays zero",
        {
            "values": {R: constant * W}, "rates": {R: constant * R}, "motion": {W: constant * W},
            "begin": {W: zero("n", "n")},
        },
    ),
    "distance": (
        "distance from zero",
        {
            "matrix": W, "first": -1 * constant * identity("n"), "second": zero("n", "n"), "rest": zero("n", "n"),
            "left_bound": -1 * constant, "left_squares": [zero("n", "n")], "right_bound": number(0),
            "right_squares": [zero("n", "n")], "size": number(0), "size_squares": [number(0)], **MOVING,
        },
    ),
}  # fmt: skip
JUMPS = 1 / (sp.S.Half - s)  # falls from infinity to minus infinity, at a time that a hypothesis leaves out
LATE: dict[str, tuple[str, dict[str, Any], list[Any]]] = {
    "a bound": (
        "bound from a differential inequality",
        {"state": y, "rate": 0 * y, "start": 2, "bound": JUMPS, "time": s},
        [s >= 1],
    ),
    "a hole": (
        "bound from a differential inequality",
        {"state": y, "rate": 0 * y, "start": 2, "bound": JUMPS, "time": s},
        [sp.Ne(s, sp.S.Half)],
    ),
    "a comparison": (
        "comparison along a flow",
        {
            "flow": {x: sp.S.Zero}, "start": {x: 2}, "time": s, "lower": x, "upper": JUMPS, "state": y, "rate": 0 * y,
            "order": ">=",
        },
        [s >= 1],
    ),
    "a set": (
        "set that a flow does not leave",
        {"flow": {x: sp.S.One}, "start": {x: 0}, "time": s, "barriers": [x - 1]},
        [s >= 2, x < sp.S.Half],
    ),
}  # fmt: skip


def by_the_checker(name: str, given: dict[str, Any], assuming: list[Any]) -> None:
    setting = setting_of(name, theorems()[name], given, assuming, hypotheses)
    slots = normal(json.loads(json.dumps(slots_of(theorems()[name], given, setting, from_sympy))))
    needs_and_conclusion(name, slots)


@pytest.mark.parametrize("case", NAMED_T)
def test_no_constant_has_the_name_of_the_time(case: str) -> None:
    name, slots = NAMED_T[case]
    assert "no place for t " in refusal(lambda: judged(prove.by(name, **slots)), SlotError)
    with pytest.raises(Rejected, match="no place for t "):
        by_the_checker(name, slots, [])


@pytest.mark.parametrize("case", LATE)
def test_a_hypothesis_on_the_time_says_when_it_ends(case: str) -> None:
    name, slots, assuming = LATE[case]
    assert "the time" in refusal(lambda: judged(prove.by(name, assuming=assuming, **slots)), SlotError)
    with pytest.raises(Rejected, match="the time"):
        by_the_checker(name, slots, assuming)


def test_until_a_time_a_bound_may_grow_beyond_all_others() -> None:
    slots = {"state": y, "rate": y**2, "start": 1, "bound": 1 / (1 - s), "time": s}
    assert judged(prove.by("bound from a differential inequality", assuming=[s < 1], **slots)) == "proved"
