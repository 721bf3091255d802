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


test_statements_have_their_verdicts = FAMILIES.verdicts()


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
