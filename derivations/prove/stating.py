"""Statements of people as data: symbols with their assumptions, hypotheses, sides; refused where it says nothing
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

import sympy as sp

from derivations.language.signs import ASSUMPTIONS, assumptions_of
from derivations.language.terms import ZERO, NotExact, Term, as_expression, carried_out, children, rational, rebuild
from derivations.language.terms import from_sympy as as_it_stands
from derivations.prove.certificate import Json
from derivations.prove.equality import Unsatisfiable
from derivations.text.doors import can_be_gone_through, shown
from derivations.text.plain import Unreadable, meant

F = TypeVar("F", bound=Callable[..., Any])
ROWS = (list, tuple)
SIDES = ("+", "-")  # from which a limit comes
SCALAR: dict[str, type | tuple[type, ...]] = {"symbols": dict, "assuming": ROWS}
RELATIONS = ("=", "!=", ">", ">=")


def reads_text(function: F) -> F:
    """The function, which takes texts in a plain form in place of expressions and relations, and evaluates none.

    A first text that is an equation stands for both sides, where the function takes sides.
    """
    takes_sides = next(iter(signature(function).parameters)) == "left"

    @wraps(function)
    def reading(*args: Any, **named: Any) -> Any:
        try:
            given, told = [_read(each) for each in args], {name: _read(each) for name, each in named.items()}
        except Unreadable as trouble:
            raise NotExact(str(trouble)) from None
        except RecursionError:
            raise NotExact("a text nests too deeply: state it in smaller parts") from None
        if takes_sides and args and isinstance(args[0], str) and isinstance(given[0], sp.Equality):
            given[:1] = given[0].args
        return function(*given, **told)

    return cast(F, reading)


def _read(given: Any) -> Any:
    """Return what a text says, or the texts among some values."""
    if isinstance(given, str) and given not in SIDES:
        if len(found := meant(given)) == 1:
            return found[0]
        raise NotExact(f"{shown(given)} states {len(found)} relations: state each by itself")
    if isinstance(given, list | tuple) and any(isinstance(each, str) for each in given):
        texts = [meant(each) if isinstance(each, str) and each not in SIDES else [each] for each in given]
        return type(given)([part for parts in texts for part in parts])
    if isinstance(given, Mapping):
        return {_read(key): _read(value) for key, value in given.items()}
    return given


def scalar(kind: str, assuming: Iterable[Any], **sides: Any) -> Json:
    terms = {name: term_of(e) for name, e in sides.items()}
    return {"kind": kind, **hypotheses(assuming, *sides.values()), **terms}


def hypotheses(assuming: Iterable[Any], *expressions: Any) -> Json:
    """The symbols' assumptions and the hypotheses that say something; a false one is an error."""
    relations = relations_of(assuming)
    symbols = assumptions_of(*expressions, *relations)
    remaining = [r for r in relations if not _absorbed(r, symbols)]
    return {"symbols": symbols, "assuming": [from_sympy(r) for r in remaining]}


def relations_of(assuming: Iterable[Any]) -> list[Any]:
    """The hypotheses that say something; a false one is an error, and what is no relation is refused."""
    if isinstance(assuming, sp.Basic | bool) or not can_be_gone_through(assuming):
        raise NotExact(f"hypotheses are a list of relations, such as [x > 0], and not {shown(assuming)} alone")
    relations = []
    for relation in assuming:
        if not isinstance(relation, sp.Basic | bool):
            raise NotExact(f"a hypothesis must be a relation such as Eq(x, y) or x > 0, got {shown(relation)}")
        if relation in (sp.false, False):
            raise Unsatisfiable("a hypothesis is false by itself, so nothing can satisfy it: check its sides")
        if relation in (sp.true, True):
            continue
        if not isinstance(relation, sp.core.relational.Relational):
            raise NotExact(f"a hypothesis must be a relation such as Eq(x, y) or x > 0, got {relation}")
        relations.append(relation)
    return relations


def with_bases(relations: Iterable[Any], *sides: Any, moving: Iterable[Any] = ()) -> list[Any]:
    """Hypotheses with those that a power supposes whose exponent is no rational number: that its base is positive.

    moving: symbols of which no hypothesis speaks, as what moves is spoken of for as long as it has values.

    >>> x, n = sp.symbols("x n", real=True)
    >>> with_bases([], x**n + sp.exp(x))
    [x > 0]
    >>> with_bases([], x ** sp.sqrt(2))
    [x > 0]
    """
    supposed = list(relations)
    parts = [as_expression(e) for e in (*sides, *supposed)]
    free: set[Any] = {*()}.union(*(e.free_symbols for e in parts)) - {*moving}
    positive = {r.lhs: sp.Dummy(positive=True) for r in supposed if isinstance(r, sp.Gt) and r.rhs == 0}
    powers = {power for e in parts for power in e.atoms(sp.Pow) if _is_exponential(power)}
    for power in sorted(powers, key=lambda power: len(str(power))):
        base = power.base
        if base.free_symbols <= free and not base.xreplace(positive).is_positive:
            supposed.append(sp.Gt(base, 0, evaluate=False))
            positive[base] = sp.Dummy(positive=True)
    return supposed


