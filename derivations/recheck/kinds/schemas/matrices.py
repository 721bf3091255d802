"""Named functions of the table of theorems: letters for matrices of any size, and how they move.

A letter moves if it has a rate, or is defined by letters that move. A course is what rates make of starts: each is
affine in its own letter, and else speaks only of constants and of letters further up, so that it exists at all times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Data, rational, relation, shown
from derivations.recheck.core.terms import difference
from derivations.recheck.core.theorems import Block, Reading, added, block_data, identity
from derivations.recheck.core.words.indexed import STEP_WORK
from derivations.recheck.core.words.values import Values, names_in, read_letters
from derivations.recheck.kinds.schemas.numbers import require

LINKS = ("inverse_of", "equals")
PLAIN = {"rows", "cols"}


# --- letters ----------------------------------------------------------------------------------------------------------


def named(things: Iterable[Any]) -> set[str]:
    """Every letter that formulas, lists and tables of them name."""
    found: set[str] = set()
    for thing in things:
        if isinstance(thing, dict):
            found |= named(thing.values())
        else:
            found |= named(thing) if isinstance(thing, list) else names_in({"formula": thing.formula})
    return found


def in_hypotheses(reading: Reading) -> set[str]:
    return {n for rule in reading.slots["rules"] for side in ("left", "right") for n in names_in(rule[side])}


def moving(reading: Reading, names: Iterable[str]) -> set[str]:
    """Some letters, and all that are defined by them."""
    letters, found = reading.slots["letters"], set(names)
    grown = True
    while grown:
        spend(STEP_WORK * (1 + len(letters)))
        more = {n for n, d in letters.items() for link in LINKS if link in d and names_in(d[link]) & found} - found
        found |= more
        grown = bool(more)
    return found


def behind(reading: Reading, names: Iterable[str], stop: Iterable[str] = ()) -> set[str]:
    """Letters and those that their declarations name, not looking behind letters in `stop`."""
    letters, halted, found = reading.slots["letters"], set(stop), set[str]()
    todo = set(names) - halted
    while todo:
        name = todo.pop()
        spend(STEP_WORK)
        require(name in letters, f"the letter {name!r} is not declared")
        found.add(name)
        declared = letters[name]
        todo |= {n for link in LINKS if link in declared for n in names_in(declared[link])} - found - halted
        todo |= set(declared.get("commutes_with", ())) - found - halted
    return found


def defined(reading: Reading, name: str) -> Block:
    """What a letter is the inverse of, or equals."""
    declared = reading.slots["letters"][name]
    side = next(declared[link] for link in LINKS if link in declared)
    return Block(tuple(side["shape"]), side["formula"])


def letter(reading: Reading, name: str) -> Block:
    declared = reading.slots["letters"][name]
    return Block((declared["rows"], declared["cols"]), ("L", name))


def worked_out(reading: Reading, block: Block) -> tuple[Values, Any]:
    """A formula multiplied out, and what its terms are read with."""
    values = read_letters(reading.slots["letters"])
    return values, values.side(block_data(block))


def factors(reading: Reading, block: Block) -> list[list[str]]:
    """The letters in each term of a formula."""
    values, whole = worked_out(reading, block)
    return [values.letters_in(term) for term in whole.terms]


def is_one(reading: Reading, block: Block) -> bool:
    values, whole = worked_out(reading, block)
    return bool(whole == values.unit(whole.rows))


# --- side conditions --------------------------------------------------------------------------------------------------


def time_is_t(reading: Reading, motion: Data, begin: Data | None = None) -> None:
    """Conclusions call the time t, so that a letter of this name is 0 at the start and has the rate 1."""
    if "t" not in reading.slots["letters"]:
        return
    is_time = "t" in motion and is_one(reading, motion["t"])
    if begin is not None:
        is_time = is_time and "t" in begin and not worked_out(reading, begin["t"])[1].terms
    require(is_time, "a constant is called t, which is the time in the conclusion: it has the rate 1 and is 0 at first")


def courses(reading: Reading, motion: Data, begin: Data) -> None:
    """The letters that move have courses for all times, and keep on them what they are declared to be."""
    read_letters(reading.slots["letters"])
    time_is_t(reading, motion, begin)
    driven = moving(reading, motion)
    require(not in_hypotheses(reading) & driven, "a hypothesis speaks of a letter that moves")
    for name, start in begin.items():
        fixed = name in driven and not named([start]) & driven
        require(fixed, f"the start of {name} must be a constant, and {name} must move")
    drivers = {name: _drivers(reading, name, motion, begin) for name in motion}
    while drivers:
        ready = {name for name, others in drivers.items() if not others & set(drivers)}
        require(ready, "letters drive each other, so that their courses could end")
        drivers = {name: others for name, others in drivers.items() if name not in ready}


def _drivers(reading: Reading, name: str, motion: Data, begin: Data) -> set[str]:
    """The letters that move another one, which is declared and starts as it must."""
    letters = reading.slots["letters"]
    require(name in letters and name in begin, f"{name} moves and needs a declaration and a start")
    declared = set(letters[name])
    kept = not declared & {"orthonormal_columns", "positive", "nonzero", *LINKS}
    require(kept, f"{name} is declared to be what its course need not keep")
    if declared & {"symmetric", "diagonal", "commutes_with"}:
        values, start = worked_out(reading, begin[name])
        require(values.is_multiple_of_one(start), f"{name} must start at a multiple of the identity")
    affine = all(letters_in.count(name) <= 1 for letters_in in factors(reading, motion[name]))
    require(affine, f"the rate of {name} is not affine in {name}")
    return behind(reading, named([motion[name]]) - {name}) & set(motion)


def one_factor(reading: Reading, rates: Data, values: Data) -> None:
    """Every term of a rate has exactly one factor among the matrices that vanish at the start."""
    terms = [letters_in for rate in rates.values() for letters_in in factors(reading, rate)]
    many = {len([name for name in letters_in if name in values]) for letters_in in terms}
    require(many <= {1}, "a term of a rate has no factor, or several, that vanish at the start, and not one")


def never_negative(reading: Reading, size: Block) -> None:
    head, what = size.formula[:2]
    number = head == "q" and rational(what) >= 0
    positive = head == "L" and reading.slots["letters"][what].get("positive") is True
    require(head == "0" or number or positive, "the size is neither a positive letter nor a number from 0 on")


def one_shape(_: Reading, left: Block, right: Block) -> None:
    require(left.shape == right.shape, "the two matrices must have one shape")


# --- sets of names for side conditions ------------------------------------------------------------------------------


def keys(_: Reading, *tables: Data) -> frozenset[str]:
    return frozenset(name for table in tables for name in table)


def spoken(_: Reading, *things: Any) -> frozenset[str]:
    return frozenset(named(things))


def with_definitions(reading: Reading, *things: Any) -> frozenset[str]:
    """The letters of which formulas speak, and all behind them."""
    return frozenset(behind(reading, named(things)))


def moved_with(reading: Reading, names: Any) -> frozenset[str]:
    """Letters, and all that are defined by them."""
    return frozenset(moving(reading, names))


def supposed(reading: Reading) -> frozenset[str]:
    return frozenset(in_hypotheses(reading))


def declared(reading: Reading, *properties: str) -> frozenset[str]:
    """Letters whose declaration has one of some properties; without any, all letters."""
    letters = reading.slots["letters"]
    read_letters(letters)
    return frozenset(name for name, told in letters.items() if not properties or {*properties} & set(told))


def plain(reading: Reading, *allowed: str) -> frozenset[str]:
    """Letters that are declared to be nothing but matrices, or what else is allowed."""
    return frozenset(name for name, told in reading.slots["letters"].items() if set(told) <= PLAIN | {*allowed})


def partners(reading: Reading) -> frozenset[str]:
    """Letters with which another one is declared to commute."""
    return frozenset(n for told in reading.slots["letters"].values() for n in told.get("commutes_with", ()))


def reached(reading: Reading, stop: Data, *things: Any) -> frozenset[str]:
    return frozenset(behind(reading, named(things), stop))


def none(_: Reading, names: frozenset[str]) -> bool:
    return not names


def within(_: Reading, names: frozenset[str], others: frozenset[str]) -> bool:
    return names <= others


def lone(_: Reading, table: Data) -> frozenset[str]:
    """The letters that stand alone in a table; "" stands for what is more than a letter."""
    return frozenset(side.formula[1] if side.formula[0] == "L" else "" for side in table.values())


def decays(reading: Reading, name: str, rate: Block) -> bool:
    """exp(-rate t) of a positive number or of a symmetric letter is what the letter is declared to be."""
    letters, formula = reading.slots["letters"], rate.formula
    told, generator = letters[name], letters[formula[1]] if formula[0] == "L" else {}
    symmetric = "symmetric" in generator or "diagonal" in generator or generator.get("rows") == 1
    return (
        rate.shape == (told["rows"], told["cols"])
        and (symmetric or (formula[0] == "q" and rational(formula[1]) > 0))
        and not {"orthonormal_columns", *LINKS} & set(told)
        and ("diagonal" not in told or "diagonal" in generator)
        and set(told.get("commutes_with", ())) <= named([rate])
    )


# --- what moves -------------------------------------------------------------------------------------------------------


def along(reading: Reading, block: Block, rates: Data) -> Block:
    """The derivative of a formula whose letters, or those behind them, move."""
    spoken = behind(reading, named([block]))
    return Block(block.shape, ("along", block.formula, _pairs(rates, spoken)))


def placed(_: Reading, block: Block, table: Data) -> Block:
    """A formula with its letters replaced as a table says."""
    pairs = _pairs(table, named([block]))
    return Block(block.shape, ("at", block.formula, pairs)) if pairs else block


def _pairs(table: Data, names: set[str]) -> tuple[Any, ...]:
    return tuple((name, table[name].formula) for name in sorted(set(table) & names))


def derived(reading: Reading, motion: Data, *things: Any) -> list[str]:
    """Letters in some formulas, or behind them, that move only as their definitions do."""
    return sorted((behind(reading, named(things)) & moving(reading, motion)) - set(motion))


def inverses(reading: Reading, motion: Data, begin: Data, *things: Any) -> list[str]:
    """Those of them that are inverses of matrices that need not have one at all times."""
    letters = reading.slots["letters"]
    found = [x for x in derived(reading, motion, *things) if "inverse_of" in letters[x]]
    return [x for x in found if not _keeps_inverse(reading, defined(reading, x), motion, begin)]


def _keeps_inverse(reading: Reading, base: Block, motion: Data, begin: Data) -> bool:
    """Whether a letter starts at the identity and moves by A X + X B, so that it always has an inverse."""
    name = base.formula[1] if base.formula[0] == "L" else ""
    if name not in motion or base.shape[0] == 1 or begin[name].shape[0] != begin[name].shape[1]:
        return False
    values, rate = worked_out(reading, motion[name])
    return is_one(reading, begin[name]) and all(values.at_an_end(name, term) for term in rate.terms)


def by_definition(reading: Reading, name: str, table: Data) -> Data:
    """That a value is what a letter's definition gives, with the values of a table for the letters in it."""
    require(name in table, f"{name} moves with its definition and has no value of its own")
    value, there = table[name], placed(reading, defined(reading, name), table)
    if "equals" in reading.slots["letters"][name]:
        return reading.statement(("=", there, value))
    product = Block(value.shape, ("@", there.formula, value.formula))
    return reading.statement(("=", product, identity(value.shape)))


