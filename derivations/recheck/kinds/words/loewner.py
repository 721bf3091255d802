"""Checks inequalities between symmetric matrices of any size: sums of forms by multiplication, and exact matrices.

Used without proof: X' H X is positive semidefinite as H is, and the identity, positive numbers, hypotheses and
tr(K) I - K for a semidefinite K are; the trace of a semidefinite matrix, and of a product of two, is not negative;
Cauchy's inequality tr(P' H Q)^2 <= tr(P' H P) tr(Q' H Q); sums and products with numbers that are not negative keep
all this. If x' M x is a sum of squares of which some, with definite cores, only vanish together at x = 0, M is
definite. A number b >= 0 with b^2 >= v^2 is at least v. The formats are described in
`derivations/prove/words/loewner/__init__.py`; this module shares no code with it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq_mat

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.statements import MATRICES, check_offered
from derivations.recheck.kinds.words import (
    ENTRY_WORK,
    Cofactors,
    Instance,
    Matrix,
    check_instance,
    evaluated,
    instance,
    matrix,
    read_letters,
    require_given,
)
from derivations.recheck.kinds.words.alphabet import Block, Json, accumulate, exact, require
from derivations.recheck.kinds.words.formulas import added, negated, symmetric

STATEMENT_KEYS = {"kind", "letters", "rules", "orders", "relation", "left", "right", "among"}
MAX_NESTING = 20  # of forms inside forms
Check = Callable[[Any], str]


def check_loewner(certificate: Json, check: Check) -> None:
    """Raises Rejected unless the payload proves the verdict on the statement."""
    try:
        _check(certificate, check)
    except Rejected:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {type(error).__name__}: {error}") from error


def _check(certificate: Json, check: Check) -> None:
    claim, verdict, payload = Claim(certificate["statement"]), certificate["verdict"], certificate["payload"]
    if verdict == "refuted":
        _check_witness(claim, payload["witness"])
    elif certificate["method"] == "sum of forms":
        require(verdict == "proved", f"inequalities between matrices are never {verdict}")
        at = claim.instance(payload["inhabited"])
        _check_sum(claim, payload)
        require_given(claim.cofactors.used, claim.values, at)
    else:
        require(certificate["method"] == "comparison of squares", "an unknown method")
        require(verdict == "proved", f"inequalities between matrices are never {verdict}")
        _check_comparison(claim, payload, check)


class Claim:
    """A statement read: what should not be negative, and what is supposed."""

    def __init__(self, statement: Json) -> None:
        require(statement["kind"] == "loewner", "the statement is no inequality between matrices")
        require(set(statement) <= STATEMENT_KEYS, "the statement has unknown parts")
        check_offered(statement, MATRICES)
        self.statement = statement
        self.values = read_letters(statement["letters"])
        self.alphabet = self.values.alphabet
        self.left, self.right, self.strict = self._side(statement)
        self.gap = self.alphabet.difference(self.left, self.right)
        self.orders: list[tuple[Block, bool]] = []
        for order in statement["orders"]:
            require(set(order) == {"relation", "left", "right"}, "a hypothesis has unknown parts")
            left, right, strict = self._side(order)
            gap = self.alphabet.difference(left, right)
            require(
                symmetric(self.alphabet, gap), "a hypothesis compares matrices that are not symmetric as they stand"
            )
            self.orders.append((gap, strict))
        self.rules = [(self.values.side(r["left"]), self.values.side(r["right"])) for r in statement["rules"]]
        for a, b in self.rules:
            self.alphabet.same_shape(a, b)
        self.cofactors = Cofactors(self.values, self.rules)

    def _side(self, order: Json) -> tuple[Block, Block, bool]:
        left, right = self.values.side(order["left"]), self.values.side(order["right"])
        self.alphabet.same_shape(left, right)
        require(left.rows == left.cols, "only square matrices have an order")
        require(order["relation"] in (">=", ">"), "the relation of matrices is >= or >")
        return left, right, order["relation"] == ">"

    def instance(self, data: Json) -> Instance:
        """Matrices that satisfy all that is supposed."""
        everything = {**self.statement, "rules": (*self.statement["rules"], *self.statement["orders"])}
        at = instance(self.values, everything, data)
        check_instance(self.values, self.rules, at)
        for k, (gap, strict) in enumerate(self.orders):
            require(_is_positive(evaluated(gap, at), strict), f"the order {k} fails on the instance")
        return at

    def rest(self, data: Any, goal: Block) -> Block:
        """The sum of some cofactors."""
        total = Block(goal.rows, goal.cols, {})
        for cofactor in data:
            part = self.cofactors.value(cofactor, goal)
            require((part.rows, part.cols) == (goal.rows, goal.cols), "a cofactor has another shape than the sides")
            accumulate(total.terms, part.terms, exact(cofactor["coefficient"]))
        return total


class Form(NamedTuple):
    """map' core map; strict: whether the core is definite."""

    core: Any
    map: Block
    value: Block
    strict: bool


