"""Conditions under which a formula has a value, or derivatives too, and the statements that say so."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, rational, shown
from derivations.recheck.core.terms import ONE, TWO, ZERO, carried_out, difference

STRICT, WEAK, UNKNOWN = 2, 1, 0
NO_CONDITION = ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan")
Condition = tuple[str, Term]  # an order, and what is compared with zero
Symbols = dict[str, tuple[str, ...]]


def conditions(formula: Term, symbols: Symbols, *, smooth: bool) -> list[Condition]:
    """Every condition once, the inner ones first; those that the form of what they speak of fulfils are left out."""
    found: dict[Condition, None] = {}
    _collect(carried_out(formula), smooth, found)
    return [c for c in found if sign_by_form(c[1], symbols) < (STRICT if c[0] == ">" else WEAK)]


def _collect(formula: Term, smooth: bool, found: dict[Condition, None]) -> None:
    head = formula[0]
    if head in ("s", "q", "pi"):
        return
    for child in formula[1:]:
        _collect(child, smooth, found)
    if head == "log":
        found[">", formula[1]] = None
    elif head == "asin":
        found[">" if smooth else ">=", difference(ONE, ("^", formula[1], TWO))] = None
    elif head == "abs":
        if smooth:
            found[">", ("^", formula[1], TWO)] = None
    elif head == "^":
        _collect_power(formula[1], formula[2], smooth, found)
    elif head not in NO_CONDITION:
        raise Rejected(f"where {shown(head)} has a value is not checked here: use a rule that does not ask for it")


def _collect_power(base: Term, exponent: Term, smooth: bool, found: dict[Condition, None]) -> None:
    if exponent[0] != "q":
        found[">", base] = None
        return
    power = rational(exponent[1])
    if power.q != 1:
        found[">" if smooth or power < 0 else ">=", base] = None
    elif power <= 0:  # the slope of base^0 is written with base^(-1)
        found[">", ("^", base, TWO)] = None


def sign_by_form(formula: Term, symbols: Symbols) -> int:
    """What sums and products of plainly positive things tell of a formula."""
    head = formula[0]
    if head == "s":
        told = symbols.get(formula[1], ())
        return STRICT if "positive" in told else WEAK if "nonnegative" in told else UNKNOWN
    if head == "q":
        value = rational(formula[1])
        return STRICT if value > 0 else WEAK if value == 0 else UNKNOWN
    if head in ("pi", "exp", "cosh"):
        return STRICT
    if head == "abs":
        return WEAK
    if head == "^" and formula[2][0] == "q":
        return _sign_of_power(formula[1], rational(formula[2][1]), symbols)
    if head not in ("+", "*"):
        return UNKNOWN
    signs = [sign_by_form(child, symbols) for child in formula[1:]]
    if UNKNOWN in signs:
        return UNKNOWN
    return max(signs) if head == "+" else min(signs)


def _sign_of_power(base: Term, power: Data, symbols: Symbols) -> int:
    inner = sign_by_form(base, symbols)
    if inner == STRICT:
        return STRICT
    if power.q != 1:
        return WEAK
    if int(power.p) % 2:
        return inner
    told = symbols.get(base[1], ()) if base[0] == "s" else ()
    return STRICT if {"negative", "nonzero"} & set(told) else WEAK


def said_of(setting: Data, order: str, left: Term, right: Term = ZERO) -> Data:
    """An inequality under the hypotheses of a statement."""
    head = {"kind": "sign", "symbols": setting["symbols"], "assuming": setting["assuming"]}
    return head | {"relation": order, "left": left, "right": right}