def is_there(reading: Reading, name: str, motion: Data) -> bool:
    """Whether a letter exists whatever the others are, so that a conclusion without it need not suppose it.

    That inverses of what moves exist is asked wherever they stand.
    """
    declared = reading.slots["letters"][name]
    words, links = set(declared) - PLAIN, set(declared) & set(LINKS)
    if not links:
        return not words & {"orthonormal_columns", "commutes_with"}
    base = defined(reading, name).formula
    of_base = set(reading.slots["letters"][base[1]]) & {"symmetric", "diagonal"} if base[0] == "L" else set()
    return words <= links | of_base and (links == {"equals"} or name in moving(reading, motion))


def invertible(reading: Reading, base: Any, motion: Data, begin: Data) -> Data:
    """That a matrix has an inverse at all times; letters are left out that are there whatever the others are."""
    base = defined(reading, base) if isinstance(base, str) else base
    used = named([base, motion, {name: begin[name] for name in motion}]) | in_hypotheses(reading) | set(motion)
    kept, slots = behind(reading, used), reading.slots
    letters = {n: d for n, d in slots["letters"].items() if n in kept or not is_there(reading, n, motion)}
    said = {"matrix": base, "motion": motion, "begin": {name: begin[name] for name in motion}}
    data = {
        key: block_data(item) if isinstance(item, Block) else {x: block_data(item[x]) for x in item}
        for key, item in said.items()
    }
    return reading.said("invertible at all times", **data) | {"letters": letters}


