"""Deep linear networks of two layers: extrapolated gradient descent against the exact solution of gradient flow.

The starts are balanced in fractions, or of two levels: rational orthonormal columns (Cayley's transform) times a
rational diagonal, between levels also rational boosts. In doubles they are rounded, and the float solution is asked; in
pairs of doubles the emitted solution in balls is, and between levels the exponential of the Hamiltonian.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

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
        for case, limit in zip(cases, descend(cases, double_double=double_double), strict=True):
            gap = distance(limit.limit, _exact(case) if double_double else _float(case))
            yield at_most("linear_networks", f"{case.name}, {KINDS[double_double]}", gap, BOUND[double_double])
            if double_double:
                yield near("linear_networks", f"{case.name}, order of the gap", limit.order, 1.0, 0.01)


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
    for name, (inputs, hidden, outputs), sign in (
        ("more outputs, a positive balance", (3, 4, 5), 1),
        ("more inputs, a positive balance", (5, 2, 3), 1),
        ("more inputs, a negative balance", (5, 4, 3), -1),
        ("bottleneck, a negative balance", (4, 2, 4), -1),
        ("one hidden unit, a positive balance", (3, 1, 3), 1),
    ):
        yield _tilted(name, rng, inputs, hidden, outputs, sign)
    for name, (inputs, hidden, outputs) in {
        "two levels": (2, 4, 2),
        "two levels, more outputs": (2, 6, 3),
        "two levels, one input and one output": (1, 2, 1),
    }.items():
        yield _between_levels(name, rng, inputs, hidden, outputs)


def _tilted(name: str, rng: np.random.Generator, inputs: int, hidden: int, outputs: int, sign: int) -> Case:  # noqa: PLR0917
    """W2'W2 - W1 W1' = sign/4 I, from sizes (m - 1/(4m))/2 and (m + 1/(4m))/2, of which m = 1/2 makes one zero."""
    free = min(inputs, hidden, outputs)
    roots = [Fraction(int(k), 16) for k in rng.integers(12, 24, free)] + [Fraction(1, 2)] * (hidden - free)
    less, more = (rationals.fractions(np.diag([(m + k / (4 * m)) / 2 for m in roots])) for k in (-1, 1))
    on_inputs, on_outputs = (less, more) if sign > 0 else (more, less)
    turn, first, last = (rationals.orthogonal(rng, size) for size in (hidden, inputs, outputs))
    first, last = (
        np.hstack([side, side[:, :1] * 0])[:, np.minimum(range(hidden), len(side))] for side in (first, last)
    )
    weights = (turn @ on_inputs @ first.T, last @ on_outputs @ turn.T)
    return Case(name, weights, rationals.matrix(rng, outputs, inputs), Fraction(2), _similarity)


def _between_levels(name: str, rng: np.random.Generator, inputs: int, hidden: int, outputs: int) -> Case:
    """Levels 9/16 at the inputs and 1/4 at the outputs, boosted by rational hyperbolic cosines and sines."""
    size = inputs + outputs
    boost = rationals.fractions(np.eye(size, dtype=int))
    for k, (cosh, sinh) in zip(
        range(min(inputs, outputs)),
        ((Fraction(5, 4), Fraction(3, 4)), (Fraction(13, 12), Fraction(-5, 12))),
        strict=False,
    ):
        boost[k, k] = boost[inputs + k, inputs + k] = cosh
        boost[k, inputs + k] = boost[inputs + k, k] = sinh
    first, last, turn = (rationals.orthogonal(rng, side) for side in (inputs, outputs, hidden))
    roots = rationals.fractions([Fraction(3, 4)] * inputs + [Fraction(1, 2)] * outputs)
    Q = (boost * roots) @ turn[:size]
    return Case(
        name,
        ((first @ Q[:inputs]).T, last @ Q[inputs:]),
        rationals.matrix(rng, outputs, inputs),
        Fraction(2),
        _similarity,
    )


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
    return rationals.fractions(
        deep_linear.qqt(first, second, case.task.astype(np.float64), [float(case.time)], balance="any")[0]
    )


def _exact(case: Case) -> Matrix:
    """The middles of the balls, which are far narrower than the bound."""
    balance, product = _levels(case)
    if product:
        return _by_exponential(case, balance, product)
    (state,) = ball("braun_2022:riccati")(*case.weights, case.task, balance, case.time, digits=DIGITS)
    return rationals.fractions([[middle(state[i, j]) for j in range(state.ncols())] for i in range(state.nrows())])


def _levels(case: Case) -> tuple[Fraction, Fraction]:
    """b - a and a b for levels a and b: with N = QQ'J, N^2 is (a - b) N + a b."""
    gram = _similarity(case.weights)
    N = gram * rationals.fractions([1] * case.weights[0].shape[1] + [-1] * case.weights[1].shape[0])
    square = N @ N
    i, j = next((i, j) for i, j in np.ndindex(N.shape) if i != j and N[i, j])
    slope = square[i, j] / N[i, j]
    return -slope, square[0, 0] - slope * N[0, 0]


def _by_exponential(case: Case, balance: Fraction, product: Fraction) -> Matrix:
    """Y X^-1, where (X, Y) move by [-F, I; a b I, F] from (I, QQ'(0))."""
    assert not isinstance(case.task, tuple)
    inputs, gram = case.weights[0].shape[1], _similarity(case.weights)
    size = gram.shape[0]
    one, F = rationals.fractions(np.eye(size, dtype=int)), rationals.fractions(np.zeros((size, size), dtype=int))
    F[inputs:, :inputs], F[:inputs, inputs:] = case.task, case.task.T
    F += one * rationals.fractions([-balance / 2] * inputs + [balance / 2] * (size - inputs))
    with ctx.workdps(2 * DIGITS):
        moved = (_balls(np.block([[-F, one], [one * product, F]]) * case.time)).exp() * _balls(np.vstack([one, gram]))
        X, Y = ([[moved[k + i, j] for i in range(size)] for j in range(size)] for k in (0, size))
        quotient = arb_mat(X).solve(arb_mat(Y))
        return rationals.fractions([[middle(quotient[i, j]) for j in range(size)] for i in range(size)])


def _balls(matrix: Matrix) -> arb_mat:
    return arb_mat([[arb(fmpq(x.numerator, x.denominator)) for x in row] for row in matrix])
