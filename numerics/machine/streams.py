"""Random streams: each replica has its own, and draws the same numbers whoever runs beside it.

A stream is the generator xoshiro256++ (Blackman & Vigna 2021). Eight of them run in the lanes of vector registers. A
simulation of many inputs gives all eight lanes to one replica (`eight_for_one`); where a replica needs few numbers,
each lane is a replica of its own (`one_for_each`). The 256 bits that a generator starts from are NumPy's
SeedSequence(seed, spawn_key=(lanes per replica, replica, purpose)): they depend on nothing else, and replicas can be
run in any order, alone or together, and added later.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.machine.lanes import LANES

WORDS_OF_STATE = 4
LEARNING, TESTING = range(2)  # purposes: what a replica learns from, and what it is tested with


def eight_for_one(seed: int, replica: int, purpose: int = LEARNING) -> NDArray[np.float64]:
    """The state of a replica's eight lanes, for `numerics.machine.lanes.normal`: 32 words, seen as doubles.

    >>> eight_for_one(seed=1, replica=0).shape
    (32,)
    """
    return _words(seed, LANES, replica, purpose).view(np.float64)


def one_for_each(seed: int, first: int) -> NDArray[np.float64]:
    """The state of eight lanes for eight replicas, this one and those that come next: 32 words, seen as doubles.

    >>> first, second = one_for_each(seed=1, first=0), one_for_each(seed=1, first=1)
    >>> bool((first.reshape(4, 8)[:, 1:].view("u8") == second.reshape(4, 8)[:, :-1].view("u8")).all())
    True
    """
    words = np.array([_words(seed, 1, first + lane, LEARNING) for lane in range(LANES)])
    return np.ascontiguousarray(words.T).ravel().view(np.float64)


def _words(seed: int, count: int, replica: int, purpose: int) -> NDArray[np.uint64]:
    sequence = np.random.SeedSequence(seed, spawn_key=(count, replica, purpose))
    return sequence.generate_state(WORDS_OF_STATE * count, np.uint64).astype(np.uint64)
