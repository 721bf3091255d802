"""Equality of two terms under hypotheses, decided by an exact normal form or by an exact point."""

from __future__ import annotations

from fractions import Fraction

from derivations.language.evaluate import evaluate, exact, has_value, precision
from derivations.language.normal import Field, Poly, Undefined, add, prepared
from derivations.language.points import Values, by_powers, eliminate, points
from derivations.language.show import plain
from derivations.language.terms import Term, subtract, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality.facts import contradictory
from derivations.text import DerivationError

PRECISIONS = (128, 512, 2048)
TRIES = 40
DIGITS_IN_BITS = 101  # thirty decimal digits
NOWHERE = "no exact point was found at which the hypotheses hold and both sides have a value"


class Unsatisfiable(DerivationError):
    """Hypotheses that nothing can satisfy, or a statement about nothing."""


class Contradictory(Unsatisfiable):
    """Hypotheses that exclude each other."""


def decide(statement: Json) -> Certificate:
    """PROVED by a normal form, REFUTED at an exact point, else OPEN."""
    if next(points(statement), None) is None:
        return Certificate(statement, Verdict.OPEN, "none", reason=no_point(statement))
    try:
        payload = proof(statement)
    except Undefined as trouble:
        raise Unsatisfiable(
            f"one side of the statement is defined nowhere ({trouble}): state it where both sides have a value"
        ) from trouble
    if payload is not None:
        inhabited = meeting_point(statement)
        if inhabited is None:
            return Certificate(statement, Verdict.OPEN, "none", reason=NOWHERE)
        payload["inhabited"] = {name: str(value) for name, value in inhabited.items()}
        return Certificate(statement, Verdict.PROVED, "normal form", payload)
    return refutation(statement) or Certificate(
        statement,
        Verdict.OPEN,
        "none",
        reason="the normal form of the difference is not zero, and no exact point separates the two sides",
    )


def meeting_point(statement: Json) -> Values | None:
    """A point that satisfies the hypotheses and at which both sides have a value, so that equality says something."""
    difference = subtract(statement["left"], statement["right"])
    return next((point for point in points(statement) if has_value(difference, point)), None)


def no_point(statement: Json) -> str:
    """The reason why nothing was tried; hypotheses that contradict each other are refused."""
    if contradictory(statement):
        assumptions = [
            f"{name} is {' and '.join(words)}" for name, words in sorted(statement["symbols"].items()) if words
        ]
        hypotheses = "; ".join([*map(plain, statement["assuming"]), *assumptions])
        raise Contradictory(
            f"the hypotheses {hypotheses} have no common point: give hypotheses that some point satisfies"
        )
    found = "no exact point was found that satisfies the hypotheses, so the statement might be about nothing"
    named = next((name for r in statement["assuming"] if (name := _defined_by(r))), "")
    return f"{found}: put the value of {named} in its place, rather than suppose it" if named else found


def _defined_by(relation: Term) -> str:
    """The symbol of which a hypothesis says what it is, if it stands alone on one side."""
    order, *sides = relation
    for one, other in (sides, sides[::-1]):
        if order == "=" and one[0] == "s" and one[1] not in symbols_in(other):
            return str(one[1])
    return ""


def proof(statement: Json) -> Json | None:
    """The payload of a normal-form proof, or None when the difference does not reduce to zero."""
    left, right = prepared(statement["left"]), prepared(statement["right"])
    assuming = [tuple(r) for r in statement["assuming"]]
    sides = [(prepared(r[1]), prepared(r[2])) for r in assuming]
    field = Field.of([left, right, *(s for pair in sides for s in pair)], statement["symbols"])
    numerator = add(field.fraction(left), _negative(field.fraction(right)))[0]
    reduction = _Reduction(field, numerator)
    roots = [(i, field.relation(g)) for i, g in enumerate(field.generators) if g[0] == "root"]
    differences = [add(field.fraction(a), _negative(field.fraction(b)))[0] for a, b in sides]
    equations = [d for r, d in zip(assuming, differences, strict=True) if r[0] == "="]
    allowed = _nonzero(field, assuming, differences)
    relations = [r for _, r in roots] + equations
    reduction.run([i for i, _ in roots], relations, allowed)
    if reduction.remainder != 0:
        return None
    return {
        "generators": [list(g) for g in field.generators],
        "rewrites": [[term, *map(field.poly_json, field.entry_fraction(term))] for term in field.entries],
        "multiplier": [field.poly_json(m) for m in reduction.multipliers],
        "cofactors": [field.poly_json(c) for c in reduction.cofactors],
    }


