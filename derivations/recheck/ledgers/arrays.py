"""Programs of matrices and of sums in the index against the certificates of their kernels: each is read back.

A case of a kernel's statement names returns. Its parts have on their left what the program computes for these, with
every line put back, and on their right what the claim states. A program of sums calls kernels of numbers; its case
says what each call stands for, and at which arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, product
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal, require
from derivations.recheck.core.words.values import Values, written_out
from derivations.recheck.ledgers.givens import asserted
from derivations.recheck.ledgers.matrices import MatrixProgram

Formula = Any
Places = tuple[tuple[str, str], ...]  # indices, each with the range through which it runs
Runs = Mapping[str, tuple[str, str]]  # by index: the part that it runs through, and the range that it is declared for
Piece = tuple[Places, Any]  # the indices of a part of a return, and that part as a side of an equation


def check_arrays(row: Mapping[str, Any], cases: Sequence[Any], parts: Sequence[Any], claims: Mapping[str, Any]) -> None:
    """Return when cases speak of the program of a row of the index, and raise Rejected otherwise."""
    shown = set[str]()
    for case in cases:
        leaves = list(chain(*map(_leaves, parts[slice(*case["parts"])])))
        claim = claims[case["claim"]]
        program: Any = SumProgram(row, case, claim) if "calls" in case else MatrixProgram(row, case, claim)
        require(all(map(program.admits, leaves)), "a part supposes more than its claim and its program")
        for name in case["returns"]:
            for own, wanted in program.compared(name):
                spoken = leaves and program.says(leaves.pop(0), own, wanted)
                require(spoken, f"{name} is not what its certificate speaks of")
        program.require_letters(leaves)
        shown.update(case["returns"])
    require(shown >= {name for name, *_ in row["returns"]}, "the cases leave a return out")


def _leaves(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for inner in part["parts"] if part["kind"] == "all" else ():
        yield from _leaves(inner)
    if part["kind"] != "all":
        yield part


class SumProgram:
    """A program of sums over indices: every entry of its arrays as a formula in the arrays of a claim.

    Indices of joined ranges run through one part at a time.
    """

    def __init__(self, row: Mapping[str, Any], case: Mapping[str, Any], claim: Any) -> None:
        self.claim = claim
        inputs = normal(row["inputs"])
        self.joined = normal(row["program"]["joined"])
        self.axes = {name: tuple(axes) for name, _, *axes in inputs}
        self.returns = {name: tuple(axes) for name, _, *axes in normal(row["returns"])}
        self.inputs = Values({name: _declared(kind, axes) for name, kind, *axes in inputs})
        self.arrays, self.reciprocals = dict(case["arrays"]), {of: name for name, of in case["reciprocals"]}
        self.calls = case["calls"]
        self.stored: dict[str, list[tuple[Places, Formula]]] = {}
        self.numbers = count()
        self.known = self._run(normal(row["program"]["body"]), {}, {})

    def compared(self, name: str) -> Iterator[tuple[Piece, None]]:
        """The parts of a return; `admits` tells what the claim states of them."""
        require(self.axes.get(name, ()) == self.returns[name], f"{name} is returned in another size")
        for places, formula in self.stored.get(name) or [((), self.known[name])]:
            yield (places, {"formula": self._in_claim(formula)}), None

    def says(self, leaf: Mapping[str, Any], piece: Piece, _: None) -> bool:
        """Check that a part speaks of what is computed, where its arrays and indices are all that this names."""
        places, side = piece
        try:
            values = Values(leaf["arrays"])
            return values.side(leaf["left"], leaf["free"]) == values.side(side, dict(places))
        except Rejected:
            return False

    def require_letters(self, _: Sequence[Any]) -> None:
        """The claim's arrays are the program's, under the names that the case gives."""

    def admits(self, leaf: Mapping[str, Any]) -> bool:
        """Check that a part shows what the claim states, of arrays that are as the claim declares them."""
        return leaf["kind"] == "sums" and any(
            said["kind"] == "sums"
            and leaf["right"] in (said["left"], said["right"])
            and leaf["free"] == said["free"]
            and all(rule in said["rules"] or self._is_put_in(rule) for rule in leaf["rules"])
            and leaf["arrays"].items() <= said["arrays"].items()
            for said in asserted(self.claim)
        )

    def _is_put_in(self, rule: Mapping[str, Any]) -> bool:
        """Check whether a rule says what an array of the claim is that the program does not take: a number."""
        taken = {self.arrays.get(name, name) for name in self.axes}
        head, *name = rule["left"]["formula"][:2]
        return head == "A" and name[0] not in taken and rule["right"]["formula"][0] == "q"

    # --- statements ---------------------------------------------------------------------------------------------------

    def _run(self, body: Sequence[Any], known: Mapping[str, Formula], runs: Runs) -> dict[str, Formula]:
        """Return what names of numbers stand for behind the statements; entries of arrays are kept beside."""
        known = dict(known)
        for head, *parts in body:
            match head, parts:
                case "new", [name, axes]:
                    self.axes[name] = axes
                case "=", [name, ((None, value),)]:
                    known[name] = self._read(value, known, runs)
                case "sum", [name, indices, value]:
                    known[name] = ("+", *(self._summed(value, known, runs, over) for over in self._parts(indices)))
                case "for", [indices, inner]:
                    for over in self._parts(indices):
                        self._run(inner, known, {**runs, **over})
                case "store", [name, positions, value]:
                    self._store(name, self._places(name, positions, runs), self._read(value, known, runs))
                case "call", [kernel, arguments, ((name, positions),)]:
                    places = self._places(name, positions, runs)
                    self._store(
                        name, places, self._called(kernel, [self._read(a, known, runs) for a in arguments], places)
                    )
                case _:
                    raise Rejected(f"a program of sums has a statement that is not read back: {head}")
        return known

    def _parts(self, indices: Sequence[tuple[str, str]]) -> Iterator[Runs]:
        """The indices in every part of their ranges."""
        for chosen in product(*(self.joined.get(axis, (axis,)) for _, axis in indices)):
            yield {index: (of, axis) for (index, axis), of in zip(indices, chosen, strict=True)}

    def _places(self, name: str, positions: Sequence[Sequence[str]], runs: Runs) -> Places:
        """The indices of an entry; one of a part stands behind the sizes of the parts before it."""
        places = []
        for (*sizes, index), axis in zip(positions, self.axes[name], strict=True):
            (of, declared), parts = runs[index], self.joined.get(axis, (axis,))
            before = () if declared == axis else parts[: parts.index(of)]
            require(of in parts and tuple(sizes) == before, f"an index of {name} stands elsewhere in its range")
            places.append((index, of))
        return tuple(places)

    def _store(self, name: str, places: Places, formula: Formula) -> None:
        kept = self.stored.setdefault(name, [])
        require(len(dict(places)) == len(places), f"{name} is filled along a diagonal alone")
        require(all(_ranges(other) != _ranges(places) for other, _ in kept), f"{name} is filled twice")
        kept.append((places, formula))

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _read(self, value: Any, known: Mapping[str, Formula], runs: Runs) -> Formula:
        match value:
            case "q", _:
                return value
            case "s", name if name in known or self.axes.get(name) == ():
                return known.get(name, ("A", name))
            case "at", name, positions:
                return self._entry(name, self._places(name, positions, runs))
            case "+", *parts:
                return ("+", *(self._read(part, known, runs) for part in parts))
            case "*", number, above, below:
                upper = [self._read(part, known, runs) for part in above]
                return ("*", ("q", number), *upper, *(self._reciprocal(*part) for part in below))
        raise Rejected(f"a program of sums has an operation that is not read back: {value[0]}")

    def _reciprocal(self, head: str, name: str) -> Formula:
        require(head == "s" and name in self.reciprocals, f"nothing says what 1/{name} is called")
        return ("A", self.reciprocals[name])

    def _summed(self, value: Any, known: Mapping[str, Formula], runs: Runs, over: Runs) -> Formula:
        formula = self._read(value, known, {**runs, **over})
        for index, (of, _) in over.items():
            name = f"{index}_{next(self.numbers)}"
            formula = ("sum", _renamed(formula, {index: name}), name, of)
        return formula

    def _entry(self, name: str, places: Places) -> Formula:
        if name not in self.stored:
            return ("A", name, *(index for index, _ in places))
        for own, formula in self.stored[name]:
            if _ranges(own) == _ranges(places):
                return _renamed(formula, {old: new for (old, _), (new, _) in zip(own, places, strict=True)})
        raise Rejected(f"an entry of {name} is used before it is filled")

    def _called(self, kernel: str, arguments: Sequence[Formula], places: Places) -> Formula:
        """Return what the case says that a call stands for, if the arguments are those of which it speaks."""
        for name, own, expected, value in self.calls:
            if name == kernel and _ranges(own) == _ranges(places):
                names = {old: new for (old, _), (new, _) in zip(own, places, strict=True)}
                wanted = [_renamed(argument, names) for argument in expected]
                same = len(wanted) == len(arguments) and all(
                    self.inputs.value(a, dict(places)) == self.inputs.value(b, dict(places))
                    for a, b in zip(arguments, wanted, strict=True)
                )
                require(same, f"{kernel} is called at other arguments than its certificate speaks of")
                return ("call", _renamed(value, names))
        raise Rejected(f"nothing says what a call of {kernel} stands for")

    def _in_claim(self, formula: Formula) -> Formula:
        """A formula with the claim's names of arrays, and with what calls stand for."""
        if formula[0] == "call":
            return formula[1]
        if formula[0] == "A":
            return ("A", self.arrays.get(formula[1], formula[1]), *formula[2:])
        return tuple(self._in_claim(part) if isinstance(part, tuple) else part for part in formula)


def _declared(kind: str, axes: Sequence[str]) -> dict[str, Any]:
    return {"ranges": tuple(axes), **({"symmetric": True} if kind == "symmetric" else {})}


def _ranges(places: Places) -> list[str]:
    return [of for _, of in places]


def _renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with other names for indices that are free in it."""
    head, *parts = formula
    if head == "A":
        return ("A", parts[0], *(names.get(index, index) for index in parts[1:]))
    if head == "terms":
        return _renamed(("+", *map(written_out, parts)), names)
    if head == "delta":
        return (head, *(names.get(index, index) for index in parts))
    if head == "sum":
        inner, bound, of = parts
        kept = {old: new for old, new in names.items() if old != bound}
        require(bound not in kept.values(), f"the index {bound} is free and summed over")
        return ("sum", _renamed(inner, kept), bound, of)
    return tuple(_renamed(part, names) if isinstance(part, tuple) else part for part in formula)
