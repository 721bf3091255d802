"""Deep linear networks of two layers: extrapolated gradient descent against the exact solution of gradient flow.

The starts are balanced in fractions: rational orthonormal columns (Cayley's transform) times a rational diagonal. In
doubles they are rounded, and the float solution is asked; in pairs of doubles the emitted solution in balls is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from numerics.kernels import ball
from numerics.theory import deep_linear
from numerics.validate import Outcome, at_most, near, rationals
from numerics.validate.extrapolation import BOUND, KINDS, Case, descend, distance, time_beside_a_saddle
from numerics.validate.rationals import Matrix, middle

SAYS = "Gradient descent with steps that vanish is the exact solution of two-layer linear networks, in every shape."
DIGITS = 60


def outcomes() -> Iterator[Outcome]:
    """Limit and order of the gap for every case, in doubles and in pairs of doubles."""
    for double_double in (False, True):
        cases = tuple(_cases(double_double))
        for case, found in zip(cases, descend(cases, double_double=double_double), strict=True):
            gap = distance(found.limit, _exact(case) if double_double else _float(case))
            yield at_most("linear_networks", f"{case.name}, {KINDS[double_double]}", gap, BOUND[double_double])
            if double_double:
                yield near("linear_networks", f"{case.name}, order of the gap", found.order, 1.0, 0.01)


# --- cases ------------------------------------------------------------------------------------------------------------


def _cases(double_double: bool) -> Iterator[Case]:
    rng = np.random.default_rng(7)
    for name, (inputs, hidden, outputs) in {
        "more inputs than outputs": (5, 4, 3),
        "more outputs than inputs": (3, 4, 5),
        "bottleneck": (4, 2, 4),
        "wide hidden layer": (3, 6, 2),
        "one hidden unit": (3, 1, 3),
    }.items():
        yield _case(name, rng, inputs, hidden, outputs, rationals.matrix(rng, outputs, inputs))
    yield _case("equal singular values", rng, 3, 3, 3, rationals.with_strengths(rng, [1, 1, 1]))
    yield _case("a singular value of zero", rng, 3, 3, 3, rationals.with_strengths(rng, [2, 1, 0]))
    yield _case("no task at all", rng, 3, 3, 2, rationals.fractions(np.zeros((2, 3), dtype=int)))
    yield _singular(rng, double_double)


def _case(name: str, rng: np.random.Generator, inputs: int, hidden: int, outputs: int, sigma: Matrix) -> Case:  # noqa: PLR0917
    rank = min(inputs, hidden, outputs)
    turn, first, last = (rationals.orthogonal(rng, size)[:, :rank] for size in (hidden, inputs, outputs))
    sizes = rationals.fractions(np.diag([Fraction(int(k), 16) for k in rng.integers(4, 16, rank)]))
    return Case(name, (turn @ sizes @ first.T, last @ sizes @ turn.T), sigma, Fraction(2), _similarity)


def _singular(rng: np.random.Generator, double_double: bool) -> Case:
    """One mode starts opposite to its target, where Braun's matrix B is singular and the flow ends on a saddle.

    There rounding grows like e^{st}, so that the comparison ends when that has used up what the bound allows.
    """
    strengths = (Fraction(2), Fraction(1))
    left, right, turn = (rationals.orthogonal(rng, 2) for _ in range(3))
    sizes = rationals.fractions(np.diag([Fraction(1, 2), Fraction(3, 8)]))
    flip = rationals.fractions(np.diag([1, -1]))
    sigma = left @ rationals.fractions(np.diag(np.array(strengths))) @ right.T
    time = time_beside_a_saddle(float(strengths[1]), BOUND[double_double], double_double)
    weights = (turn @ sizes @ right.T, left @ flip @ sizes @ turn.T)
    return Case(f"singular B, on a separatrix, to t = {float(time):g}", weights, sigma, time, _similarity)


def _similarity(weights: Sequence[Matrix]) -> Matrix:
    """QQ' = [W1'W1, W1'W2'; W2 W1, W2 W2']."""
    first, second = weights
    Q = np.vstack([first.T, second])
    return np.asarray(Q @ Q.T)


# --- the theory -------------------------------------------------------------------------------------------------------


def _float(case: Case) -> Matrix:
    first, second = (W.astype(np.float64) for W in case.weights)
    assert not isinstance(case.task, tuple)
    return rationals.fractions(deep_linear.qqt(first, second, case.task.astype(np.float64), [float(case.time)])[0])


def _exact(case: Case) -> Matrix:
    """The middles of the balls, which are far narrower than the bound."""
    (found,) = ball("braun_2022:riccati")(*case.weights, case.task, 0, case.time, digits=DIGITS)
    return rationals.fractions([[middle(found[i, j]) for j in range(found.ncols())] for i in range(found.nrows())])
