"""Networks without hidden layer: extrapolated gradient descent against W(t) = e^-t W(0) + (1 - e^-t) Sigma."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import flint
import numpy as np

from numerics.theory import deep_linear
from numerics.validate import Outcome, at_most, near, rationals
from numerics.validate.extrapolation import BOUND, Case, descend, distance
from numerics.validate.rationals import Matrix, fractions

SAYS = "Gradient descent with steps that vanish is the exact solution of networks without hidden layer."
LAW = "shallow_networks"


def outcomes() -> Iterator[Outcome]:
    """Limit and order of the gap, in doubles and in pairs of doubles."""
    rng = np.random.default_rng(8)
    start, sigma = rationals.matrix(rng, 3, 5), rationals.matrix(rng, 3, 5)
    case = Case("3 outputs, 5 inputs", (start,), sigma, Fraction(3, 2), lambda weights: weights[0])
    (limit,) = descend([case], double_double=False)
    asked = deep_linear.shallow(start.astype(np.float64), sigma.astype(np.float64), [float(case.time)])[0]
    yield at_most(LAW, f"{case.name}, doubles", distance(limit.limit, fractions(asked)), BOUND[False])
    (limit,) = descend([case], double_double=True)
    left = _decay(case.time)
    exact: Matrix = left * start + (1 - left) * sigma
    yield at_most(LAW, f"{case.name}, pairs of doubles", distance(limit.limit, exact), BOUND[True])
    yield near(LAW, f"{case.name}, order of the gap", limit.order, 1.0, 0.01)


def _decay(time: Fraction) -> Fraction:
    with flint.ctx.workdps(60):
        return rationals.middle((-flint.arb(flint.fmpq(time.numerator, time.denominator))).exp())
