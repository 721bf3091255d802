"""Equations between matrices or sums: what is zero as it is built adds up to their difference, or exact arrays refute.

The statements and payloads are described in `derivations/prove/words/__init__.py` and in
`derivations/prove/sums/__init__.py`; no code is shared with them. A step of a proof is a hypothesis, or what a
declaration says is zero, somewhere inside products, transposes, traces and sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derivations.recheck.core.load import require, shown
from derivations.recheck.core.statements import ARRAYS, MATRICES
from derivations.recheck.core.words.indexed import Instance, Table
from derivations.recheck.core.words.values import (
    COL,
    LINKS,
    NAME,
    ROW,
    Block,
    Formula,
    Free,
    Json,
    Values,
)

SPECIAL = {"orthonormal_columns", "commutes_with", *LINKS}  # not to be had for matrices of every size


def check_equation(statement: Json, payload: Json) -> None:
    """Raises Rejected unless the payload proves an equation between matrices or sums."""
    claim = Claim(statement)
    claim.require_sum(claim.goal, payload["steps"], claim.indices)
    claim.inhabited(payload["inhabited"])


def refute_equation(statement: Json, payload: Json) -> None:
    """Raises Rejected unless the payload refutes an equation between matrices or sums."""
    Claim(statement).require_apart(payload["witness"])


class Claim(Values):
    """A statement read: its sides and hypotheses; formulas of its proofs may cite what is known to be zero."""

    def __init__(self, statement: Json) -> None:
        self.said = ARRAYS if "arrays" in statement else MATRICES
        self.proving = False
        super().__init__(statement["arrays" if "arrays" in statement else "letters"])
        self.read(statement)
        self.proving = True

    def read(self, statement: Json) -> None:
        self.indices = self._free(statement)
        self.left, self.right = self._sides(statement)
        self.goal = self.minus(self.left, self.right)
        rules = [(self._free(rule), self.minus(*self._sides(rule))) for rule in statement["rules"]]
        self.zeros: dict[Any, tuple[Free, Block]] = {("hypothesis", k): rule for k, rule in enumerate(rules)}
        self.zeros |= {("declared", *said): ({}, self.minus(a, b)) for *said, a, b in self._declared()}

    def _sides(self, part: Json) -> list[Block]:
        return [self.side(part[side], self._free(part)) for side in ("left", "right")]

    def _free(self, part: Json) -> Free:
        indices: Free = part.get("free", {})
        for index, of in indices.items():
            require(NAME.fullmatch(index), f"{shown(index)} cannot name an index")
            self.note(of, None)
        return indices

    # what is known to be zero

    def _declared(self) -> Iterator[tuple[Any, ...]]:
        """Return what declarations say: a name for it, the letters that it is about, and two sides."""
        for name, data in self.letters.items():
            if "equals" in data:
                yield "equals", name, self.letter(name), self.side(data["equals"])
            if "inverse_of" in data:
                a, other = self.letter(name), self.side(data["inverse_of"])
                yield "inverse left", name, self.product(a, other), self.unit(a.rows)
                yield "inverse right", name, self.product(other, a), self.unit(a.rows)
            if "orthonormal_columns" in data:
                a, other = self.letter(name), self.transposed(self.letter(name))
                yield "orthonormal", name, self.product(other, a), self.unit(a.cols)
                if a.rows == a.cols:
                    yield "orthogonal", name, self.product(a, other), self.unit(a.rows)
            for partner in data.get("commutes_with", ()):
                a, other = self.letter(name), self.letter(partner)
                yield "commute", name, partner, self.product(a, other), self.product(other, a)

    def _value(self, formula: Formula, indices: Free) -> Block:
        if not self.proving or formula[0] not in ("hypothesis", "declared", "indices"):
            return super()._value(formula, indices)
        zero, pairs = formula[1:] if formula[0] == "indices" else (formula, ())
        require(zero in self.zeros, f"{shown(zero)} is not known to be zero")
        bound, value = self.zeros[zero]
        require(sorted(name for name, _ in pairs) == sorted(bound), f"{shown(zero)} has other indices")
        fits = all(index in indices and indices[index] == bound[name] for name, index in pairs)
        require(fits, f"an index of {shown(zero)} meets another range")
        return Block(value.rows, value.cols, self.sums.changed(value.terms, dict(pairs)))

    def vanishes(self, formula: Formula) -> bool:
        """Check whether a formula is zero by how it is built."""
        head, *parts = formula
        if head in ("+", "@", "*"):
            return (all if head == "+" else any)(map(self.vanishes, parts))
        return formula in self.zeros or (head in ("T", "tr", "sum", "indices") and self.vanishes(parts[0]))

    def require_sum(self, goal: Block, steps: Any, indices: Free) -> None:
        """The steps are zero, each by how it is built, and add up to the goal."""
        total = Block(goal.rows, goal.cols, {})
        for k, step in enumerate(steps):
            require(self.vanishes(step), f"step {k} of the proof need not be zero")
            total = self.plus(total, self.value(step, indices))
        require(total == goal, "the steps do not add up to the difference of the sides")

    # exact matrices and arrays

    def inhabited(self, data: Json) -> Instance:
        """Exact matrices or arrays that are what they are declared to be, and satisfy the hypotheses.

        Letters that cancel may be left out, but for those that not every size of matrices has.
        """
        sizes, given = (data[key] for key in self.said)
        at = Instance(self.sums, sizes)
        require(self.ranges <= set(sizes), "the instance gives a dimension no size")
        special = {name for name, data in self.letters.items() if SPECIAL & set(data)}
        require(special <= set(given) <= set(self.letters), "the instance has other letters than it must")
        for name in given:
            at.arrays[name] = self._entries(name, at.entries(given[name], self.shapes[name]))
        for said, (indices, zero) in self.zeros.items():
            if said[0] == "hypothesis" or said[2] in given:
                require(
                    not at.value(zero.terms, {**indices, **self.free(zero)}), f"the instance contradicts {shown(said)}"
                )
        return at

    def _entries(self, name: str, table: Table) -> Table:
        """The entries of a letter at the indices that are written, once they have its symmetry and sign."""
        data, number = self.letters[name], self.shapes[name] == (1, 1)
        if self.symmetric(name) and not number:
            require(all(v == table[j, i] for (i, j), v in table.items()), f"on the instance {name} is not symmetric")
        if self.diagonal(name):
            require(all(i == j or not v for (i, j), v in table.items()), f"on the instance {name} is not diagonal")
            return {(i,): v for (i, j), v in table.items() if i == j}
        require("positive" not in data or table[()] > 0, f"on the instance {name} is not positive")
        require("nonzero" not in data or table[()] != 0, f"on the instance {name} is zero")
        return table

    @staticmethod
    def free(a: Block) -> Free:
        return {index: size for index, size in ((ROW, a.rows), (COL, a.cols)) if size != 1}

    def require_apart(self, witness: Json) -> None:
        at = self.inhabited({key: witness[key] for key in self.said})
        values = [at.value(side.terms, {**self.indices, **self.free(side)}) for side in (self.left, self.right)]
        if self.said == ARRAYS:
            place = tuple(at.place(witness["at"], self.indices))
            values = [{(): value[place]} if place in value else {} for value in values]
        require(values[0] != values[1], "both sides agree on the witness")
        for value, side in zip(values, ("left", "right"), strict=True):
            self.require_said(at, value, witness[side])

    def require_said(self, at: Instance, value: Table, said: Any) -> None:
        """A witness reports the value of a side as it is."""
        ranges = (self.left.rows, self.left.cols) if self.said == MATRICES else ()
        table = {place: v for place, v in at.entries(said, ranges).items() if v}
        require(value == table, "the witness reports another value of a side")