def _is_exponential(power: Any) -> bool:
    """Check whether a power means exp(exponent log(base)): its exponent has symbols, or is no rational number."""
    exponent = power.exp
    if exponent.is_Rational or exponent.free_symbols:
        return not exponent.is_Rational
    return bool(from_sympy(sp.Pow(sp.Symbol("base"), exponent, evaluate=False))[0] == "exp")


def _absorbed(relation: Any, symbols: dict[str, list[str]]) -> bool:
    """A hypothesis about the sign of one symbol becomes its assumption, which roots and factors understand."""
    name, left, right = from_sympy(relation)
    if right != ZERO or left[0] != "s":
        left, right, flipped = right, left, True
    else:
        flipped = False
    if right != ZERO or left[0] != "s" or name == "=":
        return False
    assumption = {
        "!=": "nonzero",
        ">": "negative" if flipped else "positive",
        ">=": "nonpositive" if flipped else "nonnegative",
    }[name]
    if assumption not in symbols[left[1]]:
        symbols[left[1]] = sorted({*symbols[left[1]], assumption})
    return True


PARTS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "identity": SCALAR | {"left": ROWS, "right": ROWS},
    "sign": SCALAR | {"relation": str, "left": ROWS, "right": ROWS},
    "limit": SCALAR | {"variables": ROWS, "expression": ROWS, "value": ROWS},
    "enclosure": SCALAR | {"expression": ROWS, "box": dict, "lower": str, "upper": str},
    "words": {"letters": dict, "rules": ROWS, "left": dict, "right": dict},
    "loewner": {"letters": dict, "rules": ROWS, "orders": ROWS, "relation": str, "left": dict, "right": dict},
    "all": {"parts": ROWS},
    "not": {"of": dict},
}
"""Fields that every statement of a kind has, with their types."""


MORE = {"kind", "squares", "towards", "integrals", "variable", "kernel"}
"""Further fields that a statement about numbers may have."""


def _are_signs(told: Any) -> bool:
    """Check whether this lists assumptions that a symbol can have."""
    return isinstance(told, list | tuple) and all(sign in ASSUMPTIONS for sign in told)


def require_data(statement: Json) -> None:
    """Refuses what is no data, and a statement without the parts that all of its kind have."""
    waiting: list[Any] = [statement]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list | tuple):
            waiting += part
        elif not isinstance(part, str | int | None):
            raise NotExact(f"a statement is made of text, whole numbers, lists and dicts, and {shown(part)} is none")
    if not isinstance(statement.get("kind"), str):
        raise NotExact(f"a statement has a kind, such as 'identity', and not {shown(statement.get('kind'))}")
    parts = PARTS.get(statement["kind"], {})
    if "assuming" in parts and (strange := {*statement} - {*parts, *MORE}):
        raise NotExact(
            f"a statement of kind {statement['kind']} has no part {shown(min(strange, key=str))}: leave it out"
        )
    for name, types in parts.items():
        if not isinstance(statement.get(name), types):
            raise NotExact(f"a statement of kind {statement['kind']} has {name!r} as certificates do: decide it afresh")
    told = statement.get("symbols", {})
    if not isinstance(told, dict) or not all(map(_are_signs, told.values())):
        raise NotExact(f"the symbols of a statement are told to be among {', '.join(ASSUMPTIONS)}, or nothing")


def hints_of(squares: Iterable[Any]) -> Json:
    hints = [term_of(as_expression(s)) for s in squares]
    return {"squares": hints} if hints else {}


def entries(left: Any, right: Any) -> list[tuple[Any, Any]]:
    """Pairs of scalars to compare."""
    if isinstance(left, sp.MatrixBase):
        other = sp.zeros(*left.shape) if right in (0, sp.S.Zero) else right
        if not isinstance(other, sp.MatrixBase):
            raise NotExact(f"a matrix equals a matrix or 0, not {right}")
        if left.shape != other.shape:
            raise NotExact(f"a {left.shape} matrix cannot equal a {other.shape} matrix")
        pairs = list(zip(list(left), list(other), strict=True))
    elif isinstance(left, tuple | list | sp.Tuple):
        others = right if isinstance(right, tuple | list | sp.Tuple) else [right] * len(left)
        if len(left) != len(others):
            raise NotExact(f"{len(left)} expressions cannot equal {len(others)} expressions one by one")
        pairs = list(zip(left, others, strict=True))
    else:
        pairs = [(left, right)]
    if not pairs:
        raise Unsatisfiable("nothing was stated: give at least one pair of expressions")
    return pairs


def from_sympy(expression: Any) -> Term:
    """The term of an expression or a relation, with |x| written as the root of x^2, which the provers understand."""
    return _without_abs(as_it_stands(expression))


def term_of(expression: Any) -> Term:
    """The term of an expression; a relation is refused."""
    term = from_sympy(expression)
    if term[0] in RELATIONS:
        raise NotExact(
            f"the relation {expression} stands where an expression is expected: state it with prove.inequality,"
            " or give the two sides of an equation apart"
        )
    return term


def plain_term(expression: Any) -> Term:
    """The term of an expression in which nothing is still to be carried out."""
    term = term_of(expression)
    if carried_out(term) != term:
        raise NotExact(f"{expression} holds a derivative or a substitution: carry it out first, say with .doit()")
    return term


def _without_abs(term: Term) -> Term:
    new = rebuild(term, tuple(map(_without_abs, children(term))))
    return ("^", ("^", new[1], rational(2)), rational("1/2")) if new[0] == "abs" else new
