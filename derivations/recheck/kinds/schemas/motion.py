"""Letters that move by linear flows: what the checker asks of them before a theorem may speak of all times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data
from derivations.recheck.kinds.schemas.slots import Needs, conclusion
from derivations.recheck.kinds.words import read_letters
from derivations.recheck.kinds.words.alphabet import STEP_WORK, Block
from derivations.recheck.kinds.words.formulas import names_in

LINKS = ("inverse_of", "equals")
Formula = Any


class Courses:
    """The courses of the letters that move, and of those defined by them."""

    def __init__(self, slots: Data) -> None:
        self.slots, self.letters = slots, slots["letters"]
        self.motion, self.begin = slots["motion"], slots["begin"]
        self.values = read_letters(self.letters)
        require_that_t_is_the_time(slots)
        self.moving = moved_by(self.motion, self.letters)
        if names_in_rules(slots) & self.moving:
            raise Rejected("a hypothesis speaks of a letter that moves")
        for name, start in self.begin.items():
            if name not in self.moving or names_in(start) & self.moving:
                raise Rejected(f"the start of {name} must be a constant, and {name} must move")
        drivers = {name: self._drivers(name) for name in self.motion}
        while drivers:
            ready = {name for name, others in drivers.items() if not others & set(drivers)}
            if not ready:
                raise Rejected("letters drive each other, so that their courses could end")
            drivers = {name: others for name, others in drivers.items() if name not in ready}

    def _drivers(self, name: str) -> set[str]:
        """The letters that move another one, which is declared and starts as it must."""
        if name not in self.letters or name not in self.begin:
            raise Rejected(f"{name} moves and needs a declaration and a start")
        declared = self.letters[name]
        if {"orthonormal_columns", "positive", "nonzero", *LINKS} & set(declared):
            raise Rejected(f"{name} is declared to be what its course need not keep")
        if {"symmetric", "diagonal", "commutes_with"} & set(declared):
            start = self.values.side(self.begin[name])
            if any(numbers or word for numbers, word in start.terms):
                raise Rejected(f"{name} must start at a multiple of the identity")
        for numbers, word in self.rate(name).terms:
            factors = [n for n, _ in word] + [n for _, loop, _ in numbers for n, _ in loop]
            if factors.count(name) > 1:
                raise Rejected(f"the rate of {name} is not affine in {name}")
        return all_behind(names_in(self.motion[name]) - {name}, self.letters) & set(self.motion)

    def rate(self, name: str) -> Block:
        return self.values.side(self.motion[name])

    def defined(self, sides: Iterable[Data]) -> list[str]:
        """Letters in some sides, or behind them, that move only as their definitions do."""
        spoken = all_behind({n for side in sides for n in names_in(side)}, self.letters)
        return sorted((spoken & self.moving) - set(self.motion))

    def always_invertible(self, name: str) -> bool:
        """A letter that starts at the identity and moves by A X + X B."""
        if name not in self.motion or self.letters[name]["rows"] == 1:
            return False
        start = self.values.side(self.begin[name])
        if start.rows != start.cols or start.terms != {((), ()): Fraction(1)}:
            return False
        own = (name, False)
        return all(not numbers and word and own in (word[0], word[-1]) for numbers, word in self.rate(name).terms)

    def inverses(self, sides: Iterable[Data]) -> Needs:
        found: Needs = {}
        for name in self.defined(sides):
            base = self.letters[name].get("inverse_of")
            if base is not None and not self.always_invertible(lone_letter(base)):
                found[f"inverse {name}"] = invertible_forever(self.slots, base)
        return found

    def starts(self, sides: Iterable[Data]) -> Needs:
        found: Needs = {}
        for name in self.defined(sides):
            if name not in self.begin:
                raise Rejected(f"{name} moves with its definition and has no start")
            found[f"start of {name}"] = by_definition(self.slots, name, self.begin)
        return found


def require_that_t_is_the_time(slots: Data) -> None:
    """Conclusions call the time t, so that a letter of this name is 0 at the start and has the rate 1."""
    letters, motion = slots["letters"], slots["motion"]
    if "t" not in letters:
        return
    if "t" not in motion or ("begin" in slots and "t" not in slots["begin"]):
        raise Rejected("a constant is called t, which is the time in the conclusion")
    known = read_letters(letters)
    late = "begin" in slots and known.side(slots["begin"]["t"]).terms
    if late or known.side(motion["t"]).terms != {((), ()): Fraction(1)}:
        raise Rejected("t is not the time, which has the rate 1 and is 0 at the start")


def moved_by(names: Iterable[str], letters: Data) -> set[str]:
    found = set(names)
    grown = True
    while grown:
        spend(STEP_WORK * (1 + len(letters)))
        more = {n for n, d in letters.items() for link in LINKS if link in d and names_in(d[link]) & found} - found
        found |= more
        grown = bool(more)
    return found


def all_behind(names: Iterable[str], letters: Data, stop: Iterable[str] = ()) -> set[str]:
    """Letters and those that their declarations name, not looking behind letters in `stop`."""
    halted = set(stop)
    found: set[str] = set()
    todo = set(names) - halted
    while todo:
        name = todo.pop()
        spend(STEP_WORK)
        if name not in letters:
            raise Rejected(f"the letter {name!r} is not declared")
        found.add(name)
        declared = letters[name]
        named = set(declared.get("commutes_with", ()))
        for link in LINKS:
            named |= names_in(declared[link]) if link in declared else set()
        todo |= named - found - halted
    return found


def names_in_rules(slots: Data) -> set[str]:
    return {n for rule in slots["rules"] for n in names_in(rule["left"]) | names_in(rule["right"])}


def named_in(sides: Iterable[Data]) -> set[str]:
    return {n for side in sides for n in names_in(side)}


def by_definition(slots: Data, name: str, table: Data) -> Data:
    """That a value is what a letter's definition gives, with the values of a table for the letters in it."""
    declared, value = slots["letters"][name], table[name]
    if "equals" in declared:
        return equation(slots, value["shape"], with_values(inner(declared["equals"]), table), inner(value))
    left = ("@", with_values(inner(declared["inverse_of"]), table), inner(value))
    return equation(slots, value["shape"], left, one(value["shape"]))


