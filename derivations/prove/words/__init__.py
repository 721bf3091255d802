"""Identities between matrices of any size, decided by rewriting words.

    words(left, right, assuming=[(a, b), Equation(c, d, oriented=True)])

Statement (JSON):
    {"kind": "words", "letters": {name: LETTER}, "rules": [{"left": P, "right": P, "oriented": bool}, ...],
     "left": P, "right": P, "among": [CANDIDATE, ...]}                            "among" only if candidates were given
    LETTER = {"rows": D, "cols": D} and, where true, "symmetric", "diagonal", "orthonormal_columns", "positive",
             "nonzero": true, "commutes_with": [names], "inverse_of": P, "equals": P; D is a dimension's name or 1
    P = {"shape": [D, D], "formula": F}, the formula as it was written, derivatives and all (the forms that F takes are
        listed in `derivations/language/words/formulas.py`)
It says: for all sizes of the dimensions and all real matrices with the declared properties that satisfy the rules
(left = right), the sides are equal. An "oriented" rule replaces the largest monomial of its left side; any other rule
replaces its largest monomial. Monomials compare by their number of factors, then alphabetically.

PROVED, method "rewriting", payload {"steps": [F, ...], "inhabited": INSTANCE}, where left - right is the sum of the
    steps. Each is a formula that is zero as it is built, because what is zero stands in it as a factor, in a transpose,
    in a trace, or in each part of a sum:
      ["hypothesis", k]  left - right of rules[k];  ["declared", "equals", A]  A - its definition;
      ["declared", "inverse left", A]  A W - I and ["declared", "inverse right", A]  W A - I, A being declared the
      inverse of W;  ["declared", "orthonormal", U]  U' U - I and ["declared", "orthogonal", U]  U U' - I, U square;
      ["declared", "commute", A, B]  A B - B A, where A is declared to commute with B.
    INSTANCE = {"dims": {D: int}, "matrices": {name: [["p/q", ...], ...]}} satisfies every declaration and rule, with
      every dimension at least 1: the hypotheses do not contradict each other. Letters that cancel may be left out, but
      for those that not every size has: inverses, definitions, what commutes, and orthonormal columns.
REFUTED, method "exact matrices", payload {"witness": INSTANCE and "left", "right": the sides' different values}.
OPEN, with a reason, when neither was found. CANDIDATE has the form of an INSTANCE; letters that it does not give are
    drawn, and one of size 0 is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.polynomials import add_to
from derivations.language.words import Letter, Words, as_written, declarations
from derivations.language.words.algebra import (
    UNIT,
    Form,
    Formula,
    Polynomial,
    Shape,
    ShapeError,
    Word,
    by,
    difference,
    monomial,
    name_of,
    order,
    scalar_written_out,
    together,
    whole_written_out,
    word_written_out,
)
from derivations.language.words.core import beside
from derivations.language.words.formulas import Reader, needed, same, sizes_in
from derivations.language.words.instances import Declaration, Instance, Search, generator, table, value_of
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.words.rules import Basic, Context, Proof, RuleBook
from derivations.prove.words.span import spanned
from derivations.text.doors import shown

TRIES, QUICK = 120, 12  # draws of matrices, and how many come before the harder reductions
NEW_RULES, PRODUCTS = 24, 600  # consequences of overlapping rules, and equations of the linear system


@dataclass(frozen=True)
class Equation:
    """A hypothesis. When `oriented`, the largest monomial of the left side is what it replaces."""

    left: Words
    right: Words
    oriented: bool = False

    def as_json(self) -> Json:
        return {"left": as_written(self.left), "right": as_written(self.right), "oriented": self.oriented}


Hypothesis = Equation | tuple[Words, Words | int]


def require_pair(given: Any) -> None:
    """Refuses a hypothesis that is no equation, and no pair of equal words or blocks."""
    if not isinstance(given, Equation) and not (isinstance(given, tuple | list) and len(given) == 2):
        raise ShapeError(f"a hypothesis about matrices is a pair of equal words, or an order, and not {shown(given)}")


def equation(given: Hypothesis) -> Equation:
    require_pair(given)
    return given if isinstance(given, Equation) else Equation(given[0], beside(given[1], given[0]))


def statement(
    left: Words, right: Words | int = 0, assuming: Iterable[Hypothesis] = (), among: Sequence[Json] = ()
) -> Json:
    """The statement as JSON."""
    sides = (left, beside(right, left))
    equations = list(map(equation, assuming))
    for a, b in (sides, *((e.left, e.right) for e in equations)):
        if a.shape != b.shape:
            raise ShapeError(f"({a!r}) is {by(a.shape)} and ({b!r}) is {by(b.shape)}: they cannot be equal")
    everything = [*sides, *(w for e in equations for w in (e.left, e.right))]
    data: Json = {
        "kind": "words",
        "letters": declarations(everything),
        "rules": [e.as_json() for e in equations],
        "left": as_written(sides[0]),
        "right": as_written(sides[1]),
    }
    return data | ({"among": list(among)} if among else {})


def decide(statement: Json) -> Certificate:
    """The verdict on a statement; a statement whose shapes do not fit raises ShapeError."""
    problem = Problem(statement)
    search = problem.search()
    rest, proof = problem.book.reduce(problem.shape, problem.goal)
    for stage in (range(QUICK), range(QUICK, TRIES)):
        if not rest:
            break
        witness = next((at for at in search.instances(stage) if problem.differs(at)), None)
        if witness is not None:
            return Certificate(statement, Verdict.REFUTED, "exact matrices", {"witness": problem.witness(witness)})
        if stage.start:
            problem.book.complete(NEW_RULES, problem.largest + 2)
            rest, proof = problem.book.reduce(problem.shape, problem.goal)
        combination = spanned(problem.book, problem.goal, PRODUCTS) if rest else None
        if combination is not None:
            rest, proof = {}, combination
    if rest:
        return Certificate(statement, Verdict.OPEN, "rewriting", {}, _undecided(rest))
    inhabited = next(search.instances(range(2 * TRIES)), None)
    if inhabited is None:
        reason = "the sides agree, but no matrices were found that satisfy the hypotheses: offer some in `among`"
        return Certificate(statement, Verdict.OPEN, "rewriting", {}, reason)
    steps = steps_of(proof, problem.shape, problem.letters)
    payload = {"steps": steps, "inhabited": inhabited.as_json()}
    return Certificate(statement, Verdict.PROVED, "rewriting", payload)


def _undecided(rest: Polynomial) -> str:
    (scalars, outer), _ = max(rest.items(), key=lambda t: order(t[0]))
    shown = " ".join([*("*".join(s) for s in scalars), *outer]) or "a constant"
    left = f"{len(rest)} terms remain after rewriting (the largest is {shown})"
    return f"{left}, and no exact matrices were found on which the sides differ"


def steps_of(proof: Proof, shape: Shape, letters: Mapping[str, Declaration]) -> list[Formula]:
    """A proof as formulas that are zero, of a shape; that diagonal letters commute is no step."""
    return [
        _step(c, at, basic, shape)
        for c, at, basic in proof
        if basic[0][0] != "commute" or not all(letters[str(name)].diagonal for name in basic[0][1:])
    ]


def _step(coefficient: Fraction, at: Context, basic: Basic, shape: Shape) -> Formula:
    (kind, *about), turned = basic
    zero: Formula = ("hypothesis", *about) if kind == "hypothesis" else ("declared", kind, *about)
    zero = ("T", zero) if turned else zero
    inner = together("@", [*word_written_out(at.left), zero, *word_written_out(at.right)])
    whole = [] if at.outer is None else whole_written_out(at.outer, shape)
    factors = [*map(scalar_written_out, at.scalars), ("tr", inner) if at.trace else inner, *whole]
    return together("*", factors if coefficient == 1 else [("q", str(coefficient)), *factors])


class Problem:
    """A statement read: forms, declarations, rules and the polynomial that must vanish."""

    def __init__(self, statement: Json) -> None:
        self.statement = statement
        reader = Reader(statement["letters"])
        left, right = reader.side(statement["left"]), reader.side(statement["right"])
        same(left.shape, right.shape, "the sides")
        self.left, self.right, self.shape = left.terms, right.terms, left.shape
        self.goal = difference(self.left, self.right)
        everything = [left, right]
        self.hypotheses: list[tuple[Polynomial, Polynomial, Shape, bool]] = []
        for k, rule in enumerate(statement["rules"]):
            a, b = reader.side(rule["left"]), reader.side(rule["right"])
            everything += [a, b]
            same(a.shape, b.shape, f"the sides of rule {k}")
            self.hypotheses.append((a.terms, b.terms, a.shape, bool(rule["oriented"])))
        self.letters = {name: _declaration(reader.letters[name]) for name in sorted(needed(reader, everything))}
        self.forms = {name: Form(*x.shape, x.symmetric) for name, x in self.letters.items()}
        self.book = RuleBook(self.forms)
        self._declared_rules()
        for k, (first, second, shape, oriented) in enumerate(self.hypotheses):
            basic = (("hypothesis", k), False)
            self.book.learn(shape, difference(first, second), basic, first if oriented else None)
        self.largest = max(
            (order(m)[0] for part in (self.goal, *(r.terms for r in self.book.rules)) for m in part), default=0
        )

    def search(self) -> Search:
        hypotheses = [(difference(a, b), shape) for a, b, shape, _ in self.hypotheses]
        dimensions = dimensions_in(self.statement)
        offered = [
            {**c, "dims": {name: c["dims"].get(name, 1) for name in sorted(dimensions)}}
            for c in self.statement.get("among", [])
        ]
        search = Search(self.letters, hypotheses, dimensions, generator(self.statement))
        for data in offered:
            if 0 not in data["dims"].values():
                search.offer(candidate(data, self.letters))
        return search

    def differs(self, at: Instance) -> bool:
        return bool(value_of(self.left, self.shape, at) != value_of(self.right, self.shape, at))

    def witness(self, at: Instance) -> Json:
        sides = {
            "left": table(value_of(self.left, self.shape, at)),
            "right": table(value_of(self.right, self.shape, at)),
        }
        return at.as_json() | sides

    def _declared_rules(self) -> None:
        for name, x in self.letters.items():
            if x.equals is not None:
                self._learn(name, x.equals, x.shape, ("equals", name), first=self._power(name))
        self._commuting()
        for name, x in self.letters.items():
            if x.orthonormal_columns:
                gram = monomial((), (*self._transpose(name), name), self.forms)
                self._rule({gram: Fraction(1)}, (x.cols, x.cols), ("orthonormal", name))
                if x.rows == x.cols:
                    gram = monomial((), (name, *self._transpose(name)), self.forms)
                    self._rule({gram: Fraction(1)}, (x.rows, x.rows), ("orthogonal", name))
            if x.inverse_of is not None:
                self._inverse(name, x.inverse_of, x.shape)

    def _commuting(self) -> None:
        """Letters that commute are sorted; an inverse stands next to its letter."""
        names = sorted(self.letters, key=lambda n: (self._root(n), n))
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                x, y = self.letters[a], self.letters[b]
                both_diagonal = x.diagonal and y.diagonal and x.shape == y.shape
                if x.shape != (1, 1) and (both_diagonal or b in x.commutes_with or a in y.commutes_with):
                    basic = ("commute", a, b) if both_diagonal or b in x.commutes_with else ("commute", b, a)
                    terms: Polynomial = {((), basic[1:]): Fraction(1), ((), basic[:0:-1]): Fraction(-1)}
                    self.book.learn(x.shape, terms, (basic, False), {((), (b, a)): Fraction(1)})

    def _root(self, name: str) -> str:
        base = self.letters[name].inverse_of
        only = [outer for _, outer in base or {}]
        return name_of(only[0][0]) if len(only) == 1 and len(only[0]) == 1 else name

    def _inverse(self, name: str, base: Polynomial, shape: Shape) -> None:
        for side in ("inverse left", "inverse right")[: 1 if shape == (1, 1) else 2]:
            terms: Polynomial = {}
            for (scalars, outer), c in base.items():
                word = (name, *outer) if side == "inverse left" else (*outer, name)
                add_to(terms, {monomial(scalars, word, self.forms): c})
            self._rule(terms, shape, (side, name))

    def _transpose(self, name: str) -> Word:
        return (name,) if self.forms[name].symmetric else (name + "'",)

    def _power(self, name: str) -> Polynomial:
        return {monomial((), (name,), self.forms): Fraction(1)}

    def _rule(self, terms: Polynomial, shape: Shape, basic: tuple[str | int, ...]) -> None:
        self.book.learn(shape, difference(terms, {UNIT: Fraction(1)}), (basic, False))

    def _learn(
        self, name: str, terms: Polynomial, shape: Shape, basic: tuple[str | int, ...], first: Polynomial
    ) -> None:
        self.book.learn(shape, difference(first, terms), (basic, False), first)


def _declaration(x: Letter) -> Declaration:
    return Declaration(
        *x.shape,
        symmetric=x.symmetric,
        orthonormal_columns=x.orthonormal_columns,
        diagonal=x.diagonal,
        positive=x.positive,
        nonzero=x.nonzero,
        commutes_with=tuple(sorted(other.name for other in x.commutes_with)),
        inverse_of=None if x.inverse_of is None else x.inverse_of.terms,
        equals=None if x.equals is None else x.equals.terms,
    )


def dimensions_in(statement: Json) -> set[str]:
    """The names of all dimensions that occur in a statement: in declarations, in shapes and as sizes."""
    declared = statement["letters"].values()
    links = [x[link] for x in declared for link in ("inverse_of", "equals") if link in x]
    sides = [part[side] for part in (statement, *statement["rules"]) for side in ("left", "right")]
    shapes = {str(x[k]) for x in declared for k in ("rows", "cols") if x[k] != 1}
    return shapes.union(*map(sizes_in, [*links, *sides]))


def candidate(data: Json, letters: dict[str, Declaration]) -> Instance:
    """An instance from a certificate's data; sizes below 1 and matrices of another size are refused (`ShapeError`)."""
    sizes = {name: int(size) for name, size in data["dims"].items()}
    for name, size in sizes.items():
        if size < 1:
            raise ShapeError(f"a candidate gives the dimension {name} the size {size}: give a size of at least 1")
    at = Instance(sizes, {})
    for name, given in data["matrices"].items():
        if name not in letters:
            continue
        rows, cols = (1 if d == 1 else sizes[str(d)] for d in letters[name].shape)
        if len(given) != rows or any(len(row) != cols for row in given):
            raise ShapeError(f"a candidate's matrix {name} is not {rows} x {cols}: give {rows} rows of {cols} numbers")
        entries = [Fraction(v) for row in given for v in row]
        at.matrices[name] = fmpq_mat(rows, cols, [fmpq(v.numerator, v.denominator) for v in entries])
    return at
