"""The known signs of polynomials, with the steps that show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import gcd
from typing import Any, Protocol

from derivations.language.normal import Field, Poly, is_integer, to_fraction
from derivations.language.normal.division import can_be_factored, irreducible_factors
from derivations.language.normal.forms import form
from derivations.language.terms import NotExact, Term, fraction_of
from derivations.prove.checking import as_a_checker
from derivations.prove.equality.step import Evidence, Step, Summands, joined, relation_of, subterms, value_of
from derivations.recheck.core.ring import IMPLIED
from derivations.recheck.core.ring.line import failing, follows
from derivations.recheck.core.statements import SIGNS, sign_of

MOST_FACTORS = 1000  # of a product of facts


class Formulas(Protocol):
    """The formulas in the generators that are shown so far, and the steps after which a checker knows it."""

    field: Field
    givens: list[Term]
    spoken: set[Term]
    in_order: list[Term]
    positions: dict[int, Step]

    def reading(self, formula: Term) -> list[Step] | None: ...
    def asked(self, formula: Term) -> tuple[Poly, str] | None: ...
    def plain(self, poly: Poly, relation: str) -> list[Step] | None: ...
    def of(self, *polys: Poly) -> list[Step] | None: ...
    def roots(self) -> list[Step]: ...
    def root_in(self, equation: Step) -> int: ...
    def given(self, k: int) -> Step | None: ...


class Facts:
    """Everything known of polynomials, with the steps that show it; it grows as formulas become readable."""

    def __init__(self, steps: Formulas) -> None:
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
        """Return what is known of signs, for telling whether more was learnt."""
        return {name: step.relation for name, (_, step) in self.signs.items()}, len(self.pairs)

    def alive(self) -> list[Poly]:
        """Polynomials that do not vanish."""
        self._refresh()
        return [step.poly for step in self.base if step.shows("!=") and not step.poly.is_constant()]

    def alone(self, poly: Poly) -> tuple[list[Step], bool]:
        """Return what is known of the letters of a polynomial alone, and whether every given is among it."""
        self._refresh()
        letters, givens = _letters(poly), [self.steps.given(k) for k in range(len(self.steps.givens))]
        supposed = dict.fromkeys([*self.base, *(step for step in givens if step)])
        return [step for step in supposed if _letters(step.poly) <= letters], all(
            step is not None and _letters(step.poly) <= letters for step in givens
        )

    def on_line(self, poly: Poly, relation: str, known: list[Step]) -> Step:
        """The sign of a polynomial in one letter, from what is known of this letter alone."""
        return self.kept(Step(("line", poly, relation, _needed((poly, relation), known)), (), poly, relation))

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
            self.as_written(formula) for formula in sorted(sums, key=repr) if any(map(_is_square, subterms(formula)))
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
        if relation == "!=" and (known := self._in_a_multiple(poly)):
            return known
        if not can_be_factored(poly):
            return self._by_terms(poly, relation)
        return self._by_factors(poly, relation) or self._by_terms(poly, relation)

    def _by_factors(self, poly: Poly, relation: str) -> Step | None:
        content, parts = irreducible_factors(poly)
        sign, found, unknown = (1 if content > 0 else -1), list[Step](), set[str]()
        for factor, multiplicity in parts:
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
        """Learn that what is not negative and not zero is positive: times itself it is its square."""
        ratio = to_fraction(weak.poly.leading_coefficient() / alive.poly.leading_coefficient())
        found = Evidence([weak], [(ratio**2, [alive, alive])])
        return self._over(weak.poly, found, ">")

    def _nonzero(self, factor: Poly) -> Step | None:
        known = self.signs.get(str(factor))
        if known is not None and known[1].relation == ">":
            return known[1]
        return self._in_a_multiple(factor) or self._by_terms(factor, ">") or self._by_terms(-factor, ">")

    def _in_a_multiple(self, factor: Poly) -> Step | None:
        """That a factor of what does not vanish does not vanish either."""
        whole = next((step for step in self.base if step.shows("!=") and step.poly % factor == 0), None)
        return None if whole is None else self._factor(factor, whole)

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
                if power > MOST_FACTORS:
                    return None
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
        if any(len(found) > MOST_FACTORS for _, found in total):
            return None
        relations = {relation_of(found) if weight > 0 else "!=" for weight, found in total}
        shown = "!=" if relations == {"!="} and len(total) == 1 else ">" if ">" in relations else ">="
        if relations == {"="}:
            shown = "="
        if None in relations or relation not in IMPLIED[shown] or ("!=" in relations and shown != "!="):
            return None
        return self.kept(Step(("sum", total), (), value_of(total, self.steps.field.constant), shown))

    def _over(self, poly: Poly, found: Evidence, relation: str) -> Step:
        return self.kept(Step(("over", poly, found.times, found.total), (), poly, relation))

    def exponential(self, formula: Term, poly: Poly, wanted: Poly) -> Step | None:
        """v (exp(u) - 1) has the sign of v u, and so has its product with a positive denominator of exp(u)."""
        a, b = self.steps.field.fraction(formula[1])
        num, den = self.steps.field.fraction(formula)
        inside, below = self.find(poly * a * b, ">="), self.steps.plain(den, ">")
        needs = joined([self.steps.reading(formula), self.steps.reading(formula[1])])
        if inside is None or below is None or needs is None:
            return None
        parts: tuple[Any, ...] = ("exponential", formula, poly, [], [(1, [inside])])
        step = self.kept(Step(parts, tuple(needs), poly * (num - den) * den, inside.relation))
        return self._over(wanted, Evidence(below, [(1, [step])]), step.relation) if below else step

    # --- what suppositions say of their factors -----------------------------------------------------------------------

    def _of_roots(self) -> None:
        """A root of something that does not vanish is positive."""
        for equation in self.steps.roots():
            position = self.steps.root_in(equation)
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
        if not can_be_factored(fact.poly):
            return
        content, parts = irreducible_factors(fact.poly)
        sign, times, left = (1 if content > 0 else -1), list[Step](), list[Poly]()
        for factor, multiplicity in parts:
            known = self._signed(factor)
            if known is not None and (known[1].relation == ">" or len(parts) > 1):
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


def _key(step: Step) -> tuple[Any, ...]:
    return tuple(_plain(part) for part in step.parts)


def _plain(part: Any) -> Any:
    if isinstance(part, list | tuple) and part and not isinstance(part[0], str):
        return tuple(map(_plain, part))
    return id(part) if isinstance(part, Step) else str(part) if hasattr(part, "to_dict") else part if part != [] else ()


def _letters(poly: Poly) -> set[int]:
    return {position for position, degree in enumerate(poly.degrees()) if degree > 0}


def _is_square(formula: Term) -> bool:
    return formula[0] == "^" and formula[1][0] == "+" and is_integer(formula[2]) and fraction_of(formula[2]) % 2 == 0


def _needed(goal: tuple[Poly, str], known: list[Step]) -> list[Step]:
    """A few facts from which a sign on the line follows, or all of them: one more for each place where it fails."""
    chosen: list[Step] = []
    with suppress(NotExact), as_a_checker():
        while (cell := next(failing(goal, [(step.poly, step.relation) for step in chosen]), None)) is not None:
            excluding = (step for step in reversed(known) if step not in chosen and not _holds_near(step, cell[2]))
            more = next(excluding, None)
            if more is None:
                return known
            chosen.append(more)
        for step in list(chosen):
            fewer = [other for other in chosen if other is not step]
            chosen = fewer if follows(goal, [(other.poly, other.relation) for other in fewer]) else chosen
        return chosen
    return known


def _holds_near(step: Step, number: Any) -> bool:
    """Check whether a fact about one letter holds at a number."""
    value = step.poly.subs({f"g{i}": number for i in _letters(step.poly)})
    return sign_of(value.leading_coefficient() if value != 0 else 0) in SIGNS[step.relation]
