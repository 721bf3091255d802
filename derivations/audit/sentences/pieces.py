"""A sentence as pieces: the formulas that stand in it, and the words around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"<[^<>=]*[A-Za-z)]>|'s\b|[A-Za-z][A-Za-z0-9_]*(?:'(?!s\b))*|\d+(?:\.\d+)?|->|<=|>=|!=|[^\sA-Za-z0-9]"
)
JOINS = frozenset("+-*/^=<>()[]|';,") | {"->", "<=", ">=", "!="}
SIGNS = JOINS - {",", ";", "(", ")"}
RELATIONS = ("=", "<=", ">=", "!=", "->", "<", ">")
OPENING, CLOSING = frozenset("(["), frozenset(")]")
FUNCTIONS = frozenset(("exp", "ln", "log", "sqrt", "tr", "det", "diag", "erf", "asin", "acos", "atan", "max", "min"))
FUNCTIONS |= {"cosh", "sinh", "tanh", "sech", "coth", "cos", "sin"}
GREEK = frozenset(("alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "mu", "nu", "xi", "pi"))
GREEK |= {"rho", "sigma", "tau", "phi", "Phi", "omega", "theta", "Sigma"}
ARTICLES = frozenset(("a", "A", "I"))
OF_A_NAME = re.compile(r"[A-Za-z]'*|[A-Za-z]{1,2}[0-9]'*|[A-Za-z]+_[A-Za-z0-9_]+'*|d[A-Z][0-9]?'*")


@dataclass(frozen=True)
class Token:
    """A word, a number or a sign, and where it stands in the sentence."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Piece:
    """A formula, or one word of what is around formulas."""

    tokens: tuple[Token, ...]
    is_formula: bool

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    def of(self, sentence: str) -> str:
        return sentence[self.start : self.end]


def tokens(sentence: str) -> list[Token]:
    return [Token(match.group(), match.start()) for match in TOKEN.finditer(sentence)]


def pieces(sentence: str, names: Collection[str]) -> list[Piece]:
    """The pieces of a sentence in their order; `names` are those of letters of its statement.

    >>> [p.of("Then x + 1 is at most 2 y/3.") for p in pieces("Then x + 1 is at most 2 y/3.", {"x", "y"})]
    ['Then', 'x + 1', 'is', 'at', 'most', '2 y/3', '.']
    """
    return list(_split(tokens(sentence), names))


def _split(given: list[Token], names: Collection[str]) -> Iterator[Piece]:
    run: list[Token] = []
    depth = 0
    for place, token in enumerate(given):
        if _is_mathematical(given, place, names, depth):
            depth += (token.text in OPENING) - (token.text in CLOSING)
            run.append(token)
            continue
        yield from _finished(run)
        run, depth = [], 0
        yield Piece((token,), False)
    yield from _finished(run)


def _finished(run: list[Token]) -> Iterator[Piece]:
    """A formula without the signs around it that belong to the sentence."""
    before: list[Token] = []
    after: list[Token] = []
    while run and run[0].text in ",;)]'":
        before.append(run.pop(0))
    while run and (run[-1].text in ",;([" or (run[-1].text in RELATIONS)):
        after.insert(0, run.pop())
    while run and _depth(run) > 0 and run[0].text in OPENING:
        before.append(run.pop(0))
    while run and _depth(run) < 0 and run[-1].text in CLOSING:
        after.insert(0, run.pop())
    yield from (Piece((token,), False) for token in before)
    if run:
        yield Piece(tuple(run), True)
    yield from (Piece((token,), False) for token in after)


def _depth(run: list[Token]) -> int:
    return sum((t.text in OPENING) - (t.text in CLOSING) for t in run)


def _is_mathematical(given: list[Token], place: int, names: Collection[str], depth: int) -> bool:
    text = given[place].text
    if text in ARTICLES:
        return _is_after_a_number(given, place) or (text in names and _is_joined(given, place, names))
    if text[0].isdigit():
        return True
    if text == "'s":
        return False
    if text[0] == "<" and len(text) > 2:  # an average
        return True
    if text[0].isalpha():
        bare = text.rstrip("'")
        return bare in names or bare in FUNCTIONS or bare in GREEK or bool(OF_A_NAME.fullmatch(text))
    if text in (",", ";"):
        return depth > 0
    if text == "(":
        return place + 1 < len(given) and _is_mathematical(given, place + 1, names, depth)
    if text in (")", "]"):
        return depth > 0
    return text in JOINS


def _is_joined(given: list[Token], place: int, names: Collection[str]) -> bool:
    """Check whether a letter that is also an English word stands beside signs or other letters."""
    before = given[place - 1].text if place else "."
    after = given[place + 1].text if place + 1 < len(given) else "."
    if before in SIGNS or after in SIGNS or not after[0].isalpha():
        return True
    return after.rstrip("'") in names and after not in ARTICLES


def _is_after_a_number(given: list[Token], place: int) -> bool:
    """Check whether a letter is a factor, as in `2 a`, and no English word."""
    before = given[place - 1].text if place else "."
    after = given[place + 1].text if place + 1 < len(given) else "."
    return before[0].isdigit() and not after[0].isalpha()
