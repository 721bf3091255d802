"""The kernels of two-layer linear networks as laws: against each other, in balls and in floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each
from flint import arb, arb_mat, ctx, fmpq

from numerics.accuracy.criterion import measure
from numerics.accuracy.domains import sampler
from numerics.kernels import ball, index, kernel

PAPER = "braun_2022"
DIGITS = 60
Rows = list[list[Fraction]]


def ball_of(value: Fraction) -> Any:
    return arb(fmpq(value.numerator, value.denominator))


def balls(rows: Rows) -> Any:
    width = len(rows[0]) if rows else 0
    return arb_mat(len(rows), width, [ball_of(entry) for row in rows for entry in row])


def largest(matrix: Any) -> float:
    return max(float(abs(entry).upper()) for entry in matrix.entries())


# --- exact networks ---------------------------------------------------------------------------------------------------


def product(left: Rows, right: Rows) -> Rows:
    return [
        [sum((a * b for a, b in zip(row, c, strict=True)), Fraction(0)) for c in zip(*right, strict=True)]
        for row in left
    ]


def transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def orthogonal(n: int, seed: int) -> Rows:
    """A product of two reflections, in rational numbers."""
    rng = np.random.default_rng(seed)
    result = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    for _ in range(2):
        v = [Fraction(int(k)) for k in rng.integers(1, 5, n)]
        size = sum(x * x for x in v)
        result = product(result, [[Fraction(int(i == j)) - 2 * v[i] * v[j] / size for j in range(n)] for i in range(n)])
    return result


def first(rows: Rows, columns: int) -> Rows:
    return [row[:columns] for row in rows]


def rest(rows: Rows, columns: int) -> Rows:
    return [row[columns:] for row in rows]


def diagonal(values: Sequence[Fraction], rows: int, columns: int) -> Rows:
    return [[values[i] if i == j and i < len(values) else Fraction(0) for j in range(columns)] for i in range(rows)]


class Network:
    """W1 = R D1 V' and W2 = U D2 R', where the squares of D2 and D1 differ by the balance, and a task U_t S_t V_t'."""

    def __init__(self, shape: tuple[int, int, int], seed: int, pairs: str, task: str) -> None:
        inputs, hidden, outputs = shape
        self.modes = min(inputs, outputs)
        self.U, self.V, R = (orthogonal(n, seed + k) for k, n in enumerate((outputs, inputs, hidden)))
        self.U_t, self.V_t = orthogonal(outputs, seed + 7), orthogonal(inputs, seed + 8)
        values = [tuple(map(Fraction, pair.split(":"))) for pair in pairs.split()]
        self.lower, self.upper = [pair[0] for pair in values], [pair[1] for pair in values]
        self.task = [Fraction(value) for value in task.split()]
        self.W1 = product(product(R, diagonal(self.lower, hidden, inputs)), transposed(self.V))
        self.W2 = product(product(self.U, diagonal(self.upper, outputs, hidden)), transposed(R))
        self.Sigma = product(product(self.U_t, diagonal(self.task, outputs, inputs)), transposed(self.V_t))
        self.balance = self.upper[0] ** 2 - self.lower[0] ** 2

    @property
    def start(self) -> tuple[Any, ...]:
        return self.W1, self.W2, self.Sigma, self.balance

    @property
    def decomposed(self) -> tuple[Any, ...]:
        """U, S, V, U_t, S_t, V_t, U_p, V_p"""
        m = self.modes
        strengths = diagonal([p * q for p, q in zip(self.lower, self.upper, strict=True)], m, m)
        U, V, U_t, V_t = (first(rows, m) for rows in (self.U, self.V, self.U_t, self.V_t))
        return U, strengths, V, U_t, diagonal(self.task, m, m), V_t, rest(self.U_t, m), rest(self.V_t, m)


NETWORKS = {
    "as many outputs as inputs": Network((2, 3, 2), 1, "1:1 1/2:1/2", "2 1/3"),
    "more inputs": Network((3, 2, 2), 2, "1/3:1/3 3/2:3/2", "3/2 1"),
    "more outputs": Network((2, 4, 3), 3, "2:2 1/5:1/5", "1 1"),
    "a bottleneck": Network((3, 1, 2), 4, "2/3:2/3", "2 1/2"),
    "a start at zero": Network((2, 2, 2), 5, "0:0 0:0", "1 2"),
    "a task of rank one": Network((2, 2, 2), 6, "1/2:1/2 1:1", "1 0"),
    "a positive balance": Network((3, 2, 3), 7, "3/4:5/4 5/12:13/12", "2 1 1/2"),
    "a negative balance": Network((3, 3, 2), 8, "5/4:3/4 13/12:5/12 1:0", "1 1/2"),
}
FULL = ("as many outputs as inputs", "more inputs", "more outputs")
SPAN = Fraction(5, 4)


