"""Inequalities between rational functions of one variable are always decided.

The real roots of all polynomials that a statement speaks of cut the line into points and open intervals. On each of
them every polynomial keeps its sign, so one number of each interval, and each root, is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import ctx, fmpq_poly

from derivations.language.normal import Poly, to_fmpq, to_fraction
from derivations.language.points import Values, points, satisfies
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.sign import evidence
from derivations.prove.sign.reading import Condition, Problem, simplest

METHOD = "positive combination"
MOST_DEGREE = 120  # of all polynomials together; the checker bounds its work as well
PRECISIONS = (64, 256, 1024, 4096)
HOLDS = {
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
    "=": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
}


@dataclass(frozen=True)
class _Cell:
    """A point or an open interval of the line on which every sign stays: a number of it where one is rational."""

    sample: Fraction | None
    near: Fraction  # where the polynomials that do not vanish on the cell have the signs that they have on it
    factor: str  # the irreducible factor whose root the cell is, or nothing
    place: str  # for people


def decide(statement: Json, problem: Problem) -> Certificate | None:
    """PROVED, REFUTED at an exact point, OPEN if it fails at irrational points alone; None if nothing is spoken of."""
    line = _Line([problem.conclusion, *problem.conditions])
    if line.degree > MOST_DEGREE:
        return None
    spoken = [cell for cell in line.cells() if _speaks(line, problem, cell)]
    if not spoken:
        return None
    failing = [cell for cell in spoken if not line.holds(problem.conclusion, cell)]
    if not failing:
        payload = evidence.on_line(statement)
        return None if payload is None else Certificate(statement, Verdict.PROVED, METHOD, payload)
    samples = [cell.sample for cell in failing if cell.sample is not None]
    for value in sorted(samples, key=lambda v: (v.denominator, abs(v), v < 0)):
        point = _whole_point(statement, problem.names[0], value)
        if point is not None:
            return equality.at_point(statement, point, equality.PRECISIONS[0])
    if problem.left_out:
        return None
    reason = (
        f"it fails at irrational points alone, such as {failing[0].place}, and only rational points refute:"
        " exclude them by a hypothesis, or state the weak inequality"
    )
    return Certificate(statement, Verdict.OPEN, "none", reason=reason)


def _speaks(line: _Line, problem: Problem, cell: _Cell) -> bool:
    """Whether the hypotheses hold on the cell, and the sides have values there."""
    alive = [poly for c in (problem.conclusion, *problem.conditions) for poly in c.alive]
    return all(line.sign(poly, cell) for poly in alive) and all(line.holds(c, cell) for c in problem.conditions)


def _whole_point(statement: Json, name: str, value: Fraction) -> Values | None:
    """The value with ones for the other symbols, at a point that satisfies every hypothesis."""
    known, assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
    alone = [{name: value}] if set(known) == {name} else points(statement)
    candidates = ({**point, name: value} for point in alone)
    return next((point for point in candidates if satisfies(point, known, assuming)), None)


class _Line:
    """The real line, cut at the roots of some polynomials in one variable."""

    def __init__(self, conditions: list[Condition]) -> None:
        self.factors: dict[str, Any] = {}
        self.known: dict[str, tuple[Any, set[str]]] = {}
        for poly in (p for c in conditions for p in (c.poly, *c.alive)):
            self._read(poly)
        self.degree = sum(factor.degree() for factor in self.factors.values())

    def _read(self, poly: Poly) -> None:
        if str(poly) in self.known:
            return
        table = {int(exponents[0]): c for exponents, c in poly.to_dict().items()}
        dense = fmpq_poly([table.get(k, 0) for k in range(max(table, default=0) + 1)])
        parts = {str(f): f for f, _ in dense.numer().factor()[1]} if dense.degree() > 0 else {}
        self.factors |= parts
        self.known[str(poly)] = dense, set(parts)

    def cells(self) -> list[_Cell]:
        """All points and intervals, from the left to the right."""
        roots = self._roots()
        ends: list[tuple[Fraction | None, Fraction | None]] = [
            (roots[i - 1][1] if i else None, roots[i][0] if i < len(roots) else None) for i in range(len(roots) + 1)
        ]
        samples = [simplest(low, high) for low, high in ends]
        cells = [_Cell(sample, sample, "", f"{sample}") for sample in samples]
        for (low, high, name), before in zip(roots, samples, strict=False):
            value = low if low == high else None
            place = f"{low}" if low == high else f"the root of {self.factors[name].str()} near {float(low):.6g}"
            cells.append(_Cell(value, before, name, place.replace("*", " ")))
        return cells

    def _roots(self) -> list[tuple[Fraction, Fraction, str]]:
        """Disjoint intervals around all real roots, and the factors that vanish there; rational roots are exact."""
        for bits in PRECISIONS:
            found = sorted(root for name, factor in self.factors.items() for root in _enclosed(name, factor, bits))
            if all(a[1] < b[0] for a, b in pairwise(found)):
                return found
        raise AssertionError("two different roots are closer than thousands of bits can tell")

    def sign(self, poly: Poly, cell: _Cell) -> int:
        """The sign of a polynomial on a cell."""
        dense, factors = self.known[str(poly)]
        if cell.factor in factors:
            return 0
        value = dense(to_fmpq(cell.near))
        return int(value > 0) - int(value < 0)

    def holds(self, condition: Condition, cell: _Cell) -> bool:
        """Whether a condition holds on a cell."""
        return bool(HOLDS[condition.relation](self.sign(condition.poly, cell)))


def _enclosed(name: str, factor: Any, bits: int) -> Iterator[tuple[Fraction, Fraction, str]]:
    """Intervals around the real roots of an irreducible polynomial with integer coefficients."""
    if factor.degree() == 1:
        root = Fraction(-int(factor[0]), int(factor[1]))
        yield root, root, name
        return
    with ctx.workprec(bits):
        for root, _ in factor.complex_roots():
            if root.imag.is_zero():
                yield to_fraction(root.real.lower().fmpq()), to_fraction(root.real.upper().fmpq()), name
