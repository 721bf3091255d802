"""Random uses of theorems about integrals and sums of exponentials, judged by numerical integration and exact roots."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import fmpq
from laws.theorems_drawn import Json, Term, X, at, minus, number, over, q, root, square, truth
from scipy.integrate import quad

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.terms import carried_out, difference

ENDS: tuple[Any, ...] = (("oo",), ("-oo",))
GRID = 17
FAR = 12
LOOSE = 1e-6
A: Term = ("s", "a")


def use(name: str, letters: Json, symbols: Json) -> tuple[dict[str, Json], Json] | None:
    try:
        with budget():
            return needs_and_conclusion(name, {"symbols": symbols, "assuming": ()} | letters)
    except Rejected:
        return None


def end(value: Any) -> float:
    found = {"oo": float("inf"), "-oo": float("-inf")}.get(value[0])
    return found if found is not None else float(at(value, {}) or 0.0)


def exactly(rng: random.Random) -> Term:
    """A place for a pole or a kink, which stands on the grid."""
    return q(Fraction(rng.choice((0, 1, -1, 2, -2, 3, 5, -7)), rng.choice((1, 1, 2, 3, 4))))


def range_of(low: Any, high: Any) -> list[Any]:
    """Exact points of an interval: a grid, its finite ends, and all places of `exactly`."""
    a, b = (max(-FAR, min(FAR, end(e))) for e in (low, high))
    first, last = fmpq(round(a * 840), 840), fmpq(round(b * 840), 840)
    marked = [fmpq(n, d) for n in (0, 1, -1, 2, -2, 3, 5, -7) for d in (1, 2, 3, 4)]
    inside = [place for place in marked if min(first, last) <= place <= max(first, last)]
    return inside + [first + (last - first) * fmpq(k, GRID - 1) for k in range(GRID)]


def holds(need: Json, places: list[Any], fixed: Json) -> bool:
    """Check whether a need is true as far as a grid shows: equations where both sides have values, conditions
    everywhere.
    """
    if need["kind"] == "limit":
        return tends(need)
    for x in places if "x" in need["symbols"] else [fmpq(0)]:
        said = truth(need, {**fixed, "x": x})
        if said is False or (said is None and need["kind"] == "sign" and not outside(need, {**fixed, "x": x})):
            return False
    return True


def outside(need: Json, point: Json) -> bool:
    """Check whether a hypothesis of a need is false at a point."""
    return any(
        truth({"relation": order, "left": a, "right": b, "assuming": ()}, point) is not True
        for order, a, b in need["assuming"]
    )


def tends(need: Json) -> bool:
    towards = need["towards"]
    if len(towards) == 1:
        near = [fmpq(s * 10**k) for s in ((1,) if towards[0] == "oo" else (-1,)) for k in (4, 6)]
    else:
        start = fmpq(round(end(towards[1]) * 840), 840)
        near = [start + (1 if towards[0] == "above" else -1) * fmpq(1, 10**k) for k in (6, 9)]
    wanted = at(need["value"], {})
    values = [at(need["expression"], {"x": place}) for place in near]
    return wanted is not None and all(v is not None and abs(v - wanted) < 1e-2 for v in values)


def integral(f: Term, low: Any, high: Any, fixed: Json) -> float | None:
    """The integral by adaptive quadrature, None where it does not settle."""

    def at_x(x: float) -> float:
        found = at(f, {**fixed, "x": fmpq(*Fraction(x).limit_denominator(10**12).as_integer_ratio())})
        return float("nan") if found is None else found

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found, error = quad(at_x, end(low), end(high), limit=60)
        except Exception:
            return None
    return found if error < LOOSE * (1 + abs(found)) else None


def primitive(rng: random.Random) -> Term:
    moved = difference(X, exactly(rng))
    return rng.choice(
        (
            square(X), ("sin", X), ("exp", minus(X)), ("log", moved), ("^", moved, q(-1)), root(moved),
            ("atan", ("^", moved, q(-1))), over(root(square(moved)), moved), ("tanh", X), ("*", X, ("exp", minus(X))),
            ("asin", over(X, q(4))), ("erf", X), ("^", X, q("3/2")), ("^", moved, q(0)),
        )
    )  # fmt: skip


def an_antiderivative(name: str) -> Callable[[random.Random], bool | None]:
    def of(rng: random.Random) -> bool | None:
        F = primitive(rng)
        f = carried_out(("D", F, "x"))
        f = f if rng.random() < 0.85 else ("+", f, rng.choice((q(1), X)))
        low, high = number(rng), number(rng)
        value = difference(("at", F, (("x", high),)), ("at", F, (("x", low),)))
        value = carried_out(value) if rng.random() < 0.85 else number(rng)
        letters = {"integrand": f, "antiderivative": F, "variable": "x", "low": low, "high": high, "value": value}
        return judged(name, letters)

    return of


def judged(name: str, letters: Json) -> bool | None:
    """None where a hypothesis fails or nothing settles, else whether the integral has the value."""
    f, low, high, value = (letters[key] for key in ("integrand", "low", "high", "value"))
    made = use(name, letters, {"x": ()})
    if made is None:
        return None
    places = range_of(low, high) if name != "integral by an antiderivative on the line" else range_of(*ENDS[::-1])
    if not all(holds(need, places, {}) for need in made[0].values() if need["kind"] != "concluded"):
        return None
    wanted, found = at(value, {}), integral(f, low, high, {})
    if wanted is None:
        return False
    return None if found is None else abs(found - wanted) < 1e-4 * (1 + abs(wanted))


def improper(rng: random.Random) -> bool | None:
    F, low, high, bottom, top = rng.choice(
        (
            (minus(("exp", minus(X))), q(0), ("oo",), q(-1), q(0)),
            (("atan", X), ("-oo",), ("oo",), ("*", q("-1/2"), ("pi",)), ("*", q("1/2"), ("pi",))),
            (("*", q(2), root(X)), q(0), q(1), q(0), q(2)),
            (minus(("^", X, q(-1))), q(1), ("oo",), q(-1), q(0)),
            (minus(("^", X, q(-1))), q(-1), ("oo",), q(1), q(0)),
            (("tanh", X), ("-oo",), q(0), q(-1), q(0)),
            (("erf", X), ("-oo",), ("oo",), q(-1), q(1)),
            (("log", X), q(0), q(1), q(0), q(0)),
        )
    )
    f = carried_out(("D", F, "x"))
    value = rng.choice((difference(top, bottom), difference(top, bottom), number(rng)))
    if rng.random() < 0.2:
        top = number(rng)
    letters = {"integrand": f, "antiderivative": F, "variable": "x", "low": low, "high": high, "value": value}
    letters |= {"low_limit": bottom, "high_limit": top}
    return judged("improper integral by an antiderivative", letters)


def pieces(rng: random.Random) -> bool | None:
    c = q(rng.choice((0, 1, "1/2", -1)))
    low, high = q(rng.choice((-2, -1))), q(rng.choice((1, 2)))
    moved = difference(X, c)
    f = rng.choice((("abs", moved), root(square(moved)), over(("abs", moved), moved)))
    parts = [minus(moved), moved] if f[0] != "*" else [q(-1), q(1)]
    if rng.random() < 0.2:
        parts.reverse()
    ends = [low, c, high]
    exact = [integral(part, a, b, {}) for part, a, b in zip(parts, ends, ends[1:], strict=False)]
    values = tuple(q(Fraction(v or 0).limit_denominator(1000)) for v in exact)
    value = ("+", *values) if rng.random() < 0.8 else number(rng)
    letters = {"integrand": f, "variable": "x", "low": low, "high": high, "cuts": (c,), "pieces": tuple(parts)}
    return judged("integral in pieces", letters | {"values": values, "value": value})


def related(statement: Json, fixed: Json) -> bool | None:
    """Check whether a relation with letters for integrals and for their rates holds at a point."""
    known = dict(fixed)
    for letter, entry in statement["integrals"].items():
        found = valued(entry, fixed)
        if found is None:
            return None
        known[letter] = found
    for rate, (letter, by) in statement.get("rates", {}).items():
        step = fmpq(1, 1000)
        above, below = (valued(statement["integrals"][letter], fixed | {by: fixed[by] + s * step}) for s in (1, -1))
        if above is None or below is None:
            return None
        known[rate] = (above - below) / (2 * step)
    gap = at(difference(statement["left"], statement["right"]), known)
    if gap is None:
        return None
    near = abs(gap) < 1e-4
    return near if statement["relation"] == "=" else (None if near else gap > 0)


def valued(entry: Any, fixed: Json) -> Any | None:
    """An integral at a point as a rational number near it."""
    f, low, high = entry
    found = integral(f, placed(low, fixed), placed(high, fixed), fixed)
    return None if found is None else fmpq(round(found * 10**9), 10**9)


def placed(e: Any, point: Json) -> Any:
    return e if e in ENDS else carried_out(("at", e, tuple((s, q(str(v))) for s, v in point.items())))


def compared(name: str, letters: Json, extra: tuple[str, ...] = ()) -> bool | None:
    symbols: Json = dict.fromkeys(("x", *letters["integrals"], *extra), ())
    made = use(name, letters, symbols)
    if made is None:
        return None
    low, high = next(iter(letters["integrals"].values()))[1:]
    fixed = {"a": fmpq(3, 2)} if "a" in extra else {}
    if any(abs(end(placed(e, fixed))) > FAR for e in (low, high) if e not in ENDS):
        return None
    for need in made[0].values():
        if need["kind"] == "concluded" and need["form"] == "integrals":
            if related(need, fixed) is not True:
                return None
        elif need["kind"] == "concluded":
            found, wanted = integral(need["integrand"], need["low"], need["high"], fixed), at(need["value"], fixed)
            if found is None or wanted is None or abs(found - wanted) > 1e-6:
                return None
        else:
            known = {letter: valued(letters["integrals"][letter], fixed) for letter in letters_in(need, letters)}
            places = range_of(placed(low, fixed), placed(high, fixed))
            if None in known.values() or not holds(need, places, fixed | known):
                return None
    return related(made[1], fixed)


def letters_in(need: Json, letters: Json) -> list[str]:
    """The letters for integrals of which a comparison of numbers speaks."""
    return [letter for letter in letters["integrals"] if letter in need["symbols"] and "left" in need]


def integrand(rng: random.Random) -> Term:
    return rng.choice(
        (
            ("exp", minus(square(X))), ("sin", X), square(X), difference(X, q(1)), root(X),
            ("^", difference(X, exactly(rng)), q(-1)), ("abs", difference(X, number(rng))), q(1),
        )
    )  # fmt: skip


def inequality(rng: random.Random) -> bool | None:
    low, high = number(rng), number(rng)
    table = {"I_1": (integrand(rng), low, high), "I_2": (integrand(rng), low, high)}
    weights = {name: q(rng.choice((1, -1, 2, 0))) for name in table}
    letters = {"variable": "x", "integrals": table, "relation": rng.choice((">", ">=", "=")), "weights": weights}
    constant = q(rng.choice((0, 1, -1, 3)))
    return compared("integral of an inequality", letters | {"constant": constant, "low": low, "high": high})


def between(rng: random.Random) -> bool | None:
    high = rng.choice((("oo",), q(2)))
    f = over(("exp", minus(X)), ("+", q(1), rng.choice((X, square(X), q(0)))))
    known = q(1) if high[0] == "oo" else difference(q(1), ("exp", q(-2)))
    side, larger = rng.choice(("above", "above", "below")), q(rng.choice((1, 1, 2, "1/2")))
    below = q(0)
    letters = {"variable": "x", "integrals": {"I_1": (f, q(0), high)}, "relation": ">=", "side": side}
    letters |= {"below": below, "above": ("*", larger, ("exp", minus(X))), "low_integral": q(0)}
    letters |= {"high_integral": ("*", larger, known), "bound": q(rng.choice((0, 1, 2, "11/20")))}
    return compared("integral between two others", letters)


def cut_in_two(rng: random.Random) -> bool | None:
    f, (low, middle, high) = integrand(rng), (number(rng) for _ in range(3))
    table = {"I_1": (f, low, high), "I_2": (f, low, middle), "I_3": (f, middle, high)}
    facts = tuple((">=", ("s", k), q(-99)) for k in ("I_2", "I_3"))
    letters = {"variable": "x", "integrals": table, "relation": "=", "whole": "I_1", "first": "I_2", "second": "I_3"}
    return compared("integral cut in two", letters | {"values": {}, "facts": facts})


def rate(rng: random.Random) -> bool | None:
    f = rng.choice(
        (("exp", minus(("*", A, X))), ("sin", ("*", A, X)), root(("+", A, X)), root(square(difference(X, A))), A)
    )
    low, high = q(0), rng.choice((q(1), A, q(2), square(A)))
    slope = carried_out(("D", f, "a"))
    slope = slope if rng.random() < 0.85 else ("+", slope, q(1))
    ends = [("*", carried_out(("at", f, (("x", e),))), carried_out(("D", e, "a"))) for e in (high, low)]
    found = ("+", ("s", "I_2"), ends[0], minus(ends[1]))
    table = {"I_1": (f, low, high), "I_2": (slope, low, high)}
    bound = q(rng.choice((-5, -1, 0, 1, 5)))
    letters = {
        "variable": "x",
        "integrals": table,
        "relation": rng.choice((">", ">=")),
        "rate": "R_1",
        "of": "I_1",
        "parameter": "a",
        "slope": "I_2",
    }
    letters |= {"stated_left": ("s", "R_1"), "stated_right": bound, "left": found, "right": bound}
    return compared("differentiation under the integral", letters, ("a", "R_1"))


def zeros(rng: random.Random) -> bool | None:
    """With whole exponents the sum is a polynomial in exp(t), whose roots above 1 are counted exactly."""
    count = rng.randint(1, 4)
    exponents = sorted(rng.sample(range(-3, 6), count), reverse=rng.random() < 0.9)
    coefficients = [rng.choice((-3, -2, -1, 0, 1, 1, 2, 5)) for _ in exponents]
    signs = [rng.choice(("?", "+" if c > 0 else "-", "+-"[rng.random() < 0.1])) for c in coefficients]
    letters = {
        "coefficients": tuple(map(q, coefficients)),
        "exponents": tuple(map(q, exponents)),
        "signs": tuple(signs),
    }
    letters |= {"begins": "+" if sum(coefficients) > 0 else "-", "variable": "t"}
    made = use("zeros of a sum of exponentials", letters, {})
    if made is None or not all(truth(need, {}) for need in made[0].values()):
        return None
    y = sp.Symbol("y")
    shifted = sum(c * y ** (e - min(exponents)) for c, e in zip(coefficients, exponents, strict=True))
    roots = sp.Poly(shifted, y).real_roots() if sp.Poly(shifted, y).degree() > 0 else []
    return str(sum(bool(r > 1) for r in roots)) in made[1]["counts"]


MAKERS: dict[str, Callable[[random.Random], bool | None]] = {
    "integral by an antiderivative": an_antiderivative("integral by an antiderivative"),
    "integral by an antiderivative on the line": an_antiderivative("integral by an antiderivative on the line"),
    "improper integral by an antiderivative": improper,
    "integral in pieces": pieces,
    "integral of an inequality": inequality,
    "integral between two others": between,
    "integral cut in two": cut_in_two,
    "differentiation under the integral": rate,
    "zeros of a sum of exponentials": zeros,
}
"""Each draws letters: True where the hypotheses hold and the conclusion does, False where it does not, else None."""