# --- the solution from every balanced start ---------------------------------------------------------------------------


@each("name", FULL)
@each("time", [Fraction(0), SPAN, Fraction(20)])
def test_theorem_31_is_the_same_solution(name: str, time: Fraction) -> None:
    network = NETWORKS[name]
    (printed,) = ball(f"{PAPER}:theorem_31")(*network.decomposed, time, digits=DIGITS)
    (found,) = ball(f"{PAPER}:riccati")(*network.start, time, digits=3 * DIGITS)
    with ctx.workdps(DIGITS):
        assert largest(printed - found) < 1e-40


def test_theorem_31_holds_its_digits_after_a_long_time() -> None:
    for name in FULL:
        network = NETWORKS[name]
        time = Fraction(10**6) if name == FULL[0] else Fraction(300)
        (printed,) = ball(f"{PAPER}:theorem_31")(*network.decomposed, time, digits=DIGITS)
        with ctx.workdps(DIGITS):
            U_t, S_t, V_t = (balls(rows) for rows in network.decomposed[3:6])
            learned = arb_mat(V_t.tolist() + U_t.tolist())
            assert largest(printed - learned * S_t * learned.transpose()) < 1e-40


@each("name", NETWORKS)
def test_floats_follow_the_balls(name: str) -> None:
    network = NETWORKS[name]
    plain = [np.array(rows, dtype=float).reshape(len(rows), -1) for rows in network.start[:3]]
    (floats,) = kernel(f"{PAPER}:riccati")(*plain, float(network.balance), float(SPAN))
    (exact,) = ball(f"{PAPER}:riccati")(*network.start, SPAN)
    assert off(floats, exact) < 1e-13
    if name in FULL:
        plain = [np.array(rows, dtype=float).reshape(len(rows), -1) for rows in network.decomposed]
        (floats,) = kernel(f"{PAPER}:theorem_31")(*plain, float(SPAN))
        assert off(floats, exact) < 1e-13


def off(floats: Any, exact: Any) -> float:
    values = np.array([[float(entry.mid()) for entry in row] for row in exact.tolist()])
    return float(np.max(np.abs(floats - values)) / (1 + np.max(np.abs(values))))


# --- two modes --------------------------------------------------------------------------------------------------------


def size(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(math.log(low), math.log(high))))


def inside(a1: float, a2: float, b: float) -> float:
    """b, or the nearest float at which the determinant is not negative."""
    while Fraction(b) ** 2 > Fraction(a1) * Fraction(a2):
        b = math.nextafter(b, 0)
    return b


def corners(rng: np.random.Generator) -> tuple[float, ...]:
    """Starts of rank one, nearly so and at zero; equal, nearly equal and zero singular values; short and long times."""
    a1, a2 = size(rng, 1e-12, 1e6), size(rng, 1e-12, 1e6)
    b = math.sqrt(a1) * math.sqrt(a2) * rng.choice([1 - size(rng, 1e-16, 1), rng.uniform(-1, 1)])
    match rng.integers(5):
        case 0:
            p, q = (float(np.float32(size(rng, 1e-4, 1e3))) for _ in "pq")
            a1, a2, b = p * p, q * q, p * q
        case 1:
            a1 = b = 0.0
        case 2:
            a2 = b = 0.0
    s1, s2 = size(rng, 1e-6, 1e3), size(rng, 1e-6, 1e3)
    s1, s2 = [(s1, s2), (s1, s1), (s1, s1 * (1 + size(rng, 1e-15, 1e-3))), (s1, 0.0), (0.0, s2)][rng.integers(5)]
    span = max(s1, s2)
    times = [0.0, size(rng, 1e-6, 1e6) / span, size(rng, 1e-6, 1e6), size(rng, 1, 50) / span]
    return a1, a2, inside(a1, a2, b), s1, s2, times[rng.integers(4)]


def test_floats_stay_within_the_criterion_in_every_corner_of_the_domain() -> None:
    report = measure(kernel(f"{PAPER}:decoupling"), ball(f"{PAPER}:decoupling"), corners, 1500, seed=1)
    assert report.passed, report
    assert report.undefined == 0
    assert report.extreme < 10