def constants(reading: Reading, motion: Data, matrix: Block, *things: Any) -> Data:
    """Letters that are the same at all times: those of bounds and starts, and those of a matrix that do not move."""
    still = behind(reading, named([matrix])) - moving(reading, motion)
    return tuple(sorted(still | behind(reading, named(things))))


def symmetric(reading: Reading, motion: Data) -> list[str]:
    return [name for name in motion if "symmetric" in reading.slots["letters"][name]]


def gone(reading: Reading, decays: Data, slow: Data, at_the_end: Data) -> Data:
    """What is at the end: nothing of what decays, and the ends of the others."""
    shapes = {name: letter(reading, name).shape for name in (*decays, *slow)}
    return at_the_end | {name: Block(shape, ("0", *shape)) for name, shape in shapes.items()}


def ending(reading: Reading, decays: Data, slow: Data, time: str, *values: Any) -> list[str]:
    """The letters behind some values that change with time by their definitions."""
    changing = moving(reading, [*decays, time])
    return sorted((behind(reading, named(values), slow) & changing) - set(decays))


# --- determinants -----------------------------------------------------------------------------------------------------


def factor_product(reading: Reading, side: Data) -> Any:
    """The product of letters, of which those with a prime are transposed."""
    letters = reading.slots["letters"]
    read_letters(letters)
    blocks: list[Any] = []
    sizes: set[Any] = set()
    for factor in side:
        name = factor.removesuffix("'")
        require(name in letters, f"the letter {shown(name)} is not declared")
        sizes |= {letters[name]["rows"], letters[name]["cols"]}
        blocks.append(("T", ("L", name)) if factor.endswith("'") else ("L", name))
    require(len(sizes) <= 1, "matrices whose determinants are compared must be square and of one size")
    return Block((*sizes, *sizes), ("@", *blocks) if len(blocks) > 1 else blocks[0]) if blocks else ("q", "1")


