"""Single modes of any balance: extrapolated gradient descent of a chain of two weights against the emitted solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from numerics.kernels import ball, kernel
from numerics.validate import Outcome, at_most, near
from numerics.validate.extrapolation import BOUND, KINDS, Case, descend, distance
from numerics.validate.rationals import Matrix, fractions, middle

SAYS = "Gradient descent with steps that vanish moves a mode as its solution says, for every balance and sign."
LAW, MODE, DIGITS = "modes", "solvable_networks:mode", 60
TASK, TIME = Fraction(3, 2), Fraction(2)
STARTS = {
    "balanced": ("1/4", "1/4"),
    "rich outputs": ("1/8", "1"),
    "rich inputs": ("3/2", "1/4"),
    "from below zero": ("-1", "3/4"),
    "from zero": ("0", "1/2"),
    "from above the task": ("2", "5/4"),
    "a balance of 1e-3": ("-32/1000", "1/1000"),
}
"""The two weights."""


def outcomes() -> Iterator[Outcome]:
    """Limit and order of the gap for every start, in doubles and in pairs of doubles."""
    for double_double in (False, True):
        cases = [
            Case(name, tuple(fractions([[Fraction(w)]]) for w in weights), fractions([[TASK]]), TIME, _product)
            for name, weights in STARTS.items()
        ]
        for case, limit in zip(cases, descend(cases, double_double=double_double), strict=True):
            gap = distance(limit.limit, _theory(case, double_double=double_double))
            yield at_most(LAW, f"{case.name}, {KINDS[double_double]}", gap, BOUND[double_double])
            if double_double:
                yield near(LAW, f"{case.name}, order of the gap", limit.order, 1.0, 0.01)


def _product(weights: Sequence[Matrix]) -> Matrix:
    first, second = weights
    product: Matrix = second @ first
    return product


def _theory(case: Case, *, double_double: bool) -> Matrix:
    """The mode, in floats or as the middle of a ball that is far narrower than the bound."""
    first, second = (W[0, 0] for W in case.weights)
    point = (first * second, TASK, second**2 - first**2, Fraction(1), TIME)
    if double_double:
        (value,) = ball(MODE)(*point, digits=DIGITS)
        return fractions([[middle(value)]])
    return fractions([[kernel(MODE)(*map(float, point))[0]]])
