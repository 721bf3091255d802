"""Trees of scalar formulas as terms: letters and functions mean what the record of an entry says.

Values are compared in balls at exact points. Two sides that differ as functions agree at none of them; two that agree
at all of them are not told apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, term
from derivations.recheck.core.terms import free, free_in
from derivations.recheck.reader.parse import Tree

MINUS_ONE: Term = ("q", "-1")
HALF: Term = ("q", "1/2")
BITS, POINTS, TRIES = 192, 3, 40
SEED = 20261128
SUPPOSED = frozenset(("assuming", "symbols", "squares", "letters", "arrays", "flow", "start", "rules", "among"))
SIGNS = {"positive": ">", "nonnegative": ">="}
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class NoMeaning(Rejected):
    """A letter has no meaning, which a left side need not have."""


class Facts(NamedTuple):
    """What a record says: a relation, its hypotheses, what it says that letters are, and what it asserts."""

    leaf: tuple[str, Any, Any] | None
    given: list[tuple[str, Any, Any]]
    named: list[tuple[Any, Any]]
    said: list[Any]


class Scalars:
    """What the letters, functions and derivatives of one formula mean, checked as data."""

    def __init__(self, record: Mapping[str, Any], said: Mapping[str, Any], is_told: bool) -> None:
        self.letters = {spelling: term(value) for spelling, (_, value) in record["letters"].items() if value}
        self.functions = {name: (told[0], term(told[1])) for name, told in record["functions"].items() if told}
        self.rates = {(of, by): term(value) for of, rates in record["rates"].items() for by, value in rates.items()}
        self.names_of = {spelling: name for spelling, (name, _) in record["letters"].items()}
        self.flow = {name: term(value) for name, value in record["flow"].items()}
        self.said, self.is_told, self.upper = said, is_told, True

    # --- what is printed ----------------------------------------------------------------------------------------------

    def sides(self, tree: Tree) -> list[Term]:
        """A side as terms: one, a mean and a variance, or what is positive where events happen."""
        if tree[0] == "P":
            return [self.term(("-", part.left, part.right)) for part in tree[1:]]
        return [self.term(part) for part in tree[1:]] if tree[0] == "normal" else [self.term(tree)]

    def term(self, tree: Tree) -> Term:
        head, *parts = tree
        match head:
            case "number":
                return ("q", str(number(parts[0])))
            case "pi":
                return ("pi",)
            case "letter":
                return self.letter(parts[0])
            case "call":
                return self.called(parts[0], [self.term(part) for part in parts[1]])
            case "function":
                return (parts[0], self.term(parts[1]))
            case "dt":
                return self.derivative(*parts)
        inner = [self.term(part) for part in parts]
        match head:
            case "+" | "*":
                return (head, *inner)
            case "^":
                return ("^", inner[0], _written(inner[1]))
            case "-":
                return ("+", inner[0], ("*", MINUS_ONE, inner[1]))
            case "minus":
                return ("*", MINUS_ONE, inner[0])
            case "/":
                return ("*", inner[0], ("^", inner[1], MINUS_ONE))
            case "root":
                return ("^", inner[0], HALF)
            case "exp" | "abs":
                return (head, inner[0])
            case "pm" | "mp":
                return ("+", inner[0], inner[1] if self.upper == (head == "pm") else ("*", MINUS_ONE, inner[1]))
        raise Rejected(f"{head} has no meaning among numbers")

    def letter(self, spelling: str) -> Term:
        if spelling not in self.letters:
            raise NoMeaning(f"the record of the entry does not say what {spelling} means")
        return self.letters[spelling]

    def called(self, spelling: str, arguments: list[Term]) -> Term:
        if spelling not in self.functions or len(self.functions[spelling][0]) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {spelling} of {len(arguments)} arguments is")
        names, body = self.functions[spelling]
        if body[0] == "s" and body[1] not in names:
            return body
        return ("at", body, tuple(zip(names, arguments, strict=True)))

    def derivative(self, of: Tree, by: str) -> Term:
        """Of one letter its rate; else along the flow; else by the letter itself."""
        name = self.names_of.get(by, by)
        if of[0] == "letter" and (of[1], name) in self.rates:
            return self.rates[of[1], name]
        inside, variable = self.term(of), self.letter(by)
        if self.flow and name == "t":
            moving = sorted(free(inside) & set(self.flow))
            summed = [("*", ("D", inside, name), self.flow[name]) for name in moving]
            return ("+", *summed) if summed else ("q", "0")
        if variable[0] != "s":
            raise Rejected(f"{by} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])

    # --- what a record of a statement says ----------------------------------------------------------------------------

    @cached_property
    def facts(self) -> Facts:
        said = self.said
        is_leaf = is_formula(said.get("left")) and is_formula(said.get("right"))
        given = list(said.get("assuming", ()))
        flags = [(name, flag) for name, flags in said.get("symbols", {}).items() for flag in flags]
        given += [(SIGNS[flag], ("s", name), ("q", "0")) for name, flag in flags if flag in SIGNS]
        solved = said.get("solution")
        named = [(("s", key), value) for key, value in solved.items()] if isinstance(solved, dict) else []
        for value in self.values():
            named += [(("s", key), put) for key, put in put_in(value)]
        named += [(a, b) for order, a, b in given if order == "="]
        asserted = [value for value in self.values() if is_formula(value)]
        if self.is_told:
            asserted += [
                part[1] for value in asserted for part in parts_of(value) if part[0] == "at" and len(part) == 3
            ]
        leaf = (said.get("relation", "="), said["left"], said["right"]) if is_leaf else None
        return Facts(leaf, given, [(a, b) for a, b in named if is_formula(b)], asserted)

    def values(self) -> list[Any]:
        """What the record asserts directly, with the members of its lists."""
        own = [value for key, value in self.said.items() if key not in SUPPOSED and isinstance(value, tuple)]
        return own + [each for value in own if not is_formula(value) for each in value if isinstance(each, tuple)]

    def called_so(self, spelling: str, value: Term | None) -> Term | None:
        """What a printed letter is in the statement: the symbol of its name, if there is one, or what it means."""
        return value

    def names(self, value: Term) -> set[str]:
        return set(free_in([value]))

    def is_bare(self, value: Term) -> bool:
        return value[0] in ("s", "q", "pi")

    def same(self, one: Term, other: Term) -> bool:
        return same(one, other)


def same(one: Term, other: Term) -> bool:
    """Whether two formulas have the same values at a few points at which both have one."""
    if one == other:
        return True
    pairs = _at_points(one, other)
    return bool(pairs) and all((a - b).contains(0) and (a - b).rad() < arb(2) ** -40 for a, b in pairs)


def proportional(one: Term, other: Term) -> bool:
    """Whether one formula is a positive number times another one, at the same points."""
    ratios = [a / b for a, b in _at_points(one, other)]
    return bool(ratios) and all(ratio > 0 and (ratio - ratios[0]).contains(0) for ratio in ratios)


def _at_points(one: Term, other: Term) -> list[Any]:
    """The values of two formulas at a few points that give both a value; nothing where there are too few."""
    names, draw = sorted(free_in([one, other])), random.Random(SEED)
    pairs: list[Any] = []
    for attempt in range(TRIES):
        point = {name: _value(draw, attempt) for name in names}
        try:
            pairs.append((enclosure(one, point, BITS), enclosure(other, point, BITS)))
        except (Undefined, Rejected, ZeroDivisionError):
            continue
        if len(pairs) == POINTS:
            return pairs
    return []


def _value(draw: random.Random, attempt: int) -> Any:
    """A value of a symbol: above zero at first, and below zero too in every second try."""
    size = fmpq(draw.randint(1, 400), draw.randint(101, 199))
    return -size if attempt % 2 and draw.random() < 0.5 else size


def is_formula(data: Any) -> bool:
    if not (isinstance(data, tuple) and data and isinstance(data[0], str) and data[0] in HEADS):
        return False
    try:
        term(data)
    except (Rejected, TypeError):
        return False
    return True


def parts_of(formula: Any) -> Iterator[Any]:
    """A formula with all formulas that stand in it."""
    if isinstance(formula, tuple):
        if formula and isinstance(formula[0], str):
            yield formula
        for part in formula:
            yield from parts_of(part)


def put_in(formula: Any) -> Iterator[tuple[str, Any]]:
    """What the substitutions in a formula put in, and for which names."""
    return (pair for part in parts_of(formula) if part[0] == "at" and len(part) == 3 for pair in part[2])


def number(text: str) -> Any:
    """A printed decimal number, exactly."""
    whole, _, digits = text.partition(".")
    return fmpq(int(whole + digits), 10 ** len(digits))


def _written(exponent: Term) -> Term:
    """An exponent as a number, where it is one."""
    value = None if free(exponent) else exact(exponent, {})
    return exponent if value is None else ("q", str(value))
