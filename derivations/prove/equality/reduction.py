"""A polynomial taken modulo equations: what it is multiplied with, and how often each equation is taken away."""

from __future__ import annotations

from derivations.language.normal import Field, Poly
from derivations.language.normal.division import by_powers, eliminate, irreducible_factors


def divides_into(poly: Poly, allowed: list[Poly]) -> bool:
    """Check whether every irreducible factor of the polynomial divides one of the allowed ones."""
    return all(any((a % factor) == 0 for a in allowed) for factor, _ in irreducible_factors(poly)[1])


def with_roots_put_in(field: Field, poly: Poly) -> Poly:
    """The polynomial with the powers of roots put in, where that leaves no factor."""
    for index, generator in reversed(list(enumerate(field.generators))):
        relation = field.relation(generator)
        if relation is not None:
            lower, multiplier, _ = eliminate(poly, relation, index)
            poly = lower / multiplier if multiplier.is_constant() else poly
    return poly


class Reduction:
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
                if multiplier.is_constant():
                    self.remainder, quotient, multiplier = (
                        self.remainder / multiplier,
                        quotient / multiplier,
                        self.field.constant(1),
                    )
                else:
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
