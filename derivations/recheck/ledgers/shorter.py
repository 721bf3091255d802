"""Fewer words for the same statement: no added zeros, values that are put in said once for an equation, and letters
for formulas that occur often.

Each way only writes what is there in another place, and tests put formulas back for their letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from derivations.recheck.core.conditions import conditions
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, normal, term
from derivations.recheck.ledgers.formulas import matrix, plain
from derivations.recheck.ledgers.formulas import term as written

SUPPOSED = {"kind", "symbols", "assuming", "letters", "rules", "arrays", "free", "orders"}
"""Fields that a statement supposes; they are said apart from those that it asserts."""
OPERATORS = ("D", "along", "gradient", "derivative", "sum")  # what is put in below them is put in first
NAMED = {("word", head) for head in ("+", "*", "@", "^", "exp", "log", "sin", "cos", "sinh", "cosh", "asin", "erf")}
LONG = 200  # characters of letters, numbers and heads of a statement; a shorter one is said as it is
SHORT, WORTHWHILE, MOST = 12, 40, 8  # characters of a formula, characters that a letter saves, letters
ZERO = ["q", "0"]
Named = list[tuple[str, str, Data]]  # letters with the sort and the formula that each stands for


def asserted(part: Data) -> dict[str, Data]:
    """The fields of a part that are no hypotheses; nothing for a part that is data."""
    return {key: value for key, value in part.items() if key not in SUPPOSED} if isinstance(part, dict) else {}


def has_head(formula: Data, *heads: str) -> bool:
    return isinstance(formula, list | tuple) and bool(formula) and formula[0] in heads


# --- zeros ------------------------------------------------------------------------------------------------------------


def without_zeros(part: Data) -> Data:
    """A part in which no zero is added, and a matrix of zeros is 0.

    >>> x = ["s", "x"]
    >>> without_zeros({"kind": "identity", "left": ["+", x, ["*", ["q", "0"], x], ["q", "0"]], "right": x})["left"]
    ['s', 'x']
    """
    if isinstance(part, dict):
        untouched = SUPPOSED - {"rules"}
        return {key: value if key in untouched else without_zeros(value) for key, value in part.items()}
    if not isinstance(part, list | tuple) or has_head(part, "q", "s", "L", "A", "terms"):
        return part
    parts = [without_zeros(each) for each in part]
    match parts:
        case ["0", str() | int(), str() | int()]:
            return ZERO
        case ["*", *factors] if ZERO in factors and all(map(_has_a_value, factors)):
            return ZERO
        case ["+", *summands]:
            others = [each for each in summands if each != ZERO]
            return ["+", *others] if len(others) > 1 else others[0] if others else ZERO
    return parts


def _has_a_value(formula: Data) -> bool:
    """Check whether a formula asks for nothing, so that it has a value wherever its letters have one."""
    try:
        return not conditions(term(normal(formula, [])), {}, smooth=False)
    except Rejected:
        return False


# --- values that are put in -------------------------------------------------------------------------------------------


def definitions(part: Data) -> list[Data]:
    """Return what letters of a part are declared to be inverse or equal to, so that they move with it."""
    return [each[key] for each in part["letters"].values() for key in ("inverse_of", "equals") if key in each]


def put_in_once(*sides: Data, beside: Data = ()) -> tuple[list[Data], Data]:
    """Formulas without the values that are put into them, and these, where both may be said apart.

    That is where the same are put in everywhere, below no operator, and the letters that get them occur nowhere else,
    nor in what stands beside the formulas.

    >>> a, b = ["s", "a"], ["s", "b"]
    >>> put_in_once(["+", b, ["at", ["exp", a], [["a", b]]]], ["q", "0"])
    ([['+', ['s', 'b'], ['exp', ['s', 'a']]], ['q', '0']], [['a', ['s', 'b']]])
    >>> put_in_once(["+", a, ["at", ["exp", a], [["a", b]]]], ["q", "0"])[1]
    []
    """
    values = [each[2] for side in sides for each in _put_in(side)]
    apart = [_without(side, lambda each: ZERO if has_head(each, "at") else None) for side in sides]
    bare = [_without(side, lambda each: each[1] if has_head(each, "at") else None) for side in sides]
    if not values or any(each != values[0] for each in values) or any(map(_is_put_in_below, sides)):
        return [*sides], []
    is_nested = any(has_head(each, "at") for each in _within(bare))
    is_elsewhere = not {name for name, _ in values[0]}.isdisjoint(_names([apart, beside]))
    return ([*sides], []) if is_nested or is_elsewhere else (bare, values[0])


def _put_in(formula: Data) -> Iterator[Data]:
    """The formulas with values put in, outermost ones alone."""
    if has_head(formula, "at"):
        yield formula
    elif isinstance(formula, list | tuple):
        for part in formula:
            yield from _put_in(part)


def _is_put_in_below(formula: Data) -> bool:
    """Check whether values are put in below an operator, where they are put in before it acts."""
    if has_head(formula, "at") or not isinstance(formula, list | tuple):
        return False
    is_operator = has_head(formula, *OPERATORS)
    return any((is_operator and next(_put_in(part), None) is not None) or _is_put_in_below(part) for part in formula)


def _within(formula: Data) -> Iterator[Data]:
    """A formula and all that is in it."""
    yield formula
    for part in formula if isinstance(formula, list | tuple) else ():
        yield from _within(part)


def _without(formula: Data, other: Callable[[Data], Data]) -> Data:
    """A formula with another one in the place of some parts."""
    if not isinstance(formula, list | tuple):
        return formula
    put = other(formula)
    return [_without(part, other) for part in formula] if put is None else put


def _names(data: Data) -> Iterator[str]:
    """Everything that may be a name."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | tuple | dict):
        for part in (*data, *(data.values() if isinstance(data, dict) else ())):
            yield from _names(part)


