"""Named functions of the table of theorems: letters for matrices of any size, and how they move.

A letter moves if it has a rate, or is defined by letters that move. A course is what rates make of starts: each is
affine in its own letter, and else speaks only of constants and of letters further up, so that it exists at all times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Data, Term, require, shown
from derivations.recheck.core.table.named import numbers
from derivations.recheck.core.terms import free_in
from derivations.recheck.core.theorems import UNSHAPED, Reading, identity, sum_of
from derivations.recheck.core.words.indexed import STEP_WORK
from derivations.recheck.core.words.values import LINKS, Block, Values, names_in, with_defined

ALL_LINKS = (*LINKS, "commutes_with")
PLAIN = {"rows", "cols"}


# --- letters ----------------------------------------------------------------------------------------------------------


def named(_: Any, *things: Any) -> frozenset[str]:
    """Every letter that formulas, lists and tables of them name."""
    found = frozenset[str]()
    for thing in things:
        inside = thing.values() if isinstance(thing, dict) else thing
        found |= names_in({"formula": thing}) if isinstance(thing, tuple) else named(_, *inside)
    return found


def supposed(reading: Reading) -> frozenset[str]:
    """The letters in hypotheses."""
    return frozenset(n for rule in reading.slots["rules"] for side in ("left", "right") for n in names_in(rule[side]))


def moving(reading: Reading, names: Iterable[str]) -> frozenset[str]:
    """Some letters, and all that are defined by them."""
    return frozenset(with_defined(reading.slots["letters"], names))


def behind(reading: Reading, names: Iterable[str], stop: Iterable[str] = ()) -> frozenset[str]:
    """Letters and those that their declarations name, not looking behind letters in `stop`."""
    letters, found = reading.slots["letters"], set[str]()
    todo = set(names) - {*stop}
    while todo:
        name = todo.pop()
        spend(STEP_WORK)
        require(name in letters, f"the letter {name!r} is not declared")
        found.add(name)
        for link in {*ALL_LINKS} & set(letters[name]):
            told = letters[name][link]
            todo |= set(told if link == "commutes_with" else names_in(told)) - found - {*stop}
    return frozenset(found)


def defined(reading: Reading, name: str) -> Term:
    """Return what a letter is the inverse of, or equals."""
    declared = reading.slots["letters"][name]
    formula: Term = next(declared[link]["formula"] for link in LINKS if link in declared)
    return formula


def whole(reading: Reading, formula: Term) -> Block:
    """A formula multiplied out."""
    return reading.words.value(formula, {})


# --- side conditions: names that may not be --------------------------------------------------------------------------


def equal_to(reading: Reading, table: Data, what: str) -> frozenset[str]:
    """The letters in a table for which zero, one or a multiple of one stands there."""

    def is_so(a: Block) -> bool:
        if what == "zero":
            return not a.terms
        return reading.words.is_multiple_of_one(a) if what != "one" else bool(a == reading.words.unit(a.rows))

    return frozenset(name for name, formula in table.items() if is_so(whole(reading, formula)))


def crowded(reading: Reading, rates: Data, among: frozenset[str], fewest: Term) -> frozenset[str]:
    """Letters with a term in their rate that has several factors among some letters, or too few of them.

    among: the letters that are counted; the letter of the rate itself where none are given.
    """

    def counts(name: str) -> Iterable[int]:
        terms = whole(reading, rates[name]).terms
        return [sum(x in (among or {name}) for x in reading.words.letters_in(term)) for term in terms]

    return frozenset(name for name in rates if any(not int(fewest[1]) <= n <= 1 for n in counts(name)))


def circular(reading: Reading, motion: Data) -> frozenset[str]:
    """Letters that drive each other, so that their courses could end."""
    drivers = {name: behind(reading, named(reading, rate) - {name}) & set(motion) for name, rate in motion.items()}
    while ready := {name for name, others in drivers.items() if not others & set(drivers)}:
        drivers = {name: others for name, others in drivers.items() if name not in ready}
    return frozenset(drivers)


# --- sets of names for side conditions ------------------------------------------------------------------------------


def declared(reading: Reading, *properties: str) -> frozenset[str]:
    """Letters whose declaration has one of some properties; without any, all letters."""
    letters = reading.words.letters
    those = {name for name, told in letters.items() if not properties or {*properties} & set(told)}
    commuting = [n for told in letters.values() for n in told.get("commutes_with", ())]  # as the others do with them
    return frozenset(those.union(commuting if "commutes_with" in properties else ()))


def plain(reading: Reading, *allowed: str) -> frozenset[str]:
    """Letters that are declared to be nothing but matrices, or what else is allowed."""
    return frozenset(name for name, told in reading.slots["letters"].items() if set(told) <= PLAIN | {*allowed})


def overstated(reading: Reading, names: frozenset[str]) -> frozenset[str]:
    """Letters that are declared to be more than what their definitions make them."""
    return frozenset(name for name in names if _more_than_defined(reading, name))


def _more_than_defined(reading: Reading, name: str) -> bool:
    values, value = reading.words, whole(reading, defined(reading, name))
    shown = {"symmetric": value == values.transposed(value), "diagonal": values.is_diagonal(value)}
    seen = {word for word, is_so in shown.items() if is_so}
    words = set(reading.slots["letters"][name]) - PLAIN - {*LINKS} - seen
    return bool(words) or name in declared(reading, "commutes_with")


def lone(_: Reading, table: Data) -> frozenset[str]:
    """The letters that stand alone in a table; "" stands for what is more than a letter."""
    return frozenset(side[1] if side[0] == "L" else "" for side in table.values())


def misfits(reading: Reading, table: Data) -> frozenset[str]:
    """Letters that are declared to be what the decay with the rate that a table gives need not be."""
    return frozenset(name for name, rate in table.items() if not _decays(reading, name, rate))


def _decays(reading: Reading, name: str, rate: Term) -> bool:
    """exp(-rate t) of a number or of a symmetric letter is what the letter is declared to be."""
    letters = reading.slots["letters"]
    told, generator = letters[name], letters[rate[1]] if rate[0] == "L" else {}
    symmetric = {"symmetric", "diagonal"} & set(generator) or generator.get("rows") == 1
    return bool(
        whole(reading, rate)[:2] == (told["rows"], told["cols"])
        and (symmetric or rate[0] == "q")
        and not {"orthonormal_columns", *LINKS} & set(told)
        and ("diagonal" not in told or "diagonal" in generator)
        and set(told.get("commutes_with", ())) <= named(reading, rate)
    )


# --- what moves -------------------------------------------------------------------------------------------------------


def along(reading: Reading, formula: Term, rates: Data, *time: Term) -> Term:
    """The derivative of a formula whose letters, or those behind them, move."""
    if not reading.about_matrices:
        return numbers.along(reading, formula, rates, *time)
    return ("along", formula, _pairs(rates, behind(reading, named(reading, formula))))


def placed(reading: Reading, formula: Term, table: Data, value: Any = None) -> Term:
    """A formula with its letters replaced as a table says."""
    if not reading.about_matrices:
        return numbers.placed(reading, formula, table, value)
    pairs = _pairs(table, named(reading, formula))
    return ("at", formula, pairs) if pairs else formula


def _pairs(table: Data, names: frozenset[str]) -> tuple[Any, ...]:
    return tuple((name, table[name]) for name in sorted(set(table) & names))


def always_inverses(reading: Reading, motion: Data, begin: Data) -> frozenset[str]:
    """Letters for inverses of matrices that have one at all times, since they start at the identity."""
    inverses = declared(reading, "inverse_of")
    return frozenset(x for x in inverses if _keeps_inverse(reading, defined(reading, x), motion, begin))


def _keeps_inverse(reading: Reading, base: Term, motion: Data, begin: Data) -> bool:
    """Check whether a letter starts at the identity and moves by A X + X B, so that it always has an inverse."""
    name, letters = base[1] if base[0] == "L" else "", reading.slots["letters"]
    if name not in motion or letters[name]["rows"] == 1 or letters[name]["rows"] != letters[name]["cols"]:
        return False
    other = "Z" * (1 + max(map(len, letters)))  # another letter of this shape, which has no name yet
    like = {key: told for key, told in letters[name].items() if key in ("rows", "cols", "symmetric", "diagonal")}
    values = Values(letters | {other: like})
    terms = values.value(motion[name], {}).terms
    begins = name in equal_to(reading, {name: begin[name]}, "one")
    return begins and all(values.at_an_end(name, term, other) for term in terms)


def is_there(reading: Reading, name: str, motion: Data) -> bool:
    """Check whether a letter exists whatever the others are, so that a conclusion without it need not suppose it.

    That inverses of what moves exist is asked wherever they stand.
    """
    declared = reading.slots["letters"][name]
    words, links = set(declared) - PLAIN, set(declared) & set(LINKS)
    if not links:
        return not words & {"orthonormal_columns", "commutes_with"}
    return not _more_than_defined(reading, name) and (links == {"equals"} or name in moving(reading, motion))


def invertible(reading: Reading, base: Any, motion: Data, begin: Data) -> Data:
    """That a matrix has an inverse at all times; letters are left out that are there whatever the others are.

    Each letter that stays is a supposition, that there is such a letter: a statement with fewer letters says more.
    """
    matrix = defined(reading, base) if isinstance(base, str) else base
    starts = {name: begin[name] for name in motion}
    kept = behind(reading, named(reading, matrix, motion, starts) | supposed(reading) | set(motion))
    declared = reading.slots["letters"]
    letters = {x: told for x, told in declared.items() if x in kept or not is_there(reading, x, motion)}
    parts = {"matrix": matrix, "motion": motion, "begin": starts}
    return reading.said("invertible at all times", **reading.data(parts)) | {"letters": letters}


# --- determinants -----------------------------------------------------------------------------------------------------


def factor_product(reading: Reading, side: Data) -> Term:
    """The product of letters, of which those with a prime are transposed."""
    letters, formulas, sizes = reading.words.letters, list[Term](), set[Any]()
    for factor in side:
        name = factor.removesuffix("'")
        require(name in letters, f"the letter {shown(name)} is not declared")
        sizes |= {letters[name]["rows"], letters[name]["cols"]}
        formulas.append(("T", ("L", name)) if factor.endswith("'") else ("L", name))
    require(len(sizes) <= 1, "matrices whose determinants are compared must be square and of one size")
    return ("@", *formulas) if len(formulas) > 1 else (*formulas, UNSHAPED[1])[0]


def determinant(_: Reading, factor: str) -> Term:
    """The letter for the determinant of a matrix, which a transpose has too."""
    return ("s", "det_" + factor.removesuffix("'"))


def of_numbers(_: Reading, said: Term, supposed: list[Term]) -> Data:
    """A statement about real numbers, of which nothing else is known."""
    names = free_in(side for each in (said, *supposed) for side in each[1:])
    return Reading({"symbols": dict.fromkeys(sorted(names), ()), "assuming": tuple(supposed)}, {}, {}).statement(said)


NAMED: dict[str, Callable[..., Any]] = {
    "along": along, "at": placed, "equal_to": equal_to, "crowded": crowded, "circular": circular, "misfits": misfits,
    "keys": lambda _, *tables: numbers.names(tables),
    "letters": named, "moving": moving, "supposed": supposed,
    "behind": lambda reading, *things: behind(reading, named(reading, *things)),
    "reached": lambda reading, stop, *things: behind(reading, named(reading, *things), stop),
    "declared": declared, "plain": plain, "overstated": overstated, "lone": lone,
    "matrix": lambda _, name: ("L", name), "defined": defined,
    "always_inverses": always_inverses, "invertible": invertible,
    "det": determinant, "of_numbers": of_numbers, "product": factor_product,
    "tr": lambda _, formula: ("tr", formula),
    "norm2": lambda _, formula: ("norm2", formula),
    "I": lambda _, size: identity(size),
    "rows": lambda reading, formula: whole(reading, formula).rows,
    "cols": lambda reading, formula: whole(reading, formula).cols,
    "sum": lambda reading, items: ("+", *items) if reading.about_matrices else sum_of(items),
    "determinants": lambda _, relations: [("numbers", relation) for relation in relations],
}  # fmt: skip
