"""Trajectories: as accurate as asked for, the same bits on any number of threads, a message for every start."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from time import sleep
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from theory.known_flows import GROWTH

from numerics.ode.integrate import integrate
from numerics.ode.trajectories import IntegrateError, Trajectory, share

FAMILIES = Cases(__file__, globals())

KERNEL = "theory.known_flows"
SMALLEST = "numerics.ode.methods.decay"
RNG = np.random.default_rng(3)


def growth(start: np.ndarray, power: float, rate: float, times: np.ndarray) -> np.ndarray:
    """The solution of d/dt x = rate x^power for power != 1."""
    q = 1 - power
    found: np.ndarray = (start[:, None, :] ** q + q * rate * times[None, :, None]) ** (1 / q)
    return found


STARTS = RNG.uniform(0.5, 2, size=(7, 11))
TIMES = np.array([0.0, 0.1, 0.11, 0.5, 2, 2.0001, 7, 10])


@each("rtol", [1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13])
def test_the_error_is_of_the_size_of_the_tolerance(rtol: float) -> None:
    run = integrate(KERNEL, STARTS, [GROWTH, 0.3, -1.0], TIMES, rtol, rtol * 1e-2)
    exact = growth(STARTS, -1.0, 0.3, TIMES)
    assert run.succeeded
    assert np.abs(run.states / exact - 1).max() < 10 * rtol


def test_outputs_between_steps_are_as_accurate_as_the_steps() -> None:
    few, many = np.array([0.0, 10.0]), np.linspace(0, 10, 3001)
    dense = integrate(KERNEL, STARTS[:1], [GROWTH, 0.3, -1.0], many, 1e-9, 1e-11)
    sparse = integrate(KERNEL, STARTS[:1], [GROWTH, 0.3, -1.0], few, 1e-9, 1e-11)
    assert np.array_equal(dense.states[0, -1], sparse.states[0, -1])
    error = np.abs(dense.states / growth(STARTS[:1], -1.0, 0.3, many) - 1).max()
    assert error < 5e-9
    assert dense.calls[0] < 5 * sparse.calls[0]


def test_the_bits_are_the_same_on_one_thread_and_on_many() -> None:
    starts = RNG.uniform(0.5, 2, size=(50, 3))
    one = integrate(KERNEL, starts, [GROWTH, 0.3, -1.0], TIMES, threads=1)
    for threads in (2, 5):
        assert np.array_equal(integrate(KERNEL, starts, [GROWTH, 0.3, -1.0], TIMES, threads=threads).states, one.states)
    alone = integrate(KERNEL, starts[17], [GROWTH, 0.3, -1.0], TIMES)
    assert np.array_equal(alone.states[0], one.states[17])


def test_each_start_may_have_parameters_of_its_own() -> None:
    rates = np.array([0.1, 0.2, 0.3])
    params = np.column_stack([np.full(3, GROWTH), rates, np.full(3, -1.0)])
    run = integrate(KERNEL, np.ones((3, 1)), params, [0, 1, 2], 1e-12, 1e-14)
    assert np.allclose(run.states[:, -1, 0], np.sqrt(1 + 4 * rates), rtol=1e-11, atol=0)


def messages() -> Iterator[tuple[Trajectory, str, int]]:
    """Runs, how they end, and how many times they reach."""
    times = np.linspace(0, 2, 8)
    yield integrate(KERNEL, [1.0], [GROWTH, 1.0, 2.0], times), "step too small", 4  # a pole at t = 1
    yield (
        integrate(KERNEL, [1.0], [GROWTH, -1.0, 0.5], [0, 1, 3.0]),
        "left the domain",
        2,
    )  # a root below zero
    yield integrate(KERNEL, [np.nan], [GROWTH, 1.0, 2.0], times), "left the domain", 1
    yield integrate(KERNEL, [1.0], [GROWTH, 1.0, -1.0], times, most_steps=1), "too many steps", 1


def test_what_stops_a_run_is_told_and_nothing_is_invented_beyond() -> None:
    for run, message, reached in messages():
        assert run.messages == (message,)
        assert not run.succeeded
        assert not np.isfinite(run.states[0, reached:]).any()
        assert np.isfinite(run.states[0, 1:reached]).all()


def test_one_bad_start_leaves_the_others_alone() -> None:
    run = integrate(KERNEL, [[1.0], [np.nan], [0.2]], [GROWTH, 1.0, 2.0], [0, 0.5])
    assert run.messages == ("", "left the domain", "")
    assert np.allclose(run.states[[0, 2], 1, 0], [2, 1 / 4.5], rtol=1e-9)


def test_a_single_time_returns_the_starts() -> None:
    assert np.array_equal(integrate(KERNEL, STARTS, [GROWTH, 0.3, -1.0], [2.0]).states[:, 0], STARTS)


test_bad_arguments_are_refused_in_one_sentence = FAMILIES.verdicts()


def test_a_rate_for_which_no_step_is_small_enough_is_told() -> None:
    assert integrate(KERNEL, [1.0], [GROWTH, -1e300, 1.0], [0, 1]).messages == ("step too small",)


def test_a_row_of_parameters_that_the_kernel_would_read_past_is_refused() -> None:
    with pytest.raises(IntegrateError, match=r"params has 2 columns where .* wants 1"):
        integrate(SMALLEST, [1.0], [1.0, 2.0], [0, 1])


REST_OF_ROW = [2.0, 0.0, 0.1, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]
FLOW_ROW = [1.0, *REST_OF_ROW]  # of one student and two teachers


@each("activation", ["erf", "linear", "relu", "smooth"])
@each(
    ("row", "components", "sentence"),
    FAMILIES["rows of a flow are as long as their sizes say"],
)
def test_rows_of_a_flow_are_as_long_as_their_sizes_say(
    activation: str, row: list[float], components: int, sentence: str
) -> None:
    kernel = f"numerics.theory.teacher_student.flows.{activation}"
    with pytest.raises(IntegrateError, match=sentence):
        integrate(kernel, np.zeros(components), np.array([row]), [0, 1])


@each("threads", [1, 2])
def test_an_interruption_drops_the_pieces_that_have_not_begun(threads: int) -> None:
    begun, numbers = [], count(1)

    def piece(bounds: tuple[int, int]) -> None:
        begun.append(bounds)
        if next(numbers) == 2:
            raise KeyboardInterrupt
        sleep(0.1)  # long beside what it takes to drop the others, also on a busy machine

    with pytest.raises(KeyboardInterrupt):
        share(piece, 1000, threads)
    assert 2 <= len(begun) < 8 * threads


@each("value", [None, "x", 1j, float("nan"), 0, 2.5, 10**400])
@each("name", ["threads", "most_steps"])
def test_what_counts_threads_or_steps_is_a_whole_number(name: str, value: Any) -> None:
    if name == "threads" and value is None:
        return
    with pytest.raises(IntegrateError, match=f"{name} must be"):
        integrate(SMALLEST, [1.0], [1.0], [0, 1], **{name: value})


@each("name", ["nowhere.kernel", ".kernel", None, 3])
def test_a_kernel_that_is_no_module_is_refused(name: Any) -> None:
    with pytest.raises(IntegrateError, match="the dotted name of a module"):
        integrate(name, [1.0], [1.0], [0, 1])
