"""Which tasks a sweep has: every point of a grid or a list of runs, with every seed.

Task k has seed number k // points at point k % points: consecutive tasks differ in their points, so that pieces of the
list take alike long, and more seeds only add tasks at the end. Seed number s is child s of SeedSequence(seed): it draws
the same numbers at every point. The address of a task is a digest of all that its result depends on: target, code,
settings and seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.machine.checks import is_whole, listed, shown
from numerics.sweep.grid import fitted, values
from numerics.sweep.targets import Settings, SweepError, Target, Value, code, target

RUN = "run"  # the axis of a list of runs
SEED = "seed"
FIELDS = ("target", "settings", "seeds", "seed", "code")  # of a plan, besides its axes
POINTS, TASKS = 10**6, 10**9  # the most that a sweep has


@dataclass(frozen=True)
class Task:
    """One point of a sweep with one seed."""

    number: int
    settings: Settings
    seed: np.random.SeedSequence
    address: bytes


@dataclass(frozen=True)
class Plan:
    """All tasks of a sweep."""

    target: str
    axes: tuple[tuple[str, tuple[Any, ...]], ...]  # swept settings and their values; of runs, dictionaries
    settings: Settings  # all that have one value
    seeds: int
    seed: int
    code: str

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(settings) for _, settings in self.axes)

    @property
    def points(self) -> int:
        return prod(self.shape)

    @property
    def tasks(self) -> int:
        return self.points * self.seeds

    @cached_property
    def made(self) -> Target:
        """The target."""
        return target(self.target)

    def at(self, point: int) -> dict[str, Value]:
        """All settings of one point."""
        settings = dict(self.settings)
        for which, (name, swept) in zip(np.unravel_index(point, self.shape), self.axes, strict=True):
            settings |= swept[which] if name == RUN else {name: swept[which]}
        return settings

    def task(self, number: int) -> Task:
        child, point = divmod(number, self.points)
        seed = np.random.SeedSequence(self.seed, spawn_key=(child,))  # as SeedSequence(self.seed).spawn makes it
        return Task(number, self.at(point), seed, self._address(child, point))

    def digest(self, tasks: range) -> str:
        """One digest of the addresses of these tasks."""
        return sha256(b"".join(self._address(*divmod(number, self.points)) for number in tasks)).hexdigest()

    def _address(self, child: int, point: int) -> bytes:
        if point not in self._points:
            text = f"{self.target} {self.code} {self.seed} {json.dumps(self.at(point), sort_keys=True)}"
            self._points[point] = sha256(text.encode()).digest()
        return sha256(self._points[point] + str(child).encode()).digest()

    @cached_property
    def _points(self) -> dict[int, bytes]:
        """Digests of what tasks depend on besides the numbers of their seeds, by points, as far as they were needed."""
        return {}

    @cached_property
    def coordinates(self) -> dict[str, NDArray[Any]]:
        """The coordinates along the axes of the target, which all points share."""
        return self._coordinates(0)

    def _coordinates(self, point: int) -> dict[str, NDArray[Any]]:
        return {name: np.asarray(found, dtype=float) for name, found in self.made.axes(self.at(point)).items()}

    def check(self) -> None:
        """Refuse points with different axes, and names that two things in the results would have."""
        for point in range(self.points):
            for name, coordinate in self._coordinates(point).items():
                if not coordinate.size:
                    raise SweepError(f"the axis {name} of {self.target} has no coordinates: let it have one at least")
                if not np.array_equal(self.coordinates[name], coordinate):
                    raise SweepError(f"the points of this sweep have different axes of {name}: sweep them one by one")
        names = [*self.made.variables, *self.coordinates, *(name for name, _ in self.axes), SEED]
        if twice := [name for name in names if names.count(name) > 1]:
            raise SweepError(f"{twice[0]} would name two things in the results of {self.target}: rename one of them")

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each variable of one task."""
        return {name: tuple(self.coordinates[axis].size for axis in axes) for name, axes in self.made.variables.items()}

    def about(self) -> dict[str, Any]:
        """All of the plan, as JSON has it."""
        return {
            **{name: getattr(self, name) for name in FIELDS},
            "axes": [[name, list(points)] for name, points in self.axes],
        }

    def extends(self, other: Plan) -> bool:
        """Check whether all tasks of the other plan have the same numbers here."""
        return replace(self, seeds=other.seeds) == other and self.seeds >= other.seeds


