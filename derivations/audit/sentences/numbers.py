"""Statements about numbers at exact points that their givens allow."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

from flint import arb

from derivations.audit.sentences.values import BITS, TROUBLE, Setting, Value, ball, together
from derivations.language.evaluate import precision
from derivations.language.points import points, satisfies
from derivations.language.terms import LEAVES, as_tuples, carried_out, children
from derivations.text import DerivationError

DRAWS, POINTS, MANY = 60, 2, 60
POOL = [Fraction(n, 97) for n in (31, 53, 71, 101, 127, 149, 173, 211, 239, 263, 293, 331, 353, 389, 421, 457)]
HEADS = frozenset((*LEAVES, "+", "*", "^", "D", "at", "exp", "log", "abs", "erf", "asin", "acos", "atan"))
HEADS |= {"cosh", "sinh", "tanh", "cos", "sin"}


def of_numbers(part: Any) -> Iterator[Setting]:
    """A statement about numbers at a few points."""
    written = [as_tuples(value) for key, value in part.items() if key != "symbols"]
    for point in _points(part["symbols"], [as_tuples(relation) for relation in part.get("assuming", ())]):
        with precision(BITS):
            setting = Setting({name: ball(value) for name, value in point.items()})
            terms = Terms(setting.letters)
            for data in written:
                terms.note(data, setting)
            for relation, left, right in _relations(part):
                sides = terms.value(left), terms.value(right)
                setting.relations += [(relation, *sides)] if None not in sides else []
        yield setting


def _points(symbols: Mapping[str, list[str]], assuming: list[Any]) -> Iterator[Mapping[str, Fraction]]:
    """Points that look like no other, or else those that provers try."""
    rng, found = random.Random("sentences"), 0
    for _ in range(DRAWS):
        point = {name: _drawn(known, rng) for name, known in sorted(symbols.items())}
        if _is_allowed(point, symbols, assuming):
            found += 1
            yield point
        if found == POINTS:
            return
    tried = points({"symbols": dict(sorted(symbols.items())), "assuming": assuming}, MANY)
    yield from islice(islice(tried, 4, None, 5), POINTS - found)


def _is_allowed(point: dict[str, Fraction], symbols: Mapping[str, list[str]], assuming: list[Any]) -> bool:
    try:
        return satisfies(point, dict(symbols), assuming)
    except TROUBLE:
        return False


def _drawn(known: Iterable[str], rng: random.Random) -> Fraction:
    value = rng.choice(POOL) + Fraction(rng.randrange(1, 97), 9409)
    if "positive" in known or "nonnegative" in known:
        return value
    return -value if "negative" in known or "nonpositive" in known or rng.random() < 0.5 else value


def _relations(part: Any) -> Iterator[tuple[str, Any, Any]]:
    """The relations that a statement concludes or supposes."""
    for relation in part.get("assuming", ()):
        yield as_tuples(relation)
    if "left" in part and "right" in part:
        yield part.get("relation", "="), as_tuples(part["left"]), as_tuples(part["right"])
    for name, known in part["symbols"].items():
        for sign, relation in (("positive", ">"), ("nonnegative", ">=")):
            if sign in known:
                yield relation, ("s", name), ("q", "0")
    if part.get("kind") == "enclosure":
        yield ">", as_tuples(part["expression"]), ("q", part["lower"])
        yield ">", ("q", part["upper"]), as_tuples(part["expression"])


class Terms:
    """Formulas of numbers at one point, each evaluated once."""

    def __init__(self, letters: Mapping[str, Value]) -> None:
        self.letters = letters
        self.known: dict[Any, Value | None] = {}
        self.noted: set[Any] = set()

    def value(self, term: Any) -> Value | None:
        """The value of a term, if it is one of numbers and has one."""
        if term not in self.known:
            try:
                value = self._value(term)
            except (*TROUBLE, DerivationError):
                value = None
            self.known[term] = value if value is not None and value.is_finite() else None
        return self.known[term]

    def _value(self, term: Any) -> Value | None:
        head, *parts = term
        if head == "s":
            return self.letters[parts[0]]
        if head in ("q", "pi"):
            return ball(Fraction(parts[0])) if head == "q" else arb.pi()
        if head in ("D", "at"):
            return self.value(carried_out(term))
        values: list[Any] = [self.value(part) for part in parts]
        if any(value is None for value in values):
            return None
        if head in ("+", "*"):
            return sum(values, arb(0)) if head == "+" else prod(values, start=arb(1))
        if head == "^":
            whole = Fraction(parts[1][1]) if parts[1][0] == "q" else Fraction(1, 2)
            return values[0] ** (int(whole) if whole.denominator == 1 else values[1])
        return abs(values[0]) if head == "abs" else getattr(values[0], head)()

    def note(self, data: Any, setting: Setting) -> None:
        """Notes the values of all formulas in data, of their parts, and of what some terms or factors come to."""
        if isinstance(data, dict):
            data = tuple(map(as_tuples, data.values()))
        if not isinstance(data, tuple) or not data:
            return
        if not isinstance(data[0], str) or data[0] not in HEADS:
            for part in data:
                self.note(part, setting)
        elif data not in self.noted:
            self.noted.add(data)
            self._note(data, setting)
            for part in children(data):
                self.note(part, setting)

    def _note(self, term: Any, setting: Setting) -> None:
        head, *parts = term
        if head == "q":
            setting.numbers.add(Fraction(parts[0]))
        value = self.value(term)
        if value is None:
            return
        setting.parts.append(value)
        if head == "^":
            setting.parts += [1 / value] if not value.contains(0) else []
        if head in ("+", "*"):
            setting.parts += together([self.value(part) for part in parts], head)
