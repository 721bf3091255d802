"""What a ledger records of a printed formula beside its LaTeX: what its letters mean, for the checker's own reader."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact, Term, as_expression, from_sympy
from derivations.latex.fold import NotThisKind, to_sympy
from derivations.latex.formula import UNREAD, Formula
from derivations.latex.notation import Entry, Notation
from derivations.latex.tokens import tokenise

Json = dict[str, Any]
NO_MEANING = (NotThisKind, NotExact)
HALF: Term = ("q", "1/2")


def record(formula: Formula) -> Json:
    """The letters, functions and rates of change that stand in a formula of scalars; of other formulas their kind."""
    try:
        kinds = {part.kind for part in formula.relations()}
    except UNREAD as trouble:
        return {"kind": "unread", "why": str(trouble)}
    if "P" in set(_heads(formula.tree)):
        return {"kind": "unread", "why": "it speaks of chances"}
    if kinds != {"scalars"}:
        return {"kind": "unread", "why": "it speaks of matrices, or of sums over indices"}
    found = _Record(formula)
    return {
        "kind": "scalar",
        "reads": formula.reads or formula.latex,
        "supposed": formula.supposed,
        "link": formula.pick,
        "left_is": formula.left_is,
        "letters": found.letters,
        "functions": found.functions,
        "rates": found.rates,
        "flow": found.flow,
    }


def _heads(tree: Any) -> Iterator[str]:
    """The heads of all parts of a tree."""
    if isinstance(tree, tuple) and tree:
        yield str(tree[0])
        for part in tree:
            yield from _heads(part)


class _Record:
    def __init__(self, formula: Formula) -> None:
        self.meanings: Mapping[str, Any] = {**formula.vocabulary.meanings, **formula.meanings}
        notation = formula.vocabulary.scalars
        notation = notation.extended(dict(formula.symbols)) if formula.symbols else notation
        used = list(_used(formula.reads or formula.latex, notation))
        self.letters = {s: self._letter(entry["atom"]) for s, entry in used if "atom" in entry}
        roots = {s: self._letter(entry["norm"]) for s, entry in used if "norm" in entry and "atom" not in entry}
        self.letters |= {spelling: square and ("^", square, HALF) for spelling, square in roots.items()}
        self.functions = {s: self._function(entry["function"]) for s, entry in used if "function" in entry}
        self.rates = {s: meant for s, e in used if "atom" in e and (meant := self._rate(e["atom"]))}
        self.flow = dict(self._flow())

    def _letter(self, atom: Any) -> Any:
        """The term of a letter; nothing where it has no meaning, as a left side need not have one."""
        try:
            return from_sympy(to_sympy(tuple(atom), self.meanings))
        except NO_MEANING:
            return None

    def _function(self, name: Any) -> Any:
        meaning = self.meanings.get(str(name))
        if not callable(meaning) or isinstance(meaning, sp.Basic):
            return None
        names = [f"argument {k}" for k in range(1, len(inspect.signature(meaning).parameters) + 1)]
        return [names, from_sympy(meaning(*(sp.Symbol(each, real=True) for each in names)))]

    def _rate(self, atom: Any) -> Any:
        """The time derivative of one letter, where it has a meaning of its own."""
        return self._letter(("dt", atom, "t")) if atom[0] == "s" else None

    def _flow(self) -> Iterator[tuple[str, Term]]:
        """How fast the symbols of the formula move, where the time derivative of an expression has a meaning."""
        along = self.meanings.get("dt")
        if not callable(along):
            return
        symbols = {s for name in self.meanings for s in getattr(self.meanings[name], "free_symbols", ())}
        for symbol in sorted(symbols, key=str):
            if (rate := as_expression(along(symbol, "t"))) != 0:
                yield symbol.name, from_sympy(rate)


def _used(latex: str, notation: Notation) -> Iterator[tuple[str, Entry]]:
    """The entries of a notation that may stand in a formula, with their spellings."""
    signs = [token.text for token in tokenise(latex)]
    for spelling, entry in notation.table.items():
        if any(tuple(signs[k : k + len(spelling)]) == spelling for k in range(len(signs))):
            yield " ".join(spelling), entry