def determinants(_: Reading, products: Data, supposing: Data, goal: Data, weights: Data, scale: Data) -> list[Data]:
    """The goal times the scale is a weighted sum of equations between determinants, and the scale is positive."""
    equations = [
        [("*", ("q", "1"), *(("s", "det_" + factor.removesuffix("'")) for factor in side)) for side in sides]
        for sides in products
    ]
    supposed = tuple(map(relation, supposing))
    equations += [list(sides) for order, *sides in supposed if order == "="]
    order, left, right = relation(goal)
    fits = order == "=" and len(weights) == len(equations)
    require(fits, "what follows for determinants is an equation, with a weight for each that it follows from")
    names = sorted({"det_" + factor.removesuffix("'") for sides in products for side in sides for factor in side})
    free = {"symbols": dict.fromkeys(names, ()), "assuming": ()}
    parts = [("*", weight, difference(*sides)) for weight, sides in zip(weights, equations, strict=True)]
    combined = {"kind": "identity", "left": ("*", scale, difference(left, right)), "right": added(parts)}
    positive = {"kind": "sign", "relation": ">", "left": scale, "right": ("q", "0")}
    return [combined | free, positive | free | {"assuming": supposed}]


NAMED: dict[str, Callable[..., Any]] = {
    "courses": courses, "one_factor": one_factor, "never_negative": never_negative, "one_shape": one_shape,
    "keys": keys, "letters": spoken, "behind": with_definitions, "moving": moved_with, "supposed": supposed,
    "declared": declared, "plain": plain, "partners": partners, "reached": reached, "none": none, "within": within,
    "lone": lone, "fits": decays, "every": lambda _, items: all(items),
    "time_is_t": time_is_t, "matrix": letter, "defined": defined, "derived": derived, "inverses": inverses,
    "by_definition": by_definition, "invertible": invertible, "constants": constants, "symmetric": symmetric,
    "gone": gone, "ending": ending, "determinants": determinants, "product": factor_product,
    "tr": lambda _, block: Block((1, 1), ("tr", block.formula)),
    "norm2": lambda _, block: Block((1, 1), ("norm2", block.formula)),
    "I": lambda _, size: identity((size, size)),
    "rows": lambda _, block: block.shape[0],
    "cols": lambda _, block: block.shape[1],
}  # fmt: skip