# --- flows ------------------------------------------------------------------------------------------------------------


def still(*sides: Data) -> tuple[list[Data], list[Data]]:
    """Formulas about matrices whose derivatives have no flow beside them, and each flow that these had.

    >>> still(["along", ["L", "W"], [["W", ["L", "V"]]]])
    ([['along', ['L', 'W']]], [[['W', ['L', 'V']]]])
    """

    def resting(formula: Data) -> Data:
        return ["along", _without(formula[1], resting)] if has_head(formula, "along") else None

    flows = [each[2] for each in _within([*sides]) if has_head(each, "along") and len(each) == 3]
    return [_without(side, resting) for side in sides], flows


def one_flow(parts: list[Data]) -> Data:
    """The flow of all derivatives in equations of matrices; nothing where they have none in common.

    A letter that moves in some must not occur in a derivative of those in which it stands still, nor in definitions.
    """
    flow: dict[str, Data] = {}
    pairs = [(part, [part["left"]["formula"], part["right"]["formula"]]) for part in parts]
    of_parts = [(part, sides, rates) for part, sides in pairs for rates in still(*sides)[1]]
    for _, _, rates in of_parts:
        if any(flow.setdefault(name, rate) != rate for name, rate in rates):
            return []
    for part, sides, rates in of_parts:
        moved = [each[1] for each in _within([*sides]) if has_head(each, "along") and [*each[2:]] == [rates]]
        if not (flow.keys() - dict(rates).keys()).isdisjoint(_names([moved, definitions(part)])):
            return []
    return [[name, flow[name]] for name in sorted(flow)]


# --- letters for formulas ---------------------------------------------------------------------------------------------


def with_letters(parts: list[Data]) -> tuple[list[Data], Named]:
    """Parts with letters for the formulas that occur often, and what each letter stands for."""
    forest = _Forest()
    roots = [(part, {key: forest.plant(value) for key, value in sorted(asserted(part).items())}) for part in parts]
    planted = [root for _, fields in roots for root in fields.values()]
    if forest.size(planted) < LONG:
        return parts, []
    chosen: dict[int, str] = {}
    known = {inner for sort, inner in forest.nodes if sort == "word"}
    known |= {*_names([part[key] for part in parts if isinstance(part, dict) for key in SUPPOSED & part.keys()])}
    letters = (name for name in (f"Z{number}" for number in count(1)) if name not in known)
    while len(chosen) < MOST and (best := forest.best(planted, chosen)) is not None:
        chosen[best] = ""
    for node in sorted(chosen):  # parts of a formula come before it
        chosen[node] = next(letters)
    shortened = [
        {**part, **{key: forest.grown(root, chosen) for key, root in fields.items()}} if fields else part
        for part, fields in roots
    ]
    return shortened, [(name, *forest.formula(node, chosen)) for node, name in sorted(chosen.items())]


