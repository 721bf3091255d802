"""Random streams: they are the generator that they name, each replica has its own, and normal numbers are normal."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, log, pi, sin, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numerics.machine.lanes import LANES
from numerics.machine.specialise import specialise
from numerics.machine.streams import LEARNING, TESTING, eight_for_one, one_for_each

Floats = NDArray[np.float64]
PARTS = ("numerics.machine.lanes", "numerics.machine.lanes.functions", "numerics.machine.lanes.normal")
WORD = 2**64 - 1


@pytest.fixture(scope="module")
def fill() -> Callable[[Floats, Floats, int, int], None]:
    return specialise("fill", PARTS)


def normal_numbers(fill: Callable[..., None], state: Floats, count: int) -> Floats:
    out = np.empty(count)
    fill(state, out, 0, count)
    return out


def xoshiro(words: list[int]) -> int:
    """Blackman and Vigna's xoshiro256++, as their C code has it."""

    def turned(x: int, left: int) -> int:
        return (x << left | x >> 64 - left) & WORD

    result = (turned((words[0] + words[3]) & WORD, 23) + words[0]) & WORD
    shifted = words[1] << 17 & WORD
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= shifted
    words[3] = turned(words[3], 45)
    return result


def test_normal_numbers_are_box_muller_pairs_of_eight_generators_from_their_seed_sequences(
    fill: Callable[..., None],
) -> None:
    sequence = np.random.SeedSequence(5, spawn_key=(LANES, 3, LEARNING))
    words = sequence.generate_state(4 * LANES, np.uint64).reshape(4, LANES)
    found = normal_numbers(fill, eight_for_one(5, 3), 8 * LANES).reshape(4, 2, LANES)
    for lane in range(LANES):
        state = [int(word) for word in words[:, lane]]
        for pair in found[:, :, lane]:
            first, second = xoshiro(state), xoshiro(state)
            radius = sqrt(-2.0 * log(1.0 - (first >> 12) / 2.0**52))
            angle = pi * ((second >> 12) / 2.0**52 - 0.5) / 2.0
            expected = [radius * cos(angle), radius * sin(angle)]
            if second & 1:
                expected.reverse()
            if second & 2:
                expected = [-number for number in expected]
            assert pair.tolist() == pytest.approx(expected, rel=1e-14)


def test_drawing_in_pieces_gives_the_same_bits_as_at_once(fill: Callable[..., None]) -> None:
    whole = normal_numbers(fill, eight_for_one(1, 0), 160)
    state = eight_for_one(1, 0)
    pieces = [normal_numbers(fill, state, count) for count in (16, 48, 96)]
    assert np.array_equal(np.concatenate(pieces), whole)


def test_seeds_replicas_purposes_and_layouts_have_streams_of_their_own() -> None:
    states = [eight_for_one(seed, replica, purpose) for seed in (0, 1) for replica in (0, 1) for purpose in (0, 1)]
    states += [one_for_each(seed, first) for seed in (0, 1) for first in (0, LANES)]
    words = np.concatenate([state.view(np.uint64) for state in states])
    assert np.unique(words).size == words.size
    assert not np.array_equal(eight_for_one(0, 0, LEARNING), eight_for_one(0, 0, TESTING))


def test_a_replicas_lane_does_not_depend_on_who_is_in_the_others() -> None:
    one, other = (one_for_each(7, first).view(np.uint64).reshape(4, LANES) for first in (0, 3))
    assert np.array_equal(one[:, 3:], other[:, : LANES - 3])


def test_the_numbers_are_normal_and_uncorrelated_across_pairs_and_lanes(fill: Callable[..., None]) -> None:
    numbers = normal_numbers(fill, eight_for_one(2, 0), 1_600_000)
    assert stats.kstest(numbers, "norm").pvalue > 0.01
    pairs = numbers.reshape(-1, 2 * LANES)
    noise = 1.0 / sqrt(len(pairs))
    for powers in (pairs, pairs**2):
        correlations = np.corrcoef(powers.T) - np.eye(2 * LANES)
        assert np.abs(correlations).max() < 5.0 * noise
    beyond = 2.0 * stats.norm.sf(4.0) * numbers.size
    assert abs((np.abs(numbers) > 4.0).sum() - beyond) < 5.0 * sqrt(beyond)
