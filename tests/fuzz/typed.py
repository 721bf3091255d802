"""Typed statements whose parts have no value: such a part, made to look like the number one, inside of all that binds,
inverts and chooses, at every door.

Where the number x is negative nothing has a value, so that no verdict is right; where it is large, each statement is
true.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import sympy as sp

from derivations import prove
from derivations.prove import Certificate
from derivations.text.as_typed import made
from derivations.text.plain import meant

Ask = Callable[[], Certificate]
PARTS = ["log({x})", "sqrt({x})", "{x}^(1/4)", "log({x}^3)", "1/sqrt({x})", "acosh({x})", "log({x})*sqrt({x})"]
ONES = ["1 + {h} - {h}", "1 + 0*{h}", "{h}/({h})", "({h})^0", "2^(0*{h})", "2^({h} - {h})", "3^({h}*0)", "exp(0*{h})",
        "abs(1 + {h} - {h})", "cos({h} - {h})", "max(0*{h}, 1)", "min(1, 2 + 0*{h})"]  # fmt: skip
AROUND = ["{f}", "sqrt({f})^2", "1/(1/({f}))", "exp(log({f}))", "({f})^3", "2^({f} - 1)", "max({f}, {f})",
          "at({f}, s, 3)", "at(({f})^s, s, 2)", "d(s*({f}), s)", "5/4*({f}) - 1/4", "({f})^({f})",
          "tan(atan({f}))"]  # fmt: skip
IN_PIECES = ["where({f} < {f}, 2, 1)", "where(0*({f}) < 1, 1, 1)", "where({f} < 2, 1, 1)", "where({f} < 2, 1, 3)",
             "sign({f})", "sign(1 + 0*({f}))", "sign(abs({f}))", "where({x} > -9, {f}, {f})",
             "where({x} > -9, 1, 1)*({f})", "where({x} > -9, 1, 2)^({f})", "where({x} > -9, 0, 1) + ({f})",
             "where(where({f} < 2, 1, 1) < 2, 1, 1)"]  # fmt: skip
INTEGRALS = ["int({f}, s, 0, 1)", "int(1, s, 0, {f})", "sqrt(int({f}, s, 0, 1))^2", "int(({f})*s, s, 0, 1)*2",
             "1/int({f}, s, 0, 1)", "exp(log(int({f}, s, 0, 1)))", "int({f}, s, 0, 1)^0", "d(int({f}, s, 0, r), r)",
             "int(where({f} < 2, 1, 1), s, 0, 1)", "int(exp(-s)*({f}), s, 0, oo)"]  # fmt: skip
x, y, y0 = sp.symbols("x y y0", real=True)
e, t = sp.Symbol("e", positive=True), sp.Symbol("t", nonnegative=True)


def formula(rng: random.Random, *last: list[str], letter: str = "x") -> str:
    """A formula that is one wherever it has a value, inside of one of each of the last lists as often as not."""
    found = rng.choice(ONES).replace("{h}", rng.choice(PARTS))
    for around in [AROUND] * rng.randint(0, 2) + [lines for lines in last if rng.random() < 0.7]:
        found = rng.choice(around).replace("{f}", found)
    return found.replace("{x}", letter)


def asked(rng: random.Random, nowhere: bool) -> tuple[str, str, Ask]:
    """A door, what is typed, and the question: about a negative x, or about one from two to three."""
    number, given = ("-2", "x < 0") if nowhere else ("2", "x > 2")
    low, high = ("-3", "-2") if nowhere else ("2", "3")
    far, side, put_in = "-oo" if nowhere else "oo", rng.choice("+-"), {x: sp.Integer(number)}
    any_, pieces, plain = formula(rng, IN_PIECES, INTEGRALS), formula(rng, IN_PIECES), formula(rng)
    inside = formula(rng, IN_PIECES, letter="z")
    typed, supposed, rate, event = (meant(text)[0] for text in (plain, given, f"-({plain})*y", f"{plain} > 0"))
    stays = prove.stays(event, (0, 1))
    doors: dict[str, tuple[str, Ask]] = {
        "identity": (any_, lambda: prove.identity(f"{any_} = 1", assuming=[given])),
        "order": (any_, lambda: prove.inequality(f"{any_} > 1/2", [given])),
        "hypothesis": (pieces, lambda: prove.inequality("y^2 >= 0", [f"{pieces} > 0", given])),
        "equation as a hypothesis": (pieces, lambda: prove.implies([f"{pieces} = 1", given], "y^2 + 1 > 0")),
        "integral": (inside, lambda: prove.identity(f"int({inside}, z, {low}, {high}) = 1")),
        "integrals": (inside, lambda: prove.identity(f"sqrt(int({inside}, z, {low}, {high}))^2 + x = 1 + x")),
        "limit": (pieces, lambda: prove.limit(pieces, {"x": (number, side)}, 1)),
        "far": (pieces, lambda: prove.limit(pieces, {"x": far}, 1)),
        "value": (plain, lambda: prove.identity(f"at({plain}, x, {number}) = 1")),
        "box": (plain, lambda: prove.enclosed(plain, {"x": (low, high)}, "1/2", "3/2")),
        "order at zero": (plain, lambda: prove.leading_order(made(sp.Mul, typed, e), e, {e: 1}, assuming=[supposed])),
        "flow": (plain, lambda: prove.trajectory({y: rate}, {y: 1}, 1, digits=6, parameters=put_in)),
        "map": (plain, lambda: prove.iteration({y: rate}, {y: 1}, 2, digits=6, parameters=put_in)),
        "event": (plain, lambda: prove.trajectory({y: -y}, {y: 1}, says=stays, parameters=put_in)),
        "solution": (plain, lambda: prove.solves({y: typed}, {y: y0 + t}, {y: y0}, t, [supposed])),
    }  # fmt: skip
    door = rng.choice(sorted(doors))
    return door, *doors[door]
