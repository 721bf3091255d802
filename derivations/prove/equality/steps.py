"""The steps by which a checker follows a proof: generators, what formulas are in them, and facts with their reasons.

A field says how formulas look; here it is shown that they may look like that. What is found is a web of steps, each
with those that it rests on. In the end those that are needed are written in an order in which none uses a later one.
"""

from __future__ import annotations

from collections.abc import Iterable

from derivations.language.normal import Field, Poly, add, is_integer, prepared
from derivations.language.normal.division import bounded_power
from derivations.language.terms import Term, children, fraction_of
from derivations.prove.certificate import Json
from derivations.prove.equality.known import Facts
from derivations.prove.equality.reduction import Reduction
from derivations.prove.equality.step import Evidence, Step, all_subterms, joined, listed
from derivations.prove.equality.writer import Writer
from derivations.recheck.core.conditions import own_demand
from derivations.recheck.core.statements import Setting

TOTAL = ("s", "pi", "exp", "sin", "cos", "erf", "atan", "abs")


def difference(field: Field, left: Term, right: Term) -> tuple[Poly, Poly]:
    """Numerator and denominator of a difference, as a checker computes them."""
    num, den = field.fraction(right)
    return add(field.fraction(left), (-num, den))


class Steps:
    """Everything shown of the generators of a field, for a statement with some givens and sides that have values."""

    def __init__(self, of: Field, givens: list[Term], spoken: Iterable[Term]) -> None:
        self.field, self.givens = of, givens
        self.spoken = all_subterms(spoken)
        self.in_order = sorted(self.spoken, key=repr)
        self.formulas: dict[Term, Step] = {}
        self.positions: dict[int, Step] = {}
        self.facts = Facts(self)
        self.complete = self._read_all()

    # --- generators and formulas --------------------------------------------------------------------------------------

    def _read_all(self) -> bool:
        """Show every generator and every formula, each from those before it; False if one cannot be shown."""
        generators = dict(enumerate(self.field.generators))
        own = {self.field.generator_term(g) for g in generators.values()}
        entries = [term for term in self.field.entries if term not in own]
        while generators or entries:
            before = len(generators) + len(entries)
            for position, generator in list(generators.items()):
                formula = self.field.generator_term(generator)
                needs = self._value(formula)
                if needs is not None:
                    step = Step(("generator", formula), tuple(needs))
                    self.formulas[formula] = self.positions[position] = step
                    del generators[position]
            for formula in list(entries):
                found = self._rewrite(formula)
                if found is not None:
                    self.formulas[formula] = found
                    entries.remove(formula)
            if len(generators) + len(entries) == before:
                return False
            self.facts.grow()
        return True

    def reading(self, formula: Term) -> list[Step] | None:
        """The steps after which a checker knows the fraction of a formula."""
        if formula[0] == "q":
            return []
        if formula[0] in ("+", "*"):
            return joined(map(self.reading, formula[1:]))
        if formula[0] == "^" and is_integer(formula[2]):
            inside = self.reading(formula[1])
            if inside is None or fraction_of(formula[2]) >= 0 or formula in self.spoken:
                return inside
            return joined([inside, listed(self.facts.find(self.field.fraction(formula[1])[0], "!="))])
        return listed(self.formulas.get(formula))

    def _value(self, formula: Term) -> list[Step] | None:
        """The steps after which a checker knows that a formula has a value."""
        if formula in self.spoken:
            return []
        inside = joined(map(self.reading, children(formula)))
        if formula[0] in TOTAL or inside is None:
            return inside
        asked = self.asked(formula)
        return None if asked is None else joined([inside, self.plain(*asked)])

    def plain(self, poly: Poly, relation: str) -> list[Step] | None:
        """A fact that is found, or nothing where the polynomial is a number."""
        if poly.is_constant():
            value = poly.leading_coefficient() if poly != 0 else 0
            return [] if (value > 0 or (value == 0 and relation == ">=") or (value != 0 and relation == "!=")) else None
        return listed(self.facts.find(poly, relation))

    def asked(self, formula: Term) -> tuple[Poly, str] | None:
        """Return what must hold of its argument for a power or a logarithm to have a value."""
        demand = own_demand(formula) if formula[0] == "log" or (formula[0], formula[-1][0]) == ("^", "q") else None
        if demand is None:
            return None
        num, den = self.field.fraction(demand[1])
        return (num if demand[0] == "!=" else num * den), demand[0]

    def of(self, *polys: Poly) -> list[Step] | None:
        """The generators of some polynomials, if all of them are shown."""
        degrees = [poly.degrees() for poly in polys]
        used = [i for i in range(len(self.field.generators)) if any(d[i] > 0 for d in degrees)]
        return joined(listed(self.positions.get(i)) for i in used)

    def _rewrite(self, formula: Term) -> Step | None:
        num, den = self.field.entry_fraction(formula)
        inside, used = self.reading(formula[1]), self.of(num, den)
        if inside is None or used is None:
            return None
        needs = [*inside, *used]
        if formula[0] in ("exp", "log") or formula in self.field.equal:
            if formula[0] not in ("exp", "log"):
                sign, other = self.field.equal[formula]
                arguments = [] if other is None else self.reading(other[1])
                powers = [] if other is None else [(sign, self.formulas[other])]
            else:
                arguments = joined(self.reading(step.parts[1][1]) for step in used)
                powers = self._powers(formula[0], num, den)
            head = "log" if formula[0] == "log" else "exp"
            found = self._equal(self.field.fraction(formula[1]), self._inside(head, powers))
            if arguments is None or found is None:
                return None
            return Step(("rewrite", formula, powers, found.times, found.total), (*needs, *arguments))
        value, above, below = self._value(formula), self.plain(num * den, ">="), self.plain(den, "!=")
        if value is None or above is None or below is None:
            return None
        exponent = fraction_of(formula[2])
        for m in dict.fromkeys((1, *(g[2] for g in self.field.generators if g[0] == "root"))):
            base = self.field.fraction(formula[1])[:: 1 if exponent > 0 else -1]
            p, q = abs(exponent.numerator) * m, exponent.denominator * m
            n, d, a, b = (bounded_power(poly, k) for poly, k in ((num, q), (den, q), (base[0], p), (base[1], p)))
            found = self._equal((n, d), (a, b))
            if found is not None:
                parts = ("rewrite", formula, num, den, m, found.times, found.total)
                return Step(parts, (*needs, *value, *above, *below))
        return None

    def _powers(self, head: str, num: Poly, den: Poly) -> list[tuple[int, Step]]:
        """The powers of which an exponential is the product, or the multiples of which a logarithm is the sum."""
        if head == "exp":
            above, below = num.monoms()[0], den.monoms()[0]
            return [(int(above[i]) - int(below[i]), self.positions[i]) for i in sorted(_letters(num, den))]
        return [(int(k.p), self.positions[[int(e) for e in exponents].index(1)]) for exponents, k in num.terms()]

    def _inside(self, head: str, powers: list[tuple[int, Step]]) -> tuple[Poly, Poly]:
        """The sum of the multiples of arguments, or the product of their powers."""
        total = self.field.constant(int(head == "log")), self.field.constant(1)
        for k, step in powers:
            n, d = self.field.fraction(step.parts[1][1])
            if head == "exp":
                total = add(total, (n * k, d))
            else:
                n, d = (n, d) if k > 0 else (d, n)
                total = total[0] * bounded_power(n, abs(k)), total[1] * bounded_power(d, abs(k))
        return total

    def _equal(self, a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> Evidence | None:
        return self.vanishing(a[0] * b[1] - b[0] * a[1], self.roots())

    # --- equations ----------------------------------------------------------------------------------------------------

    def roots(self) -> list[Step]:
        """The equations of the roots that are shown so far."""
        found = []
        for position, step in sorted(self.positions.items()):
            relation = self.field.relation(self.field.generators[position])
            if relation is not None:
                inside = self.reading(self.field.generators[position][1])
                if inside is not None:
                    found.append(self.facts.kept(Step(("power", step), (step, *inside), relation, "=")))
        return found

    def vanishing(self, poly: Poly, equations: list[Step]) -> Evidence | None:
        """The polynomial times what is not zero as a combination of equations."""
        if poly == 0:
            return Evidence()
        reduction = Reduction(self.field, poly)
        roots = [self.root_in(e) for e in equations if e.parts[0] == "power"]
        ordered = [e for e in equations if e.parts[0] == "power"] + [e for e in equations if e.parts[0] != "power"]
        reduction.run(roots, [e.poly for e in ordered], self.facts.alive())
        if reduction.remainder != 0:
            return None
        return self._taken_away(reduction, ordered)

    def _taken_away(self, reduction: Reduction, equations: list[Step]) -> Evidence | None:
        """The equations that a reduction to zero took away, if nothing that it multiplied with vanishes."""
        times = [self.facts.find(m, "!=") for m in reduction.multipliers]
        if None in times:
            return None
        used = [(c, [e]) for c, e in zip(reduction.cofactors, equations, strict=True) if c != 0]
        return Evidence([t for t in times if t], used)

    def equations(self) -> list[Step]:
        """The equations of roots, and those among the givens."""
        return [*self.roots(), *(s for k, r in enumerate(self.givens) if r[0] == "=" and (s := self.given(k)))]

    def root_in(self, equation: Step) -> int:
        return next(i for i, step in self.positions.items() if step is equation.parts[1])

    def given(self, k: int) -> Step | None:
        relation, left, right = self.givens[k]
        inside = joined([self.reading(left), self.reading(right)])
        if inside is None:
            return None
        num, den = difference(self.field, left, right)
        poly = num if relation in ("=", "!=") else num * den
        return self.facts.kept(Step(("given", k), tuple(inside), poly, relation))

    # --- back to data -------------------------------------------------------------------------------------------------

    def conclusion(self, sides: list[Term], reduction: Reduction) -> Json | None:
        """The payload that says why the reduced difference of the sides is zero."""
        equations = self.equations()
        if len(equations) != len(reduction.cofactors) or None in map(self.reading, sides):
            return None
        evidence = self._taken_away(reduction, equations)
        return None if evidence is None else self.as_json(sides, evidence)

    def as_json(self, sides: Iterable[Term], evidence: Evidence) -> Json:
        """The steps that the evidence and the sides need, in an order in which none uses a later one."""
        writer = Writer(self.field, self.positions)
        for side in sides:
            for step in self.reading(side) or ():
                writer.write(step)
        times, total = writer.data(evidence.times), writer.data(evidence.total)
        return writer.payload(times, total)


def _letters(*polys: Poly) -> set[int]:
    return {i for poly in polys for i, degree in enumerate(poly.degrees()) if degree > 0}


def givens_of(statement: Json) -> list[Term]:
    """The hypotheses of a statement, then what the words say that stand beside its symbols."""
    givens = Setting(statement["symbols"], tuple(map(tuple, statement["assuming"]))).givens
    return [(relation, *map(prepared, sides)) for relation, *sides in givens]
