"""The flows of the bench, each with a start at a point and a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from benchmarks.flows.committees import Committee
from derivations.text import DerivationError, did_you_mean

q = sp.Rational
x, y, z = sp.symbols("x y z", real=True)
FIGURE_EIGHT = (q("0.97000436"), q("0.24308753"), q("0.93240737"), q("0.86473146"))
"""Simo's initial values, as Chenciner and Montgomery, Ann. of Math. 152 (2000), print them: x, y, and the velocity."""
PERIOD_OF_EIGHT = q("6.32591398")  # printed in the same place


class NoSuchFlow(DerivationError):
    """No flow of the bench has that name."""


@dataclass(frozen=True)
class System:
    """A flow, where it starts, and how long it is followed."""

    name: str
    rates: Mapping[Any, Any]
    start: Mapping[Any, Any]
    until: Any


def _figure_eight() -> System:
    """Three equal masses; the third is where the centre of mass at rest puts it, so there are eight variables."""
    x1, x2, y1, y2, u1, u2, v1, v2 = sp.symbols("x1 x2 y1 y2 u1 u2 v1 v2", real=True)
    places = [(x1, y1), (x2, y2), (-x1 - x2, -y1 - y2)]
    rates: dict[Any, Any] = {x1: u1, y1: v1, x2: u2, y2: v2}
    for body, velocity in enumerate([(u1, v1), (u2, v2)]):
        for axis in (0, 1):
            rates[velocity[axis]] = sum(_pull(places[body], places[k], axis) for k in range(3) if k != body)
    a, b, c, d = FIGURE_EIGHT
    start = {x1: a, y1: -b, x2: -a, y2: b, u1: c / 2, v1: d / 2, u2: c / 2, v2: d / 2}
    return System("figure eight", rates, start, PERIOD_OF_EIGHT)


def _pull(here: tuple[Any, Any], there: tuple[Any, Any], axis: int) -> Any:
    dx, dy = there[0] - here[0], there[1] - here[1]
    return (dx, dy)[axis] * (dx**2 + dy**2) ** q(-3, 2)


def _committee(students: int, teachers: int, until: Any) -> System:
    committee = Committee(students, teachers)
    return System(f"committee, {students} of {teachers}", committee.rates(), committee.start(), until)


_LORENZ = {x: 10 * (y - x), y: x * (28 - z) - y, z: x * y - q(8, 3) * z}
_ROESSLER = {x: -y - z, y: x + y / 5, z: q(1, 5) + z * (x - q(57, 10))}
SYSTEMS = [
    System("oscillator", {x: y, y: -x}, {x: 1, y: 0}, 10),
    System("van der Pol", {x: y, y: (1 - x**2) * y - x}, {x: 2, y: 0}, q(20, 3)),  # the period is about 6.6633
    System("Lorenz", _LORENZ, {x: 1, y: 1, z: 1}, 10),
    System("Lorenz, longer", _LORENZ, {x: 1, y: 1, z: 1}, 40),
    System("Roessler", _ROESSLER, {x: 0, y: -5, z: 0}, 20),
    _figure_eight(),
    _committee(2, 4, 100),
    _committee(4, 4, 50),
]


def systems(names: list[str] | None) -> list[System]:
    """The flows that were named, or all.

    >>> [system.name for system in systems(["Lorenz"])]
    ['Lorenz']
    """
    known = {system.name: system for system in SYSTEMS}
    for name in names or []:
        if name not in known:
            hint = did_you_mean(name, set(known)) or f": there is {', '.join(known)}"
            raise NoSuchFlow(f"there is no flow {name!r} in the bench{hint}")
    return [known[name] for name in names] if names else SYSTEMS
