"""Random instances of lines of the table of theorems, and what numbers say of their hypotheses and conclusions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term
from derivations.recheck.core.terms import carried_out, subterms

BITS = 160
SAME, APART = 1e-30, 1e-12  # what counts as equal, and as certainly different
Json = dict[str, Any]
POINTS = [fmpq(n, d) for n in range(-4, 5) for d in (1, 2, 3, 7)]
X: Term = ("s", "x")
Y: Term = ("s", "y")
PI: Term = ("pi",)


def q(value: Any) -> Term:
    return ("q", str(Fraction(value)))


def minus(term: Term) -> Term:
    return ("*", q(-1), term)


def over(a: Term, b: Term) -> Term:
    return ("*", a, ("^", b, q(-1)))


def root(a: Term) -> Term:
    return ("^", a, q("1/2"))


def square(a: Term) -> Term:
    return ("^", a, q(2))


def number(rng: random.Random) -> Term:
    """A rational number, zero and one among them, or a multiple of pi with a denominator up to 60."""
    if rng.random() < 0.2:
        return ("*", q(Fraction(rng.randint(-120, 120), rng.randint(1, 60))), PI)
    return q(Fraction(rng.choice((0, 1, -1, 1, -1, 2, -2, 3, 5, -7)), rng.choice((1, 1, 2, 3, 4))))


def formula(rng: random.Random, depth: int = 2) -> Term:
    """A formula in two symbols, with poles, branch points and ends of domains."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((X, Y, X, number(rng)))
    a = formula(rng, depth - 1)
    b = formula(rng, depth - 1)
    return rng.choice(
        (
            ("+", a, b), ("*", a, b), minus(a), square(a), ("^", a, q(-1)), over(a, b), root(square(a)), root(a),
            ("exp", a), ("log", a), ("sin", a), ("cos", a), ("atan", a), ("asin", a), ("tanh", a), ("erf", a),
            ("^", a, q(rng.choice((3, -2, "3/2", "-1/2", 0)))), ("abs", a),
        )
    )  # fmt: skip


def value(term: Term, point: Json) -> Any:
    """A ball around the value; `Undefined` where there is none."""
    with budget():
        return enclosure(term, point, BITS)


def truth(statement: Json, point: Json, *, silent: bool | None = None) -> bool | None:
    """Whether a statement holds at a point; where it says nothing it is `silent`, and None where balls cannot tell."""
    try:
        for order, left, right in statement["assuming"]:
            supposed = compared(order, left, right, point)
            if supposed is not True:
                return None if supposed is None else True  # it speaks of other points
        return compared(statement.get("relation", "="), statement["left"], statement["right"], point)
    except (Undefined, Rejected, ZeroDivisionError, ValueError):
        sides = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
        return silent if any(has_no_value(side, point) for side in sides) else None


def has_no_value(term: Term, point: Json) -> bool:
    """Whether a formula certainly has no value at a point."""
    return any(_is_forbidden(part, point) for part in subterms(carried_out(term)))


def _is_forbidden(part: Term, point: Json) -> bool:
    head = part[0]
    power = Fraction(part[2][1]) if head == "^" and part[2][0] == "q" else None
    if head not in ("log", "asin", "^") or (power is not None and power >= 0 and power.denominator == 1):
        return False
    try:
        known = exact(part[1], point)
        inside = value(part[1], point) if known is None else known
    except (Undefined, Rejected, ZeroDivisionError, ValueError):
        return False
    if head == "asin":
        return bool(abs(inside) > 1)
    if power is not None and power.denominator == 1:
        return bool(inside == 0)
    return bool(inside < 0 or (inside == 0 and (power is None or power < 0)))


def compared(order: str, left: Term, right: Term, point: Json) -> bool | None:
    gap = value(("+", left, minus(right)), point)
    if not gap.is_finite() or float(gap.rad()) > SAME:
        return None
    middle = float(gap.mid())
    if abs(middle) < SAME:
        return order in ("=", ">=") if order != ">" else None
    if abs(middle) < APART:
        return None
    return {"=": False, "!=": True, ">": middle > 0, ">=": middle > 0}[order]


def points_of(statements: list[Json], rng: random.Random, count: int) -> Iterator[Json]:
    """Points at which the symbols are as they are declared."""
    symbols: Json = {}
    for statement in statements:
        symbols |= statement.get("symbols", {})
    for _ in range(count):
        point = {name: rng.choice(POINTS) for name in symbols}
        if all(fits(told, point[name]) for name, told in symbols.items()):
            yield point


def fits(told: tuple[str, ...], v: Any) -> bool:
    signs = {"positive": v > 0, "negative": v < 0, "nonnegative": v >= 0, "nonpositive": v <= 0, "nonzero": v != 0}
    return all(signs[word] for word in told)


@dataclass
class Drawn:
    """What a line needs and concludes for random letters; `fails` finds where all is so and the conclusion is not."""

    letters: Json
    needs: list[Json]
    concludes: Json

    def fails(self, rng: random.Random, count: int = 6) -> tuple[int, Json | None]:
        """How often the hypotheses held, and a point at which they do and the conclusion does not."""
        held = 0
        for point in points_of([*self.needs, self.concludes], rng, count):
            if all(truth(need, point, silent=True) is True for need in self.needs):
                held += 1
                if truth(self.concludes, point) is False:
                    return held, point
        return held, None


SETTING: Json = {"symbols": {"x": (), "y": ()}, "assuming": ()}


def stated(rng: random.Random, left: Term, right: Term, equal: float = 0.0) -> Json:
    head = {"kind": "identity"} if rng.random() < equal else {"kind": "sign", "relation": rng.choice((">", ">="))}
    return {**head, **SETTING, "left": left, "right": right}


