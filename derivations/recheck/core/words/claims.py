"""Equations between matrices or sums: what is zero as it is built adds up to their difference, or exact arrays refute.

The statements and payloads are described in `derivations/prove/words/__init__.py` and in
`derivations/prove/sums/__init__.py`; no code is shared with them. A step of a proof is a hypothesis, or what a
declaration says is zero, somewhere inside products, transposes, traces and sums.
"""

from __future__ import annotations

from typing import Any

from derivations.recheck.core.load import require, shown
from derivations.recheck.core.statements import ARRAYS, MATRICES, check_offered
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
RULES = {"inverse left": True, "inverse right": False, "orthonormal": False, "orthogonal": True}  # the letter is first
IMPLIED = {"orthonormal_columns": "orthonormal", "inverse_of": "inverse left", "equals": "equals"}
PARTS = {"kind", "rules", "left", "right", "among"}
KEYS = {
    "words": PARTS | {"letters"},
    "sums": PARTS | {"arrays", "free"},
    "loewner": PARTS | {"letters", "orders", "relation"},
}


def check_words(certificate: Json) -> None:
    """Raises Rejected unless the payload proves or refutes an equation between matrices or sums."""
    claim, payload = Claim(certificate["statement"]), certificate["payload"]
    if certificate["verdict"] == "proved":
        claim.require_sum(claim.goal, payload["steps"], claim.indices)
        claim.inhabited(payload["inhabited"])
    else:
        require(certificate["verdict"] == "refuted", "an equation is proved or refuted")
        claim.require_apart(payload["witness"])


class Claim(Values):
    """A statement read: its sides and hypotheses; formulas of its proofs may cite what is known to be zero."""

    def __init__(self, statement: Json) -> None:
        kind = statement["kind"]
        require(set(statement) <= KEYS[kind], f"a statement of kind {kind} has unknown parts")
        check_offered(statement, ARRAYS if kind == "sums" else MATRICES)
        self.said = ARRAYS if kind == "sums" else MATRICES
        self.proving = False
        super().__init__(statement["arrays" if kind == "sums" else "letters"])
        self.read(statement)
        self.proving = True

    def read(self, statement: Json) -> None:
        self.indices = self._free(statement)
        self.left, self.right = self._sides(statement)
        self.goal = self.minus(self.left, self.right)
        self.rules = [(self._free(rule), self.minus(*self._sides(rule))) for rule in statement["rules"]]

    def _sides(self, part: Json) -> list[Block]:
        return [self.side(part[side], self._free(part)) for side in ("left", "right")]

    def _free(self, part: Json) -> Free:
        indices: Free = part.get("free", {})
        for index, of in indices.items():
            require(NAME.fullmatch(index), f"{shown(index)} cannot name an index")
            self.note(of, None)
        return indices

    # what is known to be zero

    def _value(self, formula: Formula, indices: Free) -> Block:
        match formula if self.proving else ():
            case "hypothesis", k:
                return self._hypothesis(k, (), indices)
            case "indices", ("hypothesis", k), pairs:
                return self._hypothesis(k, pairs, indices)
            case "declared", what, *names:
                return self.declared(what, *names)
        return super()._value(formula, indices)

    def _hypothesis(self, k: Any, pairs: Any, indices: Free) -> Block:
        require(type(k) is int and 0 <= k < len(self.rules), f"there is no hypothesis {shown(k)}")
        bound, zero = self.rules[k]
        require(sorted(name for name, _ in pairs) == sorted(bound), f"hypothesis {k} has other indices")
        fits = all(index in indices and indices[index] == bound[name] for name, index in pairs)
        require(fits, f"an index of hypothesis {k} meets another range")
        return Block(zero.rows, zero.cols, self.sums.changed(zero.terms, dict(pairs)))

    def declared(self, what: str, name: str, partner: str = "") -> Block:
        """What a declaration says is zero."""
        a, data = self.letter(name), self.letters[name]
        if what == "commute":
            b = self.letter(partner)
            require(partner in data.get("commutes_with", ()), f"{name} and {partner} are not declared to commute")
            return self.minus(self.product(a, b), self.product(b, a))
        require(not partner, f"{shown(what)} is about one letter")
        if what == "equals":
            return self.minus(a, self.side(data["equals"]))
        inverse = what.startswith("inverse ")
        require(what in RULES, f"no declaration says {shown(what)}")
        require(inverse or "orthonormal_columns" in data, f"the columns of {name} are not declared orthonormal")
        require(what != "orthogonal" or a.rows == a.cols, f"{name} is not square: its rows need not be orthonormal")
        other = self.side(data["inverse_of"]) if inverse else self.transposed(a)
        pair = (a, other) if RULES[what] else (other, a)
        product = self.product(*pair)
        return self.minus(product, self.unit(product.rows))

    def vanishes(self, formula: Formula) -> bool:
        """Whether a formula is zero by how it is built."""
        head, *parts = formula
        if head in ("+", "@", "*"):
            return (all if head == "+" else any)(map(self.vanishes, parts))
        return head in ("hypothesis", "declared", "indices") or (head in ("T", "tr", "sum") and self.vanishes(parts[0]))

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
        for name in given:
            commuting = [("commute", name, other) for other in self.letters[name].get("commutes_with", ())]
            for said in [*((IMPLIED[key], name) for key in self.letters[name] if key in IMPLIED), *commuting]:
                zero = self.declared(*said)
                require(not at.value(zero.terms, self.free(zero)), f"on the instance {said[0]} of {name} fails")
        for k, (indices, zero) in enumerate(self.rules):
            require(not at.value(zero.terms, {**indices, **self.free(zero)}), f"hypothesis {k} fails on the instance")
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
