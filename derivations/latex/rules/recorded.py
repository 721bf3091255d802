"""The record that a ledger keeps of a printed formula beside its LaTeX: what its letters mean, for the checker's own
reader.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.language.sums import Index, Sums
from derivations.language.terms import NotExact, Term, as_expression, from_sympy
from derivations.language.words import Words, declarations
from derivations.language.words.blocks import Blocks
from derivations.latex.fold import NotThisKind, to_sympy
from derivations.latex.formula import UNREAD, Formula
from derivations.latex.notation import Entry, Notation
from derivations.latex.rules.indexed import Indexed
from derivations.latex.tokens import tokenise
from derivations.latex.tree import nodes

Json = dict[str, Any]
NO_MEANING = (NotThisKind, NotExact)
HALF: Term = ("q", "1/2")
COMPUTED = frozenset(("sum", "index", "none", "matrix", "norm2"))  # operators that the checker carries out itself


def record(formula: Formula) -> Json:
    """Return what the letters of a formula mean, and what operators make of their arguments in it."""
    try:
        kinds = {part.kind for part in formula.relations()}
    except UNREAD as trouble:
        return {"kind": "unread", "why": str(trouble)}
    if len(kinds) != 1:
        return {"kind": "unread", "why": "it speaks of numbers, and of matrices or sums as well: print these apart"}
    (kind,) = kinds
    made = _Scalars(formula) if kind == "scalars" else _Objects(formula)
    return {
        "kind": kind,
        "reads": formula.reads or formula.latex,
        "supposed": formula.supposed,
        "link": formula.pick,
        "left_is": formula.left_is,
        "averages": list(made.notation.averages),
        "transposes": formula.transposes(),
        **made.meanings(),
    }


class _Record:
    """The letters and functions of a notation that stand in a formula."""

    def __init__(self, formula: Formula, kind: str) -> None:
        self.formula = formula
        notation: Notation = getattr(formula.vocabulary, kind)
        self.notation = notation.extended(dict(formula.symbols)) if formula.symbols else notation
        self.used = list(_used(formula.reads or formula.latex, self.notation))


class _Scalars(_Record):
    def __init__(self, formula: Formula) -> None:
        super().__init__(formula, "scalars")
        self.known: Mapping[str, Any] = {**formula.vocabulary.meanings, **formula.meanings}

    def meanings(self) -> Json:
        used = self.used
        letters = {s: [_name(e["atom"]), self._letter(e["atom"])] for s, e in used if "atom" in e}
        roots = {s: e["norm"] for s, e in used if "norm" in e and "atom" not in e}
        letters |= {s: [f"root of {_name(norm)}", self._root(norm)] for s, norm in roots.items()}
        return {
            "letters": letters,
            "functions": {s: self._function(entry["function"]) for s, entry in used if "function" in entry},
            "rates": {s: meant for s, e in used if "atom" in e and (meant := self._rates(e["atom"]))},
            "flow": dict(self._flow()),
        }

    def _letter(self, atom: Any) -> Any:
        """The term of a letter; nothing where it has no meaning, as a left side need not have one."""
        try:
            return from_sympy(to_sympy(tuple(atom), self.known))
        except NO_MEANING:
            return None

    def _root(self, norm: Any) -> Any:
        square = self._letter(norm)
        return square and ("^", square, HALF)

    def _function(self, name: Any) -> Any:
        meaning = self.known.get(str(name))
        if not callable(meaning) or isinstance(meaning, sp.Basic):
            return str(name)
        names = [f"argument {k}" for k in range(1, len(inspect.signature(meaning).parameters) + 1)]
        return [names, from_sympy(meaning(*(sp.Symbol(each, real=True) for each in names)))]

    def _rates(self, atom: Any) -> Json:
        """The derivatives of one letter that have meanings of their own, by what they are taken by."""
        rates = {by: self._letter(("dt", atom, by)) for by in _variables(self.formula.tree)} if atom[0] == "s" else {}
        return {by: rate for by, rate in rates.items() if rate is not None}

    def _flow(self) -> Iterator[tuple[str, Term]]:
        """How fast the symbols of the formula move, where the time derivative of an expression has a meaning."""
        along = self.known.get("dt")
        if not callable(along):
            return
        symbols = {s for name in self.known for s in getattr(self.known[name], "free_symbols", ())}
        for symbol in sorted(symbols, key=str):
            if (rate := as_expression(along(symbol, "t"))) != 0:
                yield symbol.name, from_sympy(rate)


class _Objects(_Record):
    """Formulas about matrices and sums: what operators made of their arguments is watched while it is read."""

    def __init__(self, formula: Formula) -> None:
        super().__init__(formula, "objects")
        self.watched: list[tuple[str, tuple[Any, ...], Any]] = []
        rules = {name: self._watching(name, rule) for name, rule in formula.vocabulary.rules.items()}
        self.vocabulary = formula.vocabulary
        self.formula = replace(formula, vocabulary=replace(formula.vocabulary, rules=rules))
        self.sides = [side for part in self.formula.relations() for side in _both(part)]

    def _watching(self, name: str, rule: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            made = rule(*arguments)
            if name not in COMPUTED:
                self.watched.append((name, arguments, made))
            return made

        return watched

    def meanings(self) -> Json:
        names = set(_names(self.formula.tree))
        known = {**self.formula.vocabulary.letters, **self.formula.letters}
        atoms = {s: e["atom"] for s, e in self.used if "atom" in e and set(_names(tuple(e["atom"]))) <= names}
        letters = {s: (_name(atom), known.get(_name(atom), _joined(atom, known))) for s, atom in atoms.items()}
        values = [*self.sides, *(m for _, m in letters.values())]
        values += [each for _, arguments, made in self.watched for each in (*arguments, made)]
        self.other = _other_names(values)
        operators = {s: str(e["function"]) for s, e in self.used if "function" in e and str(e["function"]) in names}
        printed: Mapping[str, Index] = getattr(self.vocabulary.rules.get("sum"), "known", {})
        listed = {
            repr(row): row for row in ([n, [*map(self._data, a)], self._data(made)] for n, a, made in self.watched)
        }
        return {
            "letters": {s: [name, self._data(meaning)] for s, (name, meaning) in letters.items()},
            "functions": operators,
            "known": list(listed.values()),
            "declared": {**declarations(_words(values)), **_arrays(values, self.other)},
            "indices": {i.name: i.range.name for value in [*values, *printed.values()] for i in _indices(value)},
            "printed": {name: index.name for name, index in printed.items() if name in names},
            "unprinted": next((v.unprinted.name for v in values if isinstance(v, Indexed) and v.unprinted), None),
            "settled": _settled(self.sides) if self.formula.vocabulary.settle else [],
        }

    def _data(self, meaning: Any) -> Any:
        """A meaning as the data of statements."""
        match meaning:
            case None | str():
                return meaning
            case Index():
                return ["index", meaning.name]
            case Fraction():
                return ["q", str(meaning)]
            case Blocks():
                return ["matrix", [[entry.formula for entry in row] for row in meaning.rows]]
            case Words():
                return meaning.formula
        of = meaning.value if isinstance(meaning, Indexed) else meaning
        return _renamed(of.formula, {n: self.other.get((n, a.ranges), n) for n, a in _arrays_in(of).items()})


def _name(atom: Any) -> str:
    """The name that a notation gives a spelling; nothing where it stands for a formula in names."""
    return str(atom[1]) if atom[0] == "s" else ""


def _joined(atom: Any, known: Mapping[str, Any]) -> Any:
    """The meaning of a spelling that stands for a product or a transpose of names; nothing where one has none."""
    try:
        match atom[0]:
            case "s":
                return None
            case "T":
                return known[atom[1][1]].T
            case "*":
                first, second = (known[part[1]] for part in atom[1:])
                return first @ second
    except KeyError:
        pass
    return None


def _both(part: Formula) -> Iterator[Any]:
    """The sides of a relation that have a meaning."""
    for side in ("left", "right"):
        try:
            yield getattr(part, side)
        except UNREAD:
            continue


def _names(tree: Any) -> Iterator[str]:
    """The names of symbols, functions and indices in a tree."""
    for node in nodes(tree):
        if node[:1] and node[0] in ("s", "call", "index", "dt"):
            yield str(node[2 if node[0] == "dt" else 1])


def _variables(tree: Any) -> set[str]:
    """Return what derivatives in a tree are taken by."""
    return {str(node[2]) for node in nodes(tree) if node[:1] == ("dt",)}


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Blocks):
        yield from (entry for row in value.rows for entry in row)
    else:
        yield value.value if isinstance(value, Indexed) else value


def _words(values: Iterable[Any]) -> list[Words]:
    return [part for value in values for part in _parts(value) if isinstance(part, Words)]


def _sums(values: Iterable[Any]) -> list[Sums]:
    return [part for value in values for part in _parts(value) if isinstance(part, Sums)]


def _arrays_in(of: Sums) -> Mapping[str, Any]:
    return {**of.mentioned_arrays, **of.arrays}


def _other_names(values: list[Any]) -> dict[Any, str]:
    """Names for arrays that stand for all samples where one of their name, which stands in the sides, does not."""
    first: dict[str, Any] = {}
    other: dict[Any, str] = {}
    for of in _sums(values):
        for name, array in _arrays_in(of).items():
            if first.setdefault(name, array.ranges) != array.ranges:
                other[name, array.ranges] = "_".join([name, *(each.name for each in array.ranges)])
    return other


def _arrays(values: list[Any], other: Mapping[Any, str]) -> Json:
    arrays = [array for of in _sums(values) for array in _arrays_in(of).values()]
    return {other.get((array.name, array.ranges), array.name): array.declared() for array in arrays}


def _indices(value: Any) -> Iterator[Index]:
    if isinstance(value, Index):
        yield value
    yield from (Index(name, of) for each in _sums([value]) for name, of in each.mentioned_indices.items())


def _renamed(formula: Any, names: Mapping[str, str]) -> Any:
    """A formula about sums in which some arrays have another name."""
    if not isinstance(formula, tuple | list):
        return formula
    if formula[:1] and isinstance(formula[0], str) and formula[0] in names:
        return [names[formula[0]], *(_renamed(part, names) for part in formula[1:])]
    if len(formula) > 1 and formula[0] == "A":
        return ["A", names.get(formula[1], formula[1]), *formula[2:]]
    return [_renamed(part, names) for part in formula]


def _settled(sides: list[Any]) -> list[Any]:
    """Return what is put in for letters in both sides, after they are read."""
    tables = [part.formula[2] for part in _words(sides) if part.formula[0] == "at"]
    return [[name, value] for name, value in dict(pair for table in tables for pair in table).items()]


def _used(latex: str, notation: Notation) -> Iterator[tuple[str, Entry]]:
    """The entries of a notation that may stand in a formula, with their spellings."""
    signs = _chained(token.text for token in tokenise(latex))
    for spelling, entry in notation.table.items():
        if _chained(spelling) in signs:
            yield " ".join(spelling), entry


def _chained(signs: Iterable[str]) -> str:
    return "\0".join(["", *signs, ""])
