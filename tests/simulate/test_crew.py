"""Threads that share pieces of work: every piece is done once, by whoever is there."""

from __future__ import annotations

from threading import Event, get_ident

import numpy as np
import pytest
from each import each
from numba import njit

from numerics.machine import crew
from numerics.machine.crew import threads_for, together
from numerics.machine.lanes.pieces import claim


@njit(nogil=True)
def count(counter: np.ndarray, done: np.ndarray) -> None:
    """Mark every piece that this thread was given."""
    piece = claim(counter)
    while piece < done.size:
        done[piece] += 1
        piece = claim(counter)


@each("threads", [1, 2, 5])
def test_every_piece_is_done_once(threads: int) -> None:
    counter, done = np.zeros(1, dtype=np.int64), np.zeros(100_000, dtype=np.int64)
    together(lambda: count(counter, done), threads)
    assert (done == 1).all()


def test_who_has_not_begun_is_not_waited_for() -> None:
    """All threads of the pool are taken, and the work is done by the thread that asks for it."""
    hold, runs = Event(), []
    occupied = [crew._pool().submit(hold.wait) for _ in range(8)]
    together(lambda: runs.append(get_ident()), threads=3)
    assert runs == [get_ident()]
    hold.set()
    assert all(other.result() for other in occupied)


def test_a_mistake_of_any_thread_is_told() -> None:
    met = Event()

    def fails_elsewhere(here: int = get_ident()) -> None:
        if get_ident() != here:
            met.set()
            raise ValueError("elsewhere")
        met.wait(10.0)

    with pytest.raises(ValueError, match="elsewhere"):
        together(fails_elsewhere, threads=2)


def test_small_work_stays_on_one_thread() -> None:
    import numba

    assert threads_for(99.0, crossover=100.0) == 1
    assert threads_for(100.0, crossover=100.0) == numba.get_num_threads()
