"""Inequalities between symmetric matrices of any size: pieces that are never negative as they are built, and witnesses.

Used without proof: X' H X is positive semidefinite as H is, and the identity, positive numbers, hypotheses and
tr(K) I - K for a semidefinite K are; the trace of a semidefinite matrix, and of a product of two, is not negative;
Cauchy's inequality tr(P' H Q)^2 <= tr(P' H P) tr(Q' H Q); sums and products with numbers that are not negative keep
all this. X' H X is definite as H is, if some Y has Y X = 1. The formats are described in
`derivations/prove/words/loewner/__init__.py`; this module shares no code with it.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import rational
from derivations.recheck.core.words.claims import Claim, well_formed
from derivations.recheck.core.words.indexed import STEP_WORK, Instance, require
from derivations.recheck.core.words.values import Block, Formula, Free, Json

Matrix = Any  # flint.fmpq_mat, which has no type stubs


@well_formed
def check_order(certificate: Json) -> None:
    """Raises Rejected unless the payload proves or refutes an inequality between matrices."""
    claim, verdict, payload = Order(certificate["statement"]), certificate["verdict"], certificate["payload"]
    if verdict == "refuted":
        claim.require_contradicted(payload["witness"])
        return
    require(verdict == "proved", "an inequality between matrices is proved or refuted")
    claim.inhabited(payload["inhabited"])
    claim.require_pieces(payload)


class Order(Claim):
    """A statement read: what should not be negative, and what is supposed not to be."""

    orders: list[tuple[Block, bool]]

    def read(self, statement: Json) -> None:
        super().read(statement)
        self.orders = []
        self.strict = self._strict(statement, self.goal)
        for order in statement["orders"]:
            require(set(order) == {"relation", "left", "right"}, "a hypothesis has a relation and two sides")
            gap = self.minus(self.side(order["left"]), self.side(order["right"]))
            symmetric = self.transposed(gap) == gap
            require(symmetric, "a hypothesis compares matrices that are not symmetric as they stand")
            self.orders.append((gap, self._strict(order, gap)))

    def _strict(self, order: Json, gap: Block) -> bool:
        require(gap.rows == gap.cols, "only square matrices have an order")
        require(order["relation"] in (">=", ">"), "the relation of matrices is >= or >")
        return bool(order["relation"] == ">")

    def _value(self, formula: Formula, indices: Free) -> Block:
        match formula if self.proving else ():
            case "order", k:
                require(type(k) is int and 0 <= k < len(self.orders), "an order that the statement does not have")
                gap: Block = self.orders[k][0]
                return gap
            case "rest", form:
                inner = self.value(form, indices)
                return self.minus(self.times(self.trace(inner), self.unit(inner.rows)), inner)
            case "pair", first, second:
                return self.trace(self.product(self.value(first, indices), self.value(second, indices)))
            case "gram", core, p, q:
                squares = [self.value(("tr", ("@", ("T", a), core, b)), indices) for a, b in ((p, p), (q, q), (p, q))]
                return self.minus(self.times(squares[0], squares[1]), self.times(squares[2], squares[2]))
        return super()._value(formula, indices)

    def never_negative(self, formula: Formula) -> bool:
        """Whether a formula is a semidefinite matrix, or a number that is not negative, by how it is built."""
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

    def definite(self, formula: Formula, back: Json) -> bool:
        """Whether a formula that is never negative vanishes nowhere; `back` undoes what stands around its core."""
        match formula:
            case "q", number:
                return bool(rational(number) > 0)
            case (("*" | "tr"), *parts):
                return all(self.definite(part, back) for part in parts)
            case "order", int(k):
                return self.orders[k][1]
            case "@", ("T", _), *core, map_:
                undone = self.product(self.value(back["map"], {}), self.value(map_, {}))
                self.require_sum(self.minus(undone, self.unit(undone.rows)), back["steps"], {})
                return all(self.definite(part, {}) for part in core)
        return bool(formula[0] in ("I", "L"))

    def require_pieces(self, proof: Json) -> None:
        """The goal is a sum of pieces that are never negative, and of what is zero; if strict, one is definite."""
        pieces, rest = proof["pieces"], self.goal
        for k, piece in enumerate(pieces):
            require(self.never_negative(piece), f"piece {k} of the proof may be negative")
            rest = self.minus(rest, self.value(piece, {}))
        self.require_sum(rest, proof["steps"], {})
        if self.strict:
            k = proof["definite"]["piece"]
            require(type(k) is int and 0 <= k < len(pieces), "a definite piece that the proof does not have")
            require(self.definite(pieces[k], proof["definite"]), f"piece {k} may vanish where it should not")

    # exact matrices

    def inhabited(self, data: Json) -> Instance:
        at = super().inhabited(data)
        for k, (gap, strict) in enumerate(self.orders):
            require(_is_positive(self._matrix(gap, at), strict), f"the order {k} fails on the instance")
        return at

    def _matrix(self, a: Block, at: Instance) -> Matrix:
        table, extents = at.value(a.terms, self.free(a)), (at.extent(a.rows), at.extent(a.cols))
        places = [(i, j)[: 2 if a.rows != 1 else 0] for i in extents[0] for j in extents[1]]
        return fmpq_mat(len(extents[0]), len(extents[1]), [table.get(place, fmpq(0)) for place in places])

    def require_contradicted(self, witness: Json) -> None:
        at = self.inhabited({key: witness[key] for key in self.said})
        require(set(witness) - {"vector"} == {*self.said, "left", "right"}, "the witness has unknown parts")
        sides = [self._matrix(side, at) for side in (self.left, self.right)]
        if "vector" in witness:
            vector = fmpq_mat(sides[0].nrows(), 1, [rational(entry) for entry in witness["vector"]])
            sides = [vector.transpose() * side * vector for side in sides]
            gap, nothing = sides[0][0, 0] - sides[1][0, 0], vector == fmpq_mat(vector.nrows(), 1)
            require(gap < 0 or (self.strict and gap == 0 and not nothing), "the vector does not contradict the order")
        else:
            gap = sides[0] - sides[1]
            require(gap != gap.transpose(), "the difference is symmetric on the witness, and no vector is given")
        for side, key in zip(sides, ("left", "right"), strict=True):
            said = [[rational(entry) for entry in row] for row in witness[key]]
            require(said == [list(row) for row in side.tolist()], "the witness reports another value of a side")


def _is_positive(m: Matrix, strict: bool) -> bool:
    """Whether a matrix is symmetric, and its characteristic polynomial has only roots from 0 on (above 0)."""
    n = m.nrows()
    bits = max(int(e.p).bit_length() + int(e.q).bit_length() for e in m.entries())
    spend(n**4 * (STEP_WORK + 10 * bits))
    signed = [c * (-1) ** (n - k) for k, c in enumerate(m.charpoly().coeffs())]
    return bool(m == m.transpose()) and all(c > 0 if strict else c >= 0 for c in signed)
