"""Named functions of the table of rules: what lines say of a statement that formulas cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derivations.recheck.core.load import Data, Term, integer, rational, shown
from derivations.recheck.core.terms import (
    HALF,
    ONE,
    TWO,
    ZERO,
    carried_out,
    difference,
    minus,
    prepared,
    replaced,
    subterms,
    whole_exponent,
)
from derivations.recheck.core.theorems import Reading
from derivations.recheck.kinds.rules.forms import rewritten
from derivations.recheck.kinds.rules.linear import linear
from derivations.recheck.kinds.schemas import numbers
from derivations.recheck.kinds.schemas.integrals.compared import in_box
from derivations.recheck.kinds.schemas.numbers import formulas, require

MOST_TURNS, MOST_STEPS = 10_000, 20


# --- two sides that differ by a product -------------------------------------------------------------------------------


def product(reading: Reading, factor: Term, function: Term) -> list[Any]:
    """That the sides differ by factor * function, and that the factor has the sign of the statement."""
    gap = difference(reading.known["left"], reading.known["right"])
    if factor == ONE and function == carried_out(gap):
        return []
    each = factor[1:] if factor[0] == "*" else (factor,)
    return [("=", gap, ("*", factor, function)), *[part for one in each for part in _not_below_zero(reading, one)]]


def _not_below_zero(reading: Reading, factor: Term) -> list[Any]:
    """That a factor has a value, which is positive, or not negative where no more is stated."""
    order = reading.known["order"]
    if factor[0] == "q" and rational(factor[1]) > 0:
        return []
    k = whole_exponent(factor) if factor[0] == "^" else None
    if k is None:
        return [*numbers.valued(reading, factor), (order, factor, ZERO)]
    base = factor[1]
    needed = numbers.valued(reading, base)
    if k % 2 == 1:  # the sign is that of the base
        needed.append((">" if k < 0 else order, base, ZERO))
    elif k < 0 or order == ">":  # an even power is negative nowhere, and vanishes or has no value where the base is 0
        needed.append((">", ("^", base, TWO), ZERO))
    return needed


def logarithm(_: Reading, formula: Term) -> Term:
    """log(u v) = log(u) + log(v), log(u^k) = k log(u), log(exp(u)) = u; all that is left in logarithms is a base."""
    match formula:
        case ("exp", exponent):
            within: Term = exponent
            return within
        case ("*", *factors):
            return ("+", *[logarithm(_, factor) for factor in factors])
        case ("^", base, exponent):
            return ("*", exponent, logarithm(_, base))
    return ZERO if formula == ONE else ("log", formula)


def bases(reading: Reading, *products: Term) -> list[Term]:
    """What is left in the logarithms of products."""
    found: list[Term] = []
    for formula in products:
        match formula:
            case ("exp", _):
                continue
            case ("*", *factors):
                found += bases(reading, *factors)
            case ("^", base, _):
                found += bases(reading, base)
            case _:
                found.append(formula)
    return found


def turned(_: Reading, wave: Term, turn: Term) -> Term:
    """The wave in the half turn of a number: itself, or its negative."""
    whole = rational(turn[1]) if turn[0] == "q" else None
    require(whole is not None and whole.q == 1, f"the number of a half turn is whole, got {shown(turn)}")
    assert whole is not None
    return wave if integer(int(whole.p), -MOST_TURNS, MOST_TURNS, "a half turn") % 2 == 0 else minus(wave)


def angle(_: Reading, wave: Term) -> Term:
    require(wave[0] in ("sin", "cos"), f"a half turn is of a sine or a cosine, got {shown(wave)}")
    return wave[1] if wave[0] == "sin" else ("+", wave[1], ("*", HALF, ("pi",)))


def even_base(_: Reading, formula: Term) -> Term:
    power = carried_out(formula)
    even = power[0] == "^" and (whole_exponent(power) or 1) % 2 == 0
    require(even, f"only an even power has the sign of a square, and {shown(power)} is none")
    base: Term = power[1]
    return base


def positive_on(_: Reading, formula: Term, box: Data, upper: str) -> Data:
    """That a formula is positive over a box, and not above a number."""
    head = {"kind": "enclosure", "symbols": dict.fromkeys(box, ()), "assuming": (), "lower": "0", "upper": upper}
    return head | {"expression": carried_out(formula), "box": box}


# --- one formula for another ------------------------------------------------------------------------------------------


def put(reading: Reading, old: Term, new: Term) -> Data:
    """The statement with one formula for another, which stands in it once hyperbolic functions are exponentials."""
    statement = reading.known["statement"]
    inside = formulas([statement["left"], statement["right"], *statement["assuming"]])
    require(any(old in subterms(prepared(f)) for f in inside), f"{shown(old)} stands nowhere in the statement")
    return rewritten(statement, lambda formula: replaced(prepared(formula), old, new))


def argument(_: Reading, formula: Term, head: str) -> Term:
    """What stands in a function, or under a square root."""
    fits = formula[0] == "^" and formula[2] == HALF if head == "root" else formula[0] == head
    require(fits, f"{shown(formula)} is no {head}")
    inside: Term = formula[1]
    return inside


def written_out(_: Reading, *things: Any) -> None:
    """Witnesses without derivatives and substitutions, whose demands could be less than their own."""
    for formula in formulas(things):
        require(formula == carried_out(formula), f"{shown(formula)} holds a derivative or a substitution: write it out")


def rationals(_: Reading, powers: list[Term]) -> None:
    require(all(power[0] == "q" for power in powers), "the powers of factors are rational numbers")


def stands(reading: Reading, formula: Term) -> None:
    statement = reading.known["statement"]
    inside = formulas([statement["left"], statement["right"], *statement["assuming"]])
    found = any(formula in subterms(carried_out(f)) for f in inside)
    require(found, f"{shown(formula)} stands nowhere in the statement")


def steps(_: Reading, upper: Term, lower: Term) -> list[Term]:
    """0, 1, ... up to one less than how many whole steps one formula is above another."""
    gap = linear(difference(upper, lower))
    whole = gap.get(())
    fits = set(gap) == {()} and whole is not None and whole.q == 1 and 0 < whole <= MOST_STEPS
    require(fits, f"one argument must be 1 to {MOST_STEPS} whole steps above the other")
    assert whole is not None
    return [("q", str(k)) for k in range(int(whole.p))]


NAMED: dict[str, Callable[..., Any]] = numbers.NAMED | {
    "product": product, "logarithm": logarithm, "bases": bases, "turned": turned, "angle": angle, "in_box": in_box,
    "even_base": even_base, "positive_on": positive_on, "put": put, "argument": argument, "stands": stands,
    "written_out": written_out, "rationals": rationals, "steps": steps,
    "prod": lambda _, items: ("*", *items),
}  # fmt: skip
