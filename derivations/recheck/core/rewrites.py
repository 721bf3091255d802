"""Why a rewrite may be believed: each is multiplied out and compared with the subformula that it stands for."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Field, Poly, single
from derivations.recheck.core.knowledge import Knowledge
from derivations.recheck.core.load import Rational, Term, rational, shown
from derivations.recheck.core.terms import whole_exponent


def justify_all(knowledge: Knowledge) -> None:
    """Believe every rewrite, one after the other, or say which one cannot be believed."""
    field = knowledge.field
    rewrites, generators = list(field.rewrites), list(range(len(field.generators)))
    while rewrites or generators:
        before = len(rewrites) + len(generators)
        generators = [position for position in generators if not knowledge.establish(position)]
        for formula in [f for f in rewrites if is_justified(knowledge, f)]:
            knowledge.justified.add(formula)
            rewrites.remove(formula)
        if len(rewrites) + len(generators) == before:
            raise Rejected(_complaint(field, rewrites, generators))


def _complaint(field: Field, rewrites: list[Term], generators: list[int]) -> str:
    if rewrites:
        return (
            f"the rewrite of {shown(rewrites[0])} is wrong or does not follow from the hypotheses:"
            " it must equal that subformula wherever both sides of the statement are defined"
        )
    generator = field.generators[generators[0]]
    return f"the generator {shown(generator)} need not be defined where both sides of the statement are"


def is_justified(knowledge: Knowledge, formula: Term) -> bool:
    """Whether the rewrite is equal to the formula, judged by what is believed so far."""
    num, den = knowledge.field.rewrites[formula]
    if not knowledge.knows(num) or not knowledge.knows(den):
        return False
    if _is_atom(knowledge.field, formula, num, den):
        return True
    if formula[0] == "exp":
        return _exponential(knowledge, formula, num, den)
    if formula[0] == "log":
        return _logarithm(knowledge, formula, num, den)
    if formula[0] == "^" and formula[2][0] == "q" and whole_exponent(formula) is None:
        return _root(knowledge, formula, num, den)
    return False


def _is_atom(field: Field, formula: Term, num: Poly, den: Poly) -> bool:
    position = field.index.get(("atom", formula))
    return position is not None and bool(den == 1) and bool(num == field.gens[position])


def _exponential(knowledge: Knowledge, formula: Term, num: Poly, den: Poly) -> bool:
    """exp(sum k_i a_i) = prod exp(a_i)^k_i."""
    field = knowledge.field
    form = power_product(num, den)
    if form is None or form[1] != 1 or not knowledge.believes(field.needs(formula[1])):
        return False
    total = field.zero, field.one
    for generator, k in zip(field.generators, form[0], strict=False):
        if k:
            if generator[0] != "exp":
                return False
            n, d = field.fraction(generator[1])
            total = field.add(total, (n * k, d))
    return field.same(field.fraction(formula[1]), total)


def _logarithm(knowledge: Knowledge, formula: Term, num: Poly, den: Poly) -> bool:
    """log(prod a_i^k_i) = sum k_i log(a_i), with every a_i positive."""
    field = knowledge.field
    if not bool(den == 1) or not knowledge.believes(field.needs(formula[1])):
        return False
    total = field.one, field.one
    for exponents, coefficient in num.to_dict().items():
        if sum(exponents) != 1 or coefficient.q != 1:
            return False
        generator = field.generators[[int(e) for e in exponents].index(1)]
        if generator[0] != "log":
            return False
        k = int(coefficient.p)
        n, d = field.fraction(generator[1]) if k > 0 else field.fraction(generator[1])[::-1]
        total = field.product(total[0], field.power(n, abs(k))), field.product(total[1], field.power(d, abs(k)))
    return field.same(field.fraction(formula[1]), total)


def _root(knowledge: Knowledge, formula: Term, num: Poly, den: Poly) -> bool:
    """base^(p/q) is what is not negative and has the right power."""
    field = knowledge.field
    if not knowledge.believes(field.needs(formula[1])):
        return False
    if not knowledge.never_zero(den) or not knowledge.nonnegative(field.product(num, den)):
        return False
    exponent = rational(formula[2][1])
    p, q = int(exponent.p), int(exponent.q)
    base = field.fraction(formula[1]) if p > 0 else field.fraction(formula[1])[::-1]
    return any(_has_power((num, den), q * m, base, abs(p) * m, field) for m in dict.fromkeys((1, field.root_orders())))


def _has_power(entry: tuple[Poly, Poly], k: int, base: tuple[Poly, Poly], j: int, field: Field) -> bool:
    left = field.power(entry[0], k), field.power(entry[1], k)
    right = field.power(base[0], j), field.power(base[1], j)
    return field.same(left, right)


def power_product(num: Poly, den: Poly) -> tuple[tuple[int, ...], Rational] | None:
    """Exponents (from the denominator: negative) and coefficient, when a fraction has one term above and below."""
    above, below = single(num), single(den)
    if above is None or below is None:
        return None
    exponents = tuple(a - b for a, b in zip(above[0], below[0], strict=True))
    return exponents, above[1] / below[1]
