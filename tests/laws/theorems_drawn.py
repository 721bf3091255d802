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
from derivations.recheck.core.table.named.statements import cosine, sine
from derivations.recheck.core.terms import carried_out, subterms
from derivations.recheck.core.theorems import Reading

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
    """Check whether a statement holds at a point; where it says nothing it is `silent`, and None where balls cannot
    tell.
    """
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
    """Check whether a formula certainly has no value at a point."""
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
    if not gap.is_finite():
        return None
    if float(gap.rad()) > SAME and not abs(gap) > APART:  # in balls, as floats are infinite above 1e308
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
    """The needs and the conclusion of a line for random letters; `fails` finds where all is so and the conclusion is
    not.
    """

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


def factor_of(rng: random.Random) -> Term:
    return rng.choice(
        (q(1), q(2), q(-1), X, square(X), ("^", X, q(-1)), ("^", Y, q(-2)), ("*", X, Y), ("exp", Y), ("abs", X))
    )


def squares(rng: random.Random) -> tuple[Json, Json]:
    return two_numbers(rng, formula(rng), formula(rng))


def two_numbers(rng: random.Random, larger: Term, smaller: Term) -> tuple[Json, Json]:
    """Numbers that differ as the sides do, or nearly so."""
    right = formula(rng, 1)
    left = ("+", right, rng.choice((("+", larger, minus(smaller)),) * 3 + (larger,)))
    return {"larger": larger, "smaller": smaller}, stated(rng, left, right)


def logarithms(rng: random.Random) -> tuple[Json, Json]:
    def positive() -> Term:
        return rng.choice(
            (("exp", formula(rng, 1)), ("*", ("exp", X), formula(rng, 1)), ("^", formula(rng, 1), Y), formula(rng, 1))
        )

    return two_numbers(rng, positive(), positive())


def half_turns(rng: random.Random) -> tuple[Json, Json]:
    near = ("*", q(rng.choice((0, 1, Fraction(rng.randint(0, 60), 60), Fraction(-1, 60)))), PI)
    angle = rng.choice((near, ("+", near, X), ("*", X, PI), formula(rng, 1)))
    right = formula(rng, 1)
    return {"angle": angle}, stated(rng, ("+", right, (rng.choice(("sin", "sin", "cos")), angle)), right)


# --- equations that are put in ------------------------------------------------------------------------------------


def near(rng: random.Random, term: Term) -> Term:
    """Often a formula that is the same, and sometimes another one."""
    return rng.choice((term, ("+", term, q(0)), ("*", q(1), term), over(("*", term, X), X), formula(rng, 1)))


def about(rng: random.Random, old: Term, new: Term, /, **parameters: Any) -> tuple[Json, Json]:
    """A statement in which a formula stands, and what may equal it on the other side."""
    more = rng.choice((q(0), formula(rng, 1)))
    return parameters, stated(rng, ("+", old, more), rng.choice((("+", new, more), formula(rng, 1))), 0.5)


def a_root(rng: random.Random) -> tuple[Json, Json]:
    witness = formula(rng)
    inside = rng.choice((square(witness), ("*", witness, witness), formula(rng, 1)))
    return about(rng, root(inside), witness, inside=inside, value=rng.choice((witness, minus(witness))))


def log_factors(rng: random.Random) -> tuple[Json, Json]:
    bases = tuple(formula(rng, 1) for _ in range(rng.randint(1, 3)))
    powers = tuple(rng.choice((q(rng.choice((1, 2, -1, -2, "1/2", "-3/2"))), Y, formula(rng, 1))) for _ in bases)
    whole = near(rng, ("*", *(("^", b, m) for b, m in zip(bases, powers, strict=True))))
    total = ("+", *(("*", m, ("log", b)) for b, m in zip(bases, powers, strict=True)))
    return about(rng, ("log", whole), total, whole=whole, bases=bases, powers=powers)


