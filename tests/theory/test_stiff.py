"""Stiff flows: in few steps, however stiff, to the tolerance that is asked for, and taken over where that pays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, arb_poly, ctx
from theory.known_flows import COUPLED, DECAY, FOLLOWED, ROBERTSON, VAN_DER_POL

from numerics.ode import implicit
from numerics.ode.integrate import integrate
from numerics.ode.methods import radau
from numerics.ode.series import by_series
from numerics.ode.trajectories import Trajectory
from numerics.theory import two_point
from numerics.theory.two_point import flow

FAMILIES = Cases(__file__, globals())

FLOWS = "theory.known_flows"
TIMES = np.array([0.0, 1e-3, 0.1, 0.11, 0.5, 0.50001, 1.0, 2.0])
RTOLS = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12]


def stiff(kind: int, starts: Any, speed: float, times: Any, rtol: float, **named: Any) -> Trajectory:
    return integrate(FLOWS, starts, [float(kind), speed], times, rtol, rtol * 1e-2, **{"method": "implicit", **named})


@each("rtol", RTOLS)
@each("rate", [1.0, 1e5, 1e10, 1e15])
def test_the_error_of_a_decay_is_of_the_size_of_the_tolerance_however_fast_it_is(rate: float, rtol: float) -> None:
    times = np.array([0.0, 0.1, 1.0, 5.0, 8.0]) / rate
    run = integrate(FLOWS, [[1.0], [-3.0]], [DECAY, rate], [*times, 1e3], rtol, rtol * 1e-2, method="implicit")
    assert run.succeeded
    error = np.abs(run.states[:, :-1, 0] / np.outer([1.0, -3.0], np.exp(-rate * times)) - 1)
    assert (error * np.exp(-rate * times) < 10 * rtol * (np.exp(-rate * times) + 1e-2)).all()
    assert run.calls.max() < 4000


@each("rtol", RTOLS)
@each("speed", [1.0, 1e4, 1e9])
def test_a_solution_that_everything_decays_to_is_followed(speed: float, rtol: float) -> None:
    run = stiff(FOLLOWED, [1.0, 1.0], speed, TIMES, rtol)
    assert run.succeeded
    assert np.abs(run.states[0] - np.cos(TIMES)[:, None]).max() < 10 * rtol


@each("rtol", RTOLS)
def test_components_that_share_a_slow_and_a_fast_rate_are_told_apart(rtol: float) -> None:
    run = stiff(COUPLED, [1.0, 0.2], 1e7, TIMES, rtol)
    slow, fast = 1.2 * np.exp(-TIMES), 0.8 * np.exp(-1e7 * TIMES)
    exact = 0.5 * np.column_stack([slow + fast, slow - fast])
    assert run.succeeded
    assert np.abs(run.states[0] - exact).max() < 10 * rtol


@each(
    ("kind", "start", "speed", "end", "expected"),
    [
        (VAN_DER_POL, [2.0, 0.0], 1e6, 2.0, [1.706167732170483, -0.8928097010247975]),
        (ROBERTSON, [1.0, 0.0, 0.0], 1.0, 1e11, [2.083340149701255e-8, 8.333360770334713e-14, 0.9999999791665050]),
    ],
)
def test_the_end_is_that_of_the_test_set_for_initial_value_problems(
    kind: int, start: list[float], speed: float, end: float, expected: list[float]
) -> None:
    """References by Mazzia & Magherini, Test Set for Initial Value Problem Solvers (2008)."""
    run = integrate(FLOWS, start, [float(kind), speed], [0.0, end], 1e-10, 1e-20, method="implicit")
    assert run.succeeded
    np.testing.assert_allclose(run.states[0, 1], expected, rtol=2e-8)
    assert run.calls[0] < 40_000


def test_outputs_between_steps_are_as_accurate_as_the_steps() -> None:
    many = np.linspace(0, 2, 3001)
    dense, sparse = (stiff(FOLLOWED, [1.0], 1e6, times, 1e-9) for times in (many, many[[0, -1]]))
    assert dense.calls[0] < 10 * sparse.calls[0] + 1000
    assert np.abs(dense.states[0, :, 0] - np.cos(many)).max() < 5e-9


def test_a_start_is_taken_over_where_steps_are_bound_by_stability_and_only_there() -> None:
    rates = np.array([[1.0], [100.0], [1e5], [1e10]])
    starts, params = np.ones((4, 1)), np.hstack([np.full((4, 1), DECAY), rates])
    auto, slow = (integrate(FLOWS, starts, params, [0, 1e-6, 1], method=method) for method in ("auto", "explicit"))
    assert auto.succeeded
    assert slow.messages == ("", "", "", "too many steps")
    assert np.array_equal(auto.states[:2], slow.states[:2])
    assert np.array_equal(auto.calls[:2], slow.calls[:2])
    assert auto.calls.max() < 5000
    assert slow.calls[2] > 100_000
    assert np.abs(auto.states[:, :, 0] - np.exp(-rates * [0, 1e-6, 1])).max() < 1e-10
    alone = integrate(FLOWS, [1.0], [DECAY, 1e5], [0, 1e-6, 1], threads=1)
    assert np.array_equal(alone.states[0], auto.states[2])


def test_a_start_that_the_implicit_method_cannot_follow_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = implicit.implicit

    def lost(*arguments: Any) -> implicit.Found:
        found = follow(*arguments)
        found.codes[:] = 1
        return found

    monkeypatch.setattr("numerics.ode.integrate.implicit", lost)
    found = integrate(FLOWS, [1.0], [DECAY, 1e5], [0, 1])
    expected = integrate(FLOWS, [1.0], [DECAY, 1e5], [0, 1], method="explicit")
    assert found.succeeded
    assert np.array_equal(found.states, expected.states)


test_statements_have_their_verdicts = FAMILIES.verdicts()


@pytest.mark.laws
@each("tau", [1e-3, 1e-6, 1e-9])
def test_two_points_with_a_fast_layer_follow_the_solved_theory(tau: float) -> None:
    """Jets, whose rates and slopes the implicit method takes from eight states beside each other."""
    start, params, times = [0.05, 0.02, -0.05], [0.25, 1.0, tau, 0.8], [0.0, 0.1, 2.0, 10.0]
    run = flow.trajectories(start, params, times)
    direct = by_series(flow.JETS, flow.signed(start, params), params, times, method="implicit", view=flow._square)
    for found in (run, direct):
        assert found.succeeded
        assert np.abs(found.states[0] - two_point.closed_form(start, params, times)[0]).max() < 1e-11
    assert direct.calls[0] < 3000
    assert run.calls[0] < 7000


# --- the numbers of the method ----------------------------------------------------------------------------------------


def collocation() -> tuple[list[arb], list[list[arb]]]:
    """The zeros of P_5(2x - 1) - P_4(2x - 1), and the integrals from 0 to each of the Lagrange polynomials there."""
    x = arb_poly([-1, 2])
    legendre = [arb_poly([1]), x]
    for n in range(1, 5):
        legendre.append(((2 * n + 1) * x * legendre[n] - n * legendre[n - 1]) * (arb(1) / (n + 1)))
    whole = legendre[5] - legendre[4]
    zeros = [arb(float(node)) for node in radau.NODES]
    for _ in range(3):  # Newton's method, from where they should be
        zeros = [(at - whole(at) / whole.derivative()(at)).mid() for at in zeros]
    table = []
    for at in zeros:
        row = []
        for j, node in enumerate(zeros):
            lagrange = arb_poly([1])
            for k, other in enumerate(zeros):
                if k != j:
                    lagrange = lagrange * arb_poly([-other, 1]) * (1 / (node - other))
            row.append(lagrange.integral()(at))
        table.append(row)
    return zeros, table


def test_the_numbers_of_the_method_are_those_of_its_definition() -> None:
    ctx.prec = 200
    zeros, table = collocation()
    np.testing.assert_allclose(radau.NODES, [float(zero) for zero in zeros], rtol=1e-15)
    A = np.array([[float(entry) for entry in row] for row in table])
    back, forth = np.zeros((5, 5), dtype=complex), np.zeros((5, 5), dtype=complex)
    roots = np.zeros(5, dtype=complex)
    for p, columns in enumerate([[0], [1, 2], [3, 4]]):
        for column, conjugate in zip(columns, (False, True), strict=False):
            forth[:, column] = np.conj(radau.FROM[:, p]) if conjugate else radau.FROM[:, p]
            back[column] = np.conj(radau.INTO[p]) if conjugate else radau.INTO[p]
            roots[column] = np.conj(radau.ROOTS[p]) if conjugate else radau.ROOTS[p]
    np.testing.assert_allclose(forth @ back, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(forth @ np.diag(roots) @ back @ A, np.eye(5), atol=1e-12)
    assert radau.ROOTS[0].imag == 0
    weights = A[-1] + radau.ERROR @ A
    powers = [weights @ radau.NODES**k for k in range(5)]
    expected = [1 / (k + 1) for k in range(5)]
    expected[0] -= 1 / radau.ROOTS[0].real
    np.testing.assert_allclose(powers, expected, atol=1e-13)
