"""Signs that SymPy was told of: which ones a statement carries, and which ones nobody may have simplified with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from derivations.language.terms import NotExact, as_expression

ASSUMPTIONS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")
MOST_IN_NAME = 200  # characters of a symbol's name; the checker bounds them too
NOT_CARRIED = ("integer", "noninteger", "rational", "irrational", "prime", "even", "odd", "imaginary", "infinite")


def assumptions_of(*expressions: Any) -> dict[str, list[str]]:
    """Return what SymPy was told about each free symbol (the symbol assumptions that a statement carries).

    Refuses two different symbols of one name, bound ones too, whatever a symbol is told beyond being a real number of a
    known sign, and a sign of a bound symbol that what is put in for it need not have (`NotExact`).

    >>> assumptions_of(sp.Symbol("a", positive=True) + sp.Symbol("x", real=True))
    {'a': ['positive', 'nonnegative', 'nonzero'], 'x': []}
    """
    parts = [as_expression(e) for e in expressions]
    by_name: dict[str, sp.Symbol] = {}
    for s in set().union(*(e.atoms(sp.Symbol) for e in parts)):
        if by_name.setdefault(str(s.name), s) is not s:
            raise NotExact(
                f"two different symbols are both called {s.name}: give them different names or the same assumptions"
            )
    free: set[sp.Symbol] = set().union(*(e.free_symbols for e in parts))
    signs = {name: _assumptions(s) for name, s in sorted(by_name.items())}
    require_signs_of_bound(*parts)
    return {name: list(told) for name, told in signs.items() if by_name[name] in free}


def require_signs_of_bound(*expressions: Any) -> None:
    """Refuses symbols that are bound and declared to have a sign, unless what is put in for them has it.

    >>> x, y = sp.Symbol("x", positive=True), sp.Symbol("y", real=True)
    >>> require_signs_of_bound(sp.Subs(x, x, sp.exp(y)))
    >>> require_signs_of_bound(sp.Subs(x, x, y))
    Traceback (most recent call last):
    derivations.language.terms.NotExact: x is declared positive, and y need not be: SymPy has simplified with that ...
    """
    for e in expressions:
        for node in e.atoms(sp.Subs, ExprWithLimits):
            if isinstance(node, sp.Subs):
                for letter, value in zip(node.variables, node.point, strict=True):
                    require_sign(letter, value)
            else:
                for letter, *ends in node.limits:
                    if len(ends) != 2 or not _are_on_one_side(_assumptions(letter), ends):
                        require_sign(letter)


def _are_on_one_side(signs: tuple[str, ...], ends: Iterable[Any]) -> bool:
    """Return whether all numbers between two ends have a sign; the ends need not, which changes no integral."""
    sides = {"positive": "nonnegative", "nonnegative": "nonnegative", "negative": "nonpositive"}
    weaker = next((sides.get(sign, sign) for sign in signs), "nonzero")
    return all(getattr(end, f"is_extended_{weaker}", False) for end in ends) and weaker != "nonzero"


def require_sign(letter: sp.Symbol, *values: Any) -> None:
    """Refuses values for a symbol that are not known to have its declared sign; without values, any declared sign.

    SymPy simplifies with signs before we see an expression, so that what a letter stands for must have them.
    """
    for sign in _assumptions(letter):
        lacking = [v for v in values if not getattr(as_expression(v), f"is_{sign}", None)]
        if lacking or not values:
            what = lacking[0] if lacking else "what it ranges over"
            raise NotExact(
                f"{letter} is declared {sign}, and {what} need not be: SymPy has simplified with that already, so make"
                f" {letter} with real=True alone"
            )


def without_signs(*letters: sp.Symbol) -> dict[sp.Symbol, sp.Symbol]:
    """For each letter one of its name that is real and nothing more: what moves or is bound is stated in such letters.

    An expression in which they are put in is read as it stands, whatever signs it was made with.

    >>> x = sp.Symbol("x", positive=True)
    >>> assumptions_of((x**2).xreplace(without_signs(x)))
    {'x': []}
    """
    return {letter: sp.Symbol(letter.name, real=True) for letter in letters}


Table = Mapping[Any, Any]


def moving(flow: Table, solution: Table, start: Table) -> tuple[Table, Table, Table]:
    """A flow, a solution and a start in letters without signs.

    >>> x = sp.Symbol("x", positive=True)
    >>> [assumptions_of(*table, *table.values()) for table in moving({x: -x}, {x: sp.exp(-x)}, {x: 1})]
    [{'x': []}, {'x': []}, {'x': []}]
    """
    bare = without_signs(*flow, *solution, *start)
    first, second, third = (
        {bare[k]: as_expression(e).xreplace(bare) for k, e in table.items()} for table in (flow, solution, start)
    )
    return first, second, third


def require_time(letter: sp.Symbol) -> None:
    """Refuses a time that is declared to be more than it is: a real number that is not negative.

    >>> require_time(sp.Symbol("t", nonnegative=True))
    """
    if set(_assumptions(letter)) - {"nonnegative"}:
        raise NotExact(f"{letter} is the time from 0 on: declare it real, or nonnegative, and nothing else")


@lru_cache(maxsize=4096)  # the same few symbols are asked about in every statement
def _assumptions(s: sp.Symbol) -> tuple[str, ...]:
    """The signs that a symbol is declared to have; what else it is declared to be is refused."""
    if not 0 < len(s.name) <= MOST_IN_NAME:
        raise NotExact(f"a symbol has a name of {len(s.name)} characters: give it one of 1 to {MOST_IN_NAME}")
    if not s.is_commutative:
        raise NotExact(f"the symbol {s.name} does not commute: state matrix identities with prove.words")
    told = {name: value for name, value in s.assumptions0.items() if name != "commutative"}
    signs = tuple(a for a in ASSUMPTIONS if getattr(s, f"is_{a}"))
    carried = sp.Dummy(real=True, **dict.fromkeys(signs, True)).assumptions0 if s.is_real else {}
    foreign = [name for name in (*NOT_CARRIED, *sorted(told)) if name in told and carried.get(name) is not told[name]]
    if foreign:
        word = next((name for name in foreign if told[name]), f"not {foreign[0]}") if s.is_real else "without real=True"
        raise NotExact(
            f"the symbol {s.name} is declared {next((n for n in NOT_CARRIED if told.get(n)), word)}, and symbols here"
            " range over real numbers: declare real=True, a sign, or nothing"
        )
    return signs