# --- letters ----------------------------------------------------------------------------------------------------------


def triangle(rng: random.Random) -> Json:
    leg, other = (rng.choice((formula(rng, 1), ("abs", formula(rng, 1)))) for _ in "ab")
    hypotenuse = root(("+", square(leg), square(other)))
    return {"leg": leg, "other": other, "longest": rng.choice((hypotenuse, hypotenuse, minus(hypotenuse), leg))}


def half(rng: random.Random) -> Json:
    sine = rng.choice((("sin", formula(rng, 1)), ("tanh", formula(rng, 1)), number(rng), formula(rng, 1)))
    right = root(("*", q("1/2"), ("+", q(1), minus(sine))))
    return {"half": rng.choice((right, right, minus(right), formula(rng, 1))), "sine": sine}


def factor_of(rng: random.Random) -> Term:
    return rng.choice(
        (q(1), q(2), q(-1), X, square(X), ("^", X, q(-1)), ("^", Y, q(-2)), ("*", X, Y), ("exp", Y), ("abs", X))
    )


def squares(rng: random.Random) -> tuple[Json, Json]:
    larger, smaller, scale = formula(rng), formula(rng), factor_of(rng)
    gap = over(("+", larger, minus(smaller)), scale)
    right = formula(rng, 1)
    return {"larger": larger, "smaller": smaller, "scale": scale}, stated(rng, ("+", right, gap), right)


def logarithms(rng: random.Random) -> tuple[Json, Json]:
    def positive() -> Term:
        return rng.choice(
            (("exp", formula(rng, 1)), ("*", ("exp", X), formula(rng, 1)), ("^", formula(rng, 1), Y), formula(rng, 1))
        )

    larger, smaller, factor = positive(), positive(), factor_of(rng)
    right = formula(rng, 1)
    gap = ("*", factor, ("+", larger, minus(smaller)))
    return {"factor": factor, "larger": larger, "smaller": smaller}, stated(rng, ("+", right, gap), right)


def half_turns(rng: random.Random) -> tuple[Json, Json]:
    turn, head = rng.randint(-5, 5), rng.choice(("sin", "cos"))
    near = ("*", q(turn + rng.choice((0, 1, Fraction(rng.randint(0, 60), 60), Fraction(-1, 60)))), PI)
    wave = (head, rng.choice((near, ("+", near, X), ("*", X, PI), formula(rng, 1))))
    factor = factor_of(rng)
    signed = wave if turn % 2 == 0 else minus(wave)
    return {"factor": factor, "wave": wave, "turn": q(turn)}, stated(rng, ("*", factor, signed), q(0))


def base(rng: random.Random) -> tuple[Json, Json]:
    power = ("^", formula(rng), q(rng.choice((2, 4, -2, 0, 3))))
    return {"sign": rng.choice("+-")}, {**stated(rng, power, q(0)), "relation": ">"}


def a_root(rng: random.Random) -> tuple[Json, Json]:
    witness = formula(rng)
    inside = rng.choice((square(witness), ("*", witness, witness), formula(rng, 1)))
    here = root(inside)
    statement = stated(rng, ("+", here, formula(rng, 1)), rng.choice((witness, formula(rng, 1))), 0.5)
    return {"root": here, "value": rng.choice((witness, minus(witness)))}, statement


def exponent(rng: random.Random) -> tuple[Json, Json]:
    witness = formula(rng)
    inside = rng.choice((("+", witness, q(0)), ("*", q(1), witness), over(("*", witness, X), X), formula(rng, 1)))
    here = ("exp", inside)
    statement = stated(rng, here, rng.choice((("exp", witness), formula(rng, 1))), 0.5)
    return {"exponential": here, "value": witness}, statement


def log_factors(rng: random.Random) -> tuple[Json, Json]:
    bases = tuple(formula(rng, 1) for _ in range(rng.randint(1, 3)))
    powers = tuple(q(rng.choice((1, 2, -1, -2, "1/2", "-3/2"))) for _ in bases)
    product = ("*", *(("^", b, m) for b, m in zip(bases, powers, strict=True)))
    here = ("log", rng.choice((product, product, formula(rng, 1))))
    total = ("+", *(("*", m, ("log", b)) for b, m in zip(bases, powers, strict=True)))
    statement = stated(rng, here, rng.choice((total, formula(rng, 1))), 0.5)
    return {"log": here, "bases": bases, "powers": powers}, statement


def digamma_steps(rng: random.Random) -> tuple[Json, Json]:
    count, here = rng.randint(1, 4), rng.choice((X, ("+", X, q("1/2")), ("exp", Y), square(X)))
    steps = [("^", ("+", here, q(k)), q(-1)) for k in range(count + rng.choice((0, 0, 1)))]
    upper = ("+", here, q(count))
    statement = stated(rng, ("digamma", upper), ("+", ("digamma", here), *steps), 0.7)
    return {"upper": upper, "lower": here}, statement


LETTERS: dict[str, Callable[[random.Random], Json]] = {
    "angles of a right triangle": triangle,
    "half of a complement": half,
}
RULES: dict[str, Callable[[random.Random], tuple[Json, Json]]] = {
    "squares of both sides": squares,
    "logarithms of both sides": logarithms,
    "half turns": half_turns,
    "the sign of a base": base,
    "a root's value": a_root,
    "an exponent's value": exponent,
    "a logarithm's factors": log_factors,
    "steps of digamma": digamma_steps,
}


def at(term: Term, point: Json) -> float | None:
    """The value of a formula as a float."""
    try:
        ball = value(carried_out(term), point)
    except (Undefined, Rejected, ZeroDivisionError, ValueError):
        return None
    return float(ball.mid()) if ball.is_finite() and ball.rad() < 1e-9 else None
