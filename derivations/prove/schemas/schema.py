"""What a schema is, and the statements that schemas are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from derivations.language.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    carried_out,
    children,
    fraction_of,
    rational,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import asked
from derivations.text import DerivationError

NONZERO = {"positive", "negative", "nonzero"}
SCALARS, MATRICES, STATEMENTS = "scalars", "matrices", "statements"


@dataclass(frozen=True)
class Use:
    """What a schema makes of its slots: the statements that it needs, by role, and the one that it concludes."""

    needs: dict[str, Json]
    concludes: Json


@dataclass(frozen=True)
class Schema:
    """A theorem with slots.

    says: the theorem in words. conditions: everything that its hypotheses ask for, in words. slots: what kind of thing
    stands in each slot. about: scalars (the slots come with symbols and hypotheses), matrices (with letters and rules),
    or statements. use: the needed statements and the conclusion, computed from the slots as data.
    """

    name: str
    says: str
    conditions: str
    citation: str
    about: str
    slots: dict[str, str]
    use: Callable[[Json], Use]


class SlotError(DerivationError):
    """What stands in the slots makes no use of the schema; the message is one sentence."""


def identity(slots: Json, left: Term, right: Term, *extra: Term) -> Json:
    """An identity under the hypotheses of the slots, and further ones."""
    return {"kind": "identity", **setting(slots, *extra), "left": left, "right": right}


def positive(slots: Json, term: Term, *extra: Term) -> Json:
    """That a term is positive, under the hypotheses of the slots and further ones."""
    return {"kind": "sign", **setting(slots, *extra), "relation": ">", "left": term, "right": ZERO}


def at_least(slots: Json, left: Term, right: Term, *extra: Term) -> Json:
    """That one term is at least another, under the hypotheses of the slots and further ones."""
    return {"kind": "sign", **setting(slots, *extra), "relation": ">=", "left": left, "right": right}


def setting(slots: Json, *extra: Term) -> Json:
    return {"symbols": slots["symbols"], "assuming": [*slots["assuming"], *extra]}


def words(slots: Json, left: Json, right: Json) -> Json:
    """An equation between matrices under the declarations and rules of the slots."""
    return {"kind": "words", "letters": slots["letters"], "rules": slots["rules"], "left": left, "right": right}


def ordered(slots: Json, relation: str, left: Json) -> Json:
    """An inequality between a matrix and zero, under the declarations and rules of the slots."""
    zero = {"shape": left["shape"], "formula": ("0", *left["shape"])}
    sides = {"relation": relation, "left": left, "right": zero}
    return {"kind": "loewner", "letters": slots["letters"], "rules": slots["rules"], "orders": [], **sides}


def concluded(form: str, slots: Json, **parts: object) -> Json:
    """A conclusion of a form of its own, under the hypotheses of the slots."""
    kept = ("symbols", "assuming") if "symbols" in slots else ("letters", "rules")
    return {"kind": "concluded", "form": form, **{key: slots[key] for key in kept}, **parts}


def minus(term: Term) -> Term:
    return ("*", MINUS_ONE, term)


def total(terms: Iterable[Term]) -> Term:
    return ("+", ZERO, *terms)


def numbered(name: str, statements: Iterable[Json]) -> dict[str, Json]:
    return {f"{name} {k}": statement for k, statement in enumerate(statements, 1)}


def with_values(slots: Json, *terms: Term) -> dict[str, Json]:
    """That terms of which the conclusion does not speak have values wherever its hypotheses hold."""
    found = dict.fromkeys(demand for term in terms for demand in asked(term, slots["symbols"]))
    return numbered("has a value", ({**positive(slots, what), "relation": order} for order, what in found))


def sign_of(name: str, told: str) -> Term:
    """The term that is positive strictly inside of the region in which a symbol has an assumption."""
    symbol: Term = ("s", name)
    if told == "nonzero":
        return ("^", symbol, rational(2))
    return symbol if told in ("positive", "nonnegative") else minus(symbol)


def strongest(told: list[str]) -> list[str]:
    """The assumptions on a symbol from which the others follow."""
    strict = [t for t in told if t in ("positive", "negative")]
    return strict or told


def without(names: Iterable[str], terms: Iterable[Term]) -> None:
    """Refuses terms or relations that speak of symbols that a theorem binds."""
    bound = {*names}
    for term in terms:
        found = sorted(bound & symbols_in(term))
        if found:
            raise SlotError(f"{found[0]} is bound by the theorem, so hypotheses and values must not speak of it")


def keep_the_time_apart(slots: Json) -> None:
    """Refuses a constant t where conclusions call the time t, of which no rate may speak."""
    if "t" in slots["symbols"]:
        raise SlotError("t is the time in what is concluded, and no rate may depend on the time: rename the constant t")


def smooth_where(term: Term, known: dict[str, list[str]]) -> list[Term]:
    """The terms that must be positive for a formula to be smooth, those left out that the symbols' assumptions settle.

    >>> smooth_where(("^", ("s", "x"), ("q", "-1")), {"x": []}), smooth_where(("log", ("s", "x")), {"x": ["positive"]})
    ([('^', ('s', 'x'), ('q', '2'))], [])
    """
    settled: list[Term] = [("s", name) for name, told in known.items() if "positive" in told]
    settled += [("^", ("s", name), rational(2)) for name, told in known.items() if {*told} & NONZERO]
    return [found for found in dict.fromkeys(_singular(carried_out(term))) if found not in settled]


def _singular(term: Term) -> Iterator[Term]:
    head = term[0]
    if head == "^":
        base, exponent = term[1], term[2]
        power = fraction_of(exponent) if exponent[0] == "q" else None
        if power is None:
            yield base
        elif power.denominator != 1:
            if not _is_positive_number(base):
                yield base
        elif power <= 0 and base[0] not in ("q", "pi"):  # the slope of base^0 is written with base^(-1)
            yield ("^", base, rational(2))
    elif head == "log":
        yield term[1]
    elif head == "asin":
        yield ("+", ONE, minus(("^", term[1], rational(2))))
    elif head == "abs":
        yield ("^", term[1], rational(2))
    elif head not in ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan"):
        raise SlotError(f"a formula with {head} cannot stand in the slot of a theorem about smooth functions")
    for child in children(term):
        yield from _singular(child)


def _is_positive_number(term: Term) -> bool:
    return term[0] == "pi" or (term[0] == "q" and Fraction(term[1]) > 0)
