"""Second readings: a statement that somebody wrote from a quoted sentence alone, compared with what was judged of it.

Both say what they suppose, and then a list of parts. A statement covers another one if each part of the other is one of
its own, under hypotheses that follow. What the prover cannot compare counts as different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial, reduce
from operator import add, matmul, mul
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.terms import RELATED, as_tuples, expression_of
from derivations.language.words import Letter, along, gradient, identity, norm2, substitute, trace, zero
from derivations.prove.certificate import Verdict
from derivations.text import DerivationError

Json = Any  # a statement as certificates have it
NUMBERS = {"identity": ("left", "right"), "sign": ("left", "right"), "limit": ("expression", "value")}
ALIKE = ("kind", "relation", "variables", "towards")
"""Fields in which parts must agree that are compared."""
SIGNS: Mapping[str, Callable[[Any], Any]] = {
    "positive": lambda x: sp.Gt(x, 0),
    "nonnegative": lambda x: sp.Ge(x, 0),
    "negative": lambda x: sp.Lt(x, 0),
    "nonpositive": lambda x: sp.Le(x, 0),
    "nonzero": lambda x: sp.Ne(x, 0),
}
FOLDED: Mapping[str, Callable[[Any, Any], Any]] = {"+": add, "@": matmul, "*": mul}


def compared(first: Json, second: Json) -> str:
    """Return how a first statement stands to a second: equal, stronger, weaker or apart.

    >>> x = sp.Symbol("x", real=True)
    >>> wide, narrow = (prove.identity(sp.sqrt(x**2), x, assuming=[known]).statement for known in (x >= 0, x > 1))
    >>> compared(wide, narrow), compared(narrow, wide), compared(wide, wide)
    ('stronger', 'weaker', 'equal')
    >>> compared(wide, prove.identity(sp.sqrt(x**2), -x, assuming=[x <= 0]).statement)
    'apart'
    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> one, other = prove.words((A + B).T, A.T + B.T), prove.words(B.T + A.T, (B + A).T)
    >>> compared(one.statement, other.statement), compared(one.statement, prove.words(A + B, B + A).statement)
    ('equal', 'apart')
    """
    covers = _covers(first, second), _covers(second, first)
    return {(True, True): "equal", (True, False): "stronger", (False, True): "weaker"}.get(covers, "apart")


def _covers(general: Json, special: Json) -> bool:
    return all(any(_follows(part, one) for one in _parts(general)) for part in _parts(special))


def _parts(statement: Json) -> Iterator[Json]:
    if statement["kind"] == "all":
        for part in statement["parts"]:
            yield from _parts(part)
    else:
        yield statement


def _follows(part: Json, one: Json) -> bool:
    """Check whether one part says the same of at least as much."""
    if part == one:
        return True
    if any(part.get(key) != one.get(key) for key in ALIKE):
        return False
    try:
        return _of_words(part, one) if part["kind"] == "words" else part["kind"] in NUMBERS and _of_numbers(part, one)
    except (KeyError, TypeError, ValueError, DerivationError):
        return False  # it has forms that stand in no place here


def _are_alike(sides: list[list[Any]], equal: Callable[[Any, Any], bool]) -> bool:
    return all(equal(one, other) for one, other in zip(*sides, strict=True))


def _is_proved(prover: Callable[..., Any], *stated: Any, known: list[Any]) -> bool:
    return bool(prover(*stated, assuming=known).verdict is Verdict.PROVED)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _of_numbers(part: Json, one: Json) -> bool:
    symbols = {name: sp.Symbol(name, real=True) for each in (part, one) for name in each["symbols"]}
    known, asked = ([*_givens(each, symbols)] for each in (part, one))
    sides = [[expression_of(as_tuples(each[side]), symbols) for side in NUMBERS[part["kind"]]] for each in (part, one)]
    if part["kind"] == "sign":
        sides = [[left - right] for left, right in sides]
    is_same = _are_alike(sides, lambda a, b: a == b or _is_proved(prove.identity, a, b, known=known))
    if part["kind"] == "identity":  # both sides of a true equation are one quantity, so that differences say nothing
        is_same = is_same or _are_alike([sides[0], sides[1][::-1]], partial(_is_proved, prove.identity, known=known))
    return is_same and all(each in known or _is_proved(prove.inequality, each, known=known) for each in asked)


def _givens(part: Json, symbols: Mapping[str, Any]) -> Iterator[Any]:
    """The hypotheses of a part, signs of symbols first."""
    for name, flags in part["symbols"].items():
        yield from (SIGNS[flag](symbols[name]) for flag in flags if flag in SIGNS)
    for relation, left, right in as_tuples(part["assuming"]):
        yield RELATED[relation](expression_of(left, symbols), expression_of(right, symbols))


# --- matrices ---------------------------------------------------------------------------------------------------------


def _of_words(part: Json, one: Json) -> bool:
    """Compare equations of matrices whose letters are declared alike."""
    if any(part["letters"].get(name, declared) != declared for name, declared in one["letters"].items()):
        return False
    letters: dict[str, Any] = {}
    for name, declared in (one["letters"] | part["letters"]).items():
        _declare(name, declared, one["letters"] | part["letters"], letters)
    known, asked = ([_sides(rule, letters) for rule in each["rules"]] for each in (part, one))
    moved = [_moved(each, letters) for each in (part, one)]
    if all(moved):
        (rest, rates), (other_rest, other_rates) = moved
        is_same = rates == other_rates and (rest == other_rest or rest == other_rest * -1)
    else:
        sides = [[*_sides(each, letters)] for each in (part, one)]
        equal = partial(_is_proved, prove.words, known=known)
        is_same = _are_alike(sides, equal) or _are_alike([sides[0], sides[1][::-1]], equal)
    return is_same and all(_is_proved(prove.words, *pair, known=known) for pair in asked)


def _moved(equation: Json, letters: Mapping[str, Any]) -> Any:
    """Words whose derivative an equation says to be zero, and the flow; nothing for another equation."""
    formulas = [equation[side]["formula"] for side in ("left", "right")]
    rates = [pair for formula in formulas if formula[0] == "along" for pair in formula[2]]
    flow = dict(rates)
    if any(formula[0] not in ("along", "0") for formula in formulas) or any(flow[name] != rate for name, rate in rates):
        return None
    rest = [_words(formula[1] if formula[0] == "along" else formula, letters) for formula in formulas]
    return rest[0] - rest[1], flow


def _declare(name: str, declared: Json, every: Json, letters: dict[str, Any]) -> None:
    """Add a letter, after those by which it is declared."""
    if name in letters:
        return
    links = {key: declared[key] for key in ("inverse_of", "equals") if key in declared}
    for other in {word for link in links.values() for word in _names(link["formula"])} & every.keys():
        _declare(other, every[other], every, letters)
    flags: dict[str, Any] = {key: value for key, value in declared.items() if value is True}
    made = {key: _words(link["formula"], letters) for key, link in links.items()}
    letters[name] = Letter(name, declared["rows"], declared["cols"], **flags, **made)


def _names(formula: Json) -> Iterator[str]:
    if isinstance(formula, str):
        yield formula
    elif isinstance(formula, list | tuple):
        for part in formula:
            yield from _names(part)


def _sides(equation: Json, letters: Mapping[str, Any]) -> tuple[Any, Any]:
    return _words(equation["left"]["formula"], letters), _words(equation["right"]["formula"], letters)


def _words(formula: Json, letters: Mapping[str, Any]) -> Any:
    """A formula of matrices as words."""
    head, *parts = formula
    match head:
        case "L":
            return letters[parts[0]]
        case "q":
            return Fraction(parts[0])
        case "I":
            return identity(*parts)
        case "0":
            return zero(*parts)
        case "+" | "@" | "*":
            return reduce(FOLDED[head], (_words(part, letters) for part in parts))
        case "^":
            return _words(parts[0], letters) ** int(parts[1])
        case "T":
            return _words(parts[0], letters).T
        case "tr" | "norm2":
            return {"tr": trace, "norm2": norm2}[head](_words(parts[0], letters))
        case "gradient":
            return gradient(_words(parts[0], letters), letters[parts[1]])
        case "along" | "at":
            values = {letters[name]: _words(value, letters) for name, value in parts[1]}
            return (along if head == "along" else substitute)(_words(parts[0], letters), values)
    raise ValueError