def equal_arguments(rng: random.Random) -> tuple[Json, Json]:
    witness, head = formula(rng), rng.choice(("exp", "sin", "cos"))
    whole = near(rng, witness)
    return about(rng, (head, whole), (head, witness), whole=whole, value=witness)


def odd_or_even(rng: random.Random) -> tuple[Json, Json]:
    u, head = formula(rng, 1), rng.choice(("sin", "cos"))
    whole = near(rng, minus(u))
    return about(rng, (head, whole), (head, u) if head == "cos" else minus((head, u)), whole=whole, opposite=u)


def sum_of_angles(rng: random.Random) -> tuple[Json, Json]:
    u, v, head = formula(rng, 1), formula(rng, 1), rng.choice(("sin", "cos"))
    whole = near(rng, ("+", u, v))
    return about(rng, (head, whole), formula(rng, 1), whole=whole, u=u, v=v)


def turns(rng: random.Random, most: int = 120) -> Term:
    return q(Fraction(rng.randint(-most, most), rng.choice((1, 2, 3, 4, 6, 12))))


def known_angle(rng: random.Random) -> tuple[Json, Json]:
    turn, head = turns(rng), rng.choice(("sin", "cos"))
    whole = near(rng, ("*", turn, PI))
    return about(rng, (head, whole), formula(rng, 1), whole=whole, turn=turn)


def of_an_arc(rng: random.Random) -> tuple[Json, Json]:
    u = rng.choice((formula(rng, 1), X, number(rng)))
    return about(rng, (rng.choice(("sin", "cos")), (rng.choice(("asin", "atan")), u)), formula(rng, 1), u=u)


def arc(head: str) -> Callable[[random.Random], tuple[Json, Json]]:
    def drawn(rng: random.Random) -> tuple[Json, Json]:
        turn, reading = turns(rng, 8), Reading({}, {}, {})
        up, along = sine(reading, turn), cosine(reading, turn)
        u = near(rng, rng.choice((up, minus(up))) if head == "asin" else over(up, along))
        return about(rng, (head, u), ("*", turn, PI), u=u, turn=turn)

    return drawn


def power(rng: random.Random) -> tuple[Json, Json]:
    base_of, exponent = formula(rng, 1), rng.choice((X, Y, PI, formula(rng, 1)))
    new = ("exp", ("*", exponent, ("log", base_of)))
    return about(rng, ("^", base_of, exponent), new, base=base_of, exponent=exponent)


def log_of_exponential(rng: random.Random) -> tuple[Json, Json]:
    u = formula(rng, 1)
    whole = near(rng, ("exp", u))
    return about(rng, ("log", whole), u, whole=whole, u=u)


def exponential_of_log(rng: random.Random) -> tuple[Json, Json]:
    base_of, others = formula(rng, 1), formula(rng, 1)
    times = q(rng.choice((1, -1, 2, "1/2", "-3/2")))
    whole = near(rng, ("+", ("*", times, ("log", base_of)), others))
    new = ("*", ("^", base_of, times), ("exp", others))
    return about(rng, ("exp", whole), new, whole=whole, base=base_of, power=times, others=others)


def inverse(rng: random.Random) -> tuple[Json, Json]:
    w = formula(rng, 1)
    whole = near(rng, ("*", w, ("exp", w)))
    return about(rng, ("lambertw", whole), w, whole=whole, w=w)


# --- cases and comparisons --------------------------------------------------------------------------------------------


def factor(rng: random.Random) -> tuple[Json, Json]:
    function, right = rng.choice((formula(rng), q(1))), formula(rng, 1)
    factors = tuple(factor_of(rng) for _ in range(rng.randint(0, 2)))
    powers = tuple(q(rng.choice((1, 1, -1, 2, 3, -2, "1/2"))) for _ in factors)
    squares = tuple(factor_of(rng) for _ in range(rng.randint(0, 1)))
    times = ("*", *(("^", f, m) for f, m in zip(factors, powers, strict=True)), *map(square, squares), function)
    left = rng.choice((("+", right, times), ("+", right, times), formula(rng)))
    used = {"factors": factors, "powers": powers, "squares": squares, "function": function}
    return used, stated(rng, left, right)