def invertible_forever(slots: Data, base: Data) -> Data:
    return forever("invertible at all times", slots, base)


def forever(form: str, slots: Data, base: Data) -> Data:
    """The conclusion about one matrix, with the letters that it, the motion and the rules need, and no others."""
    motion = slots["motion"]
    begin = {name: slots["begin"][name] for name in motion}
    used = named_in([base, *motion.values(), *begin.values()]) | names_in_rules(slots) | set(motion)
    kept = all_behind(used, slots["letters"])
    fewer = {"letters": {n: d for n, d in slots["letters"].items() if n in kept}, "rules": slots["rules"]}
    return conclusion(form, fewer, matrix=base, motion=motion, begin=begin)


# --- formulas ---------------------------------------------------------------------------------------------------------


def inner(side: Data) -> Formula:
    if not isinstance(side, dict) or set(side) != {"shape", "formula"}:
        raise Rejected("a side in a slot has a shape and a formula")
    return side["formula"]


def equation(slots: Data, shape: Any, left: Formula, right: Formula) -> Data:
    sides = ({"shape": tuple(shape), "formula": formula} for formula in (left, right))
    a, b = sides
    return {"kind": "words", "letters": slots["letters"], "rules": slots["rules"], "left": a, "right": b}


def never_negative(slots: Data, shape: Any, formula: Formula, relation: str) -> Data:
    """That a matrix is positive semidefinite, or definite."""
    shape = tuple(shape)
    head = {"kind": "loewner", "letters": slots["letters"], "rules": slots["rules"], "orders": (), "relation": relation}
    sides = {"left": {"shape": shape, "formula": formula}, "right": {"shape": shape, "formula": ("0", *shape)}}
    return head | sides


def _pairs(table: Data, of: set[str]) -> Iterator[tuple[str, Formula]]:
    for name in sorted(set(table) & of):
        yield name, inner(table[name])


def with_values(formula: Formula, table: Data) -> Formula:
    """A formula with its letters replaced as a table says."""
    pairs = tuple(_pairs(table, names_in({"formula": formula})))
    return ("at", formula, pairs) if pairs else formula


def moved(formula: Formula, motion: Data, letters: Data) -> Formula:
    """The derivative of a formula whose letters, or those behind them, move."""
    return ("along", formula, tuple(_pairs(motion, all_behind(names_in({"formula": formula}), letters))))


def one(shape: Any) -> Formula:
    rows, cols = shape
    if rows != cols:
        raise Rejected("what should have an inverse is not square")
    return ("q", "1") if rows == 1 else ("I", rows)


def lone_letter(side: Data) -> str:
    formula = inner(side)
    return formula[1] if formula[0] == "L" else ""
