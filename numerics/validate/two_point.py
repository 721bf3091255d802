"""The two-point theory: extrapolated gradient descent on the matrices of its model against its closed form.

In the model dh = D_h dx and dy = D_y dh learn |dy_target - dy|^2/8 with time constants tau_h and tau_y of their own.
For c^4 = tau_h/tau_y the weights c D_h and D_y/c are a two-layer linear network with one example, the input dx and the
answer dy_target, that learns with the rate eta/(4 sqrt(tau_h tau_y)). The starts need not be balanced, but dh must not
rotate, which is what h, y and w are a closed system for: D_y is u e' with the direction e of dh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from numerics.kernels import ball
from numerics.theory import two_point
from numerics.validate import Outcome, at_most, near, rationals
from numerics.validate.extrapolation import BOUND, KINDS, Case, descend, distance, time_beside_a_saddle
from numerics.validate.rationals import Matrix, fractions, middle

SAYS = "Gradient descent on the matrices of the two-point model, with steps that vanish, is its closed form."
LAW = "two_point"
C = Fraction(2)
TAU_H, TAU_Y = 4 * C**2, 4 / C**2  # so that 4 sqrt(tau_h tau_y) = 16


def outcomes() -> Iterator[Outcome]:
    """Limit and order of the gap for every case, in doubles and in pairs of doubles."""
    for double_double in (False, True):
        cases = tuple(_cases(double_double))
        for case, limit in zip(cases, descend(cases, double_double=double_double), strict=True):
            gap = distance(limit.limit, (_exact if double_double else _float)(case))
            yield at_most(LAW, f"{case.name}, {KINDS[double_double]}", gap, BOUND[double_double])
            if double_double:
                yield near(LAW, f"{case.name}, order of the gap", limit.order, 1.0, 0.01)


def _cases(double_double: bool) -> Iterator[Case]:
    rng = np.random.default_rng(9)
    for name, (inputs, hidden, outputs), scale, equal in (
        ("more inputs than outputs", (4, 6, 2), Fraction(1), False),
        ("more outputs than inputs", (2, 5, 3), Fraction(1), False),
        ("one hidden unit", (3, 1, 2), Fraction(1), False),
        ("small weights", (3, 8, 3), Fraction(1, 8), False),
        ("equal targets", (3, 4, 2), Fraction(1), True),
    ):
        dx, answer = (rationals.matrix(rng, size, 1) for size in (inputs, outputs))
        direction = rationals.orthogonal(rng, hidden)[:, :1]
        unseen = rationals.matrix(rng, hidden, inputs)  # what D_h does with other inputs than dx plays no role
        unseen -= unseen @ dx @ dx.T / (dx.T @ dx)
        first = scale * direction @ dx.T / (dx.T @ dx) + unseen
        second = scale * rationals.matrix(rng, outputs, 1) @ direction.T
        target = 0 * answer if equal else answer
        view = partial(_observed, dx=dx, target=target)
        yield Case(name, (C * first, second / C), (dx, target), Fraction(1), view)
    yield _separatrix(double_double)


def _separatrix(double_double: bool) -> Case:
    """K = 0 and dy opposite to its target: the flow ends where nothing is learned, and rounding grows beside it."""
    dx, target = fractions([[1]]), fractions([[1]])
    start = Fraction(3, 4)
    weights = (fractions([[start]]), fractions([[-start]]))  # balanced, so that K = 0
    time = time_beside_a_saddle(1.0, BOUND[double_double], double_double)
    view = partial(_observed, dx=dx, target=target)
    return Case(f"on the separatrix, to t = {float(time):g}", weights, (dx, target), time, view)


def _observed(weights: Sequence[Matrix], dx: Matrix, target: Matrix) -> Matrix:
    """h, y and w."""
    dh = weights[0] @ dx / C
    dy = C * weights[1] @ dh
    return np.array([(dh.T @ dh)[0, 0], (dy.T @ dy)[0, 0], (dy.T @ (dy - target))[0, 0]], dtype=object)


# --- the theory -------------------------------------------------------------------------------------------------------


def _arguments(case: Case) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """The start, the parameters and the time of the theory, in the units of tau_h and tau_y."""
    dx, target = case.task
    params = [(dx.T @ dx)[0, 0], (target.T @ target)[0, 0], TAU_H, TAU_Y]
    return list(case.view(case.weights)), params, 16 * case.time


def _float(case: Case) -> Matrix:
    start, params, time = _arguments(case)
    numbers = ([float(value) for value in values] for values in (start, params, [time]))
    return fractions(two_point.closed_form(*numbers)[0, 0])


def _exact(case: Case) -> Matrix:
    (h, y, w), (X, s, *taus), time = _arguments(case)
    if s:
        state = ball("van_rossem_saxe_2024:closed_form")(h, y, w, X, s, *taus, time, digits=60)
        return np.array([middle(value) for value in state], dtype=object)
    distance_, output = (
        middle(value) for value in ball("van_rossem_saxe_2024:equal_targets")(h, y, X, *taus, time, digits=60)
    )
    return np.array([distance_, output, output], dtype=object)