class _Forest:
    """Formulas in which equal parts are one node; a node comes after its parts, whatever the order of a table."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, Data]] = []  # the sort of a formula, and its parts, or the one word that it is
        self.known: dict[tuple[str, Data], int] = {}

    def plant(self, data: Data, sort: str = "numbers") -> int:
        if isinstance(data, dict):
            inner = {("formula", "shape"): "matrices", ("formula",): "sums"}.get(tuple(sorted(data)), sort)
            node: tuple[str, Data] = ("table", tuple((key, self.plant(data[key], inner)) for key in sorted(data)))
        elif isinstance(data, list | tuple):
            node = (sort, tuple(self.plant(each, sort) for each in data))
        else:
            node = ("word", data)
        if node not in self.known:
            self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return self.known[node]

    def parts(self, node: int) -> tuple[int, ...]:
        sort, inner = self.nodes[node]
        return () if sort == "word" else tuple(part for _, part in inner) if sort == "table" else inner

    def grown(self, node: int, chosen: dict[int, str], *, whole: bool = False) -> Data:
        """The data of a node, with letters for what is chosen; whole: the node itself is none of them."""
        sort, inner = self.nodes[node]
        if node in chosen and not whole:
            return ["s" if sort == "numbers" else "L", chosen[node]]
        if sort == "word":
            return inner
        if sort == "table":
            return {key: self.grown(part, chosen) for key, part in inner}
        return [self.grown(part, chosen) for part in inner]

    def formula(self, node: int, chosen: dict[int, str]) -> tuple[str, Data]:
        return self.nodes[node][0], self.grown(node, chosen, whole=True)

    def size(self, roots: list[int]) -> int:
        sizes = self._sizes({})
        return sum(sizes[root] for root in roots)

    def _sizes(self, chosen: dict[int, str]) -> list[int]:
        """How many characters each formula has, about."""
        sizes: list[int] = []
        for sort, inner in self.nodes:
            own = len(inner) if sort == "word" and isinstance(inner, str) else 0
            sizes.append(own + sum(2 if part in chosen else sizes[part] for part in self.parts(len(sizes))))
        return sizes

    def best(self, roots: list[int], chosen: dict[int, str]) -> int | None:
        """The formula for which a letter saves most, if that is worth while."""
        times, sizes = [0] * len(self.nodes), self._sizes(chosen)
        for root in roots:
            times[root] += 1
        for node in range(len(self.nodes) - 1, -1, -1):
            for part in self.parts(node) if times[node] else ():
                times[part] += 1 if node in chosen else times[node]
        saved = [
            ((times[node] - 1) * sizes[node], node)
            for node in range(len(self.nodes))
            if times[node] > 1 and sizes[node] >= SHORT and node not in chosen and self._may_have_a_letter(node)
        ]
        saving, node = max(saved, default=(0, 0))
        return node if saving >= WORTHWHILE else None

    def _may_have_a_letter(self, node: int) -> bool:
        """Check whether a node is a formula that is no mere negative or reciprocal of another one."""
        sort, inner = self.nodes[node]
        if sort not in ("numbers", "matrices") or not inner or self.nodes[inner[0]] not in NAMED:
            return False
        is_negative = self._number(inner[1]) == "-1" and len(inner) == 3
        return not is_negative and not self._number(inner[-1]).startswith("-")

    def _number(self, node: int) -> str:
        """The number that a formula is; empty for any other one."""
        words = [self.nodes[part][1] for part in self.parts(node)]
        return str(words[1]) if words[:1] == ["q"] else ""


def said(named: Named) -> str:
    """For which formulas letters stand."""
    write = {"numbers": written, "matrices": matrix}
    return ", ".join(f"{plain(name)} for {write[sort](formula)}" for name, sort, formula in named)
