"""A place in the tokens of a formula: looking ahead, taking tokens, brackets that must close, messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from derivations.language.terms import Term

from .notation import Notation, spelling
from .tokens import BUILT_IN, KINDS, MATRICES, RELATION_SIGNS, CannotRead, Token, ambiguous, closing, complain, tokenise

T = TypeVar("T")
OPENING_BARS = (r"\left", r"\lv", r"\lV", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl")  # how they are spelled
OPENS_AN_OPERAND = frozenset(("(", "[", "{"))


class Cursor:
    """A place in the tokens of one formula, and what has been read before it."""

    def __init__(self, source: str, notation: Notation) -> None:
        self.source, self.notation = source, notation
        self.tokens = tokenise(source)
        self.i = 0
        self.open: list[Token] = []
        self.integrals = 0
        self.divisors: list[Term] = []
        self.summed: list[
            tuple[str, int]
        ] = []  # indices of the sums that are read at this place, and where each begins
        self.ended: frozenset[str] = frozenset()  # those of sums that stand before it in the same sum of terms
        self.depth = 0
        self.last_relation: tuple[list[Term], list[str]] = ([], [])

    # --- tokens -------------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    def wrong(self, what: str, token: Token | None = None) -> CannotRead:
        return complain(self.source, (token or self.token).at, what)

    def two_ways(self, case: str, token: Token | None = None, **names: str) -> CannotRead:
        return ambiguous(self.source, (token or self.token).at, case, **names)

    def take(self, text: str, why: str) -> Token:
        if self.token.text != text or self.token.kind == "stop":
            raise self.wrong(f"{text!r} was expected {why}")
        self.i += 1
        return self.tokens[self.i - 1]

    def skip(self, *texts: str) -> bool:
        if self.token.kind != "stop" and self.token.text in texts:
            self.i += 1
            return True
        return False

    def expect_end(self) -> None:
        if self.token.kind != "stop":
            raise self.wrong(f"the formula could not be read beyond this point ({self.token.text!r} does not fit here)")

    def enclosed(self, closing: str, rule: Callable[[], T]) -> T:
        """Return what `rule` reads between the bracket at this place and the one that closes it."""
        opening = self.token
        self.open.append(opening)
        self.i += 1
        value = rule()
        if self.token.text != closing or self.token.kind == "stop":
            raise self.wrong(f"{closing!r} was expected, which closes the {opening.text!r} at character {opening.at}")
        self.i += 1
        self.open.pop()
        return value

    def since(self, start: int) -> str:
        return "".join(t.text for t in self.tokens[start : self.i])

    def closing_brace(self, opening: int) -> int:
        if (end := closing(self.tokens, opening)) < 0:
            raise self.wrong("this brace is never closed", self.tokens[opening])
        return end

    def stands(self, name: str, start: int, end: int) -> bool:
        """Check whether the name of an index stands in some of the tokens."""
        texts, parts = [token.text for token in self.tokens[start:end]], [*spelling(name)]
        return any(texts[k : k + len(parts)] == parts for k in range(len(texts)))

    def begins_operand(self) -> bool:
        token = self.token
        if self.integrals and self.at_differential():
            return False
        if token.kind in ("number", "letter"):
            return True
        if token.kind == "begin":
            return token.text in MATRICES
        if token.kind == "text":
            return token.text in BUILT_IN or bool(self.notation.match(self.tokens, self.i)[0])
        if token.text in ("|", "||"):
            opens = token.spelled.startswith(OPENING_BARS)
            return opens or not (self.open and self.open[-1].text == token.text)
        if token.kind == "command":
            return token.text not in KINDS["never_an_operand"] and token.text not in RELATION_SIGNS
        return token.text in OPENS_AN_OPERAND

    def at_differential(self) -> bool:
        if self.token.text not in (r"\mathrm{d}", "d") or self.notation.match(self.tokens, self.i)[0] > 1:
            return False
        return self.tokens[self.i + 1].kind in ("letter", "command")
