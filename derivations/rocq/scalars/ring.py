"""Equations and signs by polynomials: the steps of a certificate, as the theory Ring takes them.

The theory computes the fractions anew; of a sum of two it is told the common divisor of their denominators.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.ring import Fraction, Ring
from derivations.recheck.core.ring.polynomials import Poly
from derivations.recheck.core.statements import relation_of
from derivations.recheck.core.terms import carried_out, prepared, whole_exponent, with_parts
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.scalars.formulas import Stated
from derivations.rocq.scalars.rates import Rates, has_derivative

IMPORTS = ("From Derivations Require Import Ring.", "Local Open Scope R_scope.")
RELATIONS = {"=": "Eq0", "!=": "Ne0", ">": "Gt0", ">=": "Ge0"}
EXPONENTIAL = "by a power as an exponential"
FUNCTIONS = {
    "exp": "Exp", "log": "Log", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh", "sin": "Sin", "cos": "Cos",
    "asin": "Asin", "atan": "Atan", "abs": "Abs",
}  # fmt: skip


# --- data of the theory -----------------------------------------------------------------------------------------------


def reified(formula: Term, letters: Mapping[str, int]) -> str:
    """A formula as data of the theory, sums and products from the left."""
    head = formula[0]
    if head == "s":
        return f"(Var {letters[formula[1]]})"
    if head == "q":
        value = rational(formula[1])
        return f"(Num {whole(value.p)} {value.q})"
    if head == "pi":
        return "Pi"
    if head in ("+", "*"):
        text = reified(formula[1], letters)
        for child in formula[2:]:
            text = f"({'Add' if head == '+' else 'Mul'} {text} {reified(child, letters)})"
        return text
    if head == "^":
        base, k = reified(formula[1], letters), whole_exponent(formula)
        if k is not None:
            return f"(Pow {base} {whole(k)})"
        if formula[2][0] != "q":
            return f"(Exponential {base} {reified(formula[2], letters)})"
        return f"(Root {base} {whole(halves(formula))})"
    if head in FUNCTIONS:
        return f"(Fun {FUNCTIONS[head]} {reified(formula[1], letters)})"
    raise NotExported(f"the function {head} is not written in Rocq")


def halves(power: Term) -> int:
    """The power of a square root."""
    exponent = rational(power[2][1])
    if exponent.q != 2:
        raise NotExported("a root of another order than two")
    return int(exponent.p)


def whole(value: object) -> str:
    text = str(value)
    return f"({text})" if text.startswith("-") else text


def listed(items: Iterable[str]) -> str:
    return f"[{'; '.join(items)}]"


def polynomial(poly: Poly) -> str:
    """A polynomial from its terms: a coefficient, and letters with their powers."""
    rows = []
    for exponents, coefficient in poly.to_dict().items():
        powers = listed(f"L {k + 1} {n}" for k, n in enumerate(exponents) if n)
        rows.append(f"M {whole(coefficient.p)} {coefficient.q} {powers}")
    return f"(made {listed(rows)})"


def positions(indices: Iterable[int]) -> str:
    return listed(f"{k}%nat" for k in indices)


@dataclass
class Script:
    """The steps of a proof in the words of the theory, and the common divisors that its sums of fractions need."""

    ring: Ring
    letters: Mapping[str, int]
    hints: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def total(self, data: Data) -> str:
        """A sum of products of facts, with a polynomial before each."""
        polys = self.ring.polynomials
        rows = []
        for weight, indices in data:
            known = polys.context.constant(rational(weight)) if isinstance(weight, str) else self.ring.read(weight)
            rows.append(f"({polynomial(known)}, {positions(indices)})")
        return listed(rows)

    def add(self, a: Fraction, b: Fraction) -> Fraction:
        """The sum of two fractions; what their denominators share is noted."""
        polys = self.ring.polynomials
        if a[1] != 1 and b[1] != 1:
            common = polys.gcd(a[1], b[1])
            self.hints.append(f"({', '.join(map(polynomial, (common, b[1] / common, a[1] / common)))})")
        return polys.add(a, b)

    def fraction(self, formula: Term) -> Fraction:
        """The fraction that the core has for a formula, computed part by part as the theory does."""
        polys, head = self.ring.polynomials, formula[0]
        if head == "q":
            return polys.context.constant(rational(formula[1])), polys.one
        if head in ("+", "*"):
            made = self.fraction(formula[1])
            for child in formula[2:]:
                other = self.fraction(child)
                made = self.add(made, other) if head == "+" else (made[0] * other[0], made[1] * other[1])
            return made
        k = whole_exponent(formula) if head == "^" else None
        if k is not None:
            num, den = self.fraction(formula[1])[:: 1 if k >= 0 else -1]
            return num ** abs(k), den ** abs(k)
        return self.ring.fraction(formula)

    def difference(self, left: Term, right: Term) -> None:
        num, den = self.fraction(right)
        self.add(self.fraction(left), (-num, den))

    def term(self, formula: Term) -> str:
        return reified(formula, self.letters)

    def take(self, step: Data) -> None:
        """Write one more step, before the core takes it."""
        match step:
            case ("generator", k):
                self.steps.append(f"Generator {k + 1}")
            case ("rewrite", ("exp" | "log", _) as formula, powers, times, total):
                self._of_powers(formula, powers, f"{positions(times)} {self.total(total)}")
            case ("rewrite", ("^", base, _) as formula, num, den, power, times, total):
                self.fraction(base)
                polys = " ".join(polynomial(self.ring.read(data)) for data in (num, den))
                evidence = f"{positions(times)} {self.total(total)}"
                self.steps.append(f"RewriteRoot {self.term(base)} {whole(halves(formula))} {polys} {power} {evidence}")
            case ("rewrite", (head, inside), ((sign, index),), times, total) if head in FUNCTIONS:
                self.fraction(inside)
                self.fraction(self.ring.generators[index][1])
                of = f"{FUNCTIONS[head]} {self.term(inside)} {str(sign == '-1').lower()} {index + 1}"
                self.steps.append(f"RewriteOther {of} {positions(times)} {self.total(total)}")
            case ("given", k):
                _, left, right = self.ring.givens[k]
                self.difference(left, right)
                self.steps.append(f"Given {k}")
            case ("value", formula):
                self.steps.append(f"Value {self.term(formula)}")
                self._argument(formula)
            case ("denominator", formula):
                self.fraction(formula)
                self.steps.append(f"Denominator {self.term(formula)}")
            case ("sign", k):
                _, relation = self.ring._sign(k)
                self.steps.append(f"Sign {k + 1} {str(relation == '>').lower()}")
            case ("power", k):
                generator = self.ring.generators[k]
                halves(generator)
                self.fraction(generator[1])
                self.steps.append(f"Square_root {k + 1}")
            case ("square", data):
                self.steps.append(f"Square {polynomial(self.ring.read(data))}")
            case ("factor", data, indices):
                poly, (product, _) = self.ring.read(data), self.ring._product(indices)
                self.steps.append(f"Factor {polynomial(poly)} {polynomial(product / poly)} {positions(indices)}")
            case ("exponential", ("exp", inside) as formula, data, times, total):
                self.fraction(inside)
                self.fraction(formula)
                evidence = f"{polynomial(self.ring.read(data))} {positions(times)} {self.total(total)}"
                self.steps.append(f"Exponent {self.term(inside)} {evidence}")
            case ("over", data, times, total):
                self.steps.append(f"Over {polynomial(self.ring.read(data))} {positions(times)} {self.total(total)}")
            case ("sum", total):
                self.steps.append(f"Total {self.total(total)}")
            case _:
                raise NotExported(f"a step of the kind {step[0]} is not written in Rocq")

    def _of_powers(self, formula: Term, powers: Data, evidence: str) -> None:
        """An exponential as a product of powers of others, or a logarithm as a sum of multiples of others."""
        ring, head = self.ring.polynomials, formula[0]
        self.fraction(formula[1])
        added: Fraction = ring.zero, ring.one
        for weight, index in powers:
            k = rational(weight)
            num, den = self.fraction(self.ring.generators[index][1])
            if head == "log":
                num, den = ring.gens[index], ring.one
            added = self.add(added, (num * k, den))
        pairs = listed(f"Multiple {whole(rational(weight).p)} {index + 1}" for weight, index in powers)
        step = "RewriteExp" if head == "exp" else "RewriteLog"
        self.steps.append(f"{step} {self.term(formula[1])} {pairs} {evidence}")

    def _argument(self, formula: Term) -> None:
        """The fraction of what has to have a sign for a formula to have a value."""
        if formula[0] == "asin":
            raise NotExported("the domain of an arc is not written in Rocq")
        self.fraction(formula[1])


class _Followed(Ring):
    """The steps of the core, each written down before it is taken."""

    def __init__(self, stated: Stated, spoken: Iterable[Term], payload: Data, letters: Mapping[str, int]) -> None:
        self.script = Script(self, letters)
        givens = [(order, prepared(a), prepared(b)) for order, a, b in stated.givens]
        super().__init__(stated.setting.symbols, givens, spoken, payload)

    def take(self, step: Data) -> None:
        self.script.take(step)
        super().take(step)


def followed(certificate: Data, stated: Stated, letters: Mapping[str, int], title: str = "") -> list[str]:
    """The lemma that the theory computes what a certificate shows; `title` begins the names of what it speaks of."""
    statement, payload = certificate["statement"], certificate["payload"]
    left, right, relation = statement["left"], statement["right"], relation_of(statement)
    supposed = [prepared(formula) for given in stated.setting.assuming for formula in given[1:]]
    ring = _Followed(stated, [prepared(left), prepared(right), *supposed], payload, letters)
    script = ring.script
    script.difference(prepared(left), prepared(right))
    data = {
        "known : list relation": relations(stated.known, letters),
        "gens : list formula": listed(reified(g, letters) for g in ring.generators),
        "hints : list hint": listed(script.hints),
        "steps : list step": listed(script.steps),
        "left : formula": carried(left, letters),
        "right : formula": carried(right, letters),
    }
    the = f"the_{title}"
    computed = f"proves (map prepare {the}known) {the}gens {the}hints {the}steps {positions(payload['times'])}"
    shown = f"{script.total(payload['sum'])} {RELATIONS[relation]} (prepared {the}left) (prepared {the}right)"
    return [
        *(f"Definition {the}{name} := {value}." for name, value in data.items()),
        f"Lemma {title}computed : {computed}",
        f"  {shown} = true.",
        "Proof. vm_compute. reflexivity. Qed.",
    ]


def relations(known: Iterable[Term], letters: Mapping[str, int]) -> str:
    """Relations between formulas as data of the theory."""
    return listed(f"({RELATIONS[order]}, {', '.join(carried(f, letters) for f in sides)})" for order, *sides in known)


def export_proof(certificate: Data) -> Exported:
    """The steps of a certificate, which the theory follows with the hypotheses of the statement."""
    statement = certificate["statement"]
    left, right, relation = statement["left"], statement["right"], relation_of(statement)
    stated = Stated(statement, (left, right))
    if any(has_derivative(each) for given in stated.givens for each in given[1:]):
        raise NotExported("a derivative stands in a hypothesis")
    letters = {letter: k for k, letter in enumerate(stated.names)}
    inner = certificate
    while inner["method"] == EXPONENTIAL and inner["payload"]["parts"]:  # Rocq computes the one from the other
        inner = inner["payload"]["parts"][-1]
    if inner["method"] not in ("normal form", "positive combination"):
        raise NotExported(f"a part is shown {inner['method']}")
    same = inner["statement"]
    known = stated if inner is certificate else Stated(same, (same["left"], same["right"]))
    lemmas = followed(inner, known, letters)
    used, shown = ["computed"], "confirm"
    imports = IMPORTS
    if has_derivative(left) or has_derivative(right):
        if inner is not certificate:
            raise NotExported("a derivative of a power whose exponent is no number")
        lemmas += _with_rates(Rates(letters), left, right)
        imports, shown = (IMPORTS[0].replace("Ring", "Calculus"), *IMPORTS[1:]), "confirm_rates"
        used += ["left_rates", "right_rates"]
    hypotheses = stated.hypotheses()
    names = [_hypothesis(each, hypotheses, stated) for each in known.known]
    introduced = " ".join([*stated.names.values(), *(f"H{k}" for k in range(len(hypotheses)))])
    proof = [f"intros {introduced}."] if introduced else []
    by = " ".join([conjunction(names), *used])
    blanks = " ".join("_" * (8 if shown == "confirm" else 11))
    proof.append(f"exact ({shown} {listed(stated.names.values())} the_known {blanks} {by}).")
    theorem = stated.theorem(stated.relation(relation, left, right))
    return Exported(theorem, "\n".join(proof), imports, "\n".join(lemmas))


def _hypothesis(wanted: Term, hypotheses: list[str], stated: Stated) -> str:
    """The name of a hypothesis, whichever way its powers are written."""
    for each in stated.known:
        if each == wanted or _with_exponentials(each) == _with_exponentials(wanted):
            return f"H{hypotheses.index(stated.relation(*each))}"
    raise NotExported("a part supposes what the statement does not")


def _with_exponentials(formula: Term) -> Term:
    """A relation or a formula, its powers written as exponentials where the exponent is no number."""
    if formula[0] in RELATIONS:
        return (formula[0], *(_with_exponentials(carried_out(side)) for side in formula[1:]))
    head, *inner = with_parts(_with_exponentials, formula)
    if head == "^" and inner[1][0] != "q":
        return ("exp", ("*", inner[1], ("log", inner[0])))
    return (head, *inner)


def _with_rates(rates: Rates, left: Term, right: Term) -> list[str]:
    """The lemmas that say what the derivatives in two sides come to."""
    shapes = {"left": rates.shape(left), "right": rates.shape(right)}
    rows = [
        f"{{| body := {reified(body, rates.inner)}; point := {reified(point, rates.letters)};"
        f" slope := {reified(slope, rates.letters)} |}}"
        for body, point, slope in rates.known
    ]
    lemmas = [f"Definition the_rates : list rate := {listed(rows)}."]
    for side_, shape in shapes.items():
        checked = f"right_rates {len(rates.letters)} the_known the_rates {reified(shape, rates.outer)} the_{side_}"
        lemmas.append(f"Lemma {side_}_rates : {checked} = true.\nProof. vm_compute. reflexivity. Qed.")
    return lemmas


def carried(formula: Term, letters: Mapping[str, int]) -> str:
    """A formula as data of the theory, its derivatives and substitutions carried out."""
    return reified(carried_out(formula), letters)


def conjunction(names: list[str]) -> str:
    """The proof that all of some hypotheses hold, as the theory takes it."""
    return "I" if not names else f"(conj {names[0]} {conjunction(names[1:])})"