def between(rng: random.Random) -> tuple[Json, Json]:
    orders = {"first": rng.choice((">", ">=")), "second": rng.choice((">", ">="))}
    return {"middle": rng.choice((X, formula(rng, 1)))} | orders, stated(rng, formula(rng, 1), formula(rng, 1))


def cases(rng: random.Random) -> tuple[Json, Json]:
    statement = stated(rng, formula(rng, 1), formula(rng, 1), 0.3)
    return {"first": rng.choice((X, formula(rng, 1))), "second": rng.choice((Y, number(rng)))}, statement


def relation(rng: random.Random) -> Term:
    return rng.choice((">", ">=", "=", "!=")), formula(rng, 1), rng.choice((Y, number(rng)))


def hypotheses(rng: random.Random) -> tuple[Json, Json]:
    if rng.random() < 0.3:
        return what_is_asked(rng)
    given = tuple(relation(rng) for _ in range(rng.randint(0, 2)))
    supposed = tuple(r for r in (*given, relation(rng)) if rng.random() < 0.7)
    declared = {name: rng.choice(((), (), ("positive",), ("nonzero",))) for name in "xy"}
    statement = stated(rng, formula(rng, 1), formula(rng, 1)) | {"assuming": given}
    return {"declared": declared, "supposed": supposed}, statement


def what_is_asked(rng: random.Random) -> tuple[Json, Json]:
    """Hypotheses without which the sides, or a hypothesis, have no values, or nearly so."""
    inside = formula(rng, 1)
    left = rng.choice((("log", inside), root(inside), ("^", inside, q("-1/2")), ("digamma", inside)))
    given = ((">", rng.choice((X, ("log", inside))), q(0)),) if rng.random() < 0.5 else ()
    supposed = (*given, (rng.choice((">", ">=", "!=")), inside, q(0)))
    statement = stated(rng, rng.choice((left, X)), formula(rng, 1)) | {"assuming": given}
    return {"declared": SETTING["symbols"], "supposed": supposed}, statement


def digamma_step(rng: random.Random) -> tuple[Json, Json]:
    lower = rng.choice((X, ("+", X, q("1/2")), ("exp", Y), square(X)))
    upper = rng.choice((("+", lower, q(1)), ("+", q(1), lower), ("+", lower, q(2))))
    return about(rng, ("digamma", lower), ("+", ("digamma", upper), over(q(-1), lower)), lower=lower, upper=upper)


LETTERS: dict[str, Callable[[random.Random], Json]] = {
    "angles of a right triangle": triangle,
}
RULES: dict[str, Callable[[random.Random], tuple[Json, Json]]] = {
    "squares of both sides": squares,
    "logarithms of both sides": logarithms,
    "half turns": half_turns,
    "a root's value": a_root,
    "a logarithm's factors": log_factors,
    "a step of digamma": digamma_step,
    "equal arguments": equal_arguments,
    "odd and even functions": odd_or_even,
    "addition theorems": sum_of_angles,
    "known angles": known_angle,
    "sines and cosines of arcs": of_an_arc,
    "arc of a known sine": arc("asin"),
    "arc of a known tangent": arc("atan"),
    "a power as an exponential": power,
    "logarithm of an exponential": log_of_exponential,
    "exponential of a logarithm": exponential_of_log,
    "the inverse of w exp(w)": inverse,
    "a factor of known sign": factor,
    "a number in between": between,
    "two cases": cases,
    "three cases": cases,
    "other hypotheses": hypotheses,
}


def at(term: Term, point: Json) -> float | None:
    """The value of a formula as a float."""
    try:
        ball = value(carried_out(term), point)
    except (Undefined, Rejected, ZeroDivisionError, ValueError):
        return None
    return float(ball.mid()) if ball.is_finite() and ball.rad() < 1e-9 * (1 + abs(ball.mid())) else None