def _negative(pair: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    return -pair[0], pair[1]


def _nonzero(field: Field, assuming: list[Term], differences: list[Poly]) -> list[Poly]:
    """Polynomials that do not vanish where both sides are defined and the hypotheses hold."""
    allowed = list(field.denominators.values())
    allowed += [d for r, d in zip(assuming, differences, strict=True) if r[0] in (">", "!=")]
    for generator in field.generators:
        assumptions = field.known.get(generator[1], []) if generator[0] == "symbol" else []
        if generator[0] == "exp" or {"positive", "negative", "nonzero"} & set(assumptions):
            allowed.append(field.gen(generator))
    return [a for a in allowed if not a.is_constant()]


def divides_into(poly: Poly, allowed: list[Poly]) -> bool:
    """Whether every irreducible factor of the polynomial divides one of the allowed ones."""
    return all(any((a % factor) == 0 for a in allowed) for factor, _ in poly.factor()[1])


class _Reduction:
    """multipliers * numerator = sum cofactor * relation + remainder, kept up through every step."""

    def __init__(self, field: Field, numerator: Poly) -> None:
        self.field = field
        self.remainder = numerator
        self.multipliers: list[Poly] = []
        self.cofactors: list[Poly] = []

    def run(self, root_indices: list[int], relations: list[Poly], allowed: list[Poly]) -> None:
        self.cofactors = [self.remainder * 0 for _ in relations]
        divisors = self._triangular(root_indices, relations, allowed)
        for _ in range(3):
            for index, relation, combination in divisors:
                if self.remainder == 0:
                    return
                self.remainder, multiplier, quotient = eliminate(self.remainder, relation, index)
                if not multiplier.is_constant():
                    self.multipliers.append(multiplier)
                self.cofactors = [
                    multiplier * c + quotient * part for c, part in zip(self.cofactors, combination, strict=True)
                ]
        for i, relation in enumerate(relations):  # such as x y = 1, where neither is known not to vanish
            if self.remainder != 0 and relation != 0:
                quotient, self.remainder = divmod(self.remainder, relation)
                self.cofactors[i] += quotient

    def _triangular(
        self, root_indices: list[int], relations: list[Poly], allowed: list[Poly]
    ) -> list[tuple[int, Poly, list[Poly]]]:
        """Relations solved for one generator each; every one is a known combination of the original relations."""
        zero = self.remainder * 0
        unit = [[zero + 1 if i == j else zero for j in range(len(relations))] for i in range(len(relations))]
        roots = len(root_indices)
        divisors = [(index, relations[i], unit[i]) for i, index in enumerate(root_indices)][::-1]
        solved: list[tuple[int, Poly, list[Poly]]] = []
        for i in range(roots, len(relations)):
            relation, combination = relations[i], unit[i]
            for index, divisor, parts in solved:
                relation, multiplier, quotient = eliminate(relation, divisor, index)
                combination = [multiplier * c - quotient * p for c, p in zip(combination, parts, strict=True)]
            main = self._main(relation, {index for index, *_ in solved} | set(root_indices), allowed)
            if main is not None:
                solved.append((main, relation, combination))
        return solved + divisors

    def _main(self, relation: Poly, taken: set[int], allowed: list[Poly]) -> int | None:
        """The generator to eliminate: lowest degree, with a leading coefficient that cannot vanish."""
        if relation == 0:
            return None
        degrees = relation.degrees()
        choices = []
        for index in range(len(self.field.generators)):
            if degrees[index] and index not in taken:
                lead = by_powers(relation, index)[degrees[index]]
                if lead.is_constant() or divides_into(lead, allowed):
                    choices.append((degrees[index], not lead.is_constant(), index))
        return min(choices)[2] if choices else None


def refutation(statement: Json) -> Certificate | None:
    """An exact point at which balls around the two sides do not meet."""
    difference = subtract(statement["left"], statement["right"])
    tried = 0
    for point in points(statement):
        bits = separated(difference, point)
        if bits:
            return at_point(statement, point, bits)
        tried += has_value(difference, point)
        if tried >= TRIES:
            break
    return None


def separated(difference: Term, point: Values) -> int:
    """The precision at which a ball around the difference excludes zero, or 0."""
    if not has_value(difference, point):
        return 0
    value = exact(difference, point)
    if value is not None:
        return PRECISIONS[0] if value else 0
    for bits in PRECISIONS:
        try:
            with precision(bits):
                enclosure = evaluate(difference, point)
                if not enclosure.is_finite():
                    return 0
                if enclosure != 0:
                    return bits
        except (ZeroDivisionError, ValueError):
            return 0
    return 0


def at_point(statement: Json, point: Values, bits: int) -> Certificate:
    """The refutation by an exact point, with the values of both sides there."""
    witness = {
        "point": {name: str(value) for name, value in point.items()},
        "left": shown(statement["left"], point, bits),
        "right": shown(statement["right"], point, bits),
        "bits": bits,
    }
    return Certificate(statement, Verdict.REFUTED, "exact point", {"witness": witness})


def shown(term: Term, point: Values, bits: int) -> str:
    """A value for people: exact when it is rational, else thirty digits."""
    value: Fraction | None = exact(term, point)
    if value is not None:
        return str(value)
    for finer in (bits, *(p for p in PRECISIONS if p > bits)):
        with precision(finer):
            enclosure = evaluate(term, point)
            if enclosure.rel_accuracy_bits() >= DIGITS_IN_BITS:
                break
    return "0" if enclosure.contains(0) else str(enclosure.str(30, radius=False))
