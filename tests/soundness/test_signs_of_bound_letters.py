"""SymPy simplifies with declared signs: a letter that is bound or moves must have them wherever it goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.averages import field, mean
from derivations.prove import NotExact

x, y, u = sp.symbols("x y u", real=True)
xp, yp, q, k = sp.symbols("xp yp q k", positive=True)
xn, tn = sp.symbols("xn tn", negative=True)
x0 = sp.Symbol("x0", nonnegative=True)
xz = sp.Symbol("xz", real=True, nonzero=True)
t = sp.Symbol("t", nonnegative=True)
tp = sp.Symbol("t", positive=True)


def size(letter: sp.Symbol, value: Any) -> Any:
    """|value|, of which SymPy makes what it is where the letter has its sign."""
    return sp.Subs(sp.sqrt(letter**2), letter, value)


REFUSED: dict[str, Callable[[], Any]] = {
    "put in": lambda: prove.identity(size(xp, -1), -1),
    "put in for a negative": lambda: prove.identity(size(xn, 1), -1),
    "put in for one that is not zero": lambda: prove.identity(sp.Subs(xz / xz, xz, 0), 1),
    "a letter is put in": lambda: prove.identity(size(xp, y), y),
    "zero is put in": lambda: prove.identity(sp.Subs(sp.sign(xp), xp, 0), 1),
    "put in a slope": lambda: prove.identity(sp.Subs(sp.Derivative(sp.Abs(xp), xp), xp, -1), 1),
    "put in twice": lambda: prove.identity(sp.Subs(sp.Derivative(size(xp, yp), yp), yp, -1), 1),
    "put in a hypothesis": lambda: prove.identity(x, -1, [sp.Eq(x, size(xp, -1))]),
    "put in a hint": lambda: prove.positive(x**2 + 1, squares=[size(xp, -1)]),
    "in an inequality": lambda: prove.inequality(sp.Gt(0, size(xp, -1), evaluate=False)),
    "in an entry": lambda: prove.identity(sp.Matrix([[size(xp, -1)]]), sp.Matrix([[-1]])),
    "in a limit": lambda: prove.limit(size(xp, -q), [q], 0),
    "in a limit at infinity": lambda: prove.limit(size(xp, y) / y, {y: -sp.oo}, 1),
    "in a leading order": lambda: prove.leading_order(size(xp, -q), -q, {q: 1}),
    "in an enclosure": lambda: prove.enclosed(size(xp, -x), {x: (1, 2)}, -3, 0),
    "integrated over": lambda: prove.identity(sp.Integral(sp.Abs(xp), (xp, -1, 1)), 0),
    "integrated over, with a letter as an end": lambda: prove.identity(sp.Integral(sp.Abs(xp), (xp, y, 1)), 1 - y),
    "integrated over without zero": lambda: prove.identity(sp.Integral(xz / xz, (xz, 0, 1)), 2),
    "integrated over, with a step": lambda: prove.integral(sp.Integral(sp.sign(xp), (xp, -1, 1)), 2),
    "compared integrals": lambda: prove.inequality(
        sp.Gt(0, sp.Integral(sp.sqrt(xn**2) * sp.exp(-(xn**4)), (xn, 0, 1)), evaluate=False)
    ),
    "a variable of a flow": lambda: prove.solves({xp: sp.Abs(xp)}, {xp: -sp.exp(t)}, {xp: -1}, t),
    "a variable that may get zero": lambda: prove.solves({xp: -xp}, {xp: k - t}, {xp: k}, t),
    "a time": lambda: prove.solves({u: sp.Integer(-1)}, {u: sp.sqrt(tn**2)}, {u: 0}, tn),
    "a time that begins at zero": lambda: prove.solves({u: sp.Integer(0)}, {u: sp.sign(tp)}, {u: 1}, tp),
    "in a flow": lambda: prove.solves({u: size(xp, u)}, {u: -sp.exp(t)}, {u: -1}, t),
    "in a solution": lambda: prove.solves({u: sp.Integer(-1)}, {u: size(xp, -t)}, {u: 0}, t),
    "a state of a trajectory": lambda: prove.trajectory({xp: sp.Abs(xp)}, {xp: -1}, 1),
    "a state of an iteration": lambda: prove.iteration({xp: sp.Abs(xp) / 2}, {xp: -1}, 1),
    "a time of a trajectory": lambda: prove.trajectory(
        {u: sp.sqrt(tn**2)}, {u: 0}, until=1, says=prove.ends(1, {u: (-1, 0)}), time=tn
    ),
    "a parameter of a trajectory": lambda: prove.trajectory({u: sp.Abs(k)}, {u: 0}, 1, parameters={k: -1}),
    "an interval for a parameter": lambda: prove.trajectory({u: xz / xz}, {u: 0}, 1, parameters={xz: (-1, 1)}),
    "in a trajectory": lambda: prove.trajectory({u: size(xp, -1)}, {u: 0}, 1),
    "in what is said of one": lambda: prove.trajectory(
        {u: -u}, {u: 1}, says=prove.stays(sp.Gt(0, size(xp, u), evaluate=False), between=(0, 1))
    ),
    "a namesake in what is said": lambda: prove.trajectory(
        {u: -u}, {u: -1}, says=prove.stays(sp.Abs(sp.Symbol("u", positive=True)) > 2 * u, between=(0, 1))
    ),
    "a point of rest": lambda: prove.unstable_direction({xp: sp.Abs(xp) - 1}, near={xp: -1}),
    "in a theorem": lambda: prove.by("linear stability on a line", flow={x: -size(xp, x)}, point={x: 1}),
    "in a theorem on a flow": lambda: prove.by(
        "motion towards a rest point", flow={x: -size(xp, x)}, start={x: -1}, point={x: 0}, side="below", time=t
    ),
    "in an average": lambda: prove.average(mean(field(0) * field(1), sp.Matrix([[1, y], [y, 1]])), size(xp, y)),
}


@pytest.mark.parametrize("state", REFUSED.values(), ids=REFUSED)
def test_a_sign_that_need_not_hold_is_refused(state: Callable[[], Any]) -> None:
    sentence = refusal(state, NotExact, prove.Unsatisfiable)
    assert "real=True alone" in sentence or "declare it real" in sentence or "both called u" in sentence


KEPT: dict[str, Callable[[], prove.Certificate]] = {
    "a letter with that sign": lambda: prove.identity(size(xp, yp * q), q * yp),
    "a number": lambda: prove.identity(size(xn, -2), 2),
    "an exponential": lambda: prove.identity(size(xp, sp.exp(y)), sp.exp(y)),
    "a weaker sign": lambda: prove.identity(size(x0, yp), yp),
    "an interval on one side": lambda: prove.identity(sp.Integral(sp.sqrt(xp**2), (xp, 0, 2)), 2),
    "an endless interval": lambda: prove.identity(sp.Integral(sp.Abs(xn) * sp.exp(xn), (xn, -sp.oo, 0)), 1),
    "no sign": lambda: prove.identity(size(x, -1), 1),
    "a solution that keeps it": lambda: prove.solves({xp: -k * xp}, {xp: q * sp.exp(-k * t)}, {xp: q}, t),
    "a real variable": lambda: prove.solves({x: x**2}, {x: q / (1 - q * t)}, {x: q}, t, until=1 / q),
    "a parameter": lambda: prove.trajectory({u: -sp.Abs(k) * u}, {u: 1}, 1, parameters={k: (1, 2)}),
}


@pytest.mark.parametrize("state", KEPT.values(), ids=KEPT)
def test_a_sign_that_holds_is_no_obstacle(state: Callable[[], prove.Certificate]) -> None:
    assert judged(state()) in ("proved", "certified")