class Forms:
    """What is positive semidefinite, read from data."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.alphabet = claim, claim.alphabet
        self.depth = 0

    def form(self, data: Json) -> Form:
        of = self.claim.values.side(data["map"])
        value = self.between(data["core"], of, of)
        return Form(data["core"], of, value, self._strict(data["core"]))

    def _strict(self, core: Any) -> bool:
        return core[0] in ("one", "positive") or (core[0] == "order" and self.claim.orders[core[1]][1])

    def between(self, core: Any, p: Block, q: Block) -> Block:
        """p' core q, after checking that the core is what it should be."""
        inner, left = self._core(core, p), self.alphabet.transpose(p)
        if inner is not None:
            left = self.alphabet.product(left, inner)
        return self.alphabet.product(left, q)

    def _core(self, core: Any, p: Block) -> Block | None:
        alphabet, (kind, *about) = self.alphabet, core
        if kind == "one":
            require(not about, "the identity is not about anything")
            return None
        (what,) = about
        if kind == "order":
            require(type(what) is int and 0 <= what < len(self.claim.orders), "an order that the statement has not")
            gap: Block = self.claim.orders[what][0]
            return gap
        if kind == "positive":
            require("positive" in alphabet.letters[what], f"{what} is not declared positive")
            self.claim.cofactors.used.add(what)
            return alphabet.letter(what)
        require(kind == "rest", f"an unknown core {kind!r}")
        self.depth += 1
        require(self.depth <= MAX_NESTING, "forms nest too deeply")
        inner = self.form(what).value
        self.depth -= 1
        whole = alphabet.scaled(self.trace(inner), alphabet.unit(inner.rows))
        return alphabet.difference(whole, inner)

    def trace(self, a: Block) -> Block:
        require(a.rows == a.cols, "the trace of a matrix that is not square")
        return a if a.rows == 1 else self.alphabet.traced(a)

    def factor(self, data: Json) -> Block:
        """A number that is not negative."""
        require(set(data) == {"kind", "forms"}, "a factor has a kind and forms")
        forms = [self.form(form) for form in data["forms"]]
        if data["kind"] == "trace":
            (only,) = forms
            return self.trace(only.value)
        first, second = forms
        if data["kind"] == "pair":
            return self.trace(self.alphabet.product(first.value, second.value))
        require(data["kind"] == "gram", "an unknown factor")
        require(first.core == second.core, "two forms without a common core")
        self.alphabet.same_shape(first.map, second.map)
        mixed = self.trace(self.between(first.core, first.map, second.map))
        squares = self.alphabet.scaled(self.trace(first.value), self.trace(second.value))
        return self.alphabet.difference(squares, self.alphabet.scaled(mixed, mixed))

    def is_positive(self, factor: Json) -> bool:
        """Whether a factor is the trace of a definite core of size 1, with the map 1."""
        form = self.form(factor["forms"][0])
        of = form.map
        return bool(factor["kind"] == "trace" and form.strict and of == Block(1, 1, {((), ()): Fraction(1)}))

    def term(self, data: Json) -> tuple[Block, Form]:
        """A term, and its form."""
        require(set(data) == {"weight", "factors", "core", "map"}, "a term has a weight, factors, a core and a map")
        weight = exact(data["weight"])
        require(weight > 0, "a term has a weight that is not positive")
        form = self.form(data)
        value = self.alphabet.scaled(Block(1, 1, {((), ()): weight}), form.value)
        for factor in data["factors"]:
            value = self.alphabet.scaled(self.factor(factor), value)
        return value, form


