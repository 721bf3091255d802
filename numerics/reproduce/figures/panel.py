"""A panel: one function that computes and measures, and one that draws what was computed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from numerics.machine.checkpoints import turn

SHELF = re.compile(r"\w+-[0-9a-f]{12}")  # the name of a folder of runs
Array = NDArray[Any]
Data = Mapping[str, Array]


class LeftOut(Exception):
    """A panel needs a package or data that are not installed here; the message says what to do."""


class Found(NamedTuple):
    """Arrays to draw and to keep, and the numbers that are compared with what the paper says."""

    data: dict[str, Array]
    measured: dict[str, float]


@dataclass(frozen=True)
class Setting:
    """The configuration of one run; `tell` is told the share that is done, from 0 to 1.

    Long runs are kept below `runs`, if that is given, so that an interrupted panel goes on, and panels share them, one
    after the other where they are computed at once.
    """

    values: Mapping[str, Any]
    seed: int
    tell: Callable[[float], object] = field(default=lambda _: None, compare=False)
    runs: Path | None = field(default=None, compare=False)
    shelves: set[Path] = field(default_factory=set, compare=False)  # those below `runs` that were asked for

    def number(self, name: str) -> float:
        return float(self.values[name])

    def whole(self, name: str) -> int:
        return int(self.values[name])

    def numbers(self, name: str) -> list[float]:
        return [float(value) for value in self.values[name]]

    def wholes(self, name: str) -> list[int]:
        return [int(value) for value in self.values[name]]

    def table(self, name: str) -> Array:
        """A matrix that is given row by row."""
        return np.array(self.values[name], dtype=float)

    @contextmanager
    def shelf(self, name: str, **about: Any) -> Iterator[Path | None]:
        """The folder of runs that share all this, which panels may share as well; one that is in use is waited for."""
        if self.runs is None:
            yield None
            return
        digest = sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]
        path = self.runs / f"{name}-{digest}"
        self.shelves.add(path)
        with turn(turn_of(path)):
            yield path

    def rng(self, *which: int) -> np.random.Generator:
        """Random numbers for one purpose of this panel."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=which))


def turn_of(path: Path) -> Path:
    """The file that whoever uses this folder of runs, or finds this result, has meanwhile."""
    return path.with_name(f".{path.name}.turn")


class Panel(NamedTuple):
    """Drawing needs nothing but the arrays, so that a saved result is drawn without a new run."""

    compute: Callable[[Setting], Found]
    draw: Callable[[Figure, Data], None]
    size: tuple[float, float] = (3.4, 2.5)  # inches
