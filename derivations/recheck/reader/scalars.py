"""Trees of scalar formulas as terms: letters and functions mean what the record of an entry says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from derivations.recheck.core.balls import exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, term
from derivations.recheck.core.terms import free
from derivations.recheck.reader.parse import Tree

MINUS_ONE: Term = ("q", "-1")
HALF: Term = ("q", "1/2")


class NoMeaning(Rejected):
    """A letter has no meaning, which a left side need not have."""


class Meaning:
    """What the letters, functions and derivatives of one formula mean, checked as data."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.letters = {spelling: term(value) for spelling, value in record["letters"].items() if value}
        self.functions = {name: (told[0], term(told[1])) for name, told in record["functions"].items() if told}
        self.rates = {spelling: term(value) for spelling, value in record["rates"].items()}
        self.flow = {name: term(value) for name, value in record["flow"].items()}
        self.upper = True

    def sides(self, tree: Tree) -> list[Term]:
        """A side as terms: one, or the mean and the variance of a distribution."""
        return [self.term(part) for part in tree[1:]] if tree[0] == "normal" else [self.term(tree)]

    def term(self, tree: Tree) -> Term:
        head, *parts = tree
        match head:
            case "number":
                return ("q", str(_number(parts[0])))
            case "pi":
                return ("pi",)
            case "letter":
                return self.letter(parts[0])
            case "call":
                return self.called(parts[0], [self.term(part) for part in parts[1]])
            case "function":
                return (parts[0], self.term(parts[1]))
            case "d":
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
        if of[0] == "letter" and of[1] in self.rates:
            return self.rates[of[1]]
        inside, variable = self.term(of), self.letter(by)
        if self.flow:
            moving = sorted(free(inside) & set(self.flow))
            summed = [("*", ("D", inside, name), self.flow[name]) for name in moving]
            return ("+", *summed) if summed else ("q", "0")
        if variable[0] != "s":
            raise Rejected(f"{by} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])


def _number(text: str) -> Any:
    whole, _, digits = text.partition(".")
    return fmpq(int(whole + digits), 10 ** len(digits))


def _written(exponent: Term) -> Term:
    """An exponent as a number, where it is one."""
    value = None if free(exponent) else exact(exponent, {})
    return exponent if value is None else ("q", str(value))
