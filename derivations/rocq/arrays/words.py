"""Equations between matrices of any size in the language of Rocq, from the certificates of the core.

A hypothesis, or what a declaration says, becomes a letter of the proof that is zero, and is defined by the difference
of its sides; the steps of the certificate are formulas in such letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from derivations.rocq.arrays import tables
from derivations.rocq.arrays.printed import Formula, Json, Letter, Printer, Reading, Used, equal, hypothesis, turned
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.names import identifiers

IMPORTS = (
    "From Coq Require Import ZArith QArith.",
    "From mathcomp Require Import all_ssreflect all_algebra.",
    "From Derivations Require Import Indexed Words Sums Values.",
    "Import GRing.Theory Num.Theory.",
    "Local Open Scope ring_scope.",
)


class Hypothesis(NamedTuple):
    """A hypothesis with its name, and the tactic that shows it at exact matrices."""

    name: str
    text: str
    shown: str


class Zero(NamedTuple):
    """Two sides that are equal, and why."""

    left: Reading
    right: Reading
    reason: str


def export_equation(certificate: Json) -> Exported:
    claim = Claim(certificate["statement"])
    proof = claim.proof(certificate["payload"]["steps"])
    return Exported(claim.printed(equal(claim.left, claim.right)), proof, IMPORTS)


def export_refutation(certificate: Json) -> Exported:
    """The matrices of the certificate have all that is declared and supposed, and the sides differ there."""
    claim, witness = Claim(certificate["statement"]), certificate["payload"]["witness"]
    a, b, goals = claim.left, claim.right, [(said.text, said.shown) for said in claim.hypotheses]
    goals.append((f"{a.text} <> {b.text}{' :> F' if a.is_number else ''}", tables.differ(claim, a, b)))
    statement = tables.exists(claim, claim.kinds(), goals)
    given = {claim.known[claim.names[name]]: claim.table(name, witness["matrices"]) for name in claim.declared}
    values = {claim.names[name]: claim.tabled(name) for name in claim.declared}
    return Exported(statement, tables.script(claim, witness["dims"], given, values, goals), IMPORTS)


class Claim(Printer):
    """A statement read, with its hypotheses."""

    def __init__(self, statement: Json) -> None:
        self.statement, letters = statement, statement["letters"]
        sizes = sorted(_sizes(statement) - {1}, key=str)
        keys = {size: size if size not in letters else f"size {size}" for size in sizes}
        names = identifiers([*letters, *keys.values()])
        super().__init__(letters, names)
        self.hypotheses = list(self._declared_hypotheses())
        self.rules = [(self.side(rule["left"]), self.side(rule["right"])) for rule in statement["rules"]]
        self.hypotheses += [self._equation(hypothesis("rule", k), a, b) for k, (a, b) in enumerate(self.rules)]
        self.left, self.right = self.side(statement["left"]), self.side(statement["right"])
        self.zeros: dict[Formula, int] = {}

    def _declared_hypotheses(self) -> Iterator[Hypothesis]:
        for name, data in self.declared.items():
            a = self.scope[name]
            if "diagonal" in data and not a.is_number:
                shown = f"apply: (diagonal_mx F (r:={self.range(a.rows)}) (dim:=dim') erefl); vm_compute"
                yield Hypothesis(hypothesis("diagonal", a.text), f"is_diag_mx {a.text}", shown)
            if "symmetric" in data and not a.is_number:
                yield self._equation(hypothesis("symmetric", a.text), turned(a), a)
            for sign, relation in (("positive", f"0 < {a.text}"), ("nonzero", f"{a.text} != 0")):
                if sign in data:
                    shown = f"apply: ({sign}_number (dim:=dim') (ts:=ts') {a.proof}); vm_compute"
                    yield Hypothesis(hypothesis(sign, a.text), relation, shown)
            for said, left, right in self._equal(name):
                if said[0] not in ("inverse right", "orthogonal"):
                    yield self._equation(self.label(said), left, right)

    def _equation(self, name: str, left: Reading, right: Reading) -> Hypothesis:
        return Hypothesis(name, equal(left, right), tables.same(self, left, right))

    def label(self, said: tuple[Any, ...]) -> str:
        return hypothesis(said[0].replace(" ", "_"), *(self.names[name] for name in said[1:]))

    def _equal(self, name: str) -> Iterator[tuple[tuple[Any, ...], Reading, Reading]]:
        """The sides that are equal by a declaration, under the name that the core gives them."""
        data, a = self.declared[name], self.scope[name]
        if "equals" in data:
            yield ("equals", name), a, self.side(data["equals"])
        if "inverse_of" in data:
            other = self.side(data["inverse_of"])
            yield ("inverse left", name), self.product(a, other), self.one(a.rows)
            yield ("inverse right", name), self.product(other, a), self.one(a.rows)
        if "orthonormal_columns" in data:
            other = self.value(("T", ("L", name)), self.scope)
            yield ("orthonormal", name), self.product(other, a), self.one(a.cols)
            if a.rows == a.cols:
                yield ("orthogonal", name), self.product(a, other), self.one(a.rows)
        for partner in data.get("commutes_with", ()):
            other = self.scope[partner]
            yield ("commute", name, partner), self.product(a, other), self.product(other, a)

    def _reason(self, said: tuple[Any, ...], a: Reading) -> str:
        """Why two sides are equal: a hypothesis, or what follows for the factors in the other order."""
        other = {"inverse right": "inverse left", "orthogonal": "orthonormal"}.get(said[0])
        if other is None:
            return self.label(said)
        return f"({'inverse_right' if a.is_number else 'mulmx1C'} {self.label((other, *said[1:]))})"

    def kinds(self) -> dict[str, str]:
        """Where the letters of the statement are from."""
        shapes = {name: self.shape(data["rows"], data["cols"]) for name, data in self.declared.items()}
        return {self.names[name]: "F" if self.scope[name].is_number else of for name, of in shapes.items()}

    def table(self, name: str, given: Json) -> Any:
        """The entries of a letter at exact matrices; one that no side needs is zero, or the number 1."""
        if name in given:
            return given[name]
        if set(self.declared[name]) - {"rows", "cols", "symmetric", "diagonal", "positive", "nonzero"}:
            raise NotExported("a letter with a definition has no matrix")
        return [["1"]] if self.scope[name].is_number else []

    def tabled(self, name: str) -> str:
        table, data = f"t'{self.known[self.names[name]]}", self.declared[name]
        if self.scope[name].is_number:
            return f"rational F (entry {table} [::])"
        return f"matrix_of F {self.size(data['rows'])} {self.size(data['cols'])} {table}"

    def printed(self, conclusion: str) -> str:
        letters = [f" ({name} : {of})" for name, of in self.kinds().items()]
        sizes = f" ({' '.join(map(self.size, self.sizes))} : nat)" if self.sizes else ""
        rows = [f"{said.text} ->" for said in self.hypotheses]
        return f"forall (F : realFieldType){sizes}\n {''.join(letters)},\n  " + "\n  ".join([*rows, conclusion])

    def proof(self, steps: Iterable[Formula]) -> str:
        added = [self.value(step, self.scope).sums for step in steps]
        symmetry = {}
        for name, data in self.declared.items():
            if "symmetric" in data and not self.scope[name].is_number:
                number, text = self.known[self.names[name]], self.names[name]
                symmetry[number] = f"(symmetric_entries (l:={number}) erefl {hypothesis('symmetric', text)})"
        rows, cols = self.range(self.left.rows), self.range(self.left.cols)
        theorem = "number_agree" if self.left.is_number else f"mx_agree (r:={rows}) (s:={cols})"
        shapes = "erefl" if self.left.is_number else "erefl erefl erefl"
        introduced = [
            *map(self.size, self.sizes),
            *(self.names[name] for name in self.declared),
            *(said.name for said in self.hypotheses),
        ]
        used = Used(symmetry, self.zeros.values(), added)
        return self.script(introduced, theorem, [shapes, self.left.proof, self.right.proof], used)

    def value(self, formula: Formula, scope: Any) -> Reading:
        if formula[0] not in ("hypothesis", "declared"):
            return super().value(formula, scope)
        if formula not in self.zeros:
            self._add_zero(formula)
        left, _, _ = self._zero(formula)
        number = self.zeros[formula]
        return left._replace(sums=f"(At {number} [::])" if left.is_number else f"(Letter {number})")

    def _zero(self, formula: Formula) -> Zero:
        if formula[0] == "hypothesis":
            left, right = self.rules[formula[1]]
            return Zero(left, right, hypothesis("rule", formula[1]))
        said = formula[1:]
        left, right = next((left, right) for known, left, right in self._equal(said[1]) if known == said)
        return Zero(left, right, self._reason(said, left))

    def _add_zero(self, formula: Formula) -> None:
        left, right, reason = self._zero(formula)
        number = self.zeros[formula] = len(self.letters)
        rows, cols = self.range(left.rows), self.range(left.cols)
        sums = f"Add {left.sums} (Neg {right.sums})"
        sides = f"{reason} {left.proof} {right.proof}"
        if left.is_number:
            definition = f"({number}, ([::], {sums}))"
            proof = f"(zero_is_number (dim:=dim') (env:=env') (l:={number}) erefl {sides})"
        else:
            definition = f"({number}, ([:: {rows}; {cols}], {sums}))"
            proof = (
                f"(zero_is_mx (dim:=dim') (env:=env') (l:={number}) (r:={rows}) (s:={cols}) erefl erefl erefl {sides})"
            )
        self.letters.append(Letter("nothing F", definition=definition, proof=proof))


def _sizes(statement: Json) -> set[Any]:
    """Every dimension that a statement names."""
    sides = [
        *(statement[side] for side in ("left", "right")),
        *(r[s] for r in statement["rules"] for s in ("left", "right")),
    ]
    sides += [data[link] for data in statement["letters"].values() for link in ("equals", "inverse_of") if link in data]
    sizes = {size for data in statement["letters"].values() for size in (data["rows"], data["cols"])}
    return sizes.union(*(_sizes_in(side["formula"]) | set(side["shape"]) for side in sides))


def _sizes_in(formula: Formula) -> set[Any]:
    if not isinstance(formula, tuple | list) or not formula:
        return set()
    own = set(formula[1:]) if formula[0] in ("I", "0") else set()
    return own.union(*(_sizes_in(part) for part in formula[1:])) if formula[0] not in ("I", "0") else own
