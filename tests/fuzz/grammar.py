"""Random statements from a grammar: lines of text, whose names are drawn anew for every statement.

    = motion to rest, 8
    let point = one(1, p, 0)
    let rate = sometimes(1 / 5, sin(point - u), (point - u)^number(1, 3))
    unless undefined(rate)
    state by("motion towards a rest point", flow={u: rate}, start={u: 1}, point={u: point}, side="below", time=s)
    false goes_elsewhere(rate, 1, point)

A section is a kind of statement and how often it is drawn. Its names are drawn one after the other; the drawing starts
again where something holds that `unless` names. `state` says how the statement is proved; `false` is a search for
numbers that contradict it, and `at`, where it is given, whether those of a refutation do. `lines` are the values of
another section. Names are those of the file, of the module beside it, and what `Chance` can draw.
"""

from __future__ import annotations

import random
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import sympy as sp
from case_files import Cases, Meanings, define, function_of, parsed
from fuzz.drawn import Drawn

MOST_TRIES = 500  # drawings of one statement
Maker = Callable[[random.Random], Drawn]


class Chance:
    """Everything that a line can draw."""

    def __init__(self) -> None:
        self.rng = random.Random(0)

    def one(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def some(self, choices: Sequence[Any], *counts: int) -> list[Any]:
        return self.rng.sample(choices, self.rng.choice(counts))

    def number(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def chance(self, share: Any) -> bool:
        return self.rng.random() < share

    def sometimes(self, share: Any, then: Any, otherwise: Any) -> Any:
        return then if self.chance(share) else otherwise

    def words(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("rng", "one", "some", "number", "chance", "sometimes")}


class Grammar:
    """The kinds of statements of the case file of a module, and how often each is drawn."""

    def __init__(self, module: str, words: dict[str, Any]) -> None:
        self.chance = Chance()
        self.cases = Cases(module, words | self.chance.words() | {"lines": cache(lambda name: self.cases[name])})

    def makers(self) -> dict[str, tuple[Maker, int]]:
        kinds = [name.rpartition(", ") for name in self.cases.sections if name[-1].isdigit()]
        return {kind: (self._maker(kind, f"{kind}, {often}"), int(often)) for kind, _, often in kinds}

    def _maker(self, kind: str, section: str) -> Maker:
        def drawn(rng: random.Random) -> Drawn:
            self.chance.rng.seed(rng.getrandbits(64))
            return next(one for _ in range(MOST_TRIES) for one in self._drawn(kind, self.cases.sections[section]))

        return drawn

    def _drawn(self, kind: str, lines: list[str]) -> Iterator[Drawn]:
        """The statement that is drawn, or nothing where something holds that must not."""
        names, said = Meanings(), dict[str, Callable[[], Any]]()
        words = ChainMap(names, *self.cases.words.maps)
        for line in lines:
            word, _, text = line.partition(" ")
            if word == "let":
                define(line, names, words)
                _ = names[next(reversed(names))]  # it is drawn now
            else:
                said[word] = function_of([], parsed(text), words)
                if word == "unless" and said[word]():
                    return
        search = said["false"]()
        at_a_point = said["at"]() if "at" in said else getattr(search, "at", None)
        says = ", ".join(f"{name} = {value}" for name, value in names.items() if not callable(value))
        yield Drawn(kind, says, said["state"], search, at_a_point)


def undefined(*formulas: Any) -> bool:
    """Check whether SymPy has found that a formula has no value, or wrote it as nothing that is stated."""
    strange = sp.zoo, sp.oo, -sp.oo, sp.nan, sp.I, sp.AccumBounds, sp.Limit
    return any(sp.sympify(formula).has(*strange) for formula in formulas)
