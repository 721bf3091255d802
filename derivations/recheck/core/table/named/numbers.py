"""Named functions of the table of theorems: what they say of numbers, functions and flows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from derivations.recheck.core.conditions import Condition, conditions
from derivations.recheck.core.load import Data, Term, require
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.statements import WORDS
from derivations.recheck.core.terms import ONE, TWO, ZERO, difference, free
from derivations.recheck.core.theorems import Reading, finite

FROM_ZERO: tuple[tuple[str, ...], ...] = ((), ("nonnegative",))  # what may be declared of a time that begins at 0
CHANGES = {"+": 1, "-": -1}


# --- side conditions --------------------------------------------------------------------------------------------------


def names(things: Any) -> frozenset[str]:
    """The names of symbols, and the keys of tables."""
    found: set[str] = set()
    for thing in things:
        found |= {thing[1]} if isinstance(thing, tuple) else {thing} if isinstance(thing, str) else set(thing)
    return frozenset(found)


def formulas(things: Iterable[Any]) -> list[Term]:
    """The formulas in lists, tables and relations, but for infinite ends."""
    found: list[Term] = []
    for thing in things:
        if isinstance(thing, dict):
            found += formulas(thing.values())
        elif isinstance(thing, list) or not thing or not isinstance(thing[0], str):
            found += formulas(thing)
        elif thing[0] in (">", ">=", "!=", "="):
            found += thing[1:]
        elif thing not in INFINITE:
            found.append(thing)
    return found


def free_symbols(_: Reading, *things: Any) -> frozenset[str]:
    """The symbols of which formulas speak."""
    return frozenset().union(*map(free, formulas(things)))


def apart(_: Reading, bound: Any, *things: Any) -> frozenset[str]:
    """Symbols that a theorem binds, and of which a value or a hypothesis speaks."""
    return names(bound if isinstance(bound, list) else [bound]) & free_symbols(_, *things)


def of_sign(reading: Reading, *words: str) -> frozenset[str]:
    """Symbols that are declared to be one of some things, or anything at all."""
    symbols = reading.slots["symbols"]
    return frozenset(x for x, known in symbols.items() if known and (not words or {*words} & {*known}))


def ranges(reading: Reading, x: Term, *things: Any) -> frozenset[str]:
    """A variable of which a value speaks, or of which more is supposed than that it lies in its interval."""
    return apart(reading, x, reading.known["assuming"], *things) | (names([x]) & of_sign(reading))


def runs(reading: Reading, time: Term) -> bool:
    """Nothing is declared of the time but that it is not negative, and hypotheses say only where it ends."""
    declared = reading.slots["symbols"].get(time[1])
    require(declared in FROM_ZERO, f"the time {time[1]} may be declared nonnegative, and nothing more")
    for word, above, below in reading.known["assuming"]:
        ends = time[1] not in free(above) and (time[1] not in free(below) or (word in (">", ">=") and below == time))
        require(ends, f"of the time {time[1]} a hypothesis may say before when it is, and nothing more")
    return True


def alike(_: Reading, first: Any, *others: Any) -> bool:
    """Check that tables have the same keys, and lists are equally long."""
    sizes = [set(thing) if isinstance(thing, dict) else len(thing) for thing in (first, *others)]
    return all(size == sizes[0] for size in sizes)


# --- formulas and conditions ------------------------------------------------------------------------------------------


def derivative(_: Reading, formula: Term, x: Term) -> Term:
    return ("D", formula, x[1])


def placed(_: Reading, formula: Term, what: Any, value: Any = None) -> Term:
    """A formula with values in the place of symbols."""
    pairs = sorted(what.items()) if isinstance(what, dict) else [(what[1], value)]
    return ("at", formula, tuple(pairs)) if pairs else formula


def along(_: Reading, formula: Term, flow: Data, *time: Term) -> Term:
    """The chain rule: what a function of state and time does along a flow."""
    moved = [("*", ("D", formula, x), rate) for x, rate in sorted(flow.items())]
    return ("+", ZERO, *(("D", formula, clock[1]) for clock in time), *moved)


def _asked(reading: Reading, things: Iterable[Any], smooth: bool) -> list[Any]:
    found: dict[Condition, None] = {}
    for formula in formulas(things):
        found |= dict.fromkeys(conditions(formula, reading.slots["symbols"], smooth=smooth))
    return [(order, what, ZERO) for order, what in found]


def valued(reading: Reading, *things: Any) -> list[Any]:
    """The conditions under which formulas have values."""
    return _asked(reading, things, smooth=False)


def everywhere(_: Reading, *things: Any) -> bool:
    """Check that formulas have values at all numbers, so that no equation with them is silent anywhere."""
    return not any(conditions(formula, {}, smooth=False) for formula in formulas(things))


def smooth(reading: Reading, *things: Any) -> list[Any]:
    """The conditions under which formulas have derivatives of every order."""
    return _asked(reading, things, smooth=True)


def kept(reading: Reading, time: Term, flow: Data, solution: Data) -> list[Any]:
    """Each moving part that must keep a relation to zero: the relation, the part, and what is known of it at the start.

    The fourth is what ends the formulas if it changes its sign; 1 where only derivatives ask for the part. For the
    solution log(1 - t) the four are ">", 1 - t, that 1 - t > 0 at time 0, and 1 - t, whose sign changes at time 1. For
    1/(1 - t) the part is (1 - t)^2 > 0, and the fourth is 1 - t, as a square alone cannot change its sign.
    """
    values = valued(reading, solution, [placed(reading, rate, solution) for rate in flow.values()])
    asked = [*values, *valued(reading, [derivative(reading, formula, time) for formula in solution.values()])]
    positive = [base for order, base, _ in asked if order == ">"]
    found = []
    for base in dict.fromkeys(base for _, base, _ in asked if time[1] in free(base)):
        if base[0] == "^" and base[1] in positive:
            continue
        begins = min((order for order, other, _ in values if other == base), default="")  # ">" comes before ">="
        given = [(begins, placed(reading, base, time, ZERO), ZERO)] if begins else []
        inner = base[1] if begins == ">" and base[0] == "^" and base[2] == TWO else base
        found.append([">" if base in positive else ">=", base, given, inner if begins else ONE])
    return found


def inside(_: Reading, low: Any, x: Term, high: Any) -> list[Term]:
    """That a variable lies in an open interval, whose ends may be infinite."""
    return _between(">", low, x, high)


def closed(_: Reading, low: Any, x: Term, high: Any) -> list[Term]:
    return _between(">=", low, x, high)


def _between(order: str, low: Any, x: Term, high: Any) -> list[Term]:
    require(low != ("oo",) and high != ("-oo",), "an interval goes upwards, from its low end to its high end")
    found: list[Term] = [] if low in INFINITE else [(order, x, low)]
    return found if high in INFINITE else [*found, (order, high, x)]


def rising(_: Reading, *ends: Any) -> list[Any]:
    """That the finite ones of some ends stand in order."""
    return [(">", difference(upper, lower), ZERO) for lower, upper in pairwise(finite(_ends(ends)))]


def cut(_: Reading, *ends: Any) -> list[Any]:
    """The intervals between each two of some ends."""
    return list(map(list, pairwise(_ends(ends))))


def _ends(things: Iterable[Any]) -> list[Any]:
    return [end for thing in things for end in (thing if isinstance(thing, list) else [thing])]


def admitted(reading: Reading, symbol: Term, formula: Term) -> list[Any]:
    """That a formula takes values that a symbol is allowed to take; these have no hole in between."""
    holed = "nonzero" in _strongest(reading, symbol)
    require(not holed, f"the values of {symbol[1]} have a hole where it is declared nonzero")
    return as_declared(reading, {symbol[1]: formula})


def as_declared(reading: Reading, values: Data) -> list[Any]:
    """That formulas are as the symbols in whose place they stand are declared to be."""
    told = [(word, values[name]) for name in values for word in _strongest(reading, ("s", name))]
    return [_as_declared(word, formula, WORDS[word][0]) for word, formula in told]


def inner(reading: Reading, x: Term, point: Data) -> list[Any]:
    """That a point lies inside of the region in which a variable is declared."""
    value: Term = ("at", x, tuple(sorted(point.items())))
    return [_as_declared(word, value, ">") for word in _strongest(reading, x)]


def _strongest(reading: Reading, x: Term) -> tuple[str, ...]:
    """The words for the sign of a symbol, or those of them that say all."""
    told: tuple[str, ...] = reading.slots["symbols"][x[1]]
    return tuple(word for word in told if word in ("positive", "negative")) or told


def _as_declared(word: str, value: Term, order: str) -> Term:
    relation, sign = WORDS[word]
    return (">", ("^", value, TWO), ZERO) if relation == "!=" else (order, *(value, ZERO)[::sign])


# --- statements -------------------------------------------------------------------------------------------------------


def compare(_: Reading, left: Term, order: str, right: Term) -> Any:
    return (order, left, right)


def limit(reading: Reading, formula: Term, x: Term, towards: Data, value: Term) -> Data:
    where = {key: reading.slots[key] for key in ("symbols", "assuming")}
    return {"kind": "limit", "variables": (x[1],), "towards": towards, "expression": formula, "value": value} | where


def beside(_: Reading, side: str, end: Any) -> Data:
    return end if end in INFINITE else (side, end)


def integral(reading: Reading, f: Term, x: Term, *rest: Any) -> Data:
    low, high, value = rest
    return reading.said("integral", variable=x[1], integrand=f, value=value, low=low, high=high)


def numbered(_: Reading, *lists: list[Any]) -> list[Any]:
    return [[k, *items] for k, items in enumerate(zip(*lists, strict=True), 1)]


def zeros(_: Reading, signs: list[str], begins: str) -> Data:
    """How many zeros a sum may have: at most the changes of its signs, and of the parity that its two ends ask for."""
    require(not {*signs, begins} - {*CHANGES, "?"}, "signs are + or - or ?")
    require(signs[0] != "?" != begins, "the signs of the first coefficient and of the start must be known")
    best = {signs[0]: 0}
    for sign in signs[1:]:
        options = CHANGES if sign == "?" else (sign,)
        reached = {s: max(n + (last != s) for last, n in best.items()) for s in options}
        best = best | reached if sign == "?" else reached
    counts = tuple(str(n) for n in range(begins != signs[0], max(best.values()) + 1, 2))
    require(counts, "no number of zeros agrees with these signs")
    return counts


NAMED: dict[str, Callable[..., Any]] = {
    "names": lambda _, *things: names(things), "free": free_symbols, "of_sign": of_sign, "apart": apart,
    "ranges": ranges,
    "alike": alike, "runs": runs, "everywhere": everywhere,
    "D": derivative, "valued": valued, "smooth": smooth, "kept": kept,
    "inside": inside, "closed": closed, "rising": rising, "cut": cut, "admitted": admitted, "as_declared": as_declared,
    "inner": inner,
    "compare": compare, "limit": limit, "beside": beside, "integral": integral,
    "numbered": numbered, "zeros": zeros,
    "count": lambda _, table: ("q", str(len(table))),
}  # fmt: skip
"""By the names under which the table calls them; each is handed the reading, then its arguments."""
