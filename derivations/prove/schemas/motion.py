"""Letters that move: that their courses exist for all times, and keep what the letters are declared to be.

A course is what a linear flow makes of a start. Each rate is affine in its own letter, and else speaks only of
constants and of letters further up, so that solutions exist for all times.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from derivations.language.words import Words
from derivations.language.words.algebra import name_of
from derivations.language.words.formulas import Reader, mentioned
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import SlotError, concluded, words

Formula = Any
TIME = "t"
UNSTEADY = ("orthonormal_columns", "positive", "nonzero")


class Motion:
    """The moving letters of some slots, and all letters that move with them."""

    def __init__(self, slots: Json) -> None:
        self.slots, self.letters = slots, slots["letters"]
        self.motion, self.begin = slots["motion"], slots["begin"]
        self.reader = Reader(self.letters)
        keep_the_time(slots)
        self.moving = moving_with(self.motion, self.letters)
        spoken = {name for rule in slots["rules"] for side in ("left", "right") for name in mentioned(rule[side])}
        if tied := sorted(spoken & self.moving):
            raise SlotError(f"{tied[0]} moves, so that no hypothesis may speak of it")
        for name in self.motion:
            self._check_letter(name)
        for name, side in self.begin.items():
            if name not in self.moving or mentioned(side) & self.moving:
                raise SlotError(f"the start of {name} must be a constant, and {name} a letter that moves")
        self._check_order()

    def _check_letter(self, name: str) -> None:
        declared = self.letters[name]
        if any(key in declared for key in UNSTEADY) or name not in self.begin:
            raise SlotError(f"{name} moves, so it needs a start, and has neither a sign nor orthonormal columns")
        kept = any(key in declared for key in ("symmetric", "diagonal", "commutes_with"))
        if kept and not is_number(self.value(self.begin[name])):
            raise SlotError(f"{name} must start at a multiple of the identity, to begin as it is declared to be")
        for scalars, outer in self.value(self.motion[name]).terms:
            if sum(name_of(f) == name for part in (*scalars, outer) for f in part) > 1:
                raise SlotError(f"the rate of {name} must be affine in {name}: its course could end")

    def _check_order(self) -> None:
        """No letter drives itself through others."""
        waiting = {name: self.drivers(name) for name in self.motion}
        while waiting:
            free = [name for name, drivers in waiting.items() if not drivers & set(waiting)]
            if not free:
                raise SlotError(f"{', '.join(sorted(waiting))} drive each other: their courses could end")
            for name in free:
                del waiting[name]

    def drivers(self, name: str) -> set[str]:
        """The moving letters in the rate of a letter, itself left out where it stands there openly."""
        spoken = mentioned(self.motion[name])
        inside = behind(spoken - {name}, self.letters) & set(self.motion)
        return inside

    def value(self, side: Json) -> Words:
        return self.reader.side(side)

    def derived(self, *sides: Json) -> list[str]:
        """The letters in these sides, and behind them, that move with their definitions."""
        spoken = behind({name for side in sides for name in mentioned(side)}, self.letters)
        return sorted(name for name in spoken & self.moving if name not in self.motion)

    def keeps_inverse(self, name: str) -> bool:
        """Whether a letter moves by A X + X B from the identity, so that it has an inverse at all times."""
        if name not in self.motion or self.value(self.begin[name]).terms != {((), ()): 1}:
            return False
        terms = self.value(self.motion[name]).terms
        ends = (outer and name in (outer[0], outer[-1]) and not scalars for scalars, outer in terms)
        return all(ends) and self.letters[name]["rows"] != 1

    def inverses(self, *sides: Json) -> dict[str, Json]:
        """What must be shown of the inverses in these sides: that their matrices keep having one."""
        needs = {}
        for name in self.derived(*sides):
            base = self.letters[name].get("inverse_of")
            if base is None or self.keeps_inverse(lone(base)):
                continue
            needs[f"inverse {name}"] = invertible(self.slots, base)
        return needs

    def starts(self, *sides: Json) -> dict[str, Json]:
        """What must be shown of the starts of letters that move with their definitions."""
        needs = {}
        for name in self.derived(*sides):
            if name not in self.begin:
                raise SlotError(f"{name} moves with its definition: give what it is at the start")
            needs[f"start of {name}"] = derived_value(self.slots, name, self.begin)
        return needs


def derived_value(slots: Json, name: str, table: Json) -> Json:
    """That a letter's value follows from its definition, where other letters have the values of a table."""
    declared, value = slots["letters"][name], table[name]
    if "equals" in declared:
        return equation(slots, value["shape"], placed(declared["equals"], table), of(value))
    product = ("@", placed(declared["inverse_of"], table), of(value))
    return equation(slots, value["shape"], product, unit(value))


