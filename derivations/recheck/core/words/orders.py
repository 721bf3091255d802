"""Inequalities between symmetric matrices of any size: pieces that are never negative as they are built, and witnesses.

Used without proof: X' H X is positive semidefinite as H is, and the identity, positive numbers, hypotheses and
tr(K) I - K for a semidefinite K are; the trace of a semidefinite matrix, and of a product of two, is not negative;
Cauchy's inequality tr(P' H Q)^2 <= tr(P' H P) tr(Q' H Q); sums and products with numbers that are not negative keep
all this. The formats are described in
`derivations/prove/words/loewner/__init__.py`; this module shares no code with it.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import rational, require
from derivations.recheck.core.statements import Setting, require_givens
from derivations.recheck.core.terms import free_in
from derivations.recheck.core.words.claims import Claim
from derivations.recheck.core.words.indexed import STEP_WORK, Instance
from derivations.recheck.core.words.values import Block, Formula, Free, Json

Matrix = Any  # flint.fmpq_mat, which has no type stubs


def check_order(statement: Json, payload: Json) -> None:
    """Raises Rejected unless the payload proves an inequality between matrices."""
    claim = Order(statement)
    claim.inhabited(payload["inhabited"])
    claim.require_pieces(payload)


def refute_order(statement: Json, payload: Json) -> None:
    """Raises Rejected unless the payload refutes an inequality between matrices."""
    Order(statement).require_contradicted(payload["witness"])


class Order(Claim):
    """A statement read: what should not be negative, and what is supposed not to be."""

    orders: list[tuple[Block, bool]]

    def read(self, statement: Json) -> None:
        super().read(statement)
        self.orders, self.determinants = [], statement.get("determinants", ())
        self.strict = self._strict(statement, self.goal)
        for order in statement["orders"]:
            gap = self.minus(self.side(order["left"]), self.side(order["right"]))
            symmetric = self.transposed(gap) == gap
            require(symmetric, "a hypothesis compares matrices that are not symmetric as they stand")
            self.orders.append((gap, self._strict(order, gap)))

    def _strict(self, order: Json, gap: Block) -> bool:
        require(gap.rows == gap.cols, "only square matrices have an order")
        return bool(order["relation"] == ">")

    def _value(self, formula: Formula, indices: Free) -> Block:
        match formula if self.proving else ():
            case "order", k:
                return self._order(k)[0]
            case "rest", form:
                unit = ("I", self.value(form, indices).rows)
                return self.value(("+", ("*", ("tr", form), unit), ("*", ("q", "-1"), form)), indices)
            case "pair", first, second:
                return self.value(("tr", ("@", first, second)), indices)
            case "gram", core, p, q:
                squares = [self.value(("tr", ("@", ("T", a), core, b)), indices) for a, b in ((p, p), (q, q), (p, q))]
                return self.minus(self.times(squares[0], squares[1]), self.times(squares[2], squares[2]))
        return super()._value(formula, indices)

    def _order(self, k: Any) -> tuple[Block, bool]:
        require(type(k) is int and 0 <= k < len(self.orders), "an order that the statement does not have")
        gap: tuple[Block, bool] = self.orders[k]
        return gap

    def never_negative(self, formula: Formula) -> bool:
        """Check whether a formula is a semidefinite matrix, or a number that is not negative, by how it is built."""
        match formula:
            case "q", number:
                return bool(rational(number) >= 0)
            case "L", name:
                return "positive" in self.letters[name]
            case (("+" | "*" | "tr" | "rest" | "pair"), *parts):
                return all(map(self.never_negative, parts))
            case "gram", core, _, _:
                return self.never_negative(core)
            case "@", ("T", left), *core, right:
                return left == right and len(core) < 2 and all(map(self.never_negative, core))
        return bool(formula[0] in ("I", "order"))

    def definite(self, formula: Formula) -> bool:
        """Check whether a formula that is never negative vanishes nowhere, by how it is built."""
        match formula:
            case "q", number:
                return bool(rational(number) > 0)
            case (("*" | "tr"), *parts):
                return all(map(self.definite, parts))
            case "order", int(k):
                return self._order(k)[1]
        return bool(formula[0] in ("I", "L"))

    def require_pieces(self, proof: Json) -> None:
        """The goal is a sum of pieces that are never negative, and of what is zero; if strict, one is definite."""
        pieces, remaining = proof["pieces"], self.goal
        for k, piece in enumerate(pieces):
            require(self.never_negative(piece), f"piece {k} of the proof may be negative")
            remaining = self.minus(remaining, self.value(piece, {}))
        self.require_sum(remaining, proof["steps"], {})
        require(not self.strict or any(map(self.definite, pieces)), "every piece may vanish where none should")

    # exact matrices

    def inhabited(self, data: Json) -> Instance:
        at = super().inhabited(data)
        for k, (gap, strict) in enumerate(self.orders):
            require(is_positive(self._matrix(gap, at), strict), f"the order {k} fails on the instance")
        named = {name: f"det_{name}" for name in self.letters}
        spoken = free_in([side for relation in self.determinants for side in relation[1:]])
        values = {det: self._matrix(self.letter(x), at).det() for x, det in named.items() if det in spoken}
        require_givens(Setting({}, self.determinants), values)
        return at

    def _matrix(self, a: Block, at: Instance) -> Matrix:
        table, extents = at.value(a.terms, self.free(a)), (at.extent(a.rows), at.extent(a.cols))
        places = [(i, j)[: 2 if a.rows != 1 else 0] for i in extents[0] for j in extents[1]]
        return fmpq_mat(len(extents[0]), len(extents[1]), [table.get(place, fmpq(0)) for place in places])

    def require_contradicted(self, witness: Json) -> None:
        """A vector at which the difference of the sides has the wrong sign, and the values of the sides there."""
        at = self.inhabited({key: witness[key] for key in self.said})
        require(set(witness) == {*self.said, "vector", "left", "right"}, "the witness has unknown parts")
        vector = fmpq_mat(len(witness["vector"]), 1, [rational(entry) for entry in witness["vector"]])
        values = {}
        for side, key in ((self.left, "left"), (self.right, "right")):
            values[key] = (vector.transpose() * self._matrix(side, at) * vector)[0, 0]
            said = [[rational(entry) for entry in row] for row in witness[key]]
            require(said == [[values[key]]], "the witness reports another value of a side")
        gap, nothing = values["left"] - values["right"], vector == fmpq_mat(vector.nrows(), 1)
        require(gap < 0 or (self.strict and gap == 0 and not nothing), "the vector does not contradict the order")


def is_positive(m: Matrix, strict: bool) -> bool:
    """Check whether a matrix is symmetric, and its characteristic polynomial has only roots from 0 on (above 0)."""
    n = m.nrows()
    bits = max(int(e.p).bit_length() + int(e.q).bit_length() for e in m.entries())
    spend(n**4 * (STEP_WORK + 10 * bits))
    signed = [c * (-1) ** (n - k) for k, c in enumerate(m.charpoly().coeffs())]
    return bool(m == m.transpose()) and all(c > 0 if strict else c >= 0 for c in signed)