def planned(
    name: str,
    *,
    grid: Mapping[str, str | Iterable[object]] | None = None,
    runs: Sequence[Mapping[str, object]] = (),
    settings: Mapping[str, object] | None = None,
    seeds: int = 1,
    seed: int = 0,
) -> Plan:
    """The plan that a user describes, checked. Refused with `SweepError`: what no sweep can be.

    >>> plan = planned("deep_linear", grid={"scale": "log:1e-3:1:20"}, seeds=50)
    >>> plan.tasks, round(plan.task(1).settings["scale"], 5)
    (1000, 0.00144)
    """
    if not isinstance(name, str):
        raise SweepError(f"a target is named by a text, not {shown(name)}")
    made = target(name)
    many, single = (_named(*given, made.defaults) for given in (("grid", grid), ("settings", settings)))
    each = [_named("each of the runs", run, made.defaults) for run in _listed("runs", runs)]
    once = [*many, *{key for run in each for key in run}, *single]
    if twice := [key for key in once if once.count(key) > 1]:
        raise SweepError(f"{twice[0]} is given twice: as one value, in the grid, or in the runs")
    axes = [(key, _axis(key, given, made.defaults)) for key, given in many.items()]
    if each:
        axes.append((RUN, tuple(_fitted(run, made.defaults) for run in each)))
    fixed = _fitted(single, made.defaults)
    for what, number, least in (("seeds", seeds, 1), ("seed", seed, 0)):
        if not is_whole(number, least):
            raise SweepError(f"{what} must be a whole number of at least {least}, got {shown(number)}")
    settings_left = {key: value for key, value in {**made.defaults, **fixed}.items() if key not in dict(axes)}
    plan = Plan(name, tuple(axes), settings_left, int(seeds), int(seed), code(name))
    if plan.points > POINTS or plan.tasks > TASKS:
        raise SweepError(
            f"this sweep has {plan.points} points and {plan.tasks} tasks; one sweep has no more than {POINTS} "
            f"points and {TASKS} tasks: divide it"
        )
    plan.check()
    return plan


def _axis(name: str, given: object, defaults: Settings) -> tuple[Any, ...]:
    listed = values(given) if isinstance(given, str) else _listed(f"the values of {name}", given)
    plain = (value.item() if isinstance(value, np.generic) else value for value in listed)
    settings = tuple(fitted(name, value, defaults) for value in plain)
    if not settings:
        raise SweepError(f"{name} has no values")
    if len({*settings}) < len(settings):
        raise SweepError(f"{name} has a value twice")
    return settings


def _fitted(given: Mapping[str, object], defaults: Settings) -> dict[str, Value]:
    return {name: fitted(name, value, defaults) for name, value in given.items()}


def _named(what: str, given: object, defaults: Settings) -> dict[str, object]:
    """Values by the names of settings that there are."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SweepError(f"{what} must be names of settings with their values, got {shown(given)}")
    for name in given:
        if name not in defaults:
            raise SweepError(f"there is no setting {shown(name)}; there is {', '.join(sorted(defaults))}")
    return dict(given)


def _listed(what: str, given: object) -> list[object]:
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | np.ma.MaskedArray):
        return listed(what, given, SweepError)
    raise SweepError(f"{what} must be a list, got {shown(given)}")


def restored(about: Mapping[str, Any]) -> Plan:
    """The plan that `Plan.about` told of."""
    axes = tuple((name, tuple(points)) for name, points in about["axes"])
    return Plan(axes=axes, **{name: about[name] for name in FIELDS})