def invertible(slots: Json, base: Json) -> Json:
    """The conclusion that a matrix of moving letters has an inverse at all times."""
    return at_all_times("invertible", slots, base)


def at_all_times(what: str, slots: Json, base: Json) -> Json:
    """The conclusion that a matrix of moving letters is something at all times, under no more than it speaks of."""
    motion, begin = slots["motion"], {name: slots["begin"][name] for name in sorted(slots["motion"])}
    rules = [rule[side] for rule in slots["rules"] for side in ("left", "right")]
    spoken = {name for side in (base, *motion.values(), *begin.values(), *rules) for name in mentioned(side)}
    kept = behind(spoken | set(motion), slots["letters"])
    less = {**slots, "letters": {name: slots["letters"][name] for name in sorted(kept)}}
    return concluded(f"{what} at all times", less, matrix=base, motion=motion, begin=begin)


def keep_the_time(slots: Json) -> None:
    """Refuses a letter t that is not the time, which has this name in the sentences of theorems about motion."""
    if TIME in slots["letters"]:
        reader, motion, begin = Reader(slots["letters"]), slots["motion"], slots.get("begin")
        runs = TIME in motion and reader.side(motion[TIME]).terms == {((), ()): 1}
        from_zero = begin is None or (TIME in begin and not reader.side(begin[TIME]).terms)
        if not runs or not from_zero:
            raise SlotError("t is the time in what is concluded, so it moves at the rate 1 from 0: rename the constant")


def moving_with(motion: Iterable[str], letters: Json) -> set[str]:
    """The letters that move, with those that are defined by them."""
    found = set(motion)
    while more := {
        name
        for name, declared in letters.items()
        for link in ("inverse_of", "equals")
        if name not in found and link in declared and mentioned(declared[link]) & found
    }:
        found |= more
    return found


def behind(names: Iterable[str], letters: Json, known: Iterable[str] = ()) -> set[str]:
    """Letters with all letters that their declarations mention, but for those behind known ones."""
    found: set[str] = set()
    waiting = [name for name in names if name not in {*known}]
    while waiting:
        name = waiting.pop()
        if name not in letters:
            raise SlotError(f"the letter {name} is not declared")
        if name not in found:
            found.add(name)
            links = [letters[name][link] for link in ("inverse_of", "equals") if link in letters[name]]
            more = {*letters[name].get("commutes_with", ()), *(n for side in links for n in mentioned(side))}
            waiting += sorted(more - {*known})
    return found


def lone(side: Json) -> str:
    """The letter that a side is, or nothing."""
    formula = of(side)
    return str(formula[1]) if formula[0] == "L" else ""


def is_number(value: Words) -> bool:
    return all(not outer and not scalars for scalars, outer in value.terms)


# --- formulas ---------------------------------------------------------------------------------------------------------


def of(side: Json) -> Formula:
    """The formula of a side."""
    return side["formula"]


def equation(slots: Json, shape: Any, left: Formula, right: Formula) -> Json:
    return words(slots, {"shape": list(shape), "formula": left}, {"shape": list(shape), "formula": right})


def placed(side: Json, table: Json) -> Formula:
    """A side with letters replaced; as it is where nothing is replaced."""
    return replaced(of(side), table)


def replaced(formula: Formula, table: Json) -> Formula:
    """The formula with the letters of a table that stand in it replaced."""
    spoken = mentioned({"formula": formula})
    pairs = tuple((name, of(table[name])) for name in sorted(table) if name in spoken)
    return ("at", formula, pairs) if pairs else formula


def along(formula: Formula, motion: Json, letters: Json) -> Formula:
    """The derivative of the formula, with the rates of the letters in it and behind it."""
    spoken = behind(mentioned({"formula": formula}), letters)
    return ("along", formula, tuple((name, of(motion[name])) for name in sorted(motion) if name in spoken))


def unit(side: Json) -> Formula:
    rows, cols = side["shape"]
    if rows != cols:
        raise SlotError("only a square matrix has an inverse")
    return ("q", "1") if rows == 1 else ("I", rows)