def _check_sum(claim: Claim, payload: Json) -> None:
    known, forms = set(claim.alphabet.dimensions), Forms(claim)
    goal, read = claim.gap, [forms.term(term) for term in payload["terms"]]
    total = claim.rest(payload["cofactors"], goal)
    for value, _ in read:
        claim.alphabet.same_shape(value, goal)
        total = added(claim.alphabet, total, value)
    require(total.terms == goal.terms, "terms and cofactors do not add up to the difference of the sides")
    if claim.strict:
        _check_full(claim, payload, forms, [form for _, form in read])
    require(claim.alphabet.dimensions == known, "the proof speaks of sizes that the statement does not have")


def _check_full(claim: Claim, payload: Json, reader: Forms, forms: list[Form]) -> None:
    """Definite terms vanish together only at zero: combinations of their maps are the identity."""
    alphabet, full = claim.alphabet, payload["full"]
    unit = alphabet.unit(claim.gap.rows)
    total = negated(claim.rest(full["cofactors"], unit))
    for i, side in full["maps"]:
        require(type(i) is int and 0 <= i < len(forms), "a term that the proof does not have")
        factors = payload["terms"][i]["factors"]
        definite = forms[i].strict and all(reader.is_positive(factor) for factor in factors)
        require(definite, "a term that may vanish where it should not")
        part = alphabet.product(claim.values.side(side), forms[i].map)
        total = added(alphabet, total, part)
    require(total.terms == unit.terms, "the maps of the definite terms do not yield the identity")


def _check_comparison(claim: Claim, payload: Json, check: Check) -> None:
    alphabet, gap = claim.alphabet, claim.gap
    require((gap.rows, gap.cols) == (1, 1) and not claim.strict, "only numbers are compared by their squares, weakly")
    bound = claim.values.side(payload["bound"])
    value = alphabet.difference(bound, gap)
    wanted = [(bound, Block(1, 1, {})), (alphabet.scaled(bound, bound), alphabet.scaled(value, value))]
    parts = payload["parts"]
    require(len(parts) == len(wanted), "a comparison of squares has two parts")
    for part, (left, right) in zip(parts, wanted, strict=True):
        said = part["statement"]
        same = all(said[key] == claim.statement[key] for key in ("kind", "letters", "rules", "orders"))
        require(same and said["relation"] == ">=", "a part speaks of something else")
        sides = [claim.values.side(said[key]).terms for key in ("left", "right")]
        require(sides == [left.terms, right.terms], "a part compares something else")
        require(check(part) == "proved", "a part of the comparison is not proved")


def _check_witness(claim: Claim, witness: Json) -> None:
    at = claim.instance({key: witness[key] for key in ("dims", "matrices")})
    require(set(witness) - {"vector"} == {"dims", "matrices", "left", "right"}, "the witness has unknown parts")
    sides = [evaluated(claim.left, at), evaluated(claim.right, at)]
    if "vector" in witness:
        vector = matrix([[entry] for entry in witness["vector"]], sides[0].nrows(), 1)
        sides = [vector.transpose() * side * vector for side in sides]
        gap = sides[0][0, 0] - sides[1][0, 0]
        nothing = vector == fmpq_mat(vector.nrows(), 1)
        contradicted = gap < 0 or (claim.strict and gap == 0 and not nothing)
        require(contradicted, "the vector does not contradict the inequality")
    else:
        gap = sides[0] - sides[1]
        require(gap != gap.transpose(), "the difference is symmetric on the witness, and no vector is given")
    for side, said in zip(sides, (witness["left"], witness["right"]), strict=True):
        require(side == matrix(said, side.nrows(), side.ncols()), "the witness reports another value of a side")


def _is_positive(m: Matrix, strict: bool) -> bool:
    """Whether a matrix is symmetric, and its characteristic polynomial has only roots from 0 on (above 0)."""
    n = m.nrows()
    bits = max((int(e.p).bit_length() + int(e.q).bit_length() for e in m.entries()), default=0)
    spend(n**4 * (ENTRY_WORK + 10 * bits))
    if m != m.transpose():
        return False
    signed = [c * (-1) ** (n - k) for k, c in enumerate(m.charpoly().coeffs())]
    return all(c > 0 if strict else c >= 0 for c in signed)