MODES = {
    "full rank": ([["1/2", "-1/3"], ["1/5", "2/3"]], ("2", "1/3")),
    "equal values": ([["1/4", "1"], ["-1/5", "1/3"]], ("3/2", "3/2")),
    "rank one": ([["1/2", "-1/3"], ["1", "-2/3"]], ("2", "1/3")),
    "rank one, equal values": ([["1/2", "-1/3"], ["1", "-2/3"]], ("1", "1")),
    "one mode at zero": ([["0", "2/3"], ["0", "1/2"]], ("1/3", "2")),
    "the other at zero": ([["2/3", "0"], ["1/2", "0"]], ("1/3", "2")),
    "orthogonal": ([["3/4", "1"], ["1", "-3/4"]], ("1/3", "2")),
    "value zero": ([["1/2", "-1/3"], ["1/5", "2/3"]], ("2", "0")),
    "other value zero": ([["1/2", "-1/3"], ["1/5", "2/3"]], ("0", "2")),
    "both values zero": ([["1/2", "-1/3"], ["1/5", "2/3"]], ("0", "0")),
    "large": ([["30", "-20"], ["7", "11"]], ("2", "1")),
}


@each("name", MODES)
@each("time", [Fraction(0), Fraction(1, 7), Fraction(3), Fraction(40)])
def test_two_modes_are_the_general_solution(name: str, time: Fraction) -> None:
    A = [[Fraction(entry) for entry in row] for row in MODES[name][0]]
    s1, s2 = map(Fraction, MODES[name][1])
    P = product(transposed(A), A)
    found = ball(f"{PAPER}:decoupling")(P[0][0], P[1][1], P[0][1], s1, s2, time, digits=400)
    task = [[s1, Fraction(0)], [Fraction(0), s2]]
    (whole,) = ball(f"{PAPER}:riccati")(A, transposed(A), task, 0, time, digits=400)
    with ctx.workdps(DIGITS):
        for value, (i, j) in zip(found, ((0, 0), (1, 1), (0, 1)), strict=True):
            for m, n in ((i, j), (i + 2, j), (i + 2, j + 2)):
                assert abs(value - whole[m, n]) < 1e-50


def test_two_modes_settle_without_overflow() -> None:
    two_modes = kernel(f"{PAPER}:decoupling")
    for time in (1e3, 1e6, 1e12):
        assert two_modes(0.5, 0.25, 0.125, 2.0, 1.0, time) == (2.0, 1.0, 0.0)
        assert two_modes(0.5, 0.25, -0.125, 1.0, 2.0, time) == (1.0, 2.0, 0.0)
        assert two_modes(0.5, 0.0, 0.0, 2.0, 1.0, time) == (2.0, 0.0, 0.0)
        assert two_modes(0.0, 0.5, 0.0, 2.0, 1.0, time) == (0.0, 1.0, 0.0)
        assert two_modes(0.25, 1.0, 0.5, 2.0, 1.0, time) == (2.0, 0.0, 0.0)  # rank one: the larger value is learned
        assert two_modes(0.25, 1.0, 0.5, 1.0, 2.0, time) == (0.0, 2.0, 0.0)
        a1, a2, b = two_modes(0.25, 1.0, 0.5, 1.0, 1.0, time)  # rank one, equal values: along the start
        assert (a1, a2, b) == pytest.approx((0.2, 0.8, 0.4), rel=1e-15)
        assert two_modes(0.0, 0.0, 0.0, 1.0, 2.0, time) == (0.0, 0.0, 0.0)


def test_the_peak_is_where_b_turns() -> None:
    rng, entry = np.random.default_rng(5), index()[f"{PAPER}:decoupling_peak"]
    draw = sampler(entry.arguments, entry.domain)
    for _ in range(40):
        a1, a2, b, s = map(Fraction, draw(rng))
        if b == 0:
            continue
        time, height = ball(entry.id)(a1, a2, b, s, digits=200)
        with ctx.workdps(200):
            times = [time * k / 10 for k in (9, 10, 11)]
        before, at, after = (ball(f"{PAPER}:decoupling")(a1, a2, b, s, s, moment, digits=200)[2] for moment in times)
        with ctx.workdps(100):
            assert abs(at - height) < abs(height) * arb("1e-60")
            assert abs(before) < abs(height)
            assert abs(after) < abs(height)
