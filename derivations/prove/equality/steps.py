"""The steps by which a checker follows a proof: generators, what formulas are in them, and facts with their reasons.

A field says how formulas look; here it is shown that they may look like that. What is found is a web of steps, each
with those that it rests on. In the end those that are needed are written in an order in which none uses a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from derivations.language.normal import Field, Poly, add, is_integer, to_fraction
from derivations.language.normal.forms import form
from derivations.language.terms import ZERO, Term, children, fraction_of
from derivations.prove.certificate import Json
from derivations.prove.equality.reduction import Reduction

TOTAL = ("s", "pi", "exp", "sin", "cos", "erf", "atan", "abs")
IMPLIED = {">": (">", ">=", "!="), ">=": (">=",), "!=": ("!=",), "=": ("=", ">=")}
WORDS: dict[str, Callable[[Term], Term]] = {
    "positive": lambda s: (">", s, ZERO),
    "negative": lambda s: (">", ZERO, s),
    "nonnegative": lambda s: (">=", s, ZERO),
    "nonpositive": lambda s: (">=", ZERO, s),
    "nonzero": lambda s: ("!=", s, ZERO),
}
MAX_FACTOR_COST = 12_000  # terms * degree * letters: beyond it a factorisation may take seconds


@dataclass(eq=False)
class Step:
    """One step made of texts, formulas, polynomials and steps; a fact has a polynomial and a relation to zero."""

    parts: tuple[Any, ...]
    needs: tuple[Step, ...] = ()
    poly: Poly = None
    relation: str = ""

    def shows(self, relation: str) -> bool:
        return relation in IMPLIED[self.relation]


Summands = list[tuple[Any, list[Step]]]  # numbers, or polynomials before what is zero, and the facts of each product


@dataclass
class Evidence:
    """What remains to be multiplied out: the product of the goal with some facts is a sum of products of facts."""

    times: list[Step] = field(default_factory=list)
    total: Summands = field(default_factory=list)


class Steps:
    """What is shown of the generators of a field, for a statement with some givens and sides that have values."""

    def __init__(self, of: Field, givens: list[Term], spoken: Iterable[Term]) -> None:
        self.field, self.givens = of, givens
        self.spoken = _all_subterms(spoken)
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
            return _joined(map(self.reading, formula[1:]))
        if formula[0] == "^" and is_integer(formula[2]):
            inside = self.reading(formula[1])
            if inside is None or fraction_of(formula[2]) >= 0 or formula in self.spoken:
                return inside
            return _joined([inside, _listed(self.facts.find(self.field.fraction(formula[1])[0], "!="))])
        return _listed(self.formulas.get(formula))

    def _value(self, formula: Term) -> list[Step] | None:
        """The steps after which a checker knows that a formula has a value."""
        if formula in self.spoken:
            return []
        inside = _joined(map(self.reading, children(formula)))
        if formula[0] in TOTAL or inside is None:
            return inside
        asked = self.asked(formula)
        return None if asked is None else _joined([inside, self.plain(*asked)])

    def plain(self, poly: Poly, relation: str) -> list[Step] | None:
        """A fact that is found, or nothing where the polynomial is a number."""
        if poly.is_constant():
            value = poly.leading_coefficient() if poly != 0 else 0
            return [] if (value > 0 or (value == 0 and relation == ">=") or (value != 0 and relation == "!=")) else None
        return _listed(self.facts.find(poly, relation))

    def asked(self, formula: Term) -> tuple[Poly, str] | None:
        """What must hold of its argument for a power or a logarithm to have a value."""
        if formula[0] == "log":
            num, den = self.field.fraction(formula[1])
            return num * den, ">"
        if formula[0] != "^" or formula[2][0] != "q":
            return None
        num, den = self.field.fraction(formula[1])
        exponent = fraction_of(formula[2])
        if exponent.denominator == 1:
            return (num, "!=") if exponent < 0 else None
        return num * den, ">" if exponent < 0 else ">="

    def of(self, *polys: Poly) -> list[Step] | None:
        """The generators of some polynomials, if all of them are shown."""
        degrees = [poly.degrees() for poly in polys]
        used = [i for i in range(len(self.field.generators)) if any(d[i] > 0 for d in degrees)]
        return _joined(_listed(self.positions.get(i)) for i in used)

    def _rewrite(self, formula: Term) -> Step | None:
        num, den = self.field.entry_fraction(formula)
        inside, used = self.reading(formula[1]), self.of(num, den)
        if inside is None or used is None:
            return None
        needs = [*inside, *used]
        if formula[0] in ("exp", "log"):
            arguments = _joined(self.reading(step.parts[1][1]) for step in used)
            if arguments is None:
                return None
            needs += arguments
            base = self.field.fraction(formula[1])
            found = self._equal(base, self._exponent(num, den) if formula[0] == "exp" else self._argument(num))
            return None if found is None else self._written(formula, 1, found, needs)
        value, above, below = self._value(formula), self.plain(num * den, ">="), self.plain(den, "!=")
        if value is None or above is None or below is None:
            return None
        exponent = fraction_of(formula[2])
        for m in dict.fromkeys((1, *(g[2] for g in self.field.generators if g[0] == "root"))):
            base = self.field.fraction(formula[1])[:: 1 if exponent > 0 else -1]
            p, q = abs(exponent.numerator) * m, exponent.denominator * m
            found = self._equal((num**q, den**q), (base[0] ** p, base[1] ** p))
            if found is not None:
                return self._written(formula, m, found, [*needs, *value, *above, *below])
        return None

    def _written(self, formula: Term, power: int, found: Evidence, needs: list[Step]) -> Step:
        num, den = self.field.entry_fraction(formula)
        return Step(("rewrite", formula, num, den, power, found.times, found.total), tuple(needs))

    def _exponent(self, num: Poly, den: Poly) -> tuple[Poly, Poly]:
        total = self.field.constant(0), self.field.constant(1)
        for generator, up, down in zip(self.field.generators, num.monoms()[0], den.monoms()[0], strict=False):
            if up or down:
                n, d = self.field.fraction(generator[1])
                total = add(total, (n * (int(up) - int(down)), d))
        return total

    def _argument(self, num: Poly) -> tuple[Poly, Poly]:
        above, below = self.field.constant(1), self.field.constant(1)
        for exponents, k in num.terms():
            generator = self.field.generators[[int(e) for e in exponents].index(1)]
            n, d = self.field.fraction(generator[1])[:: 1 if k > 0 else -1]
            above, below = above * n ** abs(int(k.p)), below * d ** abs(int(k.p))
        return above, below

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
        roots = [self._root(e) for e in equations if e.parts[0] == "power"]
        ordered = [e for e in equations if e.parts[0] == "power"] + [e for e in equations if e.parts[0] != "power"]
        reduction.run(roots, [e.poly for e in ordered], self.facts.alive())
        if reduction.remainder != 0:
            return None
        times = [self.facts.find(m, "!=") for m in reduction.multipliers]
        if None in times:
            return None
        used = [(c, [e]) for c, e in zip(reduction.cofactors, ordered, strict=True) if c != 0]
        return Evidence([t for t in times if t], used)

    def _root(self, equation: Step) -> int:
        return next(i for i, step in self.positions.items() if step is equation.parts[1])

    def given(self, k: int) -> Step | None:
        relation, left, right = self.givens[k]
        inside = _joined([self.reading(left), self.reading(right)])
        if inside is None:
            return None
        num, den = self.difference(left, right)
        poly = num if relation in ("=", "!=") else num * den
        return self.facts.kept(Step(("given", k), tuple(inside), poly, relation))

    def difference(self, left: Term, right: Term) -> tuple[Poly, Poly]:
        num, den = self.field.fraction(right)
        return add(self.field.fraction(left), (-num, den))

    # --- back to data -------------------------------------------------------------------------------------------------

    def conclusion(self, sides: list[Term], reduction: Reduction) -> Json | None:
        """The payload that says why the reduced difference of the sides is zero."""
        equations = [
            *self.roots(),
            *(step for k, r in enumerate(self.givens) if r[0] == "=" and (step := self.given(k))),
        ]
        times = [self.facts.find(m, "!=") for m in reduction.multipliers]
        if len(equations) != len(reduction.cofactors) or None in times or None in map(self.reading, sides):
            return None
        total = [(c, [e]) for c, e in zip(reduction.cofactors, equations, strict=True) if c != 0]
        return self.as_json(sides, Evidence([t for t in times if t], total))

    def as_json(self, sides: Iterable[Term], evidence: Evidence) -> Json:
        """The steps that the evidence and the sides need, in an order in which none uses a later one."""
        writer = _Writer(self)
        for side in sides:
            for step in self.reading(side) or ():
                writer.write(step)
        times, total = writer.data(evidence.times), writer.data(evidence.total)
        return writer.payload(times, total)


class Facts:
    """What is known of polynomials, with the steps that show it; it grows as formulas become readable."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.by_key: dict[tuple[Any, ...], Step] = {}
        self.by_poly: dict[str, list[Step]] = {}
        self.signs: dict[str, tuple[int, Step]] = {}  # of an irreducible polynomial or its negative
        self.pairs: dict[frozenset[str], tuple[int, Step]] = {}  # of products whose factors have unknown signs
        self.base: list[Step] = []
        self.sought: dict[tuple[str, str], Step | None] = {}
        self.stale = True

    def kept(self, step: Step) -> Step:
        """The step, or the one like it that was made before."""
        first = self.by_key.setdefault(_key(step), step)
        if first is step:
            self.by_poly.setdefault(str(step.poly), []).append(step)
        return first

    def grow(self) -> None:
        """More can be read: what is supposed is looked through again when something is next asked."""
        self.stale = True

    def _refresh(self) -> None:
        if not self.stale:
            return
        self.stale = False
        self.sought = {}
        self.base = [*self._of_generators(), *self._of_spoken(), *self._of_givens()]
        self.base += self._of_sums()
        learning = [step for step in self.base if step.relation in (">", ">=")]
        known = None
        while known != self._known():
            known = self._known()
            self.sought = {}
            self._of_roots()
            for step in learning:
                self._learn(step)

    def _known(self) -> tuple[dict[str, str], int]:
        """What is known of signs, for telling whether more was learnt."""
        return {name: step.relation for name, (_, step) in self.signs.items()}, len(self.pairs)

    def alive(self) -> list[Poly]:
        """Polynomials that do not vanish."""
        self._refresh()
        return [step.poly for step in self.base if step.shows("!=") and not step.poly.is_constant()]

    # --- what is supposed ---------------------------------------------------------------------------------------------

    def _of_generators(self) -> Iterator[Step]:
        for position, step in self.steps.positions.items():
            formula = step.parts[1]
            if formula[0] in ("exp", "pi", "abs", "^") and (formula[0] != "^" or formula[2][0] == "q"):
                gen = self.steps.field.context.gen(position)
                strict = formula[0] in ("exp", "pi")
                yield self.kept(Step(("sign", step), (step,), gen, ">" if strict else ">="))

    def _of_spoken(self) -> Iterator[Step]:
        for formula in self.steps.in_order:
            if formula[0] in ("^", "log"):
                inside = self.steps.reading(formula[1])
                asked = self.steps.asked(formula) if inside is not None else None
                if asked is not None and not asked[0].is_constant():
                    yield self.kept(Step(("value", formula), tuple(inside or ()), *asked))
        for formula in self.steps.in_order:
            inside = self.steps.reading(formula) if formula[0] in ("+", "*", "^") else None
            if inside is not None:
                den = self.steps.field.fraction(formula)[1]
                if not den.is_constant():
                    yield self.kept(Step(("denominator", formula), tuple(inside), den, "!="))

    def _of_givens(self) -> Iterator[Step]:
        order = sorted(range(len(self.steps.givens)), key=lambda k: self.steps.givens[k][1][0] != "s")
        for k in order:
            step = self.steps.given(k)
            if step is not None and step.relation != "=" and not step.poly.is_constant():
                yield step

    def _of_sums(self) -> list[Step]:
        """Sums with squares in them, as they are written: multiplied out they would not show their signs."""
        inside = {g[1] for g in self.steps.field.generators if g[0] == "root"} | self.steps.spoken
        sums = [formula for formula in inside if formula[0] == "+" and form(formula, self.steps.field.known)]
        found = [
            self.as_written(formula) for formula in sorted(sums, key=repr) if any(map(_is_square, _subterms(formula)))
        ]
        return [step for step in found if step is not None]

    def as_written(self, formula: Term) -> Step | None:
        """The sign that the form of a formula shows, as a fact about its numerator times its denominator."""
        if self.steps.reading(formula) is None:
            return None
        num, den = self.steps.field.fraction(formula)
        poly = num * den
        if poly.is_constant():
            return (
                self._sum([(to_fraction(poly.leading_coefficient()), [])], ">")
                if poly != 0 and poly.leading_coefficient() > 0
                else None
            )
        if formula[0] == "^" and is_integer(formula[2]):
            n, d = self.steps.field.fraction(formula[1])
            k = abs(int(fraction_of(formula[2])))
            alive = self.find(n * d, "!=") if k % 2 == 0 else self.as_written(formula[1])
            return (
                self._sum([(1, [alive] * k if alive else [self._square((n * d) ** (k // 2))])], ">=")
                if alive or k % 2 == 0
                else None
            )
        found = self.find(poly, ">") or self.find(poly, ">=")
        if formula[0] not in ("+", "*") or (found is not None and found.relation == ">"):
            return found
        parts = [self.as_written(child) for child in formula[1:]]
        if formula[0] == "*":
            return found if None in parts else self._sum([(1, [p for p in parts if p])], ">=")
        total: Summands = []
        for child, step in zip(formula[1:], parts, strict=True):
            if step is None:
                return found
            ratio = den / self.steps.field.fraction(child)[1]
            if ratio.is_constant():
                total.append((to_fraction(ratio.leading_coefficient()) ** 2, [step]))
            else:
                alive = self.find(ratio, "!=")
                total.append((1, [step, *([alive, alive] if alive else [self._square(ratio)])]))
        return self._sum(total, ">=") or found

    # --- what follows -------------------------------------------------------------------------------------------------

    def find(self, poly: Poly, relation: str) -> Step | None:
        """A fact about just this polynomial, or None."""
        self._refresh()
        key = str(poly), relation
        for step in self.by_poly.get(key[0], ()):
            if step.shows(relation):
                return step
        if key not in self.sought:
            self.sought[key] = None if poly == 0 else self._find(poly, relation)
        return self.sought[key]

    def _find(self, poly: Poly, relation: str) -> Step | None:
        if self.steps.of(poly) is None:
            return None
        if poly.is_constant():
            value = to_fraction(poly.leading_coefficient())
            return self._sum([(value, [])], ">") if value > 0 else None
        if relation == "!=":
            for step in self.base:
                if step.shows("!=") and step.poly % poly == 0:
                    return self._factor(poly, step)
        if not _can_factor(poly):
            return self._by_terms(poly, relation)
        return self._by_factors(poly, relation) or self._by_terms(poly, relation)

    def _by_factors(self, poly: Poly, relation: str) -> Step | None:
        content, factors = poly.factor()
        sign, found, unknown = (1 if content > 0 else -1), list[Step](), set[str]()
        for factor, multiplicity in ((f, int(m)) for f, m in factors):
            known = self._signed(factor, relation)
            if known is not None:
                sign *= known[0] ** multiplicity
                found += [known[1]] * multiplicity
            elif relation == "!=":
                alive = self._nonzero(factor)
                if alive is None:
                    return None
                found += [alive] * multiplicity
            else:
                alive = self._nonzero(factor)
                half = [alive, alive] if alive else [self._square(factor)]
                if relation == ">" and alive is None:
                    return None
                found += half * (multiplicity // 2)
                if multiplicity % 2:
                    unknown.add(str(factor))
        if unknown:
            pair = self.pairs.get(frozenset(unknown))
            if pair is None or (relation == ">" and pair[1].relation != ">"):
                return None
            sign *= pair[0]
            found.append(pair[1])
        if sign < 0 and relation != "!=":
            return None
        scale = poly.leading_coefficient()
        for step in found:
            scale = scale / step.poly.leading_coefficient()
        return self._sum([(to_fraction(scale), found)], relation)

    def _signed(self, factor: Poly, relation: str = ">=") -> tuple[int, Step] | None:
        """The sign of an irreducible polynomial, and a fact about it or its negative."""
        known = self.signs.get(str(factor))
        if known is None:
            for sign in (1, -1):
                turned = factor * sign
                shown = [step for step in self.by_poly.get(str(turned), ()) if step.shows(">=")]
                step = shown[-1] if shown else self._by_terms(turned, ">=") or self._without_roots(turned)
                step = step or self._beside_one(turned)
                if step is not None:
                    known = self.signs[str(factor)] = sign, step
                    break
        if known is not None and relation != ">=" and known[1].relation == ">=":
            alive = self._nonzero(factor)
            if alive is None:
                return None
            known = self.signs[str(factor)] = known[0], self._strictly(known[1], alive)
        return known

    def _strictly(self, weak: Step, alive: Step) -> Step:
        """What is not negative and not zero is positive: times itself it is its square."""
        ratio = to_fraction(weak.poly.leading_coefficient() / alive.poly.leading_coefficient())
        found = Evidence([weak], [(ratio**2, [alive, alive])])
        return self._over(weak.poly, found, ">")

    def _nonzero(self, factor: Poly) -> Step | None:
        known = self.signs.get(str(factor))
        if known is not None and known[1].relation == ">":
            return known[1]
        for step in self.base:
            if step.shows("!=") and step.poly % factor == 0:
                return self._factor(factor, step)
        plain = self._by_terms(factor, ">") or self._by_terms(-factor, ">")
        return plain

    def _factor(self, factor: Poly, of: Step) -> Step:
        if of.poly == factor:
            return of
        return self.kept(Step(("factor", factor, [of]), (), factor, "!="))

    def _by_terms(self, poly: Poly, relation: str) -> Step | None:
        """A sum of monomials that are not negative, one of them positive if that is wanted."""
        total: Summands = []
        for exponents, coefficient in poly.terms():
            sign, found = (1 if coefficient > 0 else -1), list[Step]()
            for position, power in enumerate(map(int, exponents[: len(self.steps.field.generators)])):
                gen = self.steps.field.context.gen(position)
                known = self.signs.get(str(gen))
                if not power:
                    continue
                if known is not None and (power % 2 or known[1].relation == ">"):
                    sign *= known[0] ** power
                    found += [known[1]] * power
                elif power % 2:
                    return None
                else:
                    alive = next((s for s in self.base if s.relation == "!=" and s.poly == gen), None)
                    found += [alive] * power if alive else [self._square(gen ** (power // 2))]
            if sign < 0:
                return None
            total.append((abs(to_fraction(coefficient)), found))
        return self._sum(total, relation)

    def _without_roots(self, poly: Poly) -> Step | None:
        """a y^2 + b y + c with a negative discriminant, by completing the square."""
        terms = {tuple(map(int, e)): c for e, c in poly.terms()}
        highest = max(terms)
        middle = tuple(e // 2 for e in highest)
        zero = tuple(0 for _ in highest)
        if not any(highest) or any(e % 2 for e in highest) or set(terms) - {highest, middle, zero}:
            return None
        a, b, c = (terms.get(e, 0) for e in (highest, middle, zero))
        rest = c - b * b / (4 * a) if a > 0 else -1
        if rest <= 0:
            return None
        square = self._square(self.steps.field.context.from_dict({middle: 1, zero: b / (2 * a)}))
        return self._sum([(to_fraction(a), [square]), (to_fraction(rest), [])], ">")

    def _beside_one(self, poly: Poly) -> Step | None:
        """A polynomial in one product x of positive generators that has no negative terms once multiplied by x + 1."""
        terms = [tuple(map(int, exponents)) for exponents, _ in poly.terms()]
        whole = gcd(*max(terms)) if terms else 0
        powers = {tuple(k * e // whole for e in max(terms)): k for k in range(whole + 1)} if whole else {}
        if whole < 2 or not set(terms) <= set(powers):
            return None
        least = gcd(*(powers[e] for e in terms))
        unit = tuple(least * e // whole for e in max(terms))
        more = self.steps.field.context.from_dict({unit: 1, tuple(0 for _ in unit): 1})
        above, below = self._by_terms(poly * more, ">"), self._by_terms(more, ">")
        return self._over(poly, Evidence([below], [(1, [above])]), ">") if above and below else None

    def _square(self, poly: Poly) -> Step:
        return self.kept(Step(("square", poly), (), poly * poly, ">="))

    def _sum(self, total: Summands, relation: str) -> Step | None:
        """The sum of products of facts, if it shows the relation."""
        if len(total) == 1 and total[0][0] == 1 and len(total[0][1]) == 1 and total[0][1][0].shows(relation):
            return total[0][1][0]
        relations = {relation_of(found) if weight > 0 else "!=" for weight, found in total}
        shown = "!=" if relations == {"!="} and len(total) == 1 else ">" if ">" in relations else ">="
        if relations == {"="}:
            shown = "="
        if None in relations or relation not in IMPLIED[shown] or ("!=" in relations and shown != "!="):
            return None
        poly = self.steps.field.constant(0)
        for weight, found in total:
            product = self.steps.field.constant(weight)
            for step in found:
                product = product * step.poly
            poly = poly + product
        return self.kept(Step(("sum", total), (), poly, shown))

    def _over(self, poly: Poly, found: Evidence, relation: str) -> Step:
        return self.kept(Step(("over", poly, found.times, found.total), (), poly, relation))

    def exponential(self, formula: Term, poly: Poly, wanted: Poly) -> Step | None:
        """v (exp(u) - 1) has the sign of v u, and so has its product with a positive denominator of exp(u)."""
        a, b = self.steps.field.fraction(formula[1])
        num, den = self.steps.field.fraction(formula)
        inside, below = self.find(poly * a * b, ">="), self.steps.plain(den, ">")
        needs = _joined([self.steps.reading(formula), self.steps.reading(formula[1])])
        if inside is None or below is None or needs is None:
            return None
        parts: tuple[Any, ...] = ("exponential", formula, poly, [], [(1, [inside])])
        step = self.kept(Step(parts, tuple(needs), poly * (num - den) * den, inside.relation))
        return self._over(wanted, Evidence(below, [(1, [step])]), step.relation) if below else step

    # --- what suppositions say of their factors -----------------------------------------------------------------------

    def _of_roots(self) -> None:
        """A root of something that does not vanish is positive."""
        for equation in self.steps.roots():
            position = self.steps._root(equation)
            gen = self.steps.field.context.gen(position)
            known = self.signs.get(str(gen))
            if known is None or known[1].relation == ">":
                continue
            inside = self.find(self.steps.field.fraction(self.steps.field.generators[position][1])[0], "!=")
            if inside is not None:
                one = self.steps.field.constant(1)
                whole = Step(("sum", [(1, [inside]), (one, [equation])]), (), inside.poly + equation.poly, "!=")
                self.signs[str(gen)] = 1, self._strictly(known[1], self._factor(gen, self.kept(whole)))

    def _learn(self, fact: Step) -> None:
        """Draw from the sign of a product the sign of its one factor, or product of factors, that is unknown."""
        if not _can_factor(fact.poly):
            return
        content, factors = fact.poly.factor()
        sign, times, left = (1 if content > 0 else -1), list[Step](), list[Poly]()
        for factor, multiplicity in ((f, int(m)) for f, m in factors):
            known = self._signed(factor)
            if known is not None and (known[1].relation == ">" or len(factors) > 1):
                known = self._signed(factor, ">") or known
            alive = self._nonzero(factor) if multiplicity > 1 else None
            if multiplicity % 2 == 0:
                if alive is None:
                    return
                times += [alive] * multiplicity
            elif known is not None and known[1].relation == ">":
                sign *= known[0] ** multiplicity
                times += [known[1]] * multiplicity
            else:
                if multiplicity > 1 and alive is None:
                    return
                times += [alive] * (multiplicity - 1) if alive else []
                left.append(factor)
        if not left or frozenset(map(str, left)) in self.pairs:
            return
        goal = self.steps.field.constant(sign)
        for factor in left:
            goal = goal * factor
        if len(left) == 1:
            before = self.signs.get(str(left[0]))
            if before is not None and (before[1].relation == ">" or fact.relation == ">="):
                return
        scale = goal.leading_coefficient() / fact.poly.leading_coefficient()
        for step in times:
            scale = scale * step.poly.leading_coefficient()
        if scale == 1 and not times:
            found = fact
        else:
            found = self._over(goal, Evidence(times, [(to_fraction(scale), [fact])]), fact.relation)
        if len(left) == 1:
            self.signs[str(left[0])] = sign, found
        else:
            self.pairs[frozenset(map(str, left))] = sign, found


def relation_of(found: list[Step]) -> str | None:
    """The relation to zero of a product of facts; None if it may have any sign."""
    odd = {id(s) for s in found if s.relation == "!=" and found.count(s) % 2}
    if any(s.relation == "=" for s in found):
        return "="
    if any(s.relation == ">=" for s in found):
        return None if odd else ">="
    return "!=" if odd else ">"


class _Writer:
    """Steps as data, each once and after those that it uses."""

    def __init__(self, steps: Steps) -> None:
        self.of = steps
        self.positions = {id(step): position for position, step in steps.positions.items()}
        self.numbers: dict[int, int] = {}  # of facts, by the identity of their steps
        self.written: dict[int, Step] = {}
        self.steps: list[Any] = []

    def write(self, step: Step) -> None:
        if id(step) in self.written:
            return
        self.written[id(step)] = step
        for needed in step.needs:
            self.write(needed)
        data = [part if isinstance(part, str) else self.data(part) for part in step.parts]
        if step.parts[0] not in ("generator", "rewrite"):
            self.numbers[id(step)] = len(self.numbers)
        self.steps.append(["generator", _Position(self.positions[id(step)])] if step.parts[0] == "generator" else data)

    def data(self, part: Any) -> Any:
        """A part of a step as data; the steps in it are written before."""
        if isinstance(part, Step):
            self.write(part)
            position = self.positions.get(id(part))
            return self.numbers[id(part)] if position is None else _Position(position)
        if isinstance(part, list):
            return [self._summand(*item) if isinstance(item, tuple) else self.data(item) for item in part]
        if hasattr(part, "to_dict"):
            for position, degree in enumerate(map(int, part.degrees())):
                if degree > 0:
                    self.write(self.of.positions[position])
        return part

    def _summand(self, weight: Any, found: list[Step]) -> list[Any]:
        indices = self.data(found)
        if relation_of(found) == "=" and not hasattr(weight, "to_dict"):
            weight = self.of.field.constant(weight)  # polynomials stand before what is zero
        return [self.data(weight) if hasattr(weight, "to_dict") else str(weight), indices]

    def payload(self, times: Any, total: Any) -> Json:
        """The generators that are used, in the order of the field, and all that is said in them."""
        used = sorted(position for position, step in self.of.positions.items() if id(step) in self.written)
        place = {position: k for k, position in enumerate(used)}

        def numbered(part: Any) -> Any:
            if isinstance(part, list):
                return [*map(numbered, part)]
            if isinstance(part, _Position):
                return place[part.of]
            return _rows(part, used) if hasattr(part, "to_dict") else part

        steps = numbered(self.steps)
        generators = [self.of.positions[position].parts[1] for position in used]
        return {"generators": generators, "steps": steps, "times": times, "sum": numbered(total)}


@dataclass(frozen=True)
class _Position:
    """The position of a generator in its field, which is not its number in the certificate."""

    of: int


def _rows(poly: Poly, used: list[int]) -> list[Any]:
    """A polynomial as data, without zeros at the end of its exponents."""
    rows = []
    for exponents, coefficient in poly.terms():
        powers = [int(exponents[i]) for i in used]
        while powers and not powers[-1]:
            powers.pop()
        rows.append([str(coefficient), powers])
    return rows


def givens_of(statement: Json) -> list[Term]:
    """The hypotheses of a statement, then what the words say that stand beside its symbols."""
    table = sorted(statement["symbols"].items())
    words = [WORDS[word](("s", name)) for name, told in table for word in told]
    return [*map(tuple, statement["assuming"]), *words]


def _key(step: Step) -> tuple[Any, ...]:
    return tuple(_plain(part) for part in step.parts)


def _plain(part: Any) -> Any:
    if isinstance(part, list | tuple) and part and not isinstance(part[0], str):
        return tuple(map(_plain, part))
    return id(part) if isinstance(part, Step) else str(part) if hasattr(part, "to_dict") else part if part != [] else ()


def _all_subterms(terms: Iterable[Term]) -> set[Term]:
    known, waiting = set[Term](), list(terms)
    while waiting:
        term = waiting.pop()
        if term not in known:
            known.add(term)
            waiting += children(term)
    return known


def _subterms(term: Term) -> Iterator[Term]:
    yield term
    for child in children(term):
        yield from _subterms(child)


def _is_square(formula: Term) -> bool:
    return formula[0] == "^" and formula[1][0] == "+" and is_integer(formula[2]) and fraction_of(formula[2]) % 2 == 0


def _joined(found: Iterable[list[Step] | None]) -> list[Step] | None:
    joined: list[Step] = []
    for each in found:
        if each is None:
            return None
        joined += each
    return joined


def _listed(step: Step | None) -> list[Step] | None:
    return None if step is None else [step]


def _can_factor(poly: Poly) -> bool:
    degrees = poly.degrees()
    return len(poly) < 2 or len(poly) * int(max(degrees)) * sum(1 for d in degrees if d) <= MAX_FACTOR_COST
