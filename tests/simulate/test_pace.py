"""A team of threads or one: whichever is faster at the moment, with the same bits."""

from __future__ import annotations

from itertools import cycle
from types import SimpleNamespace

import numpy as np
import pytest

from numerics.simulate import datasets
from numerics.simulate.mlp import Architecture, streamed, train
from numerics.simulate.mlp.streamed import AGAIN, FEWEST, LONGEST, WARM, Pace


def epochs_of(team_slower: float, slices: int) -> dict[int, int]:
    """Epochs that a team of two, so many times slower than one thread, and one thread did."""
    pace, done = Pace(2), {1: 0, 2: 0}
    for _ in range(slices):
        threads, epochs = pace.turn(100)
        pace.took(threads, epochs * (team_slower if threads == 2 else 1.0), epochs)
        done[threads] += epochs
    return done


def test_what_is_slower_gets_little() -> None:
    for team_slower in (0.6, 8.0):
        done = epochs_of(team_slower, 20 * AGAIN)
        slow = done[2 if team_slower > 1 else 1]
        assert 0 < slow < 0.03 * sum(done.values())


def test_a_core_that_is_free_again_is_found_out() -> None:
    pace, last = Pace(2), []
    for number in range(400):
        threads, epochs = pace.turn(100)
        busy = number < 300
        pace.took(threads, epochs * ((5.0 if busy else 0.5) if threads == 2 else 1.0), epochs)
        last.append(threads)
    assert last[:300].count(2) < 10
    assert last[300 + LONGEST :].count(1) <= 4


def test_a_trial_is_long_enough_to_tell_and_no_longer_than_a_slice() -> None:
    for epochs, expected in ((1, 1), (3, 3), (FEWEST, FEWEST), (2 * FEWEST, FEWEST), (100 * AGAIN, 100)):
        pace = Pace(2)
        for _ in range(1, WARM):
            assert pace.turn(epochs) == (1, epochs)
            pace.took(1, 1.0, epochs)
        assert pace.turn(epochs) == (2, expected)


def test_one_thread_is_timed_once_its_weights_are_in_caches() -> None:
    pace, cold = Pace(2), 2.0
    for slow in (cold, 1.0):
        threads, epochs = pace.turn(4)
        pace.took(threads, slow * epochs, epochs)
    threads, epochs = pace.turn(4)
    pace.took(threads, 1.5 * epochs, epochs)  # of a team beside a busy core: faster than the first slice alone
    assert pace.turn(4)[0] == 1


def test_a_trial_that_was_lucky_is_followed_by_a_short_slice() -> None:
    seen: list[tuple[int, int]] = []
    job = SimpleNamespace(epochs=200, until=0.0, nothing=1.0, dtype=np.float64)
    learner = SimpleNamespace(step=FEWEST, pace=Pace(2), job=job)
    learner._descend = lambda _state, first, end, threads: seen.append((threads, end - first))
    state = {"at": np.array([0, -1]), "losses": np.zeros(job.epochs + 1)}
    for _ in range(WARM + 2):
        streamed.Streamed.advance(learner, state)  # type: ignore[arg-type]
    trial = next(k for k, (threads, _) in enumerate(seen) if threads == 2)
    assert [epochs for _, epochs in seen[trial:]] == [FEWEST, 2 * FEWEST, 4 * FEWEST]


def test_one_thread_stays_one() -> None:
    pace = Pace(1)
    for _ in range(3 * AGAIN):
        assert pace.turn(10) == (1, 10)
        pace.took(1, 1.0, 10)


def test_changing_teams_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Architecture(hidden=3, units=40)
    alone = train(net, datasets.two_points(), eta=0.01, epochs=30, threads=1)
    turns = cycle([(2, 3), (1, 2), (3, 4)])
    monkeypatch.setattr(streamed.Pace, "turn", lambda self, epochs: next(turns))
    changing = train(net, datasets.two_points(), eta=0.01, epochs=30, threads=3)
    assert alone.losses.tobytes() == changing.losses.tobytes()
    assert np.array_equal(alone.weights[1].weights, changing.weights[1].weights)
