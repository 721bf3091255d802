"""Averages by quadrature against exact ones: the estimate is at least the error where rules see the activation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from drawn import drawn
from each import each
from scipy.special import erf

from numerics.theory.teacher_student import averages
from numerics.theory.teacher_student.averages import quadrature as quadrature_averages
from numerics.theory.teacher_student.averages.quadrature import Smooth, estimated

FIELDS = averages.FIELDS
PAIRS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    "erf": (lambda x: erf(x / np.sqrt(2)), lambda x: np.sqrt(2 / np.pi) * np.exp(-x * x / 2)),
    "linear": (lambda x: x, np.ones_like),
    "relu": (lambda x: np.maximum(x, 0), lambda x: np.heaviside(x, 0.5)),
}


def covariance(rng: np.random.Generator, fields: int, activation: str) -> np.ndarray:
    """Variances from 1e-3 to 10; of low rank every third time, but for a rectifier all directions well apart."""
    while True:
        rows = rng.normal(size=(fields, fields))
        if activation != "relu" and rng.integers(3) == 0:
            rows[-1] = rows[0]
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        if activation != "relu" or np.linalg.eigvalsh(rows @ rows.T)[0] > 0.1:
            rows *= 10 ** rng.uniform(-1.5, 0.5, size=(fields, 1))
            C: np.ndarray = rows @ rows.T
            return (C + C.T) / 2


@pytest.mark.drawn
@each("name", list(FIELDS))
@each("activation", list(PAIRS))
def test_the_estimate_is_at_least_the_error(activation: str, name: str) -> None:
    rng = np.random.default_rng([len(name), ord(name[0]), len(activation)])
    estimates = []
    for _ in range(drawn(40)):
        C = covariance(rng, FIELDS[name], activation)
        value, estimate = averages.with_error(name, C, PAIRS[activation])
        assert abs(value - getattr(averages, name)(C, activation)) <= estimate
        estimates.append(estimate)
    if activation != "relu":  # and it is no idle one
        assert np.median(estimates) < 1e-5


def test_a_corner_next_to_the_corner_of_another_field_is_seen() -> None:
    C = np.array([[1.0, -0.9999], [-0.9999, 1.0]])
    value, estimate = averages.with_error("I2", C, PAIRS["relu"])
    assert abs(value - averages.I2(C, "relu")) <= estimate < 1e-6


@each("name", list(FIELDS))
def test_formulas_come_with_an_estimate_that_covers_rounding(name: str) -> None:
    rng = np.random.default_rng(2)
    for activation in ("erf", "relu", "linear"):
        C = covariance(rng, FIELDS[name], activation)
        value, estimate = averages.with_error(name, C, activation)
        assert value == getattr(averages, name)(C, activation)
        assert 0 < estimate < 1e-12


def test_names_modules_and_pairs_of_functions_are_the_same_activation() -> None:
    C = np.array([[0.8, 0.3], [0.3, 0.5]])
    named = averages.I2(C, "tanh")
    assert named == averages.I2(C, "numerics.theory.teacher_student.flows.tanh")
    assert named == pytest.approx(averages.I2(C, (np.tanh, lambda x: 1 - np.tanh(x) ** 2)), rel=1e-14)
    assert averages.I2(C, "theory.jitted_erf") == pytest.approx(averages.I2(C, "erf"), abs=1e-9)
    assert averages.I2(C, "theory.plain_activation") > 0


def test_stacks_and_tables_hold_the_averages_of_their_parts() -> None:
    rng = np.random.default_rng(4)
    stack = np.array([covariance(rng, 3, "erf") for _ in range(4)]).reshape(2, 2, 3, 3)
    values, estimates = averages.with_error("I3", stack, "tanh")
    assert values.shape == estimates.shape == (2, 2)
    assert values[1, 0] == averages.I3(stack[1, 0], "tanh")
    table = averages.I2_table(stack, "tanh")
    for a in range(3):
        for b in range(3):
            pair = stack[1, 1][np.ix_([a, b], [a, b])]
            assert table[1, 1, a, b] == pytest.approx(averages.I2(pair, "tanh"), abs=1e-6)


FACTORS = {  # of one field, as they decay; what is left for I2 is one less that of a slope
    "J2": lambda x: np.cosh(x) ** -4.0,
    "I2": lambda x: np.cosh(x) ** -2.0,
    "I3": lambda x: np.cosh(x) ** -2.0 * x * np.tanh(x),
    "I4": lambda x: (np.tanh(x) / np.cosh(x) ** 2) ** 2,
}


@each("correlation", [-0.99, 0.0, 0.3, 0.9])
@each("variances", [(4.0, 100.0), (1e4, 1e4), (1e8, 1e4)])
def test_averages_of_two_steep_fields_are_found_or_the_estimate_says_how_badly(
    variances: tuple[float, float], correlation: float
) -> None:
    sizes = np.sqrt(variances)
    C = np.outer(sizes, sizes) * np.array([[1.0, correlation], [correlation, 1.0]])
    x = np.linspace(-25, 25, 1001)
    a, b = np.meshgrid(x, x, indexing="ij")
    inverse = np.linalg.inv(C)
    exponent = inverse[0, 0] * a**2 + 2 * inverse[0, 1] * a * b + inverse[1, 1] * b**2
    density = np.exp(-exponent / 2) / (2 * np.pi * np.sqrt(np.linalg.det(C))) * (50 / 1000) ** 2
    exact = np.sum(density / np.cosh(a) ** 2 / np.cosh(b) ** 2)
    value, estimate = averages.with_error("J2", C, "tanh")
    assert abs(value - exact) <= estimate + 1e-14
    assert abs(value - exact) <= 1e-6 * exact
    bound = np.ones((4, 4)) * C[1, 1]
    bound[:2, :2], bound[:2, 2:], bound[2:, :2] = C, C[:, 1:], C[:, 1:].T
    value, estimate = averages.with_error("I4", bound, "tanh")  # whose other fields are the second one again
    exact = np.sum(density / np.cosh(a) ** 2 / np.cosh(b) ** 2 * np.tanh(b) ** 2)
    assert abs(value - exact) <= estimate


@each("variance", [1.0, 30.0, 1e4, 1e8])
def test_four_fields_of_any_size_are_found_or_the_estimate_says_how_badly(variance: float) -> None:
    """Independent of each other but for the last two, which are one: the average is a product."""
    C = np.eye(4) * variance
    C[2, 3] = C[3, 2] = variance
    slope = 1 - averages.I2(np.full((2, 2), variance), "tanh")
    value, estimate = averages.with_error("I4", C, "tanh")
    assert abs(value - slope**2 * (1 - slope)) <= estimate


def test_a_larger_rule_changes_a_value_by_less_than_the_estimate() -> None:
    functions = Smooth(np.tanh, lambda x: 1 / np.cosh(x) ** 2)
    C = np.eye(4) + 0.4
    value, estimate = estimated("I4", C, functions)
    assert abs(value - quadrature_averages.average("I4", C, functions, 90)) < estimate / 10
