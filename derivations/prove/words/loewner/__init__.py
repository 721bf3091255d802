"""Inequalities between symmetric matrices of any size, and between numbers made of matrices.

    prove.loewner(P + identity("n") > 0, assuming=[P >= 0])

Statement (JSON):
    {"kind": "loewner", "letters": {name: LETTER}, "rules": [...], "orders": [ORDER, ...], "relation": ">=" or ">",
     "left": P, "right": P, "among": [CANDIDATE, ...]}                            "among" only if candidates were given
    ORDER = {"relation": ">=" or ">", "left": P, "right": P}, where left - right is symmetric as it stands; all else is
    as in statements about words.
It says: for all sizes of the dimensions from 1 on, and all real matrices with the declared properties that satisfy the
rules and the orders, left - right is symmetric and positive semidefinite (">=") or definite (">"). For numbers this is
the usual order.

PROVED, method "sum of forms", payload {"pieces": [K, ...], "steps": [F, ...], "inhabited": INSTANCE}, where
    left - right is the sum of the pieces, which are never negative as they are built, and of the steps, which are zero
    as in proofs about words. K is built by + and * from others of its kind, or is one of
      ["q", number not below 0]; ["I", D]; ["L", A] for a letter declared positive; ["order", k] left - right of
      orders[k]; ["@", ["T", X], K, X] and ["@", ["T", X], X]; ["tr", K]; ["rest", K] tr(K) I - K;
      ["pair", K, L] tr(K L); ["gram", K, P, Q] tr(P' K P) tr(Q' K Q) - tr(P' K Q)^2.
    For ">" one of the pieces is definite as it is built.
REFUTED, method "exact matrices", payload {"witness": INSTANCE and "vector": x, "left", "right": x' left x and
    x' right x as 1x1 matrices}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from derivations.language.words import Order, Words, as_written, declarations
from derivations.language.words.algebra import (
    ShapeError,
    difference,
)
from derivations.language.words.formulas import Reader
from derivations.language.words.instances import value_of
from derivations.language.words.tangent import is_symmetric
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.words import Equation, Problem, equation, steps_of
from derivations.prove.words.loewner.candidates import STAGES, Candidates
from derivations.prove.words.loewner.forms import Factor, Form, Sized, Term, Values
from derivations.prove.words.loewner.instances import Ordered, at_vector, below, equals_its_transpose
from derivations.prove.words.loewner.squares import Normal, decomposed

SIDES = ("left", "right")
QUICK, TRIES = 12, 90
NEW_RULES = 24
SHARES = (Fraction(1), Fraction(1, 2), Fraction(1, 4))  # of a definite form that is left over

Hypothesis = Order | Equation | tuple[Words, Words | int]


def statement(claim: Order, assuming: Iterable[Hypothesis] = (), among: Sequence[Json] = ()) -> Json:
    """The statement as JSON."""
    supposed = list(assuming)
    orders = [h for h in supposed if isinstance(h, Order)]
    equations = [equation(h) for h in supposed if not isinstance(h, Order)]
    stated: list[Order | Equation] = [*orders, *equations, claim]
    sides = [side for h in stated for side in (h.left, h.right)]
    data: Json = {
        "kind": "loewner",
        "letters": declarations(sides),
        "rules": [e.as_json() for e in equations],
        "orders": [_written(h) for h in orders],
        **_written(claim),
    }
    return data | ({"among": list(among)} if among else {})


def _written(claim: Order) -> Json:
    return {"relation": claim.relation, "left": as_written(claim.left), "right": as_written(claim.right)}


def decide(statement: Json) -> Certificate:
    """The verdict on a statement."""
    problem = Claimed(statement)
    for stage in range(STAGES):
        witness = problem.witness(range(QUICK) if stage == 0 else range(QUICK * stage, QUICK * (stage + 1)))
        if witness is not None:
            return Certificate(statement, Verdict.REFUTED, "exact matrices", {"witness": witness})
        if stage == 2:
            problem.complete()
        found = problem.proof(stage)
        if found is not None:
            return problem.proved("sum of forms", found)
    witness = problem.witness(range(QUICK * STAGES, TRIES))
    if witness is not None:
        return Certificate(statement, Verdict.REFUTED, "exact matrices", {"witness": witness})
    reason = "no sum of squares and hypotheses was found, and no exact matrices contradict it"
    return undecided(statement, reason)


class Claimed:
    """A statement read: the difference that should not be negative, the hypotheses, and where they hold."""

    def __init__(self, statement: Json) -> None:
        reader = Reader(statement["letters"])
        self.letters = reader.letters
        self.statement, self.strict = statement, statement["relation"] == ">"
        self.sides = reader.side(statement["left"]), reader.side(statement["right"])
        gaps = [_symmetric(reader.side(o["left"]) - reader.side(o["right"])) for o in statement["orders"]]
        known = [{"left": o[side], "right": o[side], "oriented": False} for o in statement["orders"] for side in SIDES]
        self.problem = Problem({**statement, "kind": "words", "rules": [*statement["rules"], *known]})
        self.book = self.problem.book
        strict = [o["relation"] == ">" for o in statement["orders"]]
        orders = [Sized(gap.shape, gap.terms) for gap in gaps]
        self.values = Values(self.problem.forms, orders, strict)
        self.target = Sized(self.problem.shape, self.problem.goal)
        self.search = Ordered(self.problem.search(), orders, strict, statement.get("determinants", ()))

    def complete(self) -> None:
        """Rules that follow from others."""
        self.book.complete(NEW_RULES, self.problem.largest + 2)

    # refutation

    def witness(self, attempts: range) -> Json | None:
        """Matrices that contradict the statement, with a vector that shows it."""
        for at in self.search.instances(attempts):
            values = {key: value_of(side.terms, side.shape, at) for key, side in zip(SIDES, self.sides, strict=True)}
            matrix = values["left"] - values["right"]
            vector = below(matrix, self.strict) if equals_its_transpose(matrix) else None
            if vector is not None:
                numbers = {key: [[str(at_vector(value, vector))]] for key, value in values.items()}
                return at.as_json() | {"vector": list(map(str, vector)), **numbers}
        return None

    # proof

    def proof(self, stage: int) -> Json | None:
        """Return what a proof consists of, but for an instance of the hypotheses."""
        normal = Normal(self.book)
        candidates = Candidates(self.target, self.values, normal, self.problem.letters)
        blocks = candidates.blocks(stage)
        terms = decomposed(self.target, blocks, normal)
        if terms is not None and (found := self._payload(terms)):
            return found
        for spare in self._definite(candidates) if self.strict else ():
            rest = self.values.plus(self.target, self.values.term(spare), Fraction(-1))
            terms = decomposed(rest, blocks, normal)
            if terms is not None and (found := self._payload([spare, *terms])):
                return found
        return None

    def _definite(self, candidates: Candidates) -> Iterator[Term]:
        width = self.target.shape[0]
        cores = [core for core in candidates.cores if self.values.is_strict(core)]
        for share in SHARES:
            for core in reversed(cores):
                size = self.values.size(core)
                for of in candidates.maps((width if size is None else size, width), 1)[:3]:
                    yield Term(share, [], Form(core, of))
                if size == 1 != width:
                    number = Factor("trace", [Form(core, self.values.unit(1))])
                    yield Term(share, [number], Form(("one",), self.values.unit(width)))

    def _payload(self, terms: Sequence[Term]) -> Json | None:
        """The proof as data, if the terms add up and, for a strict claim, cannot all vanish."""
        rest = dict(self.target.terms)
        for term in terms:
            rest = difference(rest, self.values.term(term).terms)
        left, proof = self.book.reduce(self.target.shape, rest)
        if left:
            return None
        if self.strict and not any(map(self._is_definite, terms)):
            return None
        steps = steps_of(proof, self.target.shape, self.problem.letters)
        return {"pieces": [term.written() for term in terms], "steps": steps}

    def _is_definite(self, term: Term) -> bool:
        return self.values.is_definite(term) and term.form.map == self.values.unit(self.target.shape[0])

    def proved(self, method: str, payload: Json) -> Certificate:
        """The certificate, if matrices that satisfy the hypotheses were found."""
        inhabited = next(self.search.instances(range(2 * TRIES)), None)
        if inhabited is None:
            reason = "it follows, but no matrices were found that satisfy the hypotheses: offer some in `among`"
            return Certificate(self.statement, Verdict.OPEN, method, {}, reason)
        return Certificate(self.statement, Verdict.PROVED, method, payload | {"inhabited": inhabited.as_json()})


def _symmetric(gap: Words) -> Words:
    """The difference of the sides of a hypothesis, or a refusal."""
    if not is_symmetric(gap):
        raise ShapeError(f"a hypothesis compares symmetric matrices, and ({gap!r}) is none: declare its letters so")
    return gap
