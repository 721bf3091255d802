"""What ties a printed formula to the statement that was judged: what its LaTeX says stands in that statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from derivations.language.sums import Sums
from derivations.language.sums import as_json as sums_json
from derivations.language.sums import as_written as sums_as_written
from derivations.language.sums.formulas import in_normal_form as sums_in_normal_form
from derivations.language.terms import Term, from_json
from derivations.language.words import Words
from derivations.language.words import as_json as words_json
from derivations.language.words import as_written as words_as_written
from derivations.language.words.blocks import Blocks, paired
from derivations.language.words.formulas import in_normal_form
from derivations.latex.agree import same
from derivations.latex.fold import NotThisKind
from derivations.latex.formula import Formula
from derivations.prove import from_sympy
from derivations.prove.certificate import Json

STATES, CONTAINS = "the statement is the printed relation", "the statement contains the printed formula"
EQUALITIES = frozenset(("identity", "words", "sums", "average", "sign"))


def bond(formula: Formula, statement: Json) -> str | None:
    """How a statement speaks of a printed formula: it is that relation, or contains its right side; None if neither.

    >>> from derivations import prove
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> a, b = sp.symbols("a b", real=True)
    >>> printed = Formula("a^2-b^2", Vocabulary(Notation(letters="a b"), meanings={"a": a, "b": b}))
    >>> bond(printed, prove.identity((a - b) * (a + b), printed.right).statement)
    'the statement contains the printed formula'
    >>> bond(printed, prove.identity((a + b) ** 2, a**2 + 2 * a * b + b**2).statement)
    """
    if _is_written_in(formula, statement):
        return STATES
    statement = sums_in_normal_form(in_normal_form(statement))
    leaves = list(_leaves(statement))
    pairs = _pairs(formula)
    if pairs and all(any(_is(leaf, *pair) for leaf in leaves) for pair in pairs):
        return STATES
    rights = [right for _, right in pairs] or _data(formula.right)
    whole = _ordered(_listed(statement))
    found = (
        _stands_in(_ordered(_listed(right)), whole) or any(_same(right, t) for t in _scalars(statement))
        for right in rights
    )
    return CONTAINS if all(found) else None


def _is_written_in(formula: Formula, statement: Json) -> bool:
    """Whether an equality of words or sums has the two sides as they are written: nothing is multiplied out."""
    if not formula.relation:
        return False
    try:
        sides = formula.sides
    except NotThisKind:
        return False
    for kind, written in ((Words, words_as_written), (Sums, sums_as_written)):
        if all(isinstance(side, kind) for side in sides):
            wanted = [written(side) for side in sides]
            return any([leaf.get("left"), leaf.get("right")] in (wanted, wanted[::-1]) for leaf in _leaves(statement))
    return False


def _pairs(formula: Formula) -> list[tuple[Any, Any]]:
    """The two sides as data, block by block; nothing when the left side has no meaning of its own."""
    if not formula.relation:
        return []
    try:
        left, right = formula.sides
    except NotThisKind:
        return []
    if isinstance(left, Blocks) or isinstance(right, Blocks):
        return [(words_json(a), words_json(b)) for a, b in paired(left, right) if isinstance(b, Words)]
    return list(zip(_data(left), _data(right), strict=True))


def _data(side: Any) -> list[Any]:
    """A side as the data that statements hold."""
    if isinstance(side, Blocks):
        return [words_json(entry) for row in side.rows for entry in row]
    if isinstance(side, Words):
        return [words_json(side)]
    if isinstance(side, Sums):
        return [sums_json(side)]
    return [from_sympy(side)]


def _leaves(statement: Any) -> Iterator[Json]:
    """Every statement inside a statement that is an equality or an inequality."""
    if isinstance(statement, dict):
        if statement.get("kind") in EQUALITIES:
            yield statement
        for part in statement.values():
            yield from _leaves(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from _leaves(part)


def _is(leaf: Json, left: Any, right: Any) -> bool:
    """Whether an equality has these two sides, in either order."""
    sides = [_tuples(leaf.get("left")), _tuples(leaf.get("right"))]
    wanted = [_tuples(left), _tuples(right)]
    if sides in (wanted, wanted[::-1]):
        return True
    if leaf["kind"] not in ("identity", "sign"):
        return False
    return any(all(map(_same, pair, wanted)) for pair in (sides, sides[::-1]))


def _same(term: Any, other: Any) -> bool:
    """Whether two scalar terms have one normal form; what it cannot compare is taken as different."""
    try:
        return isinstance(term, tuple) and isinstance(term[0], str) and same(term, other)
    except ValueError:
        return False


def _scalars(statement: Any) -> Iterator[Term]:
    """The scalar terms that a statement gives a name of their own: sides, solutions, values of limits."""
    if isinstance(statement, dict):
        for part in statement.values():
            if isinstance(part, list | tuple) and part and isinstance(part[0], str):
                yield _tuples(part)
            else:
                yield from _scalars(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from _scalars(part)


def _ordered(data: Any) -> Any:
    """Data as tuples, with the parts of sums and products in one order: SymPy sorts them, and a source does not."""
    if not isinstance(data, list | tuple):
        return data
    parts = tuple(map(_ordered, data))
    return (parts[0], *sorted(parts[1:], key=repr)) if parts[:1] in (("+",), ("*",)) else parts


def _stands_in(part: Any, whole: Any) -> bool:
    if part == whole:
        return True
    return isinstance(whole, tuple) and any(_stands_in(part, inner) for inner in whole)


def _listed(data: Any) -> Any:
    """JSON with its objects as lists of their values."""
    if isinstance(data, dict):
        return [_listed(value) for value in data.values()]
    return [_listed(part) for part in data] if isinstance(data, list | tuple) else data


def _tuples(data: Any) -> Any:
    return from_json(list(data)) if isinstance(data, list | tuple) else data


def symbols_of(*symbols: Any) -> dict[str, sp.Symbol]:
    """Symbols by their names, as the meanings of a vocabulary."""
    return {str(symbol): symbol for symbol in symbols}
